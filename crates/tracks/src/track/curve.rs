//! One place on a track's curve: the arithmetic of exact sampling, in f64 from the keys' f32.

use glam::DQuat;

use crate::interpolate::{nlerp_f64, normalized_f64, quasi_slerp_f64, slerp_f64};

/// How rotations go from one key to the next.
#[derive(Clone, Copy)]
pub(super) enum Blend {
    Slerp,
    Nlerp,
    QuasiSlerp,
}

/// What the value at one time is made of.
pub(super) enum Curve<'a> {
    /// A key's own value.
    Key(&'a [f32]),
    /// Two values and the way from the first to the second, and how to go if they are rotations.
    Line(&'a [f32], &'a [f32], f64, Blend),
    /// The sum of these, each with its weight; the first is the earlier key's value.
    Sum([(&'a [f32], f64); 6]),
}

impl Curve<'_> {
    /// One component, interpolated by itself.
    pub(super) fn component(&self, i: usize) -> f64 {
        match self {
            Self::Key(value) => f64::from(value[i]),
            Self::Line(a, b, u, _) => {
                let (a, b) = (f64::from(a[i]), f64::from(b[i]));
                a + (b - a) * u
            }
            Self::Sum(terms) => terms.iter().map(|(part, weight)| f64::from(part[i]) * weight).sum(),
        }
    }

    /// The rotation, of unit length whatever the keys' lengths are.
    pub(super) fn rotation(&self) -> DQuat {
        match self {
            Self::Line(a, b, u, blend) => {
                let (a, b) = (quaternion(a), quaternion(b));
                match blend {
                    Blend::Slerp => slerp_f64(a, b, *u),
                    Blend::Nlerp => nlerp_f64(a, b, *u),
                    Blend::QuasiSlerp => quasi_slerp_f64(a, b, *u),
                }
            }
            Self::Sum([(key, _), ..]) => {
                // A spline through opposite rotations may cross zero, and there the earlier key is as right as another.
                normalized_f64(self.components()).unwrap_or_else(|| quaternion(key).normalize())
            }
            Self::Key(_) => self.components().normalize(),
        }
    }

    fn components(&self) -> DQuat {
        DQuat::from_array(std::array::from_fn(|i| self.component(i)))
    }
}

fn quaternion(value: &[f32]) -> DQuat {
    DQuat::from_array(std::array::from_fn(|i| f64::from(value[i])))
}
