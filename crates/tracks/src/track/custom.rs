//! Interpolation by the caller's own function.

use std::fmt;
use std::sync::Arc;

use super::{Interpolation, Track, TrackError};
use crate::Channel;

/// The keys around a time, as a [`Custom`] function sees them.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    track: &'a Track,
    key: usize,
}

impl<'a> Segment<'a> {
    /// The index of the earlier key; the later one follows it.
    #[must_use]
    pub fn key(&self) -> usize {
        self.key
    }

    /// The earlier key's value.
    #[must_use]
    pub fn start(&self) -> &'a [f32] {
        self.track.value(self.key)
    }

    /// The later key's value.
    #[must_use]
    pub fn end(&self) -> &'a [f32] {
        self.track.value(self.key + 1)
    }

    /// The time from key to key, in seconds; above 0.
    #[must_use]
    pub fn span_s(&self) -> f64 {
        f64::from(self.track.times()[self.key + 1]) - f64::from(self.track.times()[self.key])
    }

    /// All keys of the track, for functions that look further.
    #[must_use]
    pub fn track(&self) -> &'a Track {
        self.track
    }
}

type Function = dyn Fn(f64, Segment<'_>, &mut [f64]) + Send + Sync;

/// The caller's own interpolation: a function of the way `u` between two keys and of the keys, into a value.
///
/// `u` lies in `(0, 1]`: at a key's own time its value is shown and the function is not asked. It must return the same for
/// the same arguments. A rotation's result is normalised afterwards; if that can't be, the earlier key is shown. The
/// function runs on the exact path only ([`Track::sample`], [`Clip::sample`](crate::Clip::sample) and the bake); clones are
/// equal, and two that were made apart are not.
///
/// ```
/// use throng_tracks::{Channel, Custom, Track};
/// // Slow at both ends: the smoothstep polynomial.
/// let ease = Custom::new(|u, keys, out| {
///     let eased = u * u * (3.0 - 2.0 * u);
///     for ((out, &a), &b) in out.iter_mut().zip(keys.start()).zip(keys.end()) {
///         *out = f64::from(a) + (f64::from(b) - f64::from(a)) * eased;
///     }
/// });
/// let track = Track::custom("door", Channel::Scalar, [0.0, 1.0], vec![0.0, 90.0], ease)?;
/// let mut angle = [0.0];
/// track.sample(0.25, &mut angle);
/// assert_eq!(angle, [90.0 * 0.15625]);
/// # Ok::<(), throng_tracks::TrackError>(())
/// ```
#[derive(Clone)]
pub struct Custom(Arc<Function>);

impl Custom {
    /// Takes a function of `u`, the keys around it, and the value to write, which has a number for each component.
    pub fn new(function: impl Fn(f64, Segment<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        Self(Arc::new(function))
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Custom({:p})", self.0)
    }
}

impl Track {
    /// As [`new`](Self::new), with one value a key, interpolated by the caller's function.
    ///
    /// # Errors
    /// Any [`TrackError`].
    pub fn custom(
        label: &str,
        channel: Channel,
        times: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
        function: Custom,
    ) -> Result<Self, TrackError> {
        let mut track = Self::empty(channel, Interpolation::Custom);
        track.custom = Some(function);
        track.filled(label, times.into(), values)
    }

    /// The caller's function, where that is what interpolates.
    #[must_use]
    pub fn custom_function(&self) -> Option<&Custom> {
        self.custom.as_ref()
    }

    /// What the caller's function makes of the way `u` from `key` to the next.
    pub(super) fn call_custom(&self, key: usize, u: f64, out: &mut [f64]) {
        if let Some(Custom(function)) = &self.custom {
            function(u, Segment { track: self, key }, out);
        }
    }
}
