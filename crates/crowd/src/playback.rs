//! What each slot plays, as columns.

use throng_tracks::{Bank, RowPair, WrapMode};

use crate::CrowdError;
use crate::clock::Clock;

/// What an instance plays: given to [`Crowd::spawn`](crate::Crowd::spawn), told by
/// [`Crowd::playback`](crate::Crowd::playback).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Which clip of the bank.
    pub clip: usize,
    /// Seconds since the clip began, wrapped by the mode when it is read: for ping-pong up to twice the duration, where the
    /// second half is the way back. Any finite number may be given.
    pub time_s: f64,
    /// Seconds of the clip a second. Negative plays backwards, 0 stands still.
    pub speed: f32,
    /// What happens at the clip's ends.
    pub wrap: WrapMode,
}

impl Default for Playback {
    /// The first clip from its start, as fast as it was made, in a loop.
    fn default() -> Self {
        Self { clip: 0, time_s: 0.0, speed: 1.0, wrap: WrapMode::Loop }
    }
}

/// What all slots play. The clocks of dead slots run on, which nobody sees: cheaper than to ask.
#[derive(Default)]
pub(crate) struct Playbacks {
    clips: Vec<u32>,
    clocks: Vec<Clock>,
    speeds: Vec<f32>,
    wraps: Vec<WrapMode>,
    /// Of each slot's clip, in seconds; a copy, so that a step reads columns only.
    durations: Vec<f64>,
}

/// `value`, if it is finite.
pub(crate) fn finite(what: &'static str, value: f64) -> Result<f64, CrowdError> {
    if value.is_finite() { Ok(value) } else { Err(CrowdError::NotFinite { what, value }) }
}

/// The duration of a clip in seconds, if there is such a clip.
pub(crate) fn duration_s(bank: &Bank, clip: usize) -> Result<f64, CrowdError> {
    let clips = bank.clips();
    let found = clips.get(clip).ok_or(CrowdError::NoSuchClip { clip, clips: clips.len() })?;
    Ok(f64::from(found.duration_s()))
}

impl Playback {
    /// The duration of its clip, if it can be played.
    pub(crate) fn check(&self, bank: &Bank) -> Result<f64, CrowdError> {
        finite("time_s", self.time_s)?;
        finite("speed", f64::from(self.speed))?;
        duration_s(bank, self.clip)
    }
}

impl Playbacks {
    pub(crate) fn reserve(&mut self, more: usize) {
        self.clips.reserve(more);
        self.clocks.reserve(more);
        self.speeds.reserve(more);
        self.wraps.reserve(more);
        self.durations.reserve(more);
    }

    /// Puts a playback that was checked at a slot, which is there or the next.
    pub(crate) fn put(&mut self, slot: usize, playback: &Playback, duration_s: f64) {
        if slot == self.clips.len() {
            self.clips.push(0);
            self.clocks.push(Clock::default());
            self.speeds.push(0.0);
            self.wraps.push(WrapMode::Clamp);
            self.durations.push(0.0);
        }
        self.clips[slot] = playback.clip as u32;
        self.clocks[slot] = Clock::at(playback.time_s, duration_s, playback.wrap);
        self.speeds[slot] = playback.speed;
        self.wraps[slot] = playback.wrap;
        self.durations[slot] = duration_s;
    }

    pub(crate) fn get(&self, slot: usize) -> Playback {
        Playback {
            clip: self.clips[slot] as usize,
            time_s: self.clocks[slot].phase_s,
            speed: self.speeds[slot],
            wrap: self.wraps[slot],
        }
    }

    pub(crate) fn set_clip(&mut self, slot: usize, clip: usize, duration_s: f64) {
        if self.clips[slot] as usize != clip {
            let time_s = self.inside_s(slot);
            self.put(slot, &Playback { clip, time_s, ..self.get(slot) }, duration_s);
        }
    }

    pub(crate) fn set_wrap(&mut self, slot: usize, wrap: WrapMode) {
        if self.wraps[slot] != wrap {
            let time_s = self.inside_s(slot);
            self.put(slot, &Playback { wrap, time_s, ..self.get(slot) }, self.durations[slot]);
        }
    }

    pub(crate) fn set_time(&mut self, slot: usize, time_s: f64) {
        self.clocks[slot] = Clock::at(time_s, self.durations[slot], self.wraps[slot]);
    }

    pub(crate) fn set_speed(&mut self, slot: usize, speed: f32) {
        self.speeds[slot] = speed;
    }

    fn inside_s(&self, slot: usize) -> f64 {
        self.clocks[slot].inside_s(self.durations[slot], self.wraps[slot])
    }

    pub(crate) fn shown_s(&self, slot: usize) -> f32 {
        self.clocks[slot].shown_s(self.durations[slot], self.wraps[slot])
    }

    pub(crate) fn passes(&self, slot: usize) -> i64 {
        self.clocks[slot].passes(self.durations[slot], self.wraps[slot])
    }

    /// The rows that a slot shows now.
    #[inline]
    pub(crate) fn rows(&self, bank: &Bank, slot: usize) -> RowPair {
        bank.locate(self.clips[slot] as usize, self.shown_s(slot))
    }

    /// Moves all clocks by `dt` seconds, each by its own speed.
    pub(crate) fn advance(&mut self, dt: f64) {
        let columns = self.clocks.iter_mut().zip(&self.speeds).zip(&self.durations).zip(&self.wraps);
        for (((clock, &speed), &duration_s), &wrap) in columns {
            clock.step(f64::from(speed) * dt, duration_s, wrap);
        }
    }
}
