//! Weights that change over time.

/// How long a crossfade takes unless told, in seconds.
pub const CROSSFADE_S: f32 = 0.3;

/// How [`Crowd::crossfade`](crate::Crowd::crossfade) goes; made from a number of seconds, too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
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

    /// From nothing up to a weight, beginning so many seconds from now; without time it is there at once then.
    pub(crate) fn rise(to: f32, seconds: f32, wait_s: f64) -> Self {
        let fade = Self { weight: 0.0, from: 0.0, to, seconds, gone_s: -wait_s };
        if fade.is_running() { fade } else { Self::hold(to) }
    }

    /// The same, but that it begins so many seconds later. Until then the mean of the weight is this.
    pub(crate) fn delayed(self, seconds: f64, mean: f32) -> Self {
        if seconds > 0.0 { Self { gone_s: -seconds, weight: mean, ..self } } else { self }
    }

    /// The weight so many seconds from now.
    pub(crate) fn weight_in(&self, seconds: f64) -> f32 {
        let mut later = *self;
        later.step(seconds);
        later.weight
    }

    /// Where it goes.
    pub(crate) fn goal(&self) -> f32 {
        self.to
    }

    pub(crate) fn is_running(&self) -> bool {
        self.left_s() > 0.0
    }

    /// Seconds until it is over; 0 or less if it is.
    pub(crate) fn left_s(&self) -> f64 {
        f64::from(self.seconds) - self.gone_s
    }

    /// Goes on by `dt` seconds.
    pub(crate) fn step(&mut self, dt: f64) {
        if !self.is_running() {
            return;
        }
        self.gone_s += dt;
        self.weight = if self.is_running() { self.after(self.gone_s) as f32 } else { self.to };
    }

    /// The weight so many seconds after it began, while it runs.
    fn after(&self, gone_s: f64) -> f64 {
        let (from, to) = (f64::from(self.from), f64::from(self.to));
        if gone_s <= 0.0 { from } else { from + (to - from) * (gone_s / f64::from(self.seconds)) }
    }

    /// The mean of the weight from here to `later`, the same fade after a step, if it is a straight line all the way.
    pub(crate) fn straight_mean(&self, later: &Self) -> Option<f32> {
        let straight = self.gone_s >= 0.0 && later.gone_s <= f64::from(self.seconds);
        straight.then_some(0.5 * (self.weight + later.weight))
    }

    /// The mean of the weight from `from_s` to `to_s` seconds from now; what it is now, if that is no time.
    pub(crate) fn mean(&self, [from_s, to_s]: [f64; 2]) -> f32 {
        if !self.is_running() || to_s <= from_s {
            return self.weight;
        }
        let (start, end) = (self.gone_s + from_s, self.gone_s + to_s);
        let seconds = f64::from(self.seconds);
        let [first, last] = [start, end].map(|s| s.clamp(0.0, seconds));
        let ramp =
            if last > first { (self.after(first) + self.after(last)) / 2.0 * (last - first) } else { 0.0 };
        let ahead = (end.min(0.0) - start).max(0.0) * f64::from(self.weight);
        let behind = (end - start.max(seconds)).max(0.0) * f64::from(self.to);
        ((ahead + ramp + behind) / (to_s - from_s)) as f32
    }

    /// The mean of the weight while a playback runs, from and to seconds of a step of `dt`, and its part in the whole step, of
    /// which it is shown for so many seconds.
    pub(crate) fn parts(&self, [began_s, ended_s]: [f64; 2], shown_s: f64, dt: f64) -> [f32; 2] {
        let share = self.mean([0.0, shown_s]) * (shown_s / dt) as f32;
        [self.mean([began_s, ended_s.max(began_s)]), share]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_that_of_many_steps() {
        let fades = [
            Fade::over(0.25, 1.0, 0.5),
            Fade::over(1.0, 0.0, 0.5).delayed(0.125, 1.0),
            Fade::rise(0.75, 0.0, 0.25),
            Fade::rise(0.75, 0.25, 0.25),
            Fade::hold(0.3),
        ];
        for fade in fades {
            for [from, to] in [[0, 16], [0, 1], [5, 900], [600, 1000], [0, 0]] {
                let count = to - from;
                let mut moving = fade;
                moving.step(f64::from(from) / 1024.0);
                let start = moving.weight;
                let mut sum = 0.0;
                for _ in 0..count {
                    // The middle of each.
                    moving.step(0.5 / 1024.0);
                    sum += f64::from(moving.weight);
                    moving.step(0.5 / 1024.0);
                }
                let expected = if count == 0 { f64::from(start) } else { sum / f64::from(count) };
                let mean = fade.mean([from, to].map(|ticks| f64::from(ticks) / 1024.0));
                assert!((f64::from(mean) - expected).abs() < 1e-6, "{fade:?}: {mean}, not {expected}");
            }
        }
    }
}
