//! BVH motion capture into a skeleton, a skin and a clip: the door for files of strangers.
//!
//! Data passes through this room in one direction. `text` cuts the bytes into lines and words and knows where it stands;
//! `hierarchy` reads the joints with their channels; `motion` reads the rows, one number a channel; `build` makes of these
//! what `throng-tracks` holds. What is odd but harmless becomes a line of the [`Report`]; what would make the poses wrong
//! is an [`ImportError`].
//!
//! How the format is read:
//!
//! - A joint's rest is its `OFFSET`, unrotated. The skin goes over all joints and inverts that rest.
//! - Rotation channels compose in the order listed: `Zrotation Xrotation Yrotation` is `Rz * Rx * Ry` over column
//!   vectors. Angles are in degrees. An axis may be listed again, as in Z X Z.
//! - Position channels replace the `OFFSET` of their axes; axes that have none keep it.
//! - The row `i` is at `i` times the `Frame Time`. The rows there are count, not the number that `Frames:` tells.
//! - An `End Site` is no joint, as nothing moves it: it is one of [`Import::end_sites`].
//! - Lines that begin with `#` or `//` are comments. Keywords and channels may be of any case; a name goes to the end of its
//!   line.
//!
//! Lengths keep the file's unit and its axes.
#![forbid(unsafe_code)]

mod build;
mod hierarchy;
mod motion;
mod text;

use std::path::Path;

pub use throng_tracks::import::{
    EndSite, Format, Import, ImportError, ImportOptions, Problem, Report, ReportKind, ReportLine,
};

use throng_tracks::import::{Content, decode_text, read_file};

use text::Text;

/// Imports a `.bvh` file. The clip is named for the file, without folder and extension.
///
/// # Errors
/// [`ImportError`], one line that names the file and the line in it. What is no plain file, such as a folder, a device or
/// a pipe, is an error and is not opened.
///
/// ```no_run
/// let import = throng_bvh::import("walk.bvh")?;
/// for line in import.report.lines() {
///     eprintln!("{line}");
/// }
/// println!("{} joints", import.skeleton.joint_count());
/// # Ok::<(), throng_bvh::ImportError>(())
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
        import_bytes(&bytes, &path.file_stem().unwrap_or_default().to_string_lossy(), options)
    };
    read().map_err(|problem| ImportError::new(problem).in_file(path))
}

/// Imports the content of a `.bvh` file. `name` becomes the name of the clip.
///
/// # Errors
/// [`ImportError`], whose `file` is none.
///
/// ```
/// let bvh = b"HIERARCHY
/// ROOT hips
/// {
///     OFFSET 0 1 0
///     CHANNELS 4 Yposition Zrotation Xrotation Yrotation
///     End Site { OFFSET 0 0.5 0 }
/// }
/// MOTION
/// Frames: 2
/// Frame Time: 0.5
/// 1.0 0 0 0
/// 1.2 0 0 90
/// ";
/// let import = throng_bvh::import_slice(bvh, "turn")?;
/// assert_eq!(import.skeleton.names(), ["hips"]);
/// let clip = &import.clips[0];
/// assert_eq!((clip.name(), clip.duration_s(), clip.tracks().len()), ("turn", 0.5, 2));
/// # Ok::<(), throng_bvh::ImportError>(())
/// ```
pub fn import_slice(bytes: &[u8], name: &str) -> Result<Import, ImportError> {
    import_slice_with(bytes, name, &ImportOptions::default())
}

/// [`import_slice`] with options.
///
/// # Errors
/// [`ImportError`], whose `file` is none.
pub fn import_slice_with(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Import, ImportError> {
    import_bytes(bytes, name, options).map_err(ImportError::new)
}

fn import_bytes(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Import, Problem> {
    match Content::of(bytes) {
        Content::Foreign(name) if !bytes.is_empty() => return Err(another_format(name)),
        Content::Known(format @ (Format::Gltf | Format::Glb)) => return Err(another_format(format.name())),
        _ => {}
    }
    let mut report = Report::default();
    let content = decode_text(bytes, &mut report);
    let mut text = Text::new(&content);
    let (hierarchy, has_motion) = hierarchy::read(&mut text, &mut report)?;
    let motion = if has_motion {
        let limits = motion::Limits { channels: hierarchy.channel_count(), numbers: options.max_numbers };
        Some(motion::read(&mut text, limits, &mut report)?)
    } else {
        report.remark("", "no MOTION, so no clip");
        None
    };
    text.report_comments(&mut report);
    let import = build::import(hierarchy, motion, name, report)?;
    import.converted_from(options.unit).map_err(|error| *error.problem)
}

fn another_format(name: &str) -> Problem {
    Problem::Format { found: name.to_owned(), expected: "BVH, which begins with HIERARCHY".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_plain_file_is_not_opened() {
        let folder = env!("CARGO_MANIFEST_DIR");
        let error = import(folder).unwrap_err();
        assert_eq!(error.to_string(), format!("{folder}: can't be read: no plain file"));
        #[cfg(unix)]
        assert!(matches!(*import("/dev/zero").unwrap_err().problem, Problem::Read { .. }));
    }
}
