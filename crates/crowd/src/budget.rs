//! Intervals that keep a frame within a time.
//!
//! What a pose costs is measured; so many may be made as the time is enough for. Importance is sorted into classes, half
//! an octave each, and all classes are slowed down by one *pressure*: an interval is `2^(pressure - octaves of importance)`, never less
//! than what the caller chose. The pressure is the least with which the poses of a frame, counted class by class, are
//! few enough. An interval that is no whole number is the one below for some slots and the one above for the others.

/// The longest interval that a budget leads to.
pub(crate) const LONGEST: u8 = 32;

/// Half octaves of importance, from 2^-8 to 2^8.
const CLASSES: usize = 33;

/// The class of importance 1.
const ORDINARY: usize = 16;

/// Pressures are tried in parts of half an octave.
const STEPS: i32 = 8;

/// How much of what was just measured goes into the cost of a pose: a frame that the system held up is soon forgotten.
const NEW_PART: f64 = 0.2;

/// A time for frames, and what follows from it.
#[derive(Default)]
pub(crate) struct Budget {
    /// None: intervals are the caller's.
    pub(crate) ms: Option<f64>,
    /// What a pose costs; none yet: not known.
    cost_ms: Option<f64>,
    /// Of each class, the interval that it is slowed down to.
    intervals: Vec<f32>,
    /// By class and by the caller's interval, how many visible instances there are.
    counts: Vec<u32>,
}

/// The class of an importance.
fn class(importance: f32) -> usize {
    // The exponent and the first place behind the point: the halves of an octave, but for the second beginning at
    // 1.5 rather than 1.41.
    let halves = (importance.max(0.0).to_bits() >> 22) as usize;
    (halves + ORDINARY).saturating_sub(2 * 127).min(CLASSES - 1)
}

impl Budget {
    /// Before a frame is counted.
    pub(crate) fn begin(&mut self) {
        let Some(ms) = self.ms else { return };
        let cells = CLASSES * usize::from(LONGEST);
        self.intervals.resize(CLASSES, 1.0);
        self.counts.resize(cells, 0);
        let pressure = match self.cost_ms {
            Some(cost_ms) if cost_ms > 0.0 => self.pressure(ms / cost_ms),
            _ => -(ORDINARY as i32) * STEPS,
        };
        for (class, interval) in self.intervals.iter_mut().enumerate() {
            *interval = slowed(class, pressure);
        }
        self.counts.fill(0);
    }

    /// The interval of a slot whose instance is visible, and whose caller chose one; counts it.
    pub(crate) fn interval(&mut self, slot: usize, chosen: u8, importance: f32) -> u8 {
        if self.ms.is_none() {
            return chosen;
        }
        let class = class(importance);
        let chosen_class = usize::from(chosen.clamp(1, LONGEST)) - 1;
        self.counts[class * usize::from(LONGEST) + chosen_class] += 1;
        // By another number than phases, so that both go their own ways.
        let dither = ((slot as u32).wrapping_mul(0x85eb_ca6b) >> 8) as f32 / (1 << 24) as f32;
        chosen.max((self.intervals[class] + dither) as u8)
    }

    /// How long a frame took that made so many poses.
    pub(crate) fn measured(&mut self, ms: f64, poses: usize) {
        if self.ms.is_none() || poses == 0 || !(ms >= 0.0 && ms.is_finite()) {
            return;
        }
        let cost_ms = ms / poses as f64;
        let before = self.cost_ms.unwrap_or(cost_ms);
        self.cost_ms = Some(before + (cost_ms - before) * NEW_PART);
    }

    /// The least pressure with which a frame makes no more than so many poses; the greatest if none is enough.
    fn pressure(&self, poses: f64) -> i32 {
        let (mut low, mut high) = (-(ORDINARY as i32) * STEPS, (ORDINARY as i32 + 10) * STEPS);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.poses(middle) <= poses {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// How many poses a frame makes under a pressure.
    fn poses(&self, pressure: i32) -> f64 {
        let mut poses = 0.0;
        for (class, counts) in self.counts.chunks_exact(usize::from(LONGEST)).enumerate() {
            let interval = slowed(class, pressure);
            let (whole, part) = (interval.floor(), f64::from(interval.fract()));
            for (count, chosen) in counts.iter().zip(1..) {
                let at = |interval: f32| 1.0 / f64::from(interval.max(chosen as f32));
                poses += f64::from(*count) * ((1.0 - part) * at(whole) + part * at(whole + 1.0));
            }
        }
        poses
    }
}

/// The interval of a class under a pressure.
fn slowed(class: usize, pressure: i32) -> f32 {
    let octaves = (pressure - (class as i32 - ORDINARY as i32) * STEPS) as f32 / (2 * STEPS) as f32;
    octaves.exp2().clamp(1.0, f32::from(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_half_octaves() {
        assert_eq!(
            [0.0, 1e-9, 1.0 / 256.0, 0.5, 1.0, 1.4, 1.5, 2.0, 256.0, 1e30].map(class),
            [0, 0, 0, 14, 16, 16, 17, 18, 32, 32]
        );
    }

    /// So many instances under a budget, with turns in any order: the poses of each of the last frames.
    fn run(
        ms: f64,
        cost_ms: impl Fn(usize) -> f64,
        importance: impl Fn(usize) -> f32,
        chosen: u8,
    ) -> (Vec<f64>, Budget) {
        let mut budget = Budget { ms: Some(ms), ..Budget::default() };
        let mut poses = Vec::new();
        for frame in 0..60 {
            budget.begin();
            let each = (0..4000).map(|slot| 1.0 / f64::from(budget.interval(slot, chosen, importance(slot))));
            let sum: f64 = each.collect::<Vec<_>>().into_iter().sum();
            budget.measured(sum * cost_ms(frame), sum.round() as usize);
            poses.push(sum);
        }
        (poses.split_off(40), budget)
    }

    #[test]
    fn poses_are_as_many_as_there_is_time_for() {
        for part in [0.9, 0.75, 0.5, 0.3, 0.1, 0.05] {
            // A pose takes a microsecond.
            let (poses, _) = run(4.0 * part, |_| 1e-3, |_| 1.0, 1);
            for poses in poses {
                assert!((poses / (4000.0 * part) - 1.0).abs() < 0.06, "{part}: {poses}");
                assert!(poses <= 4000.0 * part * 1.01, "{part}: {poses}");
            }
        }
        // Time enough, or no time.
        assert!(run(8.0, |_| 1e-3, |_| 1.0, 1).0.iter().all(|poses| *poses == 4000.0));
        assert!(run(0.0, |_| 1e-3, |_| 1.0, 1).0.iter().all(|poses| *poses == 125.0));
        assert!(run(2.0, |_| 1e-3, |_| 1.0, 4).0.iter().all(|poses| *poses == 1000.0));
    }

    #[test]
    fn the_important_wait_less() {
        let importance = |slot: usize| [0.25, 1.0, 16.0][slot % 3];
        let (poses, mut budget) = run(2.0, |_| 1e-3, importance, 1);
        assert!(poses.iter().all(|poses| (1900.0..=2020.0).contains(poses)), "{poses:?}");
        budget.begin();
        let mean = |budget: &mut Budget, importance: f32| {
            (0..1000).map(|slot| f32::from(budget.interval(slot, 1, importance))).sum::<f32>() / 1000.0
        };
        let [low, middle, high] = [0.25, 1.0, 16.0].map(|importance| mean(&mut budget, importance));
        assert!(low > 3.5 * middle && high == 1.0, "{low} {middle} {high}");
    }

    #[test]
    fn what_poses_cost_is_followed() {
        let (poses, _) = run(2.0, |frame| if frame < 15 { 2e-3 } else { 0.8e-3 }, |_| 1.0, 1);
        assert!(poses.iter().all(|poses| (2300.0..=2525.0).contains(poses)), "{poses:?}");
    }
}
