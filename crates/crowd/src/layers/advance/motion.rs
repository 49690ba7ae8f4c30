//! The steps of the characters of a chunk, of all that they play.

use throng_kernels::{BLOCK, LAYERS, Line, MotionBlock, MotionLayer, MotionSums, add_motion, finish_motion};

use super::clocks::BLOCKS;
use super::{Columns, Known, Part, PlaceLanes, bits};
use crate::layers::motion::{Cut, Motion};

impl Part<'_> {
    /// What ended in the middle of the step comes first, all of it; then what goes on, or began.
    pub(super) fn move_characters(
        &mut self,
        motion: &Motion,
        known: Known<'_>,
        lanes: &[PlaceLanes; LAYERS],
    ) {
        let (mut sums, mut shares) = ([MotionSums::ZERO; BLOCKS], [Line::ZERO; BLOCKS]);
        let mut gone = 0;
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
            let mut alone = found.led & found.over_ends;
            if lanes.are_few {
                alone = found.led;
            } else if found.led != 0 {
                let mut weights = lanes.weights;
                for slot in bits(alone | found.gone | found.averaged & !found.led) {
                    weights[slot / BLOCK].0[slot % BLOCK] = 0.0;
                }
                let layer = MotionLayer {
                    clips: lanes.clips.as_chunks().0,
                    from_s: lanes.ways.from_s.as_chunks().0,
                    to_s: lanes.ways.to_s.as_chunks().0,
                    weights: &weights,
                };
                add_motion(known.step.level, &motion.table, layer, &mut sums);
            }
            bits(alone & !found.gone).for_each(|slot| lead(&mut sums, slot, columns, lanes, motion, known));
            gone |= found.led & found.gone;
        }
        for cut in self.cuts(known) {
            let slot = cut.slot as usize - self.first;
            shares[slot / BLOCK].0[slot % BLOCK] += cut.share;
            gone |= 1 << slot;
        }
        finish_motion(known.step.level, &sums, &shares, self.motions);
        if gone != 0 {
            self.lead_ahead(gone, &shares, motion, known, lanes);
        }
    }

    /// Puts the ways of those who ended in the step, or were cut off, ahead of what is there.
    #[cold]
    fn lead_ahead(
        &mut self,
        gone: u64,
        shares: &[Line; BLOCKS],
        motion: &Motion,
        known: Known<'_>,
        lanes: &[PlaceLanes; LAYERS],
    ) {
        let (mut sums, axis) = ([MotionSums::ZERO; BLOCKS], motion.table.axis());
        for (columns, lanes) in self.places.iter().zip(lanes) {
            let gone = lanes.found.led & lanes.found.gone;
            bits(gone).for_each(|slot| lead(&mut sums, slot, columns, lanes, motion, known));
        }
        for cut in self.cuts(known) {
            let slot = cut.slot as usize - self.first;
            sums[slot / BLOCK].add(slot % BLOCK, axis, &cut.step, cut.weight);
        }
        let mut ahead = [MotionBlock::STILL; BLOCKS];
        finish_motion(known.step.level, &sums, shares, &mut ahead);
        for slot in bits(gone) {
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

/// Adds the way of one.
fn lead(
    sums: &mut [MotionSums; BLOCKS],
    slot: usize,
    columns: &Columns<'_>,
    lanes: &PlaceLanes,
    motion: &Motion,
    known: Known<'_>,
) {
    let (block, lane, clip) = (slot / BLOCK, slot % BLOCK, columns.clips[slot]);
    let weight = lanes.weights[block].0[lane];
    if lanes.found.over_ends >> slot & 1 == 0 {
        let times_s = [lanes.ways.from_s[slot], lanes.ways.to_s[slot]];
        sums[block].add_way(lane, &motion.table, clip, times_s, weight);
        return;
    }
    let travel = columns.terms(slot).travel(&lanes.before(slot), &columns.state(slot));
    if let Some(step) = motion.along(known.step.bank, clip, &travel) {
        sums[block].add(lane, motion.table.axis(), &step, weight);
    }
}
