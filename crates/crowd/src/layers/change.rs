//! Playbacks that start, fade and end.

use throng_kernels::LAYERS;

use throng_tracks::PlaybackClock;

use super::queue::{Begin, Queued};
use super::{Layers, NONE};
use crate::columns::Playbacks;
use crate::events::{EventKind, EventKinds, Events};
use crate::fade::Fade;
use crate::{InstanceId, MAX_WEIGHT, Playback, PlaybackId};

impl Layers {
    /// Changes what plays at a place.
    pub(crate) fn change(&mut self, slot: usize, place: usize, act: impl FnOnce(&mut Playbacks)) {
        let columns = &mut self.places[place];
        act(columns);
        let clip = columns.clip(slot);
        let marked = self.is_marked(clip);
        let columns = &mut self.places[place];
        columns.kinds[slot].set_marked(marked);
        self.external |= columns.kinds[slot].is_external();
        self.settle(slot);
    }

    /// One more, beside what plays: its number, or none if all places are taken.
    pub(crate) fn play(
        &mut self,
        slot: usize,
        playback: &Playback,
        clock: &PlaybackClock,
        fade: Fade,
    ) -> Option<u32> {
        let place = free(self.taken(slot))?;
        let serial = self.put(slot, place, playback, clock, (fade, false));
        self.settle(slot);
        Some(serial)
    }

    /// Ends what plays at a place.
    pub(crate) fn stop(&mut self, slot: usize, place: usize) {
        self.end(slot, place);
        self.settle(slot);
    }

    pub(super) fn end(&mut self, slot: usize, place: usize) {
        self.used[slot] &= !(1 << place);
        self.queued[slot] &= !(1 << place);
        if usize::from(self.main[slot]) == place {
            self.main[slot] = NONE;
        }
        self.arrange(slot);
    }

    /// The main playback and those that it has not replaced yet go, and a new one comes: its number, and who went at once; or
    /// none if others hold all places.
    pub(crate) fn crossfade(
        &mut self,
        slot: usize,
        playback: &Playback,
        clock: &PlaybackClock,
        seconds: f32,
    ) -> Option<(u32, Left)> {
        let main = self.main(slot);
        let left = self.leave(slot, seconds, 0.0, false)?;
        let place = free(self.taken(slot))?;
        let fade = Fade::over(0.0, playback.weight, seconds);
        let serial = self.put(slot, place, playback, clock, (fade, true));
        self.put_ahead(slot, place, main);
        self.settle(slot);
        Some((serial, left))
    }

    /// What is at a place is the main playback from now on, and takes the place of the one that it follows. So main playbacks of
    /// neighbours stand side by side, and few places hold those that leave: a step of time is quicker then.
    pub(super) fn put_ahead(&mut self, slot: usize, place: usize, before: Option<usize>) {
        self.main[slot] = place as u8;
        let Some(before) = before.filter(|before| *before != place && self.is_used(slot, *before)) else {
            return;
        };
        let places = self.places.get_disjoint_mut([before, place]).expect("these are two of the places");
        let [ahead, behind] = places;
        ahead.swap(behind, slot);
        self.main[slot] = before as u8;
    }

    /// Whether there is a place for one more.
    pub(crate) fn can_play(&self, slot: usize) -> bool {
        free(self.taken(slot)).is_some()
    }

    /// Whether a crossfade would find a place.
    pub(crate) fn can_crossfade(&self, slot: usize, seconds: f32) -> bool {
        self.way(slot, seconds, 0.0, false).is_some()
    }

    /// Who of the main playback and those that it has not replaced yet goes at once, and who loses its weight over time. None,
    /// if that leaves no place to another, unless it has one.
    fn way(&self, slot: usize, seconds: f32, wait_s: f64, has_place: bool) -> Option<Way> {
        let weight = |place: usize| self.places[place].fades[slot].weight_in(wait_s);
        let crossfaded = |place: &usize| self.places[*place].kinds[slot].is_crossfaded();
        // What has no weight, or no time to lose it in, goes at once.
        let gone = |place: &usize| seconds <= 0.0 || weight(*place) == 0.0;
        let mut way = Way { taken: self.taken(slot), leaving: 0, scale: 1.0 };
        for place in self.used(slot).filter(crossfaded) {
            if gone(&place) {
                way.taken &= !(1 << place);
            } else {
                way.leaving |= 1 << place;
            }
        }
        // Where there is no room, the lightest goes at once, and the others take over its weight.
        if !has_place && free(way.taken).is_none() {
            let leaving = way.leaving;
            let places = (0..LAYERS).filter(|place| leaving >> place & 1 == 1);
            let lightest = places.clone().min_by(|a, b| {
                let by_weight = weight(*a).total_cmp(&weight(*b));
                by_weight.then(self.serial(slot, *a).cmp(&self.serial(slot, *b)))
            });
            let sum: f64 = places.map(|place| f64::from(weight(place))).sum();
            let lightest = lightest.filter(|_| leaving.count_ones() > 1)?;
            way.scale = sum / (sum - f64::from(weight(lightest)));
            way.taken &= !(1 << lightest);
            way.leaving &= !(1 << lightest);
        }
        Some(way)
    }

    /// The main playback and those that it has not replaced yet lose their weights, from `wait_s` seconds on. None, and nothing
    /// changed, if that leaves no place to another, unless it has one.
    pub(super) fn leave(&mut self, slot: usize, seconds: f32, wait_s: f64, has_place: bool) -> Option<Left> {
        let Way { taken, leaving, scale } = self.way(slot, seconds, wait_s, has_place)?;
        let mut left = Left::default();
        for (place, gone) in left.0.iter_mut().enumerate() {
            if self.is_used(slot, place) && taken >> place & 1 == 0 {
                let recorded = self.recorded[self.places[place].clip(slot)];
                *gone = Some((self.serial(slot, place), self.has_begun_untold(slot, place), recorded));
            }
        }
        self.used[slot] &= taken;
        for (other, columns) in self.places.iter_mut().enumerate() {
            if leaving >> other & 1 == 1 {
                let finished = columns.is_finished(slot);
                let now = &mut columns.fades[slot];
                let mean = now.mean([0.0, wait_s]);
                let weight = (f64::from(now.weight_in(wait_s)) * scale) as f32;
                *now = Fade::over(weight.min(MAX_WEIGHT), 0.0, seconds).delayed(wait_s, mean);
                columns.kinds[slot].leave(finished);
            }
        }
        Some(left)
    }

    /// One that begins when another has come far enough: its number, or none if all places are taken.
    pub(crate) fn enqueue(
        &mut self,
        instance: InstanceId,
        playback: &Playback,
        clock: &PlaybackClock,
        (other, left_s, begin): (PlaybackId, f64, Begin),
    ) -> Option<u32> {
        let slot = instance.slot();
        let place = free(self.taken(slot))?;
        let crossfaded = matches!(begin, Begin::Crossfade(_));
        let serial = self.put(slot, place, playback, clock, (Fade::hold(playback.weight), crossfaded));
        self.used[slot] &= !(1 << place);
        self.queued[slot] |= 1 << place;
        self.queue.push(Queued { instance, place, serial, other, left_s, begin });
        Some(serial)
    }
}

/// How a crossfade makes room.
struct Way {
    /// Places that are not free then.
    taken: u8,
    /// Those of them whose weight goes down, from what it is times the scale.
    leaving: u8,
    scale: f64,
}

/// The numbers of playbacks that went at once, whether nobody was told that they began, and the kinds of events that are
/// recorded of their clips; by place.
#[derive(Default)]
pub(crate) struct Left([Option<(u32, bool, EventKinds)>; LAYERS]);

impl Left {
    /// Tells that they went, of an instance of a crowd of so many slots.
    pub(crate) fn tell(&self, (slots, instance): (usize, InstanceId), events: &mut Events) {
        for &(serial, untold, recorded) in self.0.iter().flatten() {
            let playback = PlaybackId { instance, serial };
            if untold {
                events.tell(slots, recorded, playback, EventKind::Started);
            }
            events.tell(slots, recorded, playback, EventKind::Stopped);
        }
    }
}

/// The first place that is not taken.
pub(super) fn free(taken: u8) -> Option<usize> {
    let place = taken.trailing_ones() as usize;
    (place < LAYERS).then_some(place)
}
