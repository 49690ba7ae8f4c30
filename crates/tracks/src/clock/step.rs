//! One step of time.

use super::error::at_least_zero;
use super::{ClockError, ClockTerms};

/// Where a clock is: the numbers that change while it runs.
///
/// Its place in the play is `passes * length + phase_s`, `length` being that of a pass. The whole passes are counted and
/// the rest is kept small, so that hours of steps lose nothing: each rounds a number no larger than a pass, once.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ClockState {
    /// Seconds of the clip since the pass began, in `[0, length]`. All of it at the end that a play stops at and where a
    /// control put it there; any other step that comes to a pass's end is at 0 of the next.
    pub phase_s: f64,
    /// The pass it is in, a whole number: 0 is the first, negative ones were reached backwards. Stands still at
    /// [`MOST_PASSES`](Self::MOST_PASSES).
    pub passes: f64,
    /// Seconds until it runs: above 0 during a delay, infinite once it finished.
    pub wait_s: f64,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Advanced {
    /// Ends of passes that were reached in the direction of travel, negative ones backwards. An end counts when it is
    /// reached, not again when it is left.
    pub passes: i64,
    /// If the play finished in this step: how many seconds of the step were left. Add them to what comes next.
    pub overshoot_s: Option<f64>,
}

/// A place in a play: so many whole passes, and seconds of the clip.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) passes: f64,
    pub(super) phase_s: f64,
}

impl ClockTerms {
    /// Where a play ends forwards: at the end of its last pass, not at the start of one that is not played.
    pub(super) fn last_place(&self) -> Option<Place> {
        self.last
            .is_finite()
            .then(|| self.place(f64::from(self.last), (f64::from(self.last).ceil() - 1.0).max(0.0)))
    }

    /// Where a play ends backwards.
    pub(super) fn first_place(&self) -> Option<Place> {
        self.first.is_finite().then(|| self.place(f64::from(self.first), f64::from(self.first).floor()))
    }

    /// The place that is `bound` passes from the start, as a place in the pass `passes`.
    fn place(&self, bound: f64, passes: f64) -> Place {
        Place { passes, phase_s: (bound - passes) * self.length_s() }
    }

    /// Where a play ends in the direction that it runs in.
    fn end(&self) -> Option<Place> {
        if self.speed >= 0.0 { self.last_place() } else { self.first_place() }
    }
}

impl ClockState {
    /// Passes beyond this are not told apart.
    pub const MOST_PASSES: f64 = (1u64 << 53) as f64;
    /// No step counts more passes than these.
    pub const MOST_PASSES_A_STEP: f64 = (1u64 << 50) as f64;

    /// Goes on by `dt_s` seconds, as [`PlaybackClock::advance`](super::PlaybackClock::advance), which calls this.
    ///
    /// # Errors
    /// If `dt_s` is negative, infinite or NaN; then nothing changed.
    #[inline]
    pub fn advance(&mut self, terms: &ClockTerms, dt_s: f64) -> Result<Advanced, ClockError> {
        let dt_s = at_least_zero("dt_s", dt_s)?;
        if terms.speed == 0.0 {
            return Ok(Advanced::default());
        }
        let waited_s = self.wait_s.min(dt_s);
        self.wait_s -= waited_s;
        if self.wait_s > 0.0 {
            return Ok(Advanced::default());
        }
        Ok(self.run(terms, dt_s - waited_s))
    }

    #[inline]
    fn run(&mut self, terms: &ClockTerms, run_s: f64) -> Advanced {
        let (speed, length) = (f64::from(terms.speed), terms.length_s());
        let (before, delta) = (*self, speed * run_s);
        if length > 0.0 && delta != 0.0 {
            self.travel(delta, length);
        }
        let end = terms.end().filter(|end| self.reached(end, speed));
        let overshoot_s = end.map(|end| {
            let way = (end.passes - before.passes) * length + (end.phase_s - before.phase_s);
            *self = Self { phase_s: end.phase_s, passes: end.passes, wait_s: f64::INFINITY };
            let left_s = (delta - way) / speed;
            // No negative zero.
            if left_s > 0.0 { left_s.min(run_s) } else { 0.0 }
        });
        let passes = self.ends_behind(speed, length) - before.ends_behind(speed, length);
        Advanced { passes: passes as i64, overshoot_s }
    }

    /// Moves by `delta` seconds of the clip, and keeps the phase inside of a pass of `length` seconds, which is above 0.
    #[inline]
    pub(super) fn travel(&mut self, delta: f64, length: f64) {
        let t = self.phase_s + delta;
        if t >= 0.0 && t < length {
            self.phase_s = t;
            return;
        }
        let most = Self::MOST_PASSES_A_STEP;
        let mut turns = (t / length).clamp(-most, most).floor();
        // Both product and difference are exact while turns are fewer than 2^29. The quotient was rounded, though, up to
        // a turn too many at most.
        let mut rest = t - turns * length;
        if rest < 0.0 {
            rest += length;
            turns -= 1.0;
        }
        // A tiny negative rest plus the length rounds to the length itself; steps beyond all passes end here as well.
        if rest >= length {
            rest = 0.0;
            turns += 1.0;
        }
        self.phase_s = rest.max(0.0);
        self.passes = (self.passes + turns).clamp(-Self::MOST_PASSES, Self::MOST_PASSES);
    }

    /// Whether the clock is at `end` or beyond, in the direction of `speed`.
    pub(super) fn reached(&self, end: &Place, speed: f64) -> bool {
        let (passes, phase_s) = (self.passes, self.phase_s);
        if speed >= 0.0 {
            passes > end.passes || (passes == end.passes && phase_s >= end.phase_s)
        } else {
            passes < end.passes || (passes == end.passes && phase_s <= end.phase_s)
        }
    }

    /// Whether a play that runs with `terms` is at its end.
    pub(super) fn is_at_end(&self, terms: &ClockTerms) -> bool {
        terms.end().is_some_and(|end| self.reached(&end, f64::from(terms.speed)))
    }

    /// Ends of passes behind the clock or just reached, by the direction of travel.
    #[inline]
    fn ends_behind(&self, speed: f64, length: f64) -> f64 {
        let at_end = if speed >= 0.0 { self.phase_s >= length } else { self.phase_s > 0.0 };
        if at_end { self.passes + 1.0 } else { self.passes }
    }
}
