//! Similarities: the affine maps that keep shapes.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};
use throng_tracks::Transform;

/// What counts as rounding of an `f32` between two numbers of the size of 1.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// No number of a moderate frame, nor the inverse of its scale, is larger.
const MODERATE: f64 = 1e12;

/// `x -> scale * (rotation * x) + translation`. The scale is not zero; a negative one mirrors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) scale: f64,
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
}

impl Frame {
    pub(super) const IDENTITY: Self =
        Self { scale: 1.0, rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// The similarity near `m`, and whether it is `m` but for rounding. None if nothing near `m` is one.
    pub(super) fn near(m: &DAffine3) -> Option<(Self, bool)> {
        Self::nearest(m).map(|(frame, off)| (frame, off <= ROUNDING))
    }

    /// As [`near`](Self::near), with the largest difference of two numbers, as a part of the scale.
    pub(super) fn nearest(m: &DAffine3) -> Option<(Self, f64)> {
        let det = m.matrix3.determinant();
        let scale = cube_root(det.abs()) * det.signum();
        if !(scale.abs() > f64::MIN_POSITIVE && scale.is_finite()) {
            return None;
        }
        let rotation = DQuat::from_mat3(&(m.matrix3 * (1.0 / scale))).normalize();
        let exact = DMat3::from_quat(rotation) * scale;
        let off =
            columns(&(m.matrix3 - exact)).into_iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
        let off = off / scale.abs();
        let frame = Self { scale, rotation, translation: m.translation };
        (off < 1e-3).then_some((frame, off))
    }

    /// Whether products of two frames' numbers and those of a model matrix stay far inside an `f32`.
    pub(super) fn is_moderate(&self) -> bool {
        let size = self.scale.abs().max(self.scale.abs().recip());
        size.max(self.translation.abs().max_element()) <= MODERATE
    }

    pub(super) fn affine(&self) -> DAffine3 {
        let scale = DVec3::splat(self.scale);
        DAffine3::from_scale_rotation_translation(scale, self.rotation, self.translation)
    }

    pub(super) fn point(&self, p: DVec3) -> DVec3 {
        self.scale * (self.rotation * p) + self.translation
    }
}

/// The cube root of a positive number, to about a unit in the last place; 0 of what is zero, subnormal, infinite or NaN. By
/// exact operations: those of math libraries differ in their last bits from platform to platform, and so would palettes.
pub(super) fn cube_root(v: f64) -> f64 {
    if !v.is_normal() {
        return 0.0;
    }
    // A third of the exponent, give or take a twentieth of the root; Newton's steps square that.
    let mut root = f64::from_bits(v.to_bits() / 3 + 0x2a9f_7893_0000_0000);
    for _ in 0..6 {
        root -= (root * root * root - v) / (3.0 * root * root);
    }
    root
}

/// Whether `m` moves nothing but by rounding, for points whose coordinates are up to `size`.
pub(super) fn is_identity(m: &DAffine3, size: f64) -> bool {
    let off = columns(&(m.matrix3 - DMat3::IDENTITY))
        .into_iter()
        .map(|c| c.abs().max_element())
        .fold(0.0, f64::max);
    off <= ROUNDING && m.translation.abs().max_element() <= ROUNDING * size
}

fn columns(m: &DMat3) -> [DVec3; 3] {
    [m.x_axis, m.y_axis, m.z_axis]
}

pub(super) fn double(m: &Affine3A) -> DAffine3 {
    let [x, y, z] = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(|c| c.as_dvec3());
    DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation: m.translation.as_dvec3() }
}

pub(super) fn double_transform(t: &Transform) -> DAffine3 {
    let rotation = t.rotation.as_dquat().normalize();
    DAffine3::from_scale_rotation_translation(t.scale.as_dvec3(), rotation, t.translation.as_dvec3())
}
