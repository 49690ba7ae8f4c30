//! Poses from outside of the bank, as rows like its own.

use std::sync::Arc;

use thiserror::Error;
use throng_tracks::{JointIndex, RowPair, ScaleColumns, Transform};

use super::rows::rewrite_numbers;
use super::{Plan, RowFormat};
use crate::isa::{BLOCK, Line, RowTable};

/// Why a pose can't be a row.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// The ranges of sixteen-bit rows are those of the bank's clips, which no other pose need keep to.
    #[error("the plan's rows are I16, but external poses need rows of F32: see PlanOptions::rows")]
    RowFormat,
    /// A row index has no room for so many.
    #[error("there are {poses} external poses already")]
    Full {
        /// How many.
        poses: usize,
    },
    /// There is no such pose.
    #[error("there is no external pose {pose}: there are {poses}, counted from 0")]
    NoSuchPose {
        /// The pose given.
        pose: usize,
        /// How many there are.
        poses: usize,
    },
    /// A pose has a transform for each joint.
    #[error("the pose has {found} transforms, but the skeleton has {joints} joints")]
    Joints {
        /// Transforms given.
        found: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// NaN or infinity where a number should be, or a rotation of length 0.
    #[error("the pose has a {what} for joint {joint} that is {}", if *what == "rotation" { "not finite, or of length 0" } else { "not finite" })]
    NotFinite {
        /// The joint.
        joint: JointIndex,
        /// Which part of its transform.
        what: &'static str,
    },
}

/// Poses that come from elsewhere (a ragdoll, the network), for a [`Layer`](crate::Layer) like rows of the bank. Each is a pair of
/// rows: two poses, and what is shown lies between them.
///
/// Only what the bank has columns for moves: of a channel that all of its clips leave at rest, the rest is shown
/// whatever the pose says. [`BakeOptions::posable`](throng_tracks::BakeOptions) gives a bank columns for such joints. Of a joint
/// whose scale is uniform in the bank, the `x` of a pose's scale is taken.
///
/// ```
/// use std::sync::Arc;
/// use throng_kernels::{ExternalRows, Layer, Layout, Level, PaletteJob, Plan, Scratch, palettes};
/// use throng_tracks::*;
/// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let options = BakeOptions { posable: Posable::All, ..BakeOptions::default() };
/// let (bank, _) = bake(&skeleton, &[], &options)?;
/// let plan = Arc::new(Plan::new(Arc::new(bank), &Skin::model_space(&skeleton))?);
/// let mut rows = ExternalRows::new(plan)?;
/// let pose = rows.push()?;
/// rows.set(pose, &[Transform { translation: glam::Vec3::X, ..Transform::IDENTITY }])?;
/// let mut out = [0.0; 12];
/// let pairs = [rows.pair(pose, 0.0)?];
/// let layers = [Layer { external: Some(&rows), ..Layer::new(&pairs, &[1.0]) }];
/// let job = PaletteJob::layered(rows.plan(), &layers, &[0], &mut out, Layout::default())?;
/// palettes(Level::detect(), job, &mut Scratch::default());
/// assert_eq!(out[3], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExternalRows {
    plan: Arc<Plan>,
    lines: Vec<Line>,
    poses: usize,
}

/// Which of the two rows of a pose.
#[derive(Clone, Copy)]
enum Row {
    Earlier,
    Later,
}

impl ExternalRows {
    /// None yet.
    ///
    /// # Errors
    /// If the plan's rows are [`RowFormat::I16`].
    pub fn new(plan: Arc<Plan>) -> Result<Self, ExternalError> {
        if plan.row_format() != RowFormat::F32 {
            return Err(ExternalError::RowFormat);
        }
        Ok(Self { plan, lines: Vec::new(), poses: 0 })
    }

    /// The plan whose rows these stand beside.
    #[must_use]
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// How many poses there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.poses
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.poses == 0
    }

    /// One more pose, at rest. Returns its index.
    ///
    /// # Errors
    /// If a row index has no room for it.
    pub fn push(&mut self) -> Result<usize, ExternalError> {
        let (pose, full) = (self.poses, ExternalError::Full { poses: self.poses });
        u32::try_from(2 * pose + 1).map_err(|_| full)?;
        let plan = Arc::clone(&self.plan);
        self.lines.resize(self.lines.len() + 2 * self.row_lines(), Line::ZERO);
        self.poses += 1;
        self.rest(pose, plan.bank().skeleton().rest());
        Ok(pose)
    }

    /// Back to the rest pose.
    fn rest(&mut self, pose: usize, rest: &[Transform]) {
        self.write(pose, Row::Earlier, rest);
        self.write(pose, Row::Later, rest);
    }

    /// Both rows of a pose.
    ///
    /// # Errors
    /// If there is no such pose, if it has not as many transforms as the skeleton joints, or one is not finite or has a
    /// rotation without length. Then nothing changed.
    pub fn set(&mut self, pose: usize, locals: &[Transform]) -> Result<(), ExternalError> {
        self.set_both(pose, locals, locals)
    }

    /// Two poses, between which [`pair`](Self::pair) chooses: the last two that came, say, so that a few a second look smooth.
    ///
    /// # Errors
    /// As of [`set`](Self::set).
    pub fn set_both(
        &mut self,
        pose: usize,
        earlier: &[Transform],
        later: &[Transform],
    ) -> Result<(), ExternalError> {
        self.find(pose)?;
        self.check(earlier)?;
        self.check(later)?;
        self.write(pose, Row::Earlier, earlier);
        self.write(pose, Row::Later, later);
        Ok(())
    }

    /// What was the later of both poses becomes the earlier one, and this the later.
    ///
    /// # Errors
    /// As of [`set`](Self::set).
    pub fn advance(&mut self, pose: usize, later: &[Transform]) -> Result<(), ExternalError> {
        self.find(pose)?;
        self.check(later)?;
        let row = self.row_lines();
        let at = 2 * pose * row;
        self.lines.copy_within(at + row..at + 2 * row, at);
        self.write(pose, Row::Later, later);
        Ok(())
    }

    /// What a lane reads to show a pose: at 0 the earlier of its two, at 1 the later, which are the same unless
    /// [set apart](Self::set_both). Rotations between are nlerp on the short way.
    ///
    /// # Errors
    /// If there is no such pose.
    pub fn pair(&self, pose: usize, fraction: f32) -> Result<RowPair, ExternalError> {
        self.find(pose)?;
        Ok(RowPair { row: 2 * pose as u32, fraction })
    }

    /// Whether a pose, of an instance say, could be set: as many transforms as joints, all finite.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self, locals: &[Transform]) -> Result<(), ExternalError> {
        let joints = self.plan.bank().skeleton().joint_count();
        if locals.len() != joints {
            return Err(ExternalError::Joints { found: locals.len(), joints });
        }
        let wrong = |t: &Transform| {
            let length = t.rotation.as_dquat().length_squared();
            [
                ("translation", t.translation.is_finite()),
                ("rotation", length > 0.0 && length.is_finite()),
                ("scale", t.scale.is_finite()),
            ]
            .into_iter()
            .find(|(_, right)| !right)
        };
        for (joint, local) in self.plan.bank().skeleton().joints().zip(locals) {
            if let Some((what, _)) = wrong(local) {
                return Err(ExternalError::NotFinite { joint, what });
            }
        }
        Ok(())
    }

    fn find(&self, pose: usize) -> Result<(), ExternalError> {
        let poses = self.poses;
        if pose < poses { Ok(()) } else { Err(ExternalError::NoSuchPose { pose, poses }) }
    }

    /// Lines of one row.
    fn row_lines(&self) -> usize {
        self.plan.rows.stride / BLOCK
    }

    /// A pose that was checked, into one row. Rotations of the later row come to lie in the hemispheres of the earlier one's.
    fn write(&mut self, pose: usize, which: Row, locals: &[Transform]) {
        let (plan, stride) = (&self.plan, self.plan.rows.stride);
        let floats: &mut [f32] = bytemuck::cast_slice_mut(&mut self.lines);
        let (earlier, later) = floats[2 * pose * stride..][..2 * stride].split_at_mut(stride);
        for rewrite in plan.rewrites.iter() {
            let (columns, local) = (&plan.bank.columns()[rewrite.joint], &locals[rewrite.joint]);
            let scale = local.scale.as_dvec3();
            let s = if columns.scale == ScaleColumns::Uniform { scale.x } else { 1.0 };
            let placing = columns.translation.map(|_| local.translation.as_dvec3().extend(s).to_array());
            let axes = matches!(columns.scale, ScaleColumns::Axes(_)).then(|| scale.extend(0.0).to_array());
            let q = local.rotation.as_dquat().normalize();
            let row = match which {
                Row::Earlier => &mut *earlier,
                Row::Later => &mut *later,
            };
            rewrite_numbers(rewrite, columns.rotation.map(|_| q.to_array()), placing, axes, row);
            if let Row::Later = which {
                keep_side(&earlier[rewrite.rotation_to..][..4], &mut later[rewrite.rotation_to..][..4]);
            }
        }
    }

    /// The rows.
    #[inline(always)]
    pub(crate) fn table(&self) -> RowTable<'_> {
        RowTable::new(bytemuck::cast_slice(&self.lines), self.plan.rows.stride)
    }
}

/// Negates `q` where it lies in the other hemisphere.
fn keep_side(of: &[f32], q: &mut [f32]) {
    let dot: f64 = of.iter().zip(&*q).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    if dot < 0.0 {
        q.iter_mut().for_each(|v| *v = -*v);
    }
}
