//! Linear-blend skinning: the vertices of a mesh where a palette takes them, on the CPU.
//!
//! For tests, for picking, and for servers without a graphics card; and the definition of what a vertex shader should do with
//! the palettes of [`palettes`](crate::palettes).
//!
//! Here lanes are vertices. Each reads the matrices of its own joints, row by row, weighs and sums them; the sums are
//! transposed once, and what follows is plain vertical arithmetic. `blocks` is the mesh as lanes read it, `job` checks
//! what a call is about, `out` cuts the results into blocks, `lanes` has the formulas.

mod blocks;
mod job;
mod lanes;
mod out;

pub use blocks::MeshBlocks;
pub use job::{SkinnedVertices, SkinningError, SkinningJob};

use crate::isa::{BLOCK, Isa, Level, MatrixTable, dispatch};
use blocks::BlockRange;
use lanes::skin_blocks;
use out::{OutBlocks, Slices, Stage};

/// Moves the vertices of the job to where each palette takes them, at the given level.
///
/// With `M` the sum of `weight * palette[joint]` over a vertex's influences, in their order:
///
/// | output | is |
/// | --- | --- |
/// | position | `M * p` |
/// | normal | the inverse transpose of `M`'s 3x3 part times the normal, of unit length |
/// | tangent | `M`'s 3x3 part times the tangent, `x y z` of unit length; `w` negated where `M` mirrors |
///
/// The inverse transpose is had from the cofactors, so that it exists where `M` flattens the mesh and has no inverse; where
/// `M` mirrors, the sign is set right again. Normals stay at right angles to the surface, and outside, whatever `M` scales or
/// shears. What has length 0, before or after, is a zero vector. Scales between 1e-9 and 1e9 are good for normals and tangents.
///
/// The sign of `w`: a mirrored surface has the other handedness, so that `w * cross(normal, tangent)` is `M` times the
/// bitangent only with `w` negated. glTF does not say who does that. The shaders of viewers negate it for a mirroring node
/// (Bevy) or not at all (three.js), and keep it for mirroring joints; they light normal maps on mirrored limbs from the wrong
/// side. Nothing differs where no joint mirrors.
///
/// All levels of a rounding class return the same bits, and which vertices or instances go together changes none. Numbers that
/// are not finite in a palette spoil the vertices that follow those joints, and no others.
///
/// ```
/// use throng_kernels::{Level, MeshBlocks, SkinnedVertices, SkinningJob, skin_vertices};
/// # use throng_tracks::{Influence, Influences, MeshSource, SkinnedMesh, WeightRule};
/// # let list = [Influence { joint: 0, weight: 1.0 }];
/// # let influences = Influences::Lists { offsets: &[0, 1], list: &list };
/// # let source = MeshSource { positions: &[[1.0, 2.0, 3.0]], normals: None, tangents: None, influences };
/// # let (mesh, _) = SkinnedMesh::new(source, 1, WeightRule::Normalise)?;
/// let blocks = MeshBlocks::new(&mesh);
/// // One joint, moved by 10 along x.
/// let palette = [1.0, 0.0, 0.0, 10.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
/// let mut positions = vec![[0.0; 3]; mesh.vertex_count()];
/// let out = SkinnedVertices { positions: &mut positions, normals: None, tangents: None };
/// skin_vertices(Level::detect(), SkinningJob::new(&blocks, &palette, out)?);
/// assert_eq!(positions, [[11.0, 2.0, 3.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn skin_vertices(level: Level, job: SkinningJob<'_>) {
    let SkinningJob { mesh, vertices, palettes, out } = job;
    let mut rest = Slices::new(out);
    // A mesh without joints has no vertices either.
    for palette in palettes.chunks_exact(mesh.palette_floats().max(1)) {
        let Some(table) = MatrixTable::new(palette) else { return };
        let mut at = vertices.start;
        while at < vertices.end {
            let (block, skip, left) = (at / BLOCK, at % BLOCK, vertices.end - at);
            if skip == 0 && left >= BLOCK {
                let blocks = left / BLOCK;
                run(level, mesh.range(block, blocks), table, rest.front(blocks * BLOCK).blocks());
                at += blocks * BLOCK;
            } else {
                // The whole block goes to a stage, and what is wanted of it on from there.
                let count = left.min(BLOCK - skip);
                let out = rest.front(count);
                let mut stage = Stage::ZERO;
                run(level, mesh.range(block, 1), table, stage.slices(&out).blocks());
                out.copy(&stage, skip);
                at += count;
            }
        }
    }
}

fn run(level: Level, mesh: BlockRange<'_>, palette: MatrixTable<'_>, out: OutBlocks<'_>) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || skin_blocks(isa, mesh, palette, out)));
}
