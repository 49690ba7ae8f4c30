//! Ids that name an instance among several crowds.

use std::fmt;

use crate::{CrowdError, InstanceId};
use thiserror::Error;

/// Names a crowd of a [`World`](super::World): the number in which it was added, from 0. No number is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrowdId(pub(super) u32);

impl CrowdId {
    /// The number in which it was added, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for CrowdId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Names an instance of a [`World`](super::World), for as long as it lives, whichever crowd it is in: twelve bytes to copy. Written as
/// `2:12v3`, instance `12v3` of crowd 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorldInstanceId {
    /// The crowd it is in.
    pub crowd: CrowdId,
    /// Which of that crowd.
    pub instance: InstanceId,
}

impl fmt::Display for WorldInstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.crowd, self.instance)
    }
}

/// What a world refuses. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The id is of another world.
    #[error("there is no crowd {crowd}: the world has {crowds}, counted from 0")]
    NoSuchCrowd {
        /// The crowd given.
        crowd: CrowdId,
        /// How many there are.
        crowds: usize,
    },
    /// The crowd was removed, and its instances with it.
    #[error("crowd {crowd} was removed from the world")]
    Removed {
        /// The crowd given.
        crowd: CrowdId,
    },
    /// Each crowd writes a buffer.
    #[error("{found} buffers, but the world has {crowds} crowds")]
    Buffers {
        /// Buffers given.
        found: usize,
        /// How many crowds there are.
        crowds: usize,
    },
    /// A crowd refuses it: what is told of ids there is of those in it.
    #[error("crowd {crowd}: {error}")]
    Crowd {
        /// Which crowd.
        crowd: CrowdId,
        /// What it refuses.
        #[source]
        error: CrowdError,
    },
    /// Every crowd would refuse it.
    #[error(transparent)]
    Refused(#[from] CrowdError),
}
