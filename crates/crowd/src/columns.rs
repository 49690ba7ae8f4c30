//! One playback of each slot, as columns.

use throng_tracks::{Bank, RowPair, WrapMode};

use crate::clock::Clock;
use crate::fade::Fade;
use crate::{AtEnd, MaskId, Playback};

/// What all slots play in one of their places for it. The clocks of dead slots and empty places run on, which nobody sees:
/// cheaper than to ask.
#[derive(Default)]
pub(crate) struct Playbacks {
    clips: Vec<u32>,
    clocks: Vec<Clock>,
    speeds: Vec<f32>,
    wraps: Vec<WrapMode>,
    /// Of each slot's clip, in seconds; a copy, so that a step reads columns only.
    durations: Vec<f64>,
    pub(crate) fades: Vec<Fade>,
    /// Rows of the table of masks.
    pub(crate) masks: Vec<u16>,
    pub(crate) kinds: Vec<Kind>,
}

/// What a playback is from its start to its end.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kind {
    /// The how-manieth of its instance.
    pub(crate) serial: u32,
    pub(crate) additive: bool,
    /// Whether crossfades leave it.
    pub(crate) crossfaded: bool,
    pub(crate) at_end: AtEnd,
}

impl Playbacks {
    /// Makes room for so many slots in all.
    pub(crate) fn reserve(&mut self, slots: usize) {
        let more = slots.saturating_sub(self.clips.len());
        self.clips.reserve(more);
        self.clocks.reserve(more);
        self.speeds.reserve(more);
        self.wraps.reserve(more);
        self.durations.reserve(more);
        self.fades.reserve(more);
        self.masks.reserve(more);
        self.kinds.reserve(more);
    }

    /// Puts a playback that was checked at a slot.
    pub(crate) fn put(&mut self, slot: usize, playback: &Playback, duration_s: f64, fade: Fade, kind: Kind) {
        if slot >= self.clips.len() {
            let slots = slot + 1;
            self.clips.resize(slots, 0);
            self.clocks.resize(slots, Clock::default());
            self.speeds.resize(slots, 0.0);
            self.wraps.resize(slots, WrapMode::Clamp);
            self.durations.resize(slots, 0.0);
            self.fades.resize(slots, Fade::default());
            self.masks.resize(slots, 0);
            self.kinds.resize(slots, Kind::default());
        }
        self.start(slot, playback, duration_s);
        self.fades[slot] = fade;
        self.masks[slot] = MaskId::row(playback.mask);
        self.kinds[slot] = kind;
    }

    fn start(&mut self, slot: usize, playback: &Playback, duration_s: f64) {
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
            weight: self.fades[slot].weight,
            mask: MaskId::of_row(self.masks[slot]),
            additive: self.kinds[slot].additive,
            at_end: self.kinds[slot].at_end,
        }
    }

    /// Changes what is another now.
    pub(crate) fn set(&mut self, slot: usize, playback: &Playback, duration_s: f64) {
        let now = self.get(slot);
        if (now.clip, now.time_s, now.wrap) != (playback.clip, playback.time_s, playback.wrap) {
            self.start(slot, playback, duration_s);
        }
        if now.weight != playback.weight {
            self.fades[slot] = Fade::hold(playback.weight);
        }
        self.speeds[slot] = playback.speed;
        self.masks[slot] = MaskId::row(playback.mask);
        self.kinds[slot].at_end = playback.at_end;
    }

    pub(crate) fn set_clip(&mut self, slot: usize, clip: usize, duration_s: f64) {
        if self.clips[slot] as usize != clip {
            let time_s = self.inside_s(slot);
            self.start(slot, &Playback { clip, time_s, ..self.get(slot) }, duration_s);
        }
    }

    pub(crate) fn set_wrap(&mut self, slot: usize, wrap: WrapMode) {
        if self.wraps[slot] != wrap {
            let time_s = self.inside_s(slot);
            self.start(slot, &Playback { wrap, time_s, ..self.get(slot) }, self.durations[slot]);
        }
    }

    pub(crate) fn set_time(&mut self, slot: usize, time_s: f64) {
        self.clocks[slot] = Clock::at(time_s, self.durations[slot], self.wraps[slot]);
    }

    pub(crate) fn set_speed(&mut self, slot: usize, speed: f32) {
        self.speeds[slot] = speed;
    }

    pub(crate) fn inside_s(&self, slot: usize) -> f64 {
        self.clocks[slot].inside_s(self.durations[slot], self.wraps[slot])
    }

    /// The time that a clip of `duration_s` seconds shows in that mode where it is at the same part of its way.
    pub(crate) fn synced_s(&self, slot: usize, duration_s: f64, wrap: WrapMode) -> f64 {
        let same = wrap == self.wraps[slot];
        let time_s = if same { self.clocks[slot].phase_s } else { self.inside_s(slot) };
        let own_s = self.durations[slot];
        if own_s > 0.0 { time_s / own_s * duration_s } else { 0.0 }
    }

    pub(crate) fn shown_s(&self, slot: usize) -> f32 {
        self.clocks[slot].shown_s(self.durations[slot], self.wraps[slot])
    }

    pub(crate) fn passes(&self, slot: usize) -> i64 {
        self.clocks[slot].passes(self.durations[slot], self.wraps[slot])
    }

    /// Whether a clip that plays once is where its speed takes it.
    pub(crate) fn is_at_end(&self, slot: usize) -> bool {
        let (phase_s, speed) = (self.clocks[slot].phase_s, self.speeds[slot]);
        let there = speed > 0.0 && phase_s >= self.durations[slot] || speed < 0.0 && phase_s <= 0.0;
        there && self.wraps[slot] == WrapMode::Clamp
    }

    /// Whether time changes more than a clock.
    pub(crate) fn is_to_step(&self, slot: usize) -> bool {
        let ends = self.kinds[slot].at_end == AtEnd::Remove && self.wraps[slot] == WrapMode::Clamp;
        ends || self.fades[slot].is_running()
    }

    /// The weight that it shows with.
    pub(crate) fn shown_weight(&self, slot: usize) -> f32 {
        let rests = self.kinds[slot].at_end == AtEnd::Rest && self.is_at_end(slot);
        if rests { 0.0 } else { self.fades[slot].weight }
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
