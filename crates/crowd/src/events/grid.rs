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
        let mut grid = Self { scale: 64.0 / f64::from(clip.duration_s()), parts: 0 };
        for marker in clip.markers() {
            grid.parts |= 1 << grid.part(marker.time_s.into());
        }
        grid
    }

    /// Whether there is any marker.
    pub(crate) fn is_marked(self) -> bool {
        self.parts != 0
    }

    /// A later time is in no earlier part. In a clip without length all are in one.
    #[inline]
    fn part(self, time_s: f64) -> u32 {
        ((time_s * self.scale) as u32).min(63)
    }

    /// False only if no marker is at or between two times.
    #[inline]
    pub(crate) fn may_pass(self, a_s: f64, b_s: f64) -> bool {
        let (a, b) = (self.part(a_s), self.part(b_s));
        let between = u64::MAX << a.min(b) & u64::MAX >> (63 - a.max(b));
        self.parts & between != 0
    }
}
