//! The crowd: who is in it. `control` changes what an instance plays, `layers` how much of it, `update` does so for many, `visibility` whether it is posed, `detail` how often and how well, `frozen` which are left out, `output` where
//! palettes go, and `frame` moves and, by `pose`, poses all.

mod bulk;
mod control;
mod detail;
mod events;
mod external;
mod frame;
mod frozen;
mod layers;
mod many;
mod memory;
mod output;
mod pose;
mod root_motion;
mod sockets;
mod update;
mod visibility;
mod worlds;

use many::Asked;
use update::Change;

use std::fmt;
use std::sync::Arc;

use throng_kernels::{Layout, Level, Line, Plan, PlanOptions};
use throng_tracks::{Bank, Skin};

use crate::budget::Budget;
use crate::detail::Details;
use crate::due::{Due, Turns};
use crate::events::Events;
use crate::external::Poses;
use crate::extras::Extras;
use crate::ids::Slots;
use crate::layers::Layers;
use crate::masks::MaskTable;
use crate::previous::Previous;
use crate::report::Stopwatch;
use crate::shards::Shards;
use crate::sharing::Sharing;
use crate::{CrowdError, Detail, FrameReport, InstanceId, Playback, SkipFrozen};

/// Instances of one skeleton, each with a clip and a time of its own.
///
/// An instance lives in a slot, and its palette stands at that slot: `slot * palette_floats` floats into the buffer, for
/// each joint of the skin three rows of four floats, unless another [layout](Self::set_layout) is set. No spawn or despawn moves another instance. Slots of despawned
/// instances are used again, and not written until then: the last palette stays.
///
/// The same clips, times and [`Level`] give the same bits, on any number of threads and at any shard size. Once the
/// buffers have grown, frames allocate nothing. (Rayon may: where a thread outside of its pool calls, its queue
/// takes a block of memory now and then.)
///
/// ```
/// use std::sync::Arc;
/// use throng_crowd::{Crowd, Playback};
/// use throng_tracks::*;
/// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
/// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
/// let slow = crowd.spawn(Playback { speed: 0.5, ..Playback::default() })?;
/// let late = crowd.spawn(Playback { time_s: 0.75, ..Playback::default() })?;
/// crowd.advance(0.5)?;
/// crowd.evaluate();
/// assert_eq!([crowd.palette(slow)?[3], crowd.palette(late)?[3]], [1.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crowd {
    plan: Arc<Plan>,
    /// Of the levels of joints behind that of all.
    lower: Vec<Arc<Plan>>,
    slots: Slots,
    layers: Layers,
    events: Events,
    masks: MaskTable,
    shards: Shards,
    /// How often the crowd's own buffer was written.
    evaluations: u64,
    /// What `evaluations` was when each slot's instance, which has no palette yet, was spawned or shown: the next one poses
    /// it, unless it is hidden until then ([`NEVER`]).
    awaits: Vec<u64>,
    details: Details,
    /// Memory of [`set_detail_all`](Self::set_detail_all), used again.
    chosen: Vec<(InstanceId, Detail)>,
    /// In frames that write the crowd's own buffer, and in those that write the caller's.
    turns: [Turns; 2],
    due: Due,
    skip_frozen: SkipFrozen,
    budget: Budget,
    sharing: Sharing,
    stopwatch: Stopwatch,
    /// How long the last step of time took, if that was measured.
    advance_ms: f64,
    report: FrameReport,
    layout: Layout,
    /// How many floats of `buffer` the last evaluation wrote.
    written: usize,
    buffer: Vec<Line>,
    previous: Option<Previous>,
    extras: Extras,
    poses: Poses,
    /// Memory of [`update_all`](Self::update_all), used again.
    changes: Vec<Change>,
    /// Memory of controls of many, used again.
    asked: Asked,
}

/// No evaluation poses a hidden instance.
const NEVER: u64 = u64::MAX;

impl Crowd {
    /// An empty crowd over the clips of `bank`, with palettes for `skin`, at the
    /// [fastest level](Level::detect) of the processor. [`with_plan`](Self::with_plan) takes another.
    ///
    /// # Errors
    /// If bank and skin don't go together.
    pub fn new(bank: Arc<Bank>, skin: &Skin) -> Result<Self, CrowdError> {
        Self::with_options(bank, skin, &PlanOptions::default())
    }

    /// As [`new`](Self::new), with options for the [plan](Plan): say, rows of
    /// [sixteen bits](throng_kernels::RowFormat::I16), which take half the memory. They are no default: each of their
    /// numbers is off by up to 1/130,000 of what it moves through, so by a tenth of a millimetre for a root that travels
    /// thirteen metres.
    ///
    /// # Errors
    /// As of [`new`](Self::new); or if the options name a joint that the bank's skeleton has not.
    pub fn with_options(bank: Arc<Bank>, skin: &Skin, options: &PlanOptions<'_>) -> Result<Self, CrowdError> {
        Ok(Self::with_plan(Arc::new(Plan::with_options(bank, skin, options)?), Level::detect()))
    }

    /// An empty crowd over a plan, which other crowds may share.
    #[must_use]
    pub fn with_plan(plan: Arc<Plan>, level: Level) -> Self {
        Self {
            lower: Vec::new(),
            slots: Slots::default(),
            layers: Layers::new(plan.bank()),
            events: Events::default(),
            masks: MaskTable::default(),
            shards: Shards::new(level),
            evaluations: 0,
            awaits: Vec::new(),
            details: Details::default(),
            chosen: Vec::new(),
            turns: Default::default(),
            due: Due::default(),
            skip_frozen: SkipFrozen::default(),
            budget: Budget::default(),
            sharing: Sharing::default(),
            stopwatch: Stopwatch::default(),
            advance_ms: 0.0,
            report: FrameReport::default(),
            layout: Layout::default(),
            written: 0,
            buffer: Vec::new(),
            previous: None,
            extras: Extras::default(),
            poses: Poses::default(),
            changes: Vec::new(),
            asked: Asked::default(),
            plan,
        }
    }

    /// The plan: bank and skin, compiled.
    #[must_use]
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The bank.
    #[must_use]
    pub fn bank(&self) -> &Arc<Bank> {
        self.plan.bank()
    }

    /// Makes room for `more` instances, so that spawning them does not allocate.
    pub fn reserve(&mut self, more: usize) {
        self.slots.reserve(more);
        self.layers.reserve(more);
        self.awaits.reserve(more);
        self.details.reserve(more);
        let slots = self.slots.count() + more;
        self.turns.iter_mut().for_each(|turns| turns.reserve(slots));
    }

    /// A new instance, in a slot that is free or, if none is, behind the last.
    ///
    /// # Errors
    /// If the clip or the mask does not exist, time, speed, delay, range, repeat or weight are not right, the clip is additive, or the palettes of so many slots would not fit into
    /// memory.
    pub fn spawn(&mut self, playback: Playback) -> Result<InstanceId, CrowdError> {
        let clock = playback.check_main(&self.plan, &self.masks)?;
        let full = CrowdError::Full { slots: self.slots.count() };
        if self.slots.next_is_new() && !memory_has(self.slots.count() + 1, self.palette_floats()) {
            return Err(full);
        }
        let id = self.slots.take().ok_or(full)?;
        self.layers.spawn(id.slot(), &playback, &clock);
        if id.slot() == self.awaits.len() {
            self.awaits.push(0);
        }
        self.awaits[id.slot()] = self.evaluations;
        self.details.spawn(id.slot());
        self.freshen(id.slot());
        self.extras.spawn(id.slot());
        if let Some(previous) = &mut self.previous {
            previous.replaced(id.slot());
        }
        Ok(id)
    }

    /// Ends an instance. Its slot becomes free; what stands there in a buffer stays until the slot is used again.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn despawn(&mut self, id: InstanceId) -> Result<(), CrowdError> {
        self.slots.release(id)?;
        self.layers.clear(id.slot());
        self.poses.clear(id.slot());
        Ok(())
    }

    /// How many instances there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.live()
    }

    /// Whether there is no instance.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many slots there are, free ones included. Never less than before.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.count()
    }

    /// Whether the instance lives.
    #[must_use]
    pub fn contains(&self, id: InstanceId) -> bool {
        self.slots.find(id).is_ok()
    }

    /// All instances, by slot.
    pub fn ids(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.slots.ids()
    }
}

/// Whether the palettes of so many slots can stand in one buffer. Where pointers have 32 bits, not all slots can.
fn memory_has(slots: usize, palette_floats: usize) -> bool {
    let bytes = slots.checked_mul(palette_floats).and_then(|floats| floats.checked_mul(size_of::<f32>()));
    bytes.is_some_and(|bytes| bytes <= isize::MAX as usize - size_of::<Line>())
}

impl fmt::Debug for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crowd")
            .field("instances", &self.len())
            .field("slots", &self.slot_count())
            .field("level", &self.level())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_at_most_half_of_memory() {
        let most = (isize::MAX as usize - 64) / 48;
        assert!(memory_has(most, 12) && !memory_has(most + 1, 12));
        assert!(!memory_has(usize::MAX, 12) && !memory_has(usize::MAX / 12, 12));
    }
}
