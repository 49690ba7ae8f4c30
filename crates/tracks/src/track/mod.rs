//! The keys of one channel: built and checked in this file, sampled at any time.

mod channel;
mod curve;
mod error;

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat};

pub use channel::{Channel, Interpolation};
pub use error::TrackError;

use self::curve::Curve;
use crate::interpolate::{align, hermite, normalized};
use crate::time::{Located, locate};

/// How far from 1 the length of a key's quaternion may be for the key to keep its numbers.
const NEARLY_UNIT: f64 = 1e-2;

/// The keys of one channel, checked: at least one, finite, not decreasing in time.
///
/// Rotations keep the numbers they were given as long as their length is within 0.01 of 1, since those are the numbers
/// that other players interpolate: a file of three digits a number is off unit length by 1e-4, and normalising its keys
/// beforehand turns the rotations between them by about as much. Quaternions further off are normalised. Whatever a track
/// returns for a rotation has unit length. At a key it is the key's own value, normalised.
///
/// A value is computed in f64 from the keys' f32, and rounded once where an f32 is asked for. The place between two keys
/// is that of [`locate`], in f32.
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
}

impl Track {
    /// Checks the keys and takes them. `label` names the track in errors.
    ///
    /// `times` are in seconds. `values` holds for each key [`Channel::components`] numbers, for cubic splines three
    /// times as many (all in-tangents, all values, all out-tangents; tangents are per second). Of neighbouring keys at
    /// one time the later holds from that time on. Quaternions are negated where needed so that neighbours lie in one
    /// hemisphere, and normalised if their length is off 1 by more than 0.01; tangents are scaled and negated with them.
    ///
    /// # Errors
    /// Any [`TrackError`].
    pub fn new(
        label: &str,
        channel: Channel,
        interpolation: Interpolation,
        times: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
    ) -> Result<Self, TrackError> {
        Self::shifted(label, channel, interpolation, times, values, 0.0)
    }

    /// [`new`](Self::new), with times counted from `origin_s`: it is taken off each.
    ///
    /// For clips whose keys begin before 0, which `new` refuses. Pass the earliest key time of all tracks of the clip, so
    /// that they stay together.
    ///
    /// ```
    /// use throng_tracks::{Channel, Interpolation, Track};
    /// let values = vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    /// let track = Track::shifted("slide", Channel::Translation, Interpolation::Linear, [-1.0, 1.0], values, -1.0)?;
    /// assert_eq!(track.times()[..], [0.0, 2.0]);
    /// # Ok::<(), throng_tracks::TrackError>(())
    /// ```
    ///
    /// # Errors
    /// Any [`TrackError`].
    pub fn shifted(
        label: &str,
        channel: Channel,
        interpolation: Interpolation,
        times: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
        origin_s: f32,
    ) -> Result<Self, TrackError> {
        let times = times_from(label, times.into(), origin_s)?;
        check_values(label, channel, interpolation, times.len(), &values)?;
        let mut built = Self { channel, interpolation, times, values, off_unit: 0 };
        if channel == Channel::Rotation {
            built.tidy_rotations(label)?;
        }
        Ok(built)
    }

    /// Brings quaternions that are far from it to unit length, and neighbours into one hemisphere. A key's tangents are
    /// scaled and negated with its value: `c * q` is the rotation `q`, and `c * q'` its derivative.
    fn tidy_rotations(&mut self, label: &str) -> Result<(), TrackError> {
        let per_key = self.interpolation.values_per_key();
        let mut previous = None;
        for (key, numbers) in self.values.chunks_exact_mut(4 * per_key).enumerate() {
            let at = (per_key / 2) * 4;
            let raw = Quat::from_slice(&numbers[at..]);
            let Some(unit) = normalized(raw) else {
                return Err(TrackError::ZeroQuaternion { track: label.to_owned(), key });
            };
            let length = raw.as_dquat().length();
            let (kept, length) = if (length - 1.0).abs() <= NEARLY_UNIT {
                (raw, 1.0)
            } else {
                self.off_unit += 1;
                (unit, length)
            };
            let aligned = previous.map_or(kept, |p| align(p, kept));
            numbers[at..at + 4].copy_from_slice(&aligned.to_array());
            previous = Some(aligned);
            if per_key == 3 {
                let factor = aligned.dot(kept).signum();
                scale_tangents(numbers, f64::from(factor) / length).map_err(|(part, component, value)| {
                    TrackError::ValueNotFinite { track: label.to_owned(), key, part, component, value }
                })?;
            }
        }
        Ok(())
    }

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

    pub(crate) fn share_times(&mut self, times: &Arc<[f32]>) {
        debug_assert_eq!(self.times, *times, "shared times must be the same times");
        self.times = Arc::clone(times);
    }

    /// A key's own value (for a cubic spline, without its tangents). That of a rotation is of nearly unit length.
    ///
    /// # Panics
    /// If there is no such key.
    #[must_use]
    pub fn value(&self, key: usize) -> &[f32] {
        self.part(key, self.interpolation.values_per_key() / 2)
    }

    fn part(&self, key: usize, part: usize) -> &[f32] {
        let n = self.channel.components();
        let at = (key * self.interpolation.values_per_key() + part) * n;
        &self.values[at..at + n]
    }

    /// The value at time `t` in seconds, into `out` (as long as the channel has components). Clamps at the ends.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn sample(&self, t: f32, out: &mut [f32]) {
        self.sample_at(locate(&self.times, t), out);
    }

    /// The value at a place found before by [`locate`] over the same [times](Self::times).
    ///
    /// # Panics
    /// If the place is not of these times, or `out` has not as many numbers as the channel has components.
    pub fn sample_at(&self, at: Located, out: &mut [f32]) {
        self.components_at(at, out.len(), |i, v| out[i] = v as f32);
    }

    /// [`sample`](Self::sample), not rounded.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn sample_f64(&self, t: f32, out: &mut [f64]) {
        self.components_at(locate(&self.times, t), out.len(), |i, v| out[i] = v);
    }

    fn components_at(&self, at: Located, wanted: usize, mut put: impl FnMut(usize, f64)) {
        assert_eq!(wanted, self.channel.components(), "a sample needs one number a component");
        if self.channel == Channel::Rotation {
            self.rotation_at(at).to_array().into_iter().enumerate().for_each(|(i, v)| put(i, v));
        } else {
            let curve = self.curve_at(at);
            (0..wanted).for_each(|i| put(i, curve.component(i)));
        }
    }

    /// The rotation at a place; the track must be one of rotations.
    pub(crate) fn rotation_at(&self, at: Located) -> DQuat {
        self.curve_at(at).rotation()
    }

    /// The translation or scale at a place; the track must be one of those.
    pub(crate) fn vector_at(&self, at: Located) -> DVec3 {
        let curve = self.curve_at(at);
        DVec3::from_array(std::array::from_fn(|i| curve.component(i)))
    }

    fn curve_at(&self, at: Located) -> Curve<'_> {
        let (key, next) = (at.key, at.next);
        let u = f64::from(at.fraction);
        if u == 0.0 {
            return Curve::Key(self.value(key));
        }
        match self.interpolation {
            Interpolation::Step => Curve::Key(self.value(key)),
            Interpolation::Linear => Curve::Line(self.value(key), self.value(next), u),
            Interpolation::CubicSpline => {
                let span = f64::from(self.times[next]) - f64::from(self.times[key]);
                let [w0, v0, w1, v1] = hermite(u);
                Curve::Cubic([
                    (self.part(key, 1), w0),
                    (self.part(key, 2), v0 * span),
                    (self.part(next, 1), w1),
                    (self.part(next, 0), v1 * span),
                ])
            }
        }
    }
}

/// Multiplies the tangents of one cubic rotation key. The error is the part, component and value that left `f32`.
fn scale_tangents(key: &mut [f32], factor: f64) -> Result<(), (&'static str, usize, f32)> {
    for (part, first) in [("in-tangent", 0), ("out-tangent", 8)] {
        for (component, v) in key[first..first + 4].iter_mut().enumerate() {
            *v = (f64::from(*v) * factor) as f32;
            if !v.is_finite() {
                return Err((part, component, *v));
            }
        }
    }
    Ok(())
}

/// Checks key times and counts them from `origin_s`.
fn times_from(label: &str, times: Arc<[f32]>, origin_s: f32) -> Result<Arc<[f32]>, TrackError> {
    let track = || label.to_owned();
    if times.is_empty() {
        return Err(TrackError::NoKey { track: track() });
    }
    let finite = |times: &[f32]| match times.iter().position(|t| !t.is_finite()) {
        Some(key) => Err(TrackError::TimeNotFinite { track: track(), key, time: times[key] }),
        None => Ok(()),
    };
    finite(&times)?;
    if let Some(key) = times.windows(2).position(|w| w[1] < w[0]) {
        let (previous, time) = (times[key], times[key + 1]);
        return Err(TrackError::TimeDecreases { track: track(), key: key + 1, time, previous });
    }
    // Times that stay as they are stay shared between tracks.
    let times = if origin_s == 0.0 { times } else { times.iter().map(|t| t - origin_s).collect() };
    finite(&times)?;
    if times[0] < 0.0 {
        return Err(TrackError::NegativeTime { track: track(), key: 0, time: times[0] });
    }
    Ok(times)
}

fn check_values(
    label: &str,
    channel: Channel,
    interpolation: Interpolation,
    keys: usize,
    values: &[f32],
) -> Result<(), TrackError> {
    let track = || label.to_owned();
    let (components, per_key) = (channel.components(), interpolation.values_per_key());
    // A count of morph targets comes from outside: the product may leave `usize` where that has 32 bits.
    let expected = keys.saturating_mul(components).saturating_mul(per_key);
    if values.len() != expected {
        return Err(TrackError::Length { track: track(), keys, expected, found: values.len() });
    }
    let Some(at) = values.iter().position(|v| !v.is_finite()) else {
        return Ok(());
    };
    let part = match (per_key, (at / components) % per_key) {
        (3, 0) => "in-tangent",
        (3, 2) => "out-tangent",
        _ => "value",
    };
    let (key, component) = (at / (components * per_key), at % components);
    Err(TrackError::ValueNotFinite { track: track(), key, part, component, value: values[at] })
}
