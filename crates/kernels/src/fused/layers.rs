//! What several layers of an instance are mixed from.

use thiserror::Error;
use throng_tracks::RowPair;

use super::job::JobError;
use crate::plan::{ExternalRows, Plan};

/// The most layers that a job blends.
pub const LAYERS: usize = 4;

/// The largest weight of a layer; of an additive one to either side of 0.
///
/// Up to here, in masks of up to [`MAX_MASK`], rotations and translations are finite whatever is blended. The scales of additive
/// clips are multiplied with each other, by layer and down the chain of joints: large weights of those can leave what a
/// float holds.
pub const MAX_WEIGHT: f32 = 1e6;

/// The largest weight of a joint in a mask.
pub const MAX_MASK: f32 = 8.0;

// From 2^23 on `1 - w`, rounded, can be what is then taken from it: the sum would be no rotation at all.
const _: () = assert!(MAX_WEIGHT * MAX_MASK < 8_388_608.0);

/// How a layer joins the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// By weighted average. What the weights of an instance leave of 1, the rest pose takes; above 1 they are divided by
    /// their sum.
    #[default]
    Average,
    /// On top of the average, as the difference that an [additive clip](throng_tracks::Clip::is_additive) shows.
    Additive,
}

/// One layer of all instances of a job.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// For each instance the rows it reads.
    pub pairs: &'a [RowPair],
    /// For each instance how much of them; not negative for averages, and no farther from 0 than [`MAX_WEIGHT`].
    pub weights: &'a [f32],
    /// How it joins the others.
    pub blend: Blend,
    /// Which joints it moves; none: all.
    pub mask: Option<LayerMask<'a>>,
    /// Whose rows `pairs` names: those of poses from elsewhere; none: the bank's.
    pub external: Option<&'a ExternalRows>,
}

impl<'a> Layer<'a> {
    /// Rows of the bank as part of an average, without a mask.
    #[must_use]
    pub fn new(pairs: &'a [RowPair], weights: &'a [f32]) -> Self {
        Self { pairs, weights, blend: Blend::Average, mask: None, external: None }
    }
}

/// For each instance the mask of its layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerMask<'a> {
    /// The masks there are.
    pub masks: &'a Masks,
    /// For each instance which of them.
    pub choice: &'a [u16],
}

/// Why masks can't be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MaskError {
    /// A mask has one weight for each joint.
    #[error("{found} weights are no whole number of masks of {joints} joints each, up to 65536 of them")]
    Count {
        /// Joints of the skeleton.
        joints: usize,
        /// Weights given.
        found: usize,
    },
    /// A weight multiplies that of a layer.
    #[error("mask {mask} has {weight} for joint {joint}, but a weight is a number from 0 to {MAX_MASK}")]
    Weight {
        /// Which mask.
        mask: usize,
        /// Which joint.
        joint: usize,
        /// What was given.
        weight: f32,
    },
}

/// Weights of joints, by which those of a layer are multiplied.
///
/// ```
/// use throng_kernels::Masks;
/// // Of three joints: all of them, and the last alone.
/// let masks = Masks::new(3, vec![1.0, 1.0, 1.0, 0.0, 0.0, 1.0])?;
/// assert_eq!(masks.count(), 2);
/// # Ok::<(), throng_kernels::MaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Masks {
    joints: usize,
    weights: Vec<f32>,
}

impl Masks {
    /// Masks one after the other, each with a weight for each of `joints` joints.
    ///
    /// # Errors
    /// If there is no whole number of masks, none at all, or a weight is not from 0 to [`MAX_MASK`].
    pub fn new(joints: usize, weights: Vec<f32>) -> Result<Self, MaskError> {
        let masks = weights.len().checked_div(joints).unwrap_or(0);
        if masks == 0 || masks > usize::from(u16::MAX) + 1 || masks * joints != weights.len() {
            return Err(MaskError::Count { joints, found: weights.len() });
        }
        if let Some(at) = weights.iter().position(|w| !(0.0..=MAX_MASK).contains(w)) {
            return Err(MaskError::Weight { mask: at / joints, joint: at % joints, weight: weights[at] });
        }
        Ok(Self { joints, weights })
    }

    /// How many masks there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.weights.len() / self.joints
    }

    /// Of how many joints each is.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// The weights of a mask, by joint.
    #[must_use]
    pub fn weights(&self, mask: usize) -> Option<&[f32]> {
        self.weights.chunks_exact(self.joints).nth(mask)
    }

    pub(super) fn table(&self) -> &[f32] {
        &self.weights
    }
}

/// Layers that were checked.
#[derive(Clone, Copy)]
pub(crate) struct Layers<'a> {
    pub(super) layers: &'a [Layer<'a>],
    /// Whether any instance may need the rest pose.
    pub(super) resting: bool,
}

/// Checks `layers` for as many instances as there are `places`.
pub(crate) fn check<'a>(plan: &Plan, layers: &'a [Layer<'a>], places: usize) -> Result<Layers<'a>, JobError> {
    if layers.is_empty() || layers.len() > LAYERS {
        return Err(JobError::LayerCount { found: layers.len() });
    }
    for (layer, l) in layers.iter().enumerate() {
        let choices = l.mask.map_or(places, |mask| mask.choice.len());
        for (what, found) in [("row pairs", l.pairs.len()), ("weights", l.weights.len()), ("masks", choices)]
        {
            if found != places {
                return Err(JobError::LayerLength { layer, what, found, places });
            }
        }
        let additive = l.blend == Blend::Additive;
        match l.external {
            Some(external) => check_external(plan, external, layer, l)?,
            None => check_rows(plan, l.pairs, additive)?,
        }
        let lightest = if additive { -MAX_WEIGHT } else { 0.0 };
        let wrong = |w: &f32| !(lightest..=MAX_WEIGHT).contains(w);
        if let Some(instance) = l.weights.iter().position(wrong) {
            return Err(JobError::Weight { layer, instance, weight: l.weights[instance] });
        }
        let Some(LayerMask { masks, choice }) = l.mask else { continue };
        let (found, joints) = (masks.joints(), plan.bank().skeleton().joint_count());
        if found != joints {
            return Err(JobError::MaskJoints { layer, found, joints });
        }
        let count = masks.count();
        if let Some(instance) = choice.iter().position(|&mask| usize::from(mask) >= count) {
            return Err(JobError::NoSuchMask { layer, instance, mask: choice[instance], count });
        }
    }
    let masked = layers.iter().any(|layer| layer.mask.is_some());
    let resting = masked
        || (0..places).any(|instance| {
            let averages = layers.iter().filter(|layer| layer.blend == Blend::Average);
            averages.fold(0.0, |sum: f32, layer| sum + layer.weights[instance]) < 1.0
        });
    Ok(Layers { layers, resting })
}

/// Whether a layer's poses are there, for rows like those of the plan.
fn check_external(plan: &Plan, external: &ExternalRows, layer: usize, l: &Layer<'_>) -> Result<(), JobError> {
    if l.blend == Blend::Additive {
        return Err(JobError::AdditivePose { layer });
    }
    if !plan.has_rows_of(external.plan()) {
        return Err(JobError::OtherRows { layer });
    }
    let poses = external.len();
    match l.pairs.iter().position(|p| p.row % 2 != 0 || p.row as usize / 2 >= poses) {
        Some(instance) => Err(JobError::NoSuchPose { layer, instance, row: l.pairs[instance].row, poses }),
        None => Ok(()),
    }
}

/// Whether the bank has the rows, of clips that are additive or not.
pub(super) fn check_rows(plan: &Plan, pairs: &[RowPair], additive: bool) -> Result<(), JobError> {
    let rows = plan.bank().row_count();
    if let Some(instance) = pairs.iter().position(|p| (p.row as usize).saturating_add(2) > rows) {
        return Err(JobError::NoSuchRow { instance, row: pairs[instance].row, rows });
    }
    if additive || plan.has_additive_rows() {
        let wrong = |pair: &RowPair| plan.is_additive_row(pair.row) != additive;
        if let Some(instance) = pairs.iter().position(wrong) {
            return Err(JobError::RowKind { instance, row: pairs[instance].row, additive });
        }
    }
    Ok(())
}
