//! What columns move through, and where sixteen bits of that are too few.
//!
//! All clips of a bank share the range of a column. One clip that travels far makes the steps of all others coarse; so do
//! scales and turns of a joint from which others are far. A column's step is therefore measured where it shows: as the
//! distance that it moves a joint in model space.

use glam::{Affine3A, DVec3};
use throng_tracks::{Bank, Skeleton, Transform, extent, largest_coordinate, model_matrices};

use super::compile::Rewrite;
use super::pack::ONE;

/// How far, as a part of the skeleton's size, rounding four columns to sixteen bits may move any joint: 0.04 mm of 1.8 m.
const LARGEST_STEP: f64 = 2e-5;

/// How far, as a part of the skeleton's size, vertices are from a joint at least.
const SHELL: f64 = 0.05;

/// What a column moves through.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) middle: f64,
    pub(super) half: f64,
}

impl Range {
    /// Of one column of those rows that are additive, or are not.
    pub(super) fn of(rows: &[f32], stride: usize, which: impl Fn(usize) -> bool, column: usize) -> Self {
        let rows = rows.chunks_exact(stride).enumerate().filter(|(row, _)| which(*row));
        let (low, high) = rows
            .map(|(_, row)| f64::from(row[column]))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            return Self { middle: 0.0, half: 0.0 };
        }
        Self { middle: f64::midpoint(low, high), half: (high - low) / 2.0 }
    }

    /// From -1 to 1.
    pub(super) fn part(self, v: f64) -> f64 {
        if self.half > 0.0 { (v - self.middle) / self.half } else { 0.0 }
    }
}

/// By joint, the longest way along the joints below it.
fn arms(skeleton: &Skeleton, models: &[Affine3A]) -> Vec<f64> {
    let mut arms = vec![0.0f64; models.len()];
    for (joint, parent) in skeleton.parents().iter().enumerate().rev() {
        let Some(parent) = parent else { continue };
        let away = f64::from(models[parent.get()].translation.distance(models[joint].translation));
        arms[parent.get()] = arms[parent.get()].max(away + arms[joint]);
    }
    arms
}

/// What a step of a joint's columns does in model space.
pub(super) struct Steps<'a> {
    skeleton: &'a Skeleton,
    rest: Vec<Affine3A>,
    /// By joint, how far any joint below it is from it.
    arms: Vec<f64>,
    /// The largest distance that is allowed.
    limit: f64,
}

/// How far a joint moves where a number changes: the first three numbers of four, and the last.
pub(super) type Lever = [f64; 2];

impl<'a> Steps<'a> {
    pub(super) fn new(bank: &'a Bank) -> Self {
        let skeleton = bank.skeleton();
        let models = |pose: &[Transform]| {
            let mut models = vec![Affine3A::IDENTITY; skeleton.joint_count()];
            model_matrices(skeleton, pose, &mut models);
            models
        };
        // Some files have a rest in which all joints are in one point.
        let (rest, held) = (models(skeleton.rest()), models(bank.constants()));
        let [size, other] = [&rest, &held].map(|pose| f64::from(extent(pose).max(largest_coordinate(pose))));
        let size = [size, other, 1.0].into_iter().find(|size| *size > 0.0 && size.is_finite()).unwrap_or(1.0);
        let arms = arms(skeleton, &rest).into_iter().zip(arms(skeleton, &held));
        // Where nothing is below a joint, it has vertices.
        let arms = arms.map(|(rest, held)| rest.max(held).max(SHELL * size)).collect();
        Self { skeleton, rest, arms, limit: LARGEST_STEP * size }
    }

    /// The columns of a joint, four each, with their levers.
    pub(super) fn levers(&self, rewrite: &Rewrite) -> impl Iterator<Item = (usize, Lever)> + use<> {
        let scale_of = |joint: usize| {
            let m = self.rest[joint].matrix3;
            [m.x_axis, m.y_axis, m.z_axis]
                .map(|axis| f64::from(axis.length()))
                .into_iter()
                .fold(0.0, f64::max)
        };
        let (joint, parent) = (rewrite.joint, self.skeleton.parents()[rewrite.joint]);
        let above = parent.map_or(1.0, |parent| scale_of(parent.get()));
        let (arm, own) = (self.arms[joint], scale_of(joint));
        // Of a joint that is scaled to nothing there is no telling what is below it.
        let reach = if own > 0.0 { above * arm / own } else { above };
        let moved = above / rewrite.parent.scale.abs();
        // Twice, since a rotation's angle is twice that of its quaternion.
        let rotation = (rewrite.rotation_to, [2.0 * arm; 2]);
        let translation = rewrite.translation_to.map(|at| (at, [moved, reach / rewrite.scale.abs()]));
        let axes = rewrite.axes_to.map(|at| (at, [reach / rewrite.parent.scale.abs(); 2]));
        std::iter::once(rotation).chain(translation).chain(axes)
    }

    /// Whether half a step of each number, in these ranges, moves no joint farther than is allowed.
    pub(super) fn suffice(&self, ranges: &[Range; 4], lever: Lever) -> bool {
        let half_steps = ranges.map(|range| range.half / (2.0 * ONE));
        let first = DVec3::from_slice(&half_steps).length() * lever[0];
        let last = half_steps[3] * lever[1];
        // No math library, whose last bits differ from platform to platform.
        (first * first + last * last).sqrt() <= self.limit
    }
}
