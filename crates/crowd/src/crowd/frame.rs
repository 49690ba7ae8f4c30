//! A frame: clocks, palettes, and how both are run.

use throng_kernels::{Layout, Level, Line, Stores};

use super::detail::{CALLERS, OWN};
use crate::due::{Asked, Due};
use crate::playback::at_least_zero;
use crate::previous::grow;
use crate::shards::{From, Scene, Work};
use crate::{Crowd, CrowdError, FrameReport, StageMs, Threads};

/// How many lines so many floats take.
fn lines(floats: usize) -> usize {
    floats.div_ceil(size_of::<Line>() / size_of::<f32>())
}

/// What there is to pose, of fields that are not written meanwhile.
macro_rules! scene {
    ($crowd:ident) => {
        Scene {
            plan: &$crowd.plan,
            lower: &$crowd.lower,
            details: &$crowd.details,
            layers: &$crowd.layers,
            masks: $crowd.masks.get(),
        }
    };
}

/// Frames.
impl Crowd {
    /// Moves all instances by `dt` seconds, each by its own speed; a negative speed plays back. Fades go on with it, and
    /// [`events`](Self::events) tells what happened since the step before.
    ///
    /// Clocks are those of [`PlaybackClock`](throng_tracks::PlaybackClock): after a hundred hours at 60 Hz they are less than a
    /// microsecond off. What comes to the end of its repeat stays there.
    ///
    /// # Errors
    /// If `dt` is negative or not finite. Then nothing moves.
    pub fn advance(&mut self, dt: f64) -> Result<(), CrowdError> {
        let dt = at_least_zero("dt", dt)?;
        let start_ms = self.now_ms();
        let Self { layers, slots, plan, events, shards, .. } = self;
        layers.begin_queued(dt, slots, plan.bank(), events);
        layers.move_clocks(dt, slots, plan.bank(), shards.threads, events);
        layers.move_fades(dt, slots, events);
        events.settle();
        self.advance_ms = self.now_ms() - start_ms;
        Ok(())
    }

    /// Poses all visible instances, or of those that [take turns](crate::Detail::interval) those whose turn it is, and writes
    /// their palettes into the crowd's own buffer, which is returned.
    pub fn evaluate(&mut self) -> &[f32] {
        self.written = self.slots.count() * self.palette_floats();
        let lines = lines(self.written);
        if let Some(previous) = &mut self.previous {
            previous.swap(&mut self.buffer, lines);
        }
        grow(&mut self.buffer, lines);
        let mut buffer = std::mem::take(&mut self.buffer);
        let out = &mut bytemuck::cast_slice_mut(&mut buffer)[..self.written];
        let times_ms = self.pose(OWN, Layout::new(self.layout.format()), out);
        if let Some(previous) = &mut self.previous {
            previous.settle(&self.slots, &self.due.slots, out);
        }
        self.buffer = buffer;
        self.evaluations += 1;
        self.count(times_ms);
        self.palettes()
    }

    /// Poses all visible instances and writes their palettes into `out`, each at its slot, as the [layout](Self::set_layout)
    /// has it. The crowd's own buffer stays as it is.
    ///
    /// The rest of `out` is not touched: neither free slots, nor those of hidden instances and of those whose
    /// [turn](crate::Detail::interval) it is not, nor what the layout leaves between
    /// palettes, nor what is behind the last slot. Nothing is read from it. Best
    /// aligned to 64 bytes.
    ///
    /// So where instances take turns, give it the buffer of the frame before, and after [`refresh`](Self::refresh) another
    /// one. Several buffers by turns would each be given some instances only: there
    /// [`evaluate`](Self::evaluate) is better, and a copy of what [changed](Self::changed).
    ///
    /// # Errors
    /// If `out` has fewer than [`output_floats`](Self::output_floats).
    pub fn evaluate_into(&mut self, out: &mut [f32]) -> Result<(), CrowdError> {
        let floats = self.check_output(out.len())?;
        let times_ms = self.pose(CALLERS, self.layout, &mut out[..floats]);
        self.count(times_ms);
        Ok(())
    }

    /// How many floats of a buffer a frame needs, if it has as many.
    pub(crate) fn check_output(&self, found: usize) -> Result<usize, CrowdError> {
        let (needed, slots) = (self.output_floats(), self.slots.count());
        if found < needed { Err(CrowdError::BufferTooShort { needed, found, slots }) } else { Ok(needed) }
    }

    /// Poses all that are due. Returns the times before it, after all are found, and behind it.
    fn pose(&mut self, which: usize, layout: Layout, out: &mut [f32]) -> [f64; 3] {
        let start_ms = self.now_ms();
        self.due.select(Asked {
            slots: &self.slots,
            details: &self.details,
            layers: &self.layers,
            bank: self.plan.bank(),
            turns: &mut self.turns[which],
            budget: &mut self.budget,
            sharing: &mut self.sharing,
        });
        let selected_ms = self.now_ms();
        let (places, packed) = (self.slots.count(), Layout::new(layout.format()));
        self.pose_shared(packed);
        self.pose_between(which, Layout::new(layout.format().mixed_from()));
        let from = From::Told(&self.due.how, &self.sharing, &self.turns[which]);
        let work = Work { places, due: &self.due.slots, from };
        self.shards.run(scene!(self), work, layout, out);
        [start_ms, selected_ms, self.now_ms()]
    }

    /// Poses that several show.
    fn pose_shared(&mut self, layout: Layout) {
        let places = self.sharing.places.len();
        if places == 0 {
            return;
        }
        let floats = places * layout.size(self.plan.palette_entries());
        let mut palettes = std::mem::take(&mut self.sharing.palettes);
        // More than is needed, so that a pose more is no reason to grow.
        grow(&mut palettes, lines(floats).next_power_of_two());
        let work = Work { places, due: &self.sharing.places, from: From::Sharing(&self.sharing) };
        let out = &mut bytemuck::cast_slice_mut(&mut palettes)[..floats];
        self.shards.run(scene!(self), work, layout, out);
        self.sharing.palettes = palettes;
    }

    /// Poses of those who move between their turns.
    fn pose_between(&mut self, which: usize, layout: Layout) {
        let places = self.slots.count();
        let floats = places * layout.size(self.plan.palette_entries());
        let mut both = self.turns[which].between.take(lines(floats));
        for (due, buffer) in &mut both {
            if !due.is_empty() {
                let out = &mut bytemuck::cast_slice_mut(buffer)[..floats];
                self.shards.run(scene!(self), Work { places, due, from: From::Layers }, layout, out);
            }
        }
        self.turns[which].between.put_back(both);
    }

    fn count(&mut self, [start_ms, selected_ms, posed_ms]: [f64; 3]) {
        let Due { evaluated, shared, held, .. } = self.due;
        let end_ms = self.now_ms();
        let ms = self.stopwatch.reports.then_some(StageMs {
            advance: self.advance_ms,
            select: selected_ms - start_ms,
            pose: posed_ms - selected_ms,
            settle: end_ms - posed_ms,
        });
        self.report = FrameReport { evaluated, shared, held, hidden: self.slots.hidden(), ms };
        self.budget.measured(end_ms - start_ms, evaluated);
    }

    /// The time, if anybody asks for it; else always the same.
    fn now_ms(&self) -> f64 {
        let asked = self.stopwatch.reports || self.budget.ms.is_some();
        if asked { self.stopwatch.now_ms() } else { 0.0 }
    }

    /// What the last [`evaluate`](Self::evaluate) or [`evaluate_into`](Self::evaluate_into) did.
    #[must_use]
    pub fn report(&self) -> FrameReport {
        self.report
    }

    /// The level that frames run at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.shards.level
    }

    /// Chooses a level. For the same bits on every machine, one [with portable rounding](Level::with_rounding).
    pub fn set_level(&mut self, level: Level) {
        self.shards.level = level;
    }

    /// Chooses the threads that frames run on.
    pub fn set_threads(&mut self, threads: Threads) {
        self.shards.threads = threads;
    }

    /// Chooses how palettes reach memory; none: through the caches.
    pub fn set_stores(&mut self, stores: Option<Stores>) {
        self.shards.stores = stores;
    }

    /// Chooses how many slots are packed and posed at once, rounded up to a multiple of 16; none: as many as suit the
    /// threads and the first-level cache.
    pub fn set_shard_slots(&mut self, slots: Option<usize>) {
        self.shards.shard_slots = slots;
    }
}
