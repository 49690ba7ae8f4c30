use thiserror::Error;
use throng_crowd::CrowdError;
use throng_tracks::BakeError;
use throng_tracks::bake::LeftOut;
use throng_tracks::import::ImportError;

/// Why an asset, or a crowd over it, can't be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The file can't be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The clips can't be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// No clip of the bank has that name.
    #[error("found no clip named {wanted:?}, expected one of the file's clips{}", listed(nearest))]
    NoSuchClip {
        /// The name.
        wanted: String,
        /// The names that are nearest to it, at most three, the nearest first.
        nearest: Vec<String>,
    },
    /// The clip is in the file, but not in the bank.
    #[error("{0}")]
    LeftOut(LeftOut),
    /// No joint has that name.
    #[error("found no joint named {wanted:?}, expected one of the skeleton's joints{}", listed(nearest))]
    NoSuchJoint {
        /// The name.
        wanted: String,
        /// The names that are nearest to it, at most three, the nearest first.
        nearest: Vec<String>,
    },
    /// The file has no such skin.
    #[error("there is no skin {skin}: the file has {skins}, counted from 0")]
    NoSuchSkin {
        /// The skin given.
        skin: usize,
        /// How many there are.
        skins: usize,
    },
    /// Clips were to be added, but no joint has the name of one that they move.
    #[error(
        "found {tracks} tracks of joints that the asset does not have, expected joints of the same names"
    )]
    NothingBound {
        /// How many tracks the clips have.
        tracks: usize,
    },
    /// A crowd over the file can't be made.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

/// The names after a colon; nothing if there are none.
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    if names.is_empty() { String::new() } else { format!("; the nearest: {}", names.join(", ")) }
}
