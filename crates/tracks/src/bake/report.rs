use glam::Affine3A;

use super::error::Measured;
use super::motion::MotionReport;
use super::rows::Schedule;
use crate::{Bank, Clip, JointIndex, extent, largest_coordinate, model_matrices};

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
    /// The clip it is in, if there is any clip.
    pub clip: Option<usize>,
    /// Each clip, in order.
    pub clips: Vec<ClipBakeReport>,
    /// The largest side of the box around the rest pose's joints, in the asset's unit.
    pub extent: f32,
    /// The largest coordinate of a joint in the rest pose.
    pub largest_coordinate: f32,
    /// Joints that move, of all joints.
    pub moving_joints: usize,
    /// Bytes that the rows take.
    pub bytes: usize,
}

pub(super) fn report(
    bank: &Bank,
    clips: &[Clip],
    schedules: &[Schedule],
    measured: &[Measured],
) -> BakeReport {
    let skeleton = bank.skeleton();
    let mut rest = vec![Affine3A::IDENTITY; skeleton.joint_count()];
    model_matrices(skeleton, skeleton.rest(), &mut rest);
    let mut report = BakeReport {
        largest: LargestError::default(),
        clip: None,
        clips: Vec::with_capacity(clips.len()),
        extent: extent(&rest),
        largest_coordinate: largest_coordinate(&rest),
        moving_joints: bank.columns().iter().filter(|c| c.rotation.is_some()).count(),
        bytes: size_of_val(bank.rows()),
    };
    for (index, ((clip, schedule), measured)) in clips.iter().zip(schedules).zip(measured).enumerate() {
        let largest = measured.largest;
        if report.clip.is_none() || largest.error > report.largest.error {
            (report.largest, report.clip) = (largest, Some(index));
        }
        let (name, rate_hz) = (clip.name().to_owned(), schedule.grid.rate_hz);
        report.clips.push(ClipBakeReport { name, rate_hz, rows: schedule.rows.len(), largest, motion: None });
    }
    report
}
