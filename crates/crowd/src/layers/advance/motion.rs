//! The steps of the characters of a chunk, of all that they play.

use throng_kernels::{BLOCK, LAYERS, Line, MotionBlock, MotionLayer, MotionSums, add_motion, finish_motion};

use super::clocks::BLOCKS;
use super::{Known, Part, PlaceLanes, bits};
use crate::layers::motion::{Cut, Motion};

impl Part<'_> {
    /// What ended in the middle of the step comes first, all of it; then what goes on, or began.
    pub(super) fn move_characters(
        &mut self,
        motion: &Motion,
        known: Known<'_>,
        lanes: &[PlaceLanes; LAYERS],
    ) {
        let [mut first, mut sums] = [[MotionSums::ZERO; BLOCKS]; 2];
        let (mut shares, mut has_first) = ([Line::ZERO; BLOCKS], 0);
        let (level, axis) = (known.step.level, motion.table.axis());
        for (columns, lanes) in self.places.iter().zip(lanes) {
            let found = lanes.found;
            if found.averaged == 0 {
                continue;
            }
            for (sum, share) in shares.iter_mut().zip(&lanes.shares) {
                for (sum, share) in sum.0.iter_mut().zip(share.0) {
                    *sum += share;
                }
            }
            let mut alone = found.led & (found.over_ends | found.gone);
            if lanes.are_few {
                alone = found.led;
            } else if found.led != 0 {
                let mut weights = lanes.weights;
                for slot in bits(alone | found.averaged & !found.led) {
                    weights[slot / BLOCK].0[slot % BLOCK] = 0.0;
                }
                let layer = MotionLayer {
                    clips: lanes.clips.as_chunks().0,
                    from_s: lanes.ways.from_s.as_chunks().0,
                    to_s: lanes.ways.to_s.as_chunks().0,
                    weights: &weights,
                };
                add_motion(level, &motion.table, layer, &mut sums);
            }
            has_first |= alone & found.gone;
            for slot in bits(alone) {
                let (block, lane, clip) = (slot / BLOCK, slot % BLOCK, columns.clips[slot]);
                let to = if found.gone >> slot & 1 == 1 { &mut first } else { &mut sums };
                let weight = lanes.weights[block].0[lane];
                if found.over_ends >> slot & 1 == 0 {
                    let times_s = [lanes.ways.from_s[slot], lanes.ways.to_s[slot]];
                    to[block].add_way(lane, &motion.table, clip, times_s, weight);
                    continue;
                }
                let travel = columns.terms(slot).travel(&lanes.before(slot), &columns.state(slot));
                if let Some(step) = motion.along(known.step.bank, clip, &travel) {
                    to[block].add(lane, axis, &step, weight);
                }
            }
        }
        for cut in self.cuts(known) {
            let slot = cut.slot as usize - self.first;
            let (block, lane) = (slot / BLOCK, slot % BLOCK);
            shares[block].0[lane] += cut.share;
            first[block].add(lane, axis, &cut.step, cut.weight);
            has_first |= 1 << slot;
        }
        finish_motion(level, &sums, &shares, self.motions);
        if has_first == 0 {
            return;
        }
        let mut ahead = [MotionBlock::STILL; BLOCKS];
        finish_motion(level, &first, &shares, &mut ahead);
        for slot in bits(has_first) {
            let (block, lane) = (slot / BLOCK, slot % BLOCK);
            if let Some(step) = ahead[block].step(lane, axis) {
                let then = self.motions[block].step(lane, axis).unwrap_or_default();
                self.motions[block].set(lane, axis, &step.then(&then));
            }
        }
    }

    /// Those of the part that were cut off.
    fn cuts<'a>(&self, known: Known<'a>) -> impl Iterator<Item = &'a Cut> + use<'a> {
        let mine = self.first..self.first + self.used.len();
        let ahead = known.cuts.partition_point(|cut| (cut.slot as usize) < mine.start);
        known.cuts[ahead..].iter().take_while(move |cut| mine.contains(&(cut.slot as usize)))
    }
}
