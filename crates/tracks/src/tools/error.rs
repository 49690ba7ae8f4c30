use thiserror::Error;

use crate::{Channel, ClipError, TrackError};

/// Why a clip can't be cut, moved in time or joined.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The stretch asked for is none.
    #[error("clip {clip:?} was to be cut from {start_s} s to {end_s} s, but 0 <= start <= end must hold")]
    Range {
        /// The clip.
        clip: String,
        /// Where to begin.
        start_s: f32,
        /// Where to end.
        end_s: f32,
    },
    /// The frames asked for are none.
    #[error("clip {clip:?} was to be cut from frame {first} to frame {last}, which is ahead of it")]
    Frames {
        /// The clip.
        clip: String,
        /// The first frame.
        first: u32,
        /// The last.
        last: u32,
    },
    /// Frames follow each other at a rate above 0.
    #[error(
        "clip {clip:?} was to be cut at {rate_hz} frames a second, but the rate must be above 0 and finite"
    )]
    Rate {
        /// The clip.
        clip: String,
        /// What was asked for.
        rate_hz: f32,
    },
    /// Times can be stretched by a factor above 0.
    #[error("clip {clip:?} was to be stretched by {factor}, but the factor must be above 0 and finite")]
    Factor {
        /// The clip.
        clip: String,
        /// What was asked for.
        factor: f32,
    },
    /// Clips can be joined with a gap of 0 or more.
    #[error("clips were to be joined with a gap of {gap_s} s, but a gap must be 0 or above and finite")]
    Gap {
        /// What was asked for.
        gap_s: f32,
    },
    /// What repeats beyond its keys repeats too often to be written out.
    #[error(
        "track {track:?} repeats its {keys} keys of {period_s} s up to {end_s} s: more than the limit of {limit} keys"
    )]
    TooManyKeys {
        /// The track.
        track: String,
        /// Its keys.
        keys: usize,
        /// From its first to its last.
        period_s: f32,
        /// What was asked for.
        end_s: f32,
        /// How many keys there may be.
        limit: usize,
    },
    /// Two clips to be joined move the same thing in different ways.
    #[error("track {track:?} is {} in one clip and {} in another", found.0.name(), found.1.name())]
    Channels {
        /// The track.
        track: String,
        /// The two channels.
        found: (Channel, Channel),
    },
    /// Poses and differences to poses are not shown one after the other.
    #[error("clip {clip:?} shows poses and was to be joined with additive clips, which show differences")]
    Additive {
        /// The clip that is not additive.
        clip: String,
    },
    /// A track can't be as it would have to: a time or value leaves f32, or a time falls before 0.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip is not one of this skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
}
