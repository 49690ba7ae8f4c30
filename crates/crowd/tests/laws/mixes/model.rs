//! One instance and its playbacks, said plainly.

use throng_crowd::{AtEnd, InstanceId, Playback, PlaybackId};
use throng_tracks::WrapMode;

/// Two clips, and what they add: the durations, and all times and speeds below, are whole parts of a power of two, so that
/// sums of them are exact and nobody has to say how near is near enough.
pub(super) const DURATIONS_S: [f64; 4] = [0.75, 2.0, 0.75, 2.0];

/// One playback of the model. Its weight is where a straight line is at `gone_s`.
#[derive(Clone)]
pub(super) struct Layer {
    pub(super) id: PlaybackId,
    pub(super) playback: Playback,
    /// Since the clip began, not wrapped; clamped where it plays once.
    pub(super) time_s: f64,
    pub(super) line: [f64; 2],
    pub(super) seconds: f64,
    pub(super) gone_s: f64,
    /// Whether it is over when the line is.
    pub(super) leaves: bool,
    pub(super) main: bool,
    /// Whether it came to an end of its clip, and was not sent back: also while its speed is 0.
    pub(super) finished: bool,
}

impl Layer {
    pub(super) fn new(id: PlaybackId, playback: Playback, seconds: f64, main: bool) -> Self {
        let line = [0.0, f64::from(playback.weight)];
        Self {
            id,
            playback,
            time_s: playback.time_s,
            line,
            seconds,
            gone_s: 0.0,
            leaves: false,
            main,
            finished: false,
        }
    }

    pub(super) fn weight(&self) -> f64 {
        if self.gone_s >= self.seconds {
            return self.line[1];
        }
        let way = self.gone_s / self.seconds;
        self.line[0] * (1.0 - way) + self.line[1] * way
    }

    pub(super) fn go(&mut self, weight: f64, seconds: f64) {
        self.line = [self.weight(), weight];
        (self.seconds, self.gone_s, self.leaves) = (seconds, 0.0, false);
    }

    pub(super) fn set_speed(&mut self, speed: f32) {
        self.playback.speed = speed;
        self.finished &= speed == 0.0 || self.is_at_end();
    }

    pub(super) fn is_at_end(&self) -> bool {
        let (end, speed) = (DURATIONS_S[self.playback.clip], self.playback.speed);
        let there = (speed > 0.0 && self.time_s >= end) || (speed < 0.0 && self.time_s <= 0.0);
        self.playback.wrap == WrapMode::Clamp && there
    }
}

/// One instance.
#[derive(Clone)]
pub(super) struct Model {
    pub(super) id: InstanceId,
    pub(super) layers: Vec<Layer>,
    pub(super) main: Option<PlaybackId>,
    /// Whether the main mix has only been changed by crossfades to a weight of 1.
    pub(super) whole: bool,
}

impl Model {
    /// `is_over` says of a playback whether the crowd has ended it: of several that are as light as each other, but for the
    /// rounding of their weights, either may go.
    pub(super) fn crossfade(&mut self, seconds: f64, is_over: impl Fn(PlaybackId) -> bool) -> bool {
        let goes = |l: &Layer| l.main && (seconds == 0.0 || l.weight() == 0.0);
        let mut left: Vec<Layer> = self.layers.iter().filter(|l| !goes(l)).cloned().collect();
        if left.len() == 4 {
            let mains: Vec<&Layer> = left.iter().filter(|l| l.main).collect();
            if mains.len() < 2 {
                return false;
            }
            let sum: f64 = mains.iter().map(|l| l.weight()).sum();
            let least = mains.iter().map(|l| l.weight()).fold(f64::INFINITY, f64::min);
            let mut light = mains.iter().filter(|l| l.weight() < least + 1e-6);
            let lightest = light.clone().find(|l| is_over(l.id)).or(light.next()).copied().unwrap().clone();
            left.retain(|l| l.id != lightest.id);
            for l in left.iter_mut().filter(|l| l.main) {
                let weight = l.weight() * sum / (sum - lightest.weight());
                (l.line, l.seconds) = ([weight; 2], 0.0);
            }
        }
        for l in left.iter_mut().filter(|l| l.main) {
            l.go(0.0, seconds);
            l.leaves = true;
        }
        self.layers = left;
        true
    }

    pub(super) fn advance(&mut self, dt: f64) {
        for l in &mut self.layers {
            l.time_s += f64::from(l.playback.speed) * dt;
            if l.playback.wrap == WrapMode::Clamp {
                l.time_s = l.time_s.clamp(0.0, DURATIONS_S[l.playback.clip]);
            }
            l.gone_s += dt;
            l.finished |= l.is_at_end();
        }
        let over = |l: &Layer| {
            let held = l.main && l.leaves;
            l.leaves && l.gone_s >= l.seconds || !held && l.playback.at_end == AtEnd::Remove && l.finished
        };
        let main = self.layers.iter().find(|l| Some(l.id) == self.main);
        self.whole &= main.is_some_and(|main| !over(main));
        self.layers.retain(|l| !over(l));
        self.main = self.main.filter(|main| self.layers.iter().any(|l| l.id == *main));
    }

    pub(super) fn stop(&mut self, at: usize) {
        let gone = self.layers.remove(at);
        self.whole &= !gone.main;
        self.main = self.main.filter(|main| *main != gone.id);
    }
}
