//! What a program that shows a crowd needs: `use throng::prelude::*;`.

pub use crate::{
    Asset, AtEnd, BakeOptions, Bank, Crossfade, Crowd, CrowdId, Detail, InstanceId, Level, Placement, Plan,
    Playback, PlaybackId, RootMotion, Skeleton, Skin, Stores, Threads, World, WorldInstanceId, WrapMode,
};
