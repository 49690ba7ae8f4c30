//! The times of clips that clocks show, and the ways that a step led them: for all of a chunk alike, so that the compiler makes
//! lanes of the loops. [`ClockTerms::time_s`](throng_tracks::ClockTerms::time_s) says the same for one.

use throng_tracks::{ClockState, ClockTerms, WrapMode};

use super::{CHUNK, Columns};

/// The way of each through its clip, in seconds, if it stayed in its pass; but for rounding.
pub(super) struct Ways {
    pub(super) from_s: [f64; CHUNK],
    pub(super) to_s: [f64; CHUNK],
}

/// How the phase of each pass is a time of its clip.
struct Passes {
    /// Where it begins and ends.
    near_s: [f32; CHUNK],
    far_s: [f32; CHUNK],
    /// 1 where it runs up the clip, -1 where it runs down.
    slopes: [f32; CHUNK],
    /// The time nearest to the end that is shown ahead of it.
    limits_s: [f32; CHUNK],
}

impl Ways {
    pub(super) const NONE: Self = Self { from_s: [0.0; CHUNK], to_s: [0.0; CHUNK] };

    /// Of one clock.
    pub(super) fn find_one(&mut self, slot: usize, terms: &ClockTerms, [before, after]: [&ClockState; 2]) {
        let up = terms.runs_up(after.passes);
        let (near_s, slope) = if up { (terms.min_s, 1.0) } else { (terms.max_s, -1.0) };
        self.from_s[slot] = f64::from(near_s) + slope * before.phase_s;
        self.to_s[slot] = f64::from(near_s) + slope * after.phase_s;
    }

    /// Of clocks that were at these phases, and are where the columns say: shows that.
    pub(super) fn find(&mut self, columns: &mut Columns<'_>, before_s: &[f64; CHUNK]) {
        let passes = Passes::of(columns);
        let mut phases_s = [0.0; CHUNK];
        let count = columns.clips.len();
        phases_s[..count].copy_from_slice(columns.phases_s);
        let Passes { near_s, far_s, slopes, limits_s } = &passes;
        let mut times_s = [0.0f32; CHUNK];
        let mut open = [0.0f32; CHUNK];
        for slot in 0..CHUNK {
            let [near, far, slope] = [near_s[slot], far_s[slot], slopes[slot]].map(f64::from);
            self.from_s[slot] = near + slope * before_s[slot];
            self.to_s[slot] = near + slope * phases_s[slot];
            let at_end = phases_s[slot] >= (far - near) * slope;
            let ahead = (far - self.to_s[slot]) * slope > 0.0;
            let inside = if ahead { self.to_s[slot] } else { far };
            times_s[slot] = if at_end { far } else { inside } as f32;
            open[slot] = if at_end { 0.0 } else { 1.0 };
        }
        // A loop does not show the end of a pass that has not ended.
        for slot in 0..CHUNK {
            let beyond = (far_s[slot] - times_s[slot]) * slopes[slot] <= 0.0;
            times_s[slot] = if beyond & (open[slot] > 0.0) { limits_s[slot] } else { times_s[slot] };
        }
        columns.shown_s.copy_from_slice(&times_s[..count]);
    }
}

impl Passes {
    fn of(columns: &Columns<'_>) -> Self {
        let mut passes =
            Self { near_s: [0.0; CHUNK], far_s: [0.0; CHUNK], slopes: [1.0; CHUNK], limits_s: [0.0; CHUNK] };
        let ends = columns.mins_s.iter().zip(columns.maxs_s);
        let courses = columns.courses.iter().zip(&*columns.passes);
        for (slot, ((min_s, max_s), (course, pass))) in ends.zip(courses).enumerate().take(CHUNK) {
            let back = course.wrap == WrapMode::PingPong && *pass as i64 & 1 == 1;
            let up = back == course.reversed;
            let (near, far) = if up { (*min_s, *max_s) } else { (*max_s, *min_s) };
            passes.near_s[slot] = near;
            passes.far_s[slot] = far;
            passes.slopes[slot] = if up { 1.0 } else { -1.0 };
            let beside = if up { far.next_down() } else { far.next_up() };
            passes.limits_s[slot] = if course.wrap == WrapMode::Loop { beside } else { far };
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use throng_tracks::{Play, PlaybackClock, Repeat};

    use super::*;
    use crate::Playback;
    use crate::columns::Playbacks;
    use crate::fade::Fade;
    use crate::kind::Kind;

    #[test]
    fn a_chunk_shows_what_each_clock_shows() {
        for wrap in [WrapMode::Loop, WrapMode::Clamp, WrapMode::PingPong] {
            for (reversed, speed) in [(false, 1.0), (true, 1.0), (false, -1.5), (true, -1.5)] {
                for range_s in [[0.0, 2.0], [0.3, 1.7], [1.0, 1.0], [0.0, 1e-3]] {
                    let play =
                        Play { wrap, reversed, repeat: Repeat::Endless, range_s: Some(range_s), speed };
                    let mut playbacks = Playbacks::default();
                    let clocks: Vec<_> = (0..50)
                        .map(|slot| {
                            let mut clock = PlaybackClock::new(2.0, &play).unwrap();
                            // Also a last place ahead of an end, which rounds to it.
                            let played_s = [slot as f64 * 0.17, 2.0 - 1e-12, 1e-12, 1.4, 4.0][slot % 5];
                            clock.seek_played(played_s).unwrap();
                            let kind = Kind::new(1, &Playback::default(), false, false);
                            playbacks.put(slot, &Playback::default(), &clock, Fade::hold(1.0), kind);
                            clock
                        })
                        .collect();
                    playbacks.shown_s.fill(-1.0);
                    let mut ways = Ways::NONE;
                    ways.find(&mut Columns::of(&mut playbacks), &[0.0; CHUNK]);
                    for (slot, clock) in clocks.iter().enumerate() {
                        let shown = [playbacks.shown_s[slot], clock.time_s()].map(f32::to_bits);
                        assert_eq!(shown[0], shown[1], "{play:?} at {}", clock.played_s());
                        assert!((ways.to_s[slot] - clock.inside_s()).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
