//! Thousands of animated instances: their clocks, and their palettes on every core.
//!
//! A [`Crowd`] is columns of plain numbers, one place (a slot) an instance: which clip it plays, where in it, how fast.
//! Data passes through this room once a frame. [`Crowd::advance`] moves all clocks. [`Crowd::evaluate`] then splits the
//! slots into shards, packs the live ones of a shard into lanes, and hands them to the fused pass of
//! [`throng_kernels`], which writes each instance's palette at its slot. Shards run on the rayon pool of the caller,
//! or one after the other. The result has the same bits either way.
//!
//! An instance may play several clips at once ([`Crowd::play`]) and go over from one to another ([`Crowd::crossfade`]). Those
//! that show one clip alone are posed from one pair of rows; the others are blended in the same pass.
//!
//! A [`World`] has crowds of several skeletons, and poses them all in one go.
//!
//! `ids` keeps slots and ids, and `bits` sets of slots; `columns` holds clocks, which [`throng_tracks`] reckons, and weights, which `fade` does, and
//! `layers` says which of them play; `detail` has how much work each is given, and `due` finds who is posed in a frame,
//! with `budget`, `sharing` and `between` for those that are not posed every time; `report` tells of it;
//! `shards` splits a frame and runs it, and `mixed` packs what is blended;
//! `extras` has what is written beside palettes and where instances stand, and `external` the poses that callers give;
//! `previous` keeps the palettes of the frame before; `crowd` is what callers see. There are no formulas of poses here, no
//! lock, and no `unsafe`.
#![forbid(unsafe_code)]

mod between;
mod bits;
mod budget;
mod columns;
mod control;
mod crowd;
mod detail;
mod due;
mod error;
mod events;
mod external;
mod extras;
mod fade;
mod ids;
mod joint_mask;
mod kind;
mod layers;
mod masks;
mod mixed;
mod playback;
mod pool;
mod previous;
mod report;
mod restart;
mod shards;
mod sharing;
mod split;
mod sync;
mod target;
mod world;

pub use control::Control;
pub use crowd::Crowd;
pub use detail::{Detail, SkipFrozen};
pub use error::CrowdError;
pub use events::{DEFAULT_EVENT_CAP, Event, EventKind, EventKinds, EventOptions};
pub use fade::{CROSSFADE_S, Crossfade};
pub use ids::InstanceId;
pub use joint_mask::{JointMask, JointMaskError};
pub use layers::After;
pub use masks::MaskId;
pub use playback::{AtEnd, Playback};
pub use report::{FrameReport, StageMs};
pub use shards::Threads;
pub use target::{PlaybackId, Target};
pub use throng_kernels::{MAX_MASK, MAX_WEIGHT};
pub use throng_tracks::Repeat;
pub use world::{CrowdId, World, WorldError, WorldInstanceId};
