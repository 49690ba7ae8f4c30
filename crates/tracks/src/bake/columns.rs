//! What moves at all, and where it stands in a row.

use glam::{Affine3A, Quat};

use crate::interpolate::align;
use crate::{Columns, Posable, ScaleColumns, Skeleton, Transform, extent, model_matrices};

/// How a joint's channels differ over all rows of all clips.
#[derive(Clone, Copy, Default)]
struct Motion {
    rotates: bool,
    moves: bool,
    scales: bool,
    /// In some row, or at rest, the axes scale differently.
    stretches: bool,
}

/// Looks at all rows of all clips for channels that leave their first value.
pub(super) struct Survey {
    /// The first pose seen; without one, the rest.
    first: Vec<Transform>,
    seen: bool,
    motions: Vec<Motion>,
    tolerance: f32,
    /// By how much a translation may differ, by joint.
    slack: Vec<f32>,
}

impl Survey {
    pub(super) fn new(skeleton: &Skeleton, tolerance: f32) -> Self {
        let mut model = vec![Affine3A::IDENTITY; skeleton.joint_count()];
        model_matrices(skeleton, skeleton.rest(), &mut model);
        let length = extent(&model);
        // A parent that enlarges makes a small translation large. One that shrinks may not always do so.
        let enlarges = |parent: usize| {
            let m = model[parent].matrix3;
            [m.x_axis, m.y_axis, m.z_axis].map(|axis| axis.length()).into_iter().fold(1.0, f32::max)
        };
        let slack =
            skeleton.parents().iter().map(|p| tolerance * length / p.map_or(1.0, |p| enlarges(p.get())));
        Self {
            first: skeleton.rest().to_vec(),
            seen: false,
            // A blend may mix the rest into any row.
            motions: skeleton
                .rest()
                .iter()
                .map(|rest| Motion { stretches: is_stretched(rest), ..Motion::default() })
                .collect(),
            tolerance,
            slack: slack.collect(),
        }
    }

    pub(super) fn see(&mut self, pose: &[Transform]) {
        if !self.seen {
            self.first.copy_from_slice(pose);
            self.seen = true;
        }
        for (joint, (motion, (first, t))) in
            self.motions.iter_mut().zip(self.first.iter().zip(pose)).enumerate()
        {
            let turned = (align(first.rotation, t.rotation) - first.rotation).to_array();
            motion.rotates |= !turned.iter().all(|d| d.abs() <= self.tolerance);
            motion.moves |= !((t.translation - first.translation).abs().max_element() <= self.slack[joint]);
            let size = first.scale.abs().max_element();
            motion.scales |= !((t.scale - first.scale).abs().max_element() <= self.tolerance * size);
            motion.stretches |= is_stretched(t);
        }
    }

    /// Takes joints for moving that no clip moves.
    pub(super) fn make_posable(&mut self, skeleton: &Skeleton, posable: &Posable) {
        let (all, listed) = match posable {
            Posable::Moved => (false, [].as_slice()),
            Posable::Rotations | Posable::All => (true, [].as_slice()),
            Posable::Joints(joints) => (false, joints.as_slice()),
        };
        let travels = *posable != Posable::Rotations;
        let all = skeleton.joints().filter(|_| all);
        for joint in all.chain(listed.iter().copied()).filter(|joint| skeleton.fixed_matrix(*joint).is_none())
        {
            let motion = &mut self.motions[joint.get()];
            motion.rotates = true;
            motion.moves |= travels;
            motion.scales |= travels;
        }
    }

    /// Numbers columns for the joints that move; all else is constant.
    ///
    /// A joint that moves in any way has rotation columns, and one whose scale moves has translation columns too:
    /// kernels then need only a few kinds of joint, and such joints are rare.
    ///
    /// Where clips are added to others, a constant is on the identity's side: a weight turns from there to it.
    pub(super) fn lay_out(mut self, additive: bool) -> Layout {
        if additive {
            for constant in &mut self.first {
                constant.rotation = align(Quat::IDENTITY, constant.rotation);
            }
        }
        let mut width = 0;
        let mut take = || {
            width += 4;
            width - 4
        };
        let columns = self.motions.iter().map(|motion| {
            let travels = motion.moves || motion.scales;
            if !(motion.rotates || travels) {
                return Columns::default();
            }
            let rotation = Some(take());
            if !travels {
                return Columns { rotation, ..Columns::default() };
            }
            let translation = Some(take());
            let scale = match (motion.stretches, motion.scales) {
                (false, _) => ScaleColumns::Uniform,
                (true, true) => ScaleColumns::Axes(take()),
                (true, false) => ScaleColumns::Constant,
            };
            Columns { rotation, translation, scale }
        });
        Layout { columns: columns.collect(), constants: self.first, width: width as usize }
    }
}

fn is_stretched(t: &Transform) -> bool {
    t.scale.x != t.scale.y || t.scale.y != t.scale.z
}

pub(super) struct Layout {
    pub(super) columns: Vec<Columns>,
    pub(super) constants: Vec<Transform>,
    /// Numbers that are taken in a row.
    pub(super) width: usize,
}

/// Writes the rows of one clip, in order. Neighbouring rotations come to lie in one hemisphere, of which the first of an
/// additive clip lie in that of the identity.
pub(super) struct Writer<'a> {
    columns: &'a [Columns],
    previous: Vec<Quat>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(columns: &'a [Columns], constants: &[Transform], additive: bool) -> Self {
        let first = |constant: &Transform| if additive { Quat::IDENTITY } else { constant.rotation };
        Self { columns, previous: constants.iter().map(first).collect() }
    }

    pub(super) fn write(&mut self, pose: &[Transform], row: &mut [f32]) {
        let mut put = |at: u32, four: [f32; 4]| row[at as usize..][..4].copy_from_slice(&four);
        for ((columns, t), previous) in self.columns.iter().zip(pose).zip(&mut self.previous) {
            if let Some(at) = columns.rotation {
                *previous = align(*previous, t.rotation);
                put(at, previous.to_array());
            }
            if let Some(at) = columns.translation {
                let s = if columns.scale == ScaleColumns::Uniform { t.scale.x } else { 1.0 };
                put(at, t.translation.extend(s).to_array());
            }
            if let ScaleColumns::Axes(at) = columns.scale {
                put(at, t.scale.extend(0.0).to_array());
            }
        }
    }
}
