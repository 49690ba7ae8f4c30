//! Which channels have columns, and where these stand in a row.
//!
//! A channel *varies* where rows of poses show more than one value. If it does not, but is off the rest, it is *held*: it has
//! columns too, for weights and ends of playbacks show the rest beside any row, but what shows one pair of rows alone need
//! not read them.

use glam::{Affine3A, Quat};

use crate::interpolate::align;
use crate::{Columns, Posable, ScaleColumns, Skeleton, Transform, extent, model_matrices};

/// The channels of a joint that differ from some pose.
#[derive(Clone, Copy, Default)]
struct Motion {
    rotates: bool,
    moves: bool,
    scales: bool,
}

impl Motion {
    /// Adds the channels in which `t` differs from `from`; translations by more than `slack`.
    fn add(&mut self, from: &Transform, t: &Transform, tolerance: f32, slack: f32) {
        let turned = (align(from.rotation, t.rotation) - from.rotation).to_array();
        self.rotates |= !turned.iter().all(|d| d.abs() <= tolerance);
        self.moves |= !((t.translation - from.translation).abs().max_element() <= slack);
        let size = from.scale.abs().max_element();
        self.scales |= !((t.scale - from.scale).abs().max_element() <= tolerance * size);
    }

    fn or(self, other: Self) -> Self {
        Self {
            rotates: self.rotates || other.rotates,
            moves: self.moves || other.moves,
            scales: self.scales || other.scales,
        }
    }

    /// Of all columns that a joint may have, those that these channels need.
    ///
    /// A joint that moves in any way has rotation columns, and one whose scale moves has translation columns too:
    /// kernels then need only a few kinds of joint, and such joints are rare.
    fn columns(self, stretches: bool, all: [u32; 3]) -> Columns {
        let [rotation, translation, scale] = all;
        let travels = self.moves || self.scales;
        if !(self.rotates || travels) {
            return Columns::default();
        }
        if !travels {
            return Columns { rotation: Some(rotation), ..Columns::default() };
        }
        let scale = match (stretches, self.scales) {
            (false, _) => ScaleColumns::Uniform,
            (true, true) => ScaleColumns::Axes(scale),
            (true, false) => ScaleColumns::Constant,
        };
        Columns { rotation: Some(rotation), translation: Some(translation), scale }
    }
}

/// Looks at all rows of all clips for channels that leave the rest, and for those that leave their first value.
pub(super) struct Survey {
    rest: Vec<Transform>,
    /// The first pose seen of a clip that is not additive; without one, the rest.
    first: Vec<Transform>,
    seen: bool,
    /// By joint, what leaves the rest in rows of any clip.
    off_rest: Vec<Motion>,
    /// By joint, what leaves the first pose in rows of poses.
    varying: Vec<Motion>,
    /// By joint, whether in some row, or at rest, the axes scale differently: a blend may mix the rest into any row.
    stretches: Vec<bool>,
    tolerance: f32,
    /// By how much a translation may differ, by joint.
    slack: Vec<f32>,
    /// Whether any clip is additive.
    additive: bool,
}

/// Exporters write the same pose with other last digits. What does not vary, and is no more than this times the tolerance off
/// the rest, is taken for the rest; its constant is what clips show.
const NEAR_REST: f32 = 10.0;

impl Survey {
    pub(super) fn new(skeleton: &Skeleton, tolerance: f32, additive: bool) -> Self {
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
            rest: skeleton.rest().to_vec(),
            first: skeleton.rest().to_vec(),
            seen: false,
            off_rest: vec![Motion::default(); skeleton.joint_count()],
            varying: vec![Motion::default(); skeleton.joint_count()],
            stretches: skeleton.rest().iter().map(is_stretched).collect(),
            tolerance,
            slack: slack.collect(),
            additive,
        }
    }

    /// One more row, of a clip that is additive or not.
    pub(super) fn see(&mut self, pose: &[Transform], additive: bool) {
        if !self.seen && !additive {
            self.first.copy_from_slice(pose);
            self.seen = true;
        }
        for (joint, t) in pose.iter().enumerate() {
            let (tolerance, slack) = (self.tolerance, self.slack[joint]);
            // In rows of differences a constant stands for the identity.
            let near = if self.additive { 1.0 } else { NEAR_REST };
            self.off_rest[joint].add(&self.rest[joint], t, near * tolerance, near * slack);
            if !additive {
                self.varying[joint].add(&self.first[joint], t, tolerance, slack);
            }
            self.stretches[joint] |= is_stretched(t);
        }
    }

    /// Takes joints for varying that no clip moves.
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
            let motion = &mut self.varying[joint.get()];
            motion.rotates = true;
            motion.moves |= travels;
            motion.scales |= travels;
        }
    }

    /// Numbers columns for the channels that vary or leave the rest.
    ///
    /// Where clips are added to others, a constant is on the identity's side, for it stands for the identity in rows of
    /// differences.
    pub(super) fn lay_out(mut self) -> Layout {
        if self.additive {
            for constant in &mut self.first {
                constant.rotation = align(Quat::IDENTITY, constant.rotation);
            }
        }
        let mut width = 0;
        let (mut columns, mut varying) = (Vec::new(), Vec::new());
        for (joint, motion) in self.varying.iter().enumerate() {
            let stretches = self.stretches[joint];
            let all = [0, 4, 8].map(|at| width + at);
            let own = motion.or(self.off_rest[joint]).columns(stretches, all);
            let count = u32::from(own.rotation.is_some())
                + u32::from(own.translation.is_some())
                + u32::from(matches!(own.scale, ScaleColumns::Axes(_)));
            width += 4 * count;
            columns.push(own);
            varying.push(motion.columns(stretches, all));
        }
        Layout { columns, varying, constants: self.first, width: width as usize }
    }
}

fn is_stretched(t: &Transform) -> bool {
    t.scale.x != t.scale.y || t.scale.y != t.scale.z
}

pub(super) struct Layout {
    pub(super) columns: Vec<Columns>,
    /// Those of them whose numbers differ between rows of poses.
    pub(super) varying: Vec<Columns>,
    /// What the others are in all rows of poses, and channels without columns; by joint.
    pub(super) constants: Vec<Transform>,
    /// Numbers that are taken in a row.
    pub(super) width: usize,
}

/// Writes the rows of one clip, in order. Neighbouring rotations come to lie in one hemisphere, of which the first of an
/// additive clip lie in that of the identity.
pub(super) struct Writer<'a> {
    layout: &'a Layout,
    additive: bool,
    previous: Vec<Quat>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(layout: &'a Layout, additive: bool) -> Self {
        let first = |constant: &Transform| if additive { Quat::IDENTITY } else { constant.rotation };
        Self { layout, additive, previous: layout.constants.iter().map(first).collect() }
    }

    pub(super) fn write(&mut self, pose: &[Transform], row: &mut [f32]) {
        let mut put = |at: u32, four: [f32; 4]| row[at as usize..][..4].copy_from_slice(&four);
        for (joint, (t, previous)) in pose.iter().zip(&mut self.previous).enumerate() {
            let (columns, varying) = (&self.layout.columns[joint], &self.layout.varying[joint]);
            // To the last bit, so that who reads a held column and who does not see the same.
            let held = if self.additive { t } else { &self.layout.constants[joint] };
            if let Some(at) = columns.rotation {
                let rotation = if varying.rotation.is_some() { t.rotation } else { held.rotation };
                *previous = align(*previous, rotation);
                put(at, previous.to_array());
            }
            let placing = if varying.translation.is_some() { t } else { held };
            if let Some(at) = columns.translation {
                let s = if columns.scale == ScaleColumns::Uniform { placing.scale.x } else { 1.0 };
                put(at, placing.translation.extend(s).to_array());
            }
            if let ScaleColumns::Axes(at) = columns.scale {
                let scaled = if varying.scale == ScaleColumns::Constant { held } else { t };
                put(at, scaled.scale.extend(0.0).to_array());
            }
        }
    }
}
