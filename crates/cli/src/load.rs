//! From a file to what the subcommands work on, whatever the format.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use throng::tracks::import::Report;
use throng::tracks::{JointIndex, LengthUnit};
use throng::{Import, ImportOptions, import, import_with};

use crate::error::CliError;

/// A file and what it holds of poses and animation.
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

/// What a subcommand can be told of the file that it reads.
#[derive(clap::Args)]
pub(crate) struct Units {
    /// The unit of lengths in the file: mm, cm, m, in, ft, yd, or how many metres it is. All lengths are converted to
    /// metres; a file in metres, as glTF should be, needs nothing.
    #[arg(long, value_name = "UNIT", default_value_t, allow_hyphen_values = true)]
    unit: LengthUnit,
}

impl Units {
    /// Adds a line for the conversion, if there is one.
    pub(crate) fn remark(&self, report: &mut Report) {
        report.remark_on_unit(self.unit);
    }
}

/// Reads a file, and converts its lengths to metres.
pub(crate) fn load_in(file: &Path, units: &Units) -> Result<Scene, CliError> {
    let options = ImportOptions { unit: units.unit, ..ImportOptions::default() };
    Ok(Scene { file: file.to_owned(), import: import_with(file, &options)? })
}

/// Reads a file. Its content tells the format.
pub(crate) fn load(file: &Path) -> Result<Scene, CliError> {
    Ok(Scene { file: file.to_owned(), import: import(file)? })
}
