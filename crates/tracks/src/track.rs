use std::sync::Arc;

use glam::Quat;
use thiserror::Error;

use crate::interpolate::{align, hermite, normalized, slerp};
use crate::time::{Located, locate};

/// What a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Channel {
    /// A joint's translation: 3 numbers.
    Translation,
    /// A joint's rotation: a quaternion, `xyzw`.
    Rotation,
    /// A joint's scale: 3 numbers.
    Scale,
    /// The weights of that many morph targets.
    Weights(u32),
}

impl Channel {
    /// How many numbers one value has.
    #[must_use]
    pub fn components(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 3,
            Self::Rotation => 4,
            Self::Weights(count) => count as usize,
        }
    }

    /// The name used by glTF, and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights(_) => "weights",
        }
    }
}

/// How values between keys come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Interpolation {
    /// The left key's value until the next key's time.
    Step,
    /// Straight between keys; for rotations [`slerp`] on the short arc.
    Linear,
    /// Cubic Hermite spline. Each key holds in-tangent, value and out-tangent, in this order.
    CubicSpline,
}

impl Interpolation {
    /// How many values a key holds.
    #[must_use]
    pub fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }

    /// The name used by glTF, and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
        }
    }
}

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

/// The keys of one channel, checked: at least one, finite, not decreasing in time.
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
    /// `values` holds for each key [`Channel::components`] numbers, for cubic splines three times as many (all
    /// in-tangents, all values, all out-tangents). Quaternions are normalised (with their tangents) and negated where
    /// needed so that neighbours lie in one hemisphere.
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
        let times = times.into();
        let track = || label.to_owned();
        check_times(&times, track)?;
        let keys = times.len();
        let (components, per_key) = (channel.components(), interpolation.values_per_key());
        let expected = keys * components * per_key;
        if values.len() != expected {
            return Err(TrackError::Length { track: track(), keys, expected, found: values.len() });
        }
        if let Some(at) = values.iter().position(|v| !v.is_finite()) {
            let part = match (per_key, (at / components) % per_key) {
                (3, 0) => "in-tangent",
                (3, 2) => "out-tangent",
                _ => "value",
            };
            let key = at / (components * per_key);
            let component = at % components;
            return Err(TrackError::ValueNotFinite {
                track: track(),
                key,
                part,
                component,
                value: values[at],
            });
        }
        let mut built = Self { channel, interpolation, times, values, off_unit: 0 };
        if channel == Channel::Rotation {
            built.tidy_rotations(label)?;
        }
        Ok(built)
    }

    /// Brings quaternions to unit length and neighbours into one hemisphere. A key's tangents are scaled and negated
    /// with its value: `c * q` is the rotation `q`, and `c * q'` its derivative.
    fn tidy_rotations(&mut self, label: &str) -> Result<(), TrackError> {
        let per_key = self.interpolation.values_per_key();
        let mut previous = None;
        for (key, numbers) in self.values.chunks_exact_mut(4 * per_key).enumerate() {
            let at = (per_key / 2) * 4;
            let raw = Quat::from_slice(&numbers[at..]);
            let Some(unit) = normalized(raw) else {
                return Err(TrackError::ZeroQuaternion { track: label.to_owned(), key });
            };
            let length = raw.length();
            if !((length - 1.0).abs() <= 1e-2) {
                self.off_unit += 1;
            }
            let aligned = previous.map_or(unit, |p| align(p, unit));
            let sign = if aligned.dot(unit) < 0.0 { -1.0 } else { 1.0 };
            if per_key == 3 && (sign < 0.0 || (length - 1.0).abs() > 1e-6) {
                let factor = sign / length;
                for (part, first) in [("in-tangent", 0), ("out-tangent", 8)] {
                    for (component, v) in numbers[first..first + 4].iter_mut().enumerate() {
                        *v *= factor;
                        if !v.is_finite() {
                            let track = label.to_owned();
                            return Err(TrackError::ValueNotFinite {
                                track,
                                key,
                                part,
                                component,
                                value: *v,
                            });
                        }
                    }
                }
            }
            numbers[at..at + 4].copy_from_slice(&aligned.to_array());
            previous = Some(aligned);
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

    /// A key's own value (for a cubic spline, without its tangents).
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
        let (a, b, u) = (self.value(at.key), self.value(at.next), at.fraction);
        if u == 0.0 || self.interpolation == Interpolation::Step {
            out.copy_from_slice(a);
            return;
        }
        match (self.interpolation, self.channel) {
            (Interpolation::CubicSpline, _) => self.sample_cubic(at, out),
            (_, Channel::Rotation) => {
                out.copy_from_slice(&slerp(Quat::from_slice(a), Quat::from_slice(b), u).to_array());
            }
            _ => {
                assert_eq!(out.len(), a.len(), "a sample needs one number a component");
                for (o, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                    *o = a + (b - a) * u;
                }
            }
        }
    }

    fn sample_cubic(&self, at: Located, out: &mut [f32]) {
        let span = self.times[at.next] - self.times[at.key];
        let (p0, m0) = (self.part(at.key, 1), self.part(at.key, 2));
        let (p1, m1) = (self.part(at.next, 1), self.part(at.next, 0));
        assert_eq!(out.len(), p0.len(), "a sample needs one number a component");
        let [w0, v0, w1, v1] = hermite(at.fraction);
        for (i, o) in out.iter_mut().enumerate() {
            *o = p0[i] * w0 + m0[i] * (span * v0) + p1[i] * w1 + m1[i] * (span * v1);
        }
        if self.channel == Channel::Rotation {
            // A spline through opposite rotations may cross zero: there the key's rotation is as right as another.
            let q = normalized(Quat::from_slice(out)).unwrap_or_else(|| Quat::from_slice(p0));
            out.copy_from_slice(&q.to_array());
        }
    }
}

fn check_times(times: &[f32], track: impl Fn() -> String) -> Result<(), TrackError> {
    if times.is_empty() {
        return Err(TrackError::NoKey { track: track() });
    }
    if let Some(key) = times.iter().position(|t| !t.is_finite()) {
        return Err(TrackError::TimeNotFinite { track: track(), key, time: times[key] });
    }
    if let Some(key) = times.windows(2).position(|w| w[1] < w[0]) {
        let (previous, time) = (times[key], times[key + 1]);
        return Err(TrackError::TimeDecreases { track: track(), key: key + 1, time, previous });
    }
    if times[0] < 0.0 {
        return Err(TrackError::NegativeTime { track: track(), key: 0, time: times[0] });
    }
    Ok(())
}
