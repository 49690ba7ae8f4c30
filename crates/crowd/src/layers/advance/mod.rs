//! A step of time: clocks, fades and ends of all slots, what they passed, and where that takes characters.
//!
//! Slots are split into jobs, neighbours together, and a job goes chunk by chunk. `clocks` moves clocks in lanes and fades in a
//! row, place by place, and says who has something to tell or to end, where `ways` have led it; these few `slots` goes through
//! one by one. `motion` then makes one step of the ways of all. The lists of events of the jobs stand one behind the other in
//! the order of slots, however many there are.

mod clocks;
mod motion;
mod slots;
mod ways;

use throng_kernels::{BLOCK, LAYERS, Level, Masks, MotionBlock};
use throng_tracks::Bank;

use super::Layers;
use super::motion::{Cut, Motion};
use crate::Threads;
use crate::bits::{SlotSet, WORD, ones as bits};
use crate::columns::{Course, Playbacks};
use crate::events::{EventKinds, EventList, Events, MarkerGrid};
use crate::fade::Fade;
use crate::ids::Slots;
use crate::kind::Kind;
use crate::layers::Order;
use crate::pool::{current_num_threads, join};
use clocks::PlaceLanes;

/// Slots that are gone through at once: whole blocks, and a bit of a number each.
const CHUNK: usize = WORD;

/// Fewer slots than this are not worth another job: some ten microseconds of work.
const LEAST_A_JOB: usize = 2048;

/// For those to take over that are done early.
const JOBS_PER_THREAD: usize = 4;

/// What a step of time is told.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    /// Seconds, finite and 0 or above.
    pub(crate) dt: f64,
    pub(crate) slots: &'a Slots,
    pub(crate) bank: &'a Bank,
    pub(crate) masks: Option<&'a Masks>,
    pub(crate) level: Level,
}

/// The same, with what is known of the bank.
#[derive(Clone, Copy)]
struct Known<'a> {
    step: Step<'a>,
    grids: &'a [MarkerGrid],
    /// The kinds of events that are recorded of each clip.
    recorded: &'a [EventKinds],
    motion: Option<&'a Motion>,
    cuts: &'a [Cut],
}

/// Some slots in a row.
struct Part<'a> {
    first: usize,
    used: &'a mut [u8],
    main: &'a mut [u8],
    whole: &'a mut [u8],
    orders: &'a mut [Order],
    busy: &'a mut [bool],
    /// Words of [`Layers::active`], [`Layers::were_active`] and [`Layers::touched`], one a chunk.
    active: &'a mut [u64],
    were_active: &'a mut [u64],
    touched: &'a mut [u64],
    places: [Columns<'a>; LAYERS],
    /// Of blocks of slots; none if nobody is led anywhere.
    motions: &'a mut [MotionBlock],
}

/// What they play in one of their places. Shorter where nobody behind plays there.
struct Columns<'a> {
    clips: &'a [u32],
    phases_s: &'a mut [f64],
    passes: &'a mut [f64],
    waits_s: &'a mut [f64],
    speeds: &'a [f32],
    mins_s: &'a [f32],
    maxs_s: &'a [f32],
    firsts: &'a [f32],
    lasts: &'a [f32],
    courses: &'a [Course],
    fades: &'a mut [Fade],
    masks: &'a [u16],
    kinds: &'a mut [Kind],
}

/// A value that is split in two at a slot, nearer if it ends there.
macro_rules! halves {
    ($columns:ident at $slots:ident: $($shared:ident)*; $($moving:ident)*) => {{
        let slots = $slots.min($columns.clips.len());
        $(let $shared = $columns.$shared.split_at(slots);)*
        $(let $moving = $columns.$moving.split_at_mut(slots);)*
        (Columns { $($shared: $shared.0,)* $($moving: $moving.0,)* }, Columns { $($shared: $shared.1,)* $($moving: $moving.1,)* })
    }};
}

impl<'a> Columns<'a> {
    fn of(playbacks: &'a mut Playbacks) -> Self {
        let Playbacks {
            clips,
            phases_s,
            passes,
            waits_s,
            speeds,
            mins_s,
            maxs_s,
            firsts,
            lasts,
            courses,
            fades,
            masks,
            kinds,
            ..
        } = playbacks;
        Self {
            clips,
            phases_s,
            passes,
            waits_s,
            speeds,
            mins_s,
            maxs_s,
            firsts,
            lasts,
            courses,
            fades,
            masks,
            kinds,
        }
    }

    fn split(self, slots: usize) -> (Self, Self) {
        halves!(self at slots: clips speeds mins_s maxs_s firsts lasts courses masks; phases_s passes waits_s fades kinds)
    }
}

impl<'a> Part<'a> {
    /// `slots` is a multiple of a chunk, or all there are.
    fn split(self, slots: usize) -> (Self, Self) {
        let (used, used_left) = self.used.split_at_mut(slots);
        let (main, main_left) = self.main.split_at_mut(slots);
        let (whole, whole_left) = self.whole.split_at_mut(slots);
        let (orders, orders_left) = self.orders.split_at_mut(slots);
        let (busy, busy_left) = self.busy.split_at_mut(slots);
        let chunks = slots.div_ceil(CHUNK);
        let (active, active_left) = self.active.split_at_mut(chunks);
        let (were_active, were_active_left) = self.were_active.split_at_mut(chunks);
        let (touched, touched_left) = self.touched.split_at_mut(chunks);
        let blocks = slots.div_ceil(BLOCK).min(self.motions.len());
        let (motions, motions_left) = self.motions.split_at_mut(blocks);
        let [a, b, c, d] = self.places.map(|columns| columns.split(slots));
        let first = self.first + slots;
        (
            Self {
                first: self.first,
                used,
                main,
                whole,
                orders,
                busy,
                active,
                were_active,
                touched,
                places: [a.0, b.0, c.0, d.0],
                motions,
            },
            Self {
                first,
                used: used_left,
                main: main_left,
                whole: whole_left,
                orders: orders_left,
                busy: busy_left,
                active: active_left,
                were_active: were_active_left,
                touched: touched_left,
                places: [a.1, b.1, c.1, d.1],
                motions: motions_left,
            },
        )
    }

    /// Halves itself until there is a list for each part.
    fn run(self, known: Known<'_>, lists: &mut [EventList]) {
        if let [list] = lists {
            return self.chunks(known, list);
        }
        let half = lists.len() / 2;
        let slots = (self.used.len() * half / lists.len()).next_multiple_of(CHUNK).min(self.used.len());
        let (lists, lists_left) = lists.split_at_mut(half);
        let (part, part_left) = self.split(slots);
        join(|| part.run(known, lists), || part_left.run(known, lists_left));
    }

    fn chunks(mut self, known: Known<'_>, events: &mut EventList) {
        let mut lanes = [const { PlaceLanes::NEW }; LAYERS];
        while !self.used.is_empty() {
            let frozen = self.frozen_chunks();
            let count = self.used.len().min(CHUNK * frozen.max(1));
            let (mut chunk, left) = self.split(count);
            self = left;
            if frozen == 0 {
                chunk.step(known, &mut lanes, events);
            }
        }
    }

    /// How many chunks at the beginning have no slot that the step changes, nor root motion of the step before.
    fn frozen_chunks(&self) -> usize {
        let words = self.active.iter().zip(&*self.were_active);
        words.take_while(|(active, were_active)| **active | **were_active == 0).count()
    }

    /// All of a chunk but for slots that are frozen.
    fn step(&mut self, known: Known<'_>, lanes: &mut [PlaceLanes; LAYERS], events: &mut EventList) {
        let active = self.active[0];
        self.were_active[0] = active;
        if active == 0 {
            return self.motions.fill(MotionBlock::STILL);
        }
        let (playing, busy) = self.ones();
        let mut slow = 0;
        for ((columns, lanes), playing) in self.places.iter_mut().zip(&mut *lanes).zip(playing) {
            lanes.run(columns, playing & active, busy, known);
            slow |= lanes.found.hits | lanes.found.ends;
        }
        self.touched[0] |= if known.step.dt > 0.0 { active } else { slow };
        for slot in bits(slow) {
            self.slot(slot, known, lanes, events);
        }
        if let Some(motion) = known.motion {
            self.move_characters(motion, known, lanes);
        }
    }

    /// A bit a slot: of each place whether something plays there, and whether the slot is busy.
    fn ones(&self) -> ([u64; LAYERS], u64) {
        let (mut playing, mut all_busy) = ([0; LAYERS], 0);
        let (used, busy) = (self.used.chunks(8), self.busy.chunks(8));
        for (first, (used, busy)) in used.zip(busy).enumerate() {
            let mut bytes = [[0; 8]; 2];
            for (lane, (used, busy)) in used.iter().zip(busy).enumerate() {
                [bytes[0][lane], bytes[1][lane]] = [*used, u8::from(*busy)];
            }
            let [used, busy] = bytes.map(u64::from_le_bytes);
            for (place, playing) in playing.iter_mut().enumerate() {
                *playing |= lowest_bits(used >> place) << (8 * first);
            }
            all_busy |= lowest_bits(busy) << (8 * first);
        }
        (playing, all_busy)
    }
}

/// The lowest bits of eight bytes, side by side: the product moves each to the highest byte, where none meets another.
#[inline]
fn lowest_bits(bytes: u64) -> u64 {
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl Layers {
    /// Moves everything by a step of time.
    pub(crate) fn advance(&mut self, step: Step<'_>, threads: Threads, events: &mut Events) {
        self.begin_queued(step, events);
        let count = self.used.len();
        let jobs = match threads {
            Threads::One => 1,
            Threads::Pool if count < 2 * LEAST_A_JOB => 1,
            Threads::Pool => match current_num_threads() {
                1 => 1,
                threads => (count / LEAST_A_JOB).min(threads * JOBS_PER_THREAD),
            },
        };
        let lists = events.begin(count, jobs);
        self.cuts.sort_by_key(|cut| cut.slot);
        // Where a cut ended all that moved, the step still has root motion to blend.
        self.cuts.iter().for_each(|cut| self.active.set(cut.slot as usize, true));
        let Self {
            used,
            main,
            whole,
            orders,
            is_busy: busy,
            places,
            motions,
            grids,
            recorded,
            motion,
            cuts,
            ..
        } = self;
        let [active, were_active, touched] =
            [&mut self.active, &mut self.were_active, &mut self.touched].map(SlotSet::words_mut);
        let places = places.each_mut().map(Columns::of);
        let known = Known { step, grids, recorded, motion: motion.as_ref(), cuts };
        let all =
            Part { first: 0, used, main, whole, orders, busy, active, were_active, touched, places, motions };
        all.run(known, lists);
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.drain(..).for_each(|cut| self.settle(cut.slot as usize));
        self.cuts = cuts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_bytes_keep_their_order() {
        for bits in 0..=255u64 {
            let bytes: [u8; 8] = std::array::from_fn(|place| (bits >> place & 1) as u8 | 0xf2);
            assert_eq!(lowest_bits(u64::from_le_bytes(bytes)), bits);
            assert_eq!(super::bits(bits).fold(0, |sum, place| sum | 1 << place), bits);
        }
    }
}
