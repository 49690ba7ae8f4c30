//! How many rows a second a clip needs, and which times are those of rows.

use crate::Clip;

/// The rates that exporters write.
const COMMON_HZ: [f32; 7] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
const FALLBACK_HZ: f32 = 60.0;
/// A key is at a row if it is within this part of an interval of it, and the rounding of its own time: room for times
/// written with five digits, none for guesses.
const ON_GRID: f64 = 1e-3;

/// Where the rows of a clip lie: `intervals + 1` of them, at whole multiples of `1 / rate_hz`, the last at the clip's
/// end. If the end is no whole multiple, the last interval is shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) rate_hz: f32,
    /// 0 for a clip without length.
    pub(crate) intervals: usize,
    duration_s: f32,
}

impl Grid {
    pub(crate) fn choose(clip: &Clip, rate_hz: Option<f32>) -> Self {
        let rate_hz = rate_hz.unwrap_or_else(|| {
            let fits = |&hz: &f32| clip.timelines().iter().flat_map(|t| t.iter()).all(|&t| on_grid(t, hz));
            COMMON_HZ.into_iter().find(fits).unwrap_or(FALLBACK_HZ)
        });
        let duration_s = clip.duration_s();
        Self { rate_hz, intervals: place(duration_s, rate_hz).ceil() as usize, duration_s }
    }

    /// A stretch of time in which keys count as at one row.
    pub(crate) fn moment_s(&self) -> f32 {
        (2.0 * ON_GRID / f64::from(self.rate_hz)) as f32
    }

    /// When a row shows, if no key says otherwise.
    pub(crate) fn time(&self, row: usize) -> f32 {
        if row >= self.intervals { self.duration_s } else { (row as f64 / f64::from(self.rate_hz)) as f32 }
    }

    /// A time in intervals. Never decreases with time; times at a row give exactly the [place](Self::row_place) of it.
    pub(crate) fn place(&self, t: f32) -> f64 {
        place(t, self.rate_hz)
    }

    pub(crate) fn row_place(&self, row: usize) -> f64 {
        if row >= self.intervals { self.place(self.duration_s) } else { row as f64 }
    }

    /// The row that a time is at.
    pub(crate) fn row_at(&self, t: f32) -> Option<usize> {
        let place = self.place(t);
        let row = (place.ceil() as usize).min(self.intervals);
        (place == self.row_place(row)).then_some(row)
    }
}

fn place(t: f32, hz: f32) -> f64 {
    let exact = f64::from(t) * f64::from(hz);
    let row = exact.round();
    let tolerance = (ON_GRID + exact * f64::from(f32::EPSILON)).min(0.25);
    if (exact - row).abs() <= tolerance { row } else { exact }
}

fn on_grid(t: f32, hz: f32) -> bool {
    place(t, hz).fract() == 0.0
}
