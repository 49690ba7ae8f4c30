//! Changes of many instances at once, on all threads.

use throng_kernels::Plan;
use throng_tracks::{Bank, Play, PlaybackClock};

use crate::columns::Playbacks;
use crate::masks::MaskTable;
use crate::restart::is_at_start;
use crate::{Crowd, CrowdError, InstanceId, Playback};

/// Fewer than this many are no work for another thread.
const LEAST_A_THREAD: usize = 64;

/// The main playback of one instance, as it is and as it is to be.
pub(super) struct Change {
    id: InstanceId,
    place: usize,
    playback: Playback,
    clock: PlaybackClock,
    /// Whether it is to be as it is.
    is_same: bool,
    /// Whether it begins anew: another clip, or another time that is a start.
    restarts: bool,
}

impl Change {
    fn of(id: InstanceId, place: usize, columns: &Playbacks, bank: &Bank) -> Self {
        let slot = id.slot();
        let (playback, clock) = (columns.get(bank, slot), columns.clock(bank, slot));
        Self { id, place, playback, clock, is_same: false, restarts: false }
    }

    /// As it is to be, if that can be.
    fn make(&mut self, new: Playback, plan: &Plan, masks: &MaskTable) -> Result<(), CrowdError> {
        let (old, anew) = (self.playback, new.check_main(plan, masks)?);
        (self.playback, self.is_same) = (new, new == old);
        if old.clip != new.clip {
            (self.clock, self.restarts) = (anew, true);
            return Ok(());
        }
        if old.play() != new.play() {
            // A speed by itself rounds nothing.
            let faster = Play { speed: new.speed, ..old.play() };
            let clock = &mut self.clock;
            if faster == new.play() { clock.set_speed(new.speed)? } else { clock.change(&new.play())? }
        }
        if old.time_s != new.time_s {
            self.clock.seek_played(new.time_s)?;
            self.restarts = is_at_start(&self.clock.terms(), &self.clock.state());
        }
        if old.delay_s != new.delay_s {
            self.clock.set_delay(new.delay_s)?;
        }
        Ok(())
    }
}

/// Controls of many.
impl Crowd {
    /// Changes the main playbacks of all instances that have one: `change` is told what an instance plays, and returns what
    /// it is to play.
    ///
    /// It runs on the [threads](Self::set_threads) of frames, in no order. Only when all were asked, and all that they said can be, is anything changed. Another clip
    /// begins anew at the time given, and so does another time that is a start (see [`events`](Self::events)). Another time is gone to, another mode, range, repeat or speed goes on from what is
    /// shown, and another weight ends a fade.
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn): of the first instance, by slot, whose playback can't be. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let ids = [crowd.spawn(Playback::default())?, crowd.spawn(Playback::default())?];
    /// let speeds = [0.5, 1.5];
    /// crowd.update_all(|id, playback| Playback { speed: speeds[id.slot()], ..playback })?;
    /// crowd.advance(0.5)?;
    /// assert_eq!([crowd.shown_s(ids[0])?, crowd.shown_s(ids[1])?], [0.25, 0.75]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_all(
        &mut self,
        change: impl Fn(InstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), CrowdError> {
        self.list_all();
        self.ask_listed(change)?;
        self.change_listed();
        Ok(())
    }

    /// [`update_all`](Self::update_all), but of these instances alone. One that is named twice is changed by what is said of
    /// it last.
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn), of the first whose playback can't be; or if there is no such instance as one of them,
    /// or its main playback is over. Then nothing changed.
    pub fn update(
        &mut self,
        ids: &[InstanceId],
        change: impl Fn(InstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), CrowdError> {
        self.list_none();
        ids.iter().try_for_each(|&id| self.list(id))?;
        self.ask_listed(change)?;
        self.change_listed();
        Ok(())
    }

    /// Whoever has a main playback is to change.
    pub(crate) fn list_all(&mut self) {
        self.changes.clear();
        let (bank, layers) = (self.plan.bank(), &self.layers);
        let playing = self.slots.ids().filter_map(|id| Some((id, layers.main(id.slot())?)));
        self.changes.extend(playing.map(|(id, place)| Change::of(id, place, layers.at(place), bank)));
    }

    /// Nobody is to change.
    pub(crate) fn list_none(&mut self) {
        self.changes.clear();
    }

    /// One more is to change.
    pub(crate) fn list(&mut self, id: InstanceId) -> Result<(), CrowdError> {
        let (_, place) = self.find(id)?;
        self.changes.push(Change::of(id, place, self.layers.at(place), self.plan.bank()));
        Ok(())
    }

    /// Asks for the change of each that is listed, and changes nothing.
    pub(crate) fn ask_listed(
        &mut self,
        change: impl Fn(InstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), CrowdError> {
        let (plan, masks) = (&self.plan, &self.masks);
        let ask = |asked: &mut Change| {
            let new = change(asked.id, asked.playback);
            asked.make(new, plan, masks)
        };
        self.shards.threads.ask_each(&mut self.changes, LEAST_A_THREAD, ask)
    }

    /// Changes those that are listed to what was asked for.
    pub(crate) fn change_listed(&mut self) {
        let changes = std::mem::take(&mut self.changes);
        for Change { id, place, playback, clock, restarts, .. } in
            changes.iter().filter(|change| !change.is_same)
        {
            let slot = id.slot();
            self.layers.change(slot, *place, |columns| {
                columns.set(slot, playback, clock);
                if *restarts {
                    columns.kinds[slot].restart();
                }
            });
            self.pause_or_resume(slot, *place, playback.paused);
        }
        self.changes = changes;
    }
}
