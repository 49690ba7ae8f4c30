//! A step of time: all clocks, slot by slot, and what they passed.
//!
//! Slots are split into jobs, neighbours together, and a job into nothing smaller: a step reads and writes columns only,
//! and the lists of events of the jobs stand one behind the other in the order of slots, however many there are.

use throng_kernels::LAYERS;
use throng_tracks::{Advanced, Bank, ClockState, ClockTerms};

use super::Layers;
use crate::columns::{Before, Playbacks};
use crate::events::{Event, EventKind, Events, Passing, add};
use crate::ids::Slots;
use crate::kind::Kind;
use crate::{InstanceId, PlaybackId, Threads};

/// Fewer slots than this are not worth another job: some ten microseconds of work.
const LEAST_A_JOB: usize = 2048;

/// For those to take over that are done early.
const JOBS_PER_THREAD: usize = 4;

/// What all jobs of a step share.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) dt: f64,
    pub(super) slots: &'a Slots,
    pub(super) bank: &'a Bank,
}

/// Some slots in a row.
struct Part<'a> {
    first: usize,
    used: &'a [u8],
    places: [Columns<'a>; LAYERS],
}

/// What they play in one of their places. Shorter where nobody behind plays there.
pub(super) struct Columns<'a> {
    clocks: &'a mut [ClockState],
    befores: &'a mut [Before],
    kinds: &'a mut [Kind],
    terms: &'a [ClockTerms],
    clips: &'a [u32],
}

impl<'a> Columns<'a> {
    pub(super) fn of(playbacks: &'a mut Playbacks) -> Self {
        let Playbacks { clocks, befores, kinds, terms, clips, .. } = playbacks;
        Self { clocks, befores, kinds, terms, clips }
    }

    /// Moves the clock of one of them, and tells what it came by.
    #[inline]
    pub(super) fn run(&mut self, step: Step<'_>, at: usize, instance: InstanceId, events: &mut Vec<Event>) {
        let (clock, kind) = (&mut self.clocks[at], &mut self.kinds[at]);
        let before = *clock;
        if let Some(to) = self.befores.get_mut(at) {
            *to = Before::of(&before);
        }
        let mut advanced = Advanced::default();
        if !kind.is_paused() {
            advanced = clock.advance(&self.terms[at], step.dt).expect("time is finite, 0 or above");
        }
        if kind.is_telling() || advanced.passes != 0 || advanced.overshoot_s.is_some() {
            tell(step, instance, self, at, (&before, advanced), events);
        }
    }

    fn split(self, slots: usize) -> (Self, Self) {
        let slots = slots.min(self.clips.len());
        let (clocks, clocks_left) = self.clocks.split_at_mut(slots);
        let (befores, befores_left) = self.befores.split_at_mut(slots.min(self.befores.len()));
        let (kinds, kinds_left) = self.kinds.split_at_mut(slots);
        let (terms, terms_left) = self.terms.split_at(slots);
        let (clips, clips_left) = self.clips.split_at(slots);
        (
            Self { clocks, befores, kinds, terms, clips },
            Self {
                clocks: clocks_left,
                befores: befores_left,
                kinds: kinds_left,
                terms: terms_left,
                clips: clips_left,
            },
        )
    }
}

impl Part<'_> {
    fn split(self, slots: usize) -> (Self, Self) {
        let (used, used_left) = self.used.split_at(slots);
        let [a, b, c, d] = self.places.map(|columns| columns.split(slots));
        (
            Self { first: self.first, used, places: [a.0, b.0, c.0, d.0] },
            Self { first: self.first + slots, used: used_left, places: [a.1, b.1, c.1, d.1] },
        )
    }

    /// Halves itself until there is a list for each part.
    fn run(mut self, step: Step<'_>, lists: &mut [Vec<Event>]) {
        if let [list] = lists {
            for at in 0..self.used.len() {
                self.slot(step, at, list);
            }
            return;
        }
        let half = lists.len() / 2;
        let slots = self.used.len() * half / lists.len();
        let (lists, lists_left) = lists.split_at_mut(half);
        let (part, part_left) = self.split(slots);
        rayon::join(|| part.run(step, lists), || part_left.run(step, lists_left));
    }

    #[inline]
    fn slot(&mut self, step: Step<'_>, at: usize, events: &mut Vec<Event>) {
        match self.used[at] {
            0 => {}
            used if used.is_power_of_two() => self.place(step, used.trailing_zeros() as usize, at, events),
            // In the order in which they began, be there two as in a crossfade, or more.
            used if used.count_ones() == 2 => {
                let [a, b] = [used.trailing_zeros(), used.ilog2()].map(|place| place as usize);
                let serial = |place: usize| self.places[place].kinds[at].serial;
                let order = if serial(a) < serial(b) { [a, b] } else { [b, a] };
                order.into_iter().for_each(|place| self.place(step, place, at, events));
            }
            used => {
                let mut order = [(u32::MAX, LAYERS); LAYERS];
                for (place, entry) in order.iter_mut().enumerate() {
                    if used >> place & 1 == 1 {
                        *entry = (self.places[place].kinds[at].serial, place);
                    }
                }
                order.sort_unstable();
                for (_, place) in &order[..used.count_ones() as usize] {
                    self.place(step, *place, at, events);
                }
            }
        }
    }

    #[inline]
    fn place(&mut self, step: Step<'_>, place: usize, at: usize, events: &mut Vec<Event>) {
        self.places[place].run(step, at, step.slots.id(self.first + at), events);
    }
}

/// Tells what a step did to one playback.
fn tell(
    step: Step<'_>,
    instance: InstanceId,
    columns: &mut Columns<'_>,
    at: usize,
    (before, advanced): (&ClockState, Advanced),
    events: &mut Vec<Event>,
) {
    let (after, kind, terms) = (&columns.clocks[at], &mut columns.kinds[at], &columns.terms[at]);
    let playback = PlaybackId { instance, serial: kind.serial };
    let waits = after.wait_s > 0.0 && after.wait_s < f64::INFINITY;
    if waits {
        return;
    }
    if kind.is_fresh() {
        add(events, Event { playback, kind: EventKind::Started });
        kind.set_told();
    }
    // It finished before.
    if kind.is_paused() || terms.speed == 0.0 || before.wait_s == f64::INFINITY {
        return;
    }
    let clip = columns.clips[at];
    let first = kind.take_first();
    let passed = kind.is_marked() || advanced.passes != 0 || advanced.overshoot_s.is_some();
    if passed {
        let bank_clip = &step.bank.clips()[clip as usize];
        let passing = Passing { playback, clip, bank_clip, terms, before, after, advanced, first };
        passing.tell(events);
    }
}

impl Layers {
    /// Moves all clocks by `dt` seconds, finite and 0 or above, each by its own speed.
    pub(crate) fn move_clocks(
        &mut self,
        dt: f64,
        slots: &Slots,
        bank: &Bank,
        threads: Threads,
        events: &mut Events,
    ) {
        let count = self.used.len();
        let jobs = match threads {
            Threads::One => 1,
            Threads::Pool if count < 2 * LEAST_A_JOB => 1,
            Threads::Pool => match rayon::current_num_threads() {
                1 => 1,
                threads => (count / LEAST_A_JOB).min(threads * JOBS_PER_THREAD),
            },
        };
        let lists = events.begin(jobs);
        let places = self.places.each_mut().map(Columns::of);
        Part { first: 0, used: &self.used, places }.run(Step { dt, slots, bank }, lists);
        for event in events.lists.iter().flatten().filter(|event| event.kind == EventKind::Finished) {
            // Whether it ends with its clip.
            self.settle(event.instance().slot());
        }
    }

    /// Moves all fades by `dt` seconds, and ends what is over.
    pub(crate) fn move_fades(&mut self, dt: f64, slots: &Slots, events: &mut Events) {
        self.ended.clear();
        let mut busy = std::mem::take(&mut self.busy);
        busy.retain(|&slot| {
            let slot = slot as usize;
            for place in self.used(slot) {
                let columns = &mut self.places[place];
                columns.fades[slot].step(dt);
                if !columns.is_over(slot) {
                    continue;
                }
                if columns.is_faded(slot) {
                    let playback =
                        PlaybackId { instance: slots.id(slot), serial: columns.kinds[slot].serial };
                    events.tell_late(playback, EventKind::Stopped);
                } else {
                    self.ended.push((slot as u32, place as u8));
                }
                self.end(slot, place);
            }
            self.whole[slot] = self.only_one(slot);
            self.is_busy[slot] = self.is_to_step(slot);
            self.is_busy[slot]
        });
        self.busy = busy;
        self.ended.sort_unstable();
    }
}
