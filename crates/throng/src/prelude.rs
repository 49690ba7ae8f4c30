//! What a program that shows a crowd needs: `use throng::prelude::*;`.

pub use crate::tracks::{Axis, Channel, Interpolation, Joint, Rest, Track};
pub use crate::{
    AddedClips, After, Asset, AssetError, AtEnd, BakeOptions, BakeReport, Bank, BindReport, Bounds, Clip,
    Control, Crossfade, Crowd, CrowdError, CrowdId, Detail, Event, EventKind, EventKinds, EventOptions,
    FrameReport, Import, ImportError, ImportOptions, InstanceId, JointIndex, JointMask, JointOrder,
    JointSphere, Layout, Level, Marker, MaskId, PaletteFormat, Placement, Plan, PlanOptions, Playback,
    PlaybackId, Posable, Repeat, RootMotion, RowFormat, Skeleton, Skin, SkipFrozen, Stores, Target, Threads,
    Transform, World, WorldFold, WorldInstanceId, WrapMode, bake, import,
};
