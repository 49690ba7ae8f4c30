//! Columns of one layer, read and written for all slots at once.

use throng_tracks::Bank;

use super::Layers;
use crate::fade::Fade;

impl Layers {
    /// Writes what `read` returns of each slot that plays something in a layer; the default of the others.
    pub(crate) fn read<T: Default>(
        &self,
        layer: usize,
        out: &mut [T],
        read: impl Fn(&crate::columns::Playbacks, usize) -> T,
    ) {
        let columns = &self.places[layer];
        for (slot, (out, used)) in out.iter_mut().zip(&self.used).enumerate() {
            *out = if used >> layer & 1 == 1 { read(columns, slot) } else { T::default() };
        }
    }

    /// The slots that play something in a layer, ascending.
    pub(crate) fn slots_of(&self, layer: usize) -> impl Iterator<Item = usize> + '_ {
        self.used.iter().enumerate().filter(move |(_, used)| **used >> layer & 1 == 1).map(|(slot, _)| slot)
    }

    /// Sets weights that were checked. A slot that has its weight already is not touched.
    pub(crate) fn set_weights(&mut self, layer: usize, weights: &[f32]) {
        for (slot, weight) in weights.iter().enumerate().take(self.used.len()) {
            let columns = &mut self.places[layer];
            if self.used[slot] >> layer & 1 == 0 {
                continue;
            }
            let (fade, hold) = (&mut columns.fades[slot], Fade::hold(*weight));
            if *fade != hold || columns.kinds[slot].is_leaving() {
                *fade = hold;
                columns.kinds[slot].set_leaving(false);
                self.settle_arranged(slot);
            }
        }
    }

    /// Sets speeds that were checked. A slot that has its speed already is not touched.
    pub(crate) fn set_speeds(&mut self, bank: &Bank, layer: usize, speeds: &[f32]) {
        for (slot, speed) in speeds.iter().enumerate().take(self.used.len()) {
            let columns = &mut self.places[layer];
            if self.used[slot] >> layer & 1 == 0 || columns.speeds[slot].to_bits() == speed.to_bits() {
                continue;
            }
            if columns.is_finished(slot) {
                // In the other direction there may be more to play.
                let mut clock = columns.clock(bank, slot);
                clock.set_speed(*speed).expect("it was checked");
                columns.set_clock(slot, &clock);
            } else {
                columns.speeds[slot] = *speed;
            }
            self.settle_arranged(slot);
        }
    }

    /// Goes to times that were checked, as [`Playback::time_s`](crate::Playback::time_s) counts them. A slot that is there
    /// already is not touched.
    pub(crate) fn set_times(&mut self, bank: &Bank, layer: usize, times_s: &[f64]) {
        for (slot, time_s) in times_s.iter().enumerate().take(self.used.len()) {
            let columns = &mut self.places[layer];
            if self.used[slot] >> layer & 1 == 0 || columns.played_s(slot) == *time_s {
                continue;
            }
            let mut clock = columns.clock(bank, slot);
            clock.seek_played(*time_s).expect("it was checked");
            columns.seek(slot, &clock);
            self.settle_arranged(slot);
        }
    }

    /// Gives back memory that the present slots do not need.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.places.iter_mut().for_each(crate::columns::Playbacks::shrink_to_fit);
        self.used.shrink_to_fit();
        self.queued.shrink_to_fit();
        self.queue.shrink_to_fit();
        self.main.shrink_to_fit();
        self.whole.shrink_to_fit();
        self.orders.shrink_to_fit();
        self.serials.shrink_to_fit();
        self.is_busy.shrink_to_fit();
        self.motions.shrink_to_fit();
        self.cuts = Vec::new();
        self.ready = Vec::new();
        self.lasts = Vec::new();
        self.cut.events.shrink_to_fit();
    }
}
