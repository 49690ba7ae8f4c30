//! The palettes of the frame before, for motion vectors.

use throng_kernels::Line;

use crate::bits::{SlotSet, WORD, ones};
use crate::ids::Slots;

/// A second buffer, which changes places with the first every frame.
#[derive(Default)]
pub(crate) struct Previous {
    buffer: Vec<Line>,
    /// Slots that the frame before posed, and where the same instance lives still.
    posed: SlotSet,
    /// Slots whose instance kept its palette in the frame before. Both buffers hold the same there.
    held: SlotSet,
    /// Slots that the frame before posed for an instance that is gone.
    replaced: SlotSet,
}

/// Makes a buffer at least that long.
pub(crate) fn grow(buffer: &mut Vec<Line>, lines: usize) {
    if buffer.len() < lines {
        buffer.resize(lines, Line::ZERO);
    }
}

impl Previous {
    /// Beside a buffer that holds palettes.
    pub(crate) fn like(buffer: &[Line]) -> Self {
        Self { buffer: buffer.to_vec(), ..Self::default() }
    }

    pub(crate) fn palettes(&self) -> &[f32] {
        bytemuck::cast_slice(&self.buffer)
    }

    /// Ahead of a frame: what was present is previous, and the older buffer is written.
    pub(crate) fn swap(&mut self, buffer: &mut Vec<Line>, lines: usize) {
        std::mem::swap(&mut self.buffer, buffer);
        grow(&mut self.buffer, lines);
    }

    /// A slot was given to a new instance.
    pub(crate) fn replaced(&mut self, slot: usize) {
        if self.posed.has(slot) {
            self.replaced.set(slot, true);
        }
        self.posed.set(slot, false);
        self.held.set(slot, false);
    }

    /// After a frame that wrote the palettes of the slots that are `due` to `present`: those that were seen in one of both
    /// frames, and those that keep their palette now, get the same in both buffers. That is one copy where an instance comes, goes, or
    /// keeps what it just got, and none while it stays. Visible slots whose present palette was copied are put into `due`.
    pub(crate) fn settle(&mut self, slots: &Slots, due: &mut SlotSet, present: &mut [f32]) {
        let count = slots.count();
        let sets = [&mut self.posed, &mut self.held, &mut self.replaced];
        sets.into_iter().for_each(|set| set.fit(count));
        let Some(floats) = present.len().checked_div(count) else { return };
        let previous: &mut [f32] = bytemuck::cast_slice_mut(&mut self.buffer);
        for (word, due) in due.words_mut().iter_mut().enumerate() {
            let [posed, held, replaced] =
                [&mut self.posed, &mut self.held, &mut self.replaced].map(|set| &mut set.words_mut()[word]);
            let appeared = *due & !(*posed | *held);
            let kept = !*due & (*posed | *replaced);
            let palette = |slot: usize| (word * WORD + slot) * floats..(word * WORD + slot + 1) * floats;
            ones(appeared).map(palette).for_each(|at| previous[at.clone()].copy_from_slice(&present[at]));
            ones(kept).map(palette).for_each(|at| present[at.clone()].copy_from_slice(&previous[at]));
            (*posed, *held, *replaced) = (*due, slots.posed().word(word) & !*due, 0);
            *due |= kept & slots.posed().word(word);
        }
    }
}
