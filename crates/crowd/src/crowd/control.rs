//! What an instance plays, read and changed.

use throng_tracks::WrapMode;

use crate::playback::{duration_s, finite};
use crate::{Crowd, CrowdError, InstanceId, Playback};

/// Playback, an instance at a time.
impl Crowd {
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
}
