//! What is asked of a clock, and what the steps need of it.

use super::ClockError;
use super::error::{at_least_zero, finite};
use crate::WrapMode;

/// How many passes a clock plays.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Repeat {
    /// On and on.
    #[default]
    Endless,
    /// So many, 0 or above: 1.5 stops in the middle of the second pass.
    Passes(f32),
}

/// What a clock plays of its clip, and how.
///
/// | field | meaning |
/// | --- | --- |
/// | `wrap` | clamp: one pass at most. Loop: each pass from the start again. Ping-pong: each leg is a pass, legs alternate |
/// | `reversed` | passes run from the range's end to its start; ping-pong begins with the way back |
/// | `repeat` | endless, or a real number of passes; clamp plays at most one |
/// | `range_s` | `[min, max]` inside the clip, none for all of it; `min == max` is constant |
/// | `speed` | seconds of the clip a second, either sign; 0 freezes, a delay too |
///
/// A negative `speed` plays backwards from where the clock is; `reversed` turns the passes round. From the start, a loop
/// backwards goes to the end of a pass ahead of the first, as [`wrap`](crate::wrap) has it, and `repeat` counts passes
/// on that side of the start as well. Clamp has no pass ahead of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// What happens at the end of a pass.
    pub wrap: WrapMode,
    /// Whether passes run from the end to the start.
    pub reversed: bool,
    /// How many passes.
    pub repeat: Repeat,
    /// The part of the clip that is played, in seconds; none for all of it.
    pub range_s: Option<[f32; 2]>,
    /// Seconds of the clip a second.
    pub speed: f32,
}

impl Default for Play {
    /// The whole clip in an endless loop, as fast as it was made.
    fn default() -> Self {
        Self { wrap: WrapMode::Loop, reversed: false, repeat: Repeat::Endless, range_s: None, speed: 1.0 }
    }
}

/// What does not change while a clock runs: what [`ClockState::advance`](super::ClockState::advance) needs, and what says
/// which time of the clip a place shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockTerms {
    /// Seconds of the clip a second.
    pub speed: f32,
    /// Where a pass begins in the clip, in seconds; where it ends, if reversed.
    pub min_s: f32,
    /// Where a pass ends in the clip, in seconds; where it begins, if reversed.
    pub max_s: f32,
    /// The least number of passes from the start: 0 or below, minus infinity where endless.
    pub first: f32,
    /// The greatest number of passes from the start: 0 or above, infinity where endless.
    pub last: f32,
    /// What happens at the end of a pass.
    pub wrap: WrapMode,
    /// Whether passes run from the end to the start.
    pub reversed: bool,
}

impl ClockTerms {
    /// Checks everything that can be wrong with `play` of a clip of `duration_s` seconds.
    pub(super) fn new(duration_s: f32, play: &Play) -> Result<Self, ClockError> {
        at_least_zero("duration_s", f64::from(duration_s))?;
        let speed = finite("speed", f64::from(play.speed))? as f32;
        let repeat = match play.repeat {
            Repeat::Endless => f32::INFINITY,
            Repeat::Passes(passes) => at_least_zero("repeat", f64::from(passes))? as f32,
        };
        let [min_s, max_s] = range(duration_s, play.range_s.unwrap_or([0.0, duration_s]))?;
        let last = match play.wrap {
            WrapMode::Clamp => repeat.min(1.0),
            WrapMode::Loop | WrapMode::PingPong => repeat,
        };
        // Passes without length are over as soon as they begin.
        let last = if min_s == max_s && last.is_finite() { 0.0 } else { last };
        let first = if play.wrap == WrapMode::Clamp { 0.0 } else { 0.0 - last };
        Ok(Self { speed, min_s, max_s, first, last, wrap: play.wrap, reversed: play.reversed })
    }

    /// How long a pass is, in seconds of the clip.
    #[must_use]
    #[inline]
    pub fn length_s(&self) -> f64 {
        f64::from(self.max_s) - f64::from(self.min_s)
    }
}

fn range(duration_s: f32, [min_s, max_s]: [f32; 2]) -> Result<[f32; 2], ClockError> {
    finite("range_s[0]", f64::from(min_s))?;
    finite("range_s[1]", f64::from(max_s))?;
    if min_s > max_s {
        return Err(ClockError::RangeOrder { min_s, max_s });
    }
    if min_s < 0.0 || max_s > duration_s {
        return Err(ClockError::RangeOutside { min_s, max_s, duration_s });
    }
    // No negative zero.
    Ok([min_s + 0.0, max_s + 0.0])
}
