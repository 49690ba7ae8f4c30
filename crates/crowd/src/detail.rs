//! How much of a frame's work an instance is given.

use crate::playback::at_least_zero;
use crate::{CrowdError, InstanceId};

/// How much of a frame's work an instance is given: told by [`Crowd::set_detail`](crate::Crowd::set_detail), for those far
/// away or out of focus. From its spawn on an instance has all of it.
///
/// Where sockets, bounds or matrices of the world are asked for, each instance needs a pose of its own: then nobody is smooth, and nobody
/// shares.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Detail {
    /// It is posed in every so-manieth frame, from 1 for each: at the time that it has then. In the frames between it keeps
    /// its palette. Instances of one interval take turns, so that all frames have about the same work.
    pub interval: u8,
    /// Which [level](crate::Crowd::set_joint_levels) of joints moves: 0 for all, and fewer from level to level.
    pub level: u8,
    /// Whether it moves on between its turns, along a straight way from pose to pose, rather than keep its palette: every
    /// entry is mixed of those of two turns. So it is shown one interval late, costs a copy of its palette a
    /// frame and the memory of two, and what turns far from one turn to the next shrinks on the way.
    pub smooth: bool,
    /// By how many seconds of its clip it may be shown early or late, so that it can share a pose with others that play
    /// the same clip at about the same time: each such pose is made once, and copied. 0 for none of that. Only who plays one clip alone,
    /// in full, shares. It is not smooth.
    pub share_s: f32,
    /// How much it matters where a [budget](crate::Crowd::set_budget_ms) makes intervals longer: of half as much, twice as long.
    /// 0 or above; what differs by less than half an octave may count the same, and what is beyond 1/256 and 256 as these.
    pub importance: f32,
}

impl Default for Detail {
    /// All of it, in every frame.
    fn default() -> Self {
        Self { interval: 1, level: 0, smooth: false, share_s: 0.0, importance: 1.0 }
    }
}

impl Detail {
    /// Whether an instance, if it is known, can have such, where there are so many levels besides the first.
    pub(crate) fn check(&self, id: Option<InstanceId>, lower: usize) -> Result<(), CrowdError> {
        if self.interval == 0 {
            return Err(CrowdError::NoInterval);
        }
        if usize::from(self.level) > lower {
            return Err(CrowdError::NoSuchLevel { id, level: self.level, levels: lower + 1 });
        }
        at_least_zero("share_s", self.share_s.into())?;
        at_least_zero("importance", self.importance.into())?;
        Ok(())
    }

    /// Whether it moves between turns.
    pub(crate) fn is_smooth(&self) -> bool {
        self.smooth && self.share_s == 0.0
    }
}

/// In which frames instances that are frozen are left out: those whose output is, bit for bit, what was written for
/// them before. All of their playbacks are paused, at speed 0 or at their end, no fade runs, and neither a control nor
/// another setting changed what they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SkipFrozen {
    /// In none: every frame poses them again.
    Never,
    /// In frames of [`Crowd::evaluate`](crate::Crowd::evaluate), whose buffer keeps what was written.
    #[default]
    OwnBuffer,
    /// In frames of [`Crowd::evaluate_into`](crate::Crowd::evaluate_into), too: its caller gives the same buffer each
    /// time, or calls [`Crowd::refresh`](crate::Crowd::refresh) before it gives another one.
    Always,
}

/// The detail of all slots.
#[derive(Default)]
pub(crate) struct Details {
    /// Empty until one is another than the default.
    column: Vec<Detail>,
}

impl Details {
    pub(crate) fn get(&self, slot: usize) -> Detail {
        self.column.get(slot).copied().unwrap_or_default()
    }

    pub(crate) fn level(&self, slot: usize) -> u8 {
        self.column.get(slot).map_or(0, |detail| detail.level)
    }

    /// There are no levels beyond this one any more.
    pub(crate) fn limit_levels(&mut self, last: u8) {
        self.column.iter_mut().for_each(|detail| detail.level = detail.level.min(last));
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        if !self.column.is_empty() {
            self.column.reserve(more);
        }
    }

    /// A slot, there or the next, has all of it.
    pub(crate) fn spawn(&mut self, slot: usize) {
        if !self.column.is_empty() {
            self.set(slot + 1, slot, Detail::default());
        }
    }

    /// Sets one of so many slots.
    pub(crate) fn set(&mut self, slots: usize, slot: usize, detail: Detail) {
        if self.column.is_empty() && detail == Detail::default() {
            return;
        }
        if self.column.len() < slots {
            self.column.resize(slots, Detail::default());
        }
        self.column[slot] = detail;
    }
}
