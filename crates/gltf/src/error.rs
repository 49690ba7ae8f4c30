use thiserror::Error;
use throng_tracks::{ClipError, SkeletonError, SkinError, TrackError};

/// Why a file can't be imported. Displays as one line: the file, the place in it, what was found, what was expected.
pub type ImportError = throng_tracks::import::ImportError<Problem>;

/// What is wrong with a file. Places are JSON places, such as `accessors[4].sparse.indices.bufferView`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file itself can't be read.
    #[error("can't be read: {source}")]
    Read {
        /// What the system says.
        source: std::io::Error,
    },
    /// The frame of a `.glb` is broken.
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
    /// Something in the document is missing or not what it should be.
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
        /// [`ImportOptions::max_numbers`](crate::ImportOptions::max_numbers).
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
    /// The number of values does not fit the keys, or the number of matrices the joints.
    #[error("{place}: found {found} {what}, expected {expected}")]
    Count {
        /// Where they are named.
        place: String,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be, and for what.
        expected: String,
    },
    /// The nodes make no skeleton.
    #[error("nodes: {source}")]
    Skeleton {
        /// Why.
        source: SkeletonError,
    },
    /// A skin is no good.
    #[error("{place}: {source}")]
    Skin {
        /// The skin.
        place: String,
        /// Why.
        source: SkinError,
    },
    /// The keys of a channel are no good.
    #[error("{place}: {source}")]
    Track {
        /// The channel.
        place: String,
        /// Why.
        source: TrackError,
    },
    /// An animation is no good.
    #[error("{place}: {source}")]
    Clip {
        /// The animation.
        place: String,
        /// Why.
        source: ClipError,
    },
}
