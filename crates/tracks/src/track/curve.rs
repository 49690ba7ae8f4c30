//! One place on a track's curve: the arithmetic of exact sampling, in f64 from the keys' f32.

use glam::DQuat;

use crate::interpolate::{normalized_f64, slerp_f64};

/// What the value at one time is made of.
pub(super) enum Curve<'a> {
    /// A key's own value.
    Key(&'a [f32]),
    /// Two values and the way from the first to the second.
    Line(&'a [f32], &'a [f32], f64),
    /// The sum of these, each with its weight; the first is the earlier key's value.
    Cubic([(&'a [f32], f64); 4]),
}

impl Curve<'_> {
    /// One component, interpolated by itself.
    pub(super) fn component(&self, i: usize) -> f64 {
        match self {
            Self::Key(value) => f64::from(value[i]),
            Self::Line(a, b, u) => {
                let (a, b) = (f64::from(a[i]), f64::from(b[i]));
                a + (b - a) * u
            }
            Self::Cubic(parts) => parts.iter().map(|(part, weight)| f64::from(part[i]) * weight).sum(),
        }
    }

    /// The rotation, of unit length whatever the keys' lengths are.
    pub(super) fn rotation(&self) -> DQuat {
        match self {
            Self::Line(a, b, u) => slerp_f64(quaternion(a), quaternion(b), *u),
            Self::Key(_) | Self::Cubic(_) => {
                let q = DQuat::from_array(std::array::from_fn(|i| self.component(i)));
                normalized_f64(q).unwrap_or_else(|| self.key_rotation())
            }
        }
    }

    /// The earlier key's rotation. A spline through opposite rotations may cross zero, and there it is as right as another.
    fn key_rotation(&self) -> DQuat {
        let (Self::Key(key) | Self::Line(key, ..) | Self::Cubic([(key, _), ..])) = self;
        quaternion(key).normalize()
    }
}

fn quaternion(value: &[f32]) -> DQuat {
    DQuat::from_array(std::array::from_fn(|i| f64::from(value[i])))
}
