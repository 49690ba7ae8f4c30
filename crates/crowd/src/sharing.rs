//! Poses that several instances show.
//!
//! The time of a clip is cut into steps twice as long as the caller tolerates, and whoever shares shows the middle of the
//! step that it is in. So a pose is looked up rather than searched for, two instances in one step need not know of each
//! other, and one that goes on alone does not show another time than in company.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use throng_kernels::Line;
use throng_tracks::{Bank, RowPair};

use crate::columns::Playbacks;

/// The poses that a frame makes once, and their palettes. Memory of a crowd, used again every frame.
#[derive(Default)]
pub(crate) struct Sharing {
    /// Rows and level of joints.
    pub(crate) poses: Vec<(RowPair, u8)>,
    /// Their numbers: 0, 1, 2 and so on.
    pub(crate) places: Vec<u32>,
    known: HashMap<(u64, u8), u32, BuildHasherDefault<Mix>>,
    pub(crate) palettes: Vec<Line>,
}

impl Sharing {
    pub(crate) fn clear(&mut self) {
        self.poses.clear();
        self.places.clear();
        self.known.clear();
    }

    /// The number of the pose of a slot that may be so many seconds off; with room for so many at once.
    pub(crate) fn pose(
        &mut self,
        bank: &Bank,
        (playing, slot): (&Playbacks, usize),
        tolerance_s: f32,
        level: u8,
        slots: usize,
    ) -> u32 {
        if self.poses.capacity() < slots {
            self.poses.reserve(slots);
            self.places.reserve(slots);
            self.known.reserve(slots);
        }
        let clip = playing.clip(slot);
        let time_s = middle_s(playing.shown_s(slot), tolerance_s, bank.clips()[clip].duration_s());
        let pair = bank.locate(clip, time_s);
        let key = u64::from(pair.row) << 32 | u64::from(pair.fraction.to_bits());
        *self.known.entry((key, level)).or_insert_with(|| {
            let number = self.poses.len() as u32;
            self.poses.push((pair, level));
            self.places.push(number);
            number
        })
    }
}

/// The middle of the step that a time of a clip is in: no farther from it than the tolerance.
fn middle_s(time_s: f32, tolerance_s: f32, duration_s: f32) -> f32 {
    let step_s = 2.0 * f64::from(tolerance_s);
    let middle_s = ((f64::from(time_s) / step_s).floor() + 0.5) * step_s;
    // The last step may be shorter, and the end of a clip is another pose than what comes just before it.
    let last_s = if time_s < duration_s { duration_s.next_down() } else { duration_s };
    (middle_s as f32).min(last_s).max(0.0)
}

/// A hash of numbers: what is hashed is not chosen by anybody who would do harm.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u8(*byte));
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_off_by_the_tolerance_at_most_and_never_run_back() {
        for duration_s in [0.0f32, 0.1, 1.0, 37.5] {
            for tolerance_s in [1e-6f32, 0.001, 1.0 / 60.0, 0.3, 100.0] {
                let mut before_s = 0.0;
                for i in 0..=1000 {
                    let time_s = duration_s * i as f32 / 1000.0;
                    let shown_s = middle_s(time_s, tolerance_s, duration_s);
                    // Half a last place of the time is lost where it is rounded.
                    let off = f64::from(shown_s) - f64::from(time_s);
                    assert!(
                        off.abs() <= f64::from(tolerance_s) + f64::from(shown_s * f32::EPSILON),
                        "{time_s}"
                    );
                    assert!((before_s..=duration_s).contains(&shown_s), "{time_s}: {shown_s}");
                    before_s = shown_s;
                }
            }
        }
    }
}
