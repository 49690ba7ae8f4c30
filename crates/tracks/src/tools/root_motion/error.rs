use thiserror::Error;

use crate::{ClipError, JointIndex, TrackError};

/// Why root motion can't be taken out of a clip.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RootMotionError {
    /// No joint has that name.
    #[error("root motion is to be that of joint {name:?}, but the skeleton has none of that name")]
    NoSuchName {
        /// The name.
        name: String,
    },
    /// The skeleton has no such joint.
    #[error("root motion is to be that of joint {joint}, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// The joint.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// Such a joint has no translation and rotation that something could be taken from.
    #[error("root motion is to be that of joint {joint} ({name:?}), which has a fixed matrix")]
    FixedJoint {
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
    },
    /// No clip has that name.
    #[error("clip {clip:?} is to lose its root motion, but there is no clip of that name")]
    NoSuchClip {
        /// The name.
        clip: String,
    },
    /// Differences to poses have no place of their own.
    #[error("clip {clip:?} is additive, and so has no root motion")]
    Additive {
        /// The clip.
        clip: String,
    },
    /// A joint is scaled to nothing by those above it: its own place can't be told from theirs.
    #[error(
        "in clip {clip:?} at {time_s} s joint {joint} ({name:?}) is scaled to nothing by the joints above it, so that no motion \
         can be taken from it"
    )]
    Flat {
        /// The clip.
        clip: String,
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// When.
        time_s: f32,
    },
    /// A joint stands below joints that scale axes differently: turned back by itself it would be sheared.
    #[error(
        "in clip {clip:?} at {time_s} s the joints above joint {joint} ({name:?}) scale it differently along its axes, so \
         that it can't be turned back; take its root motion without yaw"
    )]
    Sheared {
        /// The clip.
        clip: String,
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// When.
        time_s: f32,
    },
    /// Samples follow each other at a rate above 0.
    #[error("root motion is to have {rate_hz} samples a second, but the rate must be above 0 and finite")]
    Rate {
        /// What was asked for.
        rate_hz: f32,
    },
    /// The clip is too long for the rate.
    #[error(
        "clip {clip:?} of {duration_s} s at {rate_hz} Hz takes {samples} samples of root motion, above the limit of {limit}"
    )]
    TooLong {
        /// The clip.
        clip: String,
        /// Its length.
        duration_s: f32,
        /// The rate.
        rate_hz: f32,
        /// Samples it would have.
        samples: usize,
        /// Samples it may have.
        limit: usize,
    },
    /// The joint leaves what an `f32` can hold.
    #[error("in clip {clip:?} root motion goes beyond all numbers at {time_s} s")]
    NotFinite {
        /// The clip.
        clip: String,
        /// When.
        time_s: f32,
    },
    /// A value leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip is not one of this skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
}
