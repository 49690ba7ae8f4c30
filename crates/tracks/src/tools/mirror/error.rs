use thiserror::Error;

use crate::{ClipError, JointIndex, TrackError};

/// Why a clip can't be mirrored.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MirrorError {
    /// A pair or a skin names a joint that the skeleton has not.
    #[error("joint {joint} is to be mirrored, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// The joint.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// A joint is in two of the pairs given by hand.
    #[error("joint {joint} ({name:?}) is in two pairs")]
    Repeated {
        /// The joint.
        joint: JointIndex,
        /// Its name.
        name: String,
    },
    /// The parents of a pair given by hand are no pair, so that the two do not hang on the same thing.
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
    /// A joint is too far from the reflection of its partner.
    #[error(
        "joint {joint} ({name:?}) is {distance} from the reflection of joint {partner} ({partner_name:?}) in the plane \
         {plane} at {time_s} s, {:.1} % of the size {size}; expected at most {:.1} %: name a pose in which left and right \
         are symmetric, or the pairs",
        100.0 * distance / size, 100.0 * tolerance
    )]
    NotSymmetric {
        /// The joint, in the mirrored clip.
        joint: JointIndex,
        /// Its name.
        name: String,
        /// The joint that it shows, in the source.
        partner: JointIndex,
        /// Its name.
        partner_name: String,
        /// The plane, as text: an axis and an offset.
        plane: String,
        /// How far it is, in the asset's unit.
        distance: f64,
        /// When, in seconds.
        time_s: f32,
        /// The size of the skeleton, in the asset's unit.
        size: f64,
        /// The fraction of the size that is allowed.
        tolerance: f32,
    },
    /// A value leaves f32.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip or the reference is not one of this skeleton, or the clip moves a joint whose other one is fixed.
    #[error(transparent)]
    Clip(#[from] ClipError),
}
