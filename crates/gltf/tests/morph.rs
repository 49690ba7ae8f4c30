//! Morph targets and their weights.

use crate::common;

use common::tiny::{Tiny, lines};
use serde_json::json;
use throng_gltf::Import;
use throng_tracks::Channel;

fn mesh() -> Tiny {
    let mut tiny = Tiny::new(json!([{ "name": "empty" }, { "name": "face", "mesh": 0 }]));
    tiny.json["meshes"] = json!([{ "primitives": [{ "targets": [{}, {}, {}] }] }]);
    tiny
}

#[test]
fn weights_are_as_many_as_the_values_make() {
    let mut tiny = mesh();
    let (input, output) =
        (tiny.floats("SCALAR", &[0.0, 1.0]), tiny.floats("SCALAR", &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]));
    tiny.channel(1, "weights", input, output);
    let import = tiny.import();
    assert_eq!(import.clips[0].tracks()[0].track().channel(), Channel::Weights(3));
    assert!(import.report.is_empty());
    tiny.json["meshes"][0]["primitives"][0]["targets"] = json!([{}]);
    let import = tiny.import();
    assert_eq!(import.clips[0].tracks()[0].track().channel(), Channel::Weights(3));
    assert_eq!(
        lines(&import),
        ["remark: animations[0].channels[0]: 3 weights a key, but nodes[1] has 1 morph targets"]
    );
}

/// Nodes, weights and names.
fn told(import: &Import) -> Vec<(usize, Vec<f32>, Vec<String>)> {
    import.morphs.iter().map(|m| (m.node, m.weights.to_vec(), m.names.to_vec())).collect()
}

#[test]
fn targets_are_told_with_weights_and_names() {
    let mut tiny = mesh();
    assert_eq!(told(&tiny.import()), [(1, vec![0.0; 3], vec![])]);
    assert_eq!(tiny.import().morphs[0].count(), 3);
    tiny.json["meshes"][0]["weights"] = json!([0.1, 0.2, 0.3]);
    tiny.json["meshes"][0]["extras"] = json!({ "targetNames": ["smile", "frown", "blink"] });
    tiny.json["nodes"].as_array_mut().unwrap().push(json!({ "mesh": 0, "weights": [1, 0, 0] }));
    let names = ["smile", "frown", "blink"].map(String::from).to_vec();
    assert_eq!(
        told(&tiny.import()),
        [(1, vec![0.1, 0.2, 0.3], names.clone()), (2, vec![1.0, 0.0, 0.0], names)]
    );
    tiny.json["meshes"][0]["primitives"] = json!([]);
    assert!(tiny.import().morphs.is_empty());
}

#[test]
fn weights_and_names_that_do_not_fit_are_left_out() {
    let mut tiny = mesh();
    tiny.json["meshes"][0]["weights"] = json!([0.1, 0.2]);
    tiny.json["meshes"][0]["extras"] = json!({ "targetNames": ["smile"] });
    tiny.json["nodes"][1]["weights"] = json!(["a", 0, 0]);
    let import = tiny.import();
    assert_eq!(told(&import), [(1, vec![0.0; 3], vec![])]);
    assert_eq!(
        lines(&import)[..3],
        [
            "skip: meshes[0].weights: 2 weights for 3 morph targets",
            "skip: meshes[0].extras.targetNames: 1 names for 3 morph targets",
            "skip: nodes[1].weights: weights that can't be read (nodes[1].weights[0]: found \"a\", expected a number \
             within f32)",
        ]
    );
}

#[test]
fn many_nodes_of_one_mesh_share_what_it_says() {
    let count = 20_000;
    let mut tiny = Tiny::new((0..count).map(|_| json!({ "mesh": 0 })).collect());
    let targets = (0..count).map(|_| json!({})).collect::<Vec<_>>();
    tiny.json["meshes"] = json!([{ "primitives": [{ "targets": targets }] }]);
    let import = tiny.import();
    assert_eq!(import.morphs.len(), count);
    assert!(std::sync::Arc::ptr_eq(&import.morphs[0].weights, &import.morphs[count - 1].weights));
}

#[test]
fn real_files_name_their_targets() {
    if common::assets().is_none() {
        return;
    }
    let robot = common::import("quaternius_robot_expressive.glb");
    for morph in &robot.morphs {
        println!("nodes[{}]: {:?} {:?}", morph.node, morph.weights, morph.names);
    }
    let names = ["Angry", "Surprised", "Sad"].map(String::from);
    assert!(robot.morphs.iter().any(|morph| morph.names[..] == names && morph.weights[..] == [0.0; 3]));
    let cube = common::import("khronos_animated_morph_cube/AnimatedMorphCube.gltf");
    assert_eq!((cube.morphs.len(), cube.morphs[0].count()), (1, 2));
}
