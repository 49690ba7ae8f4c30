//! How values between a track's keys come about.

use super::Channel;

/// How values between keys come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Interpolation {
    /// The left key's value until the next key's time.
    Step,
    /// Straight between keys; for rotations [`slerp`](crate::slerp) on the short arc.
    Linear,
    /// Rotations only: [`nlerp`](crate::nlerp) on the short arc, cheaper than slerp and not of constant speed.
    Nlerp,
    /// Rotations only: [`quasi_slerp`](crate::quasi_slerp) on the short arc, nearly slerp without its sines.
    QuasiSpherical,
    /// Cubic Hermite spline. Each key holds in-tangent, value and out-tangent, in this order.
    CubicSpline,
    /// Cubic Hermite spline through the values, whose inner tangents follow from the neighbours:
    /// `(p[i+1] - p[i-1]) / (t[i+1] - t[i-1])`, 0 where these times are equal (Catmull and Rom, "A class of local
    /// interpolating splines", 1974, here for keys at any times). The track holds start tangent, values, end tangent.
    CatmullRom,
    /// The caller's own function, see [`Custom`](crate::Custom).
    Custom,
}

impl Interpolation {
    /// How many values a key holds.
    #[must_use]
    pub fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }

    /// How many values a track of `keys` keys holds in all: Catmull-Rom has two tangents besides its keys.
    #[must_use]
    pub fn value_count(self, keys: usize) -> usize {
        // A count of keys comes from outside.
        keys.saturating_mul(self.values_per_key()).saturating_add(if self == Self::CatmullRom {
            2
        } else {
            0
        })
    }

    /// The name used in messages; for what glTF has, its name there.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::Nlerp => "NLERP",
            Self::QuasiSpherical => "QUASISPHERICAL",
            Self::CubicSpline => "CUBICSPLINE",
            Self::CatmullRom => "CATMULLROM",
            Self::Custom => "CUSTOM",
        }
    }

    /// Which of the channels can be interpolated so.
    #[must_use]
    pub fn suits(self, channel: Channel) -> bool {
        match self {
            Self::Step => true,
            Self::Nlerp | Self::QuasiSpherical => channel.is_rotation(),
            Self::Linear | Self::CubicSpline | Self::CatmullRom | Self::Custom => {
                channel != Channel::Discrete
            }
        }
    }
}
