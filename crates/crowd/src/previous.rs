//! The palettes of the frame before, for motion vectors.

use throng_kernels::Line;

use crate::ids::Slots;

/// What the frame before did with a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    /// Nobody saw it, and both buffers hold the same there.
    #[default]
    Unseen,
    /// Its instance kept its palette, and both buffers hold the same there.
    Held,
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
        match self.before.get_mut(slot) {
            Some(before @ Before::Posed) => *before = Before::Another,
            Some(before @ Before::Held) => *before = Before::Unseen,
            _ => {}
        }
    }

    /// After a frame that wrote the palettes of the slots that are `due` to `present`: those that were seen in one of both
    /// frames, and those that keep their palette now, get the same in both buffers. That is one copy where an instance comes, goes, or
    /// keeps what it just got, and none while it stays.
    pub(crate) fn settle(&mut self, slots: &Slots, due: &[u32], present: &mut [f32]) {
        self.before.resize(slots.count(), Before::Unseen);
        let mut due = due.iter().copied().peekable();
        let Some(floats) = present.len().checked_div(slots.count()) else { return };
        let previous: &mut [f32] = bytemuck::cast_slice_mut(&mut self.buffer);
        let palettes = present.chunks_exact_mut(floats).zip(previous.chunks_exact_mut(floats));
        for ((slot, before), (present, previous)) in self.before.iter_mut().enumerate().zip(palettes) {
            let posed = due.next_if_eq(&(slot as u32)).is_some();
            match (*before, posed) {
                (Before::Posed | Before::Held, true) | (Before::Unseen | Before::Held, false) => {}
                (_, true) => previous.copy_from_slice(present),
                (_, false) => present.copy_from_slice(previous),
            }
            *before = match posed {
                true => Before::Posed,
                false if slots.is_posed(slot) => Before::Held,
                false => Before::Unseen,
            };
        }
    }
}
