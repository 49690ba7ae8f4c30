//! The way out: a skeleton, skins and clips as a `.glb` that other tools open.
//!
//! `document` writes the JSON, and puts numbers into the binary chunk through `binary`. Keys are written as they are,
//! so that what is read back poses the same, to the bit where the file can say it.

mod binary;
mod document;

use std::io::Write;
use std::path::{Path, PathBuf};

use thiserror::Error;
use throng_tracks::{Clip, Skeleton, Skin};

use crate::Report;

/// What goes into a file.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// One node a joint, in joint order: a joint's index is its node's.
    pub skeleton: &'a Skeleton,
    /// Skins of the skeleton.
    pub skins: &'a [Skin],
    /// Clips of the skeleton.
    pub clips: &'a [Clip],
}

/// Why a file can't be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A clip or skin is of a larger skeleton.
    #[error("{place} names joint {joint}, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// Which clip or skin.
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
/// Step, linear and cubic tracks of joints are written key by key. Left out, with a line each: clips without tracks, morph weights
/// and properties (they need meshes, and names that glTF has no place for).
///
/// # Errors
/// If a clip or skin is of another skeleton, or the file would be too large.
pub fn glb(export: &Export<'_>) -> Result<(Vec<u8>, Report), ExportError> {
    let (json, binary, report) = document::write(export)?;
    Ok((binary::container(&json, &binary)?, report))
}

/// Writes a `.glb`: to a temporary file beside it first, so that there is never half a file.
///
/// # Errors
/// As [`glb`], and whatever the file system says.
pub fn write_glb(path: impl AsRef<Path>, export: &Export<'_>) -> Result<Report, ExportError> {
    let path = path.as_ref();
    let (bytes, report) = glb(export)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|e| e.error)
    };
    write().map_err(|source| ExportError::Write { path: path.to_owned(), source })?;
    Ok(report)
}
