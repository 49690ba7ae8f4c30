//! Files of any format that is read, by their content.

use std::path::Path;

use throng_tracks::import::{Content, Format, Import, ImportError, ImportOptions, Problem, read_file};

/// What a file is expected to be, in messages.
const EXPECTED: &str = "glTF, GLB or BVH";

/// The name of a BVH clip that comes from no file.
#[cfg(feature = "bvh")]
const UNNAMED: &str = "motion";

/// Imports a file: glTF or GLB with the feature `gltf`, BVH with the feature `bvh`.
///
/// The content of the file chooses the format; its extension plays no part. A BVH clip is named for
/// the file, without folder and extension. Buffers that a `.gltf` keeps in files of their own are
/// read from its folder and the folders below it, nowhere else.
///
/// # Errors
/// [`ImportError`]. It displays as one line that names the file, the place in it, what was found and
/// what was expected. Other formats, such as FBX, are an error that names them. A folder, a device
/// or a pipe is an error and is not opened.
///
/// ```no_run
/// let import = throng::import("walk.bvh")?;
/// for line in import.report.lines() {
///     eprintln!("{line}");
/// }
/// println!("{:?}: {} joints", import.format, import.skeleton.joint_count());
/// # Ok::<(), throng::ImportError>(())
/// ```
pub fn import(path: impl AsRef<Path>) -> Result<Import, ImportError> {
    import_with(path, &ImportOptions::default())
}

/// [`import`] with options.
///
/// # Errors
/// As [`import`].
pub fn import_with(path: impl AsRef<Path>, options: &ImportOptions) -> Result<Import, ImportError> {
    let path = path.as_ref();
    let read = || {
        let bytes = read_file(path).map_err(|source| Problem::Read { source })?;
        read(&bytes, Some(path), options)
    };
    read().map_err(|problem| ImportError::new(problem).in_file(path))
}

/// Imports the content of a file, as [`import`] does.
///
/// `path` is where the bytes come from, if that is a file: it names the clip of a BVH file, its
/// folder is where the buffers of a `.gltf` file are read, and errors name it. Without a path the
/// clip is named `motion`, and buffers in files of their own are an error.
///
/// # Errors
/// As [`import`].
///
/// ```
/// use std::path::Path;
/// let fbx = throng::import_slice(b"Kaydara FBX Binary  \0", Some(Path::new("walk.fbx")));
/// let expected = "walk.fbx: found FBX (binary), expected glTF, GLB or BVH";
/// assert!(fbx.unwrap_err().to_string().starts_with(expected));
/// ```
pub fn import_slice(bytes: &[u8], path: Option<&Path>) -> Result<Import, ImportError> {
    import_slice_with(bytes, path, &ImportOptions::default())
}

/// [`import_slice`] with options.
///
/// # Errors
/// As [`import`].
pub fn import_slice_with(
    bytes: &[u8],
    path: Option<&Path>,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    read(bytes, path, options).map_err(|problem| {
        let error = ImportError::new(problem);
        match path {
            Some(path) => error.in_file(path),
            None => error,
        }
    })
}

fn read(bytes: &[u8], path: Option<&Path>, options: &ImportOptions) -> Result<Import, Problem> {
    let named = path.and_then(by_extension);
    let format = match Content::of(bytes) {
        Content::Known(format) => format,
        Content::Foreign(name) => return Err(foreign(name)),
        // The importer of the format that the name promises says best what is wrong.
        _ => named.ok_or_else(|| unknown(bytes))?,
    };
    let mut import = match format {
        Format::Bvh => bvh(bytes, path, options)?,
        _ => gltf(bytes, path, options)?,
    };
    if named.is_some_and(|named| (named == Format::Bvh) != (format == Format::Bvh)) {
        let format = import.format.name();
        import
            .report
            .remark("", format!("the content is {format}, although the name of the file says otherwise"));
    }
    Ok(import)
}

/// The format that the name of a file promises.
fn by_extension(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "bvh" => Some(Format::Bvh),
        "gltf" => Some(Format::Gltf),
        "glb" | "vrm" => Some(Format::Glb),
        _ => None,
    }
}

fn foreign(name: &str) -> Problem {
    let is_scene = ["FBX", "COLLADA", "Blender", "Maya", "USD", "3ds Max", "MikuMikuDance"];
    let convert = is_scene.iter().any(|scene| name.contains(scene));
    let advice = if convert { "; export it as .glb, for example from Blender" } else { "" };
    Problem::Format { found: name.to_owned(), expected: format!("{EXPECTED}{advice}") }
}

fn unknown(bytes: &[u8]) -> Problem {
    const SHOWN: usize = 16;
    let start = &bytes[..bytes.len().min(SHOWN)];
    let found = format!("content that begins with \"{}\"", start.escape_ascii());
    Problem::Format { found, expected: EXPECTED.to_owned() }
}

#[cfg(feature = "gltf")]
fn gltf(bytes: &[u8], path: Option<&Path>, options: &ImportOptions) -> Result<Import, Problem> {
    let folder = path.map(|path| path.parent().unwrap_or(Path::new("")));
    throng_gltf::import_slice_with(bytes, folder, options).map_err(|error| *error.problem)
}

#[cfg(not(feature = "gltf"))]
fn gltf(_: &[u8], _: Option<&Path>, _: &ImportOptions) -> Result<Import, Problem> {
    Err(left_out("glTF", "gltf"))
}

#[cfg(feature = "bvh")]
fn bvh(bytes: &[u8], path: Option<&Path>, options: &ImportOptions) -> Result<Import, Problem> {
    let name = path.and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
    let name = name.as_deref().unwrap_or(UNNAMED);
    throng_bvh::import_slice_with(bytes, name, options).map_err(|error| *error.problem)
}

#[cfg(not(feature = "bvh"))]
fn bvh(_: &[u8], _: Option<&Path>, _: &ImportOptions) -> Result<Import, Problem> {
    Err(left_out("BVH", "bvh"))
}

/// The problem of a format that this build does not read.
#[cfg(not(all(feature = "gltf", feature = "bvh")))]
fn left_out(format: &str, feature: &str) -> Problem {
    let expected = format!("a build of throng with the feature `{feature}`");
    Problem::Format { found: format.to_owned(), expected }
}
