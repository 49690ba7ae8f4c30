//! Joints and their rest: checked while built, sorted if need be.

mod error;

use glam::Affine3A;

pub use error::SkeletonError;

use crate::Transform;

/// The place of a joint in its [`Skeleton`]; the joint's identity, since names need not be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// The most joints a skeleton holds.
    pub const MAX_JOINTS: usize = u16::MAX as usize;

    /// Takes joints that already stand parent before child. Rest rotations of any length but zero are normalised.
    ///
    /// # Errors
    /// Any [`SkeletonError`] but those of [`from_any_order`](Self::from_any_order) alone: `NoSuchParent` and `Cycle`.
    pub fn new(joints: impl IntoIterator<Item = Joint<JointIndex>>) -> Result<Self, SkeletonError> {
        let mut skeleton = Self::default();
        let mut joints = joints.into_iter();
        while let Some(joint) = joints.next() {
            let index = skeleton.joint_count();
            if index == Self::MAX_JOINTS {
                return Err(SkeletonError::TooManyJoints { count: index + 1 + joints.count() });
            }
            skeleton.push(index, joint)?;
        }
        Ok(skeleton)
    }

    /// Takes joints in any order, parents given as places in the list, and sorts them depth first.
    ///
    /// Returns the skeleton, and for each place in the list the joint it became. Roots and siblings keep their order.
    /// Errors name places in the list.
    ///
    /// ```
    /// use throng_tracks::{Joint, JointIndex, Rest, Skeleton, Transform};
    /// let joint = |parent| Joint { name: String::new(), parent, rest: Rest::Trs(Transform::IDENTITY) };
    /// let (skeleton, place) = Skeleton::from_any_order(vec![joint(Some(1)), joint(None)])?;
    /// assert_eq!(place, [JointIndex(1), JointIndex(0)]);
    /// assert_eq!(skeleton.parents(), [None, Some(JointIndex(0))]);
    /// # Ok::<(), throng_tracks::SkeletonError>(())
    /// ```
    ///
    /// # Errors
    /// Any [`SkeletonError`] but `ParentAfterChild`.
    pub fn from_any_order(joints: Vec<Joint<usize>>) -> Result<(Self, Vec<JointIndex>), SkeletonError> {
        let count = joints.len();
        if count > Self::MAX_JOINTS {
            return Err(SkeletonError::TooManyJoints { count });
        }
        let mut children = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (joint, j) in joints.iter().enumerate() {
            checked(&j.rest, joint, &j.name)?;
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
        let mut places = vec![None; count];
        for (new, &old) in order.iter().enumerate() {
            places[old] = Some(JointIndex(new as u16));
        }
        let mapping: Option<Vec<JointIndex>> = places.iter().copied().collect();
        let Some(mapping) = mapping else {
            return Err(cycle(&joints, &places));
        };
        let skeleton = Self::new(order.into_iter().map(|old| Joint {
            name: joints[old].name.clone(),
            parent: joints[old].parent.map(|p| mapping[p]),
            rest: joints[old].rest,
        }))?;
        Ok((skeleton, mapping))
    }

    fn push(&mut self, joint: usize, j: Joint<JointIndex>) -> Result<(), SkeletonError> {
        if let Some(parent) = j.parent
            && parent.get() >= joint
        {
            return Err(SkeletonError::ParentAfterChild { joint, name: j.name, parent: parent.get() });
        }
        let rest = match checked(&j.rest, joint, &j.name)? {
            Rest::Trs(transform) => transform,
            Rest::Matrix(matrix) => {
                self.matrices.push((JointIndex(joint as u16), matrix));
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

/// The rest with its rotation at unit length.
fn checked(rest: &Rest, joint: usize, name: &str) -> Result<Rest, SkeletonError> {
    let finite = match rest {
        Rest::Trs(t) => t.is_finite(),
        Rest::Matrix(m) => m.is_finite(),
    };
    if !finite {
        return Err(SkeletonError::NotFinite { joint, name: name.to_owned(), rest: *rest });
    }
    match rest {
        Rest::Trs(t) => match crate::interpolate::normalized(t.rotation) {
            Some(rotation) => Ok(Rest::Trs(Transform { rotation, ..*t })),
            None => Err(SkeletonError::ZeroRotation { joint, name: name.to_owned() }),
        },
        Rest::Matrix(_) => Ok(*rest),
    }
}

/// The error for joints of which some found no place, since they hang below no root.
fn cycle(joints: &[Joint<usize>], places: &[Option<JointIndex>]) -> SkeletonError {
    let mut joint = places.iter().position(Option::is_none).unwrap_or_default();
    // Its ancestors never end in a root; as many steps up as there are joints surely end on the cycle itself.
    for _ in 0..joints.len() {
        joint = joints[joint].parent.unwrap_or(joint);
    }
    SkeletonError::Cycle { joint, name: joints[joint].name.clone() }
}
