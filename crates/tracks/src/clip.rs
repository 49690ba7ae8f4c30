use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use thiserror::Error;

use crate::time::{Located, locate};
use crate::tools::added_to;
use crate::track::Place;
use crate::{Channel, DTransform, JointIndex, Marker, Property, PropertyTrack, Skeleton, Track, Transform};

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
    /// A joint has a translation, a rotation, a scale and weights; all else is a property.
    #[error("clip {clip:?} has a {} track for joint {joint}, which is for a named property", channel.name())]
    NotOfJoints {
        /// The clip.
        clip: String,
        /// The joint.
        joint: JointIndex,
        /// The channel.
        channel: Channel,
    },
    /// Translation, rotation and scale move joints.
    #[error("clip {clip:?} has a {} track for property {property}, which is for a joint", channel.name())]
    NotOfProperties {
        /// The clip.
        clip: String,
        /// The property.
        property: Property,
        /// The channel.
        channel: Channel,
    },
    /// Markers are inside of their clip.
    #[error("clip {clip:?} has marker {marker:?} at {time_s} s, but lasts from 0 to {duration_s} s")]
    MarkerTime {
        /// The clip.
        clip: String,
        /// The marker.
        marker: String,
        /// When it is.
        time_s: f32,
        /// How long the clip is.
        duration_s: f32,
    },
    /// One property has one track.
    #[error("clip {clip:?} has two tracks for property {property}")]
    RepeatedProperty {
        /// The clip.
        clip: String,
        /// The property.
        property: Property,
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
///
/// A clip shows poses, or it is [additive](Self::is_additive) and shows differences to whatever pose it is added to. What a
/// clip of poses does not move is at rest; what an additive one does not move has the identity, which changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    additive: bool,
    duration_s: f32,
    timelines: Vec<Arc<[f32]>>,
    tracks: Vec<BoundTrack>,
    properties: Vec<PropertyTrack>,
    pub(crate) markers: Vec<Marker>,
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
        let mut clip = Self {
            name: name.into(),
            additive: false,
            duration_s: 0.0,
            timelines: Vec::new(),
            tracks: Vec::new(),
            properties: Vec::new(),
            markers: Vec::new(),
        };
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
            if !(channel.is_in_pose() || matches!(channel, Channel::Weights(_))) {
                return Err(ClipError::NotOfJoints { clip: clip.name, joint, channel });
            }
            if skeleton.fixed_matrix(joint).is_some() && channel.is_in_pose() {
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

    /// The clip with tracks of named properties besides those of joints; it lasts to its last key of either.
    ///
    /// Properties are not part of a pose: [`sample`](Self::sample) and the bake pass over them, as over weights.
    ///
    /// ```
    /// use throng_tracks::*;
    /// let skeleton = Skeleton::new([Joint { name: "lamp".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// let glow = Track::new("glow", Channel::Scalar, Interpolation::Linear, [0.0, 2.0], vec![0.0, 1.0])?;
    /// let clip = Clip::new("dusk", &skeleton, [])?.with_properties(&skeleton, [("glow", glow)])?;
    /// let glow = clip.find_property(&"glow".into()).unwrap();
    /// assert_eq!(clip.properties()[glow].sample(0.5), Value::Scalar(0.25));
    /// assert_eq!(clip.duration_s(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ClipError::NoSuchJoint`], [`ClipError::NotOfProperties`] or [`ClipError::RepeatedProperty`].
    pub fn with_properties<P: Into<Property>>(
        mut self,
        skeleton: &Skeleton,
        tracks: impl IntoIterator<Item = (P, Track)>,
    ) -> Result<Self, ClipError> {
        let mut seen: HashSet<Property> = self.properties.iter().map(|p| p.property.clone()).collect();
        for (property, track) in tracks {
            let (property, channel, count) = (property.into(), track.channel(), skeleton.joint_count());
            if let Some(joint) = property.joint.filter(|joint| joint.get() >= count) {
                return Err(ClipError::NoSuchJoint { clip: self.name, joint, count });
            }
            if channel.is_in_pose() {
                return Err(ClipError::NotOfProperties { clip: self.name, property, channel });
            }
            if !seen.insert(property.clone()) {
                return Err(ClipError::RepeatedProperty { clip: self.name, property });
            }
            self.duration_s = track.times().last().map_or(0.0, |&last| last.max(self.duration_s));
            self.properties.push(PropertyTrack { property, track });
        }
        Ok(self)
    }

    /// The clip by another name.
    ///
    /// ```
    /// use throng_tracks::*;
    /// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// let walk = Clip::new("walk", &skeleton, [])?;
    /// let step = tools::subclip(&walk, &skeleton, 0.0, 0.5)?.with_name("step");
    /// assert_eq!((walk.name(), step.name()), ("walk", "step"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same tracks, taken for differences or for poses. [`make_additive`](crate::tools::make_additive) makes differences
    /// of poses; this is for clips that were authored as differences, or come from a format that can't say so.
    #[must_use]
    pub fn with_additive(mut self, additive: bool) -> Self {
        self.additive = additive;
        self
    }

    /// Whether the clip shows differences, to be added to a pose: see
    /// [`apply_additive`](crate::tools::apply_additive).
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.additive
    }

    /// The tracks of named properties, in the order they were given.
    #[must_use]
    pub fn properties(&self) -> &[PropertyTrack] {
        &self.properties
    }

    /// Which of the [properties](Self::properties) this is, if the clip moves it.
    #[must_use]
    pub fn find_property(&self, property: &Property) -> Option<usize> {
        self.properties.iter().position(|p| p.property == *property)
    }

    /// The markers, in order of time.
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        &self.markers
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

    /// The distinct arrays of key times of the joints' tracks.
    #[must_use]
    pub fn timelines(&self) -> &[Arc<[f32]>] {
        &self.timelines
    }

    /// The joints' tracks, in the order they were given.
    #[must_use]
    pub fn tracks(&self) -> &[BoundTrack] {
        &self.tracks
    }

    /// The distinct key times of all tracks, in order.
    #[must_use]
    pub fn key_times(&self) -> Vec<f32> {
        let properties = self.properties.iter().flat_map(|moved| moved.track().times().iter());
        let mut times: Vec<f32> =
            self.timelines.iter().flat_map(|times| times.iter()).chain(properties).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// How many keys all tracks hold.
    #[must_use]
    pub fn key_count(&self) -> usize {
        let tracks = self.tracks.iter().map(BoundTrack::track);
        tracks.chain(self.properties.iter().map(PropertyTrack::track)).map(|t| t.times().len()).sum()
    }

    /// The exact local pose at time `t` in seconds, one transform a joint of `skeleton`, into `pose`.
    ///
    /// Before 0 and after its last key each track shows what its [extrapolation](Track::with_extrapolation) says: without
    /// one it clamps. A NaN time counts as 0. Joints and channels that the clip does not move are at rest; those that an
    /// additive clip does not move have the identity. Morph weights and properties are not part of a pose: sample their
    /// tracks. Each number is that of [`sample_f64`](Self::sample_f64), rounded.
    ///
    /// # Panics
    /// If `pose` has not as many transforms as the skeleton has joints, or the clip was built for a larger skeleton.
    pub fn sample(&self, skeleton: &Skeleton, t: f32, pose: &mut [Transform]) {
        let mut exact = vec![DTransform::IDENTITY; pose.len()];
        self.sample_f64(skeleton, t, &mut exact);
        for (joint, exact) in pose.iter_mut().zip(&exact) {
            *joint = exact.as_transform();
        }
    }

    /// [`sample`](Self::sample), not rounded: the truth that everything else is measured against.
    ///
    /// ```
    /// use throng_tracks::*;
    /// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// let grow = Track::new("grow", Channel::Scale, Interpolation::Linear, [0.0, 1.0],
    ///     vec![1.0, 1.0, 1.0, 100.0, 100.0, 100.0])?;
    /// let clip = Clip::new("grow", &skeleton, [(JointIndex(0), grow)])?;
    /// let mut pose = [DTransform::IDENTITY];
    /// clip.sample_f64(&skeleton, 0.1, &mut pose);
    /// let mut model = [Default::default()];
    /// model_matrices_f64(&skeleton, &pose, &mut model);
    /// assert_eq!(model[0].matrix3.x_axis.x, 1.0 + 99.0 * f64::from(0.1f32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `pose` has not as many transforms as the skeleton has joints, or the clip was built for a larger skeleton.
    pub fn sample_f64(&self, skeleton: &Skeleton, t: f32, pose: &mut [DTransform]) {
        self.set_unmoved(skeleton, pose);
        self.sample_moved(t, pose);
    }

    /// The pose by which a change of the clip is measured, since errors add up along a chain of joints: that of the clip, and
    /// for an additive one what it makes of the rest.
    pub(crate) fn sample_on_rest(&self, skeleton: &Skeleton, t: f32, pose: &mut [DTransform]) {
        self.sample_f64(skeleton, t, pose);
        if self.additive {
            for (joint, rest) in pose.iter_mut().zip(skeleton.rest()) {
                *joint = added_to(rest, joint);
            }
        }
    }

    /// What the clip moves at `t`; the rest of `pose` stays.
    pub(crate) fn sample_moved(&self, t: f32, pose: &mut [DTransform]) {
        let t = if t.is_nan() { 0.0 } else { t };
        // A track that clamps is looked up from 0 on: of several keys there the last wins.
        self.set_moved(pose, t, |times| locate(times, t.max(0.0)));
    }

    /// [`sample_f64`](Self::sample_f64), with the look-up left to the caller: called once for each timeline. Tracks that
    /// `t` is outside of find their own place, if they do not clamp.
    pub(crate) fn sample_located(
        &self,
        skeleton: &Skeleton,
        pose: &mut [DTransform],
        t: f32,
        find: impl FnMut(&[f32]) -> Located,
    ) {
        self.set_unmoved(skeleton, pose);
        self.set_moved(pose, t, find);
    }

    /// What joints are that the clip does not move.
    fn set_unmoved(&self, skeleton: &Skeleton, pose: &mut [DTransform]) {
        assert_eq!(pose.len(), skeleton.joint_count(), "a pose has one transform a joint");
        for (joint, rest) in pose.iter_mut().zip(skeleton.rest()) {
            *joint = if self.additive { DTransform::IDENTITY } else { rest.as_dtransform() };
        }
    }

    fn set_moved(&self, pose: &mut [DTransform], t: f32, mut find: impl FnMut(&[f32]) -> Located) {
        let places: Vec<Located> = self.timelines.iter().map(|times| find(times)).collect();
        for BoundTrack { joint, track, timeline } in &self.tracks {
            let joint = &mut pose[joint.get()];
            let at = if track.extrapolates(t) { track.place(t) } else { Place::Between(places[*timeline]) };
            match track.channel() {
                Channel::Translation => joint.translation = track.vector_at(at),
                Channel::Rotation => joint.rotation = track.rotation_at(at),
                Channel::Scale => joint.scale = track.vector_at(at),
                // Not part of a pose.
                _ => {}
            }
        }
    }
}
