//! Clips of one skeleton for another.

use std::collections::BTreeMap;
use std::fmt;

use super::rebuild::{Target, moved};
use crate::{Clip, ClipError, JointIndex, Skeleton};

/// Why the tracks of a joint were not bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhyUnbound {
    /// The other skeleton has no joint of that name.
    NoSuchJoint,
    /// The joint has no name.
    Unnamed,
    /// Another joint of its own skeleton comes first, and has the same name and nothing else that tells them apart.
    NotFirstOfName,
    /// Several joints have the name, and none of the other skeleton's has the same parents.
    NoSuchPath,
    /// The joint of that name in the other skeleton stands by a matrix and can't be moved.
    FixedMatrix,
}

impl fmt::Display for WhyUnbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchJoint => "no joint of that name",
            Self::Unnamed => "a joint without a name",
            Self::NotFirstOfName => "not the first joint of that name",
            Self::NoSuchPath => "a name that repeats, and no joint of that name has the same parents",
            Self::FixedMatrix => "the joint of that name stands by a matrix",
        })
    }
}

/// Tracks of one joint, or of its properties, that were not bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbound {
    /// The joint, in the clip's own skeleton.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// How many of its tracks were not bound.
    pub tracks: usize,
    /// Why.
    pub why: WhyUnbound,
}

/// What became of the tracks of a clip. Displays as lines, the first for what was bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemapReport {
    /// Tracks that were bound.
    pub bound: usize,
    /// What was not bound, in the order of the joints.
    pub unbound: Vec<Unbound>,
}

impl fmt::Display for RemapReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lost: usize = self.unbound.iter().map(|joint| joint.tracks).sum();
        writeln!(f, "{} tracks bound, {lost} not bound", self.bound)?;
        self.unbound.iter().try_for_each(|Unbound { joint, name, tracks, why }| {
            writeln!(f, "skip: joint {joint} {name:?}: {tracks} tracks: {why}")
        })
    }
}

/// The clip, which is one of `from`, for `to`: each track on the joint that `joints` has for its own, and a report of what
/// has none. [`namesakes`](super::namesakes) makes such a list by name.
///
/// Properties of joints go with their joints, properties of the whole stay. The tracks are taken as they are: where the
/// skeletons differ at rest, in their proportions or in the axes of their joints, nothing is corrected. What the clip does
/// not move is at the rest of `to`.
///
/// ```
/// use throng_tracks::*;
/// let joint = |name: &str| Joint { name: name.into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
/// let [from, to] = [["hips", "tail"], ["root", "hips"]].map(|names| Skeleton::new(names.map(joint)).unwrap());
/// let track = || Track::new("t", Channel::Translation, Interpolation::Linear, [0.0], vec![1.0, 0.0, 0.0]).unwrap();
/// let clip = Clip::new("sway", &from, [(JointIndex(0), track()), (JointIndex(1), track())])?;
/// let (clip, report) = tools::remap(&clip, &from, &tools::namesakes(&from, &to).joints, &to)?;
/// assert_eq!(clip.tracks()[0].joint(), JointIndex(1));
/// assert_eq!(report.to_string(), "1 tracks bound, 1 not bound\nskip: joint 1 \"tail\": 1 tracks: no joint of that name\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ClipError::NoSuchJoint`] if the clip is not of `from`, or `joints` names a joint that `to` has not;
/// [`ClipError::RepeatedChannel`] or [`ClipError::RepeatedProperty`] if two joints are sent to one.
///
/// # Panics
/// If `joints` has not one entry a joint of `from`.
pub fn remap(
    clip: &Clip,
    from: &Skeleton,
    joints: &[Result<JointIndex, WhyUnbound>],
    to: &Skeleton,
) -> Result<(Clip, RemapReport), ClipError> {
    assert_eq!(joints.len(), from.joint_count(), "a joint goes somewhere or has a reason not to");
    let mut report = RemapReport::default();
    let mut unbound: BTreeMap<JointIndex, Unbound> = BTreeMap::new();
    let (mut tracks, mut properties) = (Vec::new(), Vec::new());
    for moved in moved(clip, from)? {
        let (track, fixes) = (moved.track.clone(), moved.track.channel().is_in_pose());
        let mut bind = |joint: JointIndex| match joints[joint.get()] {
            Ok(other) if !(fixes && to.fixed_matrix(other).is_some()) => Some(other),
            failed => {
                let why = failed.err().unwrap_or(WhyUnbound::FixedMatrix);
                let name = || from.name(joint).to_owned();
                let none = || Unbound { joint, name: name(), tracks: 0, why };
                unbound.entry(joint).or_insert_with(none).tracks += 1;
                None
            }
        };
        match moved.target {
            Target::Joint(joint) => tracks.extend(bind(joint).map(|other| (other, track))),
            Target::Property(property) => {
                let mut property = property.clone();
                if let Some(joint) = property.joint {
                    let Some(other) = bind(joint) else { continue };
                    property.joint = Some(other);
                }
                properties.push((property, track));
            }
        }
    }
    report.bound = tracks.len() + properties.len();
    report.unbound = unbound.into_values().collect();
    let bound = Clip::new(clip.name(), to, tracks)?.with_properties(to, properties)?;
    Ok((bound.with_additive(clip.is_additive()).marked_as(clip, |t| t), report))
}
