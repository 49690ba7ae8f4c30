//! What a program that shows a crowd needs: `use throng::prelude::*;`.

pub use crate::{
    Asset, BakeOptions, Bank, Crowd, InstanceId, Level, Plan, Playback, Skeleton, Skin, Stores, Threads,
    WrapMode,
};
