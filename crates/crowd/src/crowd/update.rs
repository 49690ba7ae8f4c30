//! Changes of many instances at once, on all threads.

use rayon::prelude::*;

use crate::{Crowd, CrowdError, InstanceId, Playback, Threads};

/// Fewer than this many are no work for another thread.
const LEAST_A_THREAD: usize = 64;

/// The main playback of one instance, as it is and as it is to be.
pub(super) struct Change {
    id: InstanceId,
    place: usize,
    playback: Playback,
    duration_s: f64,
}

/// Controls of many.
impl Crowd {
    /// Changes the main playbacks of all instances that have one: `change` is told what an instance plays, and returns what
    /// it is to play.
    ///
    /// It runs on the [threads](Self::set_threads) of frames, in no order. Only when all were asked, and all that they said can be, is anything changed. A clip, time or mode that is
    /// another begins anew, and its passes are those of that time; a weight that is another ends a fade.
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
        self.changes.clear();
        for id in self.slots.ids() {
            if let Some(place) = self.layers.main(id.slot()) {
                let playback = self.layers.at(place).get(id.slot());
                self.changes.push(Change { id, place, playback, duration_s: 0.0 });
            }
        }
        self.update_listed(change)
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
        self.changes.clear();
        for &id in ids {
            let (slot, place) = self.find(id)?;
            let playback = self.layers.at(place).get(slot);
            self.changes.push(Change { id, place, playback, duration_s: 0.0 });
        }
        self.update_listed(change)
    }

    fn update_listed(
        &mut self,
        change: impl Fn(InstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), CrowdError> {
        let (bank, masks) = (self.plan.bank(), &self.masks);
        let ask = |asked: &mut Change| {
            asked.playback = change(asked.id, asked.playback);
            asked.duration_s = asked.playback.check_main(bank, masks)?;
            Ok(())
        };
        let refused = match self.shards.threads {
            Threads::One => self.changes.iter_mut().map(ask).find_map(Result::err),
            Threads::Pool => {
                let changes = self.changes.par_iter_mut().with_min_len(LEAST_A_THREAD);
                changes.map(ask).find_map_first(Result::err)
            }
        };
        if let Some(refused) = refused {
            return Err(refused);
        }
        for Change { id, place, playback, duration_s } in &self.changes {
            let slot = id.slot();
            self.layers.change(slot, *place, |columns| columns.set(slot, playback, *duration_s));
        }
        Ok(())
    }
}
