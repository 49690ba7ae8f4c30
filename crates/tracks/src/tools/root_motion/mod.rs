//! Root motion: where a clip takes the character, taken out of its pose.
//!
//! `chain` plays the joint and those above it; `taken` samples its way into a curve; `keys` makes the tracks that are left, which
//! ask the old ones and the curve, so that nothing is lost between samples.

mod chain;
mod error;
mod keys;
mod taken;

pub use error::RootMotionError;
pub use taken::{Taken, extract_root_motion};

use crate::{Axis, JointIndex, Skeleton};

/// Which joint's way a character goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MotionJoint {
    /// That one.
    Index(JointIndex),
    /// The first of that name.
    Name(String),
}

impl From<JointIndex> for MotionJoint {
    fn from(joint: JointIndex) -> Self {
        Self::Index(joint)
    }
}

impl From<&str> for MotionJoint {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<String> for MotionJoint {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

/// Where the joint stays once its motion is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MotionReference {
    /// Where it is in the rest pose: clips of one skeleton then all stand at the same place and look the same way, as blends
    /// want it.
    #[default]
    Rest,
    /// Where the clip begins: it keeps an angle or an offset that it has there, as a walk sideways with turned hips.
    Start,
}

/// What of a joint's motion is the character's.
///
/// ```
/// use throng_tracks::{Axis, tools::RootMotion};
/// let usual = RootMotion::of("hips");
/// assert_eq!((usual.translation, usual.yaw), ([true, false, true], Some(Axis::Y)));
/// // A climb, in a file where z is up.
/// let climb = RootMotion { translation: [true; 3], yaw: Some(Axis::Z), ..RootMotion::of("hips") };
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootMotion {
    /// Whose motion.
    pub joint: MotionJoint,
    /// Along which axes of model space: `x`, `y`, `z`.
    pub translation: [bool; 3],
    /// About which axis of model space its turning is taken; none: it stays in the pose.
    pub yaw: Option<Axis>,
    /// Where the joint stays.
    pub reference: MotionReference,
    /// Samples a second; none: the rate of the bake, or the lowest of its rates that has all of the clip's keys on its grid.
    pub rate_hz: Option<f32>,
    /// For a bake, the clips by name; none: all that are not additive.
    pub clips: Option<Vec<String>>,
}

impl RootMotion {
    /// What a character on the ground wants where y is up: along x and z, and the turning about y.
    pub fn of(joint: impl Into<MotionJoint>) -> Self {
        Self {
            joint: joint.into(),
            translation: [true, false, true],
            yaw: Some(Axis::Y),
            reference: MotionReference::Rest,
            rate_hz: None,
            clips: None,
        }
    }

    /// The joint, if the skeleton has it and it can move.
    ///
    /// # Errors
    /// [`RootMotionError::NoSuchName`], [`NoSuchJoint`](RootMotionError::NoSuchJoint) or
    /// [`FixedJoint`](RootMotionError::FixedJoint).
    pub fn find_joint(&self, skeleton: &Skeleton) -> Result<JointIndex, RootMotionError> {
        let (joint, count) = match &self.joint {
            MotionJoint::Index(joint) => (*joint, skeleton.joint_count()),
            MotionJoint::Name(name) => {
                let found = skeleton.find(name);
                let joint = found.ok_or_else(|| RootMotionError::NoSuchName { name: name.clone() })?;
                (joint, skeleton.joint_count())
            }
        };
        if joint.get() >= count {
            return Err(RootMotionError::NoSuchJoint { joint, count });
        }
        if skeleton.fixed_matrix(joint).is_some() {
            return Err(RootMotionError::FixedJoint { joint, name: skeleton.name(joint).to_owned() });
        }
        Ok(joint)
    }
}
