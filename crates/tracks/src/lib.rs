//! The data of throng, at rest: skeletons, skins, clips and banks of keyframe rows.
//!
//! Data passes through this room in one direction. An importer, or code of the caller, builds a [`Skeleton`] of
//! joints and [`Clip`]s of [`Track`]s. Everything is checked while it is built; what exists is valid. A clip can be
//! sampled exactly at any time ([`Clip::sample_f64`]), which is the truth that everything faster is measured against.
//! [`bake()`] resamples the clips of one skeleton into a [`Bank`]: rows of keyframes, uniform in time, with the same
//! columns for all clips. Banks are what the kernels of `throng-kernels` read.
//!
//! There is no SIMD here, no thread and no `unsafe`.
#![forbid(unsafe_code)]

pub mod bake;
mod bank;
mod clip;
mod clock;
pub mod import;
mod interpolate;
mod joint_order;
mod joint_radii;
mod joint_remap;
mod marker;
mod mesh;
mod motion;
mod pose;
mod property;
mod skeleton;
mod skin;
mod time;
pub mod tools;
mod track;
mod transform;
mod unit;

pub use bake::{BakeError, BakeOptions, BakeReport, LeftOut, Posable, Shorten, WhyLeftOut, bake};
pub use bank::{Bank, BankClip, Columns, MarkerError, RowPair, ScaleColumns};
pub use clip::{BoundTrack, Clip, ClipError};
pub use clock::{Advanced, ClockError, ClockState, ClockTerms, Leg, Play, PlaybackClock, Repeat, Travel};
pub use interpolate::{align, hermite, nlerp, quasi_slerp, slerp};
pub use joint_order::JointOrder;
pub use joint_radii::joint_radii;
pub use joint_remap::JointRemap;
pub use marker::Marker;
pub use mesh::{
    Influence, InfluenceSet, Influences, MeshError, MeshSource, SkinnedMesh, WeightReport, WeightRule,
};
pub use motion::{Axis, MotionBlend, MotionCurve, Placement};
pub use pose::{extent, largest_coordinate, model_matrices, model_matrices_f64};
pub use property::{Property, PropertyTrack, Value};
pub use skeleton::{Joint, JointIndex, Rest, Skeleton, SkeletonError};
pub use skin::{Skin, SkinError};
pub use time::{Located, WrapMode, find_key, locate, wrap};
pub use track::{Channel, Custom, Extrapolation, Inside, Interpolation, Segment, Track, TrackError};
pub use transform::{DTransform, Transform};
pub use unit::{LengthUnit, LengthUnitError};
