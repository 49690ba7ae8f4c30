use glam::Affine3A;
use thiserror::Error;

use crate::Transform;

/// The place of a joint in its [`Skeleton`]; the joint's identity, since names need not be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointIndex(pub u16);

impl JointIndex {
    /// The index as `usize`, for slices.
    #[must_use]
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

impl std::fmt::Display for JointIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a joint stands when nothing animates it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rest {
    /// Translation, rotation and scale: the usual joint, whose channels can be animated.
    Trs(Transform),
    /// A matrix that no translation, rotation and scale can express (shear). Such a joint can't be animated.
    Matrix(Affine3A),
}

/// One joint, as handed to [`Skeleton::new`] and [`Skeleton::from_any_order`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<Parent> {
    /// For look-ups by people; may be empty, may repeat.
    pub name: String,
    /// The joint whose space this one's rest is in, or none for a root.
    pub parent: Option<Parent>,
    /// Where the joint stands when nothing animates it.
    pub rest: Rest,
}

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

/// Joints in parent-before-child order, with their rest.
///
/// ```
/// use throng_tracks::{Joint, JointIndex, Rest, Skeleton, Transform};
/// let up = Transform { translation: [0.0, 1.0, 0.0].into(), ..Transform::IDENTITY };
/// let skeleton = Skeleton::new([
///     Joint { name: "hips".into(), parent: None, rest: Rest::Trs(up) },
///     Joint { name: "spine".into(), parent: Some(JointIndex(0)), rest: Rest::Trs(up) },
/// ])?;
/// assert_eq!(skeleton.find("spine"), Some(JointIndex(1)));
/// # Ok::<(), throng_tracks::SkeletonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Skeleton {
    names: Vec<String>,
    parents: Vec<Option<JointIndex>>,
    rest: Vec<Transform>,
    /// Sorted by joint; nearly always empty.
    matrices: Vec<(JointIndex, Affine3A)>,
}

impl Skeleton {
    /// Takes joints that already stand parent before child.
    ///
    /// # Errors
    /// Any [`SkeletonError`] but a cycle. Rest rotations of any length but zero are normalised.
    pub fn new(joints: impl IntoIterator<Item = Joint<JointIndex>>) -> Result<Self, SkeletonError> {
        let mut skeleton = Self::default();
        for (index, joint) in joints.into_iter().enumerate() {
            skeleton.push(index, joint)?;
        }
        let count = skeleton.joint_count();
        if count > usize::from(u16::MAX) {
            return Err(SkeletonError::TooManyJoints { count });
        }
        Ok(skeleton)
    }

    /// Takes joints in any order, parents given as places in the list, and sorts them depth first.
    ///
    /// Returns the skeleton, and for each place in the list the joint it became. Roots and siblings keep their order.
    ///
    /// # Errors
    /// Any [`SkeletonError`] but `ParentAfterChild`.
    pub fn from_any_order(joints: Vec<Joint<usize>>) -> Result<(Self, Vec<JointIndex>), SkeletonError> {
        let count = joints.len();
        if count > usize::from(u16::MAX) {
            return Err(SkeletonError::TooManyJoints { count });
        }
        let mut children = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (joint, j) in joints.iter().enumerate() {
            match j.parent {
                None => roots.push(joint),
                Some(parent) if parent < count => children[parent].push(joint),
                Some(parent) => {
                    return Err(SkeletonError::NoSuchParent { joint, name: j.name.clone(), parent, count });
                }
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut stack: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(joint) = stack.pop() {
            order.push(joint);
            stack.extend(children[joint].iter().rev());
        }
        let mut mapping = vec![None; count];
        for (new, &old) in order.iter().enumerate() {
            mapping[old] = Some(JointIndex(new as u16));
        }
        // Every joint hangs below some root, or on a cycle.
        let mut placed = Vec::with_capacity(count);
        for (joint, (slot, j)) in mapping.into_iter().zip(&joints).enumerate() {
            placed.push(slot.ok_or_else(|| SkeletonError::Cycle { joint, name: j.name.clone() })?);
        }
        let skeleton = Self::new(order.into_iter().map(|old| Joint {
            name: joints[old].name.clone(),
            parent: joints[old].parent.map(|p| placed[p]),
            rest: joints[old].rest,
        }))?;
        Ok((skeleton, placed))
    }

    fn push(&mut self, joint: usize, j: Joint<JointIndex>) -> Result<(), SkeletonError> {
        if let Some(parent) = j.parent
            && parent.get() >= joint
        {
            return Err(SkeletonError::ParentAfterChild { joint, name: j.name, parent: parent.get() });
        }
        let finite = match &j.rest {
            Rest::Trs(t) => t.is_finite(),
            Rest::Matrix(m) => m.is_finite(),
        };
        if !finite {
            return Err(SkeletonError::NotFinite { joint, name: j.name, rest: j.rest });
        }
        let rest = match j.rest {
            Rest::Trs(t) => match crate::interpolate::normalized(t.rotation) {
                Some(rotation) => Transform { rotation, ..t },
                None => return Err(SkeletonError::ZeroRotation { joint, name: j.name }),
            },
            Rest::Matrix(m) => {
                self.matrices.push((JointIndex(joint as u16), m));
                Transform::IDENTITY
            }
        };
        self.names.push(j.name);
        self.parents.push(j.parent);
        self.rest.push(rest);
        Ok(())
    }

    /// How many joints there are.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.parents.len()
    }

    /// All joints, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointIndex> + use<> {
        (0..self.joint_count() as u16).map(JointIndex)
    }

    /// The joint's name; may be empty.
    ///
    /// # Panics
    /// If the joint is not of this skeleton.
    #[must_use]
    pub fn name(&self, joint: JointIndex) -> &str {
        &self.names[joint.get()]
    }

    /// Each joint's name, by joint.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Each joint's parent, by joint.
    #[must_use]
    pub fn parents(&self) -> &[Option<JointIndex>] {
        &self.parents
    }

    /// Each joint's rest, by joint. A joint with a [fixed matrix](Self::fixed_matrix) has the identity here.
    #[must_use]
    pub fn rest(&self) -> &[Transform] {
        &self.rest
    }

    /// The local matrix of a joint whose rest is a matrix; it takes the place of the joint's transform in any pose.
    #[must_use]
    pub fn fixed_matrix(&self, joint: JointIndex) -> Option<Affine3A> {
        let at = self.matrices.binary_search_by_key(&joint, |m| m.0).ok()?;
        Some(self.matrices[at].1)
    }

    /// All joints with a [fixed matrix](Self::fixed_matrix), in order.
    #[must_use]
    pub fn fixed_matrices(&self) -> &[(JointIndex, Affine3A)] {
        &self.matrices
    }

    /// The first joint of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<JointIndex> {
        self.find_all(name).next()
    }

    /// All joints of that name, in order.
    pub fn find_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = JointIndex> + 'a {
        self.joints().filter(move |&j| self.name(j) == name)
    }
}
