//! Parts of clips.

use std::ops::RangeInclusive;

use super::TimeError;
use super::curve::{Keys, asking, form_of, stretch};
use super::rebuild::rebuilt;
use crate::{Clip, Interpolation, Skeleton, Track};

/// A key within this part of a frame of a frame's time is at that frame.
const ON_FRAME: f64 = 0.05;

/// And no further from it than this, in seconds: room for times written with three digits, and not for keys of a finer rate.
const ROUNDED_S: f64 = 6e-4;

/// How far a key may be from a frame to be at it, at a rate.
pub(super) fn on_frame_s(rate_hz: f64) -> f64 {
    (ON_FRAME / rate_hz).min(ROUNDED_S)
}

/// The part of a clip from `start_s` to `end_s`: at `t` it shows what `clip` shows at `start_s + t`, and it lasts exactly
/// `end_s - start_s`.
///
/// Every track gets a key at both ends where it has none, and between them keeps its own. What it shows beyond its own keys is
/// written out, repeats too. How the curve stays the same where it is cut:
///
/// | interpolation | the result |
/// | --- | --- |
/// | step, linear | the same interpolation, one more key |
/// | cubic spline | the value and slope of the curve there |
/// | Catmull-Rom | a cubic spline |
/// | nlerp, quasi-spherical | a cubic spline, which holds the same curve; the same interpolation if no two keys that differ were cut apart |
/// | steps that go on along a line | linear, with two keys at a time |
/// | the caller's function | a function that asks the old track at `start_s + t` |
///
/// A cubic spline through rotations leaves unit length on its way, and keys must have it: if a cut needs it, one piece
/// becomes several, each scaled as a whole, of the same rotations. (Where such a spline passes through zero, which has no
/// rotation, the few thousandths of a piece around it may differ.)
///
/// Slerp goes by the keys as they are, and where their lengths are off 1, no keys in the middle of an arc hold just the same curve:
/// of keys of three digits the rotations between are off by some 1e-6, of keys a hundredth too long by up to 4e-4.
///
/// No track becomes empty, as every track shows something at every time. Weights of no target hold nothing, and are dropped.
/// The result's extrapolation is that of the source, and so is its name: [`Clip::with_name`] gives it another.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 2.0],
///     vec![0.0, 0.0, 0.0, 8.0, 0.0, 0.0])?;
/// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// let part = tools::subclip(&clip, &skeleton, 0.5, 1.25)?;
/// assert_eq!(part.duration_s(), 0.75);
/// assert_eq!(part.tracks()[0].track().values(), [2.0, 0.0, 0.0, 5.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Range`] unless `0 <= start_s <= end_s`, both finite; [`TimeError::TooManyKeys`] for a track that repeats
/// too often; [`TimeError::Track`] if a value leaves f32; [`TimeError::Clip`] if the clip is not of this skeleton.
pub fn subclip(clip: &Clip, skeleton: &Skeleton, start_s: f32, end_s: f32) -> Result<Clip, TimeError> {
    if !(0.0 <= start_s && start_s <= end_s && end_s.is_finite()) {
        return Err(TimeError::Range { clip: clip.name().to_owned(), start_s, end_s });
    }
    let part: Result<Clip, TimeError> = rebuilt(clip, skeleton, |moved| {
        if moved.track.channel().components() == 0 {
            return Ok(None);
        }
        let time = |t: f32| (f64::from(t) - f64::from(start_s)) as f32;
        cut(&moved.label(), moved.track, [start_s, end_s], time).map(Some)
    });
    Ok(part?.marked_as(clip, |t| t - f64::from(start_s)))
}

/// [`subclip`] by frames, at `rate_hz` a second: from the first to the last, both included. It lasts exactly
/// `(last - first) / rate_hz`.
///
/// A key within a twentieth of a frame of either end, and within 0.6 ms, is at that end, and is the key there: a file's 0.533 s
/// is frame 16 at 30 Hz, and so is whatever 16 / 30 was rounded to.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let times: Vec<f32> = (0..40).map(|frame| frame as f32 / 30.0).collect();
/// let values = (0..40).flat_map(|frame| [frame as f32, 0.0, 0.0]).collect();
/// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, times, values)?;
/// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// let part = tools::subclip_frames(&clip, &skeleton, 16..=18, 30.0)?;
/// assert_eq!(part.tracks()[0].track().values(), [16.0, 0.0, 0.0, 17.0, 0.0, 0.0, 18.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Frames`] if the last frame is ahead of the first; [`TimeError::Rate`] unless the rate is above 0 and
/// finite; those of [`subclip`].
pub fn subclip_frames(
    clip: &Clip,
    skeleton: &Skeleton,
    frames: RangeInclusive<u32>,
    rate_hz: f32,
) -> Result<Clip, TimeError> {
    let (first, last) = frames.into_inner();
    if !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(TimeError::Rate { clip: clip.name().to_owned(), rate_hz });
    }
    if last < first {
        return Err(TimeError::Frames { clip: clip.name().to_owned(), first, last });
    }
    let time = |frame: u32| f64::from(frame) / f64::from(rate_hz);
    let ends = [first, last].map(time);
    let length = ends[1] - ends[0];
    let [start_s, end_s] = ends.map(|t| t as f32);
    if !end_s.is_finite() {
        return Err(TimeError::Range { clip: clip.name().to_owned(), start_s, end_s });
    }
    let part: Result<Clip, TimeError> = rebuilt(clip, skeleton, |moved| {
        if moved.track.channel().components() == 0 {
            return Ok(None);
        }
        let [a, b] = ends.map(|t| key_near(moved.track, t, on_frame_s(f64::from(rate_hz))));
        let at = |t: f32| match t {
            t if t == a && first < last => 0.0,
            t if t == b => length as f32,
            t => (f64::from(t) - ends[0]).clamp(0.0, length) as f32,
        };
        cut(&moved.label(), moved.track, [a, b.max(a)], at).map(Some)
    });
    // As keys are: what is near an end of the frames is at it.
    let reach = on_frame_s(f64::from(rate_hz));
    Ok(part?.marked_as(clip, |t| match t - ends[0] {
        t if t.abs() <= reach => 0.0,
        t if (t - length).abs() <= reach => length,
        t => t,
    }))
}

/// The time of the key nearest to `t`, if one is within `reach`, else `t`.
pub(super) fn key_near(track: &Track, t: f64, reach: f64) -> f32 {
    let times = track.times();
    let next = times.partition_point(|&key| f64::from(key) < t);
    let off = |&key: &f32| (f64::from(key) - t).abs();
    let around = times[next.saturating_sub(1)..times.len().min(next + 1)].iter().copied();
    let nearest = around.min_by(|a, b| off(a).total_cmp(&off(b)));
    nearest.filter(|key| off(key) <= reach).unwrap_or(t as f32)
}

/// The curve of `track` between two times, its keys where `time` moves them.
pub(super) fn cut(
    label: &str,
    track: &Track,
    [start, end]: [f32; 2],
    time: impl Fn(f32) -> f32,
) -> Result<Track, TimeError> {
    let spline = match track.interpolation() {
        Interpolation::CatmullRom => track.to_cubic_spline(label)?,
        _ => None,
    };
    let track = spline.as_ref().unwrap_or(track);
    let form = form_of(track, start, end);
    let keys = stretch(label, track, form, start, end)?;
    if form == Interpolation::Custom {
        return asked(label, track, &keys, time);
    }
    Ok(keys.track(label, track, time)?)
}

fn asked(label: &str, track: &Track, keys: &Keys, time: impl Fn(f32) -> f32) -> Result<Track, TimeError> {
    let source: Vec<f32> = keys.keys.iter().map(|key| key.time_s).collect();
    let times: Vec<f32> = source.iter().map(|&t| time(t)).collect();
    let values = keys.keys.iter().flat_map(|key| key.value.clone()).collect();
    let (from, to) = (times[0], source[0]);
    let shift = f64::from(to) - f64::from(from);
    Ok(asking(label, track, times, values, move |t| t + shift, |_| ())?)
}
