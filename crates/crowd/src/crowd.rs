use std::fmt;
use std::sync::Arc;

use throng_kernels::{Level, Line, Plan, Stores};
use throng_tracks::{Bank, Skin, WrapMode};

use crate::ids::Slots;
use crate::playback::{Playbacks, duration_s, finite};
use crate::shards::Shards;
use crate::{CrowdError, InstanceId, Playback, Threads};

/// Instances of one skeleton, each with a clip and a time of its own.
///
/// An instance lives in a slot, and its palette stands at that slot: `slot * palette_floats` floats into the buffer, for
/// each joint of the skin three rows of four floats. No spawn or despawn moves another instance. Slots of despawned
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
    slots: Slots,
    playbacks: Playbacks,
    shards: Shards,
    /// How often the crowd's own buffer was written.
    evaluations: u64,
    /// What `evaluations` was when each slot's instance was spawned.
    spawned_at: Vec<u64>,
    /// How many floats of `buffer` the last evaluation wrote.
    written: usize,
    buffer: Vec<Line>,
}

impl Crowd {
    /// An empty crowd over the clips of `bank`, with palettes for `skin`, at the level that the
    /// [environment or the processor](Level::from_env) names.
    ///
    /// # Errors
    /// If bank and skin don't go together, or the environment names a level that can't be had.
    pub fn new(bank: Arc<Bank>, skin: &Skin) -> Result<Self, CrowdError> {
        Ok(Self::with_plan(Arc::new(Plan::new(bank, skin)?), Level::from_env()?))
    }

    /// An empty crowd over a plan, which other crowds may share.
    #[must_use]
    pub fn with_plan(plan: Arc<Plan>, level: Level) -> Self {
        Self {
            plan,
            slots: Slots::default(),
            playbacks: Playbacks::default(),
            shards: Shards::new(level),
            evaluations: 0,
            spawned_at: Vec::new(),
            written: 0,
            buffer: Vec::new(),
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
        self.playbacks.reserve(more);
        self.spawned_at.reserve(more);
    }

    /// A new instance, in a slot that is free or, if none is, behind the last.
    ///
    /// # Errors
    /// If the clip does not exist, time or speed are not finite, or the palettes of so many slots would not fit into
    /// memory.
    pub fn spawn(&mut self, playback: Playback) -> Result<InstanceId, CrowdError> {
        let duration_s = playback.check(self.bank())?;
        let full = CrowdError::Full { slots: self.slots.count() };
        if self.slots.next_is_new() && !self.has_room_for(self.slots.count() + 1) {
            return Err(full);
        }
        let id = self.slots.take().ok_or(full)?;
        self.playbacks.put(id.slot(), &playback, duration_s);
        if id.slot() == self.spawned_at.len() {
            self.spawned_at.push(0);
        }
        self.spawned_at[id.slot()] = self.evaluations;
        Ok(id)
    }

    fn has_room_for(&self, slots: usize) -> bool {
        let bytes =
            slots.checked_mul(self.plan.palette_floats()).and_then(|f| f.checked_mul(size_of::<f32>()));
        bytes.is_some_and(|bytes| bytes <= isize::MAX as usize - size_of::<Line>())
    }

    /// Ends an instance. Its slot becomes free; what stands there in a buffer stays until the slot is used again.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn despawn(&mut self, id: InstanceId) -> Result<(), CrowdError> {
        let slot = self.slots.release(id)?;
        self.playbacks.stop(slot);
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

    /// What an instance plays now.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn playback(&self, id: InstanceId) -> Result<Playback, CrowdError> {
        Ok(self.playbacks.get(self.slots.find(id)?))
    }

    /// The time inside its clip that an instance shows now, in seconds.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn shown_s(&self, id: InstanceId) -> Result<f32, CrowdError> {
        Ok(self.playbacks.shown_s(self.slots.find(id)?))
    }

    /// How many passes of its clip an instance has behind it, since it was spawned or its time, clip or mode was set.
    /// A leg of a ping-pong is a pass; a clip that plays once has 1 at its end. Passes played backwards count down, so
    /// the count may be negative. A clip without length has none.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn passes(&self, id: InstanceId) -> Result<i64, CrowdError> {
        Ok(self.playbacks.passes(self.slots.find(id)?))
    }

    /// Changes the clip, if it is another. The time inside of it stays, wrapped into the new clip; passes count from there.
    ///
    /// # Errors
    /// If there is no such instance or clip.
    pub fn set_clip(&mut self, id: InstanceId, clip: usize) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        let duration_s = duration_s(self.bank(), clip)?;
        self.playbacks.set_clip(slot, clip, duration_s);
        Ok(())
    }

    /// Goes to a time, in seconds since the clip began. It is wrapped by the mode; passes are those of that time.
    ///
    /// # Errors
    /// If there is no such instance, or the time is not finite.
    pub fn set_time(&mut self, id: InstanceId, time_s: f64) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        self.playbacks.set_time(slot, finite("time_s", time_s)?);
        Ok(())
    }

    /// Changes the speed, in seconds of the clip a second: negative plays backwards, 0 stands still.
    ///
    /// # Errors
    /// If there is no such instance, or the speed is not finite.
    pub fn set_speed(&mut self, id: InstanceId, speed: f32) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        finite("speed", f64::from(speed))?;
        self.playbacks.set_speed(slot, speed);
        Ok(())
    }

    /// Changes what happens at the clip's ends, if it is something else. The time inside the clip stays; passes count
    /// from there.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn set_wrap(&mut self, id: InstanceId, wrap: WrapMode) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        self.playbacks.set_wrap(slot, wrap);
        Ok(())
    }

    /// Moves all instances by `dt` seconds, each by its own speed; back if `dt` is negative.
    ///
    /// Clocks run in `f64`: after a hundred hours at 60 Hz they are less than a microsecond off. Where a clip plays once,
    /// its clock stops at the end, and leaves it at once when time turns round.
    ///
    /// # Errors
    /// If `dt` is not finite. Then nothing moves.
    pub fn advance(&mut self, dt: f64) -> Result<(), CrowdError> {
        self.playbacks.advance(finite("dt", dt)?);
        Ok(())
    }

    /// Poses all instances and writes their palettes into the crowd's own buffer, which is returned.
    pub fn evaluate(&mut self) -> &[f32] {
        self.written = self.output_floats();
        let lines = self.written.div_ceil(size_of::<Line>() / size_of::<f32>());
        if self.buffer.len() < lines {
            self.buffer.resize(lines, Line::ZERO);
        }
        let out = &mut bytemuck::cast_slice_mut(&mut self.buffer)[..self.written];
        self.shards.run(&self.plan, &self.slots, &self.playbacks, out);
        self.evaluations += 1;
        self.palettes()
    }

    /// Poses all instances and writes their palettes into `out`, each at its slot. The crowd's own buffer stays as it is.
    ///
    /// The rest of `out` is not touched: neither free slots nor what is behind the last slot. Nothing is read from it. Best
    /// aligned to 64 bytes.
    ///
    /// # Errors
    /// If `out` has fewer than [`output_floats`](Self::output_floats).
    pub fn evaluate_into(&mut self, out: &mut [f32]) -> Result<(), CrowdError> {
        let (needed, found) = (self.output_floats(), out.len());
        let slots = self.slots.count();
        let out = out.get_mut(..needed).ok_or(CrowdError::BufferTooShort { needed, found, slots })?;
        self.shards.run(&self.plan, &self.slots, &self.playbacks, out);
        Ok(())
    }

    /// How many floats the palettes of all slots take.
    #[must_use]
    pub fn output_floats(&self) -> usize {
        self.slots.count() * self.plan.palette_floats()
    }

    /// The palettes that the last [`evaluate`](Self::evaluate) wrote, each at its slot. Begins at a multiple of 64 bytes.
    #[must_use]
    pub fn palettes(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.buffer)[..self.written]
    }

    /// [`palettes`](Self::palettes) as bytes, for a graphics API.
    #[must_use]
    pub fn palette_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.palettes())
    }

    /// The palette of one instance, as the last [`evaluate`](Self::evaluate) wrote it.
    ///
    /// # Errors
    /// If there is no such instance, or it was spawned after that.
    pub fn palette(&self, id: InstanceId) -> Result<&[f32], CrowdError> {
        let slot = self.slots.find(id)?;
        if self.spawned_at[slot] == self.evaluations {
            return Err(CrowdError::NotEvaluated { id });
        }
        let floats = self.plan.palette_floats();
        Ok(&self.palettes()[slot * floats..][..floats])
    }

    /// The level that frames run at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.shards.level
    }

    /// Chooses a level.
    pub fn set_level(&mut self, level: Level) {
        self.shards.level = level;
    }

    /// Chooses the threads that frames run on.
    pub fn set_threads(&mut self, threads: Threads) {
        self.shards.threads = threads;
    }

    /// Chooses how palettes reach memory; none: by the [size of the output](Stores::for_bytes).
    pub fn set_stores(&mut self, stores: Option<Stores>) {
        self.shards.stores = stores;
    }

    /// Chooses how many slots are packed and posed at once, rounded up to a multiple of 16; none: as many as suit the
    /// threads and the first-level cache.
    pub fn set_shard_slots(&mut self, slots: Option<usize>) {
        self.shards.shard_slots = slots;
    }
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
