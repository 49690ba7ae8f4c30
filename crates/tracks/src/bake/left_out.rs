//! Clips that a bank can't hold.

use std::fmt;

use thiserror::Error;

use super::{BakeOptions, rate::Grid};
use crate::tools::RootMotionError;
use crate::{Clip, Skeleton};

/// A clip that is not in the bank. Displays as one line that names the clip, what was found and what was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Its index among the clips that [`bake`](crate::bake()) was given.
    pub clip: usize,
    /// Its name.
    pub name: String,
    /// Why.
    pub why: WhyLeftOut,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clip {} ({:?}) is not in the bank: {}", self.clip, self.name, self.why)
    }
}

/// Why a clip is not in the bank.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WhyLeftOut {
    /// The clip is too long for its rate.
    #[error(
        "found {rows} rows ({duration_s} s at {rate_hz} Hz), expected at most {free}{} (`max_rows`); {help}",
        within(*free, *limit)
    )]
    TooManyRows {
        /// The clip's length.
        duration_s: f32,
        /// Its rate.
        rate_hz: f32,
        /// Rows it needs.
        rows: usize,
        /// Rows that the clips before it leave.
        free: usize,
        /// [`BakeOptions::max_rows`](crate::BakeOptions::max_rows).
        limit: usize,
        /// What makes the clip fit.
        help: Shorten,
    },
    /// The clip is too long for that many moving joints.
    #[error(
        "found {rows} rows of {row_bytes} bytes, expected at most {free} bytes{} (`max_bytes`); {help}",
        within(*free, *limit)
    )]
    TooManyBytes {
        /// Rows it needs.
        rows: usize,
        /// Bytes of one.
        row_bytes: usize,
        /// Bytes that the clips before it leave.
        free: usize,
        /// [`BakeOptions::max_bytes`](crate::BakeOptions::max_bytes).
        limit: usize,
        /// What makes the clip fit.
        help: Shorten,
    },
    /// The curves leave what an `f32` can hold.
    #[error("found joint {joint} ({name:?}) beyond all numbers at {time_s} s, expected finite poses")]
    NotFinite {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// The time.
        time_s: f32,
    },
    /// The root motion of the clip is too long, or leaves what an `f32` can hold.
    #[error(transparent)]
    RootMotion(RootMotionError),
}

/// What makes a clip shorter. Displays as advice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shorten {
    /// Nothing moves before the clip's first key, which is late: without that time the clip fits.
    TrimStart {
        /// The time of the first key in seconds.
        first_key_s: f32,
    },
    /// All of the clip's time has keys, or too much of it.
    Part,
}

impl fmt::Display for Shorten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrimStart { first_key_s } => write!(
                f,
                "its first key is at {first_key_s} s: import it with `trim_start` (`--trim-start`), so that it starts there"
            ),
            Self::Part => write!(f, "take a part of it (`tools::subclip`) or a lower rate (`rate_hz`)"),
        }
    }
}

/// For a limit of which other clips have taken a part.
fn within(free: usize, limit: usize) -> String {
    if free == limit { String::new() } else { format!(" of {limit}, beside the clips before it") }
}

impl WhyLeftOut {
    pub(super) fn not_finite(skeleton: &Skeleton, joint: usize, time_s: f32) -> Self {
        Self::NotFinite { joint, name: skeleton.names()[joint].clone(), time_s }
    }
}

impl Shorten {
    /// The advice for a clip that needs more than `rows` rows.
    pub(super) fn for_clip(clip: &Clip, options: &BakeOptions, rows: usize) -> Self {
        let first_key_s = clip.key_times().first().copied().unwrap_or(0.0);
        let rest = f64::from(clip.duration_s()) - f64::from(first_key_s);
        let rate_hz = options.rate_hz.unwrap_or_else(|| Grid::choose(clip, None).rate_hz);
        if first_key_s > 0.0 && rest * f64::from(rate_hz) < rows as f64 {
            Self::TrimStart { first_key_s }
        } else {
            Self::Part
        }
    }
}
