//! Thousands of animated instances: their clocks, and their palettes on every core.
//!
//! A [`Crowd`] is columns of plain numbers, one place (a slot) an instance: which clip it plays, where in it, how fast.
//! Data passes through this room once a frame. [`Crowd::advance`] moves all clocks. [`Crowd::evaluate`] then splits the
//! slots into shards, packs the live ones of a shard into lanes, and hands them to the fused pass of
//! [`throng_kernels`], which writes each instance's palette at its slot. Shards run on the rayon pool of the caller,
//! or one after the other. The result has the same bits either way.
//!
//! `ids` keeps slots and ids; `clock` is the arithmetic of one instance's time; `playback` holds the columns; `shards`
//! splits a frame and runs it; `previous` keeps the palettes of the one before; `crowd` is what callers see. There are no formulas of poses here, no lock, and no
//! `unsafe`.
#![forbid(unsafe_code)]

mod clock;
mod crowd;
mod error;
mod ids;
mod playback;
mod previous;
mod shards;

pub use crowd::{Crowd, FrameReport};
pub use error::CrowdError;
pub use ids::InstanceId;
pub use playback::Playback;
pub use shards::Threads;
