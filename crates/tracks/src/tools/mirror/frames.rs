//! The map that each joint's tracks go through to become those of its partner.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::plane::{Plane, orthogonal};
use super::reference::{Reference, local_linear};
use super::sides::Sides;
use crate::{DTransform, JointIndex, Skeleton, Transform};

/// Axes that are this near to each other are the same.
const SAME_AXIS: f64 = 1e-4;
/// A joint in the middle that is further off the plane than this, as a fraction of the size, is not on it.
pub(super) const OFF_PLANE: f64 = 5e-3;

/// How a joint's frame, reflected, stands to its partner's; see README.md beside this file.
pub(super) struct Frames {
    /// `K`, by joint.
    pub(super) turns: Vec<DMat3>,
    /// What is added to the reflected translation, by joint, in the space of the partner's parent.
    pub(super) offsets: Vec<DVec3>,
}

/// What the frames are computed from.
pub(super) struct Setting<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) sides: &'a Sides,
    /// The frames at rest.
    pub(super) rest: &'a [DAffine3],
    /// The plane that motion is reflected in.
    pub(super) plane: Plane,
    /// By joint: whether the clip rotates or scales it away from its rest.
    pub(super) turned: &'a [bool],
}

impl Frames {
    /// Through a reference pose. With `exact`, partners take each other's offsets from their parents.
    pub(super) fn of_pose(setting: &Setting<'_>, reference: &Reference, exact: bool) -> Self {
        let count = setting.rest.len();
        let mut frames = Self { turns: vec![DMat3::IDENTITY; count], offsets: vec![DVec3::ZERO; count] };
        let mut centres = vec![DVec3::ZERO; count];
        for joint in setting.skeleton.joints() {
            let at = joint.get();
            let Some(partner) = setting.sides.partner[at] else { continue };
            let outer = setting.sides.outer[at];
            let (pose, plane): (&[DAffine3], &Plane) =
                if outer { (setting.rest, &setting.plane) } else { (&reference.frames, &reference.plane) };
            let between = pose[at].inverse() * plane.reflection() * pose[partner.get()];
            if partner >= joint {
                let turn = orthogonal(between.matrix3);
                let turn = if partner == joint { (turn + turn.transpose()) * 0.5 } else { turn };
                frames.turns[at] = orthogonal(turn);
                frames.turns[partner.get()] = frames.turns[at].transpose();
            }
            let off = plane.distance(pose[at].translation).abs();
            let carries = setting.sides.carries[at];
            let built = reference.known[at] && reference.known[partner.get()];
            // A joint in the middle that turns would take a centre off the plane round with it; and where two joints are
            // in a pose that tells nothing of how they are built, nor does the distance between their images.
            let pure = if partner == joint {
                carries && setting.turned[at] && (exact || off > OFF_PLANE * reference.size)
            } else {
                exact || !built
            };
            centres[at] = if pure { DVec3::ZERO } else { between.translation };
            let parent = setting.skeleton.parents()[at];
            let at_rest =
                (carries && !setting.turned[at]) || parent.is_none_or(|p| setting.sides.outer[p.get()]);
            let local = local_linear(if at_rest { setting.rest } else { pose }, setting.skeleton, joint);
            let above = parent.map_or(DVec3::ZERO, |parent| centres[parent.get()]);
            let moved = local * centres[at] - above;
            frames.offsets[at] = frames.above(setting, joint) * moved;
        }
        frames.with_plane(setting)
    }

    /// With these turns, so that the translation at rest becomes that of the partner's.
    pub(super) fn of_offsets(setting: &Setting<'_>, turns: Vec<DMat3>) -> Self {
        let rest = setting.skeleton.rest();
        let mut frames = Self { offsets: vec![DVec3::ZERO; turns.len()], turns };
        for joint in setting.skeleton.joints() {
            let Some(partner) = setting.sides.partner[joint.get()] else { continue };
            if setting.skeleton.parents()[joint.get()].is_some() {
                let [own, other] = [joint, partner].map(|joint| rest[joint.get()].translation.as_dvec3());
                frames.offsets[joint.get()] = other - frames.above(setting, joint) * own;
            }
        }
        frames.with_plane(setting)
    }

    /// Adds what the plane's distance from the origin adds, for roots.
    fn with_plane(mut self, setting: &Setting<'_>) -> Self {
        for joint in setting.skeleton.joints() {
            if setting.skeleton.parents()[joint.get()].is_none() {
                self.offsets[joint.get()] += setting.plane.reflection().translation;
            }
        }
        self
    }

    /// `Kp⁻¹`: for roots, the reflection.
    fn above(&self, setting: &Setting<'_>, joint: JointIndex) -> DMat3 {
        let parent = setting.skeleton.parents()[joint.get()];
        parent.map_or_else(|| setting.plane.linear(), |parent| self.turns[parent.get()].transpose())
    }

    /// The map of a joint with a partner.
    pub(super) fn map(&self, setting: &Setting<'_>, joint: JointIndex, partner: JointIndex) -> Map {
        let signs = |joint: JointIndex| {
            let scale = setting.skeleton.rest()[joint.get()].scale.as_dvec3();
            DVec3::from_array(scale.to_array().map(|s| if s < 0.0 { -1.0 } else { 1.0 }))
        };
        let own = self.turns[joint.get()];
        let [from, to] = [joint, partner].map(signs);
        let vector = self.above(setting, joint);
        let right = DMat3::from_diagonal(from) * own * DMat3::from_diagonal(to);
        let sided = if vector.determinant() < 0.0 { -1.0 } else { 1.0 };
        let right = right * if right.determinant() < 0.0 { -1.0 } else { 1.0 };
        Map {
            left: DQuat::from_mat3(&(vector * sided)).normalize(),
            right: DQuat::from_mat3(&right).normalize(),
            vector,
            offset: self.offsets[joint.get()],
            axes: axes(&own),
            from,
            to,
        }
    }
}

/// For each axis of the partner, the axis of the joint that is reflected along it; none if one lies between axes.
fn axes(turn: &DMat3) -> Option<[usize; 3]> {
    let along = [turn.x_axis, turn.y_axis, turn.z_axis].map(DVec3::abs);
    let axes = along.map(|along| (0..3).find(|&axis| along[axis] > 1.0 - SAME_AXIS));
    let [Some(x), Some(y), Some(z)] = axes else { return None };
    Some([x, y, z])
}

/// What a joint's local motion becomes as its partner's: `q' = left q right`, `t' = vector t + offset`, and scales along
/// the axes that are reflected onto each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    left: DQuat,
    right: DQuat,
    vector: DMat3,
    pub(super) offset: DVec3,
    axes: Option<[usize; 3]>,
    /// The signs of the joint's scale at rest, and of its partner's.
    from: DVec3,
    to: DVec3,
}

impl Map {
    /// The same for the tracks of an additive clip: of `q' = left q right` and the same for a reference `r`,
    /// `conj(r') q' = conj(right) conj(r) q right`. A difference of translations has no offset, a ratio of scales no sign.
    pub(super) fn of_differences(&self) -> Self {
        Self { left: self.right.conjugate(), offset: DVec3::ZERO, from: DVec3::ONE, to: DVec3::ONE, ..*self }
    }

    pub(super) fn rotate(&self, q: &mut [f64]) {
        let seen = self.left * DQuat::from_array([q[0], q[1], q[2], q[3]]) * self.right;
        q.copy_from_slice(&seen.to_array());
    }

    /// The linear part of what becomes of a translation.
    pub(super) fn translate(&self, v: &mut [f64]) {
        let seen = self.vector * DVec3::new(v[0], v[1], v[2]);
        v.copy_from_slice(&seen.to_array());
    }

    /// What becomes of a scale, if it can be one along the partner's axes; `uniform` where it is the same along all axes.
    pub(super) fn scale(&self, uniform: bool) -> Option<impl Fn(&mut [f64]) + Send + Sync + 'static> {
        let axes = if uniform { Some(self.axes.unwrap_or([0, 1, 2])) } else { self.axes };
        let (from, to) = (self.from, self.to);
        let axes = axes?;
        Some(move |s: &mut [f64]| {
            let seen: [f64; 3] = std::array::from_fn(|i| to[i] * from[axes[i]] * s[axes[i]]);
            s.copy_from_slice(&seen);
        })
    }

    /// Whether a scale is the same along all axes but for the signs of the rest, and the rounding of its keys.
    pub(super) fn is_uniform(&self, scale: &[f32]) -> bool {
        const ROUNDING: f64 = 1e-5;
        let scale: [f64; 3] = std::array::from_fn(|i| f64::from(scale[i]) * self.from[i]);
        let size = scale.iter().fold(0.0f64, |size, s| size.max(s.abs()));
        scale.iter().all(|s| (s - scale[0]).abs() <= ROUNDING * size)
    }

    /// What a joint at rest becomes. A scale that can't be one along the partner's axes stays the partner's.
    pub(super) fn rest(&self, own: &Transform, partner: &Transform) -> DTransform {
        let own_scale = own.scale.to_array();
        let mut scale = own_scale.map(f64::from);
        match self.scale(self.is_uniform(&own_scale)) {
            Some(reflected) => reflected(&mut scale),
            None => scale = partner.scale.to_array().map(f64::from),
        }
        DTransform {
            translation: self.vector * own.translation.as_dvec3() + self.offset,
            rotation: self.left * own.rotation.as_dquat() * self.right,
            scale: DVec3::from_array(scale),
        }
    }
}
