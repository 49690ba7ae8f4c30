//! Clips of changed tracks.

use crate::{Clip, ClipError, JointIndex, Property, Skeleton, Track};

/// A track of a clip, and what it moves.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a> {
    pub(super) target: Target<'a>,
    pub(super) track: &'a Track,
    pub(super) skeleton: &'a Skeleton,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target<'a> {
    Joint(JointIndex),
    Property(&'a Property),
}

impl Moved<'_> {
    /// What the track is called in errors.
    pub(super) fn label(&self) -> String {
        let channel = self.track.channel().name();
        match self.target {
            Target::Joint(joint) => format!("{} {channel}", self.skeleton.name(joint)),
            // Errors put it in quotes.
            Target::Property(Property { name, joint: None }) => name.clone(),
            Target::Property(Property { name, joint: Some(joint) }) => format!("{name} of joint {joint}"),
        }
    }
}

/// All tracks of a clip, those of joints first.
pub(super) fn moved<'a>(
    clip: &'a Clip,
    skeleton: &'a Skeleton,
) -> Result<impl Iterator<Item = Moved<'a>>, ClipError> {
    let count = skeleton.joint_count();
    if let Some(bound) = clip.tracks().iter().find(|bound| bound.joint().get() >= count) {
        return Err(ClipError::NoSuchJoint { clip: clip.name().to_owned(), joint: bound.joint(), count });
    }
    let joints = clip.tracks().iter().map(|bound| (Target::Joint(bound.joint()), bound.track()));
    let properties =
        clip.properties().iter().map(|moved| (Target::Property(moved.property()), moved.track()));
    Ok(joints.chain(properties).map(move |(target, track)| Moved { target, track, skeleton }))
}

/// The clip of these tracks, additive or not.
pub(super) fn built<'a>(
    name: &str,
    additive: bool,
    skeleton: &Skeleton,
    tracks: impl IntoIterator<Item = (Target<'a>, Track)>,
) -> Result<Clip, ClipError> {
    let (mut joints, mut properties) = (Vec::new(), Vec::new());
    for (target, track) in tracks {
        match target {
            Target::Joint(joint) => joints.push((joint, track)),
            Target::Property(property) => properties.push((property.clone(), track)),
        }
    }
    let clip = Clip::new(name, skeleton, joints)?.with_additive(additive);
    clip.with_properties(skeleton, properties)
}

/// The clip with each track changed, or dropped where `change` returns none. Markers stay where they are.
pub(super) fn rebuilt<E: From<ClipError>>(
    clip: &Clip,
    skeleton: &Skeleton,
    mut change: impl FnMut(Moved<'_>) -> Result<Option<Track>, E>,
) -> Result<Clip, E> {
    let mut tracks = Vec::new();
    for moved in moved(clip, skeleton)? {
        if let Some(track) = change(moved)? {
            tracks.push((moved.target, track));
        }
    }
    Ok(built(clip.name(), clip.is_additive(), skeleton, tracks)?.marked_as(clip, |t| t))
}
