//! How far the bank is from the exact clips: the search for the largest difference.

use std::collections::HashSet;

use glam::{Affine3A, DAffine3, DVec3, Vec3A};

use super::left_out::WhyLeftOut;
use super::report::LargestError;
use super::rows::{Schedule, in_pose};
use crate::tools::added_to;
use crate::{Bank, BoundTrack, Clip, DTransform, JointIndex, Transform, model_matrices, model_matrices_f64};

/// Into how many parts a stretch of time without a key is cut at first, and at most.
const PARTS: (usize, usize) = (4, 64);

/// How far a clip of the bank is from the exact clip.
pub(super) struct Measured {
    pub(super) largest: LargestError,
    /// The largest error in each interval of the grid, before rounding.
    pub(super) intervals: Vec<f32>,
    /// What rounding adds at most.
    pub(super) rounding: f32,
}

pub(super) fn measure(
    bank: &Bank,
    index: usize,
    clip: &Clip,
    schedule: &Schedule,
) -> Result<Measured, WhyLeftOut> {
    let mut probe = Probe::new(bank, index, clip);
    let intervals = probe.search(schedule)?;
    let rounding = probe.rounding();
    let mut largest = LargestError::default();
    for (joint, (rounding, &(peak, time_s))) in rounding.iter().zip(&probe.peaks).enumerate() {
        let error = peak + rounding;
        if error > largest.error {
            largest = LargestError { error, joint: Some(JointIndex(joint as u16)), time_s };
        }
    }
    Ok(Measured { largest, intervals, rounding: rounding.into_iter().fold(0.0, f32::max) })
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
    exact_pose: Vec<DTransform>,
    exact: Vec<DAffine3>,
    pose: Vec<Transform>,
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
            exact_pose: vec![DTransform::IDENTITY; joints],
            exact: vec![DAffine3::IDENTITY; joints],
            pose: vec![Transform::IDENTITY; joints],
            baked: vec![Affine3A::IDENTITY; joints],
            recent: [(); 3].map(|()| vec![[Vec3A::ZERO; 4]; joints]),
            sizes: vec![0.0; joints],
            found: vec![(0.0, 0.0); joints],
            peaks: vec![(0.0, 0.0); joints],
            top: 0.0,
        }
    }

    /// Goes through the clip from key or row to key or row: between two of them all curves of both paths are smooth.
    fn search(&mut self, schedule: &Schedule) -> Result<Vec<f32>, WhyLeftOut> {
        let end = self.clip.duration_s();
        let mut breaks = schedule.times();
        let timelines: HashSet<usize> =
            self.clip.tracks().iter().filter(|b| in_pose(b)).map(BoundTrack::timeline).collect();
        breaks.extend(timelines.into_iter().flat_map(|i| self.clip.timelines()[i].iter()));
        let in_pose = self.clip.tracks().iter().filter(|b| in_pose(b));
        breaks.extend(in_pose.flat_map(|b| b.track().passed_keys(end)));
        breaks.extend([0.0, end]);
        breaks.sort_by(f32::total_cmp);
        breaks.dedup();

        let starts = &schedule.intervals[..schedule.grid.intervals];
        let mut errors = vec![0.0f32; starts.len()];
        for stretch in breaks.windows(2) {
            let bound = self.stretch(stretch[0], stretch[1].next_down())?;
            let at = starts.partition_point(|i| i.start_s <= stretch[0]).saturating_sub(1);
            // Two tracks that should jump together and miss each other by rounding: finer rows don't help.
            let moment = stretch[1] - stretch[0] <= schedule.grid.moment_s();
            if let (false, Some(error)) = (moment, errors.get_mut(at)) {
                *error = error.max(bound);
            }
        }
        self.stretch(end, end)?;
        Ok(errors)
    }

    /// Finds the peaks between two times, both included, in finer and finer parts until finer ones can't matter. Returns
    /// a bound for the largest.
    fn stretch(&mut self, start: f32, end: f32) -> Result<f32, WhyLeftOut> {
        let mut parts = if end > start { PARTS.0 } else { 0 };
        let bound = loop {
            let (measured, bound) = self.pass(start, end, parts)?;
            let noise = 16.0 * f32::EPSILON * self.sizes.iter().copied().fold(0.0, f32::max);
            let settled = bound <= self.top.max(measured * 1.05).max(noise);
            if settled || parts == 0 || parts >= PARTS.1 {
                break bound;
            }
            parts *= 2;
        };
        for (peak, found) in self.peaks.iter_mut().zip(&self.found) {
            if found.0 > peak.0 {
                *peak = *found;
            }
            self.top = self.top.max(peak.0);
        }
        Ok(bound)
    }

    /// Measures at `parts + 1` times and leaves in `found` a bound for each joint. Returns the largest error measured
    /// and the largest bound.
    ///
    /// Between two measured times a difference leaves the straight line by no more than an eighth of the step squared
    /// times its second derivative. Three neighbouring times tell that derivative; it is taken twice.
    fn pass(&mut self, start: f32, end: f32, parts: usize) -> Result<(f32, f32), WhyLeftOut> {
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
    fn differ(&mut self, t: f32) -> Result<(), WhyLeftOut> {
        let skeleton = self.bank.skeleton();
        self.clip.sample_on_rest(skeleton, t, &mut self.exact_pose);
        model_matrices_f64(skeleton, &self.exact_pose, &mut self.exact);
        self.bank.sample(self.bank.locate(self.index, t), &mut self.pose);
        if self.clip.is_additive() {
            // As the exact clip was: a difference by itself has no model matrices.
            for (joint, rest) in self.pose.iter_mut().zip(skeleton.rest()) {
                *joint = added_to(rest, &joint.as_dtransform()).as_transform();
            }
        }
        model_matrices(skeleton, &self.pose, &mut self.baked);
        for joint in 0..self.pose.len() {
            let (a, b) = (columns(&self.exact[joint]), columns(&self.baked[joint].as_daffine3()));
            let difference: Difference = std::array::from_fn(|i| (a[i] - b[i]).as_vec3a());
            if !difference.iter().all(|column| column.length_squared().is_finite()) {
                return Err(WhyLeftOut::not_finite(skeleton, joint, t));
            }
            self.recent[2][joint] = difference;
            let size = a.into_iter().chain(b).map(|c| c.abs().max_element()).fold(0.0, f64::max);
            self.sizes[joint] = self.sizes[joint].max(size as f32);
        }
        Ok(())
    }

    /// What two right evaluations of each joint may differ by: it grows with each joint of the chain.
    fn rounding(&self) -> Vec<f32> {
        let mut chain: Vec<(f32, f32)> = Vec::with_capacity(self.sizes.len());
        for (joint, parent) in self.bank.skeleton().parents().iter().enumerate() {
            let (depth, size) = parent.map_or((0.0, 0.0), |p| chain[p.get()]);
            chain.push((depth + 1.0, self.sizes[joint].max(size)));
        }
        chain.into_iter().map(|(depth, size)| (16.0 + 4.0 * depth) * f32::EPSILON * size).collect()
    }
}

fn columns(m: &DAffine3) -> [DVec3; 4] {
    [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation]
}

/// The length of the longest column.
fn longest(difference: Difference) -> f32 {
    let squares = difference.map(|column| column.length_squared());
    squares.into_iter().fold(0.0, f32::max).sqrt()
}
