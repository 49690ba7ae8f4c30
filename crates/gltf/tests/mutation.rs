//! Whatever becomes of a small valid file's bytes or values, the import answers.

use crate::common;

use common::tiny::Tiny;
use proptest::prelude::*;
use serde_json::{Value, json};
use throng_gltf::{ImportOptions, import_slice_with};
use throng_tracks::{BakeOptions, Transform, bake};

/// A document with a bit of everything that is read.
fn everything() -> Tiny {
    let mut tiny = Tiny::new(json!([
        { "name": "hips", "children": [1, 2], "rotation": [0, 0, 1, 0] },
        { "name": "spine", "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1] },
        { "name": "head", "mesh": 0, "skin": 0, "scale": [1, -2, 1] },
    ]));
    let places = tiny.floats("VEC3", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let tangents = tiny.floats("VEC4", &[0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0]);
    let weights = tiny.floats("VEC4", &[0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let view = tiny.view(&[0, 1, 0, 0, 1, 0, 0, 0]);
    let joints = json!({ "bufferView": view, "componentType": 5121, "type": "VEC4", "count": 2 });
    let joints = tiny.accessor(joints);
    let attributes = json!({
        "POSITION": places, "NORMAL": places, "TANGENT": tangents, "JOINTS_0": joints, "WEIGHTS_0": weights
    });
    tiny.json["meshes"] = json!([{
        "primitives": [{ "targets": [{}, {}], "attributes": attributes }], "weights": [0.5, 0], "extras": { "targetNames": ["smile", "frown"] }
    }]);
    let matrices: Vec<f32> = (0..32).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    let inverse_bind = tiny.floats("MAT4", &matrices);
    tiny.json["skins"] = json!([{ "joints": [0, 1], "inverseBindMatrices": inverse_bind }]);
    let times = tiny.floats("SCALAR", &[0.0, 0.5, 1.25]);
    let places = tiny.floats("VEC3", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    tiny.channel(0, "translation", times, places);
    let view = tiny.view(&[0, 0, 0, 127, 127, 0, 0, 0, 0, 128, 0, 1]);
    let turns =
        json!({ "bufferView": view, "componentType": 5120, "normalized": true, "type": "VEC4", "count": 3 });
    let turns = tiny.accessor(turns);
    tiny.channel(0, "rotation", times, turns);
    let (indices, replaced) = (tiny.view(&[1, 0]), tiny.view(&[0; 12]));
    let sparse = json!({
        "count": 1, "indices": { "bufferView": indices, "componentType": 5121 }, "values": { "bufferView": replaced }
    });
    let scales = json!({ "componentType": 5126, "type": "VEC3", "count": 9, "sparse": sparse });
    let scales = tiny.accessor(scales);
    let halves: Vec<u8> = [2047i16, 0, 0, 2044].repeat(3).iter().flat_map(|v| v.to_le_bytes()).collect();
    let view = tiny.packed_view("EXT_meshopt_compression", &halves, 8, "QUATERNION");
    let turns =
        json!({ "bufferView": view, "componentType": 5122, "normalized": true, "type": "VEC4", "count": 3 });
    let turns = tiny.accessor(turns);
    let pointer = json!({ "KHR_animation_pointer": { "pointer": "/nodes/2/rotation" } });
    let target = json!({ "path": "pointer", "extensions": pointer });
    tiny.raw_channel(target, json!({ "input": times, "output": turns }));
    let cubic = json!({ "input": times, "output": scales, "interpolation": "CUBICSPLINE" });
    tiny.raw_channel(json!({ "node": 2, "path": "scale" }), cubic);
    let weights = tiny.floats("SCALAR", &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    tiny.channel(2, "weights", times, weights);
    tiny
}

/// Imports, and where that works, bakes and samples.
fn run(bytes: &[u8]) {
    let options = ImportOptions { max_numbers: 1 << 16, meshes: true, ..ImportOptions::default() };
    let Ok(import) = import_slice_with(bytes, None, &options) else { return };
    let mut pose = vec![Transform::IDENTITY; import.skeleton.joint_count()];
    for clip in &import.clips {
        clip.sample(&import.skeleton, clip.duration_s() / 3.0, &mut pose);
    }
    let options = BakeOptions { max_rows: 1 << 10, ..BakeOptions::default() };
    if let Ok((bank, _)) = bake(&import.skeleton, &import.clips, &options) {
        (0..bank.clips().len()).for_each(|clip| bank.sample(bank.locate(clip, 0.4), &mut pose));
    }
}

/// Every place in a document, as a JSON pointer.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), into));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| places(member, &format!("{at}/{key}"), into));
        }
        _ => {}
    }
}

fn replacement() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(2),
            json!(3),
            json!(7),
            json!(-1),
            json!(1.5),
            json!(255),
            json!(4096),
            json!(u32::MAX),
            json!(u64::MAX),
            json!(1e300),
            json!(-1e39),
            json!(5121),
            json!(5126),
            json!(""),
            json!("STEP"),
            json!("VEC3"),
            json!("weights"),
            json!("EXPONENTIAL"),
            json!("TRIANGLES"),
            json!("/nodes/1/scale"),
            json!([]),
            json!([0]),
            json!([0, 0, 0, 0]),
            json!({}),
            json!({ "version": "2.9" }),
        ]),
        any::<f32>().prop_map(|x| json!(x)),
        any::<u64>().prop_map(|x| json!(x)),
    ]
}

#[test]
fn the_document_with_everything_imports() {
    let tiny = everything();
    let import = tiny.import();
    assert_eq!((import.skeleton.joint_count(), import.clips[0].tracks().len()), (3, 5));
    let with_meshes = tiny.import_with(&ImportOptions { meshes: true, ..ImportOptions::default() }).unwrap();
    assert_eq!(with_meshes.meshes.len(), 1, "{}", with_meshes.report);
    run(&tiny.gltf());
    run(&tiny.glb());
}

proptest! {
    #[test]
    fn corrupt_bytes_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
        binary in any::<bool>(),
    ) {
        let mut bytes = if binary { everything().glb() } else { everything().gltf() };
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        run(&bytes);
    }

    #[test]
    fn corrupt_buffers_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut tiny = everything();
        for (place, byte) in changes {
            let place = place.index(tiny.bytes.len());
            tiny.bytes[place] = byte;
        }
        run(&tiny.glb());
    }

    #[test]
    fn changed_values_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), replacement()), 1..4),
    ) {
        let mut tiny = everything();
        for (place, value) in changes {
            let mut all = Vec::new();
            places(&tiny.json, "", &mut all);
            if let Some(old) = tiny.json.pointer_mut(&all[place.index(all.len())]) {
                *old = value;
            }
        }
        if tiny.json.is_object() {
            run(&tiny.gltf());
            run(&tiny.glb());
        }
    }
}
