//! What an import returns.

use std::sync::Arc;

use glam::Vec3;

use super::Report;
use crate::{Clip, JointIndex, Skeleton, Skin, SkinnedMesh};

/// The format of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// glTF 2.0 as JSON text, `.gltf`.
    #[default]
    Gltf,
    /// glTF 2.0 in a binary container, `.glb`.
    Glb,
    /// Biovision motion capture, `.bvh`.
    Bvh,
}

impl Format {
    /// The name that is printed for it, such as `GLB`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::Bvh => "BVH",
        }
    }
}

/// What a file holds of poses and animation. The same for every format; what a format does not have is empty.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Import {
    /// The format of the file.
    pub format: Format,
    /// One skeleton for the whole file: all joints of all skins, all animated nodes, and all their ancestors. Of
    /// a BVH file all joints in order; their rest is their `OFFSET`s.
    pub skeleton: Skeleton,
    /// The file's own index of each joint: of glTF the node, of BVH the position among the file's joints.
    pub nodes: Vec<usize>,
    /// The file's skins, in order; their joints are joints of the skeleton. Of a BVH file one, over all joints,
    /// with the inverse of the rest.
    pub skins: Vec<Skin>,
    /// The file's clips that can be built, in order. A BVH file has at most one, none if it has no rows or no
    /// channels.
    pub clips: Vec<Clip>,
    /// For each clip of the file its index there. It is larger than the index in `clips` behind a clip that is
    /// left out. Clips that are added to `clips` later have none.
    pub clip_sources: Vec<usize>,
    /// The file's clips that can't be built, in order.
    pub left_out: Vec<LeftOutClip>,
    /// The glTF nodes whose meshes have morph targets, in order, whether or not they are joints.
    pub morphs: Vec<Morph>,
    /// The vertices of meshes that are shown with skins, if [`ImportOptions::meshes`](super::ImportOptions::meshes)
    /// asks for them.
    pub meshes: Vec<MeshPart>,
    /// For each skin a flag for each of its palette entries: whether a vertex of a mesh that is shown
    /// with the skin has a weight for the entry. [`Skin::pruned`] keeps those. None for a skin without a
    /// mesh, or with one whose weights can't be read: then every entry counts.
    pub used_joints: Vec<Option<Vec<bool>>>,
    /// Every `End Site` of a BVH file, in order.
    pub end_sites: Vec<EndSite>,
    /// Seconds from row to row of a BVH file that has a `MOTION`.
    pub frame_time_s: Option<f64>,
    /// Every repair, skip and remark.
    pub report: Report,
}

impl Import {
    /// The joint with index `node` in the file; none if the node is not part of the skeleton.
    #[must_use]
    pub fn joint_of_node(&self, node: usize) -> Option<JointIndex> {
        let joint = self.nodes.iter().position(|&of_joint| of_joint == node)?;
        u16::try_from(joint).ok().map(JointIndex)
    }
}

/// A clip of a file that can't be built, and is not among the clips of the import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutClip {
    /// Its index in the file: of glTF the animation.
    pub source: usize,
    /// Its name; may be empty.
    pub name: String,
    /// What is wrong with it: the location in the file, what was found, what was expected.
    pub why: String,
}

/// A node whose mesh has morph targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Morph {
    /// The index of the glTF node; [`Import::joint_of_node`] returns its joint.
    pub node: usize,
    /// The weight of each target where no clip moves it.
    pub weights: Arc<[f32]>,
    /// The name of each target; empty where the file has none.
    pub names: Arc<[String]>,
}

impl Morph {
    /// The number of targets.
    #[must_use]
    pub fn count(&self) -> usize {
        self.weights.len()
    }
}

/// The vertices of one primitive of a mesh, for one of the skins that it is shown with. Morph targets are not
/// applied.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPart {
    /// The index of the glTF mesh.
    pub mesh: usize,
    /// The index of the primitive in the mesh.
    pub primitive: usize,
    /// The index of the skin, in the file and in [`Import::skins`].
    pub skin: usize,
    /// The name of the mesh; may be empty.
    pub name: String,
    /// The vertices in their bind pose. Weights that did not sum to 1 have been normalised.
    pub vertices: SkinnedMesh,
}

/// The end of a chain of joints: the point where the last bone ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndSite {
    /// The joint whose bone it ends.
    pub joint: JointIndex,
    /// Its position in the space of that joint, in the file's unit.
    pub offset: Vec3,
}
