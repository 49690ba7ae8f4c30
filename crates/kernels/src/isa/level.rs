use std::fmt;
use std::str::FromStr;

use thiserror::Error;

#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
use super::{Isa, Kind, dispatch, portable::Portable, scalar::Scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// Which lanes the kernels use, and how they round: detected, or chosen.
///
/// A level holds the proof that the processor has it; there is no way to one that it has not. Levels are *fused* or
/// not (see [`Level::is_fused`]): inside each of the two classes all levels return the same bits.
#[derive(Clone, Copy)]
pub struct Level(Kind);

/// How a multiply-add rounds, and so which bits the kernels return.
///
/// ```
/// use throng_kernels::{Level, Rounding};
///
/// let lockstep = Level::detect().with_rounding(Rounding::Portable);
/// assert_eq!(lockstep.lanes(), Level::detect().lanes());
/// assert_eq!(lockstep.rounding(), Rounding::Portable);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Rounding {
    /// The way that is fastest on the lanes: once, where the processor has a fused multiply-add for them, else twice.
    #[default]
    Fastest,
    /// Twice, as a product and a sum: the same bits at every level of every processor.
    Portable,
}

/// A level that can't be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LevelError {
    /// No level has that name.
    #[error("there is no level {name:?}; levels are {names}", names = NAMES.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The processor, or the build's architecture, lacks it.
    #[error("this processor has no {name}; it has {available}")]
    Unavailable {
        /// What was asked for.
        name: String,
        /// What there is.
        available: String,
    },
}

/// All names that levels have anywhere.
const NAMES: [&str; 9] = [
    "scalar",
    "scalar-fused",
    "portable",
    "neon",
    "neon-unfused",
    "avx2",
    "avx2-unfused",
    "avx512",
    "avx512-unfused",
];

impl Level {
    /// One lane, unfused.
    #[must_use]
    pub fn scalar() -> Self {
        Self(Kind::Scalar(Scalar::TOKEN))
    }

    /// All levels of this processor, slowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "only some architectures have more")]
        let mut levels = vec![
            Kind::Scalar(Scalar::TOKEN),
            Kind::ScalarFused(Scalar::TOKEN),
            Kind::Portable(Portable::TOKEN),
        ];
        #[cfg(target_arch = "aarch64")]
        levels.extend([Kind::NeonUnfused(Neon::TOKEN), Kind::Neon(Neon::TOKEN)]);
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx2::detect().map(Kind::Avx2Unfused));
            levels.extend(Avx2::detect().map(Kind::Avx2));
            levels.extend(Avx512::detect().map(Kind::Avx512Unfused));
            levels.extend(Avx512::detect().map(Kind::Avx512));
        }
        levels.into_iter().map(Self).collect()
    }

    /// The fastest level of this processor. Asks the processor: keep the answer.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = Avx512::detect() {
                return Self(Kind::Avx512(token));
            }
            if let Some(token) = Avx2::detect() {
                return Self(Kind::Avx2(token));
            }
        }
        #[cfg(target_arch = "aarch64")]
        return Self(Kind::Neon(Neon::TOKEN));
        #[cfg(not(target_arch = "aarch64"))]
        Self(Kind::Portable(Portable::TOKEN))
    }

    /// The same lanes, with another rounding.
    ///
    /// [`Rounding::Portable`] can be had of every level. [`Rounding::Fastest`] changes only levels whose lanes the
    /// processor has a fused multiply-add for; `scalar` and `portable` stay as they are.
    #[must_use]
    pub fn with_rounding(self, rounding: Rounding) -> Self {
        Self(match (rounding, self.0) {
            (Rounding::Portable, Kind::ScalarFused(_)) => Kind::Scalar(Scalar::TOKEN),
            #[cfg(target_arch = "aarch64")]
            (Rounding::Portable, Kind::Neon(_)) => Kind::NeonUnfused(Neon::TOKEN),
            #[cfg(target_arch = "aarch64")]
            (Rounding::Fastest, Kind::NeonUnfused(_)) => Kind::Neon(Neon::TOKEN),
            #[cfg(target_arch = "x86_64")]
            (Rounding::Portable, Kind::Avx2(token)) => Kind::Avx2Unfused(token.rounded()),
            #[cfg(target_arch = "x86_64")]
            (Rounding::Portable, Kind::Avx512(token)) => Kind::Avx512Unfused(token.rounded()),
            #[cfg(target_arch = "x86_64")]
            (Rounding::Fastest, Kind::Avx2Unfused(token)) => Kind::Avx2(token.rounded()),
            #[cfg(target_arch = "x86_64")]
            (Rounding::Fastest, Kind::Avx512Unfused(token)) => Kind::Avx512(token.rounded()),
            (_, kind) => kind,
        })
    }

    /// Which bits the level returns: [`Rounding::Portable`] if it is not [fused](Self::is_fused).
    #[must_use]
    pub fn rounding(self) -> Rounding {
        if self.is_fused() { Rounding::Fastest } else { Rounding::Portable }
    }

    /// The level that the environment variable `THRONG_LEVEL` names, else the [fastest](Self::detect).
    /// Only the command calls this function; the library never reads the environment.
    ///
    /// # Errors
    /// If the variable names no level, or one that the processor has not.
    pub fn from_env() -> Result<Self, LevelError> {
        match std::env::var_os("THRONG_LEVEL") {
            Some(name) if !name.is_empty() => name.to_string_lossy().parse(),
            _ => Ok(Self::detect()),
        }
    }

    /// The name that parses back.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Scalar(_) => "scalar",
            Kind::ScalarFused(_) => "scalar-fused",
            Kind::Portable(_) => "portable",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon(_) => "neon",
            #[cfg(target_arch = "aarch64")]
            Kind::NeonUnfused(_) => "neon-unfused",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Unfused(_) => "avx2-unfused",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Unfused(_) => "avx512-unfused",
        }
    }

    /// How many instances are worked on at once.
    #[must_use]
    pub fn lanes(self) -> usize {
        dispatch!(self, isa => lanes_of(isa))
    }

    /// Whether a multiply-add rounds once. All fused levels return the same bits; so do all others.
    #[must_use]
    pub fn is_fused(self) -> bool {
        dispatch!(self, isa => is_fused(isa))
    }
}

fn lanes_of<I: Isa>(_: I) -> usize {
    I::LANES
}

fn is_fused<I: Isa>(_: I) -> bool {
    I::FUSED
}

impl Level {
    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        self.0
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Level {}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Level({})", self.name())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Self, LevelError> {
        let available = Self::available();
        if let Some(level) = available.iter().find(|l| l.name() == name) {
            return Ok(*level);
        }
        if NAMES.contains(&name) {
            let available = available.iter().map(|l| l.name()).collect::<Vec<_>>().join(", ");
            return Err(LevelError::Unavailable { name: name.into(), available });
        }
        Err(LevelError::Unknown { name: name.into() })
    }
}
