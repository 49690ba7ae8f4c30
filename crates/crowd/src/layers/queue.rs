//! Playbacks that wait for another: their place is taken, but nothing of them plays or is seen.
//!
//! At the beginning of a step of time each is told how far the one that it waits for will come. If that is far enough, it
//! begins in this step, after a delay that leaves it what is left over of the step. So clocks move in any order, and one can
//! wait for another that waits itself: that one joined the queue earlier.

use throng_tracks::Bank;

use super::Layers;
use super::advance::{Columns, Step};
use crate::events::Events;
use crate::fade::Fade;
use crate::ids::Slots;
use crate::sync::sync;
use crate::{Crossfade, InstanceId, PlaybackId};

/// When a playback begins that waits for another: see [`Crowd::play_after`](crate::Crowd::play_after).
///
/// However it ends, at its end, by a stop or with its instance, nobody waits for it any longer than that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum After {
    /// When that has run for so many seconds from now on: not counted are those for which it is paused, delayed or has a speed
    /// of 0.
    Ran(f32),
    /// When that has finished.
    Ended,
}

/// How it begins.
#[derive(Clone, Copy)]
pub(crate) enum Begin {
    /// Beside the others, its weight rising within so many seconds.
    Beside(f32),
    /// In place of the main one.
    Crossfade(Crossfade),
}

/// One that waits.
#[derive(Clone, Copy)]
pub(super) struct Queued {
    pub(super) instance: InstanceId,
    pub(super) place: usize,
    pub(super) serial: u32,
    pub(super) other: PlaybackId,
    /// Seconds that the other one has to run; infinite: all that it has.
    pub(super) left_s: f64,
    pub(super) begin: Begin,
}

impl Layers {
    /// Lets those begin whose time comes within the next `dt` seconds.
    pub(crate) fn begin_queued(&mut self, dt: f64, slots: &Slots, bank: &Bank, events: &mut Events) {
        if self.queue.is_empty() {
            return;
        }
        let step = Step { dt, slots, bank };
        let mut queue = std::mem::take(&mut self.queue);
        queue.retain_mut(|queued| {
            let slot = queued.instance.slot();
            let waits = slots.find(queued.instance).is_ok()
                && self.is_queued(slot, queued.place)
                && self.serial(slot, queued.place) == queued.serial;
            if !waits {
                return false;
            }
            let Some(wait_s) = self.wait(queued, dt, slots) else { return true };
            self.begin(queued, wait_s, step, events);
            false
        });
        self.queue = queue;
    }

    /// After how many seconds of the step one begins; none if it doesn't yet.
    fn wait(&self, queued: &mut Queued, dt: f64, slots: &Slots) -> Option<f64> {
        let other = queued.other;
        let place = slots.find(other.instance).ok().and_then(|slot| self.find(slot, other.serial));
        let Some(place) = place else { return Some(0.0) };
        let slot = other.instance.slot();
        let columns = self.at(place);
        if columns.is_finished(slot) {
            return Some(0.0);
        }
        if self.is_queued(slot, place) || columns.kinds[slot].is_paused() || columns.terms[slot].speed == 0.0
        {
            return None;
        }
        let delay_s = columns.clocks[slot].wait_s;
        if delay_s > dt {
            return None;
        }
        if queued.left_s <= dt - delay_s {
            return Some(delay_s + queued.left_s);
        }
        queued.left_s -= dt - delay_s;
        let mut clock = columns.clocks[slot];
        let advanced = clock.advance(&columns.terms[slot], dt).expect("time is finite, 0 or above");
        advanced.overshoot_s.map(|left_s| dt - left_s)
    }

    fn begin(&mut self, queued: &Queued, wait_s: f64, step: Step<'_>, events: &mut Events) {
        let bank = step.bank;
        let Queued { instance, place, begin, .. } = *queued;
        let slot = instance.slot();
        let mut clock = self.at(place).clock(bank, slot);
        let seconds = match begin {
            Begin::Beside(seconds) => seconds,
            Begin::Crossfade(Crossfade { seconds, synced }) => {
                if let Some(main) = self.main(slot).filter(|_| synced) {
                    let mut other = self.at(main).clock(bank, slot);
                    if !self.at(main).kinds[slot].is_paused() {
                        other.advance(wait_s).expect("time is finite, 0 or above");
                    }
                    sync(&mut clock, &other);
                }
                if seconds <= 0.0 {
                    self.run_until_cut(queued, wait_s, step, events);
                }
                let left = self.leave(slot, seconds, wait_s, true);
                let left = left.expect("it has a place");
                left.tell(instance, events);
                self.main[slot] = place as u8;
                seconds
            }
        };
        clock.set_delay(clock.delay_s() + wait_s).expect("delays and steps are finite, 0 or above");
        let columns = &mut self.places[place];
        columns.set_clock(slot, &clock);
        columns.fades[slot] = Fade::over(0.0, columns.fades[slot].weight, seconds).delayed(wait_s);
        self.queued[slot] &= !(1 << place);
        self.used[slot] |= 1 << place;
        self.settle(slot);
    }

    /// Moves the clocks of those that a cut in the middle of a step ends up to there, and tells what they come by.
    fn run_until_cut(&mut self, queued: &Queued, wait_s: f64, step: Step<'_>, events: &mut Events) {
        let slot = queued.instance.slot();
        let mut told = std::mem::take(&mut self.cut);
        for place in self.used(slot) {
            let serial = self.serial(slot, place);
            if !self.places[place].kinds[slot].is_crossfaded() {
                continue;
            }
            // Whose end it is, is run to that end, whatever the difference of two times rounds to.
            let own_end = queued.left_s == f64::INFINITY
                && queued.other == (PlaybackId { instance: queued.instance, serial });
            let step = Step { dt: if own_end { step.dt } else { wait_s }, ..step };
            Columns::of(&mut self.places[place]).run(step, slot, queued.instance, &mut told);
        }
        told.drain(..).for_each(|event| events.tell(event.playback, event.kind));
        self.cut = told;
    }
}
