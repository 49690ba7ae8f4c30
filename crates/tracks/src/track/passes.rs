//! Where a track that goes through its keys again has kinks and jumps, which the bake needs to know.

use super::{Extrapolation, Track};

/// No more passes than make this many keys are looked at: beyond, a clip is no longer one that rows could show.
const MOST_KEYS: f64 = (1u32 << 20) as f64;

impl Track {
    /// The times from 0 to `until_s`, outside of the keys, at which a key is passed again.
    pub(crate) fn passed_keys(&self, until_s: f32) -> Vec<f32> {
        let (before, after) = self.extrapolation();
        let (first, last) = (f64::from(self.times[0]), f64::from(self.times[self.times.len() - 1]));
        let (period, until) = (last - first, f64::from(until_s));
        let repeats = |mode| matches!(mode, Extrapolation::Loop | Extrapolation::PingPong);
        let passes = |mode, way: f64| if repeats(mode) && way > 0.0 { (way / period).ceil() } else { 0.0 };
        let (earlier, later) = (passes(before, first), passes(after, until - last));
        if !(period > 0.0 && (earlier + later) * self.times.len() as f64 <= MOST_KEYS) {
            return Vec::new();
        }
        let mut passed = Vec::new();
        for pass in (-(earlier as i64)..=later as i64).filter(|&pass| pass != 0) {
            let mode = if pass < 0 { before } else { after };
            let start = first + pass as f64 * period;
            let turned = mode == Extrapolation::PingPong && pass % 2 != 0;
            passed.extend(self.times.iter().map(|&key| {
                let along = f64::from(key) - first;
                (start + if turned { period - along } else { along }) as f32
            }));
        }
        passed.retain(|t| (0.0..=until_s).contains(t));
        passed
    }

    /// The times from 0 to `until_s`, outside of the keys, from which on the track shows another value than ahead of them.
    pub(crate) fn jumps_outside(&self, until_s: f32) -> Vec<f32> {
        let n = self.channel.components();
        let (mut here, mut ahead) = (vec![0.0; n], vec![0.0; n]);
        let mut change = |t: f32| {
            self.sample_f64(t, &mut here);
            self.sample_f64(t.next_down(), &mut ahead);
            let size = here.iter().chain(&ahead).fold(0.0f64, |size, v| size.max(v.abs()));
            let off = here.iter().zip(&ahead).fold(0.0f64, |off, (a, b)| off.max((a - b).abs()));
            if off > 1e-6 * size { off } else { 0.0 }
        };
        let mut jumps = Vec::new();
        for passed in self.passed_keys(until_s) {
            // The time was rounded, and a key passed backwards shows until just after it. Of two jumps there, the later one
            // decides what goes on.
            let around = [passed.next_down(), passed, passed.next_up()].map(|t| (t, change(t)));
            let (t, off) =
                around.into_iter().fold((passed, 0.0), |a, b| if b.1 > 0.0 && b.1 >= a.1 { b } else { a });
            if off > 0.0 && (0.0..=until_s).contains(&t) {
                jumps.push(t);
            }
        }
        jumps
    }
}
