//! How many rows a second a clip needs.

use super::BakeOptions;
use crate::Clip;

/// The rates that exporters write.
const COMMON_HZ: [f32; 7] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
const FALLBACK_HZ: f32 = 60.0;
/// A key lies on a grid if it is within this part of an interval of a row: room for `f32` key times, none for guesses.
const ON_GRID: f64 = 1e-3;

/// Rows of a clip: one at 0, one at its end, `intervals` equal steps between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) rate_hz: f32,
    pub(super) intervals: usize,
    /// Seconds from row to row; 0 for a clip without length.
    pub(super) step_s: f64,
}

impl Grid {
    /// The time of a row; the last row's is the clip's own last key.
    pub(super) fn time(&self, row: usize, duration_s: f32) -> f32 {
        if row == self.intervals { duration_s } else { (row as f64 * self.step_s) as f32 }
    }

    /// Within what of a row's time a key counts as at the row.
    pub(super) fn tolerance_s(&self) -> f32 {
        (ON_GRID * self.step_s) as f32
    }

    pub(super) fn intervals_per_s(&self, duration_s: f32) -> f32 {
        if duration_s > 0.0 { (self.intervals as f64 / f64::from(duration_s)) as f32 } else { 0.0 }
    }
}

pub(super) fn choose(clip: &Clip, options: &BakeOptions) -> Grid {
    let rate_hz = options.rate_hz.unwrap_or_else(|| {
        let fits = |&hz: &f32| clip.timelines().iter().flat_map(|t| t.iter()).all(|&t| on_grid(t, hz));
        COMMON_HZ.into_iter().find(fits).unwrap_or(FALLBACK_HZ)
    });
    let duration = f64::from(clip.duration_s());
    if duration == 0.0 {
        return Grid { rate_hz, intervals: 1, step_s: 0.0 };
    }
    // A clip that ends between two rows gets slightly closer rows, so that its end is one.
    let exact = duration * f64::from(rate_hz);
    let intervals = if on_grid(clip.duration_s(), rate_hz) { exact.round() } else { exact.ceil() };
    let intervals = intervals.max(1.0);
    Grid { rate_hz, intervals: intervals as usize, step_s: duration / intervals }
}

fn on_grid(t: f32, hz: f32) -> bool {
    let x = f64::from(t) * f64::from(hz);
    (x - x.round()).abs() <= ON_GRID
}
