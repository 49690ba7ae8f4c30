//! SIMD kernels that turn keyframe rows into poses, model matrices and skinning palettes, for many instances at once.
//!
//! A lane is one instance: all lanes of a register do the same joint of different characters. Data passes from a
//! [`Bank`](throng_tracks::Bank)'s rows through a [`Plan`], which was compiled once for the bank and a skin, to the
//! caller's buffer, in one of the [`PaletteFormat`]s: either in one fused pass ([`palettes`]), which keeps only ancestors' matrices besides the result, or
//! stage by stage ([`sample`] or [`sample_layers`], [`pose_to_model`], [`model_to_palette`]) for those who want poses or model matrices.
//!
//! Every kernel is written once over lanes and runs at any [`Level`]: detected, or chosen. Kernels are
//! pure functions over slices. Arguments are checked at the door ([`PaletteJob::new`]), and then nothing can fail.
//!
//! [`find_keys`] is the branch-free look-up of keys at arbitrary times, and [`nlerp`] and [`slerp`] are the rotations of
//! authored curves over lanes; [`sample_track`] is one authored track, of a property say, at the times of many instances.
//! [`oracle`] says all of it once more, plainly and in `f64`, for tests.
//!
//! [`skin_vertices`] moves the vertices of a mesh by palettes, where no graphics card does.
//!
//! [`advance_clocks`] moves many [`PlaybackClock`](throng_tracks::PlaybackClock)s by one step of time, and [`add_motion`] tells where
//! that takes those who play.
#![deny(unsafe_code)]

mod advance;
mod between;
mod blocks;
pub mod floor;
mod fused;
#[allow(unsafe_code, reason = "the one room for it; see its own documentation")]
mod isa;
mod layout;
mod lookup;
mod math;
mod motion;
pub mod oracle;
mod plan;
mod property;
mod rotate;
mod skinning;
mod stages;
mod stores;
mod unroll;

pub use advance::{AdvanceError, AdvancedColumns, ClockColumns, advance_clocks};
pub use between::mix_palettes;
pub use blocks::{ModelBlock, ModelBlocks, PoseBlock, PoseBlocks, QuatBlock};
pub use fused::{
    Blend, JobError, LAYERS, Layer, LayerMask, MAX_MASK, MAX_WEIGHT, MaskError, Masks, PaletteJob, Scratch,
    WorldFold, palettes,
};
pub use isa::{BLOCK, Level, LevelError, Line, Rounding};
pub use layout::{Layout, PaletteFormat};
pub use lookup::{LookupError, find_keys};
pub use motion::{MotionBlock, MotionLayer, MotionSums, MotionTable, add_motion, finish_motion};
pub use plan::{
    Bounds, ExternalError, ExternalRows, JointSphere, NotSimilar, Obstacle, PALETTE_FLOATS, Plan, PlanError,
    PlanOptions, RowError, RowFormat,
};
pub use property::{LaneTrack, LaneTrackError, sample_track};
pub use rotate::{nlerp, slerp};
pub use skinning::{MeshBlocks, SkinnedVertices, SkinningError, SkinningJob, skin_vertices};
pub use stages::{model_to_palette, pose_to_model, sample, sample_layers};
pub use stores::Stores;
