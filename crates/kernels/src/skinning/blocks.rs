use throng_tracks::SkinnedMesh;

use crate::isa::{BLOCK, Line};
use crate::plan::PALETTE_FLOATS;

/// A mesh as lanes read it: made once, skinned by any number of palettes ([`skin_vertices`](super::skin_vertices)).
///
/// Vertices stand in their order, sixteen a block. A block has as many lines of influences as the vertex with the most of
/// them; the others are filled up with weights of 0, which change no bit.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshBlocks {
    vertex_count: usize,
    joint_count: usize,
    positions: Vec<[Line; 3]>,
    /// Empty if there are none.
    normals: Vec<[Line; 3]>,
    /// Empty if there are none.
    tangents: Vec<[Line; 4]>,
    /// Where the lines of influences of each block begin, and where the last ones end.
    offsets: Vec<u32>,
    weights: Vec<Line>,
    joints: Vec<[u16; BLOCK]>,
}

/// Some blocks, one after the other.
#[derive(Clone, Copy)]
pub(super) struct BlockRange<'a> {
    pub(super) positions: &'a [[Line; 3]],
    pub(super) normals: &'a [[Line; 3]],
    pub(super) tangents: &'a [[Line; 4]],
    /// One more than blocks, into all lines of influences.
    pub(super) offsets: &'a [u32],
    pub(super) weights: &'a [Line],
    pub(super) joints: &'a [[u16; BLOCK]],
}

impl MeshBlocks {
    /// Brings a mesh into the form for lanes.
    #[must_use]
    pub fn new(mesh: &SkinnedMesh) -> Self {
        let vertex_count = mesh.vertex_count();
        let mut blocks = Self {
            vertex_count,
            joint_count: mesh.joint_count(),
            positions: columns(mesh.positions()),
            normals: mesh.normals().map_or_else(Vec::new, columns),
            tangents: mesh.tangents().map_or_else(Vec::new, columns),
            offsets: vec![0],
            weights: Vec::new(),
            joints: Vec::new(),
        };
        for first in (0..vertex_count).step_by(BLOCK) {
            blocks.influences(mesh, first..vertex_count.min(first + BLOCK));
        }
        blocks
    }

    /// The lines of influences of one block.
    fn influences(&mut self, mesh: &SkinnedMesh, vertices: std::ops::Range<usize>) {
        let start = self.weights.len();
        let lines = vertices.clone().map(|vertex| mesh.influences(vertex).len()).max().unwrap_or_default();
        self.weights.resize(start + lines, Line::ZERO);
        self.joints.resize(start + lines, [0; BLOCK]);
        for (lane, vertex) in vertices.enumerate() {
            let mut own = mesh.influences(vertex).iter();
            let mut joint = 0;
            for line in start..start + lines {
                // A joint of the vertex's own, so that no other vertex's numbers get into it, finite or not.
                let influence = own.next();
                joint = influence.map_or(joint, |influence| influence.joint);
                self.joints[line][lane] = joint;
                self.weights[line].0[lane] = influence.map_or(0.0, |influence| influence.weight);
            }
        }
        // No more lines than influences, which a mesh counts by `u32`.
        self.offsets.push(self.weights.len() as u32);
    }

    /// How many vertices there are.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// How many floats a palette for this mesh has: twelve for each joint of its skin.
    #[must_use]
    pub fn palette_floats(&self) -> usize {
        self.joint_count * PALETTE_FLOATS
    }

    /// Whether there are normals.
    #[must_use]
    pub fn has_normals(&self) -> bool {
        self.vertex_count == 0 || !self.normals.is_empty()
    }

    /// Whether there are tangents.
    #[must_use]
    pub fn has_tangents(&self) -> bool {
        self.vertex_count == 0 || !self.tangents.is_empty()
    }

    /// `count` blocks from `first` on.
    pub(super) fn range(&self, first: usize, count: usize) -> BlockRange<'_> {
        fn within<T>(all: &[T], first: usize, count: usize) -> &[T] {
            all.get(first..first + count).unwrap_or_default()
        }
        BlockRange {
            positions: within(&self.positions, first, count),
            normals: within(&self.normals, first, count),
            tangents: within(&self.tangents, first, count),
            offsets: within(&self.offsets, first, count + 1),
            weights: &self.weights,
            joints: &self.joints,
        }
    }
}

/// A line a component for each sixteen vertices; the last one is filled up with zeros.
fn columns<const N: usize>(vertices: &[[f32; N]]) -> Vec<[Line; N]> {
    let mut blocks = vec![[Line::ZERO; N]; vertices.len().div_ceil(BLOCK)];
    for (block, vertices) in blocks.iter_mut().zip(vertices.chunks(BLOCK)) {
        for (lane, vertex) in vertices.iter().enumerate() {
            for (line, &x) in block.iter_mut().zip(vertex) {
                line.0[lane] = x;
            }
        }
    }
    blocks
}
