//! Frames, timed.

use std::time::{Duration, Instant};

use throng::{Level, Stores};

use super::setup::{Setup, Who};
use crate::error::CliError;

/// Seconds between frames.
pub(super) const STEP_S: f64 = 1.0 / 60.0;

/// Frames that are not timed: they touch all memory, and let clocks of processors settle.
const WARM_UP: u32 = 3;

/// Nanoseconds that something took, frame by frame.
#[derive(Default)]
pub(super) struct Series(Vec<f64>);

impl Series {
    pub(super) fn time<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let done = work();
        self.push(start.elapsed());
        done
    }

    pub(super) fn push(&mut self, took: Duration) {
        self.0.push(took.as_secs_f64() * 1e9);
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The middle, or the mean of the two that are.
    pub(super) fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let half = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 }
    }
}

/// What each variant took.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) advance: Series,
    pub(super) ours: Series,
    pub(super) naive: Series,
    pub(super) scalar: Series,
    /// With seeks: ours, playing on.
    forward: Series,
    /// With layers: ours, by the first alone.
    one_layer: Series,
    pub(super) plain_fill: Series,
    pub(super) streaming_fill: Series,
}

impl Measured {
    /// What playing on took, if the others seek.
    pub(super) fn forward(&self) -> Option<&Series> {
        Some(&self.forward).filter(|series| !series.is_empty())
    }

    /// What one layer took, if there are more or it is masked.
    pub(super) fn one_layer(&self) -> Option<&Series> {
        Some(&self.one_layer).filter(|series| !series.is_empty())
    }

    /// The floor: the fill with the lower median, and its stores.
    pub(super) fn fill(&self) -> (&Series, Stores) {
        if self.streaming_fill.median() < self.plain_fill.median() {
            (&self.streaming_fill, Stores::Streaming)
        } else {
            (&self.plain_fill, Stores::Cached)
        }
    }
}

/// Runs and times frames. `done` is called after each that counts.
pub(super) fn frames(setup: &mut Setup, frames: u32, done: impl Fn()) -> Result<Measured, CliError> {
    let mut warm_up = Measured::default();
    for _ in 0..WARM_UP {
        frame(setup, &mut warm_up)?;
    }
    let mut measured = Measured::default();
    for _ in 0..frames {
        frame(setup, &mut measured)?;
        done();
    }
    Ok(measured)
}

/// What writes the buffer.
#[derive(Clone, Copy)]
enum Variant {
    Ours,
    Naive,
    Scalar,
    Forward,
    OneLayer,
    Fill(Stores),
}

/// One frame by every variant, so that whatever disturbs the machine disturbs all of them.
///
/// The order is drawn anew each frame: streaming stores leave the buffer outside of the caches and the others leave its
/// end inside, and none should always come behind the same one.
fn frame(setup: &mut Setup, measured: &mut Measured) -> Result<(), CliError> {
    measured.advance.time(|| setup.advance(STEP_S))?;
    setup.prepare(STEP_S)?;

    let mut variants = vec![Variant::Ours, Variant::Naive, Variant::Scalar];
    variants.extend([Stores::Cached, Stores::Streaming].map(Variant::Fill));
    variants.extend(setup.subject.seek.then_some(Variant::Forward));
    variants.extend(setup.subject.is_layered().then_some(Variant::OneLayer));
    setup.random.shuffle(&mut variants);
    let level = setup.subject.level;
    for variant in variants {
        match variant {
            Variant::Ours => measured.ours.time(|| setup.run_ours(Who::Players, level))?,
            Variant::Naive => measured.naive.time(|| setup.run_naive()),
            Variant::Scalar => measured.scalar.time(|| setup.run_ours(Who::Players, Level::scalar()))?,
            Variant::Forward => measured.forward.time(|| setup.run_ours(Who::Forward, level))?,
            Variant::OneLayer => measured.one_layer.time(|| setup.run_ours(Who::OneLayer, level))?,
            // The floor is that of the processor, whatever the level.
            Variant::Fill(stores) => {
                let series = match stores {
                    Stores::Cached => &mut measured.plain_fill,
                    Stores::Streaming => &mut measured.streaming_fill,
                };
                series.time(|| setup.fill(Level::detect(), stores, 1.0));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        let series = |times: &[f64]| Series(times.to_vec());
        assert_eq!(series(&[5.0, 1.0, 3.0]).median(), 3.0);
        assert_eq!(series(&[5.0, 1.0, 3.0, 4.0]).median(), 3.5);
        assert_eq!(series(&[5.0, 1.0, 3.0]).min(), 1.0);
    }
}
