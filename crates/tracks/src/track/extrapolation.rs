//! What a track shows before its first key and after its last.

use crate::WrapMode;
use crate::time::{Located, locate, wrap_f64};

use super::Track;

/// What a track shows outside of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Extrapolation {
    /// The value of the nearest key.
    #[default]
    Clamp,
    /// On along the line through the two keys at that end. The same as clamp for rotations and discrete tracks, for fewer
    /// than two keys, and where the two have one time.
    Linear,
    /// The keys again and again, from one end to the other.
    Loop,
    /// The keys there and back.
    PingPong,
}

impl Extrapolation {
    /// The name used in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Linear => "linear",
            Self::Loop => "loop",
            Self::PingPong => "ping-pong",
        }
    }
}

/// Where a time is shown from, see [`Track::inside`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside {
    /// A time between the first key and the last, or beyond them where the track clamps.
    pub time_s: f32,
    /// How far beyond that end the time is, along the line through the two keys there; negative before the first key, 0
    /// wherever no line is followed.
    pub beyond_s: f64,
}

/// A place on a track's curve: between two keys, or on a line beyond the ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Between(Located),
    /// The way from `key` to the next, below 0 or above 1.
    Line {
        key: usize,
        way: f64,
    },
}

impl Track {
    /// The same track, going on before its first key and after its last as told. Without this a track clamps.
    ///
    /// At the first and last key's own times the keys' own values are shown, whatever the extrapolation.
    ///
    /// ```
    /// use throng_tracks::{Channel, Extrapolation, Interpolation, Track};
    /// let track = Track::new("dim", Channel::Scalar, Interpolation::Linear, [1.0, 3.0], vec![0.0, 4.0])?
    ///     .with_extrapolation(Extrapolation::Linear, Extrapolation::PingPong);
    /// let at = |t| {
    ///     let mut value = [0.0];
    ///     track.sample(t, &mut value);
    ///     value[0]
    /// };
    /// assert_eq!([-1.0, 2.0, 3.5, 5.0].map(at), [-4.0, 2.0, 3.0, 0.0]);
    /// # Ok::<(), throng_tracks::TrackError>(())
    /// ```
    #[must_use]
    pub fn with_extrapolation(mut self, before: Extrapolation, after: Extrapolation) -> Self {
        (self.before, self.after) = (before, after);
        self
    }

    /// What the track shows before its first key, and after its last.
    #[must_use]
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        (self.before, self.after)
    }

    /// Brings time `t` into the keys, as the track's extrapolation says. NaN counts as 0; infinite times clamp.
    ///
    /// Loop and ping-pong are [`wrap`](crate::wrap) over the time from first to last key. Where that is 0 they clamp.
    #[must_use]
    pub fn inside(&self, t: f32) -> Inside {
        let t = if t.is_nan() { 0.0 } else { t };
        let (first, last) = self.ends();
        let (mode, end, line) = if t < first {
            (self.before, first, self.line(0))
        } else if t > last {
            (self.after, last, self.line(self.times.len().saturating_sub(2)))
        } else {
            return Inside { time_s: t, beyond_s: 0.0 };
        };
        let (origin, period) = (f64::from(first), f64::from(last) - f64::from(first));
        let along = f64::from(t) - origin;
        let wrapped =
            |mode| Inside { time_s: (origin + wrap_f64(along, period, mode)) as f32, beyond_s: 0.0 };
        match mode {
            Extrapolation::Linear if line && t.is_finite() => {
                Inside { time_s: end, beyond_s: f64::from(t) - f64::from(end) }
            }
            Extrapolation::Loop if period > 0.0 && t.is_finite() => {
                let inside = wrapped(WrapMode::Loop);
                // Half-open, in f32 too.
                if inside.time_s < last { inside } else { Inside { time_s: first, ..inside } }
            }
            Extrapolation::PingPong if period > 0.0 && t.is_finite() => wrapped(WrapMode::PingPong),
            _ => Inside { time_s: t, beyond_s: 0.0 },
        }
    }

    /// Whether anything but the nearest key is shown at `t`, which is outside of the keys.
    pub(crate) fn extrapolates(&self, t: f32) -> bool {
        let (first, last) = self.ends();
        (t < first && self.before != Extrapolation::Clamp) || (t > last && self.after != Extrapolation::Clamp)
    }

    pub(crate) fn place(&self, t: f32) -> Place {
        let Inside { time_s, beyond_s } = self.inside(t);
        if beyond_s == 0.0 {
            return Place::Between(locate(&self.times, time_s));
        }
        let key = if beyond_s < 0.0 { 0 } else { self.times.len() - 2 };
        let way = beyond_s / (f64::from(self.times[key + 1]) - f64::from(self.times[key]));
        Place::Line { key, way: if beyond_s < 0.0 { way } else { 1.0 + way } }
    }

    fn ends(&self) -> (f32, f32) {
        // There is always a key.
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// Whether a line goes through a key and the next.
    fn line(&self, key: usize) -> bool {
        let next = self.times.get(key + 1);
        next.is_some_and(|&next| next > self.times[key])
            && !self.channel.is_rotation()
            && self.channel != super::Channel::Discrete
    }
}
