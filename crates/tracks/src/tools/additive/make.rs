//! From a clip to its difference to a reference.

use std::collections::HashSet;

use glam::{DQuat, DVec3};
use thiserror::Error;

use crate::tools::mapped::mapped;
use crate::tools::rebuild::{Moved, Target, built, moved};
use crate::{Channel, Clip, ClipError, DTransform, Interpolation, JointIndex, Skeleton, Track, TrackError};

/// Why a clip can't be made additive.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AdditiveError {
    /// Scales are divided by those of the reference.
    #[error(
        "joint {joint} ({name:?}) has a scale of 0 along {} in the reference {reference:?} at {time_s} s, so that no \
         ratio to it exists", ["x", "y", "z"][*axis]
    )]
    ZeroScale {
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// 0, 1 or 2, for x, y or z.
        axis: usize,
        /// The reference clip.
        reference: String,
        /// The reference time.
        time_s: f32,
    },
    /// Clip and reference move different kinds of value by one name.
    #[error("track {track:?} is {} in the clip and {} in the reference", found.0.name(), found.1.name())]
    Channels {
        /// The track.
        track: String,
        /// The two channels.
        found: (Channel, Channel),
    },
    /// The clip or the reference shows differences already.
    #[error("clip {clip:?} is additive already, and differences are taken between poses")]
    Additive {
        /// The clip or the reference.
        clip: String,
    },
    /// A difference leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip or the reference is not one of this skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// The difference of `clip` to the pose that `reference` shows at `time_s`, as a clip of its own.
///
/// | channel | difference | applied with a weight |
/// | --- | --- | --- |
/// | rotation, quaternion | `conj(reference) * value` | `base * nlerp(identity, difference, weight)` |
/// | scale | `value / reference` | `base * lerp(1, difference, weight)` |
/// | discrete | the value itself: names have no difference | |
/// | all other | `value - reference` | `base + weight * difference` |
///
/// Tangents go through the same linear map as values, so a clip of cubic splines stays exact, as one of any
/// interpolation does. What only the reference moves gets a constant difference, from there to rest. What the reference
/// does not move is at rest in it; for weights and properties, which have no rest, at 0 (or identity), and those that only the
/// reference moves have no difference.
///
/// The result [is additive](Clip::is_additive): a joint that it does not move is not changed when it is applied.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "head".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let nod = Track::new("nod", Channel::Translation, Interpolation::Linear, [0.0, 1.0],
///     vec![0.0, 5.0, 0.0, 0.0, 4.0, 0.0])?;
/// let clip = Clip::new("nod", &skeleton, [(JointIndex(0), nod)])?;
/// let nod = tools::make_additive(&clip, &skeleton, &clip, 0.0)?;
/// let mut delta = [Transform::IDENTITY];
/// tools::sample_additive(&nod, 0.5, &mut delta);
/// let mut pose = [Transform { translation: [1.0, 1.0, 1.0].into(), ..Transform::IDENTITY }];
/// tools::apply_additive(&mut pose, &delta, 2.0);
/// assert_eq!(pose[0].translation.to_array(), [1.0, 0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`AdditiveError`].
pub fn make_additive(
    clip: &Clip,
    skeleton: &Skeleton,
    reference: &Clip,
    time_s: f32,
) -> Result<Clip, AdditiveError> {
    if let Some(additive) = [clip, reference].into_iter().find(|clip| clip.is_additive()) {
        return Err(AdditiveError::Additive { clip: additive.name().to_owned() });
    }
    let references: Vec<Moved<'_>> = moved(reference, skeleton)?.collect();
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    reference.sample_f64(skeleton, time_s, &mut pose);
    let ratio_to = |joint: JointIndex| {
        let scale = pose[joint.get()].scale;
        match (0..3).find(|&axis| scale[axis] == 0.0) {
            Some(axis) => {
                let (name, reference) = (skeleton.name(joint).to_owned(), reference.name().to_owned());
                Err(AdditiveError::ZeroScale { joint, name, axis, reference, time_s })
            }
            None => Ok(scale),
        }
    };
    let mut tracks = Vec::new();
    let mut seen = HashSet::new();
    let rests = references.iter().filter_map(|moved| Some((moved.target, resting(moved, skeleton)?)));
    let own = moved(clip, skeleton)?.map(|moved| (moved.target, moved.track.clone()));
    // Own tracks first: what of the reference has none of them is at rest in the clip.
    for (target, track) in own.chain(rests) {
        let channel = track.channel();
        if !seen.insert((target, channel.name())) {
            continue;
        }
        let label = Moved { target, track: &track, skeleton }.label();
        let track = match (target, channel) {
            (Target::Joint(joint), Channel::Rotation) => turned(&label, &track, pose[joint.get()].rotation)?,
            (Target::Joint(joint), Channel::Scale) => divided(&label, &track, ratio_to(joint)?)?,
            (Target::Joint(joint), Channel::Translation) => {
                mapped(&label, &track, |_| (), &(-pose[joint.get()].translation).to_array())?
            }
            (_, Channel::Discrete) => track,
            _ => {
                let same = |moved: &&Moved<'_>| moved.target == target && !moved.track.channel().is_in_pose();
                let value = value_at(&label, channel, references.iter().find(same), time_s)?;
                match (channel, value) {
                    (_, None) => track,
                    (Channel::Quaternion, Some(q)) => turned(&label, &track, quaternion(&q))?,
                    (_, Some(value)) => {
                        mapped(&label, &track, |_| (), &value.iter().map(|v| -v).collect::<Vec<f64>>())?
                    }
                }
            }
        };
        tracks.push((target, track));
    }
    Ok(built(clip.name(), true, skeleton, tracks)?.marked_as(clip, |t| t))
}

/// For a track of the reference's that is part of a pose, one that stays at rest.
fn resting(moved: &Moved<'_>, skeleton: &Skeleton) -> Option<Track> {
    let Target::Joint(joint) = moved.target else { return None };
    let (channel, rest) = (moved.track.channel(), &skeleton.rest()[joint.get()]);
    let value = match channel {
        Channel::Translation => rest.translation.to_array().to_vec(),
        Channel::Rotation => rest.rotation.to_array().to_vec(),
        Channel::Scale => rest.scale.to_array().to_vec(),
        _ => return None,
    };
    // A rest is finite, and its rotation of unit length.
    Track::new(&moved.label(), channel, Interpolation::Step, [0.0], value).ok()
}

/// What the reference shows of a thing that is not part of a pose, if it moves it.
fn value_at(
    label: &str,
    channel: Channel,
    reference: Option<&Moved<'_>>,
    time_s: f32,
) -> Result<Option<Vec<f64>>, AdditiveError> {
    let Some(reference) = reference else { return Ok(None) };
    let other = reference.track.channel();
    if other != channel {
        return Err(AdditiveError::Channels { track: label.to_owned(), found: (channel, other) });
    }
    let mut value = vec![0.0; channel.components()];
    reference.track.sample_f64(time_s, &mut value);
    Ok(Some(value))
}

fn turned(label: &str, track: &Track, reference: DQuat) -> Result<Track, TrackError> {
    let back = reference.conjugate();
    let turn = move |q: &mut [f64]| q.copy_from_slice(&(back * quaternion(q)).to_array());
    mapped(label, track, turn, &[])
}

fn divided(label: &str, track: &Track, reference: DVec3) -> Result<Track, TrackError> {
    let divide = move |v: &mut [f64]| v.iter_mut().zip(reference.to_array()).for_each(|(v, by)| *v /= by);
    mapped(label, track, divide, &[])
}

fn quaternion(numbers: &[f64]) -> DQuat {
    DQuat::from_array(std::array::from_fn(|i| numbers[i]))
}
