//! glTF 2.0, `.gltf` and `.glb`, into a skeleton, skins and clips: the door for files of strangers.
//!
//! Data passes through this room in one direction. `container` finds the JSON text and the binary chunk; `extensions`
//! checks that the file can be understood; `animation` and `skin` survey which nodes are needed; `nodes` makes one
//! skeleton of those and all their ancestors; then `skin` and `animation` read their numbers through `accessor`, which
//! gets bytes from `buffers`, which unpacks compressed ones by `meshopt`. `morph` tells which meshes have morph targets.
//! `skinned` looks whether skins and the meshes they bend fit together. What is odd but harmless becomes a line of the
//! [`Report`]; what would make the poses wrong is an [`ImportError`]. `meshes` reads
//! the vertices of skinned meshes, for callers who ask. The rest of meshes, and materials and pictures, are never looked at.
//!
//! Behind the door, `bind` takes clips from the skeleton of one file to that of another.
//!
//! The JSON is read untyped (see `json`), not through the typed schema of `gltf-json`: that schema refuses a whole file
//! for a channel without a node, or for a fault in a part that has nothing to do with poses, and viewers show such files.
#![forbid(unsafe_code)]

mod accessor;
mod animation;
mod bind;
mod buffers;
mod container;
mod error;
#[cfg(feature = "export")]
pub mod export;
mod extensions;
mod json;
mod markers;
mod meshes;
mod meshopt;
mod morph;
mod nodes;
mod pointer;
mod skin;
mod skinned;
mod used;

use std::collections::HashMap;
use std::io;
use std::path::Path;

use throng_tracks::{Clip, JointIndex, Skeleton, Skin};

pub use bind::{BindReport, bind_by_name};
pub use error::{ImportError, Problem};
pub use meshes::MeshPart;
pub use morph::Morph;
pub use throng_tracks::import::{Report, ReportKind, ReportLine};
pub use throng_tracks::tools::{RestComparison, RestDifference, Unbound, WhyUnbound};

use accessor::Accessors;
use buffers::Buffers;
use json::At;

/// What a caller can choose about an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    /// Shift clips with keys before 0 so that they start at 0, all channels by the same; else such keys are an error.
    pub shift_negative_times: bool,
    /// How many numbers the keys and matrices of a file may come to, 4 bytes each; what compressed buffer views are
    /// unpacked to may come to as much again. A guard: a small file can name the same bytes many times, and can hold
    /// many bytes in few.
    pub max_numbers: usize,
    /// Read the vertices of skinned meshes too ([`Import::meshes`]), for skinning on the CPU.
    pub meshes: bool,
}

impl Default for ImportOptions {
    /// Negative times are an error; up to 2^28 numbers (1 GiB); no meshes.
    fn default() -> Self {
        Self { shift_negative_times: false, max_numbers: 1 << 28, meshes: false }
    }
}

/// What a file holds of poses and animation.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// One skeleton for the whole file: all joints of all skins, all animated nodes, and all ancestors of these.
    pub skeleton: Skeleton,
    /// The index of the glTF node of each joint.
    pub nodes: Vec<usize>,
    /// The file's skins, in order; their joints are joints of the skeleton.
    pub skins: Vec<Skin>,
    /// The file's animations, in order.
    pub clips: Vec<Clip>,
    /// The nodes whose meshes have morph targets, in order, joints of the skeleton or not.
    pub morphs: Vec<Morph>,
    /// The vertices of meshes that are shown with skins, if [`ImportOptions::meshes`] asked for them.
    pub meshes: Vec<MeshPart>,
    /// For each skin its palette entries, and whether a vertex of a mesh that is shown with it has a weight for the entry: what
    /// [`Skin::pruned`] keeps. None if the skin has no mesh, or one whose weights can't be read: then all count.
    pub used_joints: Vec<Option<Vec<bool>>>,
    /// Every repair, skip and remark.
    pub report: Report,
    /// The joint of each glTF node.
    joints: Vec<Option<JointIndex>>,
}

impl Import {
    /// The joint that a glTF node became; none if the node is not part of the skeleton.
    #[must_use]
    pub fn joint_of_node(&self, node: usize) -> Option<JointIndex> {
        *self.joints.get(node)?
    }

    /// The clips, bound by name to the joints of another file's skeleton; see [`bind_by_name`].
    #[must_use]
    pub fn bind_clips(&self, skeleton: &Skeleton) -> (Vec<Clip>, BindReport) {
        bind_by_name(&self.clips, &self.skeleton, skeleton)
    }
}

/// Imports a `.gltf` or `.glb` file; which of the two it is, its content tells.
///
/// Buffers in files of their own are read from the file's folder and the folders below it, nowhere else: a symbolic link
/// that leads out of the folder is an error too. The folder is the one of `path` as it is given, link or not.
///
/// # Errors
/// [`ImportError`], one line that names the file and the place in it. What is no plain file, such as a folder, a device or
/// a pipe, is an error and is not opened.
///
/// ```no_run
/// let import = throng_gltf::import("fox.glb")?;
/// for line in import.report.lines() {
///     eprintln!("{line}");
/// }
/// println!("{} joints, {} clips", import.skeleton.joint_count(), import.clips.len());
/// # Ok::<(), throng_gltf::ImportError>(())
/// ```
pub fn import(path: impl AsRef<Path>) -> Result<Import, ImportError> {
    import_with(path, &ImportOptions::default())
}

/// [`import`] with options.
///
/// # Errors
/// [`ImportError`].
pub fn import_with(path: impl AsRef<Path>, options: &ImportOptions) -> Result<Import, ImportError> {
    let path = path.as_ref();
    let read = || {
        let bytes = read_plain(path).map_err(|source| Problem::Read { source })?;
        import_bytes(&bytes, Some(path.parent().unwrap_or(Path::new(""))), options)
    };
    read().map_err(|problem| ImportError::new(problem).in_file(path))
}

/// The content of a plain file. Of a device or a pipe the reader could wait for ever for an end.
fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no plain file"));
    }
    std::fs::read(path)
}

/// Imports the content of a `.gltf` or `.glb` file. Buffers in files of their own are looked for in `base`; without a
/// `base` they are an error.
///
/// # Errors
/// [`ImportError`], whose `file` is none.
///
/// ```
/// let gltf = br#"{
///     "asset": { "version": "2.0" },
///     "nodes": [{ "name": "hips", "children": [1] }, { "name": "spine", "translation": [0, 1, 0] }],
///     "skins": [{ "joints": [0, 1] }]
/// }"#;
/// let import = throng_gltf::import_slice(gltf, None)?;
/// assert_eq!(import.skeleton.names(), ["hips", "spine"]);
/// # Ok::<(), throng_gltf::ImportError>(())
/// ```
pub fn import_slice(bytes: &[u8], base: Option<&Path>) -> Result<Import, ImportError> {
    import_slice_with(bytes, base, &ImportOptions::default())
}

/// [`import_slice`] with options.
///
/// # Errors
/// [`ImportError`], whose `file` is none.
pub fn import_slice_with(
    bytes: &[u8],
    base: Option<&Path>,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    import_bytes(bytes, base, options).map_err(ImportError::new)
}

const NOTHING_TO_POSE: &str = "no skin has joints and no node is animated: nothing to pose, so the skeleton is empty and \
                               what else the file holds was not checked";

fn import_bytes(bytes: &[u8], base: Option<&Path>, options: &ImportOptions) -> Result<Import, Problem> {
    let mut report = Report::default();
    let (document, bin) = container::open(bytes, &mut report)?;
    let root = At::root(&document);
    extensions::check(root, &mut report)?;

    let nodes = root.list("nodes")?;
    let parents = nodes::parents(nodes, &mut report)?;
    let buffers = Buffers::new(root, bin, base, options.max_numbers)?;
    let mut accessors = Accessors::new(root, buffers, options.max_numbers)?;
    let mut uses = vec![nodes::Use::default(); nodes.len()];
    let raw_skins = skin::survey(root, nodes, &parents, &mut uses, &mut report)?;
    let raw_clips = animation::survey(root, nodes, &accessors, &mut uses, &mut report)?;
    let skinned = skinned::survey(root, nodes, &parents, &uses, &raw_skins, &mut report);
    let morphs = morph::survey(root, nodes, &mut report);
    let joints = nodes::joints(nodes, &parents, &uses, &mut report)?;
    if joints.nodes.is_empty() {
        report.remark("", NOTHING_TO_POSE);
    }

    let skins = skin::build(raw_skins, &joints, &mut accessors, &mut report)?;
    let mut builder = animation::Builder {
        morphs: &morphs,
        joints: &joints,
        accessors: &mut accessors,
        times: HashMap::new(),
        shift_negative_times: options.shift_negative_times,
        report: &mut report,
    };
    let clips = raw_clips.iter().map(|clip| builder.clip(clip)).collect::<Result<_, _>>()?;
    // Last, so that meshes can't use up what clips may take.
    skinned::check_joints(&skinned, &mut accessors, &mut report);
    let counts: Vec<usize> = skins.iter().map(|skin| skin.joints().len()).collect();
    let meshes = if options.meshes {
        meshes::read(root, nodes, &counts, &mut accessors, &mut report)
    } else {
        Vec::new()
    };
    let used_joints = used::joints(root, nodes, &counts, &mut accessors);
    let nodes::Joints { skeleton, nodes, of_node } = joints;
    Ok(Import { skeleton, nodes, skins, clips, morphs, meshes, used_joints, report, joints: of_node })
}
