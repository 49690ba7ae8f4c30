//! What the caller of [`mirror`](super::mirror) may choose.

use std::fmt;

use crate::{Clip, JointIndex, Skin};

/// An axis of model space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MirrorAxis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl MirrorAxis {
    /// The axes in order.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Its small letter.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["x", "y", "z"][self as usize]
    }
}

/// A plane of model space across one of its axes: what is at `offset + d` along the axis is reflected to `offset - d`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MirrorPlane {
    /// The axis that the plane is perpendicular to.
    pub axis: MirrorAxis,
    /// Where the plane crosses the axis, in the asset's unit.
    pub offset: f64,
}

impl MirrorPlane {
    /// The plane x = 0: left and right of characters that look along z or -z, as those of glTF do.
    pub const X: Self = Self { axis: MirrorAxis::X, offset: 0.0 };
    /// The plane y = 0.
    pub const Y: Self = Self { axis: MirrorAxis::Y, offset: 0.0 };
    /// The plane z = 0.
    pub const Z: Self = Self { axis: MirrorAxis::Z, offset: 0.0 };
}

impl fmt::Display for MirrorPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.axis.name(), self.offset)
    }
}

/// How [`mirror`](super::mirror) finds the plane, the pairs and the bind frames. The default finds all of them.
///
/// ```
/// use throng_tracks::JointIndex;
/// use throng_tracks::tools::{MirrorOptions, MirrorPlane};
/// let options = MirrorOptions::default()
///     .with_plane(MirrorPlane::Z)
///     .with_pairs(vec![(JointIndex(3), JointIndex(7))])
///     .with_tolerance(0.05);
/// assert!(options.pairs_by_name);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MirrorOptions<'a> {
    /// The plane that motion is reflected in. None: across the axis along which pairs lie apart in the reference pose.
    pub plane: Option<MirrorPlane>,
    /// Pairs given by hand; they come before names. A joint paired with itself is in the middle, whatever its name.
    pub pairs: Vec<(JointIndex, JointIndex)>,
    /// Whether the other joints are paired by [name](super::pairs_by_name).
    pub pairs_by_name: bool,
    /// Skins whose bind pose may be the reference pose.
    pub skins: &'a [Skin],
    /// A clip and a time in seconds at which the skeleton is symmetric: the reference pose, if it is given.
    pub reference: Option<(&'a Clip, f32)>,
    /// The largest distance allowed between a joint and the reflection of its partner, as a fraction of the skeleton's size.
    /// [`f32::INFINITY`] allows any.
    pub tolerance: f32,
}

impl Default for MirrorOptions<'_> {
    fn default() -> Self {
        Self {
            plane: None,
            pairs: Vec::new(),
            pairs_by_name: true,
            skins: &[],
            reference: None,
            tolerance: 0.02,
        }
    }
}

impl<'a> MirrorOptions<'a> {
    /// Sets [`plane`](Self::plane).
    #[must_use]
    pub fn with_plane(self, plane: MirrorPlane) -> Self {
        Self { plane: Some(plane), ..self }
    }

    /// Sets [`pairs`](Self::pairs).
    #[must_use]
    pub fn with_pairs(self, pairs: Vec<(JointIndex, JointIndex)>) -> Self {
        Self { pairs, ..self }
    }

    /// Sets [`pairs_by_name`](Self::pairs_by_name).
    #[must_use]
    pub fn with_pairs_by_name(self, pairs_by_name: bool) -> Self {
        Self { pairs_by_name, ..self }
    }

    /// Sets [`skins`](Self::skins).
    #[must_use]
    pub fn with_skins(self, skins: &'a [Skin]) -> Self {
        Self { skins, ..self }
    }

    /// Sets [`reference`](Self::reference).
    #[must_use]
    pub fn with_reference(self, clip: &'a Clip, time_s: f32) -> Self {
        Self { reference: Some((clip, time_s)), ..self }
    }

    /// Sets [`tolerance`](Self::tolerance).
    #[must_use]
    pub fn with_tolerance(self, tolerance: f32) -> Self {
        Self { tolerance, ..self }
    }
}
