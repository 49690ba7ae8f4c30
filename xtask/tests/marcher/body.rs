//! Skeleton, skin and mesh.

use std::collections::HashSet;

use glam::{DMat4, DVec3};
use gltf_json::accessor::Accessor;
use gltf_json::mesh::Semantic;
use gltf_json::validation::Checked::Valid;
use gltf_json::{Index, buffer::Target};

use crate::file::File;
use crate::pose::{self, Vertex};

fn attribute(file: &File, semantic: Semantic) -> Index<Accessor> {
    file.root.meshes[0].primitives[0].attributes[&Valid(semantic)]
}

pub(crate) fn vertices(file: &File) -> Vec<Vertex> {
    let positions = file.elements(attribute(file, Semantic::Positions));
    let joints = file.elements(attribute(file, Semantic::Joints(0)));
    let weights = file.elements(attribute(file, Semantic::Weights(0)));
    let vertex = |((position, joints), weights): ((Vec<f64>, Vec<f64>), Vec<f64>)| Vertex {
        position: DVec3::from_slice(&position),
        influences: joints.iter().map(|&j| j as usize).zip(weights).filter(|&(_, w)| w > 0.0).collect(),
    };
    positions.into_iter().zip(joints).zip(weights).map(vertex).collect()
}

#[test]
fn armature_holds_the_joints_and_the_body_lies_beside_it() {
    let file = File::open();
    let skin = &file.root.skins[0];
    assert!((55..=65).contains(&skin.joints.len()), "{} joints", skin.joints.len());
    let parents = file.parents();
    let armature = file.node("armature");
    let mut seen = HashSet::from([armature]);
    for joint in &skin.joints {
        assert!(seen.contains(&parents[joint.value()].unwrap()), "a joint before its parent");
        seen.insert(joint.value());
    }
    let body = file.node("body");
    assert!(file.root.nodes[body].mesh.is_some() && file.root.nodes[body].skin.is_some());
    let roots: Vec<usize> = file.root.scenes[0].nodes.iter().map(Index::value).collect();
    assert_eq!(roots, [armature, body]);
    let names: HashSet<_> = file.root.nodes.iter().map(|node| node.name.clone().unwrap()).collect();
    assert_eq!(names.len(), file.root.nodes.len(), "names repeat");
}

#[test]
fn inverse_bind_matrices_invert_the_bind_pose() {
    let file = File::open();
    let model = pose::model(&file, None, 0.0);
    for (joint, inverse) in file.root.skins[0].joints.iter().zip(pose::inverse_bind(&file)) {
        let product = model[joint.value()] * inverse;
        assert!(
            product.abs_diff_eq(DMat4::IDENTITY, 1e-5),
            "{:?}: {product}",
            file.root.nodes[joint.value()].name
        );
    }
}

/// Mirroring a matrix in the plane x = 0 on both sides gives the matrix of the other side.
#[test]
fn bind_pose_is_symmetric() {
    let file = File::open();
    let model = pose::model(&file, None, 0.0);
    let mirror = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    let mut pairs = 0;
    for (node, matrix) in file.root.nodes.iter().zip(&model) {
        let name = node.name.as_deref().unwrap();
        let other = match name.strip_suffix("_l") {
            Some(stem) => file.node(&format!("{stem}_r")),
            None if name.ends_with("_r") => continue,
            None => file.node(name),
        };
        pairs += usize::from(name.ends_with("_l"));
        assert!((mirror * *matrix * mirror).abs_diff_eq(model[other], 1e-6), "{name}");
    }
    assert_eq!(pairs, 26);
}

#[test]
fn mesh_is_well_formed() {
    let file = File::open();
    let mesh = &file.root.meshes[0].primitives[0];
    let vertices = vertices(&file);
    for &accessor in mesh.attributes.values() {
        assert_eq!(file.accessor(accessor).count.0 as usize, vertices.len());
        let view = file.accessor(accessor).buffer_view.unwrap().value();
        assert_eq!(file.root.buffer_views[view].target, Some(Valid(Target::ArrayBuffer)));
    }
    let indices = file.elements(mesh.indices.unwrap()).concat();
    let view = file.accessor(mesh.indices.unwrap()).buffer_view.unwrap().value();
    assert_eq!(file.root.buffer_views[view].target, Some(Valid(Target::ElementArrayBuffer)));
    assert_eq!(indices.len() % 3, 0);
    let used: HashSet<usize> = indices.iter().map(|&index| index as usize).collect();
    assert_eq!(used, (0..vertices.len()).collect());
    for normal in file.elements(attribute(&file, Semantic::Normals)) {
        assert!((DVec3::from_slice(&normal).length() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn weights_sum_to_one_and_reach_nearly_every_joint() {
    let file = File::open();
    let joints = file.root.skins[0].joints.len();
    let mut moved = HashSet::new();
    let mut shared = 0;
    let vertices = vertices(&file);
    for vertex in &vertices {
        assert_eq!(vertex.influences.iter().map(|(_, weight)| weight).sum::<f64>(), 1.0);
        let own: HashSet<usize> = vertex.influences.iter().map(|&(joint, _)| joint).collect();
        assert_eq!(own.len(), vertex.influences.len(), "a joint twice on one vertex");
        assert!(own.iter().all(|&joint| joint < joints));
        shared += usize::from(own.len() > 1);
        moved.extend(own);
    }
    assert!(shared * 3 > vertices.len(), "{shared} of {} vertices follow two joints", vertices.len());
    // All but the root and the two sockets.
    assert_eq!(moved.len(), joints - 3);
}

#[test]
fn figure_stands_on_the_ground_and_is_of_human_height() {
    let file = File::open();
    let heights = || vertices(&file).into_iter().map(|vertex| vertex.position.y);
    let (low, high) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
    assert!((-0.001..0.005).contains(&low), "{low}");
    assert!((1.75..1.87).contains(&high), "{high}");
}
