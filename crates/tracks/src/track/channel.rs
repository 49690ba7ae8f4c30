//! What a track moves.

/// What a track moves.
///
/// Translation, rotation and scale are those of a joint. The weights are a joint's (of the mesh at it) or a named
/// property's. The others are the values of named properties, see [`Property`](crate::Property).
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
    /// One number.
    Scalar,
    /// 2 numbers.
    Vec2,
    /// 3 numbers.
    Vec3,
    /// 4 numbers.
    Vec4,
    /// A colour, red, green, blue and alpha: interpolated number by number in whatever space it is given.
    Colour,
    /// A rotation that is not a joint's: a quaternion, `xyzw`, treated as [`Rotation`](Self::Rotation) is.
    Quaternion,
    /// One of the names in the track's table, by its index there. Steps only.
    Discrete,
}

impl Channel {
    /// How many numbers one value has.
    #[must_use]
    pub fn components(self) -> usize {
        match self {
            Self::Translation | Self::Scale | Self::Vec3 => 3,
            Self::Rotation | Self::Vec4 | Self::Colour | Self::Quaternion => 4,
            Self::Weights(count) => count as usize,
            Self::Scalar | Self::Discrete => 1,
            Self::Vec2 => 2,
        }
    }

    /// The name used in messages; for what glTF has, its name there.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights(_) => "weights",
            Self::Scalar => "scalar",
            Self::Vec2 => "vec2",
            Self::Vec3 => "vec3",
            Self::Vec4 => "vec4",
            Self::Colour => "colour",
            Self::Quaternion => "quaternion",
            Self::Discrete => "discrete",
        }
    }

    /// Whether values are quaternions, aligned at the door and normalised when sampled.
    #[must_use]
    pub fn is_rotation(self) -> bool {
        matches!(self, Self::Rotation | Self::Quaternion)
    }

    /// Whether it is part of a joint's pose: translation, rotation or scale.
    #[must_use]
    pub fn is_in_pose(self) -> bool {
        matches!(self, Self::Translation | Self::Rotation | Self::Scale)
    }
}
