//! The plane that motion is reflected in, where the caller names none.

use glam::{DAffine3, DVec3};

use super::plane::Plane;
use super::sides::Sides;
use super::tracks::leaves_rest;
use super::{MirrorAxis, MirrorPlane};
use crate::{BoundTrack, Channel, Clip, DTransform, JointIndex, Skeleton, model_matrices_f64};

/// A plane this near to the origin, as a fraction of the size, goes through it.
const AT_ORIGIN: f64 = 0.01;
/// At how many times of a clip it is looked at.
const LOOKS: u16 = 32;

/// The plane across an axis that is nearest to `body`, about which the reference pose is symmetric.
///
/// glTF and BVH have y up. Where pairs lie apart along y in the reference pose, but not in the clip, as in motion capture
/// whose rest pose stands nowhere, a reflection in y = 0 would turn the character upside down: the plane is then across
/// the axis along which pairs lie apart in the clip.
///
/// It goes through the body, or through the origin if the clip says where the skeleton's root is.
pub(super) fn plane(
    clip: &Clip,
    skeleton: &Skeleton,
    sides: &Sides,
    body: &Plane,
    at: DVec3,
    size: f64,
) -> MirrorPlane {
    let across = MirrorAxis::ALL[body.normal.abs().max_position()];
    let axis = if across == MirrorAxis::Y { of_motion(clip, skeleton, sides) } else { across };
    let offset = match () {
        () if axis != across || root_travels(clip, skeleton, sides) => 0.0,
        () if body.normal[axis as usize].abs() > 1.0 - 1e-9 => body.offset * body.normal[axis as usize],
        () => at[axis as usize],
    };
    MirrorPlane { axis, offset: if offset.abs() <= AT_ORIGIN * size { 0.0 } else { offset } }
}

/// The axis along which pairs lie apart the most in the clip; y without pairs.
fn of_motion(clip: &Clip, skeleton: &Skeleton, sides: &Sides) -> MirrorAxis {
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    let mut model = vec![DAffine3::IDENTITY; pose.len()];
    let mut apart = DVec3::ZERO;
    for look in 0..LOOKS {
        let t = clip.duration_s() * f32::from(look) / f32::from(LOOKS - 1);
        clip.sample_on_rest(skeleton, t, &mut pose);
        model_matrices_f64(skeleton, &pose, &mut model);
        for (a, b) in &sides.pairs {
            let between = model[a.get()].translation - model[b.get()].translation;
            apart += between * between;
        }
    }
    if apart.y >= apart.max_element() { MirrorAxis::Y } else { MirrorAxis::ALL[apart.max_position()] }
}

/// Whether the clip moves the root above all pairs.
fn root_travels(clip: &Clip, skeleton: &Skeleton, sides: &Sides) -> bool {
    let mut root = sides.body;
    while let Some(parent) = root.and_then(|joint| skeleton.parents()[joint.get()]) {
        root = Some(parent);
    }
    let moves = |bound: &BoundTrack| {
        let (joint, track) = (bound.joint(), bound.track());
        track.channel() == Channel::Translation && leaves_rest(track, &skeleton.rest()[joint.get()])
    };
    let is_root = |joint: JointIndex| match root {
        Some(root) => root == joint,
        None => skeleton.parents()[joint.get()].is_none(),
    };
    clip.tracks().iter().any(|bound| is_root(bound.joint()) && moves(bound))
}
