//! Keys at a rate of one's own.

use thiserror::Error;

use super::TimeError;
use super::curve::{Keys, form_of, stretch};
use super::rebuild::rebuilt;
use super::subclip::{key_near, on_frame_s};
use crate::{Clip, ClipError, Interpolation, Skeleton, Track, TrackError};

/// No track gets more keys than this.
const MOST_KEYS: usize = 1 << 22;

/// Squared sine of half of the angle between two rotations that differ by rounding alone: half a second of arc.
const SAME_ROTATION: f64 = 1e-12;

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
    /// A track repeats beyond its keys too often for its jumps to be written out.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// A value leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip is not one of this skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Returns the clip with keys at whole multiples of `1 / rate_hz` and at its end, and at every jump.
///
/// Steps stay steps and keep the times of their keys, so that a step track, discrete ones included, shows the same value
/// as before at every time. (Steps that go on along a line beyond their keys become linear, as in
/// [`subclip`](super::subclip).) Everything else becomes linear, custom functions too: a key of the result shows what the
/// clip showed there, and between two keys the value is straight (slerp for rotations).
///
/// A jump, that is two keys at one time, or the point where a track that repeats starts again, keeps its exact time: the
/// result has two keys there, the value before the jump and the value after it. A jump that is within a twentieth of a frame and
/// 0.6 ms of a key of the rate replaces that key. Any other key of the clip that is as near to a key of the result as that
/// is that key, so at the rate of its own keys a clip is exact at each key, however the file rounded their times. A custom
/// function that jumps between two keys, or repeats, is not looked into: its jumps become ramps.
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
    let grid = Grid { rate, slack, duration_s, intervals: intervals as u32 };
    rebuilt(clip, skeleton, |moved| resampled(&moved.label(), moved.track, &grid).map(Some))
}

/// Where the keys of the rate are.
struct Grid {
    rate: f64,
    /// A key of the clip no further from a key of the rate is that key.
    slack: f64,
    duration_s: f32,
    intervals: u32,
}

impl Grid {
    fn time_s(&self, key: u32) -> f64 {
        if key == self.intervals { f64::from(self.duration_s) } else { f64::from(key) / self.rate }
    }

    /// Whether a jump at `jump_s` stands for the key. The first and the last stay, so that the clip keeps its length.
    fn is_replaced(&self, key: u32, jump_s: f32) -> bool {
        let t = self.time_s(key);
        let inner = 0 < key && key < self.intervals;
        jump_s == t as f32 || (inner && (f64::from(jump_s) - t).abs() <= self.slack)
    }
}

/// A time at which a track jumps, the value it leads to, and the value it has from then on.
struct Jump<'a> {
    time_s: f32,
    from: &'a [f32],
    to: &'a [f32],
}

fn resampled(label: &str, track: &Track, grid: &Grid) -> Result<Track, ResampleError> {
    let curve = curve(label, track, grid.duration_s)?;
    let steps = curve.form == Interpolation::Step;
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (time_s, value) in keys(track, &curve, grid) {
        times.push(time_s);
        values.extend(value);
    }
    if steps {
        return Ok(track.with_keys(label, times, values)?);
    }
    let (before, after) = track.extrapolation();
    let keyed = Track::new(label, track.channel(), Interpolation::Linear, times, values)?;
    Ok(keyed.with_extrapolation(before, after))
}

/// What the track shows in the clip's time. Of a custom function only the track's own keys.
fn curve(label: &str, track: &Track, duration_s: f32) -> Result<Keys, ResampleError> {
    let spline = match track.interpolation() {
        Interpolation::CatmullRom => track.to_cubic_spline(label)?,
        _ => None,
    };
    let curve = spline.as_ref().unwrap_or(track);
    let form = form_of(curve, 0.0, duration_s);
    if form == Interpolation::Custom {
        let mut keys = Keys::new(form);
        let own = track.times().iter().enumerate();
        own.for_each(|(key, &time_s)| keys.still(time_s, track.value(key)));
        return Ok(keys);
    }
    Ok(stretch(label, curve, form, 0.0, duration_s)?)
}

/// The keys of the rate and the jumps, in order of time.
fn keys(track: &Track, curve: &Keys, grid: &Grid) -> Vec<(f32, Vec<f32>)> {
    let steps = curve.form == Interpolation::Step;
    let jumps = jumps(curve, track.channel().is_rotation());
    let mut keys = Vec::new();
    let (mut passed, mut ahead) = (None, jumps.iter().peekable());
    for key in 0..=grid.intervals {
        let t = grid.time_s(key);
        while let Some(jump) = ahead.next_if(|jump| jump.time_s <= t as f32) {
            if !steps {
                keys.push((jump.time_s, jump.from.to_vec()));
            }
            keys.push((jump.time_s, jump.to.to_vec()));
            passed = Some(jump.time_s);
        }
        let mut near = passed.into_iter().chain(ahead.peek().map(|jump| jump.time_s));
        if near.any(|jump_s| grid.is_replaced(key, jump_s)) {
            continue;
        }
        // A step shows its value at every time, not only at keys of the clip.
        let value =
            if steps { held(curve, t as f32) } else { sampled(track, key_near(track, t, grid.slack)) };
        keys.push((t as f32, value));
    }
    keys
}

/// The value of a curve of steps, as its key has it.
fn held(steps: &Keys, t: f32) -> Vec<f32> {
    let next = steps.keys.partition_point(|key| key.time_s <= t);
    steps.keys[next.saturating_sub(1)].value.clone()
}

fn sampled(track: &Track, t: f32) -> Vec<f32> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample(t, &mut value);
    value
}

/// The jumps of a curve. A curve of steps jumps at each key whose value differs from that of the key before.
fn jumps(curve: &Keys, is_rotation: bool) -> Vec<Jump<'_>> {
    let mut jumps: Vec<Jump<'_>> = Vec::new();
    for (a, b) in curve.keys.iter().zip(curve.keys.iter().skip(1)) {
        if curve.form != Interpolation::Step && a.time_s < b.time_s {
            continue;
        }
        match jumps.last_mut() {
            // Of several keys at one time the last holds.
            Some(last) if last.time_s == b.time_s => last.to = &b.value,
            _ if differ(&a.value, &b.value, is_rotation) => {
                jumps.push(Jump { time_s: b.time_s, from: &a.value, to: &b.value });
            }
            _ => {}
        }
    }
    jumps
}

/// Whether two values are not the same. A rotation is the same at any length of its quaternion, and negated.
fn differ(a: &[f32], b: &[f32], is_rotation: bool) -> bool {
    let [a_b, a_a, b_b] = [(a, b), (a, a), (b, b)]
        .map(|(a, b)| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>());
    a != b && !(is_rotation && (a_a * b_b - a_b * a_b).abs() <= SAME_ROTATION * a_a * b_b)
}
