//! Why a file can't be imported.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::{ClipError, SkeletonError, SkinError, TrackError};

/// Why a file can't be imported. Displays as one line: the file, then the problem, which names the place in it, what was
/// found and what was expected.
///
/// ```
/// use throng_tracks::import::{ImportError, Problem};
/// let problem = Problem::field("line 3", "\"OFSET\"", "OFFSET");
/// let text = "line 3: found \"OFSET\", expected OFFSET";
/// assert_eq!(ImportError::new(problem).in_file("walk.bvh").to_string(), format!("walk.bvh: {text}"));
/// ```
#[derive(Debug)]
pub struct ImportError {
    /// The file; none for bytes in memory.
    pub file: Option<PathBuf>,
    /// What is wrong with it.
    pub problem: Box<Problem>,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        self.problem.fmt(f)
    }
}

impl Error for ImportError {
    /// The cause of the problem, such as an [`std::io::Error`]; the problem itself is part of the text.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.problem.source()
    }
}

impl ImportError {
    /// The error of bytes in memory.
    #[must_use]
    pub fn new(problem: Problem) -> Self {
        Self { file: None, problem: Box::new(problem) }
    }

    /// The error of a file.
    #[must_use]
    pub fn in_file(self, file: impl Into<PathBuf>) -> Self {
        Self { file: Some(file.into()), ..self }
    }
}

/// What is wrong with a file. Displays as the place, what was found there, and what was expected.
///
/// Places are those of the format: JSON places such as `accessors[4].sparse.indices.bufferView` in glTF,
/// `line 12` in BVH, where lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file itself can't be read.
    #[error("can't be read: {source}")]
    Read {
        /// What the system says.
        source: std::io::Error,
    },
    /// The content is of a format that is not read here, or of none that is known.
    #[error("found {found}, expected {expected}")]
    Format {
        /// The name of the format, or how the content begins.
        found: String,
        /// The formats that are read.
        expected: String,
    },
    /// The header or a chunk of a binary file is broken.
    #[error("{place}: found {found}, expected {expected}")]
    Container {
        /// The header, or which chunk.
        place: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// The text is no JSON.
    #[error("line {line}, column {column}: found no JSON ({message}), expected glTF JSON or binary glTF")]
    Json {
        /// Line in the JSON text, from 1.
        line: usize,
        /// Column in the line, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// Something in the file is missing, stands there twice, or is not what it should be.
    #[error("{place}: found {found}, expected {expected}")]
    Field {
        /// Where.
        place: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// The version of glTF is not 2.
    #[error("{place}: found version {found}, expected 2.0")]
    Version {
        /// `asset.version` or `asset.minVersion`.
        place: String,
        /// The version.
        found: String,
    },
    /// The file can't be understood without an extension that is not known here.
    #[error("{place}: found {name}, expected only extensions that this importer knows")]
    RequiredExtension {
        /// Where it is required.
        place: String,
        /// Its name.
        name: String,
    },
    /// Data that is needed is compressed, and the compressed stream is broken.
    #[error("{place}: found {found}, expected {expected}")]
    Compressed {
        /// The extension on the buffer view.
        place: String,
        /// What is wrong with the stream.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The bytes of a buffer that is needed can't be had.
    #[error("{place}: found {found}, expected {expected}")]
    Buffer {
        /// The buffer.
        place: String,
        /// What its URI is, or what came of it.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// Something reaches beyond the bytes it lies in.
    #[error("{place}: found {available} bytes of {within}, expected {needed}")]
    Bounds {
        /// The buffer view or accessor.
        place: String,
        /// What it lies in.
        within: String,
        /// Bytes there are.
        available: usize,
        /// Bytes it needs; `usize::MAX` stands for more than can be counted.
        needed: usize,
    },
    /// The keys and matrices that the file names are more than the caller allows.
    #[error("{place}: found {needed} numbers in all up to here, expected at most {limit} (`max_numbers`)")]
    TooMuch {
        /// The accessor or the compressed buffer view at which the limit broke.
        place: String,
        /// How many numbers the file would take.
        needed: usize,
        /// [`ImportOptions::max_numbers`](super::ImportOptions::max_numbers).
        limit: usize,
    },
    /// A node is the child of two others.
    #[error(
        "nodes[{node}]: found it among the children of nodes[{first}] and nodes[{second}], expected one parent"
    )]
    TwoParents {
        /// The child.
        node: usize,
        /// One parent.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A node is its own ancestor.
    #[error("nodes[{node}]: found it to be its own ancestor, expected a tree")]
    Cycle {
        /// A node on the cycle.
        node: usize,
    },
    /// A number of things does not fit: values and keys, matrices and joints, numbers in a row and channels.
    #[error("{place}: found {found} {what}, expected {expected}")]
    Count {
        /// Where they are named.
        place: String,
        /// What is counted.
        what: String,
        /// How many there are.
        found: usize,
        /// How many there should be, and for what.
        expected: String,
    },
    /// The joints make no skeleton.
    #[error("{place}: {source}")]
    Skeleton {
        /// The list of joints.
        place: String,
        /// Why.
        source: Box<SkeletonError>,
    },
    /// A skin can't be built.
    #[error("{place}: {source}")]
    Skin {
        /// The skin.
        place: String,
        /// Why.
        source: SkinError,
    },
    /// The keys of a channel make no track.
    #[error("{place}: {source}")]
    Track {
        /// The channel.
        place: String,
        /// Why.
        source: TrackError,
    },
    /// Keys of a channel lie before 0.
    #[error(
        "{place}: found key {key} of track {track:?} at {time} s, expected times from 0 on; `shift_negative_times` \
         (`--shift-negative-times`) moves the whole clip"
    )]
    NegativeTime {
        /// The channel.
        place: String,
        /// The track.
        track: String,
        /// The key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// The tracks of an animation make no clip.
    #[error("{place}: {source}")]
    Clip {
        /// The animation.
        place: String,
        /// Why.
        source: ClipError,
    },
}

impl Problem {
    /// A [`Problem::Field`]: at `place` stands `found` instead of `expected`.
    pub fn field(place: impl ToString, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Field { place: place.to_string(), found: found.into(), expected: expected.into() }
    }
}
