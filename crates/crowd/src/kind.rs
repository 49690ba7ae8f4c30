//! What a playback is beside its clock, weight and mask.

use crate::{AtEnd, Playback};

/// Eight bytes of each playback.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kind {
    /// The how-manieth of its instance.
    pub(crate) serial: u32,
    flags: u16,
    pub(crate) at_end: AtEnd,
}

impl Kind {
    const ADDITIVE: u16 = 1;
    const CROSSFADED: u16 = 1 << 1;
    const LEAVING: u16 = 1 << 2;
    const PAUSED: u16 = 1 << 3;
    const FRESH: u16 = 1 << 4;
    const FIRST: u16 = 1 << 5;
    const MARKED: u16 = 1 << 6;
    const EXTERNAL: u16 = 1 << 7;
    const RESTED: u16 = 1 << 8;
    /// Who has something to tell in any step.
    const NEW: u16 = Self::FRESH | Self::FIRST;

    /// Of a playback that begins, of a clip with markers or without.
    pub(crate) fn new(serial: u32, playback: &Playback, crossfaded: bool, marked: bool) -> Self {
        let mut kind = Self { serial, flags: Self::FRESH | Self::FIRST, at_end: playback.at_end };
        kind.set(Self::MARKED, marked && !playback.external);
        kind.set(Self::ADDITIVE, playback.additive);
        kind.set(Self::EXTERNAL, playback.external);
        kind.set(Self::CROSSFADED, crossfaded);
        kind.set(Self::PAUSED, playback.paused);
        kind
    }

    fn has(self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    fn set(&mut self, flag: u16, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }

    pub(crate) fn is_additive(self) -> bool {
        self.has(Self::ADDITIVE)
    }

    /// Whether it shows the pose that its instance is given.
    pub(crate) fn is_external(self) -> bool {
        self.has(Self::EXTERNAL)
    }

    pub(crate) fn set_external(&mut self, external: bool) {
        self.set(Self::EXTERNAL, external);
    }

    /// Whether crossfades leave it.
    pub(crate) fn is_crossfaded(self) -> bool {
        self.has(Self::CROSSFADED)
    }

    /// Whether its clock stands still.
    #[inline]
    pub(crate) fn is_paused(self) -> bool {
        self.has(Self::PAUSED)
    }

    pub(crate) fn set_paused(&mut self, paused: bool) {
        self.set(Self::PAUSED, paused);
    }

    /// Whether a step has something to tell even where it passes nothing.
    #[inline]
    pub(crate) fn is_new(self) -> bool {
        self.has(Self::NEW)
    }

    #[inline]
    pub(crate) fn is_marked(self) -> bool {
        self.has(Self::MARKED)
    }

    pub(crate) fn set_marked(&mut self, marked: bool) {
        self.set(Self::MARKED, marked && !self.is_external());
    }

    /// Whether nobody was told yet that it began.
    pub(crate) fn is_fresh(self) -> bool {
        self.has(Self::FRESH)
    }

    pub(crate) fn set_told(&mut self) {
        self.set(Self::FRESH, false);
    }

    /// It begins anew: it is emitted again that it began, and what is at its start.
    pub(crate) fn restart(&mut self) {
        self.set(Self::NEW, true);
    }

    /// Whether no step moved it yet; from now on one has.
    pub(crate) fn take_first(&mut self) -> bool {
        let first = self.has(Self::FIRST);
        self.set(Self::FIRST, false);
        first
    }

    /// Whether it ends with its fade.
    pub(crate) fn is_leaving(self) -> bool {
        self.has(Self::LEAVING)
    }

    pub(crate) fn set_leaving(&mut self, leaving: bool) {
        self.set(Self::LEAVING, leaving);
        self.set(Self::RESTED, false);
    }

    /// From now on it ends with its fade; `finished` says whether its clip is over.
    pub(crate) fn leave(&mut self, finished: bool) {
        // What rests already has no weight to keep: with one, it would jump back to its last pose.
        let rested = finished && self.rests();
        self.set_leaving(true);
        self.set(Self::RESTED, rested);
    }

    /// Whether it keeps its weight when its clip is over, until the crossfade that leaves it is.
    fn is_held(self) -> bool {
        self.is_crossfaded() && self.is_leaving() && !self.has(Self::RESTED)
    }

    /// Whether it is over when its clip is.
    pub(crate) fn is_removed(self) -> bool {
        self.at_end == AtEnd::Remove && !self.is_held()
    }

    /// Whether it has no weight when its clip is over.
    pub(crate) fn rests(self) -> bool {
        self.at_end == AtEnd::Rest && !self.is_held()
    }
}
