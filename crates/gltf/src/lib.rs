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
//! The JSON is read untyped (see `json`), not through the typed schema of `gltf-json`: that schema refuses a whole file
//! for a channel without a node, or for a fault in a part that has nothing to do with poses, and viewers show such files.
#![forbid(unsafe_code)]

mod accessor;
mod animation;
mod buffers;
mod container;
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
use std::path::Path;

pub use throng_tracks::import::{
    Format, Import, ImportError, ImportOptions, MeshPart, Morph, Problem, Report, ReportKind, ReportLine,
};

use throng_tracks::import::read_file;

use accessor::Accessors;
use buffers::Buffers;
use json::At;

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
        let bytes = read_file(path)?;
        import_bytes(&bytes, Some(path.parent().unwrap_or(Path::new(""))), options)
    };
    read().map_err(|problem| ImportError::new(problem).in_file(path))
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
    let (format, document, bin) = container::open(bytes, &mut report)?;
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
    let mut import = Import::default();
    (import.format, import.skeleton, import.nodes) = (format, joints.skeleton, joints.nodes);
    (import.skins, import.clips, import.morphs) = (skins, clips, morphs);
    (import.meshes, import.used_joints, import.report) = (meshes, used_joints, report);
    import.converted_from(options.unit)
}
