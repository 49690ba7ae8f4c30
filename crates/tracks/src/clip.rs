use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::time::{Located, locate};
use crate::{Channel, JointIndex, Skeleton, Track, Transform};

/// What is wrong with a clip.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ClipError {
    /// A track is bound to a joint that the skeleton has not.
    #[error("clip {clip:?} moves joint {joint}, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// The clip.
        clip: String,
        /// The joint.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// One channel of one joint has one track.
    #[error("clip {clip:?} has two {} tracks for joint {joint} ({name:?})", channel.name())]
    RepeatedChannel {
        /// The clip.
        clip: String,
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// The channel.
        channel: Channel,
    },
    /// A joint that stands by a matrix has no translation, rotation or scale to move.
    #[error("clip {clip:?} moves the {} of joint {joint} ({name:?}), which has a fixed matrix", channel.name())]
    FixedJoint {
        /// The clip.
        clip: String,
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// The channel.
        channel: Channel,
    },
}

/// A track and the joint it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundTrack {
    joint: JointIndex,
    track: Track,
    timeline: usize,
}

impl BoundTrack {
    /// The joint the track moves.
    #[must_use]
    pub fn joint(&self) -> JointIndex {
        self.joint
    }

    /// The keys.
    #[must_use]
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// Which of the clip's [timelines](Clip::timelines) the track's keys lie on.
    #[must_use]
    pub fn timeline(&self) -> usize {
        self.timeline
    }
}

/// An authored animation of one skeleton: tracks, each bound to a joint, at any key times.
///
/// Tracks with equal key times share one timeline, so that sampling looks each timeline up once.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    duration_s: f32,
    timelines: Vec<Arc<[f32]>>,
    tracks: Vec<BoundTrack>,
}

impl Clip {
    /// Binds tracks to joints of `skeleton`. The clip lasts from 0 to its last key.
    ///
    /// # Errors
    /// Any [`ClipError`].
    pub fn new(
        name: impl Into<String>,
        skeleton: &Skeleton,
        tracks: impl IntoIterator<Item = (JointIndex, Track)>,
    ) -> Result<Self, ClipError> {
        let mut clip = Self { name: name.into(), duration_s: 0.0, timelines: Vec::new(), tracks: Vec::new() };
        let mut seen = HashSet::new();
        let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
        for (joint, mut track) in tracks {
            let (channel, count) = (track.channel(), skeleton.joint_count());
            if joint.get() >= count {
                return Err(ClipError::NoSuchJoint { clip: clip.name, joint, count });
            }
            let name = || skeleton.name(joint).to_owned();
            if !seen.insert((joint, channel.name())) {
                return Err(ClipError::RepeatedChannel { clip: clip.name, joint, name: name(), channel });
            }
            if skeleton.fixed_matrix(joint).is_some() && !matches!(channel, Channel::Weights(_)) {
                return Err(ClipError::FixedJoint { clip: clip.name, joint, name: name(), channel });
            }
            let bits = track.times().iter().map(|t| t.to_bits()).collect();
            let timeline = *known.entry(bits).or_insert_with(|| {
                clip.timelines.push(Arc::clone(track.times()));
                clip.timelines.len() - 1
            });
            track.share_times(&clip.timelines[timeline]);
            clip.duration_s = track.times().last().map_or(0.0, |&last| last.max(clip.duration_s));
            clip.tracks.push(BoundTrack { joint, track, timeline });
        }
        Ok(clip)
    }

    /// The clip's name; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The time of the last key, in seconds.
    #[must_use]
    pub fn duration_s(&self) -> f32 {
        self.duration_s
    }

    /// The distinct arrays of key times.
    #[must_use]
    pub fn timelines(&self) -> &[Arc<[f32]>] {
        &self.timelines
    }

    /// The tracks, in the order they were given.
    #[must_use]
    pub fn tracks(&self) -> &[BoundTrack] {
        &self.tracks
    }

    /// How many keys all tracks hold.
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|t| t.track.times().len()).sum()
    }

    /// The exact local pose at time `t` in seconds, one transform a joint of `skeleton`, into `pose`.
    ///
    /// Clamps at the ends, which are 0 and the last key; joints and channels that the clip does not move are at rest. Morph weights are not part of a
    /// pose: sample their tracks.
    ///
    /// # Panics
    /// If `pose` has not as many transforms as the skeleton has joints, or the clip was built for a larger skeleton.
    pub fn sample(&self, skeleton: &Skeleton, t: f32, pose: &mut [Transform]) {
        // `max` also turns NaN to 0.
        let t = t.max(0.0);
        self.sample_located(skeleton, pose, |times| locate(times, t));
    }

    /// [`sample`](Self::sample), with the look-up left to the caller: called once for each timeline.
    pub(crate) fn sample_located(
        &self,
        skeleton: &Skeleton,
        pose: &mut [Transform],
        mut find: impl FnMut(&[f32]) -> Located,
    ) {
        pose.copy_from_slice(skeleton.rest());
        let places: Vec<Located> = self.timelines.iter().map(|times| find(times)).collect();
        for bound in &self.tracks {
            let at = places[bound.timeline];
            let joint = &mut pose[bound.joint.get()];
            let mut value = [0.0; 4];
            match bound.track.channel() {
                Channel::Translation => {
                    bound.track.sample_at(at, &mut value[..3]);
                    joint.translation = Vec3::from_slice(&value);
                }
                Channel::Rotation => {
                    bound.track.sample_at(at, &mut value);
                    joint.rotation = Quat::from_array(value);
                }
                Channel::Scale => {
                    bound.track.sample_at(at, &mut value[..3]);
                    joint.scale = Vec3::from_slice(&value);
                }
                Channel::Weights(_) => {}
            }
        }
    }
}
