//! The vertices of skinned meshes: what is read of small documents, and what is left out and told of.

use crate::common;

use common::tiny::{Tiny, lines};
use serde_json::{Value, json};
use throng_gltf::{Import, ImportOptions};
use throng_tracks::Influence;

/// Two joints, and a node with a mesh of two vertices between them.
fn skinned() -> Tiny {
    let mut tiny = Tiny::new(json!([
        { "children": [1] },
        {},
        { "mesh": 0, "skin": 0 },
    ]));
    tiny.json["skins"] = json!([{ "joints": [0, 1] }]);
    let positions = tiny.floats("VEC3", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let normals = tiny.floats("VEC3", &[0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    let tangents = tiny.floats("VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, -1.0]);
    let joints = bytes(&mut tiny, &[0, 1, 0, 0, 1, 0, 0, 0], json!({ "componentType": 5121 }));
    let weights = json!({ "componentType": 5121, "normalized": true });
    let weights = bytes(&mut tiny, &[51, 204, 0, 0, 255, 0, 0, 0], weights);
    tiny.json["meshes"] = json!([{ "name": "coat", "primitives": [{ "attributes": {
        "POSITION": positions, "NORMAL": normals, "TANGENT": tangents, "JOINTS_0": joints, "WEIGHTS_0": weights
    } }] }]);
    tiny
}

/// An accessor of the four numbers of two vertices.
fn bytes(tiny: &mut Tiny, bytes: &[u8], mut accessor: Value) -> usize {
    (accessor["bufferView"], accessor["type"], accessor["count"]) =
        (json!(tiny.view(bytes)), json!("VEC4"), json!(2));
    tiny.accessor(accessor)
}

fn attributes(tiny: &mut Tiny) -> &mut Value {
    &mut tiny.json["meshes"][0]["primitives"][0]["attributes"]
}

fn read(tiny: &Tiny) -> Import {
    tiny.import_with(&ImportOptions { meshes: true, ..ImportOptions::default() }).unwrap()
}

fn influence(joint: u16, weight: f32) -> Influence {
    Influence { joint, weight }
}

#[test]
fn vertices_are_read_where_they_are_asked_for() {
    let tiny = skinned();
    assert_eq!(tiny.import().meshes, []);
    let import = read(&tiny);
    assert_eq!(lines(&import), [""; 0]);
    let [part] = &import.meshes[..] else { panic!("{:?}", import.meshes) };
    assert_eq!((part.mesh, part.primitive, part.skin, &part.name[..]), (0, 0, 0, "coat"));
    let mesh = &part.vertices;
    assert_eq!(mesh.positions(), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    assert_eq!(mesh.normals().unwrap()[1], [1.0, 0.0, 0.0]);
    assert_eq!(mesh.tangents().unwrap()[1], [0.0, 0.0, 1.0, -1.0]);
    assert_eq!(mesh.influences(0), [influence(0, 0.2), influence(1, 0.8)]);
    assert_eq!(mesh.influences(1), [influence(1, 1.0)]);
    assert_eq!(mesh.joint_count(), 2);
}

#[test]
fn sets_add_up() {
    let mut tiny = skinned();
    let joints =
        bytes(&mut tiny, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], json!({ "componentType": 5123 }));
    let weights = tiny.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    attributes(&mut tiny)["JOINTS_1"] = json!(joints);
    attributes(&mut tiny)["WEIGHTS_1"] = json!(weights);
    let import = read(&tiny);
    assert_eq!(
        import.meshes[0].vertices.influences(0),
        [influence(0, 0.1), influence(1, 0.4), influence(1, 0.5)]
    );
    let place = "repair: meshes[0].primitives[0].attributes";
    let told = format!("{place}: weights of 1 of 2 vertices that sum to 1 but for up to 1.0e0; normalised");
    assert_eq!(lines(&import), [told]);
}

#[test]
fn a_part_for_each_mesh_with_each_skin() {
    let mut tiny = skinned();
    tiny.json["skins"] = json!([{ "joints": [0, 1] }, { "joints": [1, 0, 1] }]);
    let nodes = tiny.json["nodes"].as_array_mut().unwrap();
    nodes.extend([json!({ "mesh": 0, "skin": 1 }), json!({ "mesh": 0, "skin": 0 }), json!({ "mesh": 0 })]);
    let parts = read(&tiny).meshes;
    let found: Vec<_> =
        parts.iter().map(|part| (part.mesh, part.skin, part.vertices.joint_count())).collect();
    assert_eq!(found, [(0, 0, 2), (0, 1, 3)]);
}

#[test]
fn what_cannot_be_read_is_left_out_and_told_of() {
    let left_out = |change: &dyn Fn(&mut Tiny)| {
        let mut tiny = skinned();
        change(&mut tiny);
        let import = read(&tiny);
        assert_eq!(import.meshes, []);
        assert_eq!(import.skins.len(), 1);
        lines(&import).pop().unwrap_or_default()
    };
    let place = "skip: meshes[0].primitives[0]: vertices for skins[0] left out";
    assert_eq!(
        left_out(&|tiny| attributes(tiny)["POSITION"] = Value::Null),
        format!(
            "{place} (meshes[0].primitives[0].attributes.POSITION: found nothing, expected the places of vertices)"
        )
    );
    assert_eq!(
        left_out(&|tiny| attributes(tiny)["NORMAL"] = json!(2)),
        format!("{place} (accessors[2].type: found \"VEC4\", expected VEC3)")
    );
    assert_eq!(
        left_out(&|tiny| attributes(tiny)["JOINTS_0"] = json!(2)),
        format!(
            "{place} (accessors[2].componentType: found 5126, expected an unsigned type, for joints (5121, 5123))"
        )
    );
    assert_eq!(
        left_out(&|tiny| tiny.json["accessors"][1]["count"] = json!(1)),
        format!("{place} (1 normals, expected 2 for 2 vertices)")
    );
    assert_eq!(
        left_out(&|tiny| tiny.bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes())),
        format!("{place} (the position of vertex 0 has NaN, expected finite numbers)")
    );
    assert_eq!(
        left_out(&|tiny| attributes(tiny)["WEIGHTS_0"] = Value::Null),
        format!("{place} (vertex 0 has no influences, expected one or more)")
    );
    let far = |tiny: &mut Tiny| {
        let wide: Vec<u8> = [0u32, 70_000, 0, 0, 0, 0, 0, 0].iter().flat_map(|j| j.to_le_bytes()).collect();
        let joints = bytes(tiny, &wide, json!({ "componentType": 5125 }));
        attributes(tiny)["JOINTS_0"] = json!(joints);
    };
    assert_eq!(
        left_out(&far),
        format!("{place} (accessors[5]: found joint 70000, expected joints up to 65535)")
    );
}

#[test]
fn meshes_take_nothing_from_clips() {
    let mut tiny = skinned();
    let (input, output) = (tiny.floats("SCALAR", &[0.0]), tiny.floats("VEC3", &[1.0; 3]));
    tiny.channel(1, "translation", input, output);
    let options = ImportOptions { max_numbers: 14, meshes: true, ..ImportOptions::default() };
    let import = tiny.import_with(&options).unwrap();
    assert_eq!((import.clips[0].tracks().len(), import.meshes.len()), (1, 0));
    assert!(lines(&import).last().unwrap().contains("expected at most 14"), "{}", import.report);
}

#[test]
fn joints_are_used_where_a_vertex_has_a_weight_for_them() {
    let used = |change: &dyn Fn(&mut Tiny)| {
        let mut tiny = skinned();
        change(&mut tiny);
        let import = tiny.import();
        assert_eq!(import.used_joints.len(), import.skins.len());
        import.used_joints
    };
    let weights = |tiny: &mut Tiny, weights: [u8; 8]| {
        let weights = bytes(tiny, &weights, json!({ "componentType": 5121, "normalized": true }));
        attributes(tiny)["WEIGHTS_0"] = json!(weights);
    };
    assert_eq!(used(&|_| {}), [Some(vec![true, true])]);
    // Only the second joint of the first vertex and the first of the second, which are joint 1.
    let one = |tiny: &mut Tiny| weights(tiny, [0, 255, 0, 0, 255, 0, 0, 0]);
    assert_eq!(used(&one), [Some(vec![false, true])]);
    // A vertex without any weight follows its first joint.
    assert_eq!(used(&|tiny| weights(tiny, [0, 0, 0, 0, 255, 0, 0, 0])), [Some(vec![true, true])]);
    // Another mesh of the skin uses another joint; another skin has its own list, and one without meshes none.
    let two = |tiny: &mut Tiny| {
        let first = skinned().json["meshes"][0].clone();
        one(tiny);
        tiny.json["meshes"].as_array_mut().unwrap().push(first);
        let more = [json!({ "mesh": 1, "skin": 0 }), json!({ "mesh": 0, "skin": 1 })];
        tiny.json["nodes"].as_array_mut().unwrap().extend(more);
        tiny.json["skins"] = json!([{ "joints": [0, 1] }, { "joints": [1, 0] }, { "joints": [0] }]);
    };
    assert_eq!(used(&two), [Some(vec![true, true]), Some(vec![false, true]), None]);
    // What can't be read leaves everything in use.
    let without = |tiny: &mut Tiny| {
        attributes(tiny).as_object_mut().unwrap().remove("WEIGHTS_0");
    };
    assert_eq!(used(&without), [None]);
    assert_eq!(used(&|tiny| attributes(tiny)["WEIGHTS_0"] = json!(99)), [None]);
    // A joint beyond the skin is none of it.
    assert_eq!(used(&|tiny| tiny.json["skins"][0]["joints"] = json!([0])), [Some(vec![true])]);
}
