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

use std::io;
use std::path::Path;

pub use throng_tracks::import::{
    EndSite, Format, Import, ImportError, ImportOptions, Problem, Report, ReportKind, ReportLine,
};

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
    let path = path.as_ref();
    let read = || {
        let bytes = read_plain(path).map_err(|source| Problem::Read { source })?;
        import_bytes(&bytes, &path.file_stem().unwrap_or_default().to_string_lossy())
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
    import_bytes(bytes, name).map_err(ImportError::new)
}

/// Whether the content is of a BVH file: its first word, after comments, is `HIERARCHY`. The beginning of a file is enough.
///
/// ```
/// assert!(throng_bvh::is_bvh(b"HIERARCHY\r\nROOT hips"));
/// assert!(!throng_bvh::is_bvh(b"{ \"asset\": { \"version\": \"2.0\" } }"));
/// ```
#[must_use]
pub fn is_bvh(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    Text::new(&text).word().is_some_and(|word| word.eq_ignore_ascii_case(hierarchy::FIRST_WORD))
}

fn import_bytes(bytes: &[u8], name: &str) -> Result<Import, Problem> {
    let mut report = Report::default();
    let content = String::from_utf8_lossy(bytes);
    if matches!(content, std::borrow::Cow::Owned(_)) {
        report.repair("", "the text is not all UTF-8; the bytes at fault were replaced");
    }
    let mut text = Text::new(&content);
    let (hierarchy, has_motion) = hierarchy::read(&mut text, &mut report)?;
    let motion = if has_motion {
        Some(motion::read(&mut text, hierarchy.channel_count(), &mut report)?)
    } else {
        report.remark("", "no MOTION, so no clip");
        None
    };
    text.report_comments(&mut report);
    build::import(hierarchy, motion, name, report)
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
