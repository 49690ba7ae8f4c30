//! Tools for clips: each a pure function from clips to a clip.
//!
//! A tool takes a [`Clip`](crate::Clip), and the skeleton it is of, and returns a new clip. Tracks pass through one by
//! one (`rebuild`); what cuts or joins curves shares `curve`. A tool that can't keep what a track shows says so in an
//! error that names the track; none guesses. What a tool
//! makes of an [additive](crate::Clip::is_additive) clip is additive. All compute in f64 from the keys' f32, and round once.
//!
//! | tool | does |
//! | --- | --- |
//! | [`subclip`], [`subclip_frames`] | a part, its curves as they were |
//! | [`trim`] | the keys outside of a stretch dropped |
//! | [`concat()`] | clips one after the other |
//! | [`shift`], [`scale_time`] | later, slower |
//! | [`scale_lengths`] | in another unit |
//! | [`reverse`] | backwards |
//! | [`resample`] | keys at a rate |
//! | [`reduce`] | fewer keys, within a tolerance |
//! | [`bind_by_name`], [`remap`], [`namesakes`] | clips of one skeleton for another |
//! | [`mirror()`], [`pairs_by_name`], [`other_side`], [`is_sided`] | left for right |
//! | [`compare_rest`] | how two skeletons differ at rest, units included |
//! | [`extract_root_motion`] | where the character goes, taken out of its pose |
//! | [`make_additive`], [`sample_additive`], [`apply_additive`] | the difference to a pose, and how to add it to another |
//! | [`sort_keys`], [`from_key_objects`], [`morph_sequence`] | keys and tracks for clips to be made of |

mod additive;
mod bind;
mod concat;
mod curve;
mod error;
mod lengths;
mod mapped;
mod mirror;
mod morph;
mod namesakes;
mod rebuild;
mod records;
mod reduce;
mod remap;
mod resample;
mod rest;
mod retime;
mod reverse;
mod root_motion;
mod subclip;
mod trim;

pub(crate) use additive::added_to;
pub use additive::{AdditiveError, apply_additive, make_additive, sample_additive};
pub use bind::{BindReport, bind_by_name};
pub use concat::concat;
pub use error::TimeError;
pub use lengths::scale_lengths;
pub use mirror::{
    MirrorAxis, MirrorDistance, MirrorError, MirrorOptions, MirrorPlane, MirrorReference, MirrorReport,
    is_sided, mirror, other_side, pairs_by_name,
};
pub use morph::{MorphError, morph_sequence};
pub use namesakes::{Namesakes, namesakes};
pub use records::{KeysError, RawKeys, from_key_objects, sort_keys};
pub use reduce::{ReduceError, ReduceOptions, reduce};
pub use remap::{RemapReport, Unbound, WhyUnbound, remap};
pub use resample::{ResampleError, resample};
pub use rest::{RestComparison, RestDifference, compare_rest};
pub use retime::{scale_time, shift};
pub use reverse::reverse;
pub use root_motion::{
    MotionJoint, MotionReference, RootMotion, RootMotionError, Taken, extract_root_motion,
};
pub use subclip::{subclip, subclip_frames};
pub use trim::trim;
