//! What a program that shows a crowd needs: `use throng::prelude::*;`.

#[cfg(feature = "gltf")]
pub use crate::Asset;
pub use crate::{
    After, AtEnd, BakeOptions, Bank, Control, Crossfade, Crowd, CrowdId, Detail, Event, EventKind,
    InstanceId, Level, Marker, Placement, Plan, Playback, PlaybackId, Repeat, RootMotion, Skeleton, Skin,
    SkipFrozen, Stores, Threads, World, WorldFold, WorldInstanceId, WrapMode,
};
