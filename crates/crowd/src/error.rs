use thiserror::Error;
use throng_kernels::{LevelError, NotSimilar, PlanError};

use crate::InstanceId;

/// What a crowd refuses. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The instance is gone. Its slot may hold another by now.
    #[error("instance {id} was despawned")]
    Despawned {
        /// The id given.
        id: InstanceId,
    },
    /// The id is of another crowd.
    #[error("instance {id} was never spawned in this crowd, which has {slots} slots")]
    NeverSpawned {
        /// The id given.
        id: InstanceId,
        /// How many slots the crowd has.
        slots: usize,
    },
    /// There is no palette yet.
    #[error(
        "instance {id} has no palette yet: no evaluation posed it since it was spawned or the format was changed"
    )]
    NotEvaluated {
        /// The id given.
        id: InstanceId,
    },
    /// Nobody asked for it.
    #[error("previous palettes are not kept: ask for them by keep_previous")]
    PreviousNotKept,
    /// The bank has no such clip.
    #[error("there is no clip {clip}: the bank has {clips}, counted from 0")]
    NoSuchClip {
        /// The clip given.
        clip: usize,
        /// How many there are.
        clips: usize,
    },
    /// NaN or infinity where a time or a speed should be.
    #[error("{what} must be finite, but is {value}")]
    NotFinite {
        /// What it was given for: the name of the argument or field.
        what: &'static str,
        /// The number given.
        value: f64,
    },
    /// The caller's buffer does not hold the palettes of all slots.
    #[error("the buffer has {found} floats, but {slots} slots need {needed}")]
    BufferTooShort {
        /// Floats needed.
        needed: usize,
        /// Floats given.
        found: usize,
        /// How many slots the crowd has.
        slots: usize,
    },
    /// Palettes would overlap.
    #[error("the layout begins palettes {stride} floats apart, but one takes {floats}")]
    Stride {
        /// How many floats apart.
        stride: usize,
        /// Floats of one palette.
        floats: usize,
    },
    /// The layout's format is not for this plan.
    #[error(transparent)]
    NotSimilar(#[from] NotSimilar),
    /// Memory has no room for the palettes of more slots.
    #[error("the crowd is full: it has {slots} slots")]
    Full {
        /// How many slots the crowd has.
        slots: usize,
    },
    /// The bank and the skin don't go together.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The level that the environment asks for can't be had.
    #[error("in the environment variable THRONG_LEVEL: {0}")]
    Level(#[from] LevelError),
}
