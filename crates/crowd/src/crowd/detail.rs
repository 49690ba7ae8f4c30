//! How often and how well instances are posed.

use std::sync::Arc;

use throng_tracks::JointIndex;

use crate::budget::LONGEST;
use crate::playback::at_least_zero;
use crate::{Crowd, CrowdError, Detail, InstanceId};

/// Fewer than this many are no work for another thread.
const LEAST_A_THREAD: usize = 256;

/// The turns of frames that write the crowd's own buffer.
pub(super) const OWN: usize = 0;
/// Those of frames that write the caller's.
pub(super) const CALLERS: usize = 1;

/// Less work for those that nobody looks at closely.
impl Crowd {
    /// How much work an instance is given.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn detail(&self, id: InstanceId) -> Result<Detail, CrowdError> {
        Ok(self.details.get(self.slots.find(id)?))
    }

    /// Chooses how much work an instance is given, from the next frame on.
    ///
    /// # Errors
    /// If there is no such instance, the interval is 0, or there is no such level.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Detail, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let ids = [crowd.spawn(Playback::default())?, crowd.spawn(Playback::default())?];
    /// crowd.set_detail(ids[1], Detail { interval: 3, ..Detail::default() })?;
    /// crowd.evaluate();
    /// let mut posed = 0;
    /// for _ in 0..30 {
    ///     crowd.advance(1.0 / 60.0)?;
    ///     crowd.evaluate();
    ///     posed += crowd.report().evaluated;
    /// }
    /// assert_eq!(posed, 30 + 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_detail(&mut self, id: InstanceId, detail: Detail) -> Result<(), CrowdError> {
        self.set_detail_many(&[id], detail)
    }

    /// [`set_detail`](Self::set_detail) for many.
    ///
    /// # Errors
    /// If there is no such instance as one of them, the interval is 0, or there is no such level. Then none changed.
    pub fn set_detail_many(&mut self, ids: &[InstanceId], detail: Detail) -> Result<(), CrowdError> {
        ids.iter().try_for_each(|id| self.slots.find(*id).map(drop))?;
        detail.check(ids.first().copied(), self.lower.len())?;
        for id in ids {
            self.put_detail(id.slot(), detail);
        }
        Ok(())
    }

    /// [`set_detail`](Self::set_detail) for all: `choose` is told who it is and what it has, and returns what it is to have.
    ///
    /// It runs on the [threads](Self::set_threads) of frames, in no order.
    ///
    /// # Errors
    /// That of the first instance, by slot, whose detail can't be. Then none changed.
    ///
    /// ```
    /// # use throng_crowd::{Crowd, CrowdError, Detail};
    /// /// Half as often at twice the distance.
    /// fn by_distance(crowd: &mut Crowd, metres: &[f32]) -> Result<(), CrowdError> {
    ///     crowd.set_detail_all(|id, detail| {
    ///         let interval = (metres[id.slot()] / 20.0).clamp(1.0, 8.0) as u8;
    ///         Detail { interval, ..detail }
    ///     })
    /// }
    /// ```
    pub fn set_detail_all(
        &mut self,
        choose: impl Fn(InstanceId, Detail) -> Detail + Sync,
    ) -> Result<(), CrowdError> {
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        chosen.extend(self.slots.ids().map(|id| (id, self.details.get(id.slot()))));
        let lower = self.lower.len();
        let ask = |(id, detail): &mut (InstanceId, Detail)| {
            *detail = choose(*id, *detail);
            detail.check(Some(*id), lower)
        };
        let asked = self.shards.threads.ask_each(&mut chosen, LEAST_A_THREAD, ask);
        if asked.is_ok() {
            chosen.iter().for_each(|(id, detail)| self.put_detail(id.slot(), *detail));
        }
        self.chosen = chosen;
        asked
    }

    fn put_detail(&mut self, slot: usize, detail: Detail) {
        let before = self.details.get(slot);
        if before == detail {
            return;
        }
        let slots = self.slots.count();
        self.details.set(slots, slot, detail);
        if before != (Detail { importance: before.importance, ..detail }) {
            self.layers.touch(slot);
        }
        for turns in &mut self.turns {
            turns.activate(slots);
            if before.is_smooth() != detail.is_smooth() {
                turns.freshen(slot);
            } else if before.interval != detail.interval {
                turns.change(slot, before.interval, detail.interval);
            }
        }
    }

    /// Makes levels of joints, for [`Detail::level`]: at level 1 the first `kept[0]` joints of `order` move, at level 2 the first
    /// `kept[1]`, and so on. The others rest relative to their parents, which they follow, and so do all below them. They cost
    /// little, but have entries in the palette as ever: meshes and shaders need not know.
    ///
    /// [`JointOrder::by_extent`](throng_tracks::JointOrder::by_extent) proposes an order. Levels that were there before are replaced; an
    /// instance whose level is not there any more has the last from now on. All read the same rows, so a level takes a few kilobytes.
    ///
    /// # Errors
    /// If the skeleton has not all joints of `order`, `order` names one twice, a level keeps more joints than `order` has or
    /// than the level before, there are more than 255 levels, or a resting joint can't be written in the
    /// [layout](Self::set_layout)'s format. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Detail, Playback};
    /// # use throng_tracks::*;
    /// # let joint = |parent| Joint { name: String::new(), parent, rest: Rest::Trs(Transform::IDENTITY) };
    /// # let skeleton = Skeleton::new([joint(None), joint(Some(JointIndex(0))), joint(Some(JointIndex(1)))])?;
    /// # let (bank, _) = bake(&skeleton, &[Clip::new("still", &skeleton, [])?], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let order = JointOrder::by_extent(crowd.bank().skeleton());
    /// // Without fingers and face, and then trunk and limbs alone.
    /// crowd.set_joint_levels(order.joints(), &[order.reaching(0.05), order.reaching(0.1)])?;
    /// let far = crowd.spawn(Playback::default())?;
    /// crowd.set_detail(far, Detail { level: 2, ..Detail::default() })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_joint_levels(&mut self, order: &[JointIndex], kept: &[usize]) -> Result<(), CrowdError> {
        let joints = self.bank().skeleton().joint_count();
        if kept.len() > usize::from(u8::MAX) {
            return Err(CrowdError::TooManyLevels { found: kept.len() });
        }
        if let Some(&joint) = order.iter().find(|joint| joint.get() >= joints) {
            return Err(CrowdError::NoSuchJoint { joint, joints });
        }
        check_levels(order, kept)?;
        let plan = |&kept: &usize| {
            let mut moves = vec![false; joints];
            order.iter().take(kept).for_each(|joint| moves[joint.get()] = true);
            let still: Vec<_> = self.bank().skeleton().joints().filter(|joint| !moves[joint.get()]).collect();
            let plan = self.plan.with_still(&still)?;
            plan.check_format(self.layout.format())?;
            Ok(Arc::new(plan))
        };
        self.lower = kept.iter().map(plan).collect::<Result<_, CrowdError>>()?;
        self.details.limit_levels(kept.len() as u8);
        self.layers.touch_all();
        Ok(())
    }

    /// How many levels of joints there are, that of all joints included.
    #[must_use]
    pub fn joint_levels(&self) -> usize {
        self.lower.len() + 1
    }

    /// An instance is due in the next frames, whatever its interval.
    pub(super) fn freshen(&mut self, slot: usize) {
        self.turns.iter_mut().for_each(|turns| turns.freshen(slot));
    }

    /// Gives frames a time, in milliseconds: if they take longer, instances are posed less often, those of little
    /// [importance](Detail::importance) first, by as much as is needed; down to every 32nd frame, and never more often than their own
    /// [interval](Detail::interval). None, as at first: from the next frame on nobody waits longer than that.
    ///
    /// The time is that of [`evaluate`](Self::evaluate) alone. What a pose costs is measured, and the intervals of
    /// a frame follow from the frames before: so it is a matter of the machine which frames pose whom. New instances, and those that are
    /// shown, are always posed at once.
    ///
    /// # Errors
    /// If it is negative or not finite. Then nothing changed.
    ///
    /// ```
    /// # use throng_crowd::{Crowd, CrowdError, Detail};
    /// fn four_ms(crowd: &mut Crowd, metres: &[f32]) -> Result<(), CrowdError> {
    ///     crowd.set_budget_ms(Some(4.0))?;
    ///     crowd.set_detail_all(|id, detail| Detail { importance: 10.0 / metres[id.slot()].max(0.1), ..detail })
    /// }
    /// ```
    pub fn set_budget_ms(&mut self, ms: Option<f64>) -> Result<(), CrowdError> {
        if let Some(ms) = ms {
            at_least_zero("ms", ms)?;
            for turns in &mut self.turns {
                turns.activate(self.slots.count());
            }
        }
        let before = std::mem::replace(&mut self.budget.ms, ms);
        if before.is_some() && ms.is_none() {
            self.forget_waits();
        }
        Ok(())
    }

    /// Nobody waits longer than its own interval, whatever a budget made of it.
    fn forget_waits(&mut self) {
        for slot in 0..self.slots.count() {
            let interval = self.details.get(slot).interval;
            self.turns.iter_mut().for_each(|turns| turns.change(slot, LONGEST, interval));
        }
    }

    /// Chooses whether [reports](Self::report) say how long the stages of a frame took; at first they do not.
    pub fn measure(&mut self, measure: bool) {
        self.stopwatch.reports = measure;
    }

    /// Chooses the clock that measures: a function that returns milliseconds. None, as at first: the system's. On
    /// `wasm32-unknown-unknown` there is none, and without one of the caller's nothing takes any time.
    pub fn set_clock_ms(&mut self, clock: Option<fn() -> f64>) {
        self.stopwatch.set_clock(clock);
    }
}

/// Whether levels can keep so many joints of an order.
fn check_levels(order: &[JointIndex], kept: &[usize]) -> Result<(), CrowdError> {
    let mut places: Vec<(JointIndex, usize)> = order.iter().copied().zip(0..).collect();
    places.sort_unstable();
    if let Some(both) = places.windows(2).find(|both| both[0].0 == both[1].0) {
        let [(joint, first), (_, second)] = [both[0], both[1]];
        return Err(CrowdError::JointTwice { joint, first, second });
    }
    let mut before = order.len();
    for (level, &kept) in (1..).zip(kept) {
        if kept > order.len() {
            return Err(CrowdError::LevelBeyondOrder { level, kept, joints: order.len() });
        }
        if kept > before {
            return Err(CrowdError::GrowingLevel { level, kept, before });
        }
        before = kept;
    }
    Ok(())
}
