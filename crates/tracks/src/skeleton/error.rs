use thiserror::Error;

use crate::Rest;

/// What is wrong with a list of joints.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A joint index is a `u16`.
    #[error("{count} joints, but a skeleton holds at most 65535")]
    TooManyJoints {
        /// How many were given.
        count: usize,
    },
    /// Joints stand parent before child.
    #[error("joint {joint} ({name:?}) has parent {parent}, but a parent must come before its children")]
    ParentAfterChild {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// The parent it names.
        parent: usize,
    },
    /// The parent is not in the list.
    #[error("joint {joint} ({name:?}) has parent {parent}, but there are {count} joints")]
    NoSuchParent {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// The parent it names.
        parent: usize,
        /// How many joints there are.
        count: usize,
    },
    /// The joint is its own ancestor.
    #[error("joint {joint} ({name:?}) is its own ancestor")]
    Cycle {
        /// A joint on the cycle.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// NaN or infinity in the rest.
    #[error("the rest of joint {joint} ({name:?}) is not finite: {rest:?}")]
    NotFinite {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// What was given.
        rest: Rest,
    },
    /// A quaternion of length zero is no rotation.
    #[error("the rest rotation of joint {joint} ({name:?}) has length zero")]
    ZeroRotation {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
    },
}
