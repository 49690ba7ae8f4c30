use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3};

/// A joint's local placement: scale, then rotation, then translation (`T * R * S`).
///
/// Kept as three parts so that negative and zero scales survive. The rotation has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Offset from the parent joint, in the asset's unit.
    pub translation: Vec3,
    /// Unit quaternion, `xyzw`.
    pub rotation: Quat,
    /// Scale along the joint's own axes; may be negative or zero.
    pub scale: Vec3,
}

impl Transform {
    /// No translation, no rotation, scale one.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The matrix `T * R * S`.
    ///
    /// ```
    /// use throng_tracks::Transform;
    /// let t = Transform { translation: [1.0, 2.0, 3.0].into(), ..Transform::IDENTITY };
    /// assert_eq!(t.to_affine().transform_point3([1.0, 0.0, 0.0].into()), [2.0, 2.0, 3.0].into());
    /// ```
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The same numbers in f64.
    #[must_use]
    pub fn as_dtransform(&self) -> DTransform {
        DTransform {
            translation: self.translation.as_dvec3(),
            rotation: self.rotation.as_dquat(),
            scale: self.scale.as_dvec3(),
        }
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A [`Transform`] in f64: what exact sampling computes, before it is rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DTransform {
    /// Offset from the parent joint, in the asset's unit.
    pub translation: DVec3,
    /// Unit quaternion, `xyzw`.
    pub rotation: DQuat,
    /// Scale along the joint's own axes; may be negative or zero.
    pub scale: DVec3,
}

impl DTransform {
    /// No translation, no rotation, scale one.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The matrix `T * R * S`.
    #[must_use]
    pub fn to_affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Every number rounded to the nearest f32.
    #[must_use]
    pub fn as_transform(&self) -> Transform {
        Transform {
            translation: self.translation.as_vec3(),
            rotation: self.rotation.as_quat(),
            scale: self.scale.as_vec3(),
        }
    }
}

impl Default for DTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}
