//! Clips seen in a mirror.
//!
//! `pairs` finds by their names which joints are left and right of each other. `frames` compares the axes of the two
//! at rest, once for each joint; every track of the one then goes through one linear map to become a track of the other.

mod frames;
mod pairs;

use std::collections::HashSet;

use thiserror::Error;

pub use pairs::{is_sided, pairs_by_name};

use super::mapped::mapped;
use super::rebuild::{Target, built, moved};
use crate::{Channel, Clip, ClipError, JointIndex, Property, Skeleton, Track, TrackError};
use frames::Frame;

/// The plane of a mirror: through the origin, across one axis of model space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MirrorPlane {
    /// What is at `x` is shown at `-x`: left and right of characters that look along z or -z, as glTF's do.
    X,
    /// What is at `y` is shown at `-y`.
    Y,
    /// What is at `z` is shown at `-z`.
    Z,
}

/// Why a clip can't be mirrored.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MirrorError {
    /// A pair names a joint that the skeleton has not.
    #[error("joint {joint} is to be mirrored, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// The joint.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// A joint is in two pairs.
    #[error("joint {joint} ({name:?}) is in two pairs")]
    Repeated {
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
    },
    /// The parents of a pair are no pair, so that the two do not hang on the same thing.
    #[error("joints {joint} ({name:?}) and {other} ({other_name:?}) are a pair, but their parents are not")]
    Parents {
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// The other.
        other: JointIndex,
        /// Its name.
        other_name: String,
    },
    /// A joint is scaled along axes of which the other has none along the same lines.
    #[error(
        "track {track:?} scales its joint differently along its axes, and joint {other} ({other_name:?}), which would show \
         that in the mirror, has other axes"
    )]
    Axes {
        /// The track.
        track: String,
        /// The joint in the mirror.
        other: JointIndex,
        /// Its name.
        other_name: String,
    },
    /// A value leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip is not one of this skeleton, or moves a joint whose other one is fixed.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// The clip in a mirror: what moved the one joint of a pair moves the other, to the other side. Joints in no pair show
/// their own mirror image.
///
/// The two joints of a pair may have any axes. What counts is how they stand at rest: the image of a joint that is turned
/// away from its rest is the other, turned away from its own, so that in model space it moves as the mirror shows. Rest
/// becomes rest. For a skeleton that is its own mirror image at rest, every pose becomes exactly its image; otherwise
/// rotations do, and translations are mirrored as far as they leave the rest. Negative scales in the rest, which mirror by
/// themselves, are not looked at.
///
/// Of an additive clip the differences are mirrored: the image of a pose with the clip added is the pose's image with the
/// clip's image added.
///
/// Every interpolation comes through exactly. Mirroring twice gives the clip back, but for rounding. Weights and properties
/// of a joint go to the other joint as they are: a mesh's left and right targets are not told apart.
///
/// ```
/// use throng_tracks::*;
/// let at = |x: f32| Rest::Trs(Transform { translation: [x, 1.0, 0.0].into(), ..Transform::IDENTITY });
/// let joint = |name: &str, x| Joint { name: name.into(), parent: None, rest: at(x) };
/// let skeleton = Skeleton::new([joint("hand.L", 0.5), joint("hand.R", -0.5)])?;
/// let wave = Track::new("wave", Channel::Translation, Interpolation::Linear, [0.0], vec![0.75, 2.0, 0.25])?;
/// let clip = Clip::new("wave", &skeleton, [(JointIndex(0), wave)])?;
/// let pairs = tools::pairs_by_name(&skeleton);
/// let other = tools::mirror(&clip, &skeleton, tools::MirrorPlane::X, &pairs)?;
/// assert_eq!(other.tracks()[0].joint(), JointIndex(1));
/// assert_eq!(other.tracks()[0].track().values(), [-0.75, 2.0, 0.25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`MirrorError`].
pub fn mirror(
    clip: &Clip,
    skeleton: &Skeleton,
    plane: MirrorPlane,
    pairs: &[(JointIndex, JointIndex)],
) -> Result<Clip, MirrorError> {
    let others = others(skeleton, pairs)?;
    let mut frames = frames::frames(skeleton, plane, &others);
    if clip.is_additive() {
        frames.iter_mut().for_each(|frame| *frame = frame.of_differences());
    }
    let mut properties: Vec<(Property, Track)> = Vec::new();
    let mut tracks = Vec::new();
    for moved in moved(clip, skeleton)? {
        let (label, track) = (moved.label(), moved.track);
        match moved.target {
            Target::Joint(joint) => {
                let other = others[joint.get()];
                let frame = &frames[joint.get()];
                tracks.push((Target::Joint(other), seen(&label, track, frame, other, skeleton)?));
            }
            Target::Property(property) => {
                let joint = property.joint.map(|joint| others[joint.get()]);
                properties.push((Property { joint, ..property.clone() }, track.clone()));
            }
        }
    }
    let mirrored = built(clip.name(), clip.is_additive(), skeleton, tracks)?;
    Ok(mirrored.with_properties(skeleton, properties)?.marked_as(clip, |t| t))
}

/// Each joint's other: itself where it is in no pair.
fn others(skeleton: &Skeleton, pairs: &[(JointIndex, JointIndex)]) -> Result<Vec<JointIndex>, MirrorError> {
    let count = skeleton.joint_count();
    let mut others: Vec<JointIndex> = skeleton.joints().collect();
    let mut seen = HashSet::new();
    for &(a, b) in pairs {
        for (joint, other) in if a == b { vec![(a, b)] } else { vec![(a, b), (b, a)] } {
            if joint.get() >= count {
                return Err(MirrorError::NoSuchJoint { joint, count });
            }
            if !seen.insert(joint) {
                return Err(MirrorError::Repeated { joint, name: skeleton.name(joint).to_owned() });
            }
            others[joint.get()] = other;
        }
    }
    for joint in skeleton.joints() {
        let other = others[joint.get()];
        let parents = [joint, other].map(|joint| skeleton.parents()[joint.get()]);
        if parents[0].map(|parent| others[parent.get()]) != parents[1] {
            let [name, other_name] = [joint, other].map(|joint| skeleton.name(joint).to_owned());
            return Err(MirrorError::Parents { joint, name, other, other_name });
        }
    }
    Ok(others)
}

/// Whether a scale is the same along all axes, but for the rounding of whoever computed it.
fn is_uniform(scale: &[f32]) -> bool {
    const ROUNDING: f32 = 1e-5;
    let size = scale.iter().fold(0.0f32, |size, s| size.max(s.abs()));
    scale.iter().all(|s| (s - scale[0]).abs() <= ROUNDING * size)
}

/// What the mirror shows of a track.
fn seen(
    label: &str,
    track: &Track,
    frame: &Frame,
    other: JointIndex,
    skeleton: &Skeleton,
) -> Result<Track, MirrorError> {
    let frame = *frame;
    Ok(match track.channel() {
        Channel::Translation => {
            let offset = frame.translation_offset();
            mapped(label, track, move |v| frame.translate(v), &offset.to_array())?
        }
        Channel::Rotation => mapped(label, track, move |q| frame.rotate(q), &[])?,
        Channel::Scale => match frame.axes() {
            Some(axes) => mapped(label, track, move |s| s.copy_from_slice(&axes.map(|axis| s[axis])), &[])?,
            None if track.values().chunks(3).all(is_uniform) => track.clone(),
            None => {
                let other_name = skeleton.name(other).to_owned();
                return Err(MirrorError::Axes { track: label.to_owned(), other, other_name });
            }
        },
        _ => track.clone(),
    })
}
