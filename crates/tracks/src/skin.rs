use glam::Affine3A;
use thiserror::Error;

use crate::{JointIndex, Skeleton};

/// What is wrong with a skin.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SkinError {
    /// One inverse bind matrix belongs to each joint of the skin.
    #[error("skin {skin:?} has {joints} joints but {matrices} inverse bind matrices")]
    Count {
        /// The skin's name.
        skin: String,
        /// Joints given.
        joints: usize,
        /// Matrices given.
        matrices: usize,
    },
    /// The skin names a joint that the skeleton has not.
    #[error("skin {skin:?} names joint {joint} at place {place}, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// The skin's name.
        skin: String,
        /// Where in the skin.
        place: usize,
        /// The joint it names.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// NaN or infinity in a matrix.
    #[error("inverse bind matrix {place} of skin {skin:?} is not finite")]
    NotFinite {
        /// The skin's name.
        skin: String,
        /// Where in the skin.
        place: usize,
    },
}

/// Which joints move a mesh, and from where: `palette[i] = model[joints[i]] * inverse_bind[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    name: String,
    joints: Vec<JointIndex>,
    inverse_bind: Vec<Affine3A>,
}

impl Skin {
    /// A skin over joints of `skeleton`. No matrices at all means identity for each joint.
    ///
    /// # Errors
    /// Any [`SkinError`].
    pub fn new(
        name: impl Into<String>,
        skeleton: &Skeleton,
        joints: Vec<JointIndex>,
        inverse_bind: Option<Vec<Affine3A>>,
    ) -> Result<Self, SkinError> {
        let skin = name.into();
        let inverse_bind = inverse_bind.unwrap_or_else(|| vec![Affine3A::IDENTITY; joints.len()]);
        if inverse_bind.len() != joints.len() {
            return Err(SkinError::Count { skin, joints: joints.len(), matrices: inverse_bind.len() });
        }
        let count = skeleton.joint_count();
        if let Some(place) = joints.iter().position(|j| j.get() >= count) {
            return Err(SkinError::NoSuchJoint { skin, place, joint: joints[place], count });
        }
        if let Some(place) = inverse_bind.iter().position(|m| !m.is_finite()) {
            return Err(SkinError::NotFinite { skin, place });
        }
        Ok(Self { name: skin, joints, inverse_bind })
    }

    /// The skin whose palette is the model matrix of every joint, in joint order.
    #[must_use]
    pub fn model_space(skeleton: &Skeleton) -> Self {
        Self {
            name: "model matrices".into(),
            joints: skeleton.joints().collect(),
            inverse_bind: vec![Affine3A::IDENTITY; skeleton.joint_count()],
        }
    }

    /// A skin of the same name over some of its entries.
    pub(crate) fn with_entries(&self, joints: Vec<JointIndex>, inverse_bind: Vec<Affine3A>) -> Self {
        Self { name: self.name.clone(), joints, inverse_bind }
    }

    /// The skin's name; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The skeleton's joint behind each palette entry.
    #[must_use]
    pub fn joints(&self) -> &[JointIndex] {
        &self.joints
    }

    /// The inverse bind matrix of each palette entry.
    #[must_use]
    pub fn inverse_bind(&self) -> &[Affine3A] {
        &self.inverse_bind
    }
}
