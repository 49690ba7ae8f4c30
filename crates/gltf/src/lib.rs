//! glTF 2.0, `.gltf` and `.glb`, into a skeleton, skins and clips: the door for files of strangers.
//!
//! Data passes through this room in one direction. `container` finds the JSON text and the binary chunk; `extensions`
//! checks that the file can be understood; `skin` and `animation` read which nodes are needed, and their numbers through
//! `accessor`, which gets bytes from `buffers`, which unpacks compressed ones by `meshopt`; `inverse_bind` mends matrices;
//! `nodes` makes one skeleton of the needed nodes and all their ancestors, at rest as the nodes are or as `bind_rest` finds
//! in the matrices; then `skin` and `animation` bind to its joints. `morph` tells which meshes have morph targets.
//! `skinned` looks whether skins and the meshes they bend fit together. What is odd but harmless becomes a line of the
//! [`Report`]; a clip that can't be built is left out; what would make the poses wrong is an [`ImportError`]. `meshes` reads
//! the vertices of skinned meshes, for callers who ask. The rest of meshes, and materials and pictures, are never looked at.
//!
//! The JSON is read untyped (see `json`), not through the typed schema of `gltf-json`: that schema refuses a whole file
//! for a channel without a node, or for a fault in a part that has nothing to do with poses, and viewers show such files.
#![forbid(unsafe_code)]

mod accessor;
mod animation;
mod bind_rest;
mod buffers;
mod container;
#[cfg(feature = "export")]
pub mod export;
mod extensions;
mod inverse_bind;
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
    Format, Import, ImportError, ImportOptions, LeftOutClip, MeshPart, Morph, Problem, Report, ReportKind,
    ReportLine,
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
        let bytes = read_file(path).map_err(|source| Problem::Read { source })?;
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
    let inverse_binds = skin::inverse_binds(&raw_skins, &mut accessors, &mut report)?;
    let morphs = morph::survey(root, nodes, &mut report);
    let reader = animation::Reader {
        root,
        nodes,
        morphs: &morphs,
        accessors: &mut accessors,
        options,
        times: HashMap::new(),
        report: &mut report,
    };
    let mut animations = reader.read(&mut uses)?;
    let skinned = skinned::survey(root, nodes, &parents, &uses, &raw_skins, &mut report);
    let bound = options
        .rest_from_bind
        .then(|| bind_rest::bound(nodes.len(), &raw_skins, &inverse_binds, &mut report));
    let joints = nodes::joints(nodes, &parents, &uses, bound.as_deref(), &mut report)?;
    if joints.nodes.is_empty() {
        // A clip that is left out costs only itself, but nothing else is here.
        if let Some(problem) = animations.first_problem.take_if(|_| animations.clips.is_empty()) {
            return Err(problem);
        }
        report.remark("", NOTHING_TO_POSE);
    }

    let skins = skin::build(raw_skins, inverse_binds, &joints, &mut report)?;
    let (clips, clip_sources, left_out) = animations.build(&joints, options, &mut report)?;
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
    (import.clip_sources, import.left_out) = (clip_sources, left_out);
    (import.meshes, import.used_joints, import.report) = (meshes, used_joints, report);
    import.converted_from(options.unit).map_err(|error| *error.problem)
}
