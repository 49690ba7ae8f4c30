//! Who is posed in a frame, and who keeps the palette of one before.
//!
//! An instance of interval `n` is due where the frame's number leaves the remainder of its phase when divided by `n`.
//! Phases come from slots by the golden ratio, which spreads any run of slots, and nearly any choice among them, evenly
//! over the frames: so none has to know of others. A slot counts down to its turn, and finds the next one when it comes. Hence whoever was posed out of
//! turn is back in step after one interval that is shorter.
//!
//! A slot is *stale* from a change of what it shows until a frame poses it. Slots that are not stale are frozen: a frame
//! would write the same bits again, so it leaves them out, 64 at a time where it can.

use throng_tracks::Bank;

use crate::between::{Between, Step};
use crate::bits::{SlotSet, WORD, ones};
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
    /// Slots whose output may differ from what the last frame that posed them wrote to this place.
    stale: SlotSet,
    /// Slots that move between their turns and are not stale, but whose two poses are not yet the same.
    settling: SlotSet,
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

    pub(crate) fn reserve(&mut self, slots: usize) {
        if self.active {
            self.wait.reserve(slots.saturating_sub(self.wait.len()));
        }
        self.stale.reserve(slots);
        self.settling.reserve(slots);
    }

    /// Slots whose output may be another now.
    pub(crate) fn touch(&mut self, touched: &SlotSet, slots: usize) {
        self.stale.fit(slots);
        self.settling.fit(slots);
        let words = self.stale.words_mut().iter_mut().zip(touched.words());
        words.for_each(|(stale, touched)| *stale |= touched);
    }

    /// A slot, there or the next, is due in the next frame.
    pub(crate) fn freshen(&mut self, slot: usize) {
        self.stale.set(slot, true);
        if !self.active {
            return;
        }
        match self.wait.get_mut(slot) {
            Some(wait) => *wait = FRESH,
            None => self.wait.resize(slot + 1, FRESH),
        }
    }

    /// All of so many slots are due in the next frame.
    pub(crate) fn freshen_all(&mut self, slots: usize) {
        self.stale.fill(slots);
        self.wait.fill(FRESH);
    }

    /// For how many frames more a slot waits.
    pub(crate) fn wait(&self, slot: usize) -> u8 {
        self.wait[slot]
    }

    /// Ends the turn of a slot that is frozen: it keeps its palette, and later turns come when they would have come.
    #[inline]
    fn pass(&mut self, slot: usize, details: &Details) {
        let wait = &mut self.wait[slot];
        let due = matches!(*wait, 0 | FRESH);
        *wait = if !due {
            *wait - 1
        } else {
            match details.get(slot).interval {
                1 => 0,
                interval => to_turn(self.frame, slot, interval),
            }
        };
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
    /// Whether slots that are not stale are left out.
    pub(crate) skip_frozen: bool,
}

/// What a frame counts.
#[derive(Default)]
struct Counts {
    posed: usize,
    held: usize,
    sharers: usize,
}

impl Asked<'_> {
    /// Ends the turn of a slot that is visible: how its palette is made, unless the slot keeps it.
    fn turn(&mut self, slot: usize, counts: &mut Counts) -> Option<How> {
        let Self { slots, details, layers, bank, turns, budget, sharing, own, .. } = self;
        let (count, detail) = (slots.count(), details.get(slot));
        let interval = budget.interval(slot, detail.interval, detail.importance);
        let wait = &mut turns.wait[slot];
        let fresh = *wait == FRESH;
        let due = fresh || *wait == 0;
        *wait = if due { to_turn(turns.frame, slot, interval) } else { *wait - 1 };
        counts.held += usize::from(!due);
        let mut settling = false;
        let how = if detail.is_smooth() && !*own {
            match turns.between.step(count, slot, (due, fresh), [*wait, interval]) {
                Step::Pose => POSED,
                Step::PoseAndMix => {
                    settling = turns.stale.has(slot) && turns.between.has_two(slot);
                    MIXED
                }
                Step::Mix => MIXED,
                Step::Keep => return None,
            }
        } else if !due {
            return None;
        } else if detail.share_s > 0.0
            && !*own
            && let Some(playing) = layers.whole(slot)
        {
            counts.sharers += 1;
            1 + sharing.pose(bank, (playing, slot), detail.share_s, detail.level, count)
        } else {
            POSED
        };
        if due {
            counts.posed += 1;
            turns.stale.set(slot, false);
            turns.settling.set(slot, settling);
        }
        Some(how)
    }
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
    /// The same as a set.
    pub(crate) set: SlotSet,
    /// Of each of them; empty if all are posed.
    pub(crate) how: Vec<How>,
    /// How many poses are made.
    pub(crate) evaluated: usize,
    /// How many instances are given one that was made for another.
    pub(crate) shared: usize,
    /// How many visible instances are not posed, for it is not their turn.
    pub(crate) held: usize,
    /// How many visible instances are not posed, for nothing of them changed.
    pub(crate) frozen: usize,
}

impl Due {
    /// Takes all that are visible, stale and whose turn it is, and ends the turn.
    pub(crate) fn select(&mut self, mut asked: Asked<'_>) {
        self.how.clear();
        self.slots.clear();
        self.slots.reserve(asked.slots.count());
        self.set.fit(asked.slots.count());
        self.set.clear();
        asked.sharing.clear();
        asked.turns.between.begin();
        if asked.turns.active {
            self.select_by_turns(&mut asked);
        } else {
            self.select_visible(&mut asked);
        }
        self.list();
        let (live, hidden) = (asked.slots.live(), asked.slots.hidden());
        self.frozen = live - hidden - self.evaluated - self.shared - self.held;
    }

    /// Lists the slots of the set.
    pub(crate) fn list(&mut self) {
        self.slots.clear();
        for (first, word) in (0u32..).step_by(WORD).zip(self.set.words()) {
            if *word == u64::MAX {
                self.slots.extend(first..first + WORD as u32);
            } else {
                self.slots.extend(ones(*word).map(|slot| first + slot as u32));
            }
        }
    }

    fn select_visible(&mut self, asked: &mut Asked<'_>) {
        let (posed, stale) = (asked.slots.posed().words(), asked.turns.stale.words_mut());
        let mut count = 0;
        for ((due, posed), stale) in self.set.words_mut().iter_mut().zip(posed).zip(stale) {
            *due = if asked.skip_frozen { posed & *stale } else { *posed };
            *stale &= !*due;
            count += due.count_ones() as usize;
        }
        (self.evaluated, self.shared, self.held) = (count, 0, 0);
    }

    fn select_by_turns(&mut self, asked: &mut Asked<'_>) {
        asked.budget.begin();
        self.how.reserve(asked.slots.count());
        asked.turns.frame = asked.turns.frame.wrapping_add(1);
        let mut counts = Counts::default();
        for word in 0..self.set.words().len() {
            let visible = asked.slots.posed().word(word);
            let turns = &mut *asked.turns;
            let dirty =
                if asked.skip_frozen { turns.stale.word(word) | turns.settling.word(word) } else { u64::MAX };
            for slot in ones(visible & !dirty) {
                turns.pass(word * WORD + slot, asked.details);
            }
            for slot in ones(visible & dirty) {
                let slot = word * WORD + slot;
                if let Some(how) = asked.turn(slot, &mut counts) {
                    self.set.set(slot, true);
                    self.how.push(how);
                }
            }
        }
        self.shared = counts.sharers - asked.sharing.poses.len();
        (self.evaluated, self.held) = (counts.posed - self.shared, counts.held);
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
