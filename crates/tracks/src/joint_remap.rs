//! Palettes of only those joints of a skin that vertices follow.

use glam::Affine3A;

use crate::{Skin, SkinnedMesh};

/// Where the palette entries of a skin went when it was [pruned](Skin::pruned). `JOINTS_0` of a mesh names entries of
/// the whole skin; [`rewrite`](Self::rewrite) makes it name those of the pruned one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointRemap {
    entries: Vec<Option<u16>>,
    kept: usize,
}

impl JointRemap {
    fn new(used: &[bool]) -> Self {
        let mut kept = 0;
        let entries = used.iter().map(|&used| {
            used.then(|| {
                kept += 1;
                (kept - 1) as u16
            })
        });
        let entries = entries.collect();
        Self { entries, kept }
    }

    /// For each entry of the whole skin the entry of the pruned one; none where it was left out.
    #[must_use]
    pub fn entries(&self) -> &[Option<u16>] {
        &self.entries
    }

    /// The entry of the pruned skin for one of the whole skin; none if it was left out, or the skin has no such entry.
    #[must_use]
    pub fn entry(&self, joint: u16) -> Option<u16> {
        self.entries.get(usize::from(joint)).copied().flatten()
    }

    /// How many entries the pruned skin has.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Whether nothing was left out, so that indices are as they were.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.kept == self.entries.len()
    }

    /// Changes the joint indices of a vertex buffer, in place, from entries of the whole skin to entries of the pruned one.
    ///
    /// An index that was left out becomes 0: only vertices that it has no weight for can name it, if the skin was
    /// pruned to the joints of these vertices. Returns how many indices became 0 for that reason.
    ///
    /// ```
    /// # use throng_tracks::*;
    /// # let joint = |name: &str| Joint { name: name.into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
    /// # let skeleton = Skeleton::new(["a", "b", "c"].map(joint))?;
    /// let skin = Skin::new("body", &skeleton, skeleton.joints().collect(), None)?;
    /// let (pruned, remap) = skin.pruned(&[true, false, true]);
    /// assert_eq!(pruned.joints(), [JointIndex(0), JointIndex(2)]);
    /// let mut joints = [[0u16, 2, 1, 1]];
    /// assert_eq!(remap.rewrite(joints.as_flattened_mut()), 2);
    /// assert_eq!(joints, [[0, 1, 0, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rewrite(&self, joints: &mut [u16]) -> usize {
        let mut lost = 0;
        for joint in joints {
            let entry = self.entry(*joint);
            lost += usize::from(entry.is_none());
            *joint = entry.unwrap_or(0);
        }
        lost
    }
}

impl Skin {
    /// The skin with only the palette entries that `used` marks, in their order, and where each went. Where none is marked, or
    /// `used` says nothing of some entries, those stay: a palette has at least one entry.
    ///
    /// [`SkinnedMesh::used_joints`] tells which entries a mesh needs; of several meshes on one skin, take all that any
    /// needs.
    #[must_use]
    pub fn pruned(&self, used: &[bool]) -> (Self, JointRemap) {
        let none = !used.contains(&true);
        let mut kept = vec![true; self.joints().len()];
        kept.iter_mut().zip(used).for_each(|(kept, &used)| *kept = used || none);
        let entries = || kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(entry, _)| entry);
        let joints = entries().map(|entry| self.joints()[entry]).collect();
        let inverse_bind: Vec<Affine3A> = entries().map(|entry| self.inverse_bind()[entry]).collect();
        (self.with_entries(joints, inverse_bind), JointRemap::new(&kept))
    }
}

impl SkinnedMesh {
    /// For each entry of the palette whether some vertex follows it.
    #[must_use]
    pub fn used_joints(&self) -> Vec<bool> {
        let mut used = vec![false; self.joint_count()];
        let vertices = 0..self.vertex_count();
        vertices.flat_map(|v| self.influences(v)).for_each(|i| used[usize::from(i.joint)] = true);
        used
    }

    /// The mesh for the palette of a [pruned](Skin::pruned) skin. None if a vertex follows a joint that was left out.
    #[must_use]
    pub fn remapped(&self, remap: &JointRemap) -> Option<Self> {
        let mut mesh = self.clone();
        mesh.set_joints(remap.kept(), |joint| remap.entry(joint)).then_some(mesh)
    }
}
