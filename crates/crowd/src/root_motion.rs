//! Where the last step of time took each instance.

use throng_kernels::Masks;
use throng_tracks::{Bank, JointIndex, MotionBlend, Placement};

use crate::columns::Playbacks;
use crate::layers::Layers;

/// What steps are made of.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    bank: &'a Bank,
    layers: &'a Layers,
    masks: Option<&'a Masks>,
    joint: JointIndex,
}

impl<'a> Steps<'a> {
    /// None if the bank's clips lead nowhere.
    pub(crate) fn new(bank: &'a Bank, layers: &'a Layers, masks: Option<&'a Masks>) -> Option<Self> {
        Some(Self { bank, layers, masks, joint: bank.motion_joint()? })
    }

    /// The step of a slot's instance; none if it stays where it is, or nobody lives there.
    #[inline(always)]
    pub(crate) fn step(&self, slot: usize) -> Option<Placement> {
        match self.layers.whole(slot) {
            Some(playing) if !self.layers.has_ended(slot) => self.of_one(playing, slot),
            _ => self.of_many(slot),
        }
    }

    #[inline(always)]
    fn of_one(&self, playing: &Playbacks, slot: usize) -> Option<Placement> {
        let motion = self.bank.clips()[playing.clip(slot)].motion()?;
        let travel = playing.travel(slot);
        if travel.is_empty() {
            return None;
        }
        Some(motion.along(&travel))
    }

    #[inline(never)]
    fn of_many(&self, slot: usize) -> Option<Placement> {
        let (mut blend, mut went) = (MotionBlend::default(), false);
        let mut add = |place: usize| {
            let playing = self.layers.at(place);
            let kind = playing.kinds[slot];
            if !kind.is_additive() {
                let step = if kind.is_external() { None } else { self.of_one(playing, slot) };
                // What comes to its rest in this very step went a way before.
                let weight = match step {
                    Some(_) => playing.fades[slot].weight,
                    None => playing.shown_weight(slot),
                };
                went |= step.is_some();
                blend.add(&step.unwrap_or_default(), weight * self.mask(playing, slot));
            }
        };
        self.layers.used(slot).for_each(&mut add);
        if self.layers.has_ended(slot) {
            self.layers.ended(slot).for_each(&mut add);
        }
        went.then(|| blend.step())
    }

    /// What a playback's weight is multiplied with at the joint that moves the character.
    #[inline]
    fn mask(&self, playing: &Playbacks, slot: usize) -> f32 {
        let row = usize::from(playing.masks[slot]);
        match self.masks {
            Some(masks) if row > 0 => masks.weights(row).map_or(1.0, |mask| mask[self.joint.get()]),
            _ => 1.0,
        }
    }
}
