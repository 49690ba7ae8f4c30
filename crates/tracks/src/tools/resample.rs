//! Keys at a rate of one's own.

use thiserror::Error;

use super::rebuild::rebuilt;
use super::subclip::{key_near, on_frame_s};
use crate::{Clip, ClipError, Interpolation, Skeleton, Track, TrackError};

/// No track gets more keys than this.
const MOST_KEYS: usize = 1 << 22;

/// Why a clip can't be resampled.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ResampleError {
    /// Keys follow each other at a rate above 0.
    #[error("clip {clip:?} was to have {rate_hz} keys a second, but the rate must be above 0 and finite")]
    Rate {
        /// The clip.
        clip: String,
        /// What was asked for.
        rate_hz: f32,
    },
    /// The clip is too long for the rate.
    #[error(
        "clip {clip:?} of {duration_s} s at {rate_hz} Hz would have {keys} keys a track, above the limit of {limit}"
    )]
    TooManyKeys {
        /// The clip.
        clip: String,
        /// Its length.
        duration_s: f32,
        /// What was asked for.
        rate_hz: f32,
        /// Keys each track would have.
        keys: f64,
        /// Keys it may have.
        limit: usize,
    },
    /// A value leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip is not one of this skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// The clip with keys at whole multiples of `1 / rate_hz` and at its end, all tracks at the same times.
///
/// Steps stay steps, and all else becomes linear, functions of the caller's too: what a key of the result shows the clip showed
/// there, and between two of them it is straight (slerp for rotations). A jump between two keys becomes a ramp, or for steps
/// moves to the next key. A key of the clip within a twentieth of a frame and 0.6 ms of a key of the result is that key, so
/// at the rate of its own keys a clip is exact at each, however the file rounded their times.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let drop = Track::new("drop", Channel::Translation, Interpolation::CubicSpline, [0.0, 1.0],
///     [[0.0, 0.0, 0.0], [0.0, -2.0, -2.0]].concat().iter().flat_map(|&y| [0.0, y, 0.0]).collect())?;
/// let clip = Clip::new("drop", &skeleton, [(JointIndex(0), drop)])?;
/// let keyed = tools::resample(&clip, &skeleton, 4.0)?;
/// assert_eq!(keyed.timelines()[0][..], [0.0, 0.25, 0.5, 0.75, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`ResampleError`].
pub fn resample(clip: &Clip, skeleton: &Skeleton, rate_hz: f32) -> Result<Clip, ResampleError> {
    let name = || clip.name().to_owned();
    if !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(ResampleError::Rate { clip: name(), rate_hz });
    }
    let (duration_s, rate) = (clip.duration_s(), f64::from(rate_hz));
    // The last interval may be shorter than the others, but is none if it is shorter than what counts as no time.
    let slack = on_frame_s(rate);
    let intervals =
        ((f64::from(duration_s) - slack) * rate).ceil().max(if duration_s > 0.0 { 1.0 } else { 0.0 });
    if intervals >= MOST_KEYS as f64 {
        let (keys, limit) = (intervals + 1.0, MOST_KEYS);
        return Err(ResampleError::TooManyKeys { clip: name(), duration_s, rate_hz, keys, limit });
    }
    let intervals = intervals as u32;
    let exact = |key: u32| if key == intervals { f64::from(duration_s) } else { f64::from(key) / rate };
    rebuilt(clip, skeleton, |moved| {
        let (track, label) = (moved.track, moved.label());
        let n = track.channel().components();
        let mut times = Vec::with_capacity(intervals as usize + 1);
        let mut values = vec![0.0; n * (intervals as usize + 1)];
        for key in 0..=intervals {
            let t = exact(key);
            times.push(t as f32);
            let place = n * key as usize;
            track.sample(key_near(track, t, slack), &mut values[place..place + n]);
        }
        if track.interpolation() == Interpolation::Step {
            return Ok(Some(track.with_keys(&label, times, values)?));
        }
        let (before, after) = track.extrapolation();
        let keyed = Track::new(&label, track.channel(), Interpolation::Linear, times, values)?;
        Ok(Some(keyed.with_extrapolation(before, after)))
    })
}
