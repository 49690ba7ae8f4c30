//! The clips. Each file holds one: a pose as a function of the frame, and which joints get how many keys.
//! [`sample`] turns that into tracks.

mod idle;
mod limbs;
mod locomotion;
mod sample;
mod wave;

use super::skeleton::Skeleton;

pub(super) use sample::{Clip, Interpolation, Path, Track};

/// All clips, in the order of the file.
pub(super) fn all(skeleton: &Skeleton) -> Vec<Clip> {
    vec![locomotion::walk(skeleton), locomotion::run(skeleton), idle::idle(skeleton), wave::wave(skeleton)]
}
