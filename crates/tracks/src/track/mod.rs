//! The keys of one channel: checked when built, sampled at any time.
//!
//! A [`Track`] is made in `build` (and in `discrete` and `custom`, which end up there), where everything is checked and
//! `rotations` tidies quaternions. A time passes through `extrapolation`, which brings it into the keys, and `sample`,
//! which finds what is to be summed, to `curve`, which has the arithmetic.

mod build;
mod channel;
mod curve;
mod custom;
mod discrete;
mod error;
mod extrapolation;
mod interpolation;
mod passes;
mod rotations;
mod sample;
mod spline;

use std::sync::Arc;

pub use channel::Channel;
pub use custom::{Custom, Segment};
pub use error::TrackError;
pub(crate) use extrapolation::Place;
pub use extrapolation::{Extrapolation, Inside};
pub use interpolation::Interpolation;

/// The keys of one channel, checked: at least one, finite, not decreasing in time.
///
/// Rotations keep the numbers they were given as long as their length is within 0.01 of 1, since those are the numbers
/// that other players interpolate: a file of three digits a number is off unit length by 1e-4, and normalising its keys
/// beforehand turns the rotations between them by about as much. Quaternions further off are normalised. Whatever a track
/// returns for a rotation has unit length. At a key it is the key's own value, normalised.
///
/// A value is computed in f64 from the keys' f32, and rounded once where an f32 is asked for. The place between two keys
/// is that of [`locate`](crate::locate), in f32.
///
/// ```
/// use throng_tracks::{Channel, Interpolation, Track};
/// let track = Track::new("hips", Channel::Translation, Interpolation::Linear, [0.0, 1.0],
///     vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// let mut value = [0.0; 3];
/// track.sample(0.25, &mut value);
/// assert_eq!(value, [1.0, 0.0, 0.0]);
/// # Ok::<(), throng_tracks::TrackError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    channel: Channel,
    interpolation: Interpolation,
    times: Arc<[f32]>,
    values: Vec<f32>,
    off_unit: usize,
    /// Whether quaternions keep the signs that they were given.
    keeps_signs: bool,
    before: Extrapolation,
    after: Extrapolation,
    /// The table of a discrete track.
    names: Option<Arc<[String]>>,
    custom: Option<Custom>,
}

impl Track {
    /// What the track moves.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// How values between keys come about.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The keys' times in seconds, never decreasing.
    #[must_use]
    pub fn times(&self) -> &Arc<[f32]> {
        &self.times
    }

    /// All numbers of all keys, in the order that [`Track::new`] takes them.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// How many keys held a quaternion whose length was off 1 by more than 0.01.
    #[must_use]
    pub fn off_unit_quaternions(&self) -> usize {
        self.off_unit
    }

    /// Whether quaternions keep the signs that they were given: see [`with_signs_kept`](Self::with_signs_kept).
    #[must_use]
    pub fn keeps_signs(&self) -> bool {
        self.keeps_signs
    }

    /// The track, so that later changes of its keys keep their signs, or bring them into one hemisphere.
    pub(crate) fn keeping_signs(self, keeps_signs: bool) -> Self {
        Self { keeps_signs, ..self }
    }

    pub(crate) fn share_times(&mut self, times: &Arc<[f32]>) {
        debug_assert_eq!(self.times, *times, "shared times must be the same times");
        self.times = Arc::clone(times);
    }

    /// A key's own value, without its tangents. That of a rotation is of nearly unit length.
    ///
    /// # Panics
    /// If there is no such key.
    #[must_use]
    pub fn value(&self, key: usize) -> &[f32] {
        assert!(key < self.times.len(), "key {key} of {}", self.times.len());
        self.numbers(value_place(self.interpolation, key))
    }

    /// The value or tangent at a place among [`values`](Self::values), counted in values.
    fn numbers(&self, place: usize) -> &[f32] {
        let n = self.channel.components();
        &self.values[place * n..][..n]
    }
}

/// Where a key's own value stands among a track's values, counted in values.
fn value_place(interpolation: Interpolation, key: usize) -> usize {
    match interpolation {
        Interpolation::CubicSpline => 3 * key + 1,
        Interpolation::CatmullRom => key + 1,
        _ => key,
    }
}
