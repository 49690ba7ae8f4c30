//! One playback of each slot, as columns.

use throng_tracks::{Bank, ClockState, ClockTerms, Play, PlaybackClock, Repeat, RowPair, WrapMode};

use crate::fade::Fade;
use crate::kind::Kind;
use crate::restart::is_at_start;
use crate::{MaskId, Playback};

/// What all slots play in one of their places for it.
#[derive(Default)]
pub(crate) struct Playbacks {
    pub(crate) clips: Vec<u32>,
    /// Where clocks are: the fields of [`ClockState`].
    pub(crate) phases_s: Vec<f64>,
    pub(crate) passes: Vec<f64>,
    pub(crate) waits_s: Vec<f64>,
    /// What their steps need: the fields of [`ClockTerms`].
    pub(crate) speeds: Vec<f32>,
    pub(crate) mins_s: Vec<f32>,
    pub(crate) maxs_s: Vec<f32>,
    pub(crate) firsts: Vec<f32>,
    pub(crate) lasts: Vec<f32>,
    pub(crate) courses: Vec<Course>,
    /// Passes asked for: infinitely many where endless. Clamp plays one at most, which is what its terms say.
    repeats: Vec<f32>,
    pub(crate) fades: Vec<Fade>,
    /// Rows of the table of masks.
    pub(crate) masks: Vec<u16>,
    pub(crate) kinds: Vec<Kind>,
}

/// Which way passes run.
#[derive(Clone, Copy, Default)]
pub(crate) struct Course {
    pub(crate) wrap: WrapMode,
    pub(crate) reversed: bool,
}

impl Course {
    #[inline]
    pub(crate) fn terms(self, speed: f32, [min_s, max_s]: [f32; 2], [first, last]: [f32; 2]) -> ClockTerms {
        let Self { wrap, reversed } = self;
        ClockTerms { speed, min_s, max_s, first, last, wrap, reversed }
    }
}

/// `$act` on each column, or on each beside that of others.
macro_rules! each_column {
    ($playbacks:ident, $column:ident => $act:expr) => {
        each_column!($playbacks $playbacks, $column _ => $act)
    };
    ($playbacks:ident $other:ident, $column:ident $beside:tt => $act:expr) => {
        each_column!($playbacks $other, $column $beside => $act; clips phases_s passes waits_s speeds mins_s maxs_s firsts
            lasts courses repeats fades masks kinds)
    };
    ($playbacks:ident $other:ident, $column:ident _ => $act:expr; $($name:ident)*) => {{
        $({
            let $column = &mut $playbacks.$name;
            $act;
        })*
    }};
    ($playbacks:ident $other:ident, $column:ident $beside:ident => $act:expr; $($name:ident)*) => {{
        $({
            let ($column, $beside) = (&mut $playbacks.$name, &mut $other.$name);
            $act;
        })*
    }};
}

impl Playbacks {
    /// Makes room for so many slots in all.
    pub(crate) fn reserve(&mut self, slots: usize) {
        let more = slots.saturating_sub(self.clips.len());
        each_column!(self, column => column.reserve(more));
    }

    /// Gives back memory that the present slots do not need.
    pub(crate) fn shrink_to_fit(&mut self) {
        each_column!(self, column => column.shrink_to_fit());
    }

    /// Seconds of the clip from the start of the first pass to what a slot shows.
    pub(crate) fn played_s(&self, slot: usize) -> f64 {
        self.passes[slot] * self.terms(slot).length_s() + self.phases_s[slot]
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
        self.open(slot);
        self.start(slot, playback.clip, clock);
        self.fades[slot] = fade;
        self.masks[slot] = MaskId::row(playback.mask);
        self.kinds[slot] = kind;
    }

    /// Makes a slot one of the columns.
    fn open(&mut self, slot: usize) {
        if slot >= self.clips.len() {
            each_column!(self, column => column.resize_with(slot + 1, Default::default));
        }
    }

    /// Exchanges what a slot plays here with what it plays in another place.
    pub(crate) fn swap(&mut self, other: &mut Self, slot: usize) {
        self.open(slot);
        other.open(slot);
        each_column!(self other, column beside => std::mem::swap(&mut column[slot], &mut beside[slot]));
    }

    /// Plays a clip from where a clock of it is.
    pub(crate) fn start(&mut self, slot: usize, clip: usize, clock: &PlaybackClock) {
        self.clips[slot] = clip as u32;
        self.set_clock(slot, clock);
    }

    /// Brings the clock where another is.
    pub(crate) fn set_clock(&mut self, slot: usize, clock: &PlaybackClock) {
        let ClockTerms { speed, min_s, max_s, first, last, wrap, reversed } = clock.terms();
        self.speeds[slot] = speed;
        (self.mins_s[slot], self.maxs_s[slot]) = (min_s, max_s);
        (self.firsts[slot], self.lasts[slot]) = (first, last);
        self.courses[slot] = Course { wrap, reversed };
        self.repeats[slot] = match clock.play().repeat {
            Repeat::Endless => f32::INFINITY,
            Repeat::Passes(passes) => passes,
        };
        self.set_state(slot, &clock.state());
    }

    /// Moves the clock as a control does. A playback that is then at a start begins anew.
    pub(crate) fn seek(&mut self, slot: usize, clock: &PlaybackClock) {
        self.set_clock(slot, clock);
        if is_at_start(&clock.terms(), &clock.state()) {
            self.kinds[slot].restart();
        }
    }

    /// Brings the clock to another place of what it plays.
    pub(crate) fn set_state(&mut self, slot: usize, state: &ClockState) {
        let ClockState { phase_s, passes, wait_s } = *state;
        self.phases_s[slot] = phase_s;
        self.passes[slot] = passes;
        self.waits_s[slot] = wait_s;
    }

    #[inline]
    pub(crate) fn state(&self, slot: usize) -> ClockState {
        ClockState { phase_s: self.phases_s[slot], passes: self.passes[slot], wait_s: self.waits_s[slot] }
    }

    #[inline]
    pub(crate) fn terms(&self, slot: usize) -> ClockTerms {
        let range_s = [self.mins_s[slot], self.maxs_s[slot]];
        self.courses[slot].terms(self.speeds[slot], range_s, [self.firsts[slot], self.lasts[slot]])
    }

    /// The clock of a slot's clip.
    pub(crate) fn clock(&self, bank: &Bank, slot: usize) -> PlaybackClock {
        let terms = self.terms(slot);
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
        clock.with_state(self.state(slot))
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

    #[inline]
    pub(crate) fn shown_s(&self, slot: usize) -> f32 {
        self.terms(slot).time_s(&self.state(slot))
    }

    /// How many passes are over; negative ones are those that were gone through backwards.
    pub(crate) fn passes(&self, slot: usize) -> i64 {
        let length_s = self.terms(slot).length_s();
        self.passes[slot] as i64 + i64::from(length_s > 0.0 && self.phases_s[slot] >= length_s)
    }

    /// Whether time does not move its clock.
    pub(crate) fn is_frozen(&self, slot: usize) -> bool {
        self.speeds[slot] == 0.0 || self.kinds[slot].is_paused()
    }

    /// Whether it came to the end of its repeat.
    pub(crate) fn is_finished(&self, slot: usize) -> bool {
        self.waits_s[slot] == f64::INFINITY
    }

    /// Whether it waits for its delay to be over.
    pub(crate) fn is_delayed(&self, slot: usize) -> bool {
        let wait_s = self.waits_s[slot];
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

/// Whether a playback ends now.
pub(crate) fn is_over(kind: Kind, fade: &Fade, wait_s: f64) -> bool {
    is_faded(kind, fade) || kind.is_removed() && wait_s == f64::INFINITY
}

/// Whether it has lost its weight for good.
pub(crate) fn is_faded(kind: Kind, fade: &Fade) -> bool {
    kind.is_leaving() && !fade.is_running()
}
