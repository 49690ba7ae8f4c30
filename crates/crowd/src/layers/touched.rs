//! Which slots may show another pose than before.

use super::Layers;
use crate::bits::SlotSet;

impl Layers {
    /// Takes note that a slot's output may differ from what the last frame wrote.
    #[inline]
    pub(crate) fn touch(&mut self, slot: usize) {
        self.touched.set(slot, true);
    }

    /// Takes note of all slots.
    pub(crate) fn touch_all(&mut self) {
        self.touched.fill(self.used.len());
    }

    /// The slots of which [`touch`](Self::touch) took note since this was called before.
    pub(crate) fn take_touched(&mut self, mut take: impl FnMut(&SlotSet)) {
        take(&self.touched);
        self.touched.clear();
    }

    /// Gives each set a bit for every slot.
    pub(super) fn fit_sets(&mut self) {
        let slots = self.used.len();
        let sets = [&mut self.active, &mut self.were_active, &mut self.touched];
        sets.into_iter().for_each(|set| set.fit(slots));
    }
}
