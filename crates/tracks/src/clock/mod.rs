//! Playback time as a pure type: what a clip shows after so many seconds of play. See the README beside this file.

mod control;
mod error;
mod play;
mod shown;
mod step;
mod travel;

pub use error::ClockError;
pub use play::{ClockTerms, Play, Repeat};
pub use step::{Advanced, ClockState};
pub use travel::{Leg, Travel};

/// The time of one playback: [`Play`], and how far it has come.
///
/// | pass | clamp, loop | ping-pong |
/// | --- | --- | --- |
/// | first, third, ... | `min` to `max` | `min` to `max` |
/// | second, fourth, ... | `min` to `max` | `max` to `min` |
///
/// Reversed, each runs the other way. Between passes a loop shows the start of the next, never the end of the last; at the
/// end of a finite repeat it shows the end reached: after two passes of a clip of `d` seconds `d`, not 0; after 1.5 passes
/// `d / 2`.
///
/// | | at 0 s | after the last pass | backwards from the start |
/// | --- | --- | --- | --- |
/// | clamp | `min` | `max` | stays at `min` |
/// | loop | `min` | `max` | from `max` down |
/// | ping-pong | `min` | `max` after odd, `min` after even legs | the same as forwards |
///
/// Reversed, exchange `min` and `max`.
///
/// Precision: after 100 hours of 60 Hz steps the phase is some nanoseconds from that of real numbers, 20 in a clip of ten
/// minutes, if `dt_s` is exact: a sixtieth of a second in `f32` is itself 19 ms off by then. A step is a fixed sequence of
/// exact operations on `f64`, so that the lanes of `throng-kernels` return the same bits.
///
/// ```
/// use throng_tracks::{Play, PlaybackClock, Repeat};
/// let play = Play { repeat: Repeat::Passes(1.5), ..Play::default() };
/// let mut clock = PlaybackClock::new(2.0, &play)?;
/// clock.set_delay(0.5)?;
/// clock.advance(1.0)?;
/// assert_eq!(clock.time_s(), 0.5);
/// let step = clock.advance(3.0)?;
/// assert_eq!((clock.time_s(), step.passes, step.overshoot_s), (1.0, 1, Some(0.5)));
/// # Ok::<(), throng_tracks::ClockError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaybackClock {
    state: ClockState,
    terms: ClockTerms,
    repeat: Repeat,
    duration_s: f32,
}

impl PlaybackClock {
    /// A clock at the start of `play`, of a clip of `duration_s` seconds.
    ///
    /// # Errors
    /// If a number is NaN or infinite, the duration or the repeat negative, or the range not in order or not inside of
    /// the clip.
    pub fn new(duration_s: f32, play: &Play) -> Result<Self, ClockError> {
        let terms = ClockTerms::new(duration_s, play)?;
        Ok(Self { state: ClockState::default(), terms, repeat: play.repeat, duration_s })
    }

    /// Goes on by `dt_s` seconds: first of the delay, then of the play at its speed. An end that the play reaches is held.
    ///
    /// # Errors
    /// If `dt_s` is negative, infinite or NaN; then nothing changed. To play backwards is the speed's part.
    #[inline]
    pub fn advance(&mut self, dt_s: f64) -> Result<Advanced, ClockError> {
        self.state.advance(&self.terms, dt_s)
    }

    /// The time in the clip that is shown, in seconds. That of [`inside_s`](Self::inside_s) rounded, but in a loop never
    /// to the end of a pass that has not ended.
    #[must_use]
    #[inline]
    pub fn time_s(&self) -> f32 {
        self.terms.time_s(&self.state)
    }

    /// The time in the clip that is shown, as precise as the clock is, in seconds.
    #[must_use]
    #[inline]
    pub fn inside_s(&self) -> f64 {
        self.terms.inside_s(self.state.passes, self.state.phase_s)
    }

    /// Seconds of the clip from the start of the first pass to here; negative ahead of it.
    #[must_use]
    pub fn played_s(&self) -> f64 {
        self.state.passes * self.terms.length_s() + self.state.phase_s
    }

    /// The pass that is shown: 0 is the first, at its end too if the clock stopped there; negative ones were reached
    /// backwards.
    #[must_use]
    pub fn pass(&self) -> i64 {
        self.state.passes as i64
    }

    /// Whether a pass that is shown runs up the clip, seen forwards.
    #[must_use]
    #[inline]
    pub fn runs_up(&self) -> bool {
        self.terms.runs_up(self.state.passes)
    }

    /// Seconds of delay that are left.
    #[must_use]
    pub fn delay_s(&self) -> f64 {
        if self.is_finished() { 0.0 } else { self.state.wait_s }
    }

    /// Whether the play came to the end of its repeat. Endless ones never do.
    #[must_use]
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.state.wait_s == f64::INFINITY
    }

    /// What it plays.
    #[must_use]
    pub fn play(&self) -> Play {
        Play {
            wrap: self.terms.wrap,
            reversed: self.terms.reversed,
            repeat: self.repeat,
            range_s: Some([self.terms.min_s, self.terms.max_s]),
            speed: self.terms.speed,
        }
    }

    /// How long the clip is, in seconds.
    #[must_use]
    pub fn duration_s(&self) -> f32 {
        self.duration_s
    }

    /// Where it is: one entry for the columns of clocks that are advanced together.
    #[must_use]
    pub fn state(&self) -> ClockState {
        self.state
    }

    /// What its steps need: one entry for the columns of clocks that are advanced together.
    #[must_use]
    pub fn terms(&self) -> ClockTerms {
        self.terms
    }

    /// The same play, where `state` is: that of a clock with the same terms, which was advanced in columns. Numbers that no
    /// clock has are brought to the nearest that one has; NaN counts as 0.
    #[must_use]
    pub fn with_state(self, state: ClockState) -> Self {
        let most = ClockState::MOST_PASSES;
        // `max` drops a NaN.
        let state = ClockState {
            phase_s: state.phase_s.max(0.0).min(self.terms.length_s()),
            passes: if state.passes.is_nan() { 0.0 } else { state.passes.round().clamp(-most, most) },
            wait_s: state.wait_s.max(0.0),
        };
        Self { state, ..self }
    }
}
