/// How palettes reach memory. The bytes are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Stores {
    /// Through the caches, each joint where it belongs at once. The lines are fetched one lane group ahead.
    #[default]
    Cached,
    /// Past the caches: a few entries of a lane group are gathered at a time and then written in whole lines. For
    /// write-combined memory; ordinary memory was never written faster so, at any size (see
    /// docs/decisions/0002-output-stores.md). Levels without such stores write through the caches.
    Streaming,
}
