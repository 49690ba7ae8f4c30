//! A frame: clocks, palettes, and how both are run.

use throng_kernels::{Layout, Level, Stores};

use super::detail::{CALLERS, OWN};
use super::pose::lines;
use crate::layers::Step;
use crate::playback::at_least_zero;
use crate::previous::grow;
use crate::{Crowd, CrowdError, FrameReport, Threads};

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
        let Self { layers, slots, plan, masks, events, shards, .. } = self;
        let step = Step { dt, slots, bank: plan.bank(), masks: masks.get(), level: shards.level };
        layers.advance(step, shards.threads, events);
        events.settle();
        self.advance_ms = self.now_ms() - start_ms;
        Ok(())
    }

    /// Poses all visible instances, or of those that [take turns](crate::Detail::interval) those whose turn it is, and writes
    /// their palettes into the crowd's own buffer, which is returned. Instances of which nothing changed since they were
    /// posed are [left out](Self::set_skip_frozen): their palettes are there already.
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
            previous.settle(&self.slots, &mut self.due.set, out);
            self.due.list();
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
    /// Instances of which nothing changed are posed again, so that several buffers by turns are each written in full, unless
    /// [`SkipFrozen::Always`](crate::SkipFrozen::Always) says that the buffer keeps what was written.
    ///
    /// So where instances take turns, or frozen ones are left out, give it the buffer of the frame before, and after [`refresh`](Self::refresh) another
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
        if level != self.shards.level {
            self.layers.touch_all();
        }
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

    /// Chooses how many of those due are packed and posed at once, rounded up to a multiple of 16; none: as many as suit the
    /// threads and the first-level cache.
    pub fn set_shard_slots(&mut self, slots: Option<usize>) {
        self.shards.shard_slots = slots;
    }
}
