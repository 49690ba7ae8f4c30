use std::ops::Range;

use thiserror::Error;

use super::MeshBlocks;

/// What is wrong with the arguments of [`skin_vertices`](super::skin_vertices).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkinningError {
    /// The mesh has no such vertices.
    #[error("vertices {start}..{end}, expected a range within the mesh's {count}")]
    Vertices {
        /// The first one.
        start: usize,
        /// After the last one.
        end: usize,
        /// How many there are.
        count: usize,
    },
    /// Palettes follow each other, whole ones.
    #[error("{found} floats of palettes, expected a multiple of the {expected} of one")]
    Palettes {
        /// Floats given.
        found: usize,
        /// Floats of one palette.
        expected: usize,
    },
    /// What is asked for can't be had of this mesh.
    #[error("room for {what}, but the mesh has none")]
    Absent {
        /// Normals or tangents.
        what: &'static str,
    },
    /// Each palette gives one of each a vertex.
    #[error("room for {found} {what}, expected {expected}: {palettes} palettes of {vertices} vertices")]
    Room {
        /// Positions, normals or tangents.
        what: &'static str,
        /// How many fit.
        found: usize,
        /// How many there should be room for.
        expected: usize,
        /// How many palettes are given.
        palettes: usize,
        /// How many vertices each of them moves.
        vertices: usize,
    },
}

/// Where the results go: those of the first palette, vertex after vertex, then those of the next.
#[derive(Debug)]
pub struct SkinnedVertices<'a> {
    /// Positions, in the space that the palettes lead to.
    pub positions: &'a mut [[f32; 3]],
    /// Unit normals, if wanted.
    pub normals: Option<&'a mut [[f32; 3]]>,
    /// Unit tangents with the sign of the bitangent, if wanted.
    pub tangents: Option<&'a mut [[f32; 4]]>,
}

/// Which vertices to move by which palettes, checked.
#[derive(Debug)]
pub struct SkinningJob<'a> {
    pub(super) mesh: &'a MeshBlocks,
    pub(super) vertices: Range<usize>,
    pub(super) palettes: &'a [f32],
    pub(super) out: SkinnedVertices<'a>,
}

impl<'a> SkinningJob<'a> {
    /// All vertices, by one palette or by several that follow each other, as
    /// [`palettes`](crate::palettes) writes them: [`MeshBlocks::palette_floats`] each.
    ///
    /// # Errors
    /// Any [`SkinningError`] but [`SkinningError::Vertices`].
    pub fn new(
        mesh: &'a MeshBlocks,
        palettes: &'a [f32],
        out: SkinnedVertices<'a>,
    ) -> Result<Self, SkinningError> {
        Self::of_vertices(mesh, 0..mesh.vertex_count(), palettes, out)
    }

    /// As [`new`](Self::new), of some vertices only: a part of a large mesh for each thread, say. Any parts give the same bits;
    /// those that begin and end at multiples of [`BLOCK`](crate::BLOCK) do no work twice.
    ///
    /// # Errors
    /// Any [`SkinningError`].
    pub fn of_vertices(
        mesh: &'a MeshBlocks,
        vertices: Range<usize>,
        palettes: &'a [f32],
        out: SkinnedVertices<'a>,
    ) -> Result<Self, SkinningError> {
        let (Range { start, end }, count) = (vertices.clone(), mesh.vertex_count());
        if start > end || end > count {
            return Err(SkinningError::Vertices { start, end, count });
        }
        let (found, expected) = (palettes.len(), mesh.palette_floats());
        if !found.is_multiple_of(expected) {
            return Err(SkinningError::Palettes { found, expected });
        }
        let instances = found.checked_div(expected).unwrap_or_default();
        let room = |what, found: usize| {
            let (vertices, expected) = (vertices.len(), instances.saturating_mul(vertices.len()));
            if found == expected {
                Ok(())
            } else {
                Err(SkinningError::Room { what, found, expected, palettes: instances, vertices })
            }
        };
        room("positions", out.positions.len())?;
        if let Some(normals) = &out.normals {
            if !mesh.has_normals() {
                return Err(SkinningError::Absent { what: "normals" });
            }
            room("normals", normals.len())?;
        }
        if let Some(tangents) = &out.tangents {
            if !mesh.has_tangents() {
                return Err(SkinningError::Absent { what: "tangents" });
            }
            room("tangents", tangents.len())?;
        }
        Ok(Self { mesh, vertices, palettes, out })
    }
}
