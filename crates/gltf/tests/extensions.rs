//! What the extensions that poses need change, on a small document that needs it.

use crate::common;

use common::tiny::{Tiny, lines};
use glam::{Affine3A, Vec3};
use serde_json::{Value, json};
use throng_gltf::{Import, ImportOptions, Problem, import_slice};
use throng_tracks::{Channel, JointIndex, Property};

const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

fn values(import: &Import) -> &[f32] {
    import.clips[0].tracks()[0].track().values()
}

fn shorts(values: &[i16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// A node with one key of this property, in a compressed view.
fn packed(name: &str, path: &str, bytes: &[u8], accessor: Value, filter: &str) -> Tiny {
    let mut tiny = Tiny::new(json!([{}]));
    let count = accessor["count"].as_u64().unwrap() as usize;
    let times: Vec<f32> = (0..count).map(|i| i as f32).collect();
    let input = tiny.floats("SCALAR", &times);
    let view = tiny.packed_view(name, bytes, bytes.len() / count, filter);
    let mut accessor = accessor;
    accessor["bufferView"] = json!(view);
    let output = tiny.accessor(accessor);
    tiny.channel(0, path, input, output);
    tiny
}

fn places(name: &str) -> Tiny {
    let bytes: Vec<u8> = [1.0f32, 2.0, 3.0, -4.0, 0.5, 6.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    packed(name, "translation", &bytes, json!({ "componentType": 5126, "type": "VEC3", "count": 2 }), "NONE")
}

#[test]
fn compressed_views_are_unpacked() {
    for name in NAMES {
        let mut tiny = places(name);
        tiny.json["extensionsRequired"] = json!([name]);
        for import in [tiny.import(), import_slice(&tiny.glb(), None).unwrap()] {
            assert_eq!(values(&import), [1.0, 2.0, 3.0, -4.0, 0.5, 6.0]);
            assert!(import.report.is_empty());
        }
    }
    let quaternions = json!({ "componentType": 5122, "normalized": true, "type": "VEC4", "count": 2 });
    let bytes = shorts(&[2047, 0, 0, 2044, 0, 0, 0, 2047]);
    let import = packed(NAMES[0], "rotation", &bytes, quaternions, "QUATERNION").import();
    // 23170 of 32767, and the length that rounding took.
    let half = 0.5f32.sqrt();
    assert_eq!(values(&import), [half, half, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let words: Vec<u8> =
        [5i32, (-1i32 << 24) | 3, (2 << 24) | 1].iter().flat_map(|w| w.to_le_bytes()).collect();
    let scales = json!({ "componentType": 5126, "type": "VEC3", "count": 1 });
    assert_eq!(values(&packed(NAMES[0], "scale", &words, scales, "EXPONENTIAL").import()), [5.0, 1.5, 4.0]);
}

#[test]
fn a_broken_stream_is_a_named_error_or_the_plain_data_is_taken() {
    let extension = |tiny: &mut Tiny, key: &str, value: Value| {
        tiny.json["bufferViews"][1]["extensions"][NAMES[0]][key] = value;
    };
    let broken = |key: &str, value: Value| {
        let mut tiny = places(NAMES[0]);
        extension(&mut tiny, key, value);
        tiny
    };
    let place = "bufferViews[1].extensions.EXT_meshopt_compression";
    assert_eq!(
        broken("filter", json!("COLOR")).error(),
        format!("{place}.filter: found \"COLOR\", expected NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL")
    );
    assert_eq!(
        broken("byteLength", json!(9999)).error(),
        format!("{place}: found 245 bytes of buffers[0], expected 10007")
    );
    assert_eq!(
        broken("buffer", json!(1)).error(),
        "buffers[1]: found no URI and no binary chunk, expected bytes"
    );
    let error = broken("byteLength", json!(236)).try_import().unwrap_err();
    assert!(matches!(*error.problem, Problem::Compressed { .. }));
    assert_eq!(error.to_string(), format!("{place}: found a stream that ends too early, expected all of it"));
    let mut tiny = places(NAMES[0]);
    tiny.bytes[8] = 0xff;
    assert_eq!(tiny.error(), format!("{place}: found header byte 0xff, expected 0xa0 or 0xa1"));

    // The view names the bytes of the stream as its plain data.
    tiny.json["bufferViews"][1]["buffer"] = json!(0);
    let import = tiny.import();
    assert_eq!(
        lines(&import),
        [format!(
            "repair: bufferViews[1]: can't be unpacked ({place}: found header byte 0xff, expected 0xa0 or 0xa1); the \
             plain data was taken"
        )]
    );
    tiny.json["extensionsRequired"] = json!([NAMES[0]]);
    assert!(tiny.error().starts_with(place));
}

#[test]
fn a_view_that_tells_another_length_than_its_stream_is_reported() {
    let mut tiny = places(NAMES[1]);
    tiny.json["bufferViews"][1]["byteLength"] = json!(20);
    let import = tiny.import();
    assert_eq!(values(&import).len(), 6);
    assert_eq!(
        lines(&import),
        [
            "repair: bufferViews[1].byteLength: it tells 20 bytes, but the view unpacks to 24; those were taken"
        ]
    );
}

#[test]
fn what_compressed_views_come_to_is_limited() {
    let options = ImportOptions { max_numbers: 8, ..ImportOptions::default() };
    assert!(places(NAMES[0]).import_with(&options).is_ok());
    let options = ImportOptions { max_numbers: 5, ..options };
    let error = places(NAMES[0]).import_with(&options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bufferViews[1].extensions.EXT_meshopt_compression: found 6 numbers in all up to here, expected at most 5 \
         (`max_numbers`)"
    );
    let mut huge = places(NAMES[0]);
    huge.json["bufferViews"][1]["extensions"][NAMES[0]]["count"] = json!(80_000_000);
    assert!(matches!(*huge.try_import().unwrap_err().problem, Problem::Compressed { .. }));
}

#[test]
fn quantised_meshes_leave_matrices_and_keys_as_they_are() {
    let mut tiny = Tiny::new(json!([{ "mesh": 0, "skin": 0 }, { "scale": [0.01, 0.01, 0.01] }]));
    // Quantisation is undone by the inverse bind matrices, which are floats as ever.
    let undo = Affine3A::from_scale(Vec3::splat(0.25)) * Affine3A::from_translation(Vec3::X);
    let m = undo.to_cols_array();
    let columns: Vec<f32> =
        (0..4).flat_map(|c| [m[3 * c], m[3 * c + 1], m[3 * c + 2], f32::from(u8::from(c == 3))]).collect();
    let matrices = tiny.floats("MAT4", &columns);
    let view = tiny.view(&shorts(&[1, 2, 3, 0]));
    let position = tiny.accessor(
        json!({ "bufferView": view, "componentType": 5122, "type": "VEC3", "count": 1, "min": [1, 2, 3], "max": [1, 2, 3] }),
    );
    let joints = tiny.accessor(json!({ "componentType": 5121, "type": "VEC4", "count": 1 }));
    let weights = tiny.floats("VEC4", &[1.0, 0.0, 0.0, 0.0]);
    let attributes = json!({ "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights });
    tiny.json["meshes"] = json!([{ "primitives": [{ "attributes": attributes }] }]);
    tiny.json["skins"] = json!([{ "joints": [1], "inverseBindMatrices": matrices }]);
    tiny.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let import = tiny.import();
    assert_eq!(import.skins[0].inverse_bind(), [undo]);
    assert_eq!(import.skeleton.rest()[0].scale, Vec3::splat(0.01));
    assert_eq!(
        lines(&import),
        ["remark: extensionsRequired[0]: KHR_mesh_quantization has no say in poses; left out"]
    );
}

fn pointer(to: &str) -> Value {
    json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": to } } })
}

#[test]
fn pointers_to_what_moves_a_node_are_channels() {
    let mut tiny = Tiny::new(json!([{}, { "name": "door" }]));
    let input = tiny.floats("SCALAR", &[0.0, 1.0]);
    let (vectors, turns) =
        (tiny.floats("VEC3", &[1.0; 6]), tiny.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(2)));
    let weights = tiny.floats("SCALAR", &[0.5; 4]);
    for (path, output) in
        [("translation", vectors), ("rotation", turns), ("scale", vectors), ("weights", weights)]
    {
        let sampler = json!({ "input": input, "output": output });
        tiny.raw_channel(pointer(&format!("/nodes/1/{path}")), sampler);
    }
    tiny.json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    let import = tiny.import();
    assert_eq!(import.nodes, [1]);
    let moved: Vec<_> = import.clips[0].tracks().iter().map(|t| (t.joint(), t.track().channel())).collect();
    let all = [Channel::Translation, Channel::Rotation, Channel::Scale, Channel::Weights(2)];
    assert_eq!(moved, all.map(|channel| (JointIndex(0), channel)));
}

#[test]
fn of_a_pointer_and_a_plain_channel_the_first_wins() {
    for first in [true, false] {
        let mut tiny = Tiny::new(json!([{}]));
        let input = tiny.floats("SCALAR", &[0.0]);
        let outputs = [tiny.floats("VEC3", &[1.0; 3]), tiny.floats("VEC3", &[2.0; 3])];
        let targets = [json!({ "node": 0, "path": "scale" }), pointer("/nodes/0/scale")];
        for i in if first { [0, 1] } else { [1, 0] } {
            tiny.raw_channel(targets[i].clone(), json!({ "input": input, "output": outputs[i] }));
        }
        let import = tiny.import();
        assert_eq!(values(&import), if first { [1.0; 3] } else { [2.0; 3] });
        assert_eq!(
            lines(&import),
            ["skip: animations[0].channels[1]: nodes[0] has a channel for this already; the first counts"]
        );
    }
}

#[test]
fn other_pointers_are_skipped_by_name() {
    let mut tiny = Tiny::new(json!([{}]));
    let others = [
        "/materials/0/alphaCutoff",
        "/nodes/0/weights/1",
        "/nodes/0/matrix",
        "/meshes/0/weights",
        "/nodes/0/~0scale",
        "/nodes/1/scale",
        "/nodes/00/scale",
        "nodes/0/scale",
        "/nodes/0/scale~2",
    ];
    others.iter().for_each(|to| tiny.raw_channel(pointer(to), json!({})));
    tiny.raw_channel(json!({ "path": "pointer", "node": 0 }), json!({}));
    let import = tiny.import();
    assert!(import.clips[0].tracks().is_empty());
    for (i, (line, to)) in lines(&import).iter().zip(others).enumerate() {
        let end = [", where there is no such node", ", which is no JSON pointer"];
        let end = [&[""; 5][..], &[end[0]; 2], &[end[1]; 2]].concat()[i];
        assert_eq!(
            *line,
            format!("skip: animations[0].channels[{i}]: KHR_animation_pointer to \"{to}\"{end}")
        );
    }
    assert_eq!(
        lines(&import)[others.len()],
        "skip: animations[0].channels[9]: KHR_animation_pointer without a pointer"
    );
}

#[test]
fn the_escapes_of_a_pointer_are_read() {
    // `~1` is a slash within a name, so this names a property "scale/x", and nothing of ours.
    let mut tiny = Tiny::new(json!([{}]));
    tiny.raw_channel(pointer("/nodes/0/scale~1x"), json!({}));
    assert_eq!(
        lines(&tiny.import())[0],
        "skip: animations[0].channels[0]: KHR_animation_pointer to \"/nodes/0/scale~1x\""
    );
}

/// A document with a material, a camera, a light of a node, and a channel for each pointer.
fn pointed(to: &[(&str, Value)]) -> Tiny {
    let visible = json!({ "KHR_node_visibility": { "visible": true } });
    let mut tiny = Tiny::new(json!([{ "name": "lamp" }, { "name": "door", "extensions": visible }]));
    tiny.json["materials"] = json!([{ "pbrMetallicRoughness": {} }]);
    tiny.json["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 1, "znear": 1 } }]);
    for (to, sampler) in to {
        tiny.raw_channel(pointer(to), sampler.clone());
    }
    tiny
}

#[test]
fn pointers_to_other_things_are_properties() {
    let mut tiny = pointed(&[]);
    let input = tiny.floats("SCALAR", &[0.0, 2.0]);
    let [one, two, four] =
        [("SCALAR", 1), ("VEC2", 2), ("VEC4", 4)].map(|(kind, n)| tiny.floats(kind, &vec![0.5; 2 * n]));
    for (to, output) in [
        ("/materials/0/alphaCutoff", one),
        ("/materials/0/pbrMetallicRoughness/baseColorFactor", four),
        ("/cameras/0/perspective/yfov", one),
        ("/nodes/1/extensions/KHR_node_visibility/visible", one),
        ("/materials/0/offset", two),
    ] {
        tiny.raw_channel(pointer(to), json!({ "input": input, "output": output }));
    }
    let import = tiny.import();
    assert!(import.report.is_empty(), "{}", import.report);
    // The node with a property is a joint, though nothing moves it.
    assert_eq!((import.nodes.as_slice(), import.clips[0].duration_s()), (&[1][..], 2.0));
    let found: Vec<_> =
        import.clips[0].properties().iter().map(|p| (p.property().clone(), p.track().channel())).collect();
    use Channel::{Scalar, Vec2, Vec4};
    let of_door = Property::at(JointIndex(0), "/extensions/KHR_node_visibility/visible");
    let whole = |name: &str, channel| (Property::from(name), channel);
    assert_eq!(
        found,
        [
            whole("/materials/0/alphaCutoff", Scalar),
            whole("/materials/0/pbrMetallicRoughness/baseColorFactor", Vec4),
            whole("/cameras/0/perspective/yfov", Scalar),
            (of_door, Scalar),
            whole("/materials/0/offset", Vec2),
        ]
    );
}

#[test]
fn a_property_that_can_not_be_read_leaves_the_pose() {
    let mut tiny = pointed(&[("/materials/0/alphaCutoff", json!({}))]);
    let input = tiny.floats("SCALAR", &[0.0, 1.0]);
    let (back, matrix) = (tiny.floats("SCALAR", &[1.0, 0.5]), tiny.floats("MAT4", &[0.0; 32]));
    let (short, nan) = (tiny.floats("VEC4", &[0.0; 4]), tiny.floats("SCALAR", &[f32::NAN; 2]));
    for (name, input, output) in
        [("a", back, back), ("b", input, matrix), ("c", input, short), ("d", input, nan), ("e", 99, back)]
    {
        let to = format!("/materials/0/{name}");
        tiny.raw_channel(pointer(&to), json!({ "input": input, "output": output }));
    }
    let values = tiny.floats("VEC3", &[1.0; 6]);
    tiny.channel(0, "scale", input, values);
    let import = tiny.import();
    assert_eq!((import.clips[0].tracks().len(), import.clips[0].properties().len()), (1, 0));
    let told: Vec<_> =
        lines(&import).into_iter().filter(|l| l.contains("a property that can't be read (")).collect();
    assert_eq!(told.len(), 6, "{}", import.report);
}

#[test]
fn vrm_0_is_remarked_on_and_vrm_1_is_not() {
    let report = |names: Value| {
        let mut document = json!({ "asset": { "version": "2.0" } });
        document["extensionsUsed"] = names;
        let import = import_slice(document.to_string().as_bytes(), None).unwrap();
        import.report.to_string()
    };
    let said = report(json!(["KHR_materials_unlit", "VRM"]));
    assert!(said.contains("remark: extensionsUsed[1]: VRM 0: the model faces -z"), "{said}");
    for other in [json!(["VRMC_vrm", "VRMC_springBone"]), json!([]), json!([7])] {
        assert!(!report(other).contains("VRM 0"));
    }
}
