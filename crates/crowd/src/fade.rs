//! Weights that change over time.

/// How long a crossfade takes unless told, in seconds.
pub const CROSSFADE_S: f32 = 0.3;

/// How [`Crowd::crossfade`](crate::Crowd::crossfade) goes; made from a number of seconds, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossfade {
    /// How long it takes, 0 for a cut.
    pub seconds: f32,
    /// Whether the new clip starts at the same part of its way as the one that plays, rather than at its own time: so that
    /// feet that were half a step along still are.
    pub synced: bool,
}

impl Default for Crossfade {
    fn default() -> Self {
        Self { seconds: CROSSFADE_S, synced: false }
    }
}

impl From<f32> for Crossfade {
    fn from(seconds: f32) -> Self {
        Self { seconds, synced: false }
    }
}

/// A weight, and where it goes.
///
/// It is taken from its two ends each time rather than added to, so that those of a crossfade, which take the same time,
/// sum to 1 at every step, however small.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fade {
    pub(crate) weight: f32,
    from: f32,
    to: f32,
    seconds: f32,
    gone_s: f64,
}

impl Fade {
    /// A weight that stays.
    pub(crate) fn hold(weight: f32) -> Self {
        Self { weight, from: weight, to: weight, ..Self::default() }
    }

    /// From one weight to another. Without time it is there at once.
    pub(crate) fn over(from: f32, to: f32, seconds: f32) -> Self {
        if seconds > 0.0 {
            Self { weight: from, from, to, seconds, ..Self::default() }
        } else {
            Self::hold(to)
        }
    }

    /// The same, but that it begins so many seconds later.
    pub(crate) fn delayed(self, seconds: f64) -> Self {
        Self { gone_s: -seconds, ..self }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.gone_s < f64::from(self.seconds)
    }

    /// Goes on by `dt` seconds.
    pub(crate) fn step(&mut self, dt: f64) {
        if !self.is_running() {
            return;
        }
        self.gone_s += dt;
        self.weight = if self.is_running() {
            let way = self.gone_s.max(0.0) / f64::from(self.seconds);
            (f64::from(self.from) + (f64::from(self.to) - f64::from(self.from)) * way) as f32
        } else {
            self.to
        };
    }
}
