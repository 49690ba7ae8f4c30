//! Playbacks that wait for another: their place is taken, but nothing of them plays or is seen.
//!
//! At the beginning of a step of time each is told how far the one that it waits for will come. If that is far enough, it
//! begins in this step, after a delay that leaves it what is left over of the step. So clocks move in any order, and one can
//! wait for another that waits itself: that one joined the queue earlier.

use throng_tracks::Advanced;

use super::Layers;
use super::advance::Step;
use super::motion::Cut;
use super::told::{Moved, tell};
use crate::events::Events;
use crate::fade::Fade;
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

/// How a playback runs in a step.
#[derive(Clone, Copy)]
pub(super) struct Last {
    /// Seconds until its clock moves; none if it does not.
    delay_s: Option<f64>,
    /// Seconds until it is over; infinite, or more than the step has, if it is not yet.
    end_s: f64,
}

impl Layers {
    /// Lets those begin whose time comes within a step.
    pub(super) fn begin_queued(&mut self, step: Step<'_>, events: &mut Events) {
        if self.queue.is_empty() {
            return;
        }
        self.lasts.clear();
        let slots = step.slots;
        let mut queue = std::mem::take(&mut self.queue);
        let mut ready = std::mem::take(&mut self.ready);
        loop {
            queue.retain(|queued| {
                let slot = queued.instance.slot();
                slots.find(queued.instance).is_ok()
                    && self.is_queued(slot, queued.place)
                    && self.serial(slot, queued.place) == queued.serial
            });
            // In the order of time, for whoever begins may cut what others wait for; and once more if any began.
            ready.clear();
            let waits = queue.iter().enumerate();
            ready.extend(waits.filter_map(|(i, queued)| Some((self.wait(queued, step)?, i))));
            if ready.is_empty() {
                break;
            }
            ready.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for &(_, i) in &ready {
                if let Some(wait_s) = self.wait(&queue[i], step) {
                    self.begin(&queue[i], wait_s, step, events);
                }
            }
        }
        self.ready = ready;
        for queued in &mut queue {
            if let Some(delay_s) = self.last_of(queued.other, step).and_then(|last| last.delay_s) {
                queued.left_s -= (step.dt - delay_s).max(0.0);
            }
        }
        self.queue = queue;
    }

    /// After how many seconds of the step one begins; none if it doesn't yet.
    fn wait(&self, queued: &Queued, step: Step<'_>) -> Option<f64> {
        let Some(last) = self.last_of(queued.other, step) else { return Some(0.0) };
        let ran_s = last.delay_s.map_or(f64::INFINITY, |delay_s| delay_s + queued.left_s);
        let wait_s = ran_s.min(last.end_s);
        (wait_s <= step.dt).then_some(wait_s.max(0.0))
    }

    /// How a playback runs in a step, or ran until it was cut in it; none if it is no more.
    fn last_of(&self, playback: PlaybackId, step: Step<'_>) -> Option<Last> {
        let slot = step.slots.find(playback.instance).ok()?;
        match self.find(slot, playback.serial) {
            Some(place) if self.is_queued(slot, place) => Some(Last { delay_s: None, end_s: f64::INFINITY }),
            Some(place) => Some(self.last(slot, place, step.dt)),
            None => self.lasts.iter().find(|(cut, _)| *cut == playback).map(|(_, last)| *last),
        }
    }

    fn last(&self, slot: usize, place: usize, dt: f64) -> Last {
        let columns = self.at(place);
        if columns.is_finished(slot) {
            return Last { delay_s: None, end_s: 0.0 };
        }
        // Its clip may end, or its weight.
        let leaving = columns.kinds[slot].is_leaving();
        let mut end_s = if leaving { columns.fades[slot].left_s().max(0.0) } else { f64::INFINITY };
        let delay_s = columns.waits_s[slot];
        if columns.is_frozen(slot) || delay_s > dt {
            return Last { delay_s: None, end_s };
        }
        let mut clock = columns.state(slot);
        let advanced = clock.advance(&columns.terms(slot), dt).expect("time is finite, 0 or above");
        if let Some(left_s) = advanced.overshoot_s {
            end_s = end_s.min(dt - left_s);
        }
        Last { delay_s: Some(delay_s), end_s }
    }

    fn begin(&mut self, queued: &Queued, wait_s: f64, step: Step<'_>, events: &mut Events) {
        let bank = step.bank;
        let Queued { instance, place, begin, .. } = *queued;
        let slot = instance.slot();
        let mut clock = self.at(place).clock(bank, slot);
        let main = self.main(slot);
        let seconds = match begin {
            Begin::Beside(seconds) => seconds,
            Begin::Crossfade(Crossfade { seconds, synced }) => {
                if let Some(main) = main.filter(|_| synced) {
                    let mut other = self.at(main).clock(bank, slot);
                    if !self.at(main).kinds[slot].is_paused() {
                        other.advance(wait_s).expect("time is finite, 0 or above");
                    }
                    sync(&mut clock, &other);
                }
                self.run_until_cut(slot, instance, (seconds, wait_s), step, events);
                let left = self.leave(slot, seconds, wait_s, true);
                let left = left.expect("it has a place");
                left.tell((self.used.len(), instance), events);
                seconds
            }
        };
        // The delay of a clock that stands still would never be over.
        if !self.at(place).is_frozen(slot) {
            clock.set_delay(clock.delay_s() + wait_s).expect("delays and steps are finite, 0 or above");
        }
        let columns = &mut self.places[place];
        columns.set_clock(slot, &clock);
        columns.fades[slot] = Fade::rise(columns.fades[slot].goal(), seconds, wait_s);
        self.queued[slot] &= !(1 << place);
        self.used[slot] |= 1 << place;
        if matches!(begin, Begin::Crossfade(_)) {
            self.put_ahead(slot, place, main);
        }
        self.settle(slot);
    }

    /// Moves the clocks of those that a crossfade in the middle of a step ends at once, up to there: what they come by is
    /// told, and where they lead counts.
    fn run_until_cut(
        &mut self,
        slot: usize,
        instance: InstanceId,
        (seconds, wait_s): (f32, f64),
        step: Step<'_>,
        events: &mut Events,
    ) {
        let (mut told, slots) = (std::mem::take(&mut self.cut), self.used.len());
        told.begin(events.options.cap_of(slots));
        for place in self.used(slot) {
            let mut last = self.last(slot, place, step.dt);
            last.end_s = last.end_s.min(wait_s);
            let columns = &mut self.places[place];
            let (mut kind, fade) = (columns.kinds[slot], columns.fades[slot]);
            if !kind.is_crossfaded() || seconds > 0.0 && fade.weight_in(wait_s) > 0.0 {
                continue;
            }
            self.lasts.push((PlaybackId { instance, serial: kind.serial }, last));
            let (terms, before) = (columns.terms(slot), columns.state(slot));
            let run = |dt: f64| {
                let mut after = before;
                let advanced = after.advance(&terms, dt).expect("time is finite, 0 or above");
                (after, advanced)
            };
            // Whose end the cut is, is run to that end, whatever the difference of two times rounds to.
            let (after, advanced) = match run(step.dt) {
                _ if kind.is_paused() => (before, Advanced::default()),
                ended if ended.1.overshoot_s.is_some_and(|left_s| step.dt - left_s <= wait_s) => ended,
                _ => run(wait_s),
            };
            let clip = columns.clips[slot];
            let moved = Moved { clip, terms, before, after, advanced };
            let recorded = self.recorded[clip as usize];
            tell((step.bank, recorded), instance, &mut kind, &moved, &mut told);
            columns.set_state(slot, &after);
            columns.kinds[slot] = kind;
            let Some(motion) = self.motion.as_ref().filter(|_| step.dt > 0.0) else { continue };
            let mask = motion.mask(step.masks, columns.masks[slot]);
            let ends = advanced.overshoot_s.is_some();
            let ended_s = if ends { last.end_s } else { wait_s };
            let shown_s = if ends && (kind.rests() || kind.is_removed()) { ended_s } else { wait_s };
            let began_s = before.wait_s.min(ended_s);
            let [weight, share] = fade.parts([began_s, ended_s], shown_s, step.dt).map(|part| mask * part);
            let travel = terms.travel(&before, &after);
            let way = motion.along(step.bank, clip, &travel).filter(|_| !kind.is_external());
            self.cuts.push(Cut { slot: slot as u32, step: way.unwrap_or_default(), weight, share });
        }
        events.tell_list(slots, &told);
        self.cut = told;
    }
}
