use thiserror::Error;
use throng_kernels::{ExternalError, NotSimilar, PlanError};
use throng_tracks::ClockError;
use throng_tracks::JointIndex;

use crate::{InstanceId, MAX_MASK, MAX_WEIGHT, MaskId, PlaybackId};

/// What a crowd refuses. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The instance is gone. Its slot may hold another by now.
    #[error("instance {id} was despawned")]
    Despawned {
        /// The id given.
        id: InstanceId,
    },
    /// The id is of another crowd.
    #[error("instance {id} was never spawned in this crowd, which has {slots} slots")]
    NeverSpawned {
        /// The id given.
        id: InstanceId,
        /// How many slots the crowd has.
        slots: usize,
    },
    /// There is no palette yet.
    #[error(
        "instance {id} has no palette yet: no evaluation posed it since it was spawned or the format was changed"
    )]
    NotEvaluated {
        /// The id given.
        id: InstanceId,
    },
    /// Nobody asked for it.
    #[error("{what} are not kept: ask for them by {by}")]
    NotKept {
        /// What is not.
        what: &'static str,
        /// The method that keeps it.
        by: &'static str,
    },
    /// It is kept, but no frame wrote it yet.
    #[error(
        "instance {id} has no {what} yet: no evaluation posed it since it was spawned or they were asked for"
    )]
    NotWritten {
        /// The id given.
        id: InstanceId,
        /// What it has not.
        what: &'static str,
    },
    /// The bank has no such clip.
    #[error("there is no clip {clip}: the bank has {clips}, counted from 0")]
    NoSuchClip {
        /// The clip given.
        clip: usize,
        /// How many there are.
        clips: usize,
    },
    /// Additive clips are laid on top of others, and others are not.
    #[error("clip {clip} is {}an additive clip, so it can't be played as {}",
        if *additive { "not " } else { "" }, if *additive { "one" } else { "a pose" })]
    ClipKind {
        /// The clip given.
        clip: usize,
        /// Whether it was to be additive.
        additive: bool,
    },
    /// An instance's main playback is a pose.
    #[error(
        "clip {clip} is to be additive, which only playbacks beside the main one can be: see Crowd::play"
    )]
    AdditiveMain {
        /// The clip given.
        clip: usize,
    },
    /// The playback is over.
    #[error("playback {playback} is over")]
    Over {
        /// The id given.
        playback: PlaybackId,
    },
    /// The main playback is over.
    #[error("instance {id} has no main playback: it is over")]
    NoMain {
        /// The id given.
        id: InstanceId,
    },
    /// Of controls for many, each is for another.
    #[error("instance {id} is named twice, or one of its playbacks is")]
    NamedTwice {
        /// The id given.
        id: InstanceId,
    },
    /// All places of an instance are taken.
    #[error("instance {id} plays {} clips already", throng_kernels::LAYERS)]
    TooManyPlaybacks {
        /// The id given.
        id: InstanceId,
    },
    /// An instance has four layers.
    #[error("there is no layer {layer}: an instance has {}, counted from 0", throng_kernels::LAYERS)]
    NoSuchLayer {
        /// The layer given.
        layer: usize,
    },
    /// A value of a slice by slot that a playback can't have.
    #[error("{what} of layer {layer}, slot {slot}: found {found}, expected {expected}")]
    LayerValue {
        /// What the slice has.
        what: &'static str,
        /// The layer given.
        layer: usize,
        /// Where in the slice.
        slot: usize,
        /// The value there.
        found: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// The crowd has no such mask.
    #[error("there is no mask {mask}: the crowd has {masks}, counted from 0")]
    NoSuchMask {
        /// The mask given.
        mask: MaskId,
        /// How many there are.
        masks: usize,
    },
    /// A mask has a weight for each joint.
    #[error("the mask has {found} weights, but the skeleton has {joints} joints")]
    MaskJoints {
        /// Weights given.
        found: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// A mask's weight multiplies that of a playback.
    #[error("the mask has {weight} for joint {joint}, but a weight is a number from 0 to {MAX_MASK}")]
    MaskWeight {
        /// Which joint.
        joint: usize,
        /// What was given.
        weight: f32,
    },
    /// No more masks can be told apart.
    #[error("the crowd has {masks} masks already")]
    TooManyMasks {
        /// How many there are.
        masks: usize,
    },
    /// Less than 0 where that has no meaning.
    #[error("{what} must not be negative, but is {value}")]
    Negative {
        /// What it was given for: the name of the argument or field.
        what: &'static str,
        /// The number given.
        value: f64,
    },
    /// Farther from 0 than [`MAX_WEIGHT`], so that poses would not be finite.
    #[error("{what} is {value}, but must not be farther from 0 than {MAX_WEIGHT}")]
    TooHeavy {
        /// What it was given for: the name of the argument or field.
        what: &'static str,
        /// The number given.
        value: f32,
    },
    /// An instance is posed in every first frame at most.
    #[error("the interval is 0, but an instance is posed in every frame at most, which is 1")]
    NoInterval,
    /// There are not so many levels of joints.
    #[error("{}there is no level {level} of joints: the crowd has {levels}, counted from 0", of(*id))]
    NoSuchLevel {
        /// Whose it was to be, if that is known.
        id: Option<InstanceId>,
        /// The level given.
        level: u8,
        /// How many there are, that of all joints included.
        levels: usize,
    },
    /// No more levels can be told apart.
    #[error("{found} levels of joints besides that of all, but there can be 255 at most")]
    TooManyLevels {
        /// How many were given.
        found: usize,
    },
    /// A level can't have more joints than the order names.
    #[error("level {level} of joints is to move {kept}, but the order has {joints}")]
    LevelBeyondOrder {
        /// Which level, from 1.
        level: usize,
        /// How many joints were asked for.
        kept: usize,
        /// How many joints the order names.
        joints: usize,
    },
    /// Each level moves the joints of the one before, or fewer.
    #[error("level {level} of joints is to move {kept}, but level {} moves {before}: levels can't grow", level - 1)]
    GrowingLevel {
        /// Which level, from 2.
        level: usize,
        /// How many joints were asked for.
        kept: usize,
        /// How many the level before moves.
        before: usize,
    },
    /// An order names each joint once.
    #[error("joint {joint} is named twice in the order of joints, at {first} and {second}, counted from 0")]
    JointTwice {
        /// The joint given.
        joint: JointIndex,
        /// Where it is named first.
        first: usize,
        /// Where it is named again.
        second: usize,
    },
    /// The bank's skeleton has no such joint.
    #[error("there is no joint {joint}: the bank's skeleton has {joints}, counted from 0")]
    NoSuchJoint {
        /// The joint given.
        joint: JointIndex,
        /// How many there are.
        joints: usize,
    },
    /// NaN or infinity where a number should be.
    #[error("{what} must be finite, but is {value}")]
    NotFinite {
        /// What it was given for: the name of the argument or field.
        what: &'static str,
        /// The number given.
        value: f64,
    },
    /// The clip has no such marker.
    #[error("clip {clip} has no marker {marker:?}")]
    NoSuchMarker {
        /// The clip.
        clip: usize,
        /// The marker's name.
        marker: String,
    },
    /// A range or a repeat that the clip can't be played with.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The caller's buffer does not hold the palettes of all slots.
    #[error("the buffer has {found} floats, but {slots} slots need {needed}")]
    BufferTooShort {
        /// Floats needed.
        needed: usize,
        /// Floats given.
        found: usize,
        /// How many slots the crowd has.
        slots: usize,
    },
    /// The caller has not a place for each slot.
    #[error("there are {found} places, but the crowd has {slots} slots")]
    TooFewPlaces {
        /// Places given.
        found: usize,
        /// How many slots the crowd has.
        slots: usize,
    },
    /// Palettes would overlap.
    #[error("the layout begins palettes {stride} floats apart, but one takes {floats}")]
    Stride {
        /// How many floats apart.
        stride: usize,
        /// Floats of one palette.
        floats: usize,
    },
    /// No buffer is so large.
    #[error(
        "the layout needs a buffer of more floats than memory can have: it begins {offset} floats into it, and has \
        {palettes} palettes {stride} floats apart"
    )]
    LayoutTooLarge {
        /// How many floats into the buffer the first palette begins.
        offset: usize,
        /// How many floats apart palettes begin.
        stride: usize,
        /// How many palettes there are, 1 at least.
        palettes: usize,
    },
    /// The layout's format is not for this plan.
    #[error(transparent)]
    NotSimilar(#[from] NotSimilar),
    /// Memory has no room for the palettes of more slots.
    #[error("the crowd is full: it has {slots} slots")]
    Full {
        /// How many slots the crowd has.
        slots: usize,
    },
    /// The crowd has no such skin.
    #[error("there is no skin {skin}: the plan has {skins}, counted from 0")]
    NoSuchSkin {
        /// The skin given.
        skin: usize,
        /// How many there are.
        skins: usize,
    },
    /// The plan was made without.
    #[error("the plan has no {what}: its options name none")]
    NotPlanned {
        /// What was asked for.
        what: &'static str,
    },
    /// The plan's options don't name the joint.
    #[error("joint {joint} is none of the plan's sockets")]
    NoSuchSocket {
        /// The joint given.
        joint: JointIndex,
    },
    /// One thing for each instance.
    #[error("{found} {what} for instances that need {expected}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many were given.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// NaN or infinity in a placement.
    #[error("the placement of slot {slot} is not finite")]
    PlacementNotFinite {
        /// Which one.
        slot: usize,
    },
    /// NaN or infinity in a matrix.
    #[error("the world matrix of instance {id} is not finite")]
    WorldNotFinite {
        /// Whose it was to be.
        id: InstanceId,
    },
    /// Not every matrix is a similarity.
    #[error(
        "palettes of the format Similarity can't be in the world: fold matrices into sockets and bounds alone"
    )]
    WorldFormat,
    /// A pose is no difference.
    #[error("an external pose can't be additive")]
    AdditivePose,
    /// A pose that can't be given.
    #[error(transparent)]
    External(#[from] ExternalError),
    /// The bank and the skin don't go together.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// Whom words are about that follow.
fn of(id: Option<InstanceId>) -> String {
    id.map_or_else(String::new, |id| format!("instance {id}: "))
}
