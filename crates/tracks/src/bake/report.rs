use glam::Affine3A;

use super::entry::Entries;
use super::left_out::LeftOut;
use super::motion::MotionReport;
use crate::{Bank, JointIndex, extent, largest_coordinate, model_matrices};

/// The largest difference found, and where.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct LargestError {
    /// The largest change of any column of any joint's model matrix, as a length, in the asset's unit. No coefficient
    /// of a model matrix and no joint's origin is off by more.
    pub error: f32,
    /// The joint.
    pub joint: Option<JointIndex>,
    /// When, in seconds.
    pub time_s: f32,
}

/// How one clip was baked.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipBakeReport {
    /// Its index among the clips that [`bake`](crate::bake()) was given, which is another than that in the bank where clips
    /// before it are [left out](BakeReport::left_out).
    pub source: usize,
    /// The clip's name.
    pub name: String,
    /// Rows a second, where those are enough.
    pub rate_hz: f32,
    /// Rows the clip takes.
    pub rows: usize,
    /// How far the rows are from the exact clip.
    pub largest: LargestError,
    /// The root motion that was taken out of it, if there was any.
    pub motion: Option<MotionReport>,
}

/// What a bake did, and how far the bank is from the exact clips.
///
/// Errors are measured in model space. They hold at any time, not only where they were measured: what a peak between two
/// measured times could add is counted in, and so is the rounding of both paths.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeReport {
    /// The largest error of all clips.
    pub largest: LargestError,
    /// The clip of the bank that it is in, if there is any clip.
    pub clip: Option<usize>,
    /// Each clip of the bank, in order.
    pub clips: Vec<ClipBakeReport>,
    /// The clips that are not in the bank, in order.
    pub left_out: Vec<LeftOut>,
    /// The largest side of the box around the rest pose's joints, in the asset's unit.
    pub extent: f32,
    /// The largest coordinate of a joint in the rest pose.
    pub largest_coordinate: f32,
    /// Joints that move, of all joints.
    pub moving_joints: usize,
    /// Bytes that the rows take.
    pub bytes: usize,
}

impl BakeReport {
    /// The bank's clip that was made of the clip of that index among those that [`bake`](crate::bake()) was given. None if
    /// it is [left out](Self::left_out), or there was no such clip.
    #[must_use]
    pub fn bank_clip(&self, source: usize) -> Option<usize> {
        self.clips.binary_search_by_key(&source, |clip| clip.source).ok()
    }
}

/// The report on a bank of entries that are all measured.
pub(super) fn report(bank: &Bank, entries: Entries<'_>) -> BakeReport {
    let skeleton = bank.skeleton();
    let mut rest = vec![Affine3A::IDENTITY; skeleton.joint_count()];
    model_matrices(skeleton, skeleton.rest(), &mut rest);
    let mut report = BakeReport {
        largest: LargestError::default(),
        clip: None,
        clips: Vec::with_capacity(entries.kept.len()),
        left_out: Vec::new(),
        extent: extent(&rest),
        largest_coordinate: largest_coordinate(&rest),
        moving_joints: bank.varying_columns().iter().filter(|c| c.rotation.is_some()).count(),
        bytes: size_of_val(bank.rows()),
    };
    for (index, entry) in entries.kept.iter().enumerate() {
        let largest = entry.measured.as_ref().map_or_else(LargestError::default, |found| found.largest);
        if report.clip.is_none() || largest.error > report.largest.error {
            (report.largest, report.clip) = (largest, Some(index));
        }
        report.clips.push(ClipBakeReport {
            source: entry.source,
            name: entry.clip.name().to_owned(),
            rate_hz: entry.schedule.grid.rate_hz,
            rows: entry.schedule.rows.len(),
            largest,
            motion: entry.motion.as_ref().map(|(_, report)| *report),
        });
    }
    report.left_out = entries.into_left_out();
    report
}
