//! Playbacks that start, fade and end.

use throng_kernels::LAYERS;

use throng_tracks::PlaybackClock;

use super::{Layers, NONE};
use crate::Playback;
use crate::columns::Playbacks;
use crate::fade::Fade;

impl Layers {
    /// Changes what plays at a place.
    pub(crate) fn change(&mut self, slot: usize, place: usize, act: impl FnOnce(&mut Playbacks)) {
        act(&mut self.places[place]);
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
        let place = free(self.used[slot])?;
        let serial = self.put(slot, place, playback, clock, (fade, false));
        self.settle(slot);
        Some(serial)
    }

    /// Ends what plays at a place.
    pub(crate) fn stop(&mut self, slot: usize, place: usize) {
        self.end(slot, place);
        self.settle(slot);
    }

    fn end(&mut self, slot: usize, place: usize) {
        self.used[slot] &= !(1 << place);
        if usize::from(self.main[slot]) == place {
            self.main[slot] = NONE;
        }
    }

    /// The main playback and those that it has not replaced yet go, and a new one comes: its number, or none if others
    /// hold all places.
    pub(crate) fn crossfade(
        &mut self,
        slot: usize,
        playback: &Playback,
        clock: &PlaybackClock,
        seconds: f32,
    ) -> Option<u32> {
        let weight = |place: usize| self.places[place].fades[slot].weight;
        let crossfaded = |place: &usize| self.places[*place].kinds[slot].is_crossfaded();
        // What has no weight, or no time to lose it in, goes at once.
        let gone = |place: &usize| seconds <= 0.0 || weight(*place) == 0.0;
        let (mut used, mut leaving) = (self.used[slot], 0u8);
        for place in self.used(slot).filter(crossfaded) {
            if gone(&place) {
                used &= !(1 << place);
            } else {
                leaving |= 1 << place;
            }
        }
        // Where there is no room, the lightest goes at once, and the others take over its weight.
        let mut scale = 1.0;
        if free(used).is_none() {
            let places = (0..LAYERS).filter(|place| leaving >> place & 1 == 1);
            let lightest = places.clone().min_by(|a, b| {
                let by_weight = weight(*a).total_cmp(&weight(*b));
                by_weight.then(self.serial(slot, *a).cmp(&self.serial(slot, *b)))
            });
            let sum: f64 = places.map(|place| f64::from(weight(place))).sum();
            let lightest = lightest.filter(|_| leaving.count_ones() > 1)?;
            scale = sum / (sum - f64::from(weight(lightest)));
            used &= !(1 << lightest);
            leaving &= !(1 << lightest);
        }
        let place = free(used)?;
        self.used[slot] = used;
        for (other, columns) in self.places.iter_mut().enumerate() {
            if leaving >> other & 1 == 1 {
                let now = &mut columns.fades[slot];
                let weight = (f64::from(now.weight) * scale) as f32;
                *now = Fade::over(weight.min(f32::MAX), 0.0, seconds);
                columns.kinds[slot].set_leaving(true);
            }
        }
        self.main[slot] = place as u8;
        let fade = Fade::over(0.0, playback.weight, seconds);
        let serial = self.put(slot, place, playback, clock, (fade, true));
        self.settle(slot);
        Some(serial)
    }

    /// Moves all clocks by `dt` seconds, finite and 0 or above, each by its own speed, and all fades.
    pub(crate) fn advance(&mut self, dt: f64) {
        for columns in &mut self.places {
            columns.advance(dt);
        }
        self.ended.clear();
        let mut busy = std::mem::take(&mut self.busy);
        busy.retain(|&slot| {
            let slot = slot as usize;
            self.step(slot, dt);
            self.whole[slot] = self.only_one(slot);
            self.is_busy[slot] = self.is_to_step(slot);
            self.is_busy[slot]
        });
        self.busy = busy;
        self.ended.sort_unstable();
    }

    fn step(&mut self, slot: usize, dt: f64) {
        for place in self.used(slot) {
            let columns = &mut self.places[place];
            columns.fades[slot].step(dt);
            let kind = columns.kinds[slot];
            let faded = kind.is_leaving() && !columns.fades[slot].is_running();
            let ended = kind.is_removed() && columns.is_finished(slot);
            if ended && !faded {
                self.ended.push((slot as u32, place as u8));
            }
            if ended || faded {
                self.end(slot, place);
            }
        }
    }
}

/// The first place that is not used.
fn free(used: u8) -> Option<usize> {
    let place = used.trailing_ones() as usize;
    (place < LAYERS).then_some(place)
}
