//! Results, cut into what a kernel writes whole: blocks of sixteen vertices.

use std::mem::take;

use super::SkinnedVertices;
use crate::isa::BLOCK;

/// What is still to be written; normals and tangents are empty where they are not wanted.
pub(super) struct Slices<'a> {
    positions: &'a mut [[f32; 3]],
    normals: &'a mut [[f32; 3]],
    tangents: &'a mut [[f32; 4]],
}

/// The same, block by block.
pub(super) struct OutBlocks<'a> {
    pub(super) positions: &'a mut [[[f32; 3]; BLOCK]],
    pub(super) normals: &'a mut [[[f32; 3]; BLOCK]],
    pub(super) tangents: &'a mut [[[f32; 4]; BLOCK]],
}

impl<'a> Slices<'a> {
    pub(super) fn new(out: SkinnedVertices<'a>) -> Self {
        Self {
            positions: out.positions,
            normals: out.normals.unwrap_or_default(),
            tangents: out.tangents.unwrap_or_default(),
        }
    }

    /// Takes the first `count` vertices off.
    pub(super) fn front(&mut self, count: usize) -> Self {
        fn front<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
            let all = take(rest);
            let (front, back) = all.split_at_mut(count.min(all.len()));
            *rest = back;
            front
        }
        Self {
            positions: front(&mut self.positions, count),
            normals: front(&mut self.normals, count),
            tangents: front(&mut self.tangents, count),
        }
    }

    pub(super) fn blocks(self) -> OutBlocks<'a> {
        OutBlocks {
            positions: self.positions.as_chunks_mut().0,
            normals: self.normals.as_chunks_mut().0,
            tangents: self.tangents.as_chunks_mut().0,
        }
    }

    /// Fills up with what the stage has from vertex `first` on.
    pub(super) fn copy(self, stage: &Stage, first: usize) {
        fn copy<T: Copy>(to: &mut [T], from: &[T]) {
            to.copy_from_slice(&from[..to.len()]);
        }
        copy(self.positions, &stage.positions[first..]);
        copy(self.normals, &stage.normals[first..]);
        copy(self.tangents, &stage.tangents[first..]);
    }
}

/// A block of which not all is wanted.
pub(super) struct Stage {
    positions: [[f32; 3]; BLOCK],
    normals: [[f32; 3]; BLOCK],
    tangents: [[f32; 4]; BLOCK],
}

impl Stage {
    pub(super) const ZERO: Self =
        Self { positions: [[0.0; 3]; BLOCK], normals: [[0.0; 3]; BLOCK], tangents: [[0.0; 4]; BLOCK] };

    /// The block, with normals and tangents where `out` has them.
    pub(super) fn slices(&mut self, out: &Slices<'_>) -> Slices<'_> {
        Slices {
            positions: &mut self.positions,
            normals: if out.normals.is_empty() { &mut [] } else { &mut self.normals },
            tangents: if out.tangents.is_empty() { &mut [] } else { &mut self.tangents },
        }
    }
}
