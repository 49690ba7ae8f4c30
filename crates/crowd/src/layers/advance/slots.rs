//! Slots that have more to do in a step than to move clocks and fades: what has to be told, and what ends.

use throng_kernels::LAYERS;

use super::{Columns, Known, Part, PlaceLanes};
use crate::columns::{is_faded, is_over};
use crate::events::{EventKind, EventKinds, EventList};
use crate::layers::told::{Moved, tell};
use crate::layers::{NONE, Order, Playing, Settled};
use crate::{InstanceId, PlaybackId};

impl Part<'_> {
    /// One of them. Playbacks are gone through in the order in which they began.
    pub(super) fn slot(
        &mut self,
        slot: usize,
        known: Known<'_>,
        lanes: &[PlaceLanes; LAYERS],
        events: &mut EventList,
    ) {
        let used = self.used[slot];
        let mut order = [(u32::MAX, LAYERS); LAYERS];
        for (place, entry) in order.iter_mut().enumerate().filter(|(place, _)| used >> place & 1 == 1) {
            *entry = (self.places[place].kinds[slot].serial, place);
        }
        if !used.is_power_of_two() {
            order.sort_unstable();
        }
        let instance = known.step.slots.id(self.first + slot);
        let mut ended = 0;
        for (_, place) in order.into_iter().filter(|(_, place)| *place < LAYERS) {
            let columns = &mut self.places[place];
            let recorded = known.recorded[columns.clips[slot] as usize];
            if lanes[place].found.hits >> slot & 1 == 1 {
                columns.tell(slot, instance, known, &lanes[place], events);
            }
            ended |= u8::from(columns.ends(slot, instance, recorded, events)) << place;
        }
        self.used[slot] &= !ended;
        if ended.checked_shr(self.main[slot].into()).is_some_and(|ended| ended & 1 == 1) {
            self.main[slot] = NONE;
        }
        if ended != 0 {
            let used = self.used[slot];
            let left = (0..).zip(&self.places).filter(|(place, _)| used >> place & 1 == 1);
            self.orders[slot] = Order::of(left.map(|(place, c)| (place, c.kinds[slot], c.masks[slot])));
        }
        self.settle(slot);
    }

    /// What follows for a slot.
    fn settle(&mut self, slot: usize) {
        let used = self.used[slot];
        let places = self.places.iter().enumerate().filter(|(place, _)| used >> place & 1 == 1);
        let playing = places.map(|(place, columns)| Playing {
            place,
            kind: columns.kinds[slot],
            fade: &columns.fades[slot],
            mask: columns.masks[slot],
            wait_s: columns.waits_s[slot],
            speed: columns.speeds[slot],
        });
        let Settled { whole, busy, active } = Settled::of(playing);
        (self.whole[slot], self.busy[slot]) = (whole, busy);
        self.active[0] = self.active[0] & !(1 << slot) | u64::from(active) << slot;
    }
}

impl Columns<'_> {
    /// Tells what a step did to a playback.
    fn tell(
        &mut self,
        slot: usize,
        instance: InstanceId,
        known: Known<'_>,
        lanes: &PlaceLanes,
        events: &mut EventList,
    ) {
        let moved = Moved {
            clip: self.clips[slot],
            terms: self.terms(slot),
            before: lanes.before(slot),
            after: self.state(slot),
            advanced: lanes.advanced(slot),
        };
        let recorded = known.recorded[moved.clip as usize];
        tell((known.step.bank, recorded), instance, &mut self.kinds[slot], &moved, events);
    }

    /// Whether a playback ends, which is told if its weight did.
    fn ends(&self, slot: usize, instance: InstanceId, recorded: EventKinds, events: &mut EventList) -> bool {
        let (kind, fade) = (self.kinds[slot], &self.fades[slot]);
        if is_faded(kind, fade) {
            let playback = PlaybackId { instance, serial: kind.serial };
            events.push(recorded, playback, EventKind::Stopped);
        }
        is_over(kind, fade, self.waits_s[slot])
    }
}
