//! Each remark about skins and the meshes they bend, on a small document that needs it.

use crate::common;

use common::tiny::{Tiny, lines};
use serde_json::{Value, json};
use throng_gltf::ImportOptions;

/// A joint below a root, and a node with a mesh of two vertices that name the joint.
fn skinned() -> Tiny {
    let mut tiny = Tiny::new(json!([
        { "name": "root", "children": [1] },
        { "name": "joint" },
        { "name": "above", "children": [3] },
        { "name": "coat", "mesh": 0, "skin": 0 },
    ]));
    tiny.json["skins"] = json!([{ "joints": [1] }]);
    let joints = joints(&mut tiny, [0; 8]);
    let weights = tiny.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    tiny.json["meshes"] =
        json!([{ "primitives": [{ "attributes": { "JOINTS_0": joints, "WEIGHTS_0": weights } }] }]);
    tiny
}

/// An accessor of the joints of two vertices.
fn joints(tiny: &mut Tiny, joints: [u8; 8]) -> usize {
    let view = tiny.view(&joints);
    tiny.accessor(json!({ "bufferView": view, "componentType": 5121, "type": "VEC4", "count": 2 }))
}

fn attributes(tiny: &mut Tiny) -> &mut Value {
    &mut tiny.json["meshes"][0]["primitives"][0]["attributes"]
}

/// The lines that come of one change.
fn changed(change: impl FnOnce(&mut Tiny)) -> Vec<String> {
    let mut tiny = skinned();
    change(&mut tiny);
    lines(&tiny.import())
}

#[test]
fn what_fits_is_not_remarked_on() {
    assert_eq!(changed(|_| {}), [""; 0]);
    let identity = changed(|tiny| {
        let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
        tiny.json["nodes"][2]["matrix"] = json!(identity);
        tiny.json["nodes"][3]["translation"] = json!([0, 0, -0.0]);
        tiny.json["nodes"][3]["rotation"] = json!([0, 1e-9, 0, -1]);
        tiny.json["nodes"][3]["scale"] = json!([1, 1, 1]);
    });
    assert_eq!(identity, [""; 0]);
    // A mesh among the joints, as exporters put it: what moves the root moves the joints, and with them the mesh.
    let among = changed(|tiny| {
        tiny.json["nodes"][0] = json!({ "children": [1, 2], "scale": [100, 100, 100] });
        tiny.json["nodes"][1]["translation"] = json!([0, 1, 0]);
    });
    assert_eq!(among, [""; 0]);
}

#[test]
fn transforms_that_do_not_move_a_skinned_mesh() {
    let own = "remark: nodes[3]: a skinned mesh; the transform does not move it";
    for (key, value) in [
        ("translation", json!([0, 2, 0])),
        ("rotation", json!([1, 0, 0, 0])),
        ("scale", json!([1, 1, -1])),
        ("matrix", json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1])),
    ] {
        assert_eq!(changed(|tiny| tiny.json["nodes"][3][key] = value), [own], "{key}");
    }
    assert_eq!(
        changed(|tiny| tiny.json["nodes"][2]["scale"] = json!([2, 2, 2])),
        ["remark: nodes[3]: a skinned mesh; the transform of nodes[2], above it, does not move it"]
    );
    // The nearest counts.
    let both = changed(|tiny| {
        tiny.json["nodes"][2]["scale"] = json!([2, 2, 2]);
        tiny.json["nodes"][3]["scale"] = json!([2, 2, 2]);
    });
    assert_eq!(both, [own]);
}

#[test]
fn animations_that_do_not_move_a_skinned_mesh() {
    let slide = |node: usize, path: &str, kind: &str, values: &[f32]| {
        changed(|tiny| {
            let (input, output) = (tiny.floats("SCALAR", &[0.0]), tiny.floats(kind, values));
            tiny.channel(node, path, input, output);
        })
    };
    let x = [1.0, 0.0, 0.0];
    assert_eq!(
        slide(3, "translation", "VEC3", &x),
        ["remark: nodes[3]: a skinned mesh; the animation does not move it"]
    );
    assert_eq!(
        slide(2, "translation", "VEC3", &x),
        ["remark: nodes[3]: a skinned mesh; the animation of nodes[2], above it, does not move it"]
    );
    assert_eq!(slide(0, "translation", "VEC3", &x), [""; 0]);
    // Weights do have an effect; that this mesh has no targets is another matter.
    let weights = slide(3, "weights", "SCALAR", &[1.0]);
    assert!(weights.len() == 1 && weights[0].contains("0 morph targets"), "{weights:?}");
}

#[test]
fn skins_and_meshes_that_miss_each_other() {
    let node = |node: Value| changed(|tiny| tiny.json["nodes"][3] = node);
    assert_eq!(node(json!({ "skin": 0 })), ["remark: nodes[3].skin: a skin on a node without a mesh"]);
    assert_eq!(
        node(json!({ "mesh": 0 })),
        ["remark: nodes[3]: meshes[0] has joints, but the node has no skin"]
    );
    assert_eq!(
        node(json!({ "mesh": 0, "skin": 1 })),
        ["remark: nodes[3].skin: no skin of the file, which has 1"]
    );
    assert_eq!(
        changed(|tiny| *attributes(tiny) = json!({ "POSITION": 0 })),
        ["remark: nodes[3].skin: meshes[0] has no joints for a skin to bend it by"]
    );
    // A mesh without joints and without a skin is a mesh like any other.
    let plain = changed(|tiny| {
        tiny.json["nodes"][3] = json!({ "mesh": 0, "translation": [1, 2, 3] });
        *attributes(tiny) = json!({});
    });
    assert_eq!(plain, [""; 0]);
}

#[test]
fn joints_and_weights_come_in_pairs() {
    let place = "remark: meshes[0].primitives[0].attributes";
    let lone = changed(|tiny| attributes(tiny)["WEIGHTS_0"] = Value::Null);
    assert_eq!(lone, [format!("{place}.JOINTS_0: joints without WEIGHTS_0")]);
    let more = changed(|tiny| {
        attributes(tiny)["JOINTS_1"] = json!(0);
        attributes(tiny)["WEIGHTS_2"] = json!(1);
    });
    assert_eq!(
        more,
        [
            format!("{place}.JOINTS_1: joints without WEIGHTS_1"),
            format!("{place}.WEIGHTS_2: weights without JOINTS_2")
        ]
    );
}

#[test]
fn joints_of_no_scene() {
    let scenes = |scenes: Value| changed(|tiny| tiny.json["scenes"] = scenes);
    assert_eq!(scenes(json!([])), [""; 0]);
    assert_eq!(scenes(json!([{ "nodes": [2] }, { "nodes": [0] }])), [""; 0]);
    assert_eq!(scenes(json!([{ "nodes": [2] }])), ["remark: skins[0]: 1 of 1 joints are in no scene"]);
    assert_eq!(scenes(json!([{}])), ["remark: skins[0]: 1 of 1 joints are in no scene"]);
}

#[test]
fn vertices_name_joints_of_their_skin() {
    let place = "remark: meshes[0].primitives[0].attributes";
    let beyond = |node: Option<Value>| {
        changed(|tiny| {
            let joints = joints(tiny, [0, 0, 0, 0, 0, 1, 0, 0]);
            attributes(tiny)["JOINTS_0"] = json!(joints);
            tiny.json["skins"] = json!([{ "joints": [0, 1] }, { "joints": [1] }]);
            tiny.json["nodes"].as_array_mut().unwrap().extend(node);
        })
    };
    assert_eq!(beyond(None), [""; 0]);
    // The skin with the fewest joints decides, wherever it is named.
    assert_eq!(
        beyond(Some(json!({ "mesh": 0, "skin": 1 }))),
        [format!("{place}.JOINTS_0: names joint 1, but skins[1] has 1")]
    );
}

#[test]
fn joints_that_cannot_be_read_are_no_error() {
    let place = "remark: meshes[0].primitives[0].attributes.JOINTS_0: can't be read";
    let short = changed(|tiny| tiny.json["bufferViews"][0]["byteLength"] = json!(3));
    assert!(short.len() == 1 && short[0].starts_with(place), "{short:?}");
    let missing = changed(|tiny| {
        attributes(tiny)["JOINTS_0"] = json!(9);
        attributes(tiny)["JOINTS_1"] = json!(9);
        attributes(tiny)["WEIGHTS_1"] = json!(9);
    });
    assert!(missing.len() == 1 && missing[0].starts_with(place), "{missing:?}");
    // Clips are read first: what meshes take is not taken from them.
    let mut tiny = skinned();
    let (input, output) = (tiny.floats("SCALAR", &[0.0]), tiny.floats("VEC3", &[1.0; 3]));
    tiny.channel(1, "translation", input, output);
    let import = tiny.import_with(&ImportOptions { max_numbers: 4, ..ImportOptions::default() }).unwrap();
    assert_eq!(import.clips[0].tracks().len(), 1);
    assert!(lines(&import)[0].starts_with(place), "{}", import.report);
}
