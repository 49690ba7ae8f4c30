//! Layers, blended one joint at a time.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use throng_tracks::{Bank, RowPair, ScaleColumns};

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

/// The model matrix of every joint under several layers: averages first, then differences.
///
/// # Panics
/// If the bank has no such rows, or a mask is too short.
#[must_use]
pub fn blended_model_matrices(bank: &Bank, layers: &[BlendLayer<'_>]) -> Vec<DAffine3> {
    chain(bank, |joint| {
        let all = layers.iter().map(|layer| {
            let weight = f64::from(layer.weight) * layer.mask.map_or(1.0, |mask| f64::from(mask[joint]));
            (layer.additive, weight, local(bank, layer.pair, joint))
        });
        let averages: Vec<(f64, Local)> = all.clone().filter(|l| !l.0).map(|(_, w, l)| (w, l)).collect();
        let mut pose = average(bank, joint, &averages);
        for (_, weight, d) in all.filter(|l| l.0) {
            pose = add(bank, joint, pose, weight, &d);
        }
        pose
    })
}

/// The weighted average, with the rest in the place of what is missing from 1.
fn average(bank: &Bank, joint: usize, layers: &[(f64, Local)]) -> Local {
    let columns = &bank.columns()[joint];
    let total: f64 = layers.iter().map(|(w, _)| w).sum();
    let mut parts = layers.to_vec();
    if total < 1.0 {
        parts.push((1.0 - total, at_rest(bank, joint)));
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
    let constant = &bank.constants()[joint];
    pose.rotation = DQuat::from_vec4(sum).normalize();
    if columns.rotation.is_none() {
        pose.rotation = constant.rotation.as_dquat();
    }
    if columns.translation.is_none() {
        pose.translation = constant.translation.as_dvec3();
    }
    if columns.scale == ScaleColumns::Constant {
        pose.scale = constant.scale.as_dvec3();
    }
    pose
}

fn at_rest(bank: &Bank, joint: usize) -> Local {
    let rest = &bank.skeleton().rest()[joint];
    Local {
        rotation: rest.rotation.as_dquat(),
        translation: rest.translation.as_dvec3(),
        scale: rest.scale.as_dvec3(),
    }
}

/// A difference on top. A channel without columns has none.
fn add(bank: &Bank, joint: usize, base: Local, weight: f64, d: &Local) -> Local {
    let columns = &bank.columns()[joint];
    let mut out = base;
    if columns.rotation.is_some() {
        let q = DVec4::from(d.rotation);
        let q = if q.w < 0.0 { -q } else { q };
        let part = DQuat::from_vec4(DVec4::W.lerp(q, weight)).normalize();
        out.rotation = base.rotation * part;
    }
    if columns.translation.is_some() {
        out.translation = base.translation + d.translation * weight;
    }
    if columns.scale != ScaleColumns::Constant {
        out.scale = base.scale * DVec3::ONE.lerp(d.scale, weight);
    }
    out
}
