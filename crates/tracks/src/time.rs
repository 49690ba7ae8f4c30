//! Time as numbers: wrapping a time into a clip, and finding a key.

/// What happens to a time outside of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum WrapMode {
    /// Play once: hold the first pose before the start, the last pose after the end.
    Clamp,
    /// Start again at the end.
    #[default]
    Loop,
    /// Turn round at the ends.
    PingPong,
}

impl WrapMode {
    /// The names used by commands and errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Loop => "loop",
            Self::PingPong => "ping-pong",
        }
    }
}

/// The time inside a clip of `duration` seconds that time `t` shows.
///
/// | mode | inside | negative | `t == duration` |
/// | --- | --- | --- | --- |
/// | clamp | `t` | 0 | `duration` |
/// | loop | `t mod duration`, in `[0, duration)` | from the end | 0 |
/// | ping-pong | period `2 * duration`, mirrored | same as `-t` | `duration` |
///
/// A duration that is not above 0 gives 0, and so does a NaN time. Infinite times clamp where clamping, else give 0.
/// The result is that of real numbers, rounded once, however far `t` is from 0.
///
/// ```
/// use throng_tracks::{WrapMode, wrap};
/// assert_eq!(wrap(2.5, 2.0, WrapMode::Loop), 0.5);
/// assert_eq!(wrap(2.5, 2.0, WrapMode::PingPong), 1.5);
/// assert_eq!(wrap(2.5, 2.0, WrapMode::Clamp), 2.0);
/// ```
#[must_use]
pub fn wrap(t: f32, duration: f32, mode: WrapMode) -> f32 {
    if !(duration > 0.0) || t.is_nan() {
        return 0.0;
    }
    match mode {
        WrapMode::Clamp => t.clamp(0.0, duration),
        WrapMode::Loop if t.is_finite() => {
            let rest = t.rem_euclid(duration);
            // A tiny negative `t` plus the duration rounds to the duration itself.
            if rest < duration { rest } else { 0.0 }
        }
        // Twice the duration may leave f32.
        WrapMode::PingPong if t.is_finite() => wrap_f64(f64::from(t), f64::from(duration), mode) as f32,
        WrapMode::Loop | WrapMode::PingPong => 0.0,
    }
}

/// [`wrap`] in f64, for finite times and durations above 0. Remainders of f32 numbers by each other are exact here.
pub(crate) fn wrap_f64(t: f64, duration: f64, mode: WrapMode) -> f64 {
    match mode {
        WrapMode::Clamp => t.clamp(0.0, duration),
        WrapMode::Loop => {
            let rest = t.rem_euclid(duration);
            if rest < duration { rest } else { 0.0 }
        }
        WrapMode::PingPong => {
            let rest = t.abs() % (2.0 * duration);
            if rest > duration { 2.0 * duration - rest } else { rest }
        }
    }
}

/// The key that holds at time `t`: the largest `i` with `times[i] <= t`, or none before the first.
///
/// `times` must not decrease; of equal times the last is found. A NaN `t` counts as 0. Binary search.
///
/// ```
/// use throng_tracks::find_key;
/// let times = [0.5, 1.0, 1.0, 2.0];
/// assert_eq!([0.0, 0.5, 1.0, 9.0].map(|t| find_key(&times, t)), [None, Some(0), Some(2), Some(3)]);
/// ```
#[must_use]
pub fn find_key(times: &[f32], t: f32) -> Option<usize> {
    let t = if t.is_nan() { 0.0 } else { t };
    times.partition_point(|&key| key <= t).checked_sub(1)
}

/// A time between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The key at or before the time; the first key for a time before it.
    pub key: usize,
    /// The next key; the same as `key` at and beyond the ends.
    pub next: usize,
    /// `(t - times[key]) / (times[next] - times[key])`, and 0 where the keys are the same. In `[0, 1]`: both
    /// differences are rounded, so that a time one step before the next key can show 1.
    pub fraction: f32,
}

/// Finds the two keys around `t` and the fraction between them. Clamps at the ends, never wraps; a NaN counts as 0.
///
/// `times` must not decrease and must not be negative, as those of a [`Track`](crate::Track) are.
///
/// ```
/// use throng_tracks::{Located, locate};
/// assert_eq!(locate(&[0.0, 1.0, 3.0], 1.5), Located { key: 1, next: 2, fraction: 0.25 });
/// ```
///
/// # Panics
/// If `times` is empty; a [`Track`](crate::Track)'s times never are.
#[must_use]
pub fn locate(times: &[f32], t: f32) -> Located {
    let last = times.len() - 1;
    match find_key(times, t) {
        None => Located { key: 0, next: 0, fraction: 0.0 },
        Some(key) if key == last => Located { key, next: key, fraction: 0.0 },
        Some(key) => {
            let t = if t.is_nan() { 0.0 } else { t };
            // The key found is the last at or before `t`, so the next is truly later: no division by zero.
            let fraction = (t - times[key]) / (times[key + 1] - times[key]);
            Located { key, next: key + 1, fraction }
        }
    }
}
