//! From a file to what the subcommands work on, whatever the format.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use throng::tracks::JointIndex;
use throng::{Import, import_with};

use crate::error::CliError;
use crate::import_args::ImportArgs;

/// A file and what it holds of poses and animation.
pub(crate) struct Scene {
    /// The file, as it was given.
    pub(crate) file: PathBuf,
    pub(crate) import: Import,
    /// Whether a clip that a bank can't hold is an error.
    pub(crate) strict: bool,
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

/// Reads a file. Its content tells the format.
pub(crate) fn load(file: &Path, args: ImportArgs) -> Result<Scene, CliError> {
    let import = import_with(file, &args.options())?;
    Ok(Scene { file: file.to_owned(), import, strict: args.is_strict() })
}
