//! The JSON: nodes, skins and animations.

use serde_json::{Map, Value, json};
use throng_tracks::{Channel, Clip, Interpolation, Rest, Skeleton, Skin, Track, Transform};

use super::binary::Pool;
use super::{Export, ExportError};
use crate::Report;

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
    let mut animations = Vec::new();
    for (index, clip) in export.clips.iter().enumerate() {
        let place = format!("animations[{index}]");
        known(&place, clip.tracks().iter().map(|b| b.joint().get()), count)?;
        match animation_json(&place, clip, &mut pool, &mut report) {
            Some(animation) => animations.push(animation),
            None => report.skip(place, format!("clip {:?} has no track that glTF can hold", clip.name())),
        }
    }

    let generator = concat!("throng ", env!("CARGO_PKG_VERSION"));
    let mut root = json!({ "asset": { "version": "2.0", "generator": generator } });
    let roots: Vec<usize> = (0..count).filter(|&j| export.skeleton.parents()[j].is_none()).collect();
    if !roots.is_empty() {
        root["scene"] = json!(0);
        root["scenes"] = json!([{ "nodes": roots }]);
        root["nodes"] = json!(nodes(export.skeleton));
    }
    for (name, items) in [
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
fn named(name: &str) -> Map<String, Value> {
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

/// One channel and one sampler a track; tracks of one timeline share its times. None if no track can be written.
fn animation_json(place: &str, clip: &Clip, pool: &mut Pool, report: &mut Report) -> Option<Value> {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    let mut inputs = vec![None; clip.timelines().len()];
    for (index, bound) in clip.tracks().iter().enumerate() {
        let (track, place) = (bound.track(), format!("{place}.tracks[{index}]"));
        let kind = match track.channel() {
            Channel::Translation | Channel::Scale => "VEC3",
            Channel::Rotation => "VEC4",
            other => {
                report.skip(
                    place,
                    format!("a {} track needs a mesh or a name that the file has not", other.name()),
                );
                continue;
            }
        };
        let Some((interpolation, values)) = keys(&place, track, report) else { continue };
        let input =
            *inputs[bound.timeline()].get_or_insert_with(|| pool.push("SCALAR", 1, track.times(), true));
        let output = pool.push(kind, track.channel().components(), &values, false);
        let target = json!({ "node": bound.joint().get(), "path": track.channel().name() });
        channels.push(json!({ "sampler": samplers.len(), "target": target }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation.name() }));
    }
    if channels.is_empty() {
        return None;
    }
    let mut object = named(clip.name());
    object.insert("channels".into(), Value::Array(channels));
    object.insert("samplers".into(), Value::Array(samplers));
    Some(Value::Object(object))
}

/// The keys as glTF has them.
fn keys(place: &str, track: &Track, report: &mut Report) -> Option<(Interpolation, Vec<f32>)> {
    let as_they_are = track.values().to_vec();
    match track.interpolation() {
        kept @ (Interpolation::Step | Interpolation::Linear | Interpolation::CubicSpline) => {
            Some((kept, as_they_are))
        }
        Interpolation::CatmullRom => match track.to_cubic_spline(place) {
            Ok(spline) => spline.map(|spline| (Interpolation::CubicSpline, spline.values().to_vec())),
            Err(error) => {
                report.skip(place, error.to_string());
                None
            }
        },
        near @ (Interpolation::Nlerp | Interpolation::QuasiSpherical) => {
            report.remark(place, format!("{} is written as LINEAR, which plays as slerp", near.name()));
            Some((Interpolation::Linear, as_they_are))
        }
        Interpolation::Custom => {
            report.skip(place, "glTF has no custom interpolation; resample the clip first");
            None
        }
    }
}
