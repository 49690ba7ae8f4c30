//! Rounding before writing, so that every machine writes the same bytes.
//!
//! Sines and powers may differ in their last bit from one standard library to another. All the arithmetic
//! is done in `f64` and the result put on a grid of 1e-9, six orders of magnitude coarser than that
//! difference, before it becomes an `f32`.

use glam::{DQuat, DVec3};

const GRID: f64 = 1e9;

/// The nearest point of the grid; never minus zero.
pub(super) fn round(value: f64) -> f64 {
    (value * GRID).round() / GRID + 0.0
}

/// [`round`] by component.
pub(super) fn round_vec(value: DVec3) -> DVec3 {
    DVec3::from_array(value.to_array().map(round))
}

/// [`round`] by component; the length stays within about 1e-9 of one.
pub(super) fn round_quat(value: DQuat) -> DQuat {
    DQuat::from_array(value.to_array().map(round))
}

/// The rounded value as the file holds it.
pub(super) fn to_f32(value: f64) -> f32 {
    round(value) as f32
}
