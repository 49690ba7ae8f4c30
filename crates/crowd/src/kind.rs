//! What a playback is beside its clock, weight and mask.

use crate::{AtEnd, Playback};

/// Eight bytes of each playback.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kind {
    /// The how-manieth of its instance.
    pub(crate) serial: u32,
    flags: u8,
    pub(crate) at_end: AtEnd,
}

impl Kind {
    const ADDITIVE: u8 = 1;
    const CROSSFADED: u8 = 1 << 1;
    const LEAVING: u8 = 1 << 2;
    const PAUSED: u8 = 1 << 3;
    const FRESH: u8 = 1 << 4;
    const FIRST: u8 = 1 << 5;
    const MARKED: u8 = 1 << 6;
    const EXTERNAL: u8 = 1 << 7;
    /// What has to do with events, even where no pass ends.
    const TELLING: u8 = Self::FRESH | Self::FIRST | Self::MARKED;

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

    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn set(&mut self, flag: u8, on: bool) {
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

    /// Whether a step has something to tell, even where no pass ends.
    #[inline]
    pub(crate) fn is_telling(self) -> bool {
        self.has(Self::TELLING)
    }

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
    }

    /// Whether it is over when its clip is. What a crossfade leaves must keep its weight until then.
    pub(crate) fn is_removed(self) -> bool {
        let held = self.is_crossfaded() && self.is_leaving();
        self.at_end == AtEnd::Remove && !held
    }

    /// Whether it has no weight when its clip is over.
    pub(crate) fn rests(self) -> bool {
        self.at_end == AtEnd::Rest
    }
}
