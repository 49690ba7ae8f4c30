//! The time of one instance, kept inside of its clip.

use throng_tracks::WrapMode;

/// A time, as what is left of it inside the period and how many periods went by.
///
/// In `f64` and wrapped at every step, so that what a step rounds is a small part of a period's last bit: a hundred hours
/// of steps at 60 Hz add up to some 10 nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Clock {
    /// Loop: in `[0, duration)`. Ping-pong: in `[0, 2 * duration)`, from `duration` on the way back. Clamp: in
    /// `[0, duration]`.
    pub(crate) phase_s: f64,
    /// Whole periods before the phase; negative before time 0. Always 0 where clamping.
    turns: i64,
}

impl Clock {
    /// The clock that shows time `t`, which counts from the start of the first pass.
    pub(crate) fn at(t: f64, duration_s: f64, wrap: WrapMode) -> Self {
        let mut clock = Self::default();
        clock.step(t, duration_s, wrap);
        clock
    }

    /// Goes on by `delta` seconds of the clip, or back. Durations are those of banks: finite, 0 or above.
    #[inline]
    pub(crate) fn step(&mut self, delta: f64, duration_s: f64, wrap: WrapMode) {
        let t = self.phase_s + delta;
        let period = if wrap == WrapMode::PingPong { 2.0 * duration_s } else { duration_s };
        if t >= 0.0 && t < period {
            self.phase_s = t;
        } else {
            self.leave(t, period, wrap);
        }
    }

    /// A step that ends outside of the period.
    fn leave(&mut self, t: f64, period: f64, wrap: WrapMode) {
        if wrap == WrapMode::Clamp {
            self.phase_s = t.clamp(0.0, period);
            return;
        }
        // The remainder is exact. A step beyond all numbers has none, and a clip without length neither: that NaN takes
        // the last branch, and time starts again at 0.
        let rest = t % period;
        let turns = ((t - rest) / period).round() as i64;
        // A tiny negative remainder plus the period rounds to the period itself; the last branch is for it, too.
        let (phase_s, turns) = match rest {
            rest if rest >= 0.0 => (rest, turns),
            rest if rest + period < period => (rest + period, turns.saturating_sub(1)),
            _ => (0.0, turns),
        };
        self.phase_s = phase_s;
        self.turns = self.turns.saturating_add(turns);
    }

    /// The time inside the clip, the way back mirrored.
    #[inline]
    pub(crate) fn inside_s(self, duration_s: f64, wrap: WrapMode) -> f64 {
        let back = wrap == WrapMode::PingPong && self.phase_s > duration_s;
        if back { 2.0 * duration_s - self.phase_s } else { self.phase_s }
    }

    /// The time inside the clip, as banks want it.
    #[inline]
    pub(crate) fn shown_s(self, duration_s: f64, wrap: WrapMode) -> f32 {
        let t = self.inside_s(duration_s, wrap) as f32;
        // The end of a loop is the next pass's start: no rounding may show it.
        let ends = wrap == WrapMode::Loop && f64::from(t) >= duration_s;
        if ends { (duration_s as f32).next_down().max(0.0) } else { t }
    }

    /// How many passes are over. Those played backwards count down.
    pub(crate) fn passes(self, duration_s: f64, wrap: WrapMode) -> i64 {
        let leg_done = i64::from(duration_s > 0.0 && self.phase_s >= duration_s);
        match wrap {
            WrapMode::Loop => self.turns,
            WrapMode::PingPong => self.turns.saturating_mul(2).saturating_add(leg_done),
            WrapMode::Clamp => leg_done,
        }
    }
}
