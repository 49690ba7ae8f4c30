//! The ways that a step led clocks through their clips.

use throng_tracks::{ClockState, WrapMode};

use super::{CHUNK, Columns};
use crate::columns::Course;

/// The way of each of a chunk, in seconds of its clip, if it stayed in its pass. But for rounding: an end may be a last bit
/// beyond the range.
pub(super) struct Ways {
    pub(super) from_s: [f64; CHUNK],
    pub(super) to_s: [f64; CHUNK],
}

impl Ways {
    pub(super) const NONE: Self = Self { from_s: [0.0; CHUNK], to_s: [0.0; CHUNK] };

    /// Of clocks that were at these phases, and are where the columns say.
    pub(super) fn find(&mut self, columns: &Columns<'_>, before_s: &[f64; CHUNK]) {
        let ranges = columns.mins_s.iter().zip(columns.maxs_s);
        let places = columns.passes.iter().zip(&*columns.phases_s).zip(before_s);
        let columns = columns.courses.iter().zip(ranges).zip(places);
        let ways = self.from_s.iter_mut().zip(&mut self.to_s);
        for ((from_s, to_s), ((course, (min_s, max_s)), ((pass, phase_s), before_s))) in ways.zip(columns) {
            let (near_s, slope) = line(*course, *pass, [*min_s, *max_s]);
            *from_s = near_s + slope * before_s;
            *to_s = near_s + slope * phase_s;
        }
    }

    /// Of one clock.
    pub(super) fn find_one(
        &mut self,
        slot: usize,
        course: Course,
        range_s: [f32; 2],
        [before, after]: [ClockState; 2],
    ) {
        let (near_s, slope) = line(course, after.passes, range_s);
        self.from_s[slot] = near_s + slope * before.phase_s;
        self.to_s[slot] = near_s + slope * after.phase_s;
    }
}

/// Where a pass begins in its clip, and 1 if it runs up, or -1.
#[inline]
fn line(course: Course, pass: f64, [min_s, max_s]: [f32; 2]) -> (f64, f64) {
    let back = course.wrap == WrapMode::PingPong && pass as i64 & 1 == 1;
    if back == course.reversed { (min_s.into(), 1.0) } else { (max_s.into(), -1.0) }
}
