//! Layers, blended one joint at a time: rows of a bank, or clips as they were authored.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use throng_tracks::{Bank, Clip, DTransform, RowPair, Skeleton};

use super::{Local, chain, local};

/// One layer of one instance.
#[derive(Clone, Copy, Debug)]
pub struct BlendLayer<'a> {
    /// What it shows.
    pub pair: RowPair,
    /// How much of it.
    pub weight: f32,
    /// Whether it is a difference.
    pub additive: bool,
    /// By joint; none: 1 for all.
    pub mask: Option<&'a [f32]>,
}

/// One layer of one instance, of a clip that no bank was made of.
#[derive(Clone, Copy, Debug)]
pub struct ClipLayer<'a> {
    /// The clip; a difference if it [is one](Clip::is_additive).
    pub clip: &'a Clip,
    /// When in the clip, in seconds.
    pub time_s: f32,
    /// How much of it.
    pub weight: f32,
    /// By joint; none: 1 for all.
    pub mask: Option<&'a [f32]>,
}

/// What a joint shows of a layer, whether that is a difference, and how much of it.
type Part = (bool, f64, Local);

/// The model matrix of every joint under several layers: averages first, then differences.
///
/// # Panics
/// If the bank has no such rows, or a mask is too short.
#[must_use]
pub fn blended_model_matrices(bank: &Bank, layers: &[BlendLayer<'_>]) -> Vec<DAffine3> {
    let skeleton = bank.skeleton();
    chain(skeleton, |joint| {
        let part = |layer: &BlendLayer<'_>| {
            (layer.additive, weight(layer.weight, layer.mask, joint), local(bank, layer.pair, joint))
        };
        blended(skeleton, joint, layers.iter().map(part))
    })
}

/// [`blended_model_matrices`] of the clips themselves: no row, no column and no constant has a part in it.
///
/// # Panics
/// If a clip moves a joint that the skeleton has not, or a mask is too short.
#[must_use]
pub fn clip_model_matrices(skeleton: &Skeleton, layers: &[ClipLayer<'_>]) -> Vec<DAffine3> {
    let poses: Vec<Vec<DTransform>> = layers
        .iter()
        .map(|layer| {
            let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
            layer.clip.sample_f64(skeleton, layer.time_s, &mut pose);
            pose
        })
        .collect();
    chain(skeleton, |joint| {
        let part = |(layer, pose): (&ClipLayer<'_>, &Vec<DTransform>)| {
            let DTransform { rotation, translation, scale } = pose[joint];
            let local = Local { rotation, translation, scale };
            (layer.clip.is_additive(), weight(layer.weight, layer.mask, joint), local)
        };
        blended(skeleton, joint, layers.iter().zip(&poses).map(part))
    })
}

fn weight(weight: f32, mask: Option<&[f32]>, joint: usize) -> f64 {
    f64::from(weight) * mask.map_or(1.0, |mask| f64::from(mask[joint]))
}

fn blended(skeleton: &Skeleton, joint: usize, parts: impl Iterator<Item = Part> + Clone) -> Local {
    let averages: Vec<(f64, Local)> = parts.clone().filter(|p| !p.0).map(|(_, w, p)| (w, p)).collect();
    let pose = average(at_rest(skeleton, joint), averages);
    parts.filter(|p| p.0).fold(pose, |pose, (_, weight, d)| add(pose, weight, &d))
}

/// The weighted average, with the rest in the place of what is missing from 1.
fn average(rest: Local, mut parts: Vec<(f64, Local)>) -> Local {
    let total: f64 = parts.iter().map(|(w, _)| w).sum();
    if total < 1.0 {
        parts.push((1.0 - total, rest));
    }
    let total = total.max(1.0);
    let mut sum = DVec4::ZERO;
    let mut pose = Local { rotation: DQuat::IDENTITY, translation: DVec3::ZERO, scale: DVec3::ZERO };
    for (weight, part) in parts {
        let q = DVec4::from(part.rotation);
        sum += if sum.dot(q) < 0.0 { -q } else { q } * weight;
        pose.translation += part.translation * (weight / total);
        pose.scale += part.scale * (weight / total);
    }
    pose.rotation = DQuat::from_vec4(sum).normalize();
    pose
}

fn at_rest(skeleton: &Skeleton, joint: usize) -> Local {
    let rest = &skeleton.rest()[joint];
    Local {
        rotation: rest.rotation.as_dquat(),
        translation: rest.translation.as_dvec3(),
        scale: rest.scale.as_dvec3(),
    }
}

/// A difference on top.
fn add(base: Local, weight: f64, d: &Local) -> Local {
    let q = DVec4::from(d.rotation);
    let q = if q.w < 0.0 { -q } else { q };
    Local {
        rotation: base.rotation * DQuat::from_vec4(DVec4::W.lerp(q, weight)).normalize(),
        translation: base.translation + d.translation * weight,
        scale: base.scale * DVec3::ONE.lerp(d.scale, weight),
    }
}
