//! Clips moved and stretched in time.

use super::TimeError;
use super::curve::asking;
use super::rebuild::rebuilt;
use crate::{Clip, Interpolation, Skeleton, Track, TrackError};

/// The clip `by_s` seconds later: at `t + by_s` it shows what `clip` shows at `t`. Negative shifts bring it forward.
///
/// All keys move; what a track shows at its first key it shows ahead of it too, unless it extrapolates.
///
/// # Errors
/// [`TimeError::Track`] if a key falls before 0 or leaves f32, or the shift is not finite; [`TimeError::Clip`] if the clip
/// is not of this skeleton.
pub fn shift(clip: &Clip, skeleton: &Skeleton, by_s: f32) -> Result<Clip, TimeError> {
    let by = f64::from(by_s);
    let shifted: Result<Clip, TimeError> =
        rebuilt(clip, skeleton, |moved| Ok(Some(retimed(&moved.label(), moved.track, 1.0, by)?)));
    Ok(shifted?.marked_as(clip, |t| t + by))
}

/// The clip slower, or quicker for a factor below 1: at `t * factor` it shows what `clip` shows at `t`.
///
/// Tangents, which are per second, are divided by the factor.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 2.0],
///     vec![0.0, 0.0, 0.0, 8.0, 0.0, 0.0])?;
/// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// let slow_then_late = tools::shift(&tools::scale_time(&clip, &skeleton, 1.5)?, &skeleton, 0.5)?;
/// assert_eq!(slow_then_late.timelines()[0][..], [0.5, 3.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Factor`] unless the factor is above 0 and finite; [`TimeError::Track`] if a key or tangent leaves f32;
/// [`TimeError::Clip`] if the clip is not of this skeleton.
pub fn scale_time(clip: &Clip, skeleton: &Skeleton, factor: f32) -> Result<Clip, TimeError> {
    if !(factor > 0.0 && factor.is_finite()) {
        return Err(TimeError::Factor { clip: clip.name().to_owned(), factor });
    }
    let factor = f64::from(factor);
    let scaled: Result<Clip, TimeError> =
        rebuilt(clip, skeleton, |moved| Ok(Some(retimed(&moved.label(), moved.track, factor, 0.0)?)));
    Ok(scaled?.marked_as(clip, |t| t * factor))
}

/// The track with its keys at `t * factor + by`.
fn retimed(label: &str, track: &Track, factor: f64, by: f64) -> Result<Track, TrackError> {
    let times: Vec<f32> = track.times().iter().map(|&t| (f64::from(t) * factor + by) as f32).collect();
    let mut values = track.values().to_vec();
    let n = track.channel().components().max(1);
    let slower = |tangent: &mut [f32]| {
        tangent.iter_mut().for_each(|v| *v = (f64::from(*v) / factor) as f32);
    };
    match track.interpolation() {
        Interpolation::Custom => {
            return asking(label, track, times, values, move |t| (t - by) / factor, |_| ());
        }
        Interpolation::CubicSpline => {
            let parts = values.chunks_mut(n).enumerate();
            parts.filter(|(part, _)| part % 3 != 1).for_each(|(_, tangent)| slower(tangent));
        }
        Interpolation::CatmullRom if !values.is_empty() => {
            let last = values.len() - n;
            slower(&mut values[..n]);
            slower(&mut values[last..]);
        }
        _ => {}
    }
    track.with_keys(label, times, values)
}
