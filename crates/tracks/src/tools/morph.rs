//! Morph targets shown one after another.

use thiserror::Error;

use crate::{Channel, Interpolation, Track, TrackError};

/// Why there is no track for a sequence of morph targets.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MorphError {
    /// Frames follow each other at a rate above 0.
    #[error(
        "track {track:?} was asked for {rate_hz} frames a second, but the rate must be above 0 and finite"
    )]
    Rate {
        /// The track.
        track: String,
        /// What was asked for.
        rate_hz: f32,
    },
    /// The mesh has no such target.
    #[error("track {track:?}: frame {frame} shows target {target}, but there are {count}, counted from 0")]
    NoSuchTarget {
        /// The track.
        track: String,
        /// The frame.
        frame: usize,
        /// Its target.
        target: u32,
        /// How many there are.
        count: u32,
    },
    /// The weights of all frames are more numbers than are kept.
    #[error("track {track:?}: {frames} frames of {count} weights are more than {limit} numbers")]
    TooManyNumbers {
        /// The track.
        track: String,
        /// How many frames there are.
        frames: usize,
        /// How many targets.
        count: u32,
        /// How many numbers there may be.
        limit: usize,
    },
    /// There is no frame, or a time leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
}

/// More numbers than this a track of weights does not get.
const MOST_NUMBERS: usize = 1 << 26;

/// A track of weights that shows morph targets one after another, `rate_hz` a second, each fading into the next: `frames`
/// names the target that frame `i` shows, at `i / rate_hz` seconds, alone and whole. `count` is how many targets the mesh has.
///
/// If it `loops`, the last frame fades into the first, which is shown again at the end. Otherwise the last frame is the end.
///
/// ```
/// let blink = throng_tracks::tools::morph_sequence("blink", 2, &[0, 1], 10.0, true)?;
/// assert_eq!(blink.times()[..], [0.0, 0.1, 0.2]);
/// assert_eq!(blink.values(), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
/// # Ok::<(), throng_tracks::tools::MorphError>(())
/// ```
///
/// # Errors
/// Any [`MorphError`].
pub fn morph_sequence(
    label: &str,
    count: u32,
    frames: &[u32],
    rate_hz: f32,
    loops: bool,
) -> Result<Track, MorphError> {
    let track = || label.to_owned();
    if !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(MorphError::Rate { track: track(), rate_hz });
    }
    if let Some(frame) = frames.iter().position(|&target| target >= count) {
        return Err(MorphError::NoSuchTarget { track: track(), frame, target: frames[frame], count });
    }
    let shown: Vec<u32> = frames.iter().chain(frames.first().filter(|_| loops)).copied().collect();
    let numbers = shown.len().saturating_mul(count as usize);
    if numbers > MOST_NUMBERS {
        return Err(MorphError::TooManyNumbers {
            track: track(),
            frames: frames.len(),
            count,
            limit: MOST_NUMBERS,
        });
    }
    let mut values = vec![0.0; numbers];
    for (frame, &target) in shown.iter().enumerate() {
        values[frame * count as usize + target as usize] = 1.0;
    }
    let times: Vec<f32> = (0..shown.len()).map(|i| (i as f64 / f64::from(rate_hz)) as f32).collect();
    Ok(Track::new(label, Channel::Weights(count), Interpolation::Linear, times, values)?)
}
