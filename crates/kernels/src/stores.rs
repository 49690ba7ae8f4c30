/// How palettes reach memory. The bytes are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// Through the caches, each joint where it belongs at once. The lines are fetched one lane group ahead.
    Cached,
    /// Past the caches: a few entries of a lane group are gathered at a time and then written in whole lines. Best for what is
    /// many times larger than the caches, and for write-combined memory. Levels without such stores write through the
    /// caches.
    Streaming,
}

/// Outputs above this many bytes stream by default. See docs/decisions/0002-output-stores.md for the figures.
const STREAM_ABOVE: usize = 128 << 20;

impl Stores {
    /// What serves an output of that many bytes best, all jobs of a frame together.
    #[must_use]
    pub fn for_bytes(bytes: usize) -> Self {
        if bytes > STREAM_ABOVE { Self::Streaming } else { Self::Cached }
    }
}
