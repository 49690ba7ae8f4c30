//! Lengths in another unit.

use std::fmt;
use std::str::FromStr;

use glam::{Affine3A, DVec3, Vec3};
use thiserror::Error;

use crate::{Joint, Rest, Skeleton, SkeletonError, Skin, SkinnedMesh, Transform};

/// Names of units, and how many metres each is.
const NAMES: [(&str, f64); 6] =
    [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("in", 0.0254), ("ft", 0.3048), ("yd", 0.9144)];

/// A unit of length: how many metres it is; above 0 and finite.
///
/// Displays as its name, or else as that number. Parses from a name (mm, cm, m, in, ft, yd) or a number of metres.
///
/// ```
/// use throng_tracks::LengthUnit;
/// let units = ["cm", "0.01", "0.5"].map(|text| text.parse::<LengthUnit>().unwrap());
/// assert_eq!(units[0], units[1]);
/// assert_eq!(units.map(|unit| unit.to_string()), ["cm", "cm", "0.5"]);
/// "-1".parse::<LengthUnit>().unwrap_err();
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "String", try_from = "String")
)]
pub struct LengthUnit(f64);

/// As text, so that what is read back is checked as a flag is.
#[cfg(feature = "serde")]
impl From<LengthUnit> for String {
    fn from(unit: LengthUnit) -> Self {
        unit.to_string()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for LengthUnit {
    type Error = LengthUnitError;

    fn try_from(text: String) -> Result<Self, LengthUnitError> {
        text.parse()
    }
}

// Never NaN.
impl Eq for LengthUnit {}

/// What is no unit of length.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("found {found:?}, expected mm, cm, m, in, ft, yd, or a number of metres above 0")]
pub struct LengthUnitError {
    /// What was given.
    pub found: String,
}

impl LengthUnit {
    /// The unit of glTF.
    pub const METRE: Self = Self(1.0);

    /// A unit of so many metres; none unless that is above 0, finite, and as an `f32` too.
    #[must_use]
    pub fn of_metres(metres: f64) -> Option<Self> {
        let number = metres as f32;
        (number > 0.0 && number.is_finite()).then_some(Self(metres))
    }

    /// How many metres it is.
    #[must_use]
    pub fn metres(self) -> f64 {
        self.0
    }
}

impl Default for LengthUnit {
    /// The metre.
    fn default() -> Self {
        Self::METRE
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(_, metres)| *metres == self.0) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{}", self.0),
        }
    }
}

impl FromStr for LengthUnit {
    type Err = LengthUnitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = NAMES.iter().find(|(name, _)| *name == text).map(|(_, metres)| *metres);
        let metres = named.or_else(|| text.parse().ok()).and_then(Self::of_metres);
        metres.ok_or_else(|| LengthUnitError { found: text.to_owned() })
    }
}

/// A length in another unit, rounded once.
fn scaled(length: Vec3, factor: f64) -> Vec3 {
    (length.as_dvec3() * factor).as_vec3()
}

fn scaled_matrix(matrix: &Affine3A, factor: f64) -> Affine3A {
    let translation = DVec3::from(matrix.translation.to_array().map(f64::from)) * factor;
    Affine3A { matrix3: matrix.matrix3, translation: translation.as_vec3().into() }
}

impl Skeleton {
    /// The skeleton with all lengths multiplied by `factor`: the translations of the rest pose. Rotations and scales stay.
    ///
    /// # Errors
    /// [`SkeletonError`] if a translation leaves f32.
    pub fn with_lengths_scaled(&self, factor: f64) -> Result<Self, SkeletonError> {
        Self::new(self.joints().map(|joint| Joint {
            name: self.name(joint).to_owned(),
            parent: self.parents()[joint.get()],
            rest: match (self.fixed_matrix(joint), self.rest()[joint.get()]) {
                (Some(matrix), _) => Rest::Matrix(scaled_matrix(&matrix, factor)),
                (None, rest) => {
                    Rest::Trs(Transform { translation: scaled(rest.translation, factor), ..rest })
                }
            },
        }))
    }
}

impl Skin {
    /// The skin with all lengths multiplied by `factor`: the translations of its inverse bind matrices. None if one leaves
    /// f32.
    #[must_use]
    pub fn with_lengths_scaled(&self, factor: f64) -> Option<Self> {
        let inverse: Vec<Affine3A> = self.inverse_bind().iter().map(|m| scaled_matrix(m, factor)).collect();
        let finite = inverse.iter().all(|matrix| matrix.is_finite());
        finite.then(|| self.with_entries(self.joints().to_vec(), inverse))
    }
}

impl SkinnedMesh {
    /// The mesh with the positions of its vertices multiplied by `factor`. None if one leaves f32.
    #[must_use]
    pub fn with_lengths_scaled(&self, factor: f64) -> Option<Self> {
        let mut mesh = self.clone();
        let positions = mesh.positions_mut();
        positions.iter_mut().for_each(|p| *p = scaled(Vec3::from(*p), factor).to_array());
        let finite = positions.iter().flatten().all(|number| number.is_finite());
        finite.then_some(mesh)
    }
}
