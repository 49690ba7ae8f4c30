//! The way out: a skeleton, skins and clips as a `.glb` that other tools open.
//!
//! `document` writes the JSON, of which `animation` makes the part that moves; numbers go into the binary chunk through
//! `binary`. Keys are written as they are, so that what is read back poses the same, to the bit where the file can say it;
//! `written` sees to tracks that glTF has no form for. `file` brings the bytes to their place.

mod animation;
mod binary;
mod document;
mod file;
mod written;

use std::path::{Path, PathBuf};

use thiserror::Error;
use throng_tracks::{Clip, Skeleton, Skin};

pub use file::write;

use crate::{Morph, Report};

/// What goes into a file.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// One node a joint, in joint order: a joint's index is its node's.
    pub skeleton: &'a Skeleton,
    /// Skins of the skeleton.
    pub skins: &'a [Skin],
    /// Clips of the skeleton.
    pub clips: &'a [Clip],
    /// Morph targets of joints, each joint named as the node it becomes. Only weights and names are written: the file has
    /// no meshes but stand-ins of one point for weights to hang on.
    pub morphs: &'a [Morph],
}

/// Why a file can't be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A clip, a skin or a morph is of a larger skeleton.
    #[error("{place} names joint {joint}, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// Which clip, skin or morph.
        place: String,
        /// The joint it names.
        joint: usize,
        /// How many there are.
        count: usize,
    },
    /// A `.glb` counts its bytes in 32 bits.
    #[error("the file would take {bytes} bytes, and a .glb holds at most 4294967295")]
    TooLarge {
        /// How many it would take.
        bytes: usize,
    },
    /// The file system says no.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: std::io::Error,
    },
}

/// The bytes of a `.glb`, and a line for whatever glTF cannot say.
///
/// | what | written as |
/// | --- | --- |
/// | step, linear, cubic spline | the keys as they are; of two at one time, the earlier just ahead of the other |
/// | Catmull-Rom, nlerp, quasi-spherical | the cubic spline of the same curve |
/// | the caller's function | straight pieces, for rotations within 1e-4 radians, else within 1e-4 of its largest number |
/// | what a track shows beyond its keys | keys, to the end of the clip |
/// | morph weights | weights of a stand-in mesh of one point, with its [`Export::morphs`] |
/// | properties | extras of the node or the whole, moved by `KHR_animation_pointer` |
/// | markers | extras of the animation: see [`import`](crate::import()) |
/// | discrete properties, clips without tracks | nothing |
///
/// What is not written as it is, is a line of the report. What is written, [`import_slice`](crate::import_slice) reads back,
/// properties by the same names and of the same kinds.
///
/// # Errors
/// If a clip or skin is of another skeleton, or the file would be too large.
pub fn glb(export: &Export<'_>) -> Result<(Vec<u8>, Report), ExportError> {
    let (json, binary, report) = document::write(export)?;
    Ok((binary::container(&json, &binary)?, report))
}

/// Writes a `.glb`, by [`write()`].
///
/// # Errors
/// As [`glb`] and [`write()`].
pub fn write_glb(path: impl AsRef<Path>, export: &Export<'_>) -> Result<Report, ExportError> {
    let (bytes, report) = glb(export)?;
    write(path, &bytes)?;
    Ok(report)
}
