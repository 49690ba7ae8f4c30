//! Weights of joints for masks, chosen by joints and their subtrees, or by names.

use std::ops::Deref;

use thiserror::Error;
use throng_tracks::{JointIndex, Skeleton};

/// How many names an error proposes at most.
const PROPOSED: usize = 3;

/// A weight for each joint of a skeleton, for [`Crowd::add_mask`](crate::Crowd::add_mask): a slice
/// of them, made by joints or names.
///
/// ```
/// # use throng_crowd::JointMask;
/// # use throng_tracks::*;
/// # let joint = |name: &str, parent: Option<u16>| Joint { name: name.into(), parent: parent.map(JointIndex), rest: Rest::Trs(Transform::IDENTITY) };
/// # let skeleton = Skeleton::new([joint("hips", None), joint("spine", Some(0)), joint("head", Some(1)), joint("leg", Some(0))])?;
/// let upper = JointMask::named_subtrees(&skeleton, ["spine"])?;
/// assert_eq!(*upper, [0.0, 1.0, 1.0, 0.0]);
/// // The hips take half a part in it.
/// let hips = JointMask::named(&skeleton, ["hips"])?.scaled(0.5);
/// assert_eq!(*upper.union(&hips)?, [0.5, 1.0, 1.0, 0.0]);
/// assert_eq!(*upper.inverted(), [1.0, 0.0, 0.0, 1.0]);
/// let said = JointMask::named(&skeleton, ["Spine1"]).unwrap_err().to_string();
/// assert_eq!(said, "no joint is named \"Spine1\": the nearest names are \"spine\", \"hips\", \"leg\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointMask(Vec<f32>);

/// Why a [`JointMask`] can't be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JointMaskError {
    /// The skeleton has no such joint.
    #[error("there is no joint {joint}: the skeleton has {joints}, counted from 0")]
    NoSuchJoint {
        /// The joint given.
        joint: JointIndex,
        /// How many there are.
        joints: usize,
    },
    /// No joint of the skeleton has that name.
    #[error("no joint is named {name:?}: the nearest names are {}", quoted(nearest))]
    NoSuchName {
        /// The name given.
        name: String,
        /// Up to three names of joints, the nearest one first.
        nearest: Vec<String>,
    },
    /// Masks of two skeletons.
    #[error("a mask of {found} joints can't be combined with one of {joints}")]
    Joints {
        /// Joints of the mask that was given.
        found: usize,
        /// Joints of the mask that it was to be combined with.
        joints: usize,
    },
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

impl JointMask {
    /// Weight 1 for these joints and 0 for the others.
    ///
    /// # Errors
    /// If the skeleton has no such joint as one of them.
    pub fn joints(
        skeleton: &Skeleton,
        joints: impl IntoIterator<Item = JointIndex>,
    ) -> Result<Self, JointMaskError> {
        let count = skeleton.joint_count();
        let mut weights = vec![0.0; count];
        for joint in joints {
            let no_joint = JointMaskError::NoSuchJoint { joint, joints: count };
            *weights.get_mut(joint.get()).ok_or(no_joint)? = 1.0;
        }
        Ok(Self(weights))
    }

    /// Weight 1 for a joint and all its descendants, and 0 for the others.
    ///
    /// # Errors
    /// If the skeleton has no such joint.
    pub fn subtree(skeleton: &Skeleton, joint: JointIndex) -> Result<Self, JointMaskError> {
        Ok(Self::joints(skeleton, [joint])?.with_descendants(skeleton))
    }

    /// Weight 1 for the joints of these names, all that have one of them, and 0 for the others.
    ///
    /// # Errors
    /// If no joint has one of the names.
    pub fn named<N: AsRef<str>>(
        skeleton: &Skeleton,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, JointMaskError> {
        let mut weights = vec![0.0; skeleton.joint_count()];
        for name in names {
            let name = name.as_ref();
            if skeleton.find(name).is_none() {
                return Err(JointMaskError::NoSuchName {
                    name: name.into(),
                    nearest: nearest(skeleton, name),
                });
            }
            skeleton.find_all(name).for_each(|joint| weights[joint.get()] = 1.0);
        }
        Ok(Self(weights))
    }

    /// [`named`](Self::named), with all descendants of these joints.
    ///
    /// # Errors
    /// If no joint has one of the names.
    pub fn named_subtrees<N: AsRef<str>>(
        skeleton: &Skeleton,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, JointMaskError> {
        Ok(Self::named(skeleton, names)?.with_descendants(skeleton))
    }

    /// Parents are ahead of their children.
    fn with_descendants(mut self, skeleton: &Skeleton) -> Self {
        for (joint, parent) in skeleton.parents().iter().enumerate() {
            let of_parent = parent.map_or(0.0, |parent| self.0[parent.get()]);
            self.0[joint] = of_parent.max(self.0[joint]);
        }
        self
    }

    /// For each joint `1 - weight`, and 0 where the weight is above 1.
    #[must_use]
    pub fn inverted(&self) -> Self {
        Self(self.0.iter().map(|weight| (1.0 - weight).max(0.0)).collect())
    }

    /// Each weight times a factor, which [`Crowd::add_mask`](crate::Crowd::add_mask) asks to be
    /// such that no weight is negative or above [`MAX_MASK`](crate::MAX_MASK).
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Self {
        Self(self.0.iter().map(|weight| weight * factor).collect())
    }

    /// For each joint the larger one of two weights.
    ///
    /// # Errors
    /// If the masks have different numbers of joints.
    pub fn union(&self, other: &Self) -> Result<Self, JointMaskError> {
        self.combined(other, f32::max)
    }

    /// For each joint the product of two weights.
    ///
    /// # Errors
    /// If the masks have different numbers of joints.
    pub fn product(&self, other: &Self) -> Result<Self, JointMaskError> {
        self.combined(other, |a, b| a * b)
    }

    fn combined(&self, other: &Self, act: impl Fn(f32, f32) -> f32) -> Result<Self, JointMaskError> {
        if other.0.len() != self.0.len() {
            return Err(JointMaskError::Joints { found: other.0.len(), joints: self.0.len() });
        }
        Ok(Self(self.0.iter().zip(&other.0).map(|(a, b)| act(*a, *b)).collect()))
    }
}

impl Deref for JointMask {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.0
    }
}

/// The names of a skeleton that are most like another, each once.
fn nearest(skeleton: &Skeleton, name: &str) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut names: Vec<(usize, usize, &String)> = skeleton
        .names()
        .iter()
        .enumerate()
        .map(|(joint, name)| (distance(&wanted, &name.to_lowercase()), joint, name))
        .collect();
    names.sort_unstable();
    let mut nearest: Vec<String> = Vec::new();
    for (_, _, name) in names {
        if nearest.len() < PROPOSED && !nearest.contains(name) {
            nearest.push(name.clone());
        }
    }
    nearest
}

/// How many characters have to be put in, taken out or replaced to make one text of another.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_changed_characters() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("spine", "spine", 0),
            ("spine1", "spine", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a}, {b}");
        }
    }
}
