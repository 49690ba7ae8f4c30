//! How far the bank is from the exact clips: the search for the largest difference.

use std::collections::HashSet;

use glam::{Affine3A, Vec3A};

use super::BakeError;
use super::report::{BakeReport, ClipBakeReport, LargestError};
use super::rows::{Schedule, in_pose};
use crate::{Bank, BoundTrack, Clip, JointIndex, Transform, extent, largest_coordinate, model_matrices};

/// Into how many parts a stretch of time without a key is cut at first, and at most.
const PARTS: (usize, usize) = (4, 64);

pub(super) fn measure(bank: &Bank, clips: &[Clip], schedules: &[Schedule]) -> Result<BakeReport, BakeError> {
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
    for (index, (clip, schedule)) in clips.iter().zip(schedules).enumerate() {
        let largest = Probe::new(bank, index, clip).search(schedule)?;
        if report.clip.is_none() || largest.error > report.largest.error {
            (report.largest, report.clip) = (largest, Some(index));
        }
        let (name, rate_hz) = (clip.name().to_owned(), schedule.grid.rate_hz);
        report.clips.push(ClipBakeReport { name, rate_hz, rows: schedule.rows.len(), largest });
    }
    Ok(report)
}

/// What the two paths differ by in one joint's matrix: its columns, exact minus baked.
type Difference = [Vec3A; 4];

/// A joint's error and its time.
type Peak = (f32, f32);

/// Plays one clip of a bank by both paths.
struct Probe<'a> {
    bank: &'a Bank,
    index: usize,
    clip: &'a Clip,
    pose: Vec<Transform>,
    exact: Vec<Affine3A>,
    baked: Vec<Affine3A>,
    /// By joint, at the last three times.
    recent: [Vec<Difference>; 3],
    /// By joint, the largest number met on the way to its matrix.
    sizes: Vec<f32>,
    /// By joint, in the stretch of time at hand.
    found: Vec<Peak>,
    /// By joint, over all time so far.
    peaks: Vec<Peak>,
    /// The largest of `peaks`.
    top: f32,
}

impl<'a> Probe<'a> {
    fn new(bank: &'a Bank, index: usize, clip: &'a Clip) -> Self {
        let joints = bank.skeleton().joint_count();
        Self {
            bank,
            index,
            clip,
            pose: vec![Transform::IDENTITY; joints],
            exact: vec![Affine3A::IDENTITY; joints],
            baked: vec![Affine3A::IDENTITY; joints],
            recent: [(); 3].map(|()| vec![[Vec3A::ZERO; 4]; joints]),
            sizes: vec![0.0; joints],
            found: vec![(0.0, 0.0); joints],
            peaks: vec![(0.0, 0.0); joints],
            top: 0.0,
        }
    }

    /// Goes through the clip from key or row to key or row: between two of them all curves of both paths are smooth.
    fn search(mut self, schedule: &Schedule) -> Result<LargestError, BakeError> {
        let mut breaks: Vec<f32> = schedule.intervals.iter().flat_map(|i| [i.start_s, i.end_s]).collect();
        let timelines: HashSet<usize> =
            self.clip.tracks().iter().filter(|b| in_pose(b)).map(BoundTrack::timeline).collect();
        breaks.extend(timelines.into_iter().flat_map(|i| self.clip.timelines()[i].iter()));
        breaks.push(self.clip.duration_s());
        breaks.sort_by(f32::total_cmp);
        breaks.dedup();
        for stretch in breaks.windows(2) {
            self.stretch(stretch[0], stretch[1].next_down())?;
        }
        self.stretch(self.clip.duration_s(), self.clip.duration_s())?;
        Ok(self.with_rounding())
    }

    /// Finds the peaks between two times, both included, in finer and finer parts until finer ones can't matter.
    fn stretch(&mut self, start: f32, end: f32) -> Result<(), BakeError> {
        let mut parts = if end > start { PARTS.0 } else { 0 };
        loop {
            let (measured, bound) = self.pass(start, end, parts)?;
            let noise = 16.0 * f32::EPSILON * self.sizes.iter().copied().fold(0.0, f32::max);
            let settled = bound <= self.top.max(measured * 1.05).max(noise);
            if settled || parts == 0 || parts >= PARTS.1 {
                break;
            }
            parts *= 2;
        }
        for (peak, found) in self.peaks.iter_mut().zip(&self.found) {
            if found.0 > peak.0 {
                *peak = *found;
            }
            self.top = self.top.max(peak.0);
        }
        Ok(())
    }

    /// Measures at `parts + 1` times and leaves in `found` a bound for each joint. Returns the largest error measured
    /// and the largest bound.
    ///
    /// Between two measured times a difference leaves the straight line by no more than an eighth of the step squared
    /// times its second derivative. Three neighbouring times tell that derivative; it is taken twice.
    fn pass(&mut self, start: f32, end: f32, parts: usize) -> Result<(f32, f32), BakeError> {
        self.found.fill((0.0, start));
        let (mut measured, mut bound) = (0.0f32, 0.0f32);
        for part in 0..=parts {
            let way = if parts == 0 { 0.0 } else { part as f64 / parts as f64 };
            let t = (f64::from(start) + (f64::from(end) - f64::from(start)) * way) as f32;
            self.recent.rotate_left(1);
            self.differ(t)?;
            for (joint, found) in self.found.iter_mut().enumerate() {
                let [a, b, c] = [0, 1, 2].map(|i| &self.recent[i][joint]);
                let here = longest(*c);
                measured = measured.max(here);
                let bent = if part >= 2 {
                    let bend: Difference = std::array::from_fn(|i| a[i] - 2.0 * b[i] + c[i]);
                    longest(*a).max(longest(*b)).max(here) + longest(bend) / 4.0
                } else {
                    here
                };
                if bent > found.0 {
                    *found = (bent, t);
                }
                bound = bound.max(bent);
            }
        }
        Ok((measured, bound))
    }

    /// Evaluates both paths at `t`, and puts their difference in the last place of `recent`.
    fn differ(&mut self, t: f32) -> Result<(), BakeError> {
        let skeleton = self.bank.skeleton();
        self.clip.sample(skeleton, t, &mut self.pose);
        model_matrices(skeleton, &self.pose, &mut self.exact);
        self.bank.sample(self.bank.locate(self.index, t), &mut self.pose);
        model_matrices(skeleton, &self.pose, &mut self.baked);
        for joint in 0..self.pose.len() {
            let (a, b) = (columns(&self.exact[joint]), columns(&self.baked[joint]));
            let difference: Difference = std::array::from_fn(|i| a[i] - b[i]);
            if !difference.iter().all(|column| column.length_squared().is_finite()) {
                return Err(BakeError::not_finite(skeleton, self.clip, joint, t));
            }
            self.recent[2][joint] = difference;
            let size = a.into_iter().chain(b).map(|c| c.abs().max_element()).fold(0.0, f32::max);
            self.sizes[joint] = self.sizes[joint].max(size);
        }
        Ok(())
    }

    /// Adds to each joint's peak what two right evaluations may differ by, which grows with each joint of the chain.
    fn with_rounding(self) -> LargestError {
        let mut largest = LargestError::default();
        let mut chain: Vec<(f32, f32)> = Vec::with_capacity(self.sizes.len());
        for (joint, parent) in self.bank.skeleton().parents().iter().enumerate() {
            let (depth, size) = parent.map_or((0.0, 0.0), |p| chain[p.get()]);
            chain.push((depth + 1.0, self.sizes[joint].max(size)));
            let (steps, size) = chain[joint];
            let error = self.peaks[joint].0 + (16.0 + 4.0 * steps) * f32::EPSILON * size;
            if error > largest.error {
                let time_s = self.peaks[joint].1;
                largest = LargestError { error, joint: Some(JointIndex(joint as u16)), time_s };
            }
        }
        largest
    }
}

fn columns(m: &Affine3A) -> [Vec3A; 4] {
    [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation]
}

/// The length of the longest column.
fn longest(difference: Difference) -> f32 {
    let squares = difference.map(|column| column.length_squared());
    squares.into_iter().fold(0.0, f32::max).sqrt()
}
