//! Clips in another unit of length.

use super::TimeError;
use super::mapped::mapped;
use super::rebuild::rebuilt;
use crate::{Channel, Clip, Skeleton};

/// The clip with all lengths multiplied by `factor`: for a skeleton of another unit. Translations and their tangents are scaled,
/// those of additive clips too; rotations, scales, weights and properties stay.
///
/// A skeleton, skins and clips that are all scaled by one factor show the same poses at another size.
///
/// ```
/// use throng_tracks::*;
/// let root = Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
/// let skeleton = Skeleton::new([root])?;
/// let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0],
///     vec![0.0, 0.0, 0.0, 250.0, 0.0, 0.0])?;
/// let centimetres = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// let metres = tools::scale_lengths(&centimetres, &skeleton, 0.01)?;
/// assert_eq!(metres.tracks()[0].track().value(1), [2.5, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Track`] if a number leaves f32; [`TimeError::Clip`] if the clip is not of this skeleton.
pub fn scale_lengths(clip: &Clip, skeleton: &Skeleton, factor: f64) -> Result<Clip, TimeError> {
    rebuilt(clip, skeleton, |moved| {
        let track = moved.track;
        if track.channel() != Channel::Translation {
            return Ok(Some(track.clone()));
        }
        let linear = move |value: &mut [f64]| value.iter_mut().for_each(|v| *v *= factor);
        let scaled = mapped(&moved.label(), track, linear, &[0.0; 3])?;
        let (before, after) = track.extrapolation();
        Ok(Some(scaled.with_extrapolation(before, after)))
    })
}
