//! How far the rows of a plan, as they are stored, are from those of its bank.
//!
//! The bake measures the bank's rows. A plan has them in palette space, rounded to `f32` or to sixteen bits: here each pair
//! of rows is brought back from there, and the poses compared.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use throng_tracks::bake::LargestError;
use throng_tracks::{DTransform, JointIndex, RowPair, ScaleColumns, model_matrices_f64};

use super::Plan;
use super::compile::Rewrite;
use super::pack::ONE;

/// What storing a bank's rows in a plan cost, told by [`Plan::row_error`].
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// The largest error of all clips.
    pub largest: LargestError,
    /// The clip it is in, if there is any.
    pub clip: Option<usize>,
    /// Of each clip of the bank, in order.
    pub clips: Vec<LargestError>,
    /// How many columns of a row are stored in sixteen bits.
    pub packed_columns: usize,
    /// How many are stored as floats: all of [`RowFormat::F32`](crate::RowFormat), else those that sixteen bits are too few
    /// for.
    pub float_columns: usize,
}

impl Plan {
    /// Measures how far poses from the plan's rows are from those of the [bank](Self::bank)'s rows: at each row, and in the
    /// middle between it and the next. As in a [`BakeReport`](throng_tracks::BakeReport), an error is the largest change of
    /// any column of any joint's model matrix, as a length, in the asset's unit; additive clips are measured on the rest
    /// pose. What the plan shows is off from the authored clip by no more than the bake's error and this one.
    ///
    /// It poses all rows of the bank twice in `f64`: a thing for tools, not for frames.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_kernels::{Plan, RowFormat};
    /// use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 0.1, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// let (bank, report) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let plan = Plan::with_rows(Arc::new(bank), &Skin::model_space(&skeleton), RowFormat::I16)?;
    /// let stored = plan.row_error();
    /// assert!(report.largest.error + stored.largest.error < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn row_error(&self) -> RowError {
        let packed = self.groups.iter().filter(|group| group.packed).count() * 4;
        let groups =
            |r: &Rewrite| 1 + usize::from(r.translation_to.is_some()) + usize::from(r.axes_to.is_some());
        let used: usize = self.rewrites.iter().map(|rewrite| 4 * groups(rewrite)).sum();
        let clips: Vec<LargestError> =
            (0..self.bank.clips().len()).map(|clip| Probe::new(self, clip).largest()).collect();
        let worst = (0..clips.len()).reduce(|a, b| if clips[b].error > clips[a].error { b } else { a });
        RowError {
            largest: worst.map_or_else(LargestError::default, |clip| clips[clip]),
            clip: worst,
            clips,
            packed_columns: packed,
            float_columns: used - packed,
        }
    }
}

/// Poses one clip from both.
struct Probe<'a> {
    plan: &'a Plan,
    clip: usize,
    additive: bool,
    poses: [Vec<DTransform>; 2],
    models: [Vec<DAffine3>; 2],
}

impl<'a> Probe<'a> {
    fn new(plan: &'a Plan, clip: usize) -> Self {
        let joints = plan.bank.skeleton().joint_count();
        Self {
            plan,
            clip,
            additive: plan.bank.clips()[clip].is_additive(),
            poses: [(); 2].map(|()| vec![DTransform::IDENTITY; joints]),
            models: [(); 2].map(|()| vec![DAffine3::IDENTITY; joints]),
        }
    }

    fn largest(&mut self) -> LargestError {
        let mut largest = LargestError::default();
        let plan = self.plan;
        for (row, [start_s, end_s]) in plan.bank.row_pairs(self.clip) {
            for fraction in [0.0, 0.5, 1.0] {
                self.pose(RowPair { row, fraction });
                let [bank, stored] = &self.models;
                for (joint, (a, b)) in bank.iter().zip(stored).enumerate() {
                    let error = distance(a, b) as f32;
                    if !(error <= largest.error) {
                        let joint = Some(JointIndex(joint as u16));
                        largest =
                            LargestError { error, joint, time_s: start_s + (end_s - start_s) * fraction };
                    }
                }
            }
        }
        largest
    }

    /// Model matrices of the bank's rows and of those stored.
    fn pose(&mut self, pair: RowPair) {
        let (plan, skeleton) = (self.plan, self.plan.bank.skeleton());
        let [bank, stored] = &mut self.poses;
        for (joint, pose) in bank.iter_mut().enumerate() {
            *pose = plan.of_bank(pair, joint);
        }
        stored.copy_from_slice(bank);
        for rewrite in plan.rewrites.iter() {
            stored[rewrite.joint] = plan.of_rows(pair, rewrite, self.additive, &bank[rewrite.joint]);
        }
        if self.additive {
            for (pose, rest) in
                bank.iter_mut().zip(skeleton.rest()).chain(stored.iter_mut().zip(skeleton.rest()))
            {
                let rest = rest.as_dtransform();
                pose.rotation = rest.rotation * pose.rotation;
                pose.translation += rest.translation;
                pose.scale *= rest.scale;
            }
        }
        for (pose, models) in self.poses.iter().zip(&mut self.models) {
            model_matrices_f64(skeleton, pose, models);
        }
    }
}

impl Plan {
    /// A joint between two rows of the bank.
    fn of_bank(&self, pair: RowPair, joint: usize) -> DTransform {
        let (bank, stride) = (&self.bank, self.bank.row_stride());
        let columns = bank.columns()[joint];
        let four = |at: u32| {
            let row = |row: u32| four(&bank.rows()[row as usize * stride + at as usize..]);
            row(pair.row).lerp(row(pair.row + 1), f64::from(pair.fraction))
        };
        let mut pose = bank.constants()[joint].as_dtransform();
        if let Some(at) = columns.rotation {
            pose.rotation = DQuat::from_vec4(four(at)).normalize();
        }
        if let Some(at) = columns.translation {
            let placing = four(at);
            pose.translation = placing.truncate();
            if columns.scale == ScaleColumns::Uniform {
                pose.scale = DVec3::splat(placing.w);
            }
        }
        if let ScaleColumns::Axes(at) = columns.scale {
            pose.scale = four(at).truncate();
        }
        pose
    }

    /// The same between two of the plan's, brought back from palette space; `bank` is that of the bank's rows.
    fn of_rows(&self, pair: RowPair, r: &Rewrite, additive: bool, bank: &DTransform) -> DTransform {
        let mut pose = *bank;
        let q = DQuat::from_vec4(self.stored(pair, r.rotation_to, additive));
        let left = if additive { r.right } else { r.left.inverse() };
        pose.rotation = (left * q * r.right.inverse()).normalize();
        let columns = self.bank.columns()[r.joint];
        if let Some(at) = r.translation_to {
            let placing = self.stored(pair, at, additive);
            let origin = if additive { DVec3::ZERO } else { r.parent.translation };
            pose.translation = r.parent.rotation.inverse() * ((placing.truncate() - origin) / r.parent.scale);
            if columns.scale == ScaleColumns::Uniform {
                pose.scale = DVec3::splat(placing.w / if additive { 1.0 } else { r.scale });
            }
        }
        if let Some(at) = r.axes_to {
            let factor = if additive { 1.0 } else { r.parent.scale };
            pose.scale = self.stored(pair, at, additive).truncate() / factor;
        }
        pose
    }

    /// Four columns between two rows, as kernels read them.
    fn stored(&self, pair: RowPair, at: usize, additive: bool) -> DVec4 {
        let stride = self.rows.stride;
        let floats: &[f32] = bytemuck::cast_slice(&self.rows.lines);
        let row = |row: u32| &floats[row as usize * stride + at..][..4];
        let Some(group) = self.groups.get(at / 4).filter(|group| group.packed) else {
            return four(row(pair.row)).lerp(four(row(pair.row + 1)), f64::from(pair.fraction));
        };
        let later = (f64::from(pair.fraction) * ONE).round_ties_even();
        let decoding = &group.decodings[usize::from(additive)];
        let number = |c: usize| {
            let bits = row(pair.row)[c].to_bits();
            let [a, b] = [bits as i16, (bits >> 16) as i16].map(f64::from);
            (a * (ONE - later) + b * later) * f64::from(decoding.scale[c]) + f64::from(decoding.offset[c])
        };
        DVec4::new(number(0), number(1), number(2), number(3))
    }
}

fn four(numbers: &[f32]) -> DVec4 {
    DVec4::new(numbers[0].into(), numbers[1].into(), numbers[2].into(), numbers[3].into())
}

/// The length of the column by which two matrices differ most.
fn distance(a: &DAffine3, b: &DAffine3) -> f64 {
    let columns = |m: &DAffine3| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
    columns(a).into_iter().zip(columns(b)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
}
