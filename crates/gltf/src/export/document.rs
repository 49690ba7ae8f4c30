//! The JSON: nodes, skins and animations, and what these hang on.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use throng_tracks::{Rest, Skeleton, Skin, Transform};

use super::animation::Animations;
use super::binary::Pool;
use super::{Export, ExportError};
use crate::{Morph, Report, pointer};

pub(super) fn write(export: &Export<'_>) -> Result<(Value, Vec<u8>, Report), ExportError> {
    let (mut pool, mut report) = (Pool::default(), Report::default());
    let count = export.skeleton.joint_count();
    let mut skins = Vec::new();
    for (index, skin) in export.skins.iter().enumerate() {
        let place = format!("skins[{index}]");
        known(&place, skin.joints().iter().map(|j| j.get()), count)?;
        match skin.joints().is_empty() {
            true => report.skip(place, "it has no joints"),
            false => skins.push(skin_json(skin, &mut pool)),
        }
    }
    let mut animations = Animations::new(&mut pool, &mut report);
    for (index, clip) in export.clips.iter().enumerate() {
        let place = format!("animations[{index}]");
        let properties = clip.properties().iter().filter_map(|p| p.property().joint);
        let joints = clip.tracks().iter().map(|b| b.joint()).chain(properties);
        known(&place, joints.map(|joint| joint.get()), count)?;
        animations.push(&place, clip, export.skeleton);
    }
    known("a morph", export.morphs.iter().map(|morph| morph.node), count)?;
    let Animations { written: animations, weights, extras, .. } = animations;

    let generator = concat!("throng ", env!("CARGO_PKG_VERSION"));
    let mut root = json!({ "asset": { "version": "2.0", "generator": generator } });
    let roots: Vec<usize> = (0..count).filter(|&j| export.skeleton.parents()[j].is_none()).collect();
    if !roots.is_empty() {
        root["scene"] = json!(0);
        root["scenes"] = json!([{ "nodes": roots }]);
    }
    let mut nodes = nodes(export.skeleton);
    let mut meshes = Vec::new();
    for morph in morphs(export.morphs, &weights) {
        nodes[morph.node]["mesh"] = json!(meshes.len());
        nodes[morph.node]["weights"] = json!(morph.weights[..]);
        meshes.push(mesh_json(&morph, &mut pool));
    }
    if !extras.is_empty() {
        root["extensionsUsed"] = json!([pointer::EXTENSION]);
    }
    for (node, name, value) in extras {
        let of = node.map_or(&mut root, |node| &mut nodes[node]);
        of["extras"][name] = value;
    }
    for (name, items) in [
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("accessors", pool.accessors),
        ("bufferViews", pool.views),
    ] {
        if !items.is_empty() {
            root[name] = Value::Array(items);
        }
    }
    if !pool.bytes.is_empty() {
        root["buffers"] = json!([{ "byteLength": pool.bytes.len() }]);
    }
    Ok((root, pool.bytes, report))
}

fn known(place: &str, mut joints: impl Iterator<Item = usize>, count: usize) -> Result<(), ExportError> {
    match joints.find(|&joint| joint >= count) {
        Some(joint) => Err(ExportError::NoSuchJoint { place: place.to_owned(), joint, count }),
        None => Ok(()),
    }
}

/// One node a joint.
fn nodes(skeleton: &Skeleton) -> Vec<Value> {
    let mut children = vec![Vec::new(); skeleton.joint_count()];
    for joint in skeleton.joints() {
        if let Some(parent) = skeleton.parents()[joint.get()] {
            children[parent.get()].push(joint.get());
        }
    }
    let node = |(joint, children): (throng_tracks::JointIndex, Vec<usize>)| {
        let rest = match skeleton.fixed_matrix(joint) {
            Some(matrix) => Rest::Matrix(matrix),
            None => Rest::Trs(skeleton.rest()[joint.get()]),
        };
        node_json(skeleton.name(joint), children, &rest)
    };
    skeleton.joints().zip(children).map(node).collect()
}

fn node_json(name: &str, children: Vec<usize>, rest: &Rest) -> Value {
    let mut node = named(name);
    if !children.is_empty() {
        node.insert("children".into(), json!(children));
    }
    match rest {
        Rest::Matrix(matrix) => {
            node.insert("matrix".into(), json!(glam::Mat4::from(*matrix).to_cols_array()));
        }
        Rest::Trs(Transform { translation, rotation, scale }) => {
            node.insert("translation".into(), json!(translation.to_array()));
            node.insert("rotation".into(), json!(rotation.to_array()));
            node.insert("scale".into(), json!(scale.to_array()));
        }
    }
    Value::Object(node)
}

/// An object with a name, if there is one.
pub(super) fn named(name: &str) -> Map<String, Value> {
    let mut object = Map::new();
    if !name.is_empty() {
        object.insert("name".into(), json!(name));
    }
    object
}

fn skin_json(skin: &Skin, pool: &mut Pool) -> Value {
    let matrices = skin.inverse_bind().iter().flat_map(|m| glam::Mat4::from(*m).to_cols_array());
    let matrices = pool.push("MAT4", 16, &matrices.collect::<Vec<f32>>(), false);
    let mut object = named(skin.name());
    object.insert("joints".into(), json!(skin.joints().iter().map(|j| j.get()).collect::<Vec<_>>()));
    object.insert("inverseBindMatrices".into(), json!(matrices));
    Value::Object(object)
}

/// The morph targets that nodes need: those given, and without names or a weight at rest those that only clips speak of.
fn morphs(given: &[Morph], moved: &BTreeMap<usize, u32>) -> Vec<Morph> {
    let others = moved.iter().filter(|(node, _)| given.iter().all(|morph| morph.node != **node));
    let bare = |(&node, &count): (&usize, &u32)| Morph {
        node,
        weights: vec![0.0; count as usize].into(),
        names: [].into(),
    };
    given.iter().cloned().chain(others.map(bare)).collect()
}

/// A mesh of one point that no target moves: weights need something to hang on, and the mesh they were of is not known here.
fn mesh_json(morph: &Morph, pool: &mut Pool) -> Value {
    let point = pool.push("VEC3", 3, &[0.0; 3], true);
    let targets = vec![json!({ "POSITION": point }); morph.weights.len()];
    const POINTS: u32 = 0;
    let mut mesh = json!({
        "primitives": [{ "attributes": { "POSITION": point }, "targets": targets, "mode": POINTS }],
    });
    if !morph.names.is_empty() {
        mesh["extras"] = json!({ "targetNames": morph.names[..] });
    }
    mesh
}
