use super::Influence;

/// What a [`SkinnedMesh`](super::SkinnedMesh) is made of, as it came: one of each a vertex.
#[derive(Clone, Copy, Debug)]
pub struct MeshSource<'a> {
    /// Where the vertices are in the bind pose, in the asset's unit.
    pub positions: &'a [[f32; 3]],
    /// Their normals, if there are any.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Their tangents, if there are any, `w` being 1 or -1.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// Which joints they follow.
    pub influences: Influences<'a>,
}

/// Which joints each vertex of a mesh follows.
#[derive(Clone, Copy, Debug)]
pub enum Influences<'a> {
    /// Vertex `v` has those at `offsets[v]..offsets[v + 1]` of the list; so there is one offset more than vertices.
    Lists {
        /// Where the influences of each vertex begin, and where the last ones end.
        offsets: &'a [u32],
        /// All influences.
        list: &'a [Influence],
    },
    /// Each set has four a vertex, as glTF's `JOINTS_n` and `WEIGHTS_n`.
    Sets(&'a [InfluenceSet<'a>]),
}

/// Four influences a vertex. Those of weight 0 stand for none, whatever joint they name.
#[derive(Clone, Copy, Debug)]
pub struct InfluenceSet<'a> {
    /// Places in the skin.
    pub joints: &'a [[u16; 4]],
    /// How much each counts.
    pub weights: &'a [[f32; 4]],
}
