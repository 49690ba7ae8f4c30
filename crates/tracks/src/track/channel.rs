//! What a track moves, and how values between its keys come about.

/// What a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Channel {
    /// A joint's translation: 3 numbers.
    Translation,
    /// A joint's rotation: a quaternion, `xyzw`.
    Rotation,
    /// A joint's scale: 3 numbers.
    Scale,
    /// The weights of that many morph targets.
    Weights(u32),
}

impl Channel {
    /// How many numbers one value has.
    #[must_use]
    pub fn components(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 3,
            Self::Rotation => 4,
            Self::Weights(count) => count as usize,
        }
    }

    /// The name used by glTF, and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights(_) => "weights",
        }
    }
}

/// How values between keys come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Interpolation {
    /// The left key's value until the next key's time.
    Step,
    /// Straight between keys; for rotations [`slerp`](crate::slerp) on the short arc.
    Linear,
    /// Cubic Hermite spline. Each key holds in-tangent, value and out-tangent, in this order.
    CubicSpline,
}

impl Interpolation {
    /// How many values a key holds.
    #[must_use]
    pub fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }

    /// The name used by glTF, and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
        }
    }
}
