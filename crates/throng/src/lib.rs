//! Skeletal animation for crowds: glTF in, ten thousand skinning palettes out.
//!
//! This crate re-exports the crates that do the work, each as a module:
//!
//! | module | what it is for |
//! | --- | --- |
//! | `gltf` | glTF files into a skeleton, skins and clips, with a report of every repair |
//! | `bvh` | motion capture into a skeleton, a skin and a clip |
//! | [`tracks`] | skeletons, exact clips, and banks of keyframe rows baked from them |
//! | [`kernels`] | SIMD passes from rows to palettes, at a level detected or chosen |
//! | [`crowd`] | thousands of instances: clocks, and palettes on every core |
//!
//! Data passes through them in this order. [`Asset`] takes the first three steps at once:
//!
//! ```no_run
//! use throng::prelude::*;
//!
//! let asset = Asset::load("soldier.glb")?;
//! let mut crowd = asset.crowd(0)?;
//! let id = crowd.spawn(Playback { clip: 0, time_s: 0.3, ..Playback::default() })?;
//! crowd.advance(1.0 / 60.0)?;
//! crowd.evaluate();
//! let for_the_gpu: &[u8] = crowd.palette_bytes();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds | by default |
//! | --- | --- | --- |
//! | `gltf` | import of `.gltf` and `.glb`, and the module `gltf` | yes |
//! | `bvh` | import of BVH motion capture, and the module `bvh` | |
//! | `export` | clips written as `.glb`: `gltf::export`; includes `gltf` | |
//! | `rayon` | frames on all cores, by the rayon pool of the caller; without it on the caller's thread | yes |
//! | `serde` | `Serialize` and `Deserialize` for options and plain data, such as [`Playback`] and [`Transform`] | |
//! | `mint` | conversions between the types of [`glam`] and those of the crate `mint`, for programs with another version of glam | |
//!
//! Palettes, sockets and world matrices are plain `f32` in any case. A file of a format whose feature
//! is off is an error that names the feature. Options are written with `..Default::default()`, so that
//! new fields break nothing.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod asset;
mod import;
pub mod prelude;

pub use glam;
#[cfg(feature = "bvh")]
pub use throng_bvh as bvh;
pub use throng_crowd as crowd;
#[cfg(feature = "gltf")]
pub use throng_gltf as gltf;
pub use throng_kernels as kernels;
pub use throng_tracks as tracks;

pub use asset::{AddedClips, Asset, AssetError};
pub use import::{import, import_slice, import_slice_with, import_with};
pub use throng_crowd::{
    After, AtEnd, Control, Crossfade, Crowd, CrowdError, CrowdId, Detail, Event, EventKind, EventKinds,
    EventOptions, FrameReport, InstanceId, JointMask, JointMaskError, MAX_MASK, MAX_WEIGHT, MaskId, Playback,
    PlaybackId, Repeat, SkipFrozen, StageMs, Target, Threads, World, WorldError, WorldInstanceId,
};
pub use throng_kernels::{
    Bounds, ExternalError, JointSphere, Layout, Level, LevelError, MeshBlocks, PaletteFormat, Plan,
    PlanError, PlanOptions, Rounding, RowFormat, SkinnedVertices, SkinningError, SkinningJob, Stores,
    WorldFold, skin_vertices,
};
pub use throng_tracks::import::{
    Format, Import, ImportError, ImportOptions, LeftOutClip, MeshPart, Problem, Report, ReportKind,
    ReportLine,
};
pub use throng_tracks::tools::{BindReport, RootMotion};
pub use throng_tracks::{
    BakeError, BakeOptions, BakeReport, Bank, Clip, JointIndex, JointOrder, Marker, Placement, Posable,
    Skeleton, Skin, SkinnedMesh, Transform, WrapMode, bake,
};

/// The README's example, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The guide's chapters, their code compiled and run.
#[cfg(doctest)]
mod guide {
    macro_rules! chapters {
        ($($name:ident $file:literal)*) => {
            $(
                #[doc = include_str!(concat!("../../../docs/guide/src/", $file, ".md"))]
                struct $name;
            )*
        };
    }
    chapters!(
        Introduction "introduction"
        Playing "playback"
        Events "events"
        RootMotion "root-motion"
        Detail "detail"
        World "world"
        Sockets "sockets"
        ExternalPoses "external-poses"
    );
}
