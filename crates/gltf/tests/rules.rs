//! Each rule of the import about nodes, skins and animations, on a small document that needs it.

use crate::common;

use common::tiny::{Tiny, lines};
use glam::{Affine3A, Quat, Vec3};
use serde_json::json;
use throng_gltf::{ImportOptions, Problem};
use throng_tracks::{Channel, Interpolation, JointIndex};

/// One node, moved along x in one second.
fn slide() -> Tiny {
    let mut tiny = Tiny::new(json!([{ "name": "box" }]));
    let (input, output) =
        (tiny.floats("SCALAR", &[0.0, 1.0]), tiny.floats("VEC3", &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]));
    tiny.channel(0, "translation", input, output);
    tiny
}

#[test]
fn joints_are_the_needed_nodes_and_their_ancestors() {
    let mut tiny = Tiny::new(json!([
        { "name": "tip" },
        { "name": "helper", "children": [3], "translation": [0, 1, 0] },
        { "name": "bystander" },
        { "name": "joint", "children": [0, 2] },
        { "children": [1] },
    ]));
    tiny.json["skins"] = json!([{ "joints": [0, 3] }]);
    let import = tiny.import();
    assert_eq!(import.nodes, [4, 1, 3, 0]);
    assert_eq!(import.skeleton.names(), ["", "helper", "joint", "tip"]);
    assert_eq!(import.joint_of_node(0), Some(JointIndex(3)));
    assert_eq!(import.joint_of_node(2), None);
    assert_eq!(import.joint_of_node(99), None);
    assert_eq!(import.skins[0].joints(), [JointIndex(3), JointIndex(2)]);
    assert_eq!(import.skins[0].inverse_bind(), [Affine3A::IDENTITY; 2]);
    assert!(import.report.is_empty());
}

#[test]
fn a_file_without_skins_has_a_skeleton_of_its_animated_nodes() {
    let import = slide().import();
    assert_eq!((import.skeleton.joint_count(), import.skins.len(), import.clips.len()), (1, 0, 1));
    let track = import.clips[0].tracks()[0].track();
    assert_eq!((track.channel(), track.interpolation()), (Channel::Translation, Interpolation::Linear));
    assert_eq!(track.values(), [0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    assert_eq!(import.clips[0].name(), "");
    let import = Tiny::new(json!([{}])).import();
    assert_eq!(import.skeleton.joint_count(), 0);
    assert_eq!(lines(&import).len(), 1);
    assert!(
        lines(&import)[0].starts_with("remark: no skin has joints and no node is animated: nothing to pose")
    );
}

#[test]
fn deep_trees_take_neither_the_stack_nor_square_time() {
    let count = 60_000;
    let nodes = (0..count).map(|n| if n + 1 < count { json!({ "children": [n + 1] }) } else { json!({}) });
    let mut tiny = Tiny::new(nodes.collect());
    tiny.json["skins"] = json!([{ "joints": [count - 1] }]);
    assert_eq!(tiny.import().skeleton.joint_count(), count);
    let nodes = (0..100_000).map(|n| json!({ "children": [(n + 1) % 100_000] }));
    assert!(Tiny::new(nodes.collect()).error().contains("its own ancestor"));
}

#[test]
fn a_tree_is_a_tree() {
    let error = Tiny::new(json!([{ "children": [2] }, { "children": [2] }, {}])).error();
    assert!(error.starts_with("nodes[2]: found it among the children of nodes[0] and nodes[1]"), "{error}");
    assert!(Tiny::new(json!([{ "children": [0] }])).error().contains("nodes[0]"));
    assert!(Tiny::new(json!([{ "children": [7] }])).error().starts_with("nodes[0].children[0]: found 7"));
    let mut twice = Tiny::new(json!([{ "children": [1, 1] }, {}]));
    twice.json["skins"] = json!([{ "joints": [1] }]);
    assert!(lines(&twice.import())[0].contains("nodes[0].children[1]: nodes[1] is named twice"));
}

fn columns(matrix: Affine3A) -> Vec<f32> {
    let m = matrix.to_cols_array();
    (0..4).flat_map(|c| [m[3 * c], m[3 * c + 1], m[3 * c + 2], f32::from(u8::from(c == 3))]).collect()
}

#[test]
fn matrices_become_transforms_where_they_can() {
    let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 2.5);
    let place = Vec3::new(5.0, -6.0, 7.0);
    for scale in [[1.0, 1.0, 1.0], [100.0, 0.01, 3.0], [-1.0, 2.0, 3.0], [-2.0, -2.0, -2.0], [0.0, 2.0, 3.0]]
    {
        let matrix = Affine3A::from_scale_rotation_translation(scale.into(), turn, place);
        let mut tiny = Tiny::new(json!([{ "matrix": columns(matrix) }]));
        tiny.json["skins"] = json!([{ "joints": [0] }]);
        let import = tiny.import();
        assert_eq!(import.skeleton.fixed_matrices(), [], "{scale:?}");
        assert!(import.skeleton.rest()[0].to_affine().abs_diff_eq(matrix, 1e-4), "{scale:?}");
    }
    for scale in [[0.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0; 3]] {
        let matrix = Affine3A::from_scale_rotation_translation(scale.into(), turn, place);
        let mut tiny = Tiny::new(json!([{ "matrix": columns(matrix) }]));
        tiny.json["skins"] = json!([{ "joints": [0] }]);
        assert!(tiny.import().skeleton.rest()[0].to_affine().abs_diff_eq(matrix, 1e-5), "{scale:?}");
    }
}

#[test]
fn sheared_matrices_stay_matrices_unless_animated() {
    let sheared = json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]);
    let mut tiny = Tiny::new(json!([{ "matrix": sheared }]));
    tiny.json["skins"] = json!([{ "joints": [0] }]);
    let import = tiny.import();
    let (joint, matrix) = import.skeleton.fixed_matrices()[0];
    assert_eq!((joint, matrix.matrix3.y_axis.x), (JointIndex(0), 0.5));
    assert!(import.report.is_empty());

    let mut tiny = slide();
    tiny.json["nodes"][0]["matrix"] = sheared;
    let import = tiny.import();
    assert_eq!(import.skeleton.fixed_matrices(), []);
    assert_eq!(import.skeleton.rest()[0].translation, Vec3::new(1.0, 2.0, 3.0));
    assert!(lines(&import)[0].starts_with("repair: nodes[0].matrix: an animated node with a sheared matrix"));

    let mut weights = Tiny::new(json!([{ "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1] }]));
    let (input, output) = (weights.floats("SCALAR", &[0.0]), weights.floats("SCALAR", &[0.5]));
    weights.channel(0, "weights", input, output);
    assert_eq!(weights.import().skeleton.fixed_matrices().len(), 1);
}

#[test]
fn odd_nodes_are_repaired_and_reported() {
    let rest = |node| {
        let mut tiny = Tiny::new(json!([node]));
        tiny.json["skins"] = json!([{ "joints": [0] }]);
        let import = tiny.import();
        (import.skeleton.rest()[0], lines(&import).join("|"))
    };
    let (t, line) = rest(json!({ "rotation": [0, 0, 0, 0] }));
    assert_eq!(
        (t.rotation, line.as_str()),
        (Quat::IDENTITY, "repair: nodes[0].rotation: a quaternion of length 0; the identity was taken")
    );
    let (t, line) = rest(json!({ "rotation": [0, 2, 0, 0] }));
    assert_eq!(t.rotation, Quat::from_xyzw(0.0, 1.0, 0.0, 0.0));
    assert!(line.contains("length 2.0000; normalised"), "{line}");
    let (_, line) = rest(json!({ "rotation": [0, 0.005, 0, 1] }));
    assert_eq!(line, "");
    let (t, line) = rest(json!({ "translation": [9, 9, 9], "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,3,1] }));
    assert_eq!(t.translation, Vec3::new(1.0, 2.0, 3.0));
    assert!(line.contains("the matrix was taken"), "{line}");
    let (t, line) = rest(json!({ "matrix": [1,0,0,0.5, 0,1,0,0, 0,0,1,0, 1,2,3,2] }));
    assert_eq!(t.translation, Vec3::new(1.0, 2.0, 3.0));
    assert!(line.contains("bottom row"), "{line}");
    let mut tiny = Tiny::new(json!([{ "scale": [1, 1e39, 1] }]));
    tiny.json["skins"] = json!([{ "joints": [0] }]);
    assert_eq!(tiny.error(), "nodes[0].scale[1]: found 1e+39, expected a number within f32");
}

#[test]
fn inverse_bind_matrices_are_checked() {
    let identity = columns(Affine3A::IDENTITY);
    let skin = |matrices: &[f32]| {
        let mut tiny = Tiny::new(json!([{}, {}]));
        let accessor = tiny.floats("MAT4", matrices);
        tiny.json["skins"] = json!([{ "name": "coat", "joints": [1, 0], "inverseBindMatrices": accessor }]);
        tiny
    };
    let moved = columns(Affine3A::from_translation(Vec3::X));
    let import = skin(&[moved.clone(), identity.clone()].concat()).import();
    assert_eq!(import.skins[0].inverse_bind()[0].translation.x, 1.0);
    assert_eq!(import.skins[0].name(), "coat");
    assert_eq!(lines(&import), ["remark: skins[0]: joints of several trees"]);
    let error = skin(&identity).error();
    assert_eq!(error, "skins[0].inverseBindMatrices: found 1 matrices, expected one for each of 2 joints");
    let import = skin(&[moved, identity.clone(), identity.clone()].concat()).import();
    assert_eq!(import.skins[0].inverse_bind().len(), 2);
    assert!(lines(&import)[0].contains("3 matrices for 2 joints"));
    let mut odd = [identity.clone(), identity.clone()].concat();
    odd[31] = 0.0;
    assert!(lines(&skin(&odd).import())[0].contains("1 of 2 matrices whose bottom row"));
    odd[0] = f32::NAN;
    assert_eq!(
        skin(&odd).error(),
        "skins[0].inverseBindMatrices: found NaN in row 0, column 0 of the matrix of nodes[1], expected finite numbers"
    );
}

#[test]
fn channels_that_move_nothing_are_skipped() {
    let mut tiny = slide();
    tiny.raw_channel(json!({ "path": "translation" }), json!({ "input": 0, "output": 1 }));
    tiny.raw_channel(json!({ "node": 0, "path": "colour" }), json!({}));
    let other = tiny.floats("VEC3", &[7.0; 6]);
    tiny.channel(0, "translation", 0, other);
    tiny.json["animations"][0]["channels"].as_array_mut().unwrap().push(json!({ "sampler": 0 }));
    let import = tiny.import();
    assert_eq!(import.clips[0].tracks().len(), 1);
    assert_eq!(import.clips[0].tracks()[0].track().values()[3], 4.0);
    assert_eq!(
        lines(&import),
        [
            "skip: animations[0].channels[1]: a channel without a node",
            "skip: animations[0].channels[2]: a channel for \"colour\", which is nothing that can be moved",
            "skip: animations[0].channels[3]: nodes[0] has a channel for this already; the first counts",
            "skip: animations[0].channels[4]: a channel without a target",
        ]
    );
}

#[test]
fn interpolations_are_read() {
    for (name, expected) in [
        ("STEP", Interpolation::Step),
        ("CUBICSPLINE", Interpolation::CubicSpline),
        ("ZIGZAG", Interpolation::Linear),
    ] {
        let mut tiny = Tiny::new(json!([{}]));
        let input = tiny.floats("SCALAR", &[0.0, 1.0]);
        let output = tiny.floats("VEC3", &vec![1.0; 6 * expected.values_per_key()]);
        let sampler = json!({ "input": input, "output": output, "interpolation": name });
        tiny.raw_channel(json!({ "node": 0, "path": "scale" }), sampler);
        let import = tiny.import();
        assert_eq!(import.clips[0].tracks()[0].track().interpolation(), expected);
        assert_eq!(import.report.lines().len(), usize::from(name == "ZIGZAG"));
    }
}

#[test]
fn counts_and_types_of_values_must_fit() {
    let clip = |path: &str, kind: &str, values: usize| {
        let mut tiny = Tiny::new(json!([{}]));
        let input = tiny.floats("SCALAR", &[0.0, 1.0]);
        let output = tiny.floats(kind, &vec![1.0; values]);
        tiny.channel(0, path, input, output);
        tiny
    };
    assert_eq!(
        clip("scale", "VEC3", 9).error(),
        "accessors[1].count: found 3 values, expected 2 for animations[0].channels[0]"
    );
    assert_eq!(
        clip("rotation", "VEC3", 6).error(),
        "accessors[1].type: found \"VEC3\", expected VEC4, for rotation"
    );
    assert!(clip("weights", "SCALAR", 5).error().contains("found 5 weights, expected a multiple of 2"));
    let mut tiny = clip("scale", "VEC3", 6);
    tiny.json["accessors"][0]["type"] = json!("VEC2");
    assert_eq!(tiny.error(), "accessors[0].type: found \"VEC2\", expected SCALAR, for key times");
}

#[test]
fn times_before_zero_are_an_error_or_shifted() {
    let mut tiny = Tiny::new(json!([{ "name": "hips" }]));
    let early = tiny.floats("SCALAR", &[-0.5, 1.0]);
    let late = tiny.floats("SCALAR", &[0.0, 2.0]);
    let values = tiny.floats("VEC3", &[1.0; 6]);
    tiny.channel(0, "translation", early, values);
    tiny.channel(0, "scale", late, values);
    assert_eq!(
        tiny.error(),
        "animations[0].channels[0]: found key 0 of track \"translation of hips\" at -0.5 s, expected times from 0 on; \
         `shift_negative_times` (`--shift-negative-times`) moves the whole clip"
    );
    let options = ImportOptions { shift_negative_times: true, ..ImportOptions::default() };
    let import = tiny.import_with(&options).unwrap();
    let times: Vec<_> = import.clips[0].tracks().iter().map(|t| t.track().times().to_vec()).collect();
    assert_eq!(times, [[0.0, 1.5], [0.5, 2.5]]);
    assert_eq!(lines(&import), ["repair: animations[0]: starts at -0.5 s; shifted to start at 0"]);
}

#[test]
fn key_times_are_shared() {
    let mut tiny = slide();
    let scales = tiny.floats("VEC3", &[1.0; 6]);
    tiny.channel(0, "scale", 0, scales);
    assert_eq!(tiny.import().clips[0].timelines().len(), 1);
}

#[test]
fn quaternions_off_unit_length_are_reported() {
    let mut tiny = Tiny::new(json!([{}]));
    let input = tiny.floats("SCALAR", &[0.0, 1.0]);
    let output = tiny.floats("VEC4", &[0.0, 0.0, 0.0, 3.0, 0.0, 1.0, 0.0, 0.0]);
    tiny.channel(0, "rotation", input, output);
    let import = tiny.import();
    assert_eq!(import.clips[0].tracks()[0].track().values()[..4], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        lines(&import),
        ["repair: animations[0].channels[0]: 1 of 2 quaternions off unit length; normalised"]
    );
}

#[test]
fn versions_and_required_extensions_decide_first() {
    let with = |asset, required| {
        let mut tiny = slide();
        tiny.json["asset"] = asset;
        tiny.json["extensionsRequired"] = required;
        tiny
    };
    let two = || json!({ "version": "2.0" });
    assert_eq!(
        with(json!({ "version": "1.0" }), json!([])).error(),
        "asset.version: found version \"1.0\", expected 2.0"
    );
    assert!(
        with(json!({ "version": "2.1", "minVersion": "2.1" }), json!([]))
            .error()
            .starts_with("asset.minVersion")
    );
    assert!(with(json!({ "version": "2.1", "minVersion": "2.0" }), json!([])).import().report.is_empty());
    assert_eq!(lines(&with(json!({ "version": "2.1" }), json!([])).import()).len(), 1);
    let required = json!(["KHR_mesh_quantization", "KHR_draco_mesh_compression", "KHR_animation_pointer"]);
    assert_eq!(lines(&with(two(), required).import()).len(), 2);
    let error = with(two(), json!(["KHR_texture_transform", "ACME_bones"])).try_import().unwrap_err();
    assert!(matches!(*error.problem, Problem::RequiredExtension { .. }));
    assert!(error.to_string().starts_with("extensionsRequired[1]: found \"ACME_bones\""));
}
