use crate::JointIndex;

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
    /// Rows a second.
    pub rate_hz: f32,
    /// Rows the clip takes.
    pub rows: usize,
    /// How far the rows are from the exact clip.
    pub largest: LargestError,
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
