//! Differences sampled, and added to a pose.

use glam::DQuat;

use crate::interpolate::nlerp_f64;
use crate::time::locate;
use crate::track::Place;
use crate::{Channel, Clip, DTransform, Transform};

/// The difference that an additive clip shows at `t`, one transform a joint: the identity for what it does not move.
///
/// Times are as for [`Clip::sample`]. Fixed joints have the identity.
///
/// # Panics
/// If the clip moves a joint that `delta` has no place for.
pub fn sample_additive(additive: &Clip, t: f32, delta: &mut [Transform]) {
    let mut exact = vec![DTransform::IDENTITY; delta.len()];
    let t = if t.is_nan() { 0.0 } else { t };
    for bound in additive.tracks() {
        let (joint, track) = (&mut exact[bound.joint().get()], bound.track());
        let at = if track.extrapolates(t) {
            track.place(t)
        } else {
            Place::Between(locate(track.times(), t.max(0.0)))
        };
        match track.channel() {
            Channel::Translation => joint.translation = track.vector_at(at),
            Channel::Rotation => joint.rotation = track.rotation_at(at),
            Channel::Scale => joint.scale = track.vector_at(at),
            // Not part of a pose.
            _ => {}
        }
    }
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
        let (base, delta) = (joint.as_dtransform(), delta.as_dtransform());
        let turn = nlerp_f64(DQuat::IDENTITY, delta.rotation, weight);
        *joint = DTransform {
            translation: base.translation + delta.translation * weight,
            rotation: base.rotation * turn,
            scale: base.scale * (1.0 + (delta.scale - 1.0) * weight),
        }
        .as_transform();
    }
}
