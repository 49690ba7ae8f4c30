//! One playback of each slot, as columns.

use throng_tracks::{Bank, ClockState, ClockTerms, Play, PlaybackClock, Repeat, RowPair, Travel, WrapMode};

use crate::fade::Fade;
use crate::kind::Kind;
use crate::{MaskId, Playback};

/// What all slots play in one of their places for it.
#[derive(Default)]
pub(crate) struct Playbacks {
    pub(crate) clips: Vec<u32>,
    pub(crate) clocks: Vec<ClockState>,
    /// What steps of the clocks need.
    pub(crate) terms: Vec<ClockTerms>,
    /// Passes asked for: infinitely many where endless. Clamp plays one at most, which is what its terms say.
    repeats: Vec<f32>,
    /// Where the clocks were before the last step of time; empty unless root motion is made of that.
    pub(crate) befores: Vec<Before>,
    moves: bool,
    pub(crate) fades: Vec<Fade>,
    /// Rows of the table of masks.
    pub(crate) masks: Vec<u16>,
    pub(crate) kinds: Vec<Kind>,
}

/// Where a clock was.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before {
    passes: f64,
    phase_s: f64,
}

impl Before {
    pub(crate) fn of(clock: &ClockState) -> Self {
        Self { passes: clock.passes, phase_s: clock.phase_s }
    }
}

/// The terms of those that nobody asked to play.
const NO_TERMS: ClockTerms = ClockTerms {
    speed: 0.0,
    min_s: 0.0,
    max_s: 0.0,
    first: 0.0,
    last: 0.0,
    wrap: WrapMode::Clamp,
    reversed: false,
};

impl Playbacks {
    /// Nobody's; `moves` says whether clips move characters.
    pub(crate) fn new(moves: bool) -> Self {
        Self { moves, ..Self::default() }
    }

    /// Makes room for so many slots in all.
    pub(crate) fn reserve(&mut self, slots: usize) {
        let more = slots.saturating_sub(self.clips.len());
        self.clips.reserve(more);
        self.clocks.reserve(more);
        self.terms.reserve(more);
        self.repeats.reserve(more);
        if self.moves {
            self.befores.reserve(more);
        }
        self.fades.reserve(more);
        self.masks.reserve(more);
        self.kinds.reserve(more);
    }

    /// Puts a playback that was checked at a slot, and the clock that goes with it.
    pub(crate) fn put(
        &mut self,
        slot: usize,
        playback: &Playback,
        clock: &PlaybackClock,
        fade: Fade,
        kind: Kind,
    ) {
        if slot >= self.clips.len() {
            let slots = slot + 1;
            self.clips.resize(slots, 0);
            self.clocks.resize(slots, ClockState::default());
            self.terms.resize(slots, NO_TERMS);
            self.repeats.resize(slots, 0.0);
            if self.moves {
                self.befores.resize(slots, Before::default());
            }
            self.fades.resize(slots, Fade::default());
            self.masks.resize(slots, 0);
            self.kinds.resize(slots, Kind::default());
        }
        self.start(slot, playback.clip, clock);
        self.fades[slot] = fade;
        self.masks[slot] = MaskId::row(playback.mask);
        self.kinds[slot] = kind;
    }

    /// Plays a clip from where a clock of it is.
    pub(crate) fn start(&mut self, slot: usize, clip: usize, clock: &PlaybackClock) {
        self.clips[slot] = clip as u32;
        self.set_clock(slot, clock);
    }

    /// Brings the clock where another is. That is no way that time went.
    pub(crate) fn set_clock(&mut self, slot: usize, clock: &PlaybackClock) {
        let state = clock.state();
        self.clocks[slot] = state;
        self.terms[slot] = clock.terms();
        self.repeats[slot] = match clock.play().repeat {
            Repeat::Endless => f32::INFINITY,
            Repeat::Passes(passes) => passes,
        };
        if let Some(before) = self.befores.get_mut(slot) {
            *before = Before::of(&state);
        }
    }

    /// The clock of a slot's clip.
    pub(crate) fn clock(&self, bank: &Bank, slot: usize) -> PlaybackClock {
        let terms = self.terms[slot];
        let repeat = self.repeats[slot];
        let repeat = if repeat.is_finite() { Repeat::Passes(repeat) } else { Repeat::Endless };
        let play = Play {
            wrap: terms.wrap,
            reversed: terms.reversed,
            repeat,
            range_s: Some([terms.min_s, terms.max_s]),
            speed: terms.speed,
        };
        let duration_s = bank.clips()[self.clip(slot)].duration_s();
        let clock = PlaybackClock::new(duration_s, &play).expect("it was checked when it came");
        clock.with_state(self.clocks[slot])
    }

    pub(crate) fn get(&self, bank: &Bank, slot: usize) -> Playback {
        let (clock, kind) = (self.clock(bank, slot), self.kinds[slot]);
        let Play { wrap, reversed, repeat, range_s, speed } = clock.play();
        Playback {
            clip: self.clip(slot),
            time_s: clock.played_s(),
            speed,
            wrap,
            reversed,
            repeat,
            range_s: range_s.filter(|range| *range != [0.0, clock.duration_s()]),
            delay_s: clock.delay_s(),
            paused: kind.is_paused(),
            weight: self.fades[slot].weight,
            mask: MaskId::of_row(self.masks[slot]),
            additive: kind.is_additive(),
            at_end: kind.at_end,
            external: kind.is_external(),
        }
    }

    /// Changes a playback into another that was checked, with the clock that goes with it.
    pub(crate) fn set(&mut self, slot: usize, playback: &Playback, clock: &PlaybackClock) {
        let kind = &mut self.kinds[slot];
        kind.at_end = playback.at_end;
        kind.set_external(playback.external);
        if self.fades[slot].weight != playback.weight {
            self.fades[slot] = Fade::hold(playback.weight);
            kind.set_leaving(false);
        }
        self.masks[slot] = MaskId::row(playback.mask);
        self.start(slot, playback.clip, clock);
    }

    #[inline]
    pub(crate) fn clip(&self, slot: usize) -> usize {
        self.clips[slot] as usize
    }

    pub(crate) fn shown_s(&self, slot: usize) -> f32 {
        self.terms[slot].time_s(&self.clocks[slot])
    }

    /// How many passes are over; negative ones are those that were gone through backwards.
    pub(crate) fn passes(&self, slot: usize) -> i64 {
        let (clock, length_s) = (self.clocks[slot], self.terms[slot].length_s());
        clock.passes as i64 + i64::from(length_s > 0.0 && clock.phase_s >= length_s)
    }

    /// Whether it came to the end of its repeat.
    pub(crate) fn is_finished(&self, slot: usize) -> bool {
        self.clocks[slot].wait_s == f64::INFINITY
    }

    /// The way that the last step of time went, where clips move characters. None where a control moved it since.
    #[inline]
    pub(crate) fn travel(&self, slot: usize) -> Travel {
        let Before { passes, phase_s } = self.befores[slot];
        let before = ClockState { passes, phase_s, wait_s: 0.0 };
        self.terms[slot].travel(&before, &self.clocks[slot])
    }

    /// Whether time changes more than a clock, or has a playback to end.
    pub(crate) fn is_to_step(&self, slot: usize) -> bool {
        self.fades[slot].is_running() || self.is_over(slot)
    }

    /// Whether it ends now.
    pub(crate) fn is_over(&self, slot: usize) -> bool {
        let kind = self.kinds[slot];
        self.is_faded(slot) || kind.is_removed() && self.is_finished(slot)
    }

    /// Whether it has lost its weight for good.
    pub(crate) fn is_faded(&self, slot: usize) -> bool {
        self.kinds[slot].is_leaving() && !self.fades[slot].is_running()
    }

    /// Whether it waits for its delay to be over.
    pub(crate) fn is_delayed(&self, slot: usize) -> bool {
        let wait_s = self.clocks[slot].wait_s;
        wait_s > 0.0 && wait_s < f64::INFINITY
    }

    /// The weight that it shows with.
    pub(crate) fn shown_weight(&self, slot: usize) -> f32 {
        let rests = self.kinds[slot].rests() && self.is_finished(slot);
        if rests { 0.0 } else { self.fades[slot].weight }
    }

    /// The rows that a slot shows now.
    #[inline]
    pub(crate) fn rows(&self, bank: &Bank, slot: usize) -> RowPair {
        bank.locate(self.clips[slot] as usize, self.shown_s(slot))
    }
}
