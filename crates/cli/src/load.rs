//! From a file to what the subcommands work on, whatever the format.

use std::io::Read;
use std::path::{Path, PathBuf};

use throng::bvh::EndSite;
use throng::gltf::Morph;
use throng::tracks::import::Report;
use throng::tracks::{Clip, JointIndex, Skeleton, Skin};

use crate::error::CliError;

/// How much of a file is looked at to tell its format.
const HEAD: u64 = 4096;

/// What a file holds of poses and animation.
pub(crate) struct Scene {
    /// The file, as it was given.
    pub(crate) file: PathBuf,
    pub(crate) skeleton: Skeleton,
    /// The file's own number of each joint: for glTF the node, for BVH the place among the file's joints.
    pub(crate) nodes: Vec<usize>,
    pub(crate) skins: Vec<Skin>,
    /// For each skin the palette entries that vertices follow; none if no mesh says so.
    pub(crate) used_joints: Vec<Option<Vec<bool>>>,
    pub(crate) clips: Vec<Clip>,
    /// Nodes with morph targets.
    pub(crate) morphs: Vec<Morph>,
    /// Where bones end that no joint follows.
    pub(crate) end_sites: Vec<EndSite>,
    /// Every repair, skip and remark of the import.
    pub(crate) report: Report,
}

impl Scene {
    /// The joint with that number in the file, if it became one.
    pub(crate) fn joint_of(&self, node: usize) -> Option<usize> {
        self.nodes.iter().position(|&n| n == node)
    }

    /// Leaves only those palette entries in skins that vertices follow.
    pub(crate) fn prune(&mut self) {
        for (skin, used) in self.skins.iter_mut().zip(&self.used_joints) {
            *skin = skin.pruned(used.as_deref().unwrap_or_default()).0;
        }
    }

    /// The joint's number in the file.
    pub(crate) fn node(&self, joint: JointIndex) -> usize {
        self.nodes[joint.get()]
    }
}

/// Reads a file. Its extension tells the format, or else its content.
pub(crate) fn load(file: &Path) -> Result<Scene, CliError> {
    if is_bvh(file) { bvh(file) } else { gltf(file) }
}

fn is_bvh(file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "bvh" => true,
        "gltf" | "glb" => false,
        // A pipe or a device would be read from without end; the import refuses it.
        _ if !file.is_file() => false,
        _ => {
            let mut head = Vec::new();
            let read = std::fs::File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
            // A file that can't be read is told of by the import.
            read.is_ok() && throng_bvh::is_bvh(&head)
        }
    }
}

fn gltf(file: &Path) -> Result<Scene, CliError> {
    let throng::gltf::Import { skeleton, nodes, skins, used_joints, clips, morphs, report, .. } =
        throng::gltf::import(file)?;
    let (file, end_sites) = (file.to_owned(), Vec::new());
    Ok(Scene { file, skeleton, nodes, skins, used_joints, clips, morphs, end_sites, report })
}

fn bvh(file: &Path) -> Result<Scene, CliError> {
    let throng_bvh::Import { skeleton, skin, clip, report, end_sites, .. } = throng_bvh::import(file)?;
    Ok(Scene {
        file: file.to_owned(),
        nodes: (0..skeleton.joint_count()).collect(),
        skeleton,
        skins: vec![skin],
        used_joints: vec![None],
        clips: clip.into_iter().collect(),
        morphs: Vec::new(),
        end_sites,
        report,
    })
}
