//! Differences sampled, and added to a pose.

use glam::DQuat;

use crate::interpolate::nlerp_f64;
use crate::{Clip, DTransform, Transform};

/// The difference that an additive clip shows at `t`, one transform a joint: the identity for what it does not move.
///
/// What [`Clip::sample`] shows of an additive clip, without its skeleton; a clip of poses is taken for one of differences.
///
/// # Panics
/// If the clip moves a joint that `delta` has no place for.
pub fn sample_additive(additive: &Clip, t: f32, delta: &mut [Transform]) {
    let mut exact = vec![DTransform::IDENTITY; delta.len()];
    additive.sample_moved(t, &mut exact);
    for (delta, exact) in delta.iter_mut().zip(&exact) {
        *delta = exact.as_transform();
    }
}

/// Adds a difference to a pose, joint by joint, on the local side:
///
/// `rotation * nlerp(identity, difference, weight)`, `translation + weight * difference`,
/// `scale * lerp(1, difference, weight)`.
///
/// Weights may be negative or above 1. At weight 0 the pose stays as it is; a weight that is not finite counts as 0.
///
/// # Panics
/// If the two have not the same number of joints.
pub fn apply_additive(pose: &mut [Transform], delta: &[Transform], weight: f32) {
    assert_eq!(pose.len(), delta.len(), "a difference has one transform a joint");
    let weight = if weight.is_finite() { f64::from(weight) } else { 0.0 };
    for (joint, delta) in pose.iter_mut().zip(delta) {
        *joint = weighted(joint, &delta.as_dtransform(), weight).as_transform();
    }
}

/// The whole difference added to a joint.
pub(crate) fn added_to(base: &Transform, delta: &DTransform) -> DTransform {
    weighted(base, delta, 1.0)
}

fn weighted(base: &Transform, delta: &DTransform, weight: f64) -> DTransform {
    let base = base.as_dtransform();
    let turn = nlerp_f64(DQuat::IDENTITY, delta.rotation, weight);
    DTransform {
        translation: base.translation + delta.translation * weight,
        rotation: base.rotation * turn,
        scale: base.scale * (1.0 + (delta.scale - 1.0) * weight),
    }
}
