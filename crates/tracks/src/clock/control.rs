//! Controls: what moves a clock other than time.

use super::error::{at_least_zero, finite};
use super::step::Place;
use super::{ClockError, Play, PlaybackClock};
use crate::WrapMode;

impl PlaybackClock {
    /// Back to the start of the first pass: shows `min`, or `max` if reversed. A delay that is left stays.
    pub fn rewind(&mut self) {
        (self.state.passes, self.state.phase_s) = (0.0, 0.0);
        self.leave_end();
    }

    /// Shows `time_s` of the clip, clamped to the range, in the pass that the clock is in.
    ///
    /// If the repeat ends ahead of that place, the pass before is taken, where there is one; else the clock goes to the end
    /// that the repeat reaches. A loop sought to its end shows the end, until the next step. A delay that is left stays.
    ///
    /// # Errors
    /// If `time_s` is NaN; then nothing changed.
    pub fn seek(&mut self, time_s: f32) -> Result<(), ClockError> {
        if time_s.is_nan() {
            return Err(ClockError::NotFinite { what: "time_s", value: f64::from(time_s) });
        }
        self.show(f64::from(time_s));
        self.leave_end();
        Ok(())
    }

    /// Goes to `played_s` seconds of the clip from the start of the first pass, negative ones ahead of it; at most to the
    /// ends that the repeat reaches. The counterpart of [`played_s`](Self::played_s). A delay that is left stays.
    ///
    /// # Errors
    /// If `played_s` is not finite; then nothing changed.
    pub fn seek_played(&mut self, played_s: f64) -> Result<(), ClockError> {
        let played_s = finite("played_s", played_s)?;
        (self.state.passes, self.state.phase_s) = (0.0, 0.0);
        let length = self.terms.length_s();
        if length > 0.0 {
            self.state.travel(played_s, length);
        }
        self.hold_between_ends();
        self.leave_end();
        Ok(())
    }

    /// Shows the first of `keys`, sorted times in the clip, that is later than what is shown, and returns it. None, and
    /// nothing changes, if no such key can be shown: there is none in the range, or the repeat does not reach it.
    pub fn step_to_next_key(&mut self, keys: &[f32]) -> Option<f32> {
        let (shown, max_s) = (self.time_s(), self.terms.max_s);
        let later = &keys[keys.partition_point(|&key| key <= shown)..];
        self.step_to(later.iter().take_while(|&&key| key <= max_s), |t| t > shown)
    }

    /// Shows the last of `keys`, sorted times in the clip, that is earlier than what is shown, and returns it. None, and
    /// nothing changes, if no such key can be shown: there is none in the range, or the repeat does not reach it.
    pub fn step_to_previous_key(&mut self, keys: &[f32]) -> Option<f32> {
        let (shown, min_s) = (self.time_s(), self.terms.min_s);
        let earlier = &keys[..keys.partition_point(|&key| key < shown)];
        self.step_to(earlier.iter().rev().take_while(|&&key| key >= min_s), |t| t < shown)
    }

    /// The first of `keys` that brings what is shown on, `moved` being the test: an end of the repeat, or rounding where a
    /// range is many times longer than the step, can keep the clock where it is.
    fn step_to<'a>(
        &mut self,
        keys: impl Iterator<Item = &'a f32>,
        moved: impl Fn(f32) -> bool,
    ) -> Option<f32> {
        let mut stepped = *self;
        for &key in keys {
            stepped.show(f64::from(key));
            if moved(stepped.time_s()) {
                stepped.leave_end();
                *self = stepped;
                return Some(self.time_s());
            }
        }
        None
    }

    /// Changes the speed. What is shown stays; a finished play that is turned round runs again.
    ///
    /// # Errors
    /// If `speed` is not finite; then nothing changed.
    pub fn set_speed(&mut self, speed: f32) -> Result<(), ClockError> {
        self.terms.speed = finite("speed", f64::from(speed))? as f32;
        self.leave_end_if_left();
        Ok(())
    }

    /// Plays otherwise from now on. What is shown stays, as far as the new range and repeat allow it; so does the count of
    /// passes, but that clamp has one pass only. A finished play that has more to play now runs again.
    ///
    /// # Errors
    /// If `play` is not right for the clip, as in [`new`](Self::new); then nothing changed.
    pub fn change(&mut self, play: &Play) -> Result<(), ClockError> {
        let changed = Self::new(self.duration_s, play)?;
        let shown = self.inside_s();
        *self = Self { state: self.state, ..changed };
        if self.terms.wrap == WrapMode::Clamp {
            self.state.passes = 0.0;
        }
        self.show(shown);
        self.leave_end_if_left();
        Ok(())
    }

    /// Runs after `delay_s` seconds from now, instead of after a delay that was left; what is left of the step that the
    /// delay ends in is run. A play that was finished finishes once more then.
    ///
    /// # Errors
    /// If `delay_s` is negative or not finite; then nothing changed.
    pub fn set_delay(&mut self, delay_s: f64) -> Result<(), ClockError> {
        self.state.wait_s = at_least_zero("delay_s", delay_s)?;
        Ok(())
    }

    /// Shows `time_s`, which is not NaN, in this pass or the next nearer to the start, or the end that is nearest.
    fn show(&mut self, time_s: f64) {
        self.state.phase_s = self.phase_of(time_s);
        let nearer = if self.state.passes > 0.0 { -1.0 } else { 1.0 };
        if self.is_between_ends() {
            return;
        }
        // From pass 0 or -1 there is none nearer to the start on the same side of it.
        if !(-1.0..=0.0).contains(&self.state.passes) {
            self.state.passes += nearer;
            self.state.phase_s = self.phase_of(time_s);
        }
        self.hold_between_ends();
    }

    /// How far into the present pass `time_s` is shown; inside of the range.
    fn phase_of(&self, time_s: f64) -> f64 {
        let (min, max) = (f64::from(self.terms.min_s), f64::from(self.terms.max_s));
        let time_s = time_s.clamp(min, max);
        if self.runs_up() { time_s - min } else { max - time_s }
    }

    fn is_between_ends(&self) -> bool {
        let beyond = |end: Place, speed: f64| {
            self.state.reached(&end, speed)
                && (self.state.passes, self.state.phase_s) != (end.passes, end.phase_s)
        };
        let terms = &self.terms;
        !terms.last_place().is_some_and(|end| beyond(end, 1.0))
            && !terms.first_place().is_some_and(|end| beyond(end, -1.0))
    }

    /// Brings a place beyond what the repeat reaches to the end that it is beyond.
    fn hold_between_ends(&mut self) {
        for (end, speed) in [(self.terms.last_place(), 1.0), (self.terms.first_place(), -1.0)] {
            if let Some(end) = end.filter(|end| self.state.reached(end, speed)) {
                (self.state.passes, self.state.phase_s) = (end.passes, end.phase_s);
            }
        }
    }

    /// A play that was finished is not any more; if it stands at an end, the next step finishes it again.
    fn leave_end(&mut self) {
        if self.is_finished() {
            self.state.wait_s = 0.0;
        }
    }

    /// As [`leave_end`](Self::leave_end), if there is more to play in the direction of the speed.
    fn leave_end_if_left(&mut self) {
        if self.terms.speed != 0.0 && !self.state.is_at_end(&self.terms) {
            self.leave_end();
        }
    }
}
