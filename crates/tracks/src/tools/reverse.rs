//! Clips played backwards.

use super::TimeError;
use super::curve::asking;
use super::rebuild::{Moved, Target, built, moved};
use super::subclip::cut;
use crate::{Channel, Clip, Extrapolation, Interpolation, Skeleton, Track, TrackError};

/// The clip played backwards: at `t` it shows what `clip` shows at `duration - t`.
///
/// That holds for every interpolation and beyond the keys too; steps change at the same instants, and hold on the other
/// side of them. At the very instant of a jump the later side is shown, as everywhere. Key times are `duration - t`,
/// rounded. Reversing twice gives the clip back: values and tangents to the last bit, times too unless they were rounded (those
/// on a grid of frames are off by at most half the spacing of `f32` at the duration), and without keys that could not be
/// seen. If no track has a key at 0, one gets a key there, so that the result is as long as the clip. Functions
/// of the caller's, and steps that go on along a line, become functions that ask the track at the reversed times; twice
/// reversed they have the same values, but are other functions.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "door".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let open = Track::new("door", Channel::Translation, Interpolation::Step, [0.0, 0.5, 2.0],
///     vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0])?;
/// let clip = Clip::new("open", &skeleton, [(JointIndex(0), open)])?;
/// let shut = tools::reverse(&clip, &skeleton)?;
/// let mut at = [0.0; 3];
/// shut.tracks()[0].track().sample(1.0, &mut at);
/// assert_eq!((at[0], shut.duration_s()), (1.0, 2.0));
/// assert_eq!(tools::reverse(&shut, &skeleton)?, clip);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Clip`] if the clip is not of this skeleton.
pub fn reverse(clip: &Clip, skeleton: &Skeleton) -> Result<Clip, TimeError> {
    let duration = f64::from(clip.duration_s());
    let begins_late = moved(clip, skeleton)?.all(|m| m.track.times()[0] > 0.0);
    let clamps = |m: &Moved<'_>| m.track.extrapolation() == Default::default();
    let lengthened =
        if begins_late { moved(clip, skeleton)?.position(|m| clamps(&m)).or(Some(0)) } else { None };
    let mut tracks: Vec<(Target<'_>, Track)> = Vec::new();
    for (index, moved) in moved(clip, skeleton)?.enumerate() {
        let (label, track) = (moved.label(), moved.track);
        let from_zero = if lengthened == Some(index) {
            Some(cut(&label, track, [0.0, track.times()[track.times().len() - 1]], |t| t)?)
        } else {
            None
        };
        tracks.push((moved.target, mirrored(&label, from_zero.as_ref().unwrap_or(track), duration)?));
    }
    Ok(built(clip.name(), clip.is_additive(), skeleton, tracks)?.marked_as(clip, |t| duration - t))
}

/// The track with its keys at `sum - t`, such that it shows there what it showed at `t`.
pub(super) fn mirrored(label: &str, track: &Track, sum: f64) -> Result<Track, TrackError> {
    let n = track.channel().components();
    let at = |t: f32| ((sum - f64::from(t)) as f32).max(0.0);
    let times = || track.times().iter().rev().map(|&t| at(t)).collect::<Vec<f32>>();
    // Values in the other order, the numbers of each in their own.
    let turned = |values: &[f32]| values.rchunks(n.max(1)).flatten().copied().collect::<Vec<f32>>();
    let (before, after) = track.extrapolation();
    let lines = [before, after].contains(&Extrapolation::Linear)
        && !(track.channel().is_rotation() || track.channel() == Channel::Discrete);
    let mirrored = match track.interpolation() {
        Interpolation::Step if !lines => {
            let (times, values) = steps(track, at);
            track.with_keys(label, times, values)?
        }
        Interpolation::CubicSpline => {
            let mut values = turned(track.values());
            // What was an out-tangent already stands where in-tangents do.
            for key in values.chunks_mut((3 * n).max(1)) {
                let (enter, rest) = key.split_at_mut(n);
                enter.iter_mut().chain(&mut rest[n..]).for_each(|v| *v = -*v);
            }
            track.with_keys(label, times(), values)?
        }
        Interpolation::CatmullRom => {
            let mut values = turned(track.values());
            let last = values.len() - n;
            values[..n].iter_mut().for_each(|v| *v = -*v);
            values[last..].iter_mut().for_each(|v| *v = -*v);
            track.with_keys(label, times(), values)?
        }
        // The lines of steps go through the keys at the ends, which have to stay the two they are.
        Interpolation::Step | Interpolation::Custom => {
            let values = turned(track.values());
            asking(label, track, times(), values, move |t| sum - t, |_| ())?
        }
        Interpolation::Linear | Interpolation::Nlerp | Interpolation::QuasiSpherical => {
            track.with_keys(label, times(), turned(track.values()))?
        }
    };
    Ok(mirrored.with_extrapolation(after, before))
}

/// A step's value holds from its key to the next; turned round, it begins where that next key was. The key that nothing
/// follows, and the time of the first, take a key more. Keys like the one ahead of them, at the same time, are left out.
fn steps(track: &Track, at: impl Fn(f32) -> f32) -> (Vec<f32>, Vec<f32>) {
    let last = track.times().len() - 1;
    let begins = (0..=last).rev().map(|key| (track.times()[(key + 1).min(last)], key));
    let mut keys: Vec<(f32, usize)> = Vec::with_capacity(last + 2);
    for (time, key) in begins.chain([(track.times()[0], 0)]) {
        let time = at(time);
        if keys.last().is_none_or(|&(t, k)| t != time || track.value(k) != track.value(key)) {
            keys.push((time, key));
        }
    }
    (keys.iter().map(|k| k.0).collect(), keys.iter().flat_map(|k| track.value(k.1)).copied().collect())
}
