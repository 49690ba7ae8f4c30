//! What an instance plays, read and changed.

use throng_tracks::WrapMode;

use crate::playback::{duration_s, finite};
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
        Ok(self.layers.at(place).get(slot))
    }

    /// All that an instance plays, in no order.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn playbacks(&self, id: InstanceId) -> Result<impl Iterator<Item = PlaybackId> + '_, CrowdError> {
        let slot = self.slots.find(id)?;
        let serials = self.layers.used(slot).map(move |place| self.layers.serial(slot, place));
        Ok(serials.map(move |serial| PlaybackId { instance: id, serial }))
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

    /// How many passes of its clip a playback has behind it, since it began or its time, clip or mode was set.
    /// A leg of a ping-pong is a pass; a clip that plays once has 1 at its end. Passes played backwards count down, so
    /// the count may be negative. A clip without length has none.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn passes(&self, target: impl Into<Target>) -> Result<i64, CrowdError> {
        let (slot, place) = self.find(target)?;
        Ok(self.layers.at(place).passes(slot))
    }

    /// Changes the clip, if it is another. The time inside of it stays, wrapped into the new clip; passes count from there.
    ///
    /// # Errors
    /// If there is no such instance, playback or clip, or one of both clips is additive.
    pub fn set_clip(&mut self, target: impl Into<Target>, clip: usize) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        let duration_s = duration_s(self.bank(), clip, self.layers.at(place).kinds[slot].additive)?;
        self.layers.change(slot, place, |columns| columns.set_clip(slot, clip, duration_s));
        Ok(())
    }

    /// Goes to a time, in seconds since the clip began. It is wrapped by the mode; passes are those of that time.
    ///
    /// # Errors
    /// If there is no such instance or playback, or the time is not finite.
    pub fn set_time(&mut self, target: impl Into<Target>, time_s: f64) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        finite("time_s", time_s)?;
        self.layers.change(slot, place, |columns| columns.set_time(slot, time_s));
        Ok(())
    }

    /// Changes the speed, in seconds of the clip a second: negative plays backwards, 0 stands still.
    ///
    /// # Errors
    /// If there is no such instance or playback, or the speed is not finite.
    pub fn set_speed(&mut self, target: impl Into<Target>, speed: f32) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        finite("speed", f64::from(speed))?;
        self.layers.change(slot, place, |columns| columns.set_speed(slot, speed));
        Ok(())
    }

    /// Changes what happens at the clip's ends, if it is something else. The time inside the clip stays; passes count
    /// from there.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn set_wrap(&mut self, target: impl Into<Target>, wrap: WrapMode) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        self.layers.change(slot, place, |columns| columns.set_wrap(slot, wrap));
        Ok(())
    }
}
