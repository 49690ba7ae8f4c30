//! What a frame does for all that are due, and how long it takes.
//!
//! Poses that several show and those that others move between are made ahead, in buffers of the crowd's own, since the
//! buffer that a frame writes is never read.

use throng_kernels::{Layout, Line};

use crate::due::{Asked, Due};
use crate::extras::{Extras, SOCKET_FLOATS};
use crate::previous::grow;
use crate::shards::{From, Scene, Work};
use crate::{Crowd, FrameReport, StageMs};

/// How many lines so many floats take.
pub(super) fn lines(floats: usize) -> usize {
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
            poses: &$crowd.poses,
        }
    };
}

impl Crowd {
    /// Poses all that are due. Returns the times before it, after all are found, and behind it.
    pub(super) fn pose(&mut self, which: usize, layout: Layout, out: &mut [f32]) -> [f64; 3] {
        let start_ms = self.now_ms();
        self.flush_touched();
        let skip_frozen = self.skips_frozen(which);
        self.due.select(Asked {
            slots: &self.slots,
            details: &self.details,
            layers: &self.layers,
            bank: self.plan.bank(),
            turns: &mut self.turns[which],
            budget: &mut self.budget,
            sharing: &mut self.sharing,
            own: self.extras.are_own(),
            skip_frozen,
        });
        self.prepare();
        let selected_ms = self.now_ms();
        let (places, packed) = (self.slots.count(), Layout::new(layout.format()));
        self.pose_shared(packed);
        self.pose_between(which, Layout::new(layout.format().mixed_from()));
        let from = From::Told(&self.due.how, &self.sharing, &self.turns[which]);
        let work = Work { places, due: &self.due.slots, from };
        self.shards.run(scene!(self), work, layout, out, &mut self.extras);
        self.extras.settle(&self.due.slots);
        [start_ms, selected_ms, self.now_ms()]
    }

    /// Room for what is written beside palettes, and a pose for those who show one that nobody gave.
    fn prepare(&mut self) {
        self.extras.fit(self.slots.count(), SOCKET_FLOATS * self.plan.socket_count());
        if self.layers.shows_external() {
            let prepared = self.poses.prepare(&self.plan);
            debug_assert!(prepared.is_ok(), "playbacks of such poses were checked when they came");
        }
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
        self.shards.run(scene!(self), work, layout, out, &mut Extras::default());
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
                let work = Work { places, due, from: From::Layers };
                self.shards.run(scene!(self), work, layout, out, &mut Extras::default());
            }
        }
        self.turns[which].between.put_back(both);
    }

    /// Reports.
    pub(super) fn count(&mut self, [start_ms, selected_ms, posed_ms]: [f64; 3]) {
        let Due { evaluated, shared, held, frozen, .. } = self.due;
        let end_ms = self.now_ms();
        let ms = self.stopwatch.reports.then_some(StageMs {
            advance: self.advance_ms,
            select: selected_ms - start_ms,
            pose: posed_ms - selected_ms,
            settle: end_ms - posed_ms,
        });
        self.report = FrameReport { evaluated, shared, held, frozen, hidden: self.slots.hidden(), ms };
        self.budget.measured(end_ms - start_ms, evaluated);
    }

    /// The time, if anybody asks for it; else always the same.
    pub(super) fn now_ms(&self) -> f64 {
        let asked = self.stopwatch.reports || self.budget.ms.is_some();
        if asked { self.stopwatch.now_ms() } else { 0.0 }
    }
}
