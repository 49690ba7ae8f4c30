//! Meshes that skins bend, at rest: vertices in their bind pose, and which joints each follows.

mod build;
mod error;
mod source;

pub use build::{WeightReport, WeightRule};
pub use error::MeshError;
pub use source::{InfluenceSet, Influences, MeshSource};

/// That a vertex follows one joint, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// The joint's place in the [`Skin`](crate::Skin): the entry of its palette.
    pub joint: u16,
    /// From 0 on; those of a vertex sum to 1, unless the mesh was made with [`WeightRule::Keep`].
    pub weight: f32,
}

/// The vertices of a mesh in their bind pose, each with any number of joints that it follows.
///
/// What exists is valid: all numbers are finite, every vertex has an influence, no weight is negative, and every joint is in
/// the palette. Lengths are the asset's unit. Triangles are not in it: skinning changes no index.
///
/// ```
/// use throng_tracks::{Influence, Influences, MeshSource, SkinnedMesh, WeightRule};
/// let source = MeshSource {
///     positions: &[[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
///     normals: None,
///     tangents: None,
///     // The first vertex follows joint 0; the second joints 0 and 1 alike.
///     influences: Influences::Lists {
///         offsets: &[0, 1, 3],
///         list: &[
///             Influence { joint: 0, weight: 1.0 },
///             Influence { joint: 0, weight: 2.0 },
///             Influence { joint: 1, weight: 2.0 },
///         ],
///     },
/// };
/// let (mesh, report) = SkinnedMesh::new(source, 2, WeightRule::Normalise)?;
/// assert_eq!(mesh.influences(1)[1], Influence { joint: 1, weight: 0.5 });
/// assert_eq!(report.off, 1);
/// # Ok::<(), throng_tracks::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SkinnedMesh {
    positions: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
    tangents: Option<Vec<[f32; 4]>>,
    /// Where the influences of each vertex begin, and where the last ones end.
    offsets: Vec<u32>,
    influences: Vec<Influence>,
    joint_count: usize,
}

impl SkinnedMesh {
    /// How many vertices there are.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// How many joints the skin has: the entries of a palette for this mesh.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// Where the vertices are in the bind pose, in the asset's unit.
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// The normals in the bind pose, of any length.
    #[must_use]
    pub fn normals(&self) -> Option<&[[f32; 3]]> {
        self.normals.as_deref()
    }

    /// The tangents in the bind pose, of any length; `w` is the sign of the bitangent `w * cross(normal, tangent)`.
    #[must_use]
    pub fn tangents(&self) -> Option<&[[f32; 4]]> {
        self.tangents.as_deref()
    }

    /// The joints that a vertex follows, at least one, in the order of the source; empty if there is no such vertex.
    #[must_use]
    pub fn influences(&self, vertex: usize) -> &[Influence] {
        match self.offsets.get(vertex..) {
            Some(&[start, end, ..]) => &self.influences[start as usize..end as usize],
            _ => &[],
        }
    }

    pub(crate) fn positions_mut(&mut self) -> &mut [[f32; 3]] {
        &mut self.positions
    }

    /// Sends each influence to another joint of a palette of `joint_count` entries. Whether all had one.
    pub(crate) fn set_joints(&mut self, joint_count: usize, joint: impl Fn(u16) -> Option<u16>) -> bool {
        self.joint_count = joint_count;
        self.influences.iter_mut().all(|influence| {
            let entry = joint(influence.joint);
            influence.joint = entry.unwrap_or(0);
            entry.is_some()
        })
    }

    /// How many influences all vertices have together.
    #[must_use]
    pub fn influence_count(&self) -> usize {
        self.influences.len()
    }
}
