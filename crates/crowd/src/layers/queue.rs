//! Playbacks that wait for another: their place is taken, but nothing of them plays or is seen.
//!
//! At the beginning of a step of time each is told how far the one that it waits for will come. If that is far enough, it
//! begins in this step, after a delay that leaves it what is left over of the step. So clocks move in any order, and one can
//! wait for another that waits itself: that one joined the queue earlier.

use super::Layers;
use super::advance::Step;
use super::motion::Cut;
use super::told::{Moved, tell};
use crate::events::Events;
use crate::fade::Fade;
use crate::ids::Slots;
use crate::sync::sync;
use crate::{Crossfade, InstanceId, PlaybackId};
use throng_tracks::Advanced;

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
    /// Lets those begin whose time comes within a step.
    pub(super) fn begin_queued(&mut self, step: Step<'_>, events: &mut Events) {
        if self.queue.is_empty() {
            return;
        }
        let slots = step.slots;
        let mut queue = std::mem::take(&mut self.queue);
        queue.retain_mut(|queued| {
            let slot = queued.instance.slot();
            let waits = slots.find(queued.instance).is_ok()
                && self.is_queued(slot, queued.place)
                && self.serial(slot, queued.place) == queued.serial;
            if !waits {
                return false;
            }
            let Some(wait_s) = self.wait(queued, step.dt, slots) else { return true };
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
        if self.is_queued(slot, place) {
            return None;
        }
        // It may come far enough, to its clip's end, or to that of its weight.
        let mut wait_s = f64::INFINITY;
        if columns.kinds[slot].is_leaving() {
            wait_s = columns.fades[slot].left_s().max(0.0);
        }
        let delay_s = columns.waits_s[slot];
        if !columns.is_frozen(slot) && delay_s <= dt {
            wait_s = wait_s.min(delay_s + queued.left_s);
            queued.left_s -= dt - delay_s;
            let mut clock = columns.state(slot);
            let advanced = clock.advance(&columns.terms(slot), dt).expect("time is finite, 0 or above");
            wait_s = wait_s.min(advanced.overshoot_s.map_or(f64::INFINITY, |left_s| dt - left_s));
        }
        (wait_s <= dt).then_some(wait_s)
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
                if let Some(main) = self.main(slot).filter(|_| synced) {
                    let mut other = self.at(main).clock(bank, slot);
                    if !self.at(main).kinds[slot].is_paused() {
                        other.advance(wait_s).expect("time is finite, 0 or above");
                    }
                    sync(&mut clock, &other);
                }
                self.run_until_cut(slot, instance, (seconds, wait_s), step, events);
                let left = self.leave(slot, seconds, wait_s, true);
                let left = left.expect("it has a place");
                left.tell(instance, events);
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
        let mut told = std::mem::take(&mut self.cut);
        for place in self.used(slot) {
            let columns = &mut self.places[place];
            let (mut kind, fade) = (columns.kinds[slot], columns.fades[slot]);
            if !kind.is_crossfaded() || seconds > 0.0 && fade.weight > 0.0 {
                continue;
            }
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
            tell(step.bank, instance, &mut kind, &Moved { clip, terms, before, after, advanced }, &mut told);
            columns.set_state(slot, &after);
            columns.kinds[slot] = kind;
            let Some(motion) = self.motion.as_ref().filter(|_| step.dt > 0.0) else { continue };
            let mask = motion.mask(step.masks, columns.masks[slot]);
            let weight = mask * fade.mean([before.wait_s.min(wait_s), wait_s]);
            let share = mask * fade.mean([0.0, wait_s]) * (wait_s / step.dt) as f32;
            let travel = terms.travel(&before, &after);
            let way = motion.along(step.bank, clip, &travel).filter(|_| !kind.is_external());
            self.cuts.push(Cut { slot: slot as u32, step: way.unwrap_or_default(), weight, share });
        }
        told.drain(..).for_each(|event| events.tell(event.playback, event.kind));
        self.cut = told;
    }
}
