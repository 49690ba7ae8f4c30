//! Which time of its clip a clock shows.

use super::{ClockState, ClockTerms};
use crate::WrapMode;

impl ClockTerms {
    /// Whether a pass runs up the clip, seen forwards. `pass` is a whole number.
    #[must_use]
    #[inline]
    pub fn runs_up(&self, pass: f64) -> bool {
        let back = self.wrap == WrapMode::PingPong && pass as i64 & 1 == 1;
        back == self.reversed
    }

    /// The time in the clip that is `phase_s` seconds into a pass.
    #[must_use]
    #[inline]
    pub fn inside_s(&self, pass: f64, phase_s: f64) -> f64 {
        let (min, max) = (f64::from(self.min_s), f64::from(self.max_s));
        // The ends themselves come out exactly; their difference may have been rounded.
        let at_end = phase_s >= max - min;
        match self.runs_up(pass) {
            true if at_end => max,
            true => (min + phase_s).min(max),
            false if at_end => min,
            false => (max - phase_s).max(min),
        }
    }

    /// The time in the clip that a clock of these terms shows: see [`PlaybackClock::time_s`](super::PlaybackClock::time_s).
    #[must_use]
    #[inline]
    pub fn time_s(&self, state: &ClockState) -> f32 {
        let &Self { min_s, max_s, .. } = self;
        let time_s = self.inside_s(state.passes, state.phase_s) as f32;
        let on_the_way = self.wrap == WrapMode::Loop && state.phase_s < self.length_s();
        match self.runs_up(state.passes) {
            true if on_the_way && time_s >= max_s => max_s.next_down(),
            false if on_the_way && time_s <= min_s => min_s.next_up(),
            _ => time_s,
        }
    }
}
