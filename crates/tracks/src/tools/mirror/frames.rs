//! How the axes of a joint, seen in the mirror, stand to those of the joint that shows them.

use glam::{DMat3, DQuat, DVec3};

use super::MirrorPlane;
use crate::{JointIndex, Skeleton};

/// Axes that are this near to each other are the same.
const SAME_AXIS: f64 = 1e-4;

/// What a joint's tracks go through to become those of its other.
///
/// Let `Q` be a joint's rotation at rest in model space, `Q'` that of its other, `M` the mirror. The image of a model space
/// rotation `R` is `M R M`. The other shall have it up to a constant turn of its axes, so that rest becomes rest:
/// `R' = M R K` with `K = inverse(Q) M Q'`. With the same for the parents, the local rotation `q = inverse(P) R` becomes
/// `q' = inverse(P') R' = inverse(KP) q K`. A mirror is a half turn about its axis, negated: with `n` that half turn,
/// `k = conj(Q) n Q'` is a plain quaternion, the two signs cancel, and `q' = conj(kp) q k`. Offsets in the parent's space
/// become `-(conj(kp) v kp)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// `k`.
    own: DQuat,
    /// `kp`.
    parent: DQuat,
    /// Whose conjugate stands ahead of rotations: `kp`, or for differences `k`.
    ahead: DQuat,
    rest: DVec3,
    other_rest: DVec3,
}

pub(super) fn frames(skeleton: &Skeleton, plane: MirrorPlane, others: &[JointIndex]) -> Vec<Frame> {
    let half_turn = match plane {
        MirrorPlane::X => DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        MirrorPlane::Y => DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        MirrorPlane::Z => DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
    };
    let mut rests: Vec<DQuat> = Vec::with_capacity(skeleton.joint_count());
    for joint in skeleton.joints() {
        let local = local_rotation(skeleton, joint);
        let parent = skeleton.parents()[joint.get()].map_or(DQuat::IDENTITY, |parent| rests[parent.get()]);
        rests.push((parent * local).normalize());
    }
    let turn = |joint: JointIndex| {
        let other = others[joint.get()];
        rests[joint.get()].conjugate() * half_turn * rests[other.get()]
    };
    let at = |joint: JointIndex| skeleton.rest()[joint.get()].translation.as_dvec3();
    skeleton
        .joints()
        .map(|joint| {
            let parent = skeleton.parents()[joint.get()].map_or(half_turn, turn);
            let (rest, other_rest) = (at(joint), at(others[joint.get()]));
            Frame { own: turn(joint), parent, ahead: parent, rest, other_rest }
        })
        .collect()
}

/// A joint's rotation at rest. A fixed matrix may be no rotation; the nearest to its first two axes will do, since nothing
/// turns that joint.
fn local_rotation(skeleton: &Skeleton, joint: JointIndex) -> DQuat {
    let Some(matrix) = skeleton.fixed_matrix(joint) else {
        return skeleton.rest()[joint.get()].rotation.as_dquat();
    };
    let axes = matrix.as_daffine3().matrix3;
    let x = axes.x_axis.normalize_or(DVec3::X);
    let y = axes.y_axis.reject_from(x).normalize_or(x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}

impl Frame {
    /// The same for the tracks of an additive clip: `conj(r) q` becomes `conj(r') q' = conj(k) conj(r) q k`, and a
    /// difference of translations knows no rest.
    pub(super) fn of_differences(&self) -> Self {
        Self { ahead: self.own, rest: DVec3::ZERO, other_rest: DVec3::ZERO, ..*self }
    }

    pub(super) fn rotate(&self, q: &mut [f64]) {
        let seen = self.ahead.conjugate() * DQuat::from_array([q[0], q[1], q[2], q[3]]) * self.own;
        q.copy_from_slice(&seen.to_array());
    }

    /// The linear part of what becomes of a translation.
    pub(super) fn translate(&self, v: &mut [f64]) {
        let seen = self.vector(DVec3::new(v[0], v[1], v[2]));
        v.copy_from_slice(&seen.to_array());
    }

    /// What is added to it, so that rest becomes rest.
    pub(super) fn translation_offset(&self) -> DVec3 {
        self.other_rest - self.vector(self.rest)
    }

    fn vector(&self, v: DVec3) -> DVec3 {
        -(self.parent.conjugate() * v)
    }

    /// For each axis of the other, the axis of the joint that the mirror shows along it; none if one lies between axes.
    pub(super) fn axes(&self) -> Option<[usize; 3]> {
        let along = DVec3::AXES.map(|axis| (self.own * axis).abs());
        let axes = along.map(|along| (0..3).find(|&axis| along[axis] > 1.0 - SAME_AXIS));
        let [Some(x), Some(y), Some(z)] = axes else { return None };
        Some([x, y, z])
    }
}
