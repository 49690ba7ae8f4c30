//! What controls act on.

use std::fmt;

use crate::InstanceId;

/// Names one of the playbacks of an instance, for as long as it lasts. Written as `12v3#4`, the fourth that instance `12v3`
/// began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaybackId {
    pub(crate) instance: InstanceId,
    pub(crate) serial: u32,
}

impl PlaybackId {
    /// Whose it is.
    #[must_use]
    pub fn instance(self) -> InstanceId {
        self.instance
    }
}

impl fmt::Display for PlaybackId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.instance, self.serial)
    }
}

/// A playback: an instance's main one, named by the instance alone, or any. Made from either id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The one that the instance was spawned with or last crossfaded to.
    Main(InstanceId),
    /// That one.
    Playback(PlaybackId),
}

impl From<InstanceId> for Target {
    fn from(id: InstanceId) -> Self {
        Self::Main(id)
    }
}

impl From<PlaybackId> for Target {
    fn from(id: PlaybackId) -> Self {
        Self::Playback(id)
    }
}

impl Target {
    /// Whose it is.
    #[must_use]
    pub fn instance(self) -> InstanceId {
        match self {
            Self::Main(id) => id,
            Self::Playback(id) => id.instance,
        }
    }
}
