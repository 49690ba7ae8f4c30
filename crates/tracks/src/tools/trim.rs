//! Keys outside of a stretch of time, dropped.

use super::TimeError;
use super::curve::asking;
use super::rebuild::rebuilt;
use crate::{Clip, Interpolation, Skeleton, Track};

/// The clip without its keys before `start_s` and after `end_s`; the others stay where they are.
///
/// Between the keys that stay, every curve is as it was. Unlike [`subclip`](super::subclip) this makes no keys at the ends and
/// moves none to 0: beyond the keys that stay, a track shows what its extrapolation says. A track of which no key stays is
/// dropped, and what it moved is at rest.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 1.0, 2.0, 3.0], vec![0.0; 12])?;
/// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// assert_eq!(tools::trim(&clip, &skeleton, 0.5, 2.5)?.timelines()[0][..], [1.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Range`] unless `start_s <= end_s`; [`TimeError::Clip`] if the clip is not of this skeleton.
pub fn trim(clip: &Clip, skeleton: &Skeleton, start_s: f32, end_s: f32) -> Result<Clip, TimeError> {
    if !(start_s <= end_s) {
        return Err(TimeError::Range { clip: clip.name().to_owned(), start_s, end_s });
    }
    rebuilt(clip, skeleton, |moved| {
        let times = moved.track.times();
        let from = times.partition_point(|&t| t < start_s);
        let to = times.partition_point(|&t| t <= end_s);
        if from == to { Ok(None) } else { Ok(Some(kept(&moved.label(), moved.track, from, to)?)) }
    })
}

/// The track of its keys from `from` up to and without `to`.
fn kept(label: &str, track: &Track, from: usize, to: usize) -> Result<Track, TimeError> {
    if (from, to) == (0, track.times().len()) {
        return Ok(track.clone());
    }
    let n = track.channel().components();
    let times = track.times()[from..to].to_vec();
    let kind = track.interpolation();
    let per_key = n * kind.values_per_key();
    let values = match kind {
        Interpolation::CatmullRom => {
            // The tangents at the new ends were given by keys that go.
            let spline = track.to_cubic_spline(label)?;
            let spline = spline.as_ref().unwrap_or(track).values();
            let keys = &track.values()[n * (from + 1)..n * (to + 1)];
            [&spline[3 * n * from..][..n], keys, &spline[3 * n * to - n..][..n]].concat()
        }
        _ => track.values()[per_key * from..per_key * to].to_vec(),
    };
    if kind == Interpolation::Custom {
        return Ok(asking(label, track, times, values, |t| t, |_| ())?);
    }
    Ok(track.with_keys(label, times, values)?)
}
