//! Poses the character at a time: sampling, forward kinematics and skinning in double precision.

use glam::{DMat4, DQuat, DVec3};
use gltf_json::animation::{Interpolation, Property, Sampler};

use crate::file::File;

/// The model matrix of every node; `clip` is an animation's index, none for the bind pose.
pub(crate) fn model(file: &File, clip: Option<usize>, time: f64) -> Vec<DMat4> {
    let wide = |three: [f32; 3]| DVec3::from_array(three.map(f64::from));
    let mut local: Vec<(DVec3, DQuat, DVec3)> = file
        .root
        .nodes
        .iter()
        .map(|node| {
            let rotation = node.rotation.unwrap_or_default().0.map(f64::from);
            (
                wide(node.translation.unwrap_or_default()),
                DQuat::from_array(rotation).normalize(),
                wide(node.scale.unwrap_or([1.0; 3])),
            )
        })
        .collect();
    if let Some(clip) = clip {
        let animation = &file.root.animations[clip];
        for channel in &animation.channels {
            let value = sample(file, &animation.samplers[channel.sampler.value()], time);
            let joint = &mut local[channel.target.node.value()];
            match channel.target.path.unwrap() {
                Property::Translation => joint.0 = DVec3::from_slice(&value),
                Property::Rotation => joint.1 = DQuat::from_slice(&value).normalize(),
                Property::Scale => joint.2 = DVec3::from_slice(&value),
                Property::MorphTargetWeights => panic!("the character has no morph targets"),
            }
        }
    }
    let parents = file.parents();
    (0..local.len())
        .map(|node| {
            let mut matrix = DMat4::IDENTITY;
            let mut at = Some(node);
            while let Some(node) = at {
                let (translation, rotation, scale) = local[node];
                matrix = DMat4::from_scale_rotation_translation(scale, rotation, translation) * matrix;
                at = parents[node];
            }
            matrix
        })
        .collect()
}

/// A track's value. Rotations between linear keys are mixed straight: the keys are close enough for a test.
fn sample(file: &File, sampler: &Sampler, time: f64) -> Vec<f64> {
    let times = file.elements(sampler.input).concat();
    let values = file.elements(sampler.output);
    let left = times.iter().rposition(|&key| key <= time).unwrap_or(0);
    let right = (left + 1).min(times.len() - 1);
    let span = times[right] - times[left];
    let u = if span > 0.0 { ((time - times[left]) / span).clamp(0.0, 1.0) } else { 0.0 };
    let mix = |parts: &[(&[f64], f64)]| -> Vec<f64> {
        (0..parts[0].0.len()).map(|i| parts.iter().map(|(value, weight)| value[i] * weight).sum()).collect()
    };
    match sampler.interpolation.unwrap() {
        Interpolation::Step => values[left].clone(),
        Interpolation::Linear => mix(&[(&values[left], 1.0 - u), (&values[right], u)]),
        Interpolation::CubicSpline => {
            let (u2, u3) = (u * u, u * u * u);
            mix(&[
                (&values[3 * left + 1], 2.0 * u3 - 3.0 * u2 + 1.0),
                (&values[3 * left + 2], span * (u3 - 2.0 * u2 + u)),
                (&values[3 * right + 1], 3.0 * u2 - 2.0 * u3),
                (&values[3 * right], span * (u3 - u2)),
            ])
        }
    }
}

/// The inverse bind matrices, by joint.
pub(crate) fn inverse_bind(file: &File) -> Vec<DMat4> {
    let matrices = file.elements(file.root.skins[0].inverse_bind_matrices.unwrap());
    matrices.iter().map(|matrix| DMat4::from_cols_slice(matrix)).collect()
}

/// A vertex that follows several joints: its place in the bind pose, and (joint, weight) pairs.
pub(crate) struct Vertex {
    pub(crate) position: DVec3,
    pub(crate) influences: Vec<(usize, f64)>,
}

/// The height of the lowest vertex in a pose.
pub(crate) fn lowest(file: &File, vertices: &[Vertex], model: &[DMat4]) -> f64 {
    let joints = &file.root.skins[0].joints;
    let palette: Vec<DMat4> =
        joints.iter().zip(inverse_bind(file)).map(|(joint, bind)| model[joint.value()] * bind).collect();
    let height = |vertex: &Vertex| -> f64 {
        vertex
            .influences
            .iter()
            .map(|&(joint, w)| palette[joint].transform_point3(vertex.position).y * w)
            .sum()
    };
    vertices.iter().map(height).fold(f64::INFINITY, f64::min)
}
