use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Isa, portable::Portable, scalar::Scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// Which lanes the kernels use: detected, or chosen for tests and comparisons.
///
/// A level holds the proof that the processor has it; there is no way to one that it has not. Levels are *fused* or
/// not (see [`Level::is_fused`]): inside each of the two classes all levels return the same bits.
#[derive(Clone, Copy)]
pub struct Level(pub(super) Kind);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar(Scalar<false>),
    ScalarFused(Scalar<true>),
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// A level that can't be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LevelError {
    /// No level has that name.
    #[error("there is no level {name:?}; levels are scalar, scalar-fused, portable, avx2, avx512")]
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
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx2::detect().map(Kind::Avx2));
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
        Self(Kind::Portable(Portable::TOKEN))
    }

    /// The level that the environment variable `THRONG_LEVEL` names, else the [fastest](Self::detect).
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
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "avx512",
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

/// `dispatch!(level, isa => expression)`: the expression, with `isa` the level's token.
macro_rules! dispatch {
    ($level:expr, $isa:ident => $body:expr) => {
        match $level.kind() {
            $crate::isa::Kind::Scalar($isa) => $body,
            $crate::isa::Kind::ScalarFused($isa) => $body,
            $crate::isa::Kind::Portable($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Kind::Avx2($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Kind::Avx512($isa) => $body,
        }
    };
}
pub(crate) use dispatch;

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
        if matches!(name, "avx2" | "avx512") {
            let available = available.iter().map(|l| l.name()).collect::<Vec<_>>().join(", ");
            return Err(LevelError::Unavailable { name: name.into(), available });
        }
        Err(LevelError::Unknown { name: name.into() })
    }
}
