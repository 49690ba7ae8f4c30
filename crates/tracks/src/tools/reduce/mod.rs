//! Fewer keys, within a tolerance that is measured against the clip as it was.
//!
//! What counts is where a character's points are, in model space, so errors of a joint count with all that hangs on it. In
//! order: `reach` looks how far a turn of each joint moves points, and shares the tolerance out to channels; `thin`
//! drops keys of one track as long as its share is kept; `probe` plays the whole against the clip as it was. Shares add
//! up in ways that no rule of thumb foresees, so they are guesses, and the probe decides: where it finds too much, all
//! shares shrink and it begins anew.

mod probe;
mod reach;
mod thin;

use thiserror::Error;

use super::rebuild::{Target, rebuilt};
use crate::{Channel, Clip, ClipError, Skeleton, Track, TrackError};

/// How far a reduced clip may be from the clip as it was.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ReduceOptions {
    /// How far a point may move in model space, in the asset's unit.
    pub tolerance: f32,
    /// How far the points are from their joint, in its own space, along each axis both ways, in the asset's unit. What
    /// is skinned to a joint is about as far from it.
    pub shell: f32,
    /// How far weights, numbers and colours of properties may be off, each; quaternions as the length of the difference.
    pub values: f32,
}

impl Default for ReduceOptions {
    /// A tenth of a millimetre at 3 centimetres from the joint, for assets in metres; a thousandth for values.
    fn default() -> Self {
        Self { tolerance: 1e-4, shell: 0.03, values: 1e-3 }
    }
}

/// Why a clip can't be reduced.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// Tolerances and distances are 0 or above.
    #[error("{what} is {value}, but must be 0 or above and finite")]
    Option {
        /// Which of the [`ReduceOptions`].
        what: &'static str,
        /// What was asked for.
        value: f32,
    },
    /// A tangent leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip is not one of this skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// The shares of the tolerance that are tried, largest first: each that much of the one before.
const SMALLER: f64 = 0.6;
const TRIES: i32 = 24;

/// The clip without the keys that it can do without.
///
/// At no time is a point that moves with a joint, [`shell`](ReduceOptions::shell) from it, further from where the clip has it
/// than [`tolerance`](ReduceOptions::tolerance), in model space, so the whole chain's errors together. The error is always
/// measured against `clip` itself (if additive, both on the rest), over all time (between two measured times, what a peak could add is counted in), so
/// it never adds up from key to key. If no keys can go within the tolerance, the clip comes back as it is.
///
/// Keys that stay keep their numbers; first and last keys, and both keys of a jump, always stay. Catmull-Rom tracks become
/// cubic splines if they lose keys. Tracks with functions of the caller's stay as they are.
///
/// A tolerance of 0.01 cm at 3 cm is 1e-4 and 0.03 in an asset in metres, 0.01 and 3 in one in centimetres.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let times: Vec<f32> = (0..100).map(|frame| frame as f32 / 30.0).collect();
/// let straight = times.iter().flat_map(|&t| [t, 0.0, 0.0]).collect();
/// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, times, straight)?;
/// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// assert_eq!(tools::reduce(&clip, &skeleton, &tools::ReduceOptions::default())?.key_count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`ReduceError`].
pub fn reduce(clip: &Clip, skeleton: &Skeleton, options: &ReduceOptions) -> Result<Clip, ReduceError> {
    let ReduceOptions { tolerance, shell, values } = *options;
    for (what, value) in
        [("the tolerance", tolerance), ("the shell", shell), ("the tolerance of values", values)]
    {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(ReduceError::Option { what, value });
        }
    }
    // Checks that the clip is of the skeleton, and reduces what is in no pose.
    let start = rebuilt(clip, skeleton, |moved| -> Result<Option<Track>, ReduceError> {
        let track = moved.track;
        let thinned = if track.channel().is_in_pose() {
            track.clone()
        } else {
            thin::thinned(&moved.label(), track, f64::from(values))?
        };
        Ok(Some(thinned))
    })?;
    let reach = reach::reach(clip, skeleton, f64::from(shell));
    let probe = probe::Probe::new(clip, skeleton, f64::from(shell), f64::from(tolerance));
    for attempt in 0..TRIES {
        let share = f64::from(tolerance) * SMALLER.powi(attempt);
        let mut lost = false;
        let reduced = rebuilt(&start, skeleton, |moved| -> Result<Option<Track>, ReduceError> {
            let (Target::Joint(joint), track) = (moved.target, moved.track) else {
                return Ok(Some(moved.track.clone()));
            };
            let reach = &reach[joint.get()];
            let allowed = match track.channel() {
                Channel::Translation => share / reach.enlarged,
                // A difference of quaternions is a quarter of the angle, and that is what a point a unit away moves.
                Channel::Rotation => share / (2.0 * reach.far),
                Channel::Scale => share / reach.own,
                _ => return Ok(Some(track.clone())),
            };
            let thinned = thin::thinned(&moved.label(), track, allowed)?;
            lost |= thinned.times().len() < track.times().len();
            Ok(Some(thinned))
        })?;
        if !lost {
            return Ok(start);
        }
        if probe.accepts(&reduced) {
            return Ok(reduced);
        }
    }
    Ok(start)
}
