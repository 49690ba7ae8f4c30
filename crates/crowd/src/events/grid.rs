//! Whether a step may have passed a marker at all, which it seldom has.

use throng_tracks::BankClip;

/// Which of 64 equal parts of a clip have markers.
#[derive(Clone, Copy)]
pub(crate) struct MarkerGrid {
    /// Parts a second.
    scale: f64,
    parts: u64,
}

impl MarkerGrid {
    pub(crate) fn new(clip: &BankClip) -> Self {
        let duration_s = f64::from(clip.duration_s());
        let mut grid = Self { scale: if duration_s > 0.0 { 64.0 / duration_s } else { 0.0 }, parts: 0 };
        for marker in clip.markers() {
            grid.parts |= 1 << grid.part(marker.time_s.into());
        }
        grid
    }

    /// Whether there is any marker.
    pub(crate) fn is_marked(self) -> bool {
        self.parts != 0
    }

    /// The part that a time inside of the clip is in, or but for rounding: a later time is in no earlier part.
    #[inline]
    fn part(self, time_s: f64) -> u64 {
        // From here on doubles are the whole numbers, and their lowest bits count them: the sum rounds to the nearest.
        const WHOLE: f64 = (1u64 << 52) as f64;
        ((time_s * self.scale + WHOLE).to_bits() & 0xff).min(63)
    }

    /// False only if no marker is at or between two times.
    #[inline]
    pub(crate) fn may_pass(self, a_s: f64, b_s: f64) -> bool {
        let (a, b) = (self.part(a_s), self.part(b_s));
        let between = u64::MAX << a.min(b) & u64::MAX >> (63 - a.max(b));
        self.parts & between != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_in_the_order_of_times() {
        for duration_s in [1e-3f32, 0.7, 1.0, 3600.0] {
            let grid = MarkerGrid { scale: 64.0 / f64::from(duration_s), parts: 0 };
            let times = (0..=10_000).map(|i| f64::from(duration_s) * f64::from(i) / 10_000.0);
            let parts: Vec<u64> = times.map(|t| grid.part(t)).collect();
            assert!(parts.is_sorted() && parts[0] == 0 && parts[10_000] == 63);
            assert_eq!(grid.part(-f64::from(duration_s) * 1e-16), 0);
            assert_eq!(grid.part(f64::from(duration_s) * (1.0 + 1e-15)), 63);
        }
    }

    #[test]
    fn no_marker_between_two_times_is_missed() {
        for part in 0..64 {
            let grid = MarkerGrid { scale: 64.0, parts: 1 << part };
            for (a, b) in [(0, 1000), (100, 500), (499, 501), (500, 500), (999, 1000)] {
                let (a_s, b_s) = (f64::from(a) / 1000.0, f64::from(b) / 1000.0);
                let expected = (grid.part(a_s)..=grid.part(b_s)).contains(&part);
                assert_eq!((grid.may_pass(a_s, b_s), grid.may_pass(b_s, a_s)), (expected, expected));
            }
        }
    }
}
