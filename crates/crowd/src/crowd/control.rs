//! What an instance plays, read and changed.

use throng_tracks::{ClockError, Play, PlaybackClock, WrapMode};

use crate::events::EventKind;
use crate::playback::{self, finite};
use crate::{Crowd, CrowdError, InstanceId, Playback, PlaybackId, Target};

/// One playback at a time: an instance's main one, named by the instance, or any.
impl Crowd {
    /// Slot and place of a playback.
    pub(super) fn find(&self, target: impl Into<Target>) -> Result<(usize, usize), CrowdError> {
        let target = target.into();
        let slot = self.slots.find(target.instance())?;
        let place = match target {
            Target::Main(id) => self.layers.main(slot).ok_or(CrowdError::NoMain { id })?,
            Target::Playback(playback) => {
                self.layers.find(slot, playback.serial).ok_or(CrowdError::Over { playback })?
            }
        };
        Ok((slot, place))
    }

    /// What plays there now.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn playback(&self, target: impl Into<Target>) -> Result<Playback, CrowdError> {
        let (slot, place) = self.find(target)?;
        Ok(self.layers.at(place).get(self.bank(), slot))
    }

    /// All that an instance plays, in no order.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn playbacks(&self, id: InstanceId) -> Result<impl Iterator<Item = PlaybackId> + '_, CrowdError> {
        let slot = self.slots.find(id)?;
        Ok(self.layers.serials(slot).map(move |serial| PlaybackId { instance: id, serial }))
    }

    /// The id of an instance's main playback: the one it was spawned with or last crossfaded to.
    ///
    /// # Errors
    /// If there is no such instance, or its main playback is over.
    pub fn main_playback(&self, id: InstanceId) -> Result<PlaybackId, CrowdError> {
        let (slot, place) = self.find(id)?;
        Ok(PlaybackId { instance: id, serial: self.layers.serial(slot, place) })
    }

    /// The time inside its clip that is shown now, in seconds.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn shown_s(&self, target: impl Into<Target>) -> Result<f32, CrowdError> {
        let (slot, place) = self.find(target)?;
        Ok(self.layers.at(place).shown_s(slot))
    }

    /// How many passes a playback has behind it, since it began or its clip was changed. A leg of a ping-pong is a pass, and
    /// one that is at the end of a finite repeat counts. Those gone through backwards count down, so the count may be
    /// negative. A clip without length has none.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn passes(&self, target: impl Into<Target>) -> Result<i64, CrowdError> {
        let (slot, place) = self.find(target)?;
        Ok(self.layers.at(place).passes(slot))
    }

    /// Whether a playback waits for [another](Self::play_after), and is not seen yet.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn is_waiting(&self, target: impl Into<Target>) -> Result<bool, CrowdError> {
        let (slot, place) = self.find(target)?;
        Ok(self.layers.is_queued(slot, place))
    }

    /// Whether a playback came to the end of its repeat. An endless one never does; a new time, or more to play, starts it
    /// again.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn is_finished(&self, target: impl Into<Target>) -> Result<bool, CrowdError> {
        let (slot, place) = self.find(target)?;
        Ok(self.layers.at(place).is_finished(slot))
    }

    /// Lets a playback's clock stand still. Fades go on, and it is still seen.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn pause(&mut self, target: impl Into<Target>) -> Result<(), CrowdError> {
        self.set_paused(target, true)
    }

    /// Lets a paused playback's clock run again.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn resume(&mut self, target: impl Into<Target>) -> Result<(), CrowdError> {
        self.set_paused(target, false)
    }

    fn set_paused(&mut self, target: impl Into<Target>, paused: bool) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        self.pause_or_resume(slot, place, paused);
        Ok(())
    }

    pub(super) fn pause_or_resume(&mut self, slot: usize, place: usize, paused: bool) {
        if self.layers.at(place).kinds[slot].is_paused() != paused {
            let kind = if paused { EventKind::Paused } else { EventKind::Resumed };
            self.layers.tell(self.slots.id(slot), place, kind, &mut self.events);
            self.layers.change(slot, place, |columns| columns.kinds[slot].set_paused(paused));
        }
    }

    /// Goes back to the start of the first pass: to the range's start, or if reversed to its end. What was finished plays
    /// again. The playback begins anew: see [`events`](Self::events).
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn rewind(&mut self, target: impl Into<Target>) -> Result<(), CrowdError> {
        self.seek_clock(target, |clock| {
            clock.rewind();
            Ok(())
        })
    }

    /// Goes to the first marker of that name in its clip, in the pass that the playback is in.
    ///
    /// # Errors
    /// If there is no such instance, playback or marker.
    pub fn seek_marker(&mut self, target: impl Into<Target>, name: &str) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        let clip = self.layers.at(place).clip(slot);
        let found = &self.bank().clips()[clip];
        let marker = found.find_marker(name).map(|marker| found.markers()[marker].time_s);
        let none = || CrowdError::NoSuchMarker { clip, marker: name.into() };
        self.seek_at(slot, place, marker.ok_or_else(none)?)
    }

    fn seek_at(&mut self, slot: usize, place: usize, time_s: f32) -> Result<(), CrowdError> {
        let mut clock = self.layers.at(place).clock(self.bank(), slot);
        clock.seek(time_s)?;
        self.layers.change(slot, place, |columns| columns.seek(slot, &clock));
        Ok(())
    }

    /// Goes to the first [key](throng_tracks::BankClip::key_times) of its clip that is later than what is shown, and returns
    /// its time; none, and nothing changed, if there is none in the range or the repeat does not reach it. For a clip that is
    /// looked at key by key, best paused.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn step_to_next_key(&mut self, target: impl Into<Target>) -> Result<Option<f32>, CrowdError> {
        self.step_to_key(target, PlaybackClock::step_to_next_key)
    }

    /// Goes to the last key that is earlier than what is shown, as [`step_to_next_key`](Self::step_to_next_key) does to the
    /// next.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn step_to_previous_key(&mut self, target: impl Into<Target>) -> Result<Option<f32>, CrowdError> {
        self.step_to_key(target, PlaybackClock::step_to_previous_key)
    }

    fn step_to_key(
        &mut self,
        target: impl Into<Target>,
        step: fn(&mut PlaybackClock, &[f32]) -> Option<f32>,
    ) -> Result<Option<f32>, CrowdError> {
        let (slot, place) = self.find(target)?;
        let columns = self.layers.at(place);
        let mut clock = columns.clock(self.bank(), slot);
        let stepped = step(&mut clock, self.bank().clips()[columns.clip(slot)].key_times());
        if stepped.is_some() {
            self.layers.change(slot, place, |columns| columns.seek(slot, &clock));
        }
        Ok(stepped)
    }

    /// Changes the clip, if it is another. The time inside of the pass stays, wrapped into the new clip; passes count from
    /// there. A range stays, too. The playback begins anew: see [`events`](Self::events).
    ///
    /// # Errors
    /// If there is no such instance, playback or clip, one of both clips is additive, or the range does not fit into the new
    /// one.
    pub fn set_clip(&mut self, target: impl Into<Target>, clip: usize) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        let columns = self.layers.at(place);
        let found = playback::clip(self.bank(), clip, columns.kinds[slot].is_additive())?;
        if columns.clip(slot) == clip {
            return Ok(());
        }
        let play = columns.get(self.bank(), slot).play();
        let old = columns.clock(self.bank(), slot);
        let way_s = if play.reversed {
            f64::from(old.terms().max_s) - old.inside_s()
        } else {
            old.inside_s() - f64::from(old.terms().min_s)
        };
        let mut clock = PlaybackClock::new(found.duration_s(), &play)?;
        clock.set_delay(old.delay_s())?;
        clock.seek_played(way_s)?;
        self.layers.change(slot, place, |columns| {
            columns.start(slot, clip, &clock);
            columns.kinds[slot].restart();
        });
        Ok(())
    }

    /// Goes to a time of the clip, in seconds, in the pass that the playback is in; at most to the range's ends. Nothing
    /// between counts as passed. A playback that is then at a start begins anew: see [`events`](Self::events).
    ///
    /// # Errors
    /// If there is no such instance or playback, or the time is not finite.
    pub fn seek(&mut self, target: impl Into<Target>, time_s: f32) -> Result<(), CrowdError> {
        finite("time_s", f64::from(time_s))?;
        self.seek_clock(target, |clock| clock.seek(time_s))
    }

    /// Goes to a time in seconds of the clip from the start of the first pass, as [`Playback::time_s`] counts it. Nothing
    /// between counts as passed. A playback that is then at a start begins anew: see [`events`](Self::events).
    ///
    /// # Errors
    /// If there is no such instance or playback, or the time is not finite.
    pub fn seek_played(&mut self, target: impl Into<Target>, played_s: f64) -> Result<(), CrowdError> {
        finite("played_s", played_s)?;
        self.seek_clock(target, |clock| clock.seek_played(played_s))
    }

    /// Changes the speed, in seconds of the clip a second: negative plays backwards, 0 stands still.
    ///
    /// # Errors
    /// If there is no such instance or playback, or the speed is not finite.
    pub fn set_speed(&mut self, target: impl Into<Target>, speed: f32) -> Result<(), CrowdError> {
        finite("speed", f64::from(speed))?;
        self.set_clock(target, |clock| clock.set_speed(speed))
    }

    /// Changes what happens at the end of a pass. The time inside the clip and the count of passes stay, as far as the new
    /// mode has them.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn set_wrap(&mut self, target: impl Into<Target>, wrap: WrapMode) -> Result<(), CrowdError> {
        self.set_clock(target, |clock| clock.change(&Play { wrap, ..clock.play() }))
    }

    /// Changes how a clock runs.
    fn set_clock(
        &mut self,
        target: impl Into<Target>,
        act: impl FnOnce(&mut PlaybackClock) -> Result<(), ClockError>,
    ) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        let mut clock = self.layers.at(place).clock(self.bank(), slot);
        act(&mut clock)?;
        self.layers.change(slot, place, |columns| columns.set_clock(slot, &clock));
        Ok(())
    }

    /// Changes the time of a clock. A playback that is then at a start begins anew.
    fn seek_clock(
        &mut self,
        target: impl Into<Target>,
        act: impl FnOnce(&mut PlaybackClock) -> Result<(), ClockError>,
    ) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        let mut clock = self.layers.at(place).clock(self.bank(), slot);
        act(&mut clock)?;
        self.layers.change(slot, place, |columns| columns.seek(slot, &clock));
        Ok(())
    }
}
