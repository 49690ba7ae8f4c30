//! The palettes of the frame before, for motion vectors.

use throng_kernels::Line;

use crate::ids::Slots;

/// What the frame before did with a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    /// It was not posed, and both buffers hold the same there.
    #[default]
    Same,
    /// Its instance was posed.
    Posed,
    /// One was posed that is gone, and another lives there now.
    Another,
}

/// A second buffer, which changes places with the first every frame.
#[derive(Default)]
pub(crate) struct Previous {
    buffer: Vec<Line>,
    before: Vec<Before>,
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
        Self { buffer: buffer.to_vec(), before: Vec::new() }
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
        if let Some(before @ Before::Posed) = self.before.get_mut(slot) {
            *before = Before::Another;
        }
    }

    /// After a frame that wrote the palettes of all posed slots to `present`: those that were not posed in both frames get
    /// the same in both buffers. That is one copy where an instance comes or goes, and none while it stays.
    pub(crate) fn settle(&mut self, slots: &Slots, present: &mut [f32]) {
        self.before.resize(slots.count(), Before::Same);
        let Some(floats) = present.len().checked_div(slots.count()) else { return };
        let previous: &mut [f32] = bytemuck::cast_slice_mut(&mut self.buffer);
        let palettes = present.chunks_exact_mut(floats).zip(previous.chunks_exact_mut(floats));
        for ((slot, before), (present, previous)) in self.before.iter_mut().enumerate().zip(palettes) {
            let posed = slots.is_posed(slot);
            match (*before, posed) {
                (Before::Posed, true) | (Before::Same, false) => {}
                (_, true) => previous.copy_from_slice(present),
                (_, false) => present.copy_from_slice(previous),
            }
            *before = if posed { Before::Posed } else { Before::Same };
        }
    }
}
