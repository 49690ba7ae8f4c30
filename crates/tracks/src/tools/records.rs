//! Keys as they come, before they are a track.

use thiserror::Error;

use crate::{Channel, Interpolation, Track, TrackError};

/// Why keys can't be put in order.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KeysError {
    /// There are more or fewer numbers than the keys need.
    #[error("{keys} keys need {expected} numbers, but there are {found}")]
    Length {
        /// Keys given.
        keys: usize,
        /// Numbers needed.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// A record's value has more or fewer numbers than a key needs.
    #[error("record {record} has {found} numbers, but a key of it needs {expected}")]
    Record {
        /// The record, counted with those that have no value.
        record: usize,
        /// Numbers needed.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// A NaN comes neither before nor after another time.
    #[error("the time of key {key} is not a number")]
    NotATime {
        /// The key.
        key: usize,
    },
    /// A Catmull-Rom track has a tangent at each end, which no record holds.
    #[error("records can't be {}: they have no tangents for the two ends", Interpolation::CatmullRom.name())]
    NoEnds,
}

/// Keys that nobody has checked yet: what [`Track::new`] takes.
#[derive(Clone, Debug, PartialEq)]
pub struct RawKeys {
    /// What the track is to move.
    pub channel: Channel,
    /// How values between keys come about.
    pub interpolation: Interpolation,
    /// In seconds.
    pub times: Vec<f32>,
    /// All numbers of all keys, in the order of [`Track::new`].
    pub values: Vec<f32>,
}

impl RawKeys {
    /// The track of these keys.
    ///
    /// # Errors
    /// Any [`TrackError`].
    pub fn track(self, label: &str) -> Result<Track, TrackError> {
        Track::new(label, self.channel, self.interpolation, self.times, self.values)
    }
}

/// The keys in order of their times. A key moves as a whole, tangents and all; keys at one time stay in the order they were
/// in. The tangents at the ends of a Catmull-Rom track stay at the ends.
///
/// ```
/// use throng_tracks::{Channel, Interpolation, tools::{RawKeys, sort_keys}};
/// let keys = RawKeys {
///     channel: Channel::Scalar,
///     interpolation: Interpolation::CubicSpline,
///     times: vec![2.0, 1.0],
///     values: vec![0.2, 2.0, -0.2, 0.1, 1.0, -0.1],
/// };
/// let sorted = sort_keys(keys)?;
/// assert_eq!(sorted.times, [1.0, 2.0]);
/// assert_eq!(sorted.values, [0.1, 1.0, -0.1, 0.2, 2.0, -0.2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`KeysError::Length`] or [`KeysError::NotATime`].
pub fn sort_keys(keys: RawKeys) -> Result<RawKeys, KeysError> {
    let (n, count) = (keys.channel.components(), keys.times.len());
    let expected = keys.interpolation.value_count(count).saturating_mul(n);
    if keys.values.len() != expected {
        return Err(KeysError::Length { keys: count, expected, found: keys.values.len() });
    }
    if let Some(key) = keys.times.iter().position(|t| t.is_nan()) {
        return Err(KeysError::NotATime { key });
    }
    let ends = if keys.interpolation == Interpolation::CatmullRom { n } else { 0 };
    let size = n * keys.interpolation.values_per_key();
    let mut order: Vec<usize> = (0..count).collect();
    // -0 and 0 are one time.
    order.sort_by(|&a, &b| (keys.times[a] + 0.0).total_cmp(&(keys.times[b] + 0.0)));
    let inner = &keys.values[ends..keys.values.len() - ends];
    let mut values = keys.values[..ends].to_vec();
    values.extend(order.iter().flat_map(|&key| &inner[size * key..][..size]));
    values.extend_from_slice(&keys.values[keys.values.len() - ends..]);
    let times = order.iter().map(|&key| keys.times[key]).collect();
    Ok(RawKeys { times, values, ..keys })
}

/// The keys of records, each a time and all the numbers of one key (for cubic splines in-tangent, value, out-tangent).
/// Records without a value are skipped: many tools write one list of times for all they animate, and leave out what has no
/// key at a time. The order is that of the records, for [`sort_keys`] to put right.
///
/// ```
/// use throng_tracks::{Channel, Interpolation, tools::{from_key_objects, sort_keys}};
/// let records = [(1.0, Some(vec![4.0])), (0.5, None), (0.0, Some(vec![3.0]))];
/// let keys = from_key_objects(Channel::Scalar, Interpolation::Linear, records)?;
/// let track = sort_keys(keys)?.track("glow")?;
/// assert_eq!((&track.times()[..], track.values()), (&[0.0, 1.0][..], &[3.0, 4.0][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`KeysError::Record`], or [`KeysError::NoEnds`] for Catmull-Rom.
pub fn from_key_objects<V: AsRef<[f32]>>(
    channel: Channel,
    interpolation: Interpolation,
    records: impl IntoIterator<Item = (f32, Option<V>)>,
) -> Result<RawKeys, KeysError> {
    if interpolation == Interpolation::CatmullRom {
        return Err(KeysError::NoEnds);
    }
    let expected = channel.components() * interpolation.values_per_key();
    let mut keys = RawKeys { channel, interpolation, times: Vec::new(), values: Vec::new() };
    for (record, (time, value)) in records.into_iter().enumerate() {
        let Some(value) = value else { continue };
        let value = value.as_ref();
        if value.len() != expected {
            return Err(KeysError::Record { record, expected, found: value.len() });
        }
        keys.times.push(time);
        keys.values.extend_from_slice(value);
    }
    Ok(keys)
}
