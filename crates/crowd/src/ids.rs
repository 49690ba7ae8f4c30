//! Slots, and ids that know when theirs was given to another.

use std::fmt;

use crate::CrowdError;
use crate::bits::SlotSet;

/// Names an instance of one [`Crowd`](crate::Crowd), for as long as it lives.
///
/// An id is a slot and a generation. Slots are used again, generations are not: the id of a despawned instance never
/// names another one. Written as `12v3`, slot 12 and generation 3. A crowd can't tell an id of another crowd from its
/// own if both slot and generation exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId {
    slot: u32,
    generation: u32,
}

impl InstanceId {
    /// The slot: where the instance's palette stands in a buffer, in palettes.
    #[must_use]
    pub fn slot(self) -> usize {
        self.slot as usize
    }

    /// The how-manieth instance of its slot it is, from 1.
    #[must_use]
    pub fn generation(self) -> u32 {
        self.generation.div_ceil(2)
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.slot, self.generation())
    }
}

/// Which slots there are, which of them live, and which of these are seen.
#[derive(Default)]
pub(crate) struct Slots {
    /// Odd while an instance lives there; one more at each spawn and each despawn.
    generations: Vec<u32>,
    /// Whether a live and visible instance is there: all that frames ask.
    posed: SlotSet,
    /// Dead slots to use again, the last one first.
    free: Vec<u32>,
    live: usize,
    hidden: usize,
}

impl Slots {
    /// Slots, dead ones included.
    pub(crate) fn count(&self) -> usize {
        self.generations.len()
    }

    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Live instances that are hidden.
    pub(crate) fn hidden(&self) -> usize {
        self.hidden
    }

    /// Whether the next [`take`](Self::take) opens a slot of its own.
    pub(crate) fn next_is_new(&self) -> bool {
        self.free.is_empty()
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        self.generations.reserve(more);
        self.posed.reserve(self.count() + more);
        self.free.reserve(more);
    }

    /// A slot for a new instance, used before or new. None if a `u32` can't count any more of them.
    pub(crate) fn take(&mut self) -> Option<InstanceId> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.generations.len()).ok()?;
                self.generations.push(0);
                slot
            }
        };
        let generation = &mut self.generations[slot as usize];
        *generation += 1;
        self.posed.set(slot as usize, true);
        self.live += 1;
        Some(InstanceId { slot, generation: *generation })
    }

    /// Gives the slot of a live id back.
    pub(crate) fn release(&mut self, id: InstanceId) -> Result<(), CrowdError> {
        let slot = self.find(id)?;
        self.live -= 1;
        self.hidden -= usize::from(!self.posed.has(slot));
        self.posed.set(slot, false);
        let generation = &mut self.generations[slot];
        *generation = generation.wrapping_add(1);
        // After two thousand million instances a slot's generations are used up: it stays dead.
        if *generation != 0 {
            self.free.push(id.slot);
        }
        Ok(())
    }

    /// The slot of a live id.
    pub(crate) fn find(&self, id: InstanceId) -> Result<usize, CrowdError> {
        match self.generations.get(id.slot()) {
            Some(&generation) if generation == id.generation => Ok(id.slot()),
            // Generations only go up; the largest is followed by 0 and then nothing.
            Some(&generation) if generation > id.generation || generation == 0 => {
                Err(CrowdError::Despawned { id })
            }
            _ => Err(CrowdError::NeverSpawned { id, slots: self.count() }),
        }
    }

    /// The id of a slot's instance.
    pub(crate) fn id(&self, slot: usize) -> InstanceId {
        InstanceId { slot: slot as u32, generation: self.generations[slot] }
    }

    /// Whether a slot's instance is to be posed: it lives and is visible.
    pub(crate) fn is_posed(&self, slot: usize) -> bool {
        self.posed.has(slot)
    }

    /// Whether an instance lives in a slot.
    pub(crate) fn is_live(&self, slot: usize) -> bool {
        self.generations[slot] % 2 == 1
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.generations.shrink_to_fit();
        self.free.shrink_to_fit();
    }

    /// The slots whose instances are to be posed.
    pub(crate) fn posed(&self) -> &SlotSet {
        &self.posed
    }

    /// Shows or hides the instance of a slot that lives.
    pub(crate) fn set_visible(&mut self, slot: usize, visible: bool) {
        self.hidden += usize::from(self.posed.has(slot));
        self.posed.set(slot, visible);
        self.hidden -= usize::from(visible);
    }

    /// The ids of all live instances, by slot.
    pub(crate) fn ids(&self) -> impl Iterator<Item = InstanceId> + '_ {
        let slots = (0u32..).zip(&self.generations);
        slots.filter(|(_, g)| *g % 2 == 1).map(|(slot, &generation)| InstanceId { slot, generation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_whose_generations_are_used_up_stays_dead() {
        let mut slots = Slots { generations: vec![u32::MAX - 1], free: vec![0], ..Slots::default() };
        let last = slots.take().unwrap();
        assert_eq!(last.to_string(), "0v2147483648");
        slots.release(last).unwrap();
        assert_eq!(slots.find(last), Err(CrowdError::Despawned { id: last }));
        assert!(!slots.is_posed(0));
        assert_eq!(slots.take().unwrap().slot(), 1);
    }
}
