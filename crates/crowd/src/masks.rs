//! Masks of joints that layers share.

use std::fmt;

use throng_kernels::{MAX_MASK, Masks};

use crate::CrowdError;

/// Names a mask of one [`Crowd`](crate::Crowd): made by [`Crowd::add_mask`](crate::Crowd::add_mask).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaskId(u16);

impl MaskId {
    /// Which mask of its crowd, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    pub(crate) fn of_row(row: u16) -> Option<Self> {
        (row > 0).then_some(Self(row))
    }

    /// Where it stands in the table, whose first row is of those without a mask.
    pub(crate) fn row(mask: Option<Self>) -> u16 {
        mask.map_or(0, |mask| mask.0)
    }
}

impl fmt::Display for MaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index())
    }
}

/// All masks; the first has 1 for every joint.
#[derive(Default)]
pub(crate) struct MaskTable(Option<Masks>);

impl MaskTable {
    pub(crate) fn get(&self) -> Option<&Masks> {
        self.0.as_ref()
    }

    /// How many were added.
    pub(crate) fn count(&self) -> usize {
        self.0.as_ref().map_or(0, |masks| masks.count() - 1)
    }

    pub(crate) fn check(&self, mask: Option<MaskId>) -> Result<(), CrowdError> {
        let masks = self.count();
        match mask {
            Some(mask) if mask.index() >= masks => Err(CrowdError::NoSuchMask { mask, masks }),
            _ => Ok(()),
        }
    }

    pub(crate) fn add(&mut self, joints: usize, weights: &[f32]) -> Result<MaskId, CrowdError> {
        if weights.len() != joints {
            return Err(CrowdError::MaskJoints { found: weights.len(), joints });
        }
        if let Some(joint) = weights.iter().position(|w| !(0.0..=MAX_MASK).contains(w)) {
            return Err(CrowdError::MaskWeight { joint, weight: weights[joint] });
        }
        let masks = self.count();
        let row = u16::try_from(masks + 1).map_err(|_| CrowdError::TooManyMasks { masks })?;
        let mut all = vec![1.0; joints];
        if let Some(before) = &self.0 {
            all = (0..before.count()).filter_map(|mask| before.weights(mask)).flatten().copied().collect();
        }
        all.extend(weights);
        self.0 = Some(Masks::new(joints, all).map_err(|_| CrowdError::TooManyMasks { masks })?);
        Ok(MaskId(row))
    }
}
