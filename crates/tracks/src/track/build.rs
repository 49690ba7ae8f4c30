//! Making tracks: every check is here.

use std::sync::Arc;

use super::{Channel, Extrapolation, Interpolation, Track, TrackError};

impl Track {
    /// Checks the keys and takes them. `label` names the track in errors.
    ///
    /// `times` are in seconds. `values` holds for each key [`Channel::components`] numbers; for cubic splines three times
    /// as many (all in-tangents, all values, all out-tangents); for Catmull-Rom the start tangent ahead of all keys' values
    /// and the end tangent behind them. Tangents are per second. Of neighbouring keys at one time the later holds from that
    /// time on. Quaternions are negated where needed so that neighbours lie in one hemisphere, and normalised if their
    /// length is off 1 by more than 0.01; tangents are scaled and negated with them.
    ///
    /// Discrete tracks are made by [`discrete`](Self::discrete) or [`from_frames`](Self::from_frames), which take the table
    /// of names: here theirs is empty. Tracks with a function of the caller's are made by [`custom`](Self::custom).
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
        Self::empty(channel, interpolation).filled(label, times.into(), values)
    }

    /// [`new`](Self::new), but quaternions keep the signs that they were given, and so do their tangents.
    ///
    /// A cubic spline between two keys of opposite hemispheres then swings through them as other evaluators show it, mostly
    /// the long path. [`new`](Self::new) negates one of the keys instead. Other interpolations show the same either way.
    ///
    /// ```
    /// use throng_tracks::{Channel, Interpolation, Track};
    /// let mut values = vec![0.0; 24];
    /// (values[7], values[19]) = (1.0, -1.0);
    /// let cubic = Interpolation::CubicSpline;
    /// let kept = Track::with_signs_kept("spin", Channel::Rotation, cubic, [0.0, 1.0], values.clone())?;
    /// let aligned = Track::new("spin", Channel::Rotation, cubic, [0.0, 1.0], values)?;
    /// assert_eq!((kept.value(1)[3], aligned.value(1)[3]), (-1.0, 1.0));
    /// # Ok::<(), throng_tracks::TrackError>(())
    /// ```
    ///
    /// # Errors
    /// Any [`TrackError`].
    pub fn with_signs_kept(
        label: &str,
        channel: Channel,
        interpolation: Interpolation,
        times: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
    ) -> Result<Self, TrackError> {
        let kind = Self { keeps_signs: true, ..Self::empty(channel, interpolation) };
        kind.filled(label, times.into(), values)
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
        let times = counted_from(label, times.into(), origin_s)?;
        Self::empty(channel, interpolation).filled(label, times, values)
    }

    /// Other keys for the same kind of track: channel, interpolation, extrapolation, table, function and whether it
    /// [keeps signs](Self::keeps_signs) are as before.
    ///
    /// ```
    /// use throng_tracks::Track;
    /// let lamp = Track::from_frames("lamp", ["off", "on"], 2.0)?;
    /// let later = lamp.with_keys("lamp", lamp.times().iter().map(|t| t + 1.0).collect::<Vec<_>>(), lamp.values().to_vec())?;
    /// assert_eq!((later.names(), later.name_at(1.5)), (lamp.names(), Some("on")));
    /// # Ok::<(), throng_tracks::TrackError>(())
    /// ```
    ///
    /// # Errors
    /// Any [`TrackError`].
    pub fn with_keys(
        &self,
        label: &str,
        times: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
    ) -> Result<Self, TrackError> {
        let kind = Self {
            before: self.before,
            after: self.after,
            names: self.names.clone(),
            custom: self.custom.clone(),
            keeps_signs: self.keeps_signs,
            ..Self::empty(self.channel, self.interpolation)
        };
        kind.filled(label, times.into(), values)
    }

    /// A kind of track that has yet to be [filled](Self::filled).
    pub(super) fn empty(channel: Channel, interpolation: Interpolation) -> Self {
        Self {
            channel,
            interpolation,
            times: Arc::default(),
            values: Vec::new(),
            off_unit: 0,
            keeps_signs: false,
            before: Extrapolation::Clamp,
            after: Extrapolation::Clamp,
            names: None,
            custom: None,
        }
    }

    /// Checks everything and takes the keys.
    pub(super) fn filled(
        mut self,
        label: &str,
        times: Arc<[f32]>,
        values: Vec<f32>,
    ) -> Result<Self, TrackError> {
        self.check_kind(label)?;
        check_times(label, &times)?;
        (self.times, self.values) = (times, values);
        self.check_values(label)?;
        if self.channel.is_rotation() {
            self.tidy_rotations(label)?;
        }
        Ok(self)
    }

    fn check_kind(&self, label: &str) -> Result<(), TrackError> {
        let (channel, interpolation) = (self.channel, self.interpolation);
        if !interpolation.suits(channel) {
            return Err(TrackError::Unsuited { track: label.to_owned(), channel, interpolation });
        }
        if interpolation == Interpolation::Custom && self.custom.is_none() {
            return Err(TrackError::NoFunction { track: label.to_owned() });
        }
        Ok(())
    }

    fn check_values(&self, label: &str) -> Result<(), TrackError> {
        let track = || label.to_owned();
        let (components, keys) = (self.channel.components(), self.times.len());
        // A count of morph targets comes from outside: the product may leave `usize` where that has 32 bits.
        let expected = self.interpolation.value_count(keys).saturating_mul(components);
        if self.values.len() != expected {
            return Err(TrackError::Length { track: track(), keys, expected, found: self.values.len() });
        }
        if let Some(at) = self.values.iter().position(|v| !v.is_finite()) {
            let (key, part) = self.part_at(at / components);
            let (component, value) = (at % components, self.values[at]);
            return Err(TrackError::ValueNotFinite { track: track(), key, part, component, value });
        }
        if self.channel == Channel::Discrete {
            let count = self.names().len();
            let is_name = |v: f32| v >= 0.0 && v.fract() == 0.0 && (v as usize) < count;
            if let Some(key) = self.values.iter().position(|&v| !is_name(v)) {
                return Err(TrackError::NoSuchName { track: track(), key, value: self.values[key], count });
            }
        }
        Ok(())
    }

    /// The key that a value or tangent belongs to, and what it is of it.
    pub(super) fn part_at(&self, place: usize) -> (usize, &'static str) {
        let last = self.times.len() - 1;
        match self.interpolation {
            Interpolation::CubicSpline => (place / 3, ["in-tangent", "value", "out-tangent"][place % 3]),
            Interpolation::CatmullRom if place == 0 => (0, "start tangent"),
            Interpolation::CatmullRom if place > last + 1 => (last, "end tangent"),
            Interpolation::CatmullRom => (place - 1, "value"),
            _ => (place, "value"),
        }
    }
}

fn check_finite(label: &str, times: &[f32]) -> Result<(), TrackError> {
    match times.iter().position(|t| !t.is_finite()) {
        Some(key) => Err(TrackError::TimeNotFinite { track: label.to_owned(), key, time: times[key] }),
        None => Ok(()),
    }
}

fn check_times(label: &str, times: &[f32]) -> Result<(), TrackError> {
    let track = || label.to_owned();
    let Some(&first) = times.first() else {
        return Err(TrackError::NoKey { track: track() });
    };
    check_finite(label, times)?;
    if let Some(key) = times.windows(2).position(|w| w[1] < w[0]) {
        let (previous, time) = (times[key], times[key + 1]);
        return Err(TrackError::TimeDecreases { track: track(), key: key + 1, time, previous });
    }
    if first < 0.0 {
        return Err(TrackError::NegativeTime { track: track(), key: 0, time: first });
    }
    Ok(())
}

/// Times counted from `origin_s`. Those that stay as they are stay shared between tracks.
fn counted_from(label: &str, times: Arc<[f32]>, origin_s: f32) -> Result<Arc<[f32]>, TrackError> {
    check_finite(label, &times)?;
    Ok(if origin_s == 0.0 { times } else { times.iter().map(|t| t - origin_s).collect() })
}
