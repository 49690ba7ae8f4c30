//! From a file to what the subcommands work on, whatever the format.

use std::path::{Path, PathBuf};

use throng::gltf::Report;
use throng::tracks::{Clip, JointIndex, Skeleton, Skin};

use crate::error::CliError;

/// What a file holds of poses and animation.
pub(crate) struct Scene {
    /// The file, as it was given.
    pub(crate) file: PathBuf,
    pub(crate) skeleton: Skeleton,
    /// The file's own number of each joint: for glTF the node.
    pub(crate) nodes: Vec<usize>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) clips: Vec<Clip>,
    /// Every repair, skip and remark of the import.
    pub(crate) report: Report,
}

impl Scene {
    /// The joint's number in the file.
    pub(crate) fn node(&self, joint: JointIndex) -> usize {
        self.nodes[joint.get()]
    }
}

/// Reads a file.
pub(crate) fn load(file: &Path) -> Result<Scene, CliError> {
    let throng::gltf::Import { skeleton, nodes, skins, clips, report, .. } = throng::gltf::import(file)?;
    Ok(Scene { file: file.to_owned(), skeleton, nodes, skins, clips, report })
}
