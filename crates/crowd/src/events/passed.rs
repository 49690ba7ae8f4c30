//! What a step of a clock passed, in the order of its travel.

use throng_tracks::{Advanced, BankClip, ClockState, ClockTerms, Leg, Marker, WrapMode};

use super::{Event, EventKind, add};
use crate::PlaybackId;

/// Of a step through more passes than these, the last ones are told. Nobody waits for that many events of one playback, and
/// a step can go through 2^50.
const MOST_PASSES: i64 = 4096;

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
}

impl Passing<'_> {
    /// Tells markers and ends of passes, and whether it finished.
    ///
    /// A step is half open: what it began at was told by the one before. The end of a pass and the start of the next are two
    /// places of a loop, and one of a ping-pong, which turns there.
    pub(crate) fn tell(&self, events: &mut Vec<Event>) {
        let mut push = |kind| add(events, Event { playback: self.playback, kind });
        let (terms, before, after) = (self.terms, self.before, self.after);
        if before.passes == after.passes && self.advanced.passes == 0 {
            // Nearly always it stays in its pass.
            let inside = |state: &ClockState| terms.inside_s(state.passes, state.phase_s);
            let leg = Leg { pass: before.passes as i64, from_s: inside(before), to_s: inside(after) };
            let up = terms.runs_up(before.passes) == (terms.speed >= 0.0);
            self.markers(&leg, up, self.first, &mut push);
        } else {
            self.tell_passes(&mut push);
        }
        if self.advanced.overshoot_s.is_some() {
            push(EventKind::Finished);
        }
    }

    /// Tells what it passed in each pass.
    fn tell_passes(&self, push: &mut impl FnMut(EventKind)) {
        let travel = self.terms.travel(self.before, self.after);
        let [from, to] = travel.passes();
        let ended = self.ended();
        let (step, count) = (if travel.is_forwards() { 1 } else { -1 }, (to - from).abs());
        for number in (count - MOST_PASSES).max(0)..=count {
            let pass = from + number * step;
            let leg = travel.in_pass(pass);
            let with_start = if number > 0 { self.terms.wrap == WrapMode::Loop } else { self.first };
            let up = self.terms.runs_up(pass as f64) == travel.is_forwards();
            self.markers(&leg, up, with_start, push);
            if ended.contains(&pass) {
                let pass = pass.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                push(EventKind::Looped { pass });
            }
        }
    }

    /// The passes that came to their end.
    fn ended(&self) -> std::ops::Range<i64> {
        let (phase_s, length_s) = (self.before.phase_s, self.terms.length_s());
        let count = self.advanced.passes;
        let behind = |at_end: bool| self.before.passes as i64 + i64::from(at_end);
        if count >= 0 {
            let first = behind(phase_s >= length_s);
            first..first + count
        } else {
            let last = behind(phase_s > 0.0);
            last + count..last
        }
    }

    fn markers(&self, leg: &Leg, up: bool, with_start: bool, push: &mut impl FnMut(EventKind)) {
        let markers = self.bank_clip.markers();
        // How many are ahead of a time, and whether those at it are.
        let ahead = |time_s: f64, with: bool| {
            markers.partition_point(|m| {
                let at = f64::from(m.time_s);
                if with { at <= time_s } else { at < time_s }
            })
        };
        let told = |(marker, found): (usize, &Marker)| EventKind::Marker {
            clip: self.clip,
            marker: marker as u32,
            payload: found.payload,
        };
        let Leg { from_s, to_s, .. } = *leg;
        if up {
            let (first, end) = (ahead(from_s, !with_start), ahead(to_s, true));
            markers.iter().enumerate().take(end).skip(first).map(told).for_each(push);
        } else {
            let (first, end) = (ahead(to_s, false), ahead(from_s, with_start));
            markers.iter().enumerate().take(end).skip(first).rev().map(told).for_each(push);
        }
    }
}
