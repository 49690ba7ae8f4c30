//! How far the bank is from the exact clips.

use glam::Affine3A;

use super::rows::{Schedule, jump_times};
use crate::{Bank, Clip, JointIndex, Transform, extent, largest_coordinate, model_matrices};

/// Into how many parts an interval is cut to look for the largest error.
const PARTS: usize = 8;

/// Rounding between two correct evaluations, relative to the largest number in a joint's matrix: a chain of a few dozen
/// joints, each with a few roundings.
const ROUNDING: f32 = 64.0 * f32::EPSILON;

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
/// Errors are measured in model space with all clips' own times between the rows cut into eight, and at every key that
/// lies on no row; what a peak between two such places could add is estimated from the curvature and counted in.
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

pub(super) fn measure(bank: &Bank, clips: &[Clip], schedules: &[Schedule]) -> BakeReport {
    let mut probe = Probe::new(bank);
    let mut report = BakeReport {
        largest: LargestError::default(),
        clip: None,
        clips: Vec::with_capacity(clips.len()),
        extent: extent(&probe.rest),
        largest_coordinate: largest_coordinate(&probe.rest),
        moving_joints: bank.columns().iter().filter(|c| c.rotation.is_some()).count(),
        bytes: size_of_val(bank.rows()),
    };
    for (index, (clip, schedule)) in clips.iter().zip(schedules).enumerate() {
        let largest = probe.clip(bank, index, clip, schedule);
        if report.clip.is_none() || largest.error > report.largest.error {
            (report.largest, report.clip) = (largest, Some(index));
        }
        let (name, rate_hz) = (clip.name().to_owned(), schedule.grid.rate_hz);
        report.clips.push(ClipBakeReport { name, rate_hz, rows: schedule.rows.len(), largest });
    }
    report
}

/// Two poses of the same instant, by the two paths.
struct Probe {
    rest: Vec<Affine3A>,
    pose: Vec<Transform>,
    exact: Vec<Affine3A>,
    baked: Vec<Affine3A>,
    /// The error of each joint at the last three places.
    recent: [Vec<f32>; 3],
}

impl Probe {
    fn new(bank: &Bank) -> Self {
        let joints = bank.skeleton().joint_count();
        let mut rest = vec![Affine3A::IDENTITY; joints];
        model_matrices(bank.skeleton(), bank.skeleton().rest(), &mut rest);
        let (pose, recent) = (vec![Transform::IDENTITY; joints], [(); 3].map(|()| vec![0.0; joints]));
        Self { exact: rest.clone(), baked: rest.clone(), rest, pose, recent }
    }

    fn clip(&mut self, bank: &Bank, index: usize, clip: &Clip, schedule: &Schedule) -> LargestError {
        let mut largest = LargestError::default();
        let grid = &schedule.grid;
        for interval in 0..grid.intervals {
            let (start, end) = (interval as f64 * grid.step_s, (interval + 1) as f64 * grid.step_s);
            let parts = if end > start { 1..PARTS } else { 0..1 };
            for part in parts {
                let t = (start + (end - start) * part as f64 / PARTS as f64) as f32;
                self.recent.rotate_left(1);
                self.errors(bank, index, clip, t);
                for joint in 0..self.pose.len() {
                    let [a, b, c] = [0, 1, 2].map(|i| self.recent[i][joint]);
                    // A parabola through three places rises above the larger of two neighbours by no more than this.
                    let bulge = if part >= 3 { (a - 2.0 * b + c).abs() / 8.0 } else { 0.0 };
                    largest.raise(if part >= 3 { b.max(c) } else { c } + bulge, joint, t);
                }
            }
        }
        for t in self.times_between_rows(clip, schedule) {
            self.errors(bank, index, clip, t);
            for joint in 0..self.pose.len() {
                largest.raise(self.recent[2][joint], joint, t);
            }
        }
        largest
    }

    /// Key times that lie on no row, and where the clip jumps there, the instant before the jump as well.
    fn times_between_rows(&self, clip: &Clip, schedule: &Schedule) -> Vec<f32> {
        let grid = &schedule.grid;
        let on_row = |t: f32| {
            let row = if grid.step_s > 0.0 { (f64::from(t) / grid.step_s).round() as usize } else { 0 };
            (grid.time(row, clip.duration_s()) - t).abs() <= grid.tolerance_s()
        };
        let keys = clip.timelines().iter().flat_map(|times| times.iter().copied());
        let before_jumps = clip.tracks().iter().flat_map(jump_times).map(f32::next_down);
        let mut times: Vec<f32> = keys.chain(before_jumps).filter(|&t| !on_row(t)).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// The error of each joint at `t`, into `recent[2]`.
    fn errors(&mut self, bank: &Bank, index: usize, clip: &Clip, t: f32) {
        let skeleton = bank.skeleton();
        clip.sample(skeleton, t, &mut self.pose);
        model_matrices(skeleton, &self.pose, &mut self.exact);
        bank.sample(bank.locate(index, t), &mut self.pose);
        model_matrices(skeleton, &self.pose, &mut self.baked);
        for (error, (a, b)) in self.recent[2].iter_mut().zip(self.exact.iter().zip(&self.baked)) {
            *error = 0.0;
            let mut size: f32 = 0.0;
            for (p, q) in [
                (a.matrix3.x_axis, b.matrix3.x_axis),
                (a.matrix3.y_axis, b.matrix3.y_axis),
                (a.matrix3.z_axis, b.matrix3.z_axis),
                (a.translation, b.translation),
            ] {
                *error = error.max((p - q).length());
                size = size.max(p.abs().max_element());
            }
            *error += ROUNDING * size;
        }
    }
}

impl LargestError {
    fn raise(&mut self, error: f32, joint: usize, time_s: f32) {
        if error > self.error {
            *self = Self { error, joint: Some(JointIndex(joint as u16)), time_s };
        }
    }
}
