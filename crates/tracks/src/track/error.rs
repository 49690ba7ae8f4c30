use thiserror::Error;

use super::{Channel, Interpolation};

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
        /// `value`, `in-tangent`, `out-tangent`, `start tangent` or `end tangent`.
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
    /// The channel has no such interpolation: discrete tracks step, and nlerp and quasi-spherical are for rotations.
    #[error(
        "track {track:?} is {} and can't be interpolated as {}", channel.name(), interpolation.name()
    )]
    Unsuited {
        /// The track.
        track: String,
        /// What it moves.
        channel: Channel,
        /// What was asked for.
        interpolation: Interpolation,
    },
    /// A custom interpolation is a function, which [`Track::custom`](crate::Track::custom) takes.
    #[error("track {track:?} is to be interpolated by a function, but came without one")]
    NoFunction {
        /// The track.
        track: String,
    },
    /// A discrete value is an index into the track's table.
    #[error(
        "track {track:?}: the value of key {key} is {value}, but the table has {count} names, counted from 0"
    )]
    NoSuchName {
        /// The track.
        track: String,
        /// The key.
        key: usize,
        /// What was found.
        value: f32,
        /// How many names there are.
        count: usize,
    },
    /// The table of a discrete track is too long.
    #[error("track {track:?} has a table of {count} names, above the limit of {limit}")]
    TooManyNames {
        /// The track.
        track: String,
        /// How many names there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Frames follow each other at a rate above 0.
    #[error(
        "track {track:?} was asked for {rate_hz} frames a second, but the rate must be above 0 and finite"
    )]
    Rate {
        /// The track.
        track: String,
        /// What was asked for.
        rate_hz: f32,
    },
}
