//! What a step of a clock passed, in the order of its travel.

use std::ops::Range;

use throng_tracks::{Advanced, BankClip, ClockState, ClockTerms, Leg, Travel, WrapMode};

use super::{EventKind, EventKinds, EventList};
use crate::PlaybackId;

/// A step that a clock ran.
pub(crate) struct Passing<'a> {
    pub(crate) playback: PlaybackId,
    pub(crate) clip: u32,
    pub(crate) bank_clip: &'a BankClip,
    pub(crate) terms: &'a ClockTerms,
    pub(crate) before: &'a ClockState,
    pub(crate) after: &'a ClockState,
    pub(crate) advanced: Advanced,
    /// Whether it is the first since the playback began, which passes what is at its start, too.
    pub(crate) first: bool,
    /// The kinds that are recorded of its clip.
    pub(crate) recorded: EventKinds,
}

impl Passing<'_> {
    /// Tells markers and ends of passes, and whether it finished.
    ///
    /// A step is half open: what it began at was told by the one before. The end of a pass and the start of the next are two
    /// places of a loop, and one of a ping-pong, which turns there.
    pub(crate) fn tell(&self, events: &mut EventList) {
        let (terms, before, after) = (self.terms, self.before, self.after);
        if before.passes == after.passes && self.advanced.passes == 0 {
            // Nearly always it stays in its pass.
            let inside = |state: &ClockState| terms.inside_s(state.passes, state.phase_s);
            let leg = Leg { pass: before.passes as i64, from_s: inside(before), to_s: inside(after) };
            let up = terms.runs_up(before.passes) == (terms.speed >= 0.0);
            self.markers(&leg, up, self.first, events);
        } else {
            self.tell_passes(events);
        }
        if self.advanced.overshoot_s.is_some() {
            events.push(self.recorded, self.playback, EventKind::Finished);
        }
    }

    /// Tells what it passed in each pass. Once the list is full, the rest is counted and not gone through: a step can go
    /// through 2^50 passes.
    fn tell_passes(&self, events: &mut EventList) {
        let travel = self.terms.travel(self.before, self.after);
        let [from, to] = travel.passes();
        let looped = self.looped();
        let (step, count) = (if travel.is_forwards() { 1 } else { -1 }, (to - from).abs());
        // The pass whose end comes last has the event of all of them.
        let last_ended = looped.map_or(-1, |(pass, _)| (pass - from) * step);
        let marked = self.recorded.contains(EventKinds::MARKER) && !self.bank_clip.markers().is_empty();
        let mut number = 0;
        while number <= count {
            if number > 0 && (events.room() == 0 || !marked) {
                // Passes that are neither the first, nor the last that ended, nor behind it are all whole.
                let whole = (last_ended.min(count) - number).max(0);
                self.lose(&travel, [from + number * step, step], whole, events);
                number += whole;
            }
            let pass = from + number * step;
            let leg = travel.in_pass(pass);
            self.markers(&leg, self.is_up(&travel, pass), self.with_start(number > 0), events);
            if let Some((last, count)) = looped.filter(|_| number == last_ended) {
                let pass = last.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                events.push(self.recorded, self.playback, EventKind::Looped { pass, count });
            }
            number += 1;
        }
    }

    /// Counts what is in `whole` passes, from one on, as lost.
    fn lose(&self, travel: &Travel, [pass, step]: [i64; 2], whole: i64, events: &mut EventList) {
        if !self.recorded.contains(EventKinds::MARKER) {
            return;
        }
        // Those of a ping-pong are alike in turns, the others all.
        for (pass, passes) in [(pass, (whole + 1) / 2), (pass + step, whole / 2)] {
            if passes > 0 {
                let found =
                    self.found(&travel.in_pass(pass), self.is_up(travel, pass), self.with_start(true));
                events.lost.add(self.playback, (found.len() as u64).saturating_mul(passes as u64));
            }
        }
    }

    /// Whether the clip's time rises in a pass.
    fn is_up(&self, travel: &Travel, pass: i64) -> bool {
        self.terms.runs_up(pass as f64) == travel.is_forwards()
    }

    /// Whether the start of a pass counts as passed: that of the first one, or of one behind it.
    fn with_start(&self, behind: bool) -> bool {
        if behind { self.terms.wrap == WrapMode::Loop } else { self.first }
    }

    /// The last pass that came to its end, and how many did.
    fn looped(&self) -> Option<(i64, u64)> {
        let (phase_s, length_s) = (self.before.phase_s, self.terms.length_s());
        let count = self.advanced.passes;
        let behind = |at_end: bool| self.before.passes as i64 + i64::from(at_end);
        let last = match count {
            0 => return None,
            1.. => behind(phase_s >= length_s) + count - 1,
            _ => behind(phase_s > 0.0) + count,
        };
        Some((last, count.unsigned_abs()))
    }

    /// The markers of a leg, by their numbers.
    fn found(&self, leg: &Leg, up: bool, with_start: bool) -> Range<usize> {
        let markers = self.bank_clip.markers();
        // How many are ahead of a time, and whether those at it are.
        let ahead = |time_s: f64, with: bool| {
            markers.partition_point(|m| {
                let at = f64::from(m.time_s);
                if with { at <= time_s } else { at < time_s }
            })
        };
        let Leg { from_s, to_s, .. } = *leg;
        if up {
            ahead(from_s, !with_start)..ahead(to_s, true)
        } else {
            ahead(to_s, false)..ahead(from_s, with_start)
        }
    }

    fn markers(&self, leg: &Leg, up: bool, with_start: bool, events: &mut EventList) {
        if !self.recorded.contains(EventKinds::MARKER) {
            return;
        }
        let found = self.found(leg, up, with_start);
        let mut push = |marker: usize| {
            let payload = self.bank_clip.markers()[marker].payload;
            let kind = EventKind::Marker { clip: self.clip, marker: marker as u32, payload };
            events.push(self.recorded, self.playback, kind);
        };
        if up {
            found.for_each(&mut push);
        } else {
            found.rev().for_each(&mut push);
        }
    }
}
