//! The clocks of a chunk in one of the places, in lanes; then its fades, one by one but in a row.

use throng_kernels::{AdvancedColumns, BLOCK, ClockColumns, Line, advance_clocks};
use throng_tracks::{Advanced, ClockState, ClockTerms};

use super::ways::Ways;
use super::{CHUNK, Columns, Known, bits};
use crate::columns::is_over;
use crate::events::MarkerGrid;
use crate::fade::Fade;
use crate::kind::Kind;
use crate::layers::motion::Motion;

/// Blocks of a chunk.
pub(super) const BLOCKS: usize = CHUNK / BLOCK;

/// So many are not worth lanes: for one the same in lanes costs half as much, but lanes are paid for all.
const FEW: u32 = 24;

/// What a step did to those of a chunk that play in one of the places.
pub(super) struct PlaceLanes {
    /// Where clocks were.
    phases_s: [f64; CHUNK],
    passes: [f64; CHUNK],
    waits_s: [f64; CHUNK],
    /// What the step did to them.
    ends: [f64; CHUNK],
    overshoots_s: [f64; CHUNK],
    pub(super) found: Found,
    /// Whether so few play here that lanes would mostly be empty.
    pub(super) are_few: bool,
    pub(super) clips: [u32; CHUNK],
    pub(super) ways: Ways,
    /// By how much clips lead them inside of a pass: the weights of their playbacks while these ran.
    pub(super) weights: [Line; BLOCKS],
    /// How much of what they show the playbacks are, over the whole step.
    pub(super) shares: [Line; BLOCKS],
}

/// What was found out of each, in a bit.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// Who has events of its clock to tell.
    pub(super) hits: u64,
    /// Who plays a clip with markers.
    marked: u64,
    /// Whose fade or playback ended.
    pub(super) ends: u64,
    /// Who has a part in where its instance goes.
    pub(super) averaged: u64,
    /// Whose clip may have led it somewhere.
    pub(super) led: u64,
    /// Who of them came from one pass into another on the way.
    pub(super) over_ends: u64,
    /// Who was shown until its clip ended in the step, and not behind that: its way is ahead of those that follow.
    pub(super) gone: u64,
}

impl Found {
    /// What a playback is, whatever a step does to it.
    #[inline]
    fn see(&mut self, slot: usize, kind: Kind) {
        self.hits |= u64::from(kind.is_new()) << slot;
        self.marked |= u64::from(kind.is_marked()) << slot;
    }
}

impl PlaceLanes {
    pub(super) const NEW: Self = Self {
        phases_s: [0.0; CHUNK],
        passes: [0.0; CHUNK],
        waits_s: [0.0; CHUNK],
        ends: [0.0; CHUNK],
        overshoots_s: [0.0; CHUNK],
        found: Found { hits: 0, marked: 0, ends: 0, averaged: 0, led: 0, over_ends: 0, gone: 0 },
        are_few: false,
        clips: [0; CHUNK],
        ways: Ways::NONE,
        weights: [Line::ZERO; BLOCKS],
        shares: [Line::ZERO; BLOCKS],
    };

    /// Moves the clocks and fades of those that play, and finds out what that means for each. `busy` says whose fades run or
    /// whose playbacks are over.
    pub(super) fn run(&mut self, columns: &mut Columns<'_>, playing: u64, busy: u64, known: Known<'_>) {
        self.found = Found::default();
        if playing == 0 {
            return;
        }
        self.are_few = playing.count_ones() <= FEW;
        if self.are_few {
            bits(playing).for_each(|slot| self.advance_one(columns, slot, known.step.dt));
        } else {
            self.advance(columns, playing, known);
        }
        self.look(columns, playing, known.grids);
        if let Some(motion) = known.motion {
            self.lead(columns, playing, motion, known);
        }
        for slot in bits(playing & busy) {
            self.fade(columns, slot, known);
        }
    }

    /// The same for one of them, by the same bits.
    fn advance_one(&mut self, columns: &mut Columns<'_>, slot: usize, dt: f64) {
        let (terms, before, kind) = (columns.terms(slot), columns.state(slot), columns.kinds[slot]);
        let (mut after, mut advanced) = (before, Advanced::default());
        self.found.see(slot, kind);
        if !kind.is_paused() {
            advanced = after.advance(&terms, dt).expect("time was checked");
        }
        let ClockState { phase_s, passes, wait_s } = before;
        (self.phases_s[slot], self.passes[slot], self.waits_s[slot]) = (phase_s, passes, wait_s);
        self.ends[slot] = advanced.passes as f64;
        self.overshoots_s[slot] = advanced.overshoot_s.unwrap_or(-1.0);
        self.ways.find_one(slot, columns.courses[slot], [terms.min_s, terms.max_s], [before, after]);
        (columns.phases_s[slot], columns.passes[slot], columns.waits_s[slot]) =
            (after.phase_s, after.passes, after.wait_s);
    }

    fn advance(&mut self, columns: &mut Columns<'_>, playing: u64, known: Known<'_>) {
        let count = columns.clips.len();
        self.phases_s[..count].copy_from_slice(columns.phases_s);
        self.passes[..count].copy_from_slice(columns.passes);
        self.waits_s[..count].copy_from_slice(columns.waits_s);
        // Who does not play here, or is paused, stands still.
        let mut speeds = [0.0; CHUNK];
        for (slot, (speed, kind)) in columns.speeds.iter().zip(&*columns.kinds).enumerate() {
            let runs = playing >> slot & 1 == 1 && !kind.is_paused();
            speeds[slot] = if runs { *speed } else { 0.0 };
            self.found.see(slot, *kind);
        }
        let clocks = ClockColumns {
            phase_s: columns.phases_s,
            passes: columns.passes,
            wait_s: columns.waits_s,
            speed: &speeds[..count],
            min_s: columns.mins_s,
            max_s: columns.maxs_s,
            first: columns.firsts,
            last: columns.lasts,
        };
        let done =
            AdvancedColumns { passes: &mut self.ends[..count], overshoot_s: &mut self.overshoots_s[..count] };
        let step = known.step;
        advance_clocks(step.level, clocks, step.dt, done)
            .expect("time was checked, and columns have one length");
        if known.motion.is_some() || self.found.marked & playing != 0 {
            self.ways.find(columns, &self.phases_s);
        }
    }

    /// Who has something to tell.
    fn look(&mut self, columns: &Columns<'_>, playing: u64, grids: &[MarkerGrid]) {
        let mut hits = self.found.hits;
        let ends = self.ends.iter().zip(&self.overshoots_s).enumerate().take(columns.clips.len());
        for (slot, (ends, overshoot_s)) in ends {
            hits |= u64::from((*ends != 0.0) | (*overshoot_s >= 0.0)) << slot;
        }
        hits &= playing;
        let count = columns.clips.len().min(CHUNK);
        let (clips, passes) = (&columns.clips[..count], &columns.passes[..count]);
        let (mins_s, maxs_s) = (&columns.mins_s[..count], &columns.maxs_s[..count]);
        let phases_s = &columns.phases_s[..count];
        for slot in bits(self.found.marked & playing & !hits).take_while(|slot| *slot < count) {
            // A step that is over an end may end none, backwards.
            let stays = passes[slot] == self.passes[slot];
            // A sum that is the end may round to a place ahead of it.
            let length_s = f64::from(maxs_s[slot]) - f64::from(mins_s[slot]);
            let at_end = (self.phases_s[slot] >= length_s) | (phases_s[slot] >= length_s);
            let grid = grids[clips[slot] as usize];
            let hit = !stays | at_end | grid.may_pass(self.ways.from_s[slot], self.ways.to_s[slot]);
            hits |= u64::from(hit) << slot;
        }
        self.found.hits = hits;
    }

    /// By how much the ways of those who play lead.
    fn lead(&mut self, columns: &Columns<'_>, playing: u64, motion: &Motion, known: Known<'_>) {
        let count = columns.clips.len().min(CHUNK);
        self.clips[..count].copy_from_slice(columns.clips);
        let weights: &mut [f32; CHUNK] = bytemuck::cast_mut(&mut self.weights);
        let shares: &mut [f32; CHUNK] = bytemuck::cast_mut(&mut self.shares);
        (*weights, *shares) = ([0.0; CHUNK], [0.0; CHUNK]);
        let mut found = self.found;
        let (mut over, mut finished) = (0, 0);
        let states = columns.fades.iter().zip(&*columns.waits_s).zip(columns.masks);
        let columns_of = columns.kinds.iter().zip(states).zip(&*columns.passes);
        for (slot, ((kind, ((fade, wait_s), mask)), pass)) in columns_of.enumerate().take(CHUNK) {
            if playing >> slot & 1 == 0 || kind.is_additive() {
                continue;
            }
            let weight = shown_weight(*kind, fade, *wait_s) * motion.mask(known.step.masks, *mask);
            shares[slot] = weight;
            found.averaged |= 1 << slot;
            if !kind.is_external() {
                weights[slot] = weight;
                found.led |= 1 << slot;
            }
            over |= u64::from(*pass != self.passes[slot]) << slot;
            finished |= u64::from(self.overshoots_s[slot] >= 0.0) << slot;
        }
        found.over_ends = found.led & over;
        self.found = found;
        for slot in bits(finished) {
            let mask = motion.mask(known.step.masks, columns.masks[slot]);
            self.weigh(slot, columns.kinds[slot], [&columns.fades[slot]; 2], mask, known.step.dt);
        }
    }

    /// Moves the fade of one of them, and takes the mean of its weight for what it was in the step.
    #[inline]
    fn fade(&mut self, columns: &mut Columns<'_>, slot: usize, known: Known<'_>) {
        let (kind, before) = (columns.kinds[slot], columns.fades[slot]);
        columns.fades[slot].step(known.step.dt);
        let ended = before.is_running() && !columns.fades[slot].is_running();
        if ended && kind.is_leaving() {
            self.run_again(columns, slot, run_s(kind, &before, known.step.dt));
        }
        let fade = &columns.fades[slot];
        let over = ended || is_over(kind, fade, columns.waits_s[slot]);
        self.found.ends |= u64::from(over) << slot;
        if let Some(motion) = known.motion.filter(|_| self.found.averaged >> slot & 1 == 1) {
            let mask = motion.mask(known.step.masks, columns.masks[slot]);
            self.weigh(slot, kind, [&before, fade], mask, known.step.dt);
        }
    }

    /// Whose weight ended in the step, ran until then only.
    #[cold]
    fn run_again(&mut self, columns: &mut Columns<'_>, slot: usize, run_s: f64) {
        columns.phases_s[slot] = self.phases_s[slot];
        columns.passes[slot] = self.passes[slot];
        columns.waits_s[slot] = self.waits_s[slot];
        self.advance_one(columns, slot, run_s);
        let over = columns.passes[slot] != self.passes[slot];
        self.found.over_ends &= !(1 << slot);
        self.found.over_ends |= self.found.led & u64::from(over) << slot;
        self.found.hits |= 1 << slot;
    }

    /// How much of its instance a playback was on the way, whose weight changed.
    fn weigh(&mut self, slot: usize, kind: Kind, [before, after]: [&Fade; 2], mask: f32, dt: f64) {
        let overshoot_s = self.advanced(slot).overshoot_s;
        let waited_s = self.waits_s[slot].min(dt);
        let weights: &mut [f32; CHUNK] = bytemuck::cast_mut(&mut self.weights);
        let shares: &mut [f32; CHUNK] = bytemuck::cast_mut(&mut self.shares);
        let straight = before.straight_mean(after);
        // Nearly always it is on a straight line, and runs all the time.
        if overshoot_s.is_none()
            && waited_s <= 0.0
            && let Some(mean) = straight
        {
            (shares[slot], weights[slot]) = (mask * mean, mask * mean);
            return;
        }
        if dt <= 0.0 {
            return;
        }
        let ended_s = run_s(kind, before, dt) - overshoot_s.unwrap_or(0.0);
        // What comes to its rest, or its end, in this very step shows for a part of it.
        let leaves = overshoot_s.is_some() && (kind.rests() || kind.is_removed());
        let shown_s = if leaves { ended_s } else { dt };
        self.found.gone |= u64::from(leaves) << slot;
        let [weight, share] = before.parts([waited_s, ended_s], shown_s, dt);
        (weights[slot], shares[slot]) = (mask * weight, mask * share);
    }

    /// Where the clock of one of them was.
    pub(super) fn before(&self, slot: usize) -> ClockState {
        ClockState { phase_s: self.phases_s[slot], passes: self.passes[slot], wait_s: self.waits_s[slot] }
    }

    /// What the step did to it.
    pub(super) fn advanced(&self, slot: usize) -> Advanced {
        let overshoot_s = self.overshoots_s[slot];
        Advanced { passes: self.ends[slot] as i64, overshoot_s: (overshoot_s >= 0.0).then_some(overshoot_s) }
    }
}

/// How long of a step a playback runs.
#[inline]
fn run_s(kind: Kind, fade: &Fade, dt: f64) -> f64 {
    if kind.is_leaving() { fade.left_s().clamp(0.0, dt) } else { dt }
}

#[inline(always)]
fn shown_weight(kind: Kind, fade: &Fade, wait_s: f64) -> f32 {
    if kind.rests() && wait_s == f64::INFINITY { 0.0 } else { fade.weight }
}

impl Columns<'_> {
    pub(super) fn state(&self, slot: usize) -> ClockState {
        ClockState { phase_s: self.phases_s[slot], passes: self.passes[slot], wait_s: self.waits_s[slot] }
    }

    pub(super) fn terms(&self, slot: usize) -> ClockTerms {
        let range_s = [self.mins_s[slot], self.maxs_s[slot]];
        self.courses[slot].terms(self.speeds[slot], range_s, [self.firsts[slot], self.lasts[slot]])
    }
}
