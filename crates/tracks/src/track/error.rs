use thiserror::Error;

/// What is wrong with the keys of a track.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TrackError {
    /// A track needs at least one key.
    #[error("track {track:?} has no key")]
    NoKey {
        /// The track.
        track: String,
    },
    /// There are more or fewer numbers than the keys need.
    #[error("track {track:?} has {keys} keys and so needs {expected} numbers, but has {found}")]
    Length {
        /// The track.
        track: String,
        /// Keys given.
        keys: usize,
        /// Numbers needed.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// Times never decrease.
    #[error("track {track:?}: key {key} is at {time} s, before the key ahead of it at {previous} s")]
    TimeDecreases {
        /// The track.
        track: String,
        /// The key.
        key: usize,
        /// Its time.
        time: f32,
        /// The time of the key ahead of it.
        previous: f32,
    },
    /// Times start at 0 or later.
    #[error("track {track:?}: key {key} is at {time} s, but time starts at 0")]
    NegativeTime {
        /// The track.
        track: String,
        /// The key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// NaN or infinity among the times.
    #[error("track {track:?}: the time of key {key} is {time}")]
    TimeNotFinite {
        /// The track.
        track: String,
        /// The key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// NaN or infinity among the values or tangents.
    #[error("track {track:?}: {part} {component} of key {key} is {value}")]
    ValueNotFinite {
        /// The track.
        track: String,
        /// The key.
        key: usize,
        /// `value`, `in-tangent` or `out-tangent`.
        part: &'static str,
        /// Which number of it.
        component: usize,
        /// What was found.
        value: f32,
    },
    /// A quaternion of length zero is no rotation.
    #[error("track {track:?}: the quaternion of key {key} has length zero")]
    ZeroQuaternion {
        /// The track.
        track: String,
        /// The key.
        key: usize,
    },
}
