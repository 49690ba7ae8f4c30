//! The steps of the characters of a chunk, of all that they play.

use throng_kernels::{BLOCK, LAYERS, Line, MotionLayer, MotionSums, add_motion, finish_motion};

use super::clocks::BLOCKS;
use super::{Known, Part, PlaceLanes, bits};
use crate::layers::motion::Motion;

impl Part<'_> {
    pub(super) fn move_characters(
        &mut self,
        motion: &Motion,
        known: Known<'_>,
        lanes: &[PlaceLanes; LAYERS],
    ) {
        let (mut sums, mut shares) = ([MotionSums::ZERO; BLOCKS], [Line::ZERO; BLOCKS]);
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
            if lanes.are_few {
                for slot in bits(found.led & !found.over_ends) {
                    let (block, lane) = (slot / BLOCK, slot % BLOCK);
                    let times_s = [lanes.ways.from_s[slot], lanes.ways.to_s[slot]];
                    let weight = lanes.weights[block].0[lane];
                    sums[block].add_way(lane, &motion.table, columns.clips[slot], times_s, weight);
                }
            } else if found.led != 0 {
                let mut weights = lanes.weights;
                for slot in bits(found.over_ends | found.averaged & !found.led) {
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
            for slot in bits(found.over_ends) {
                let travel = columns.terms(slot).travel(&lanes.before(slot), &columns.state(slot));
                let (block, lane) = (slot / BLOCK, slot % BLOCK);
                if let Some(step) = motion.along(known.step.bank, columns.clips[slot], &travel) {
                    sums[block].add(lane, axis, &step, lanes.weights[block].0[lane]);
                }
            }
        }
        let mine = self.first..self.first + self.used.len();
        let ahead = known.cuts.partition_point(|cut| (cut.slot as usize) < mine.start);
        for cut in known.cuts[ahead..].iter().take_while(|cut| mine.contains(&(cut.slot as usize))) {
            let slot = cut.slot as usize - self.first;
            let (block, lane) = (slot / BLOCK, slot % BLOCK);
            shares[block].0[lane] += cut.share;
            sums[block].add(lane, axis, &cut.step, cut.weight);
        }
        finish_motion(level, &sums, &shares, self.motions);
    }
}
