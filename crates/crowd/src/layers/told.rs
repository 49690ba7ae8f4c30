//! What a step of time did to one playback, told.

use throng_tracks::{Advanced, Bank, ClockState, ClockTerms};

use crate::events::{EventKind, EventKinds, EventList, Passing};
use crate::kind::Kind;
use crate::{InstanceId, PlaybackId};

/// A clock that a step moved.
pub(super) struct Moved {
    pub(super) clip: u32,
    pub(super) terms: ClockTerms,
    pub(super) before: ClockState,
    pub(super) after: ClockState,
    pub(super) advanced: Advanced,
}

/// Tells whether it began, what it came by and whether it finished, as far as that is `recorded` of its clip.
pub(super) fn tell(
    (bank, recorded): (&Bank, EventKinds),
    instance: InstanceId,
    kind: &mut Kind,
    moved: &Moved,
    events: &mut EventList,
) {
    let Moved { clip, terms, before, after, advanced } = moved;
    let playback = PlaybackId { instance, serial: kind.serial };
    let waits = after.wait_s > 0.0 && after.wait_s < f64::INFINITY;
    if waits {
        return;
    }
    if kind.is_fresh() {
        events.push(recorded, playback, EventKind::Started);
        kind.set_told();
    }
    // It finished before.
    if kind.is_paused() || terms.speed == 0.0 || before.wait_s == f64::INFINITY {
        return;
    }
    let first = kind.take_first();
    if kind.is_marked() || advanced.passes != 0 || advanced.overshoot_s.is_some() {
        let bank_clip = &bank.clips()[*clip as usize];
        let (clip, advanced) = (*clip, *advanced);
        Passing { playback, clip, bank_clip, terms, before, after, advanced, first, recorded }.tell(events);
    }
}
