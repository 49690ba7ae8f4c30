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

    /// The step of a slot's instance; none at all if nobody lives there.
    #[inline]
    pub(crate) fn step(&self, slot: usize) -> Placement {
        match self.layers.whole(slot) {
            Some(playing) if !self.layers.has_ended(slot) => self.of_one(playing, slot),
            _ => self.of_many(slot),
        }
    }

    #[inline]
    fn of_one(&self, playing: &Playbacks, slot: usize) -> Placement {
        if playing.kinds[slot].is_external() {
            return Placement::IDENTITY;
        }
        let travel = playing.travel(slot);
        match self.bank.clips()[playing.clip(slot)].motion() {
            Some(motion) if !travel.is_empty() => motion.along(&travel),
            _ => Placement::IDENTITY,
        }
    }

    fn of_many(&self, slot: usize) -> Placement {
        let mut blend = MotionBlend::default();
        for place in self.layers.used(slot).chain(self.layers.ended(slot)) {
            let playing = self.layers.at(place);
            if !playing.kinds[slot].is_additive() {
                blend.add(&self.of_one(playing, slot), self.weight(playing, slot));
            }
        }
        blend.step()
    }

    /// The weight that a playback has at the joint that moves the character.
    fn weight(&self, playing: &Playbacks, slot: usize) -> f32 {
        // What comes to its rest in this very step went a way before.
        let went = !playing.travel(slot).is_empty();
        let weight = if went { playing.fades[slot].weight } else { playing.shown_weight(slot) };
        let row = usize::from(playing.masks[slot]);
        let mask = self.masks.filter(|_| row > 0).and_then(|masks| masks.weights(row));
        weight * mask.map_or(1.0, |mask| mask[self.joint.get()])
    }
}
