//! Who is posed in a frame, and who keeps the palette of one before.
//!
//! An instance of interval `n` is due where the frame's number leaves the remainder of its phase when divided by `n`.
//! Phases come from slots by the golden ratio, which spreads any run of slots, and nearly any choice among them, evenly
//! over the frames: so none has to know of others. A slot counts down to its turn, and finds the next one when it comes. Hence whoever was posed out of
//! turn is back in step after one interval that is shorter.

use throng_tracks::Bank;

use crate::between::{Between, Step};
use crate::budget::Budget;
use crate::detail::Details;
use crate::ids::Slots;
use crate::layers::Layers;
use crate::sharing::Sharing;

/// A slot that is due whatever its interval is: a palette of its instance was never written, or not since it was hidden.
const FRESH: u8 = u8::MAX;

/// Whose turn it is, in frames that write to one place.
#[derive(Default)]
pub(crate) struct Turns {
    /// Whether anybody waits at all.
    active: bool,
    /// The number of the next frame.
    frame: u32,
    /// By slot, for how many frames it is not due, or [`FRESH`]. Empty unless active.
    wait: Vec<u8>,
    pub(crate) between: Between,
}

impl Turns {
    /// From now on some wait.
    pub(crate) fn activate(&mut self, slots: usize) {
        self.active = true;
        if self.wait.len() < slots {
            self.wait.resize(slots, FRESH);
        }
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        if self.active {
            self.wait.reserve(more);
        }
    }

    /// A slot, there or the next, is due in the next frame.
    pub(crate) fn freshen(&mut self, slot: usize) {
        if !self.active {
            return;
        }
        match self.wait.get_mut(slot) {
            Some(wait) => *wait = FRESH,
            None => self.wait.resize(slot + 1, FRESH),
        }
    }

    /// All slots are due in the next frame.
    pub(crate) fn freshen_all(&mut self) {
        self.wait.fill(FRESH);
    }

    /// For how many frames more a slot waits.
    pub(crate) fn wait(&self, slot: usize) -> u8 {
        self.wait[slot]
    }

    /// A slot's interval is another now.
    pub(crate) fn change(&mut self, slot: usize, before: u8, now: u8) {
        let Some(wait) = self.wait.get_mut(slot).filter(|wait| **wait != FRESH) else { return };
        let turn = to_turn(self.frame, slot, now);
        // Who was posed in each frame was so in the last; who waits already shall not wait longer than that.
        *wait = if before == 1 { turn } else { turn.min(*wait) };
    }
}

/// How many frames from `frame` on are not a slot's turn.
fn to_turn(frame: u32, slot: usize, interval: u8) -> u8 {
    let interval = u32::from(interval.max(1));
    // A part of 2^32.
    let spread = (slot as u32).wrapping_mul(0x9e37_79b9);
    let phase = ((u64::from(spread) * u64::from(interval)) >> 32) as u32;
    ((phase + interval - frame % interval) % interval) as u8
}

/// What of a crowd says who is posed, and what follows from it.
pub(crate) struct Asked<'a> {
    pub(crate) slots: &'a Slots,
    pub(crate) details: &'a Details,
    pub(crate) layers: &'a Layers,
    pub(crate) bank: &'a Bank,
    pub(crate) turns: &'a mut Turns,
    pub(crate) budget: &'a mut Budget,
    pub(crate) sharing: &'a mut Sharing,
    /// Whether what is written of an instance serves no other, and no other frame.
    pub(crate) own: bool,
}

/// How a slot comes to its palette: it is posed, or mixed of two, or given that of the shared pose before this number.
pub(crate) type How = u32;
pub(crate) const POSED: How = 0;
pub(crate) const MIXED: How = u32::MAX;

/// The slots that a frame writes. Memory of a crowd, used again every frame.
#[derive(Default)]
pub(crate) struct Due {
    /// Ascending.
    pub(crate) slots: Vec<u32>,
    /// Of each of them; empty if all are posed.
    pub(crate) how: Vec<How>,
    /// How many poses are made.
    pub(crate) evaluated: usize,
    /// How many instances are given one that was made for another.
    pub(crate) shared: usize,
    /// How many visible instances are not posed.
    pub(crate) held: usize,
}

impl Due {
    /// Takes all that are visible and whose turn it is, and ends the turn.
    pub(crate) fn select(&mut self, asked: Asked<'_>) {
        self.how.clear();
        asked.sharing.clear();
        asked.turns.between.begin();
        if asked.turns.active {
            self.select_by_turns(asked);
        } else {
            self.select_visible(asked.slots);
        }
    }

    fn select_visible(&mut self, slots: &Slots) {
        self.slots.resize(slots.count(), 0);
        // Written always and counted if it is meant, for nobody can foresee who is hidden.
        let mut count = 0;
        for slot in 0..slots.count() {
            self.slots[count] = slot as u32;
            count += usize::from(slots.is_posed(slot));
        }
        self.slots.truncate(count);
        (self.evaluated, self.shared, self.held) = (count, 0, 0);
    }

    fn select_by_turns(&mut self, asked: Asked<'_>) {
        let Asked { slots, details, layers, bank, turns, budget, sharing, own } = asked;
        let count = slots.count();
        budget.begin();
        self.slots.clear();
        self.slots.reserve(count);
        self.how.reserve(count);
        let frame = turns.frame.wrapping_add(1);
        turns.frame = frame;
        let (mut posed, mut held, mut sharers) = (0, 0, 0);
        for (slot, wait) in turns.wait.iter_mut().enumerate().filter(|(slot, _)| slots.is_posed(*slot)) {
            let detail = details.get(slot);
            let interval = budget.interval(slot, detail.interval, detail.importance);
            let fresh = *wait == FRESH;
            let due = fresh || *wait == 0;
            *wait = if due { to_turn(frame, slot, interval) } else { *wait - 1 };
            held += usize::from(!due);
            let how = if detail.is_smooth() && !own {
                match turns.between.step(count, slot, (due, fresh), [*wait, interval]) {
                    Step::Pose => POSED,
                    Step::PoseAndMix | Step::Mix => MIXED,
                    Step::Keep => continue,
                }
            } else if !due {
                continue;
            } else if detail.share_s > 0.0
                && !own
                && let Some(playing) = layers.whole(slot)
            {
                sharers += 1;
                1 + sharing.pose(bank, (playing, slot), detail.share_s, detail.level, count)
            } else {
                POSED
            };
            posed += usize::from(due);
            self.slots.push(slot as u32);
            self.how.push(how);
        }
        self.shared = sharers - sharing.poses.len();
        (self.evaluated, self.held) = (posed - self.shared, held);
    }

    /// Those of `slots` from slot `first` on: which place the first of them has.
    pub(crate) fn from(slots: &[u32], first: usize) -> usize {
        slots.partition_point(|slot| (*slot as usize) < first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far the fullest and the emptiest of frames are from an even share, as a part of it.
    fn unevenness(slots: impl Iterator<Item = usize> + Clone, interval: u8) -> f64 {
        let share = slots.clone().count() as f64 / f64::from(interval);
        let frames = (0..u32::from(interval)).map(|frame| {
            let due = slots.clone().filter(|slot| to_turn(frame, *slot, interval) == 0).count();
            (due as f64 / share - 1.0).abs()
        });
        frames.fold(0.0, f64::max)
    }

    #[test]
    fn every_slot_has_one_turn_an_interval_and_all_frames_about_as_many() {
        for interval in [2, 3, 4, 5, 8, 16, 30, 100, u8::MAX] {
            for slot in (0..1000).chain([u32::MAX as usize]) {
                let turns = (0..u32::from(interval)).filter(|frame| to_turn(*frame, slot, interval) == 0);
                assert_eq!(turns.count(), 1, "slot {slot}, interval {interval}");
            }
            for step in [1, 2, 3, 4, 5, 7, 8, 10, 16, 32, 64, 100] {
                let off = unevenness((0..step * 20_000).step_by(step), interval);
                assert!(off < 0.15, "every {step}th slot at interval {interval}: {off}");
            }
        }
    }

    #[test]
    fn turns_go_on_where_frame_numbers_begin_again() {
        for interval in [1, 2, 3, 7, u8::MAX] {
            for slot in 0..100 {
                let wait = to_turn(u32::MAX, slot, interval);
                assert!(wait < interval);
            }
        }
    }
}
