//! From a file to what the subcommands work on, whatever the format.

use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use throng::tracks::JointIndex;
use throng::tracks::import::Import;

use crate::error::CliError;

/// How much of a file is looked at to tell its format.
const HEAD: u64 = 4096;

/// What a file holds of poses and animation.
pub(crate) struct Scene {
    /// The file, as it was given.
    pub(crate) file: PathBuf,
    pub(crate) import: Import,
}

impl Deref for Scene {
    type Target = Import;

    fn deref(&self) -> &Import {
        &self.import
    }
}

impl Scene {
    /// The joint with that number in the file, if it became one.
    pub(crate) fn joint_of(&self, node: usize) -> Option<usize> {
        self.joint_of_node(node).map(JointIndex::get)
    }

    /// Leaves only those palette entries in skins that vertices follow.
    pub(crate) fn prune(&mut self) {
        let Import { skins, used_joints, .. } = &mut self.import;
        for (skin, used) in skins.iter_mut().zip(used_joints) {
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
    let import = if is_bvh(file) { throng_bvh::import(file)? } else { throng::gltf::import(file)? };
    Ok(Scene { file: file.to_owned(), import })
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
