use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Quat, Vec3, Vec4};

use super::Axis;

/// Where a character stands in the world, or a step that it takes: rotation, translation and one scale, 32 bytes of plain
/// numbers.
///
/// As a step it is in the frame of whoever takes it, and its scale is 1.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Placement {
    /// Unit quaternion, `xyzw`.
    pub rotation: Quat,
    /// In the asset's unit for a step, and in the world's for a place.
    pub translation: Vec3,
    /// How many of the world's units are one of the asset's.
    pub scale: f32,
}

impl Placement {
    /// At the origin, not turned; or no step at all.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO, scale: 1.0 };

    /// At a point, not turned.
    #[must_use]
    pub fn at(translation: impl Into<Vec3>) -> Self {
        Self { translation: translation.into(), ..Self::IDENTITY }
    }

    /// Where `step` leads from here, its translation as long as this place's scale makes it. The rotation is normalised, so that
    /// thousands of steps leave it at unit length.
    ///
    /// ```
    /// use throng_tracks::Placement;
    /// use glam::{Quat, Vec3};
    /// // A quarter turn to the left: what was ahead, along z, is along x.
    /// let left = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    /// let giant = Placement { rotation: left, scale: 2.0, ..Placement::at([5.0, 0.0, 0.0]) };
    /// let there = giant.then(&Placement::at([0.0, 0.0, 1.5]));
    /// assert!(there.translation.abs_diff_eq(Vec3::new(8.0, 0.0, 0.0), 1e-6));
    /// ```
    #[must_use]
    #[inline]
    pub fn then(&self, step: &Self) -> Self {
        Self {
            rotation: (self.rotation * step.rotation).normalize(),
            translation: self.translation + self.rotation * (step.translation * self.scale),
            scale: self.scale * step.scale,
        }
    }

    /// A step that turns about an axis, by twice the angle of which the sine and the cosine are given, and leads to a place, its
    /// coordinates in the cyclic order that begins with the axis: of `y` those are `y`, `z` and `x`.
    #[must_use]
    #[inline(always)]
    pub fn about(axis: Axis, [sine, cosine]: [f32; 2], [a, b, c]: [f32; 3]) -> Self {
        let (unit, translation) = match axis {
            Axis::X => (Vec4::X, Vec3::new(a, b, c)),
            Axis::Y => (Vec4::Y, Vec3::new(c, a, b)),
            Axis::Z => (Vec4::Z, Vec3::new(b, c, a)),
        };
        Self { rotation: Quat::from_vec4(unit * sine + Vec4::W * cosine), translation, scale: 1.0 }
    }

    /// The counterpart of [`about`](Self::about), for a step that turns about no other axis.
    #[must_use]
    #[inline]
    pub fn about_axis(&self, axis: Axis) -> ([f32; 2], [f32; 3]) {
        let (turn, t) = (self.rotation.to_array(), self.translation);
        let place = match axis {
            Axis::X => [t.x, t.y, t.z],
            Axis::Y => [t.y, t.z, t.x],
            Axis::Z => [t.z, t.x, t.y],
        };
        ([turn[axis.index()], turn[3]], place)
    }

    /// As a matrix.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(Vec3::splat(self.scale), self.rotation, self.translation)
    }
}

impl Default for Placement {
    fn default() -> Self {
        Self::IDENTITY
    }
}
