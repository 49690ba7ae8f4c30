//! Where clips lead: what a bank tells of it, and the ways of those that are cut off in the middle of a step.

use throng_kernels::{Masks, MotionTable};
use throng_tracks::{Bank, JointIndex, Placement, Travel};

/// The root motion of a bank.
pub(crate) struct Motion {
    pub(super) table: MotionTable,
    joint: JointIndex,
}

/// The way of a playback that a cut ended in the middle of a step of time.
pub(super) struct Cut {
    pub(super) slot: u32,
    pub(super) step: Placement,
    /// Its weight on the way.
    pub(super) weight: f32,
    /// How much of what its instance showed it was, over the whole step.
    pub(super) share: f32,
}

impl Motion {
    /// None if the bank's clips lead nowhere.
    pub(super) fn new(bank: &Bank) -> Option<Self> {
        Some(Self { table: MotionTable::new(bank)?, joint: bank.motion_joint()? })
    }

    /// What the weight of a playback is multiplied with at the joint that moves the character.
    #[inline]
    pub(super) fn mask(&self, masks: Option<&Masks>, row: u16) -> f32 {
        match masks {
            Some(masks) if row > 0 => masks.weights(row.into()).map_or(1.0, |mask| mask[self.joint.get()]),
            _ => 1.0,
        }
    }

    /// Where a way through a clip leads.
    pub(super) fn along(&self, bank: &Bank, clip: u32, travel: &Travel) -> Option<Placement> {
        let motion = bank.clips()[clip as usize].motion()?;
        (!travel.is_empty()).then(|| motion.along(travel))
    }
}
