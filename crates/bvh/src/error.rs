use thiserror::Error;
use throng_tracks::{ClipError, SkeletonError, SkinError, TrackError};

/// Why a file can't be imported. Displays as one line: the file, the line in it, what was found, what was expected.
pub type ImportError = throng_tracks::import::ImportError<Problem>;

/// What is wrong with a file. Lines count from 1.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file itself can't be read.
    #[error("can't be read: {source}")]
    Read {
        /// What the system says.
        source: std::io::Error,
    },
    /// Another word stands where the format wants a certain one.
    #[error("line {line}: found {found}, expected {expected}")]
    Word {
        /// Where.
        line: usize,
        /// What stands there, in quotes; or that the file ends.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A word is no number, or none that can be used.
    #[error("line {line}: found {found}, expected {expected}")]
    Number {
        /// Where.
        line: usize,
        /// What stands there, in quotes; or that the file ends.
        found: String,
        /// Which numbers can be used.
        expected: &'static str,
    },
    /// A joint or an end site has no `OFFSET` ahead of its children or its end.
    #[error("line {line}: found no OFFSET in the block of {block}, expected one ahead of this line")]
    NoOffset {
        /// Where it is missed.
        line: usize,
        /// The joint or end site.
        block: String,
    },
    /// Something that a joint or a file has once stands there again.
    #[error("line {line}: found {what} again, expected it once")]
    Repeated {
        /// Where it stands again.
        line: usize,
        /// What.
        what: &'static str,
    },
    /// An end site has channels.
    #[error("line {line}: found CHANNELS {channels} in an End Site, expected 0")]
    EndSiteChannels {
        /// Where.
        line: usize,
        /// How many.
        channels: u64,
    },
    /// More joints than a skeleton holds.
    #[error("line {line}: found joint number {}, expected at most {limit} joints", limit + 1)]
    TooManyJoints {
        /// Where the first joint stands that is too many.
        line: usize,
        /// [`Skeleton::MAX_JOINTS`](throng_tracks::Skeleton::MAX_JOINTS).
        limit: usize,
    },
    /// A row of the motion has not one number for each channel.
    #[error("line {line}: found {found} numbers in row {row}, expected {expected}, one a channel")]
    RowLength {
        /// Where.
        line: usize,
        /// The row, from 0.
        row: usize,
        /// How many numbers it has.
        found: usize,
        /// How many channels the joints have.
        expected: usize,
    },
    /// The joints make no skeleton.
    #[error("HIERARCHY: {source}")]
    Skeleton {
        /// Why.
        source: SkeletonError,
    },
    /// The rest of the joints can't be inverted in numbers.
    #[error("HIERARCHY: {source}")]
    Skin {
        /// Why.
        source: SkinError,
    },
    /// The rows make no keys.
    #[error("MOTION: {source}")]
    Track {
        /// Why.
        source: TrackError,
    },
    /// The tracks make no clip.
    #[error("MOTION: {source}")]
    Clip {
        /// Why.
        source: ClipError,
    },
}
