//! Plans and crowds over an asset.

use std::sync::Arc;

use throng_crowd::{Crowd, CrowdError};
use throng_kernels::{Level, Plan, PlanOptions};
use throng_tracks::import::Import;
use throng_tracks::{JointRemap, Skin};

use super::{Asset, AssetError};

impl Asset {
    /// The asset with palettes of all joints of its skins, for meshes of which the file knows nothing.
    ///
    /// By default palettes have entries only for joints that vertices of the file's meshes follow: see
    /// [`joint_remap`](Self::joint_remap).
    #[must_use]
    pub fn with_all_joints(mut self) -> Self {
        self.all_joints = true;
        self
    }

    /// The skin that plans and crowds are made for: one of the file's, with only the palette entries
    /// that vertices follow, and the new index of each entry of the file's skin. A skin without meshes,
    /// or with one whose weights can't be read, keeps all its entries, and so do all skins
    /// [on request](Self::with_all_joints).
    ///
    /// # Errors
    /// [`AssetError::NoSuchSkin`].
    pub fn skin(&self, skin: usize) -> Result<(Skin, JointRemap), AssetError> {
        let skins = self.skins();
        let whole = skins.get(skin).ok_or(AssetError::NoSuchSkin { skin, skins: skins.len() })?;
        let used = self.import.used_joints.get(skin).and_then(Option::as_deref);
        Ok(whole.pruned(used.filter(|_| !self.all_joints).unwrap_or_default()))
    }

    /// The palette entry of each joint of one of the file's skins.
    ///
    /// A vertex buffer that holds the file's `JOINTS_0` names entries of the whole skin. Rewrite it
    /// once, when it is loaded:
    ///
    /// ```no_run
    /// # fn joints_of_the_file() -> Vec<[u16; 4]> { Vec::new() }
    /// let asset = throng::Asset::load("knight.glb")?;
    /// let mut joints: Vec<[u16; 4]> = joints_of_the_file();
    /// asset.joint_remap(0)?.rewrite(joints.as_flattened_mut());
    /// # Ok::<(), throng::AssetError>(())
    /// ```
    ///
    /// # Errors
    /// [`AssetError::NoSuchSkin`].
    pub fn joint_remap(&self, skin: usize) -> Result<JointRemap, AssetError> {
        Ok(self.skin(skin)?.1)
    }

    /// The plan for one of the file's skins, to be shared by crowds. Its palettes are those of
    /// [`skin`](Self::skin).
    ///
    /// # Errors
    /// If there is no such skin, or it has no joints.
    pub fn plan(&self, skin: usize) -> Result<Arc<Plan>, AssetError> {
        self.plan_with(&[skin], &PlanOptions::default())
    }

    /// The plan for several skins on one pose, with options, such as
    /// [rows of sixteen bits](throng_kernels::RowFormat::I16). A crowd over it: [`Crowd::with_plan`].
    ///
    /// # Errors
    /// As [`plan`](Self::plan), for each skin; or if `skins` is empty, or the options name a joint that
    /// the skeleton does not have.
    pub fn plan_with(&self, skins: &[usize], options: &PlanOptions<'_>) -> Result<Arc<Plan>, AssetError> {
        let skins = skins.iter().map(|&skin| Ok(self.skin(skin)?.0));
        let skins = skins.collect::<Result<Vec<Skin>, AssetError>>()?;
        let (bank, skins) = (Arc::clone(&self.bank), Vec::from_iter(&skins));
        let plan = Plan::with_skins(bank, &skins, options).map_err(CrowdError::from)?;
        Ok(Arc::new(plan))
    }

    /// An empty crowd for one of the file's skins, at the [fastest level](Level::detect) of the
    /// processor.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn crowd(&self, skin: usize) -> Result<Crowd, AssetError> {
        self.crowd_with(&[skin], &PlanOptions::default())
    }

    /// An empty crowd for several skins on one pose. An instance's palette is that of the first skin,
    /// followed by that of the second, and so on; [`Crowd::palette_of`] returns one.
    ///
    /// ```no_run
    /// use throng::prelude::*;
    ///
    /// let asset = Asset::load("knight.glb")?;
    /// let (hand, all) = (asset.joint("hand.R")?, Vec::from_iter(0..asset.skins().len()));
    /// let crowd = asset.crowd_with(&all, &PlanOptions { sockets: &[hand], ..Default::default() })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`plan_with`](Self::plan_with).
    pub fn crowd_with(&self, skins: &[usize], options: &PlanOptions<'_>) -> Result<Crowd, AssetError> {
        Ok(Crowd::with_plan(self.plan_with(skins, options)?, Level::detect()))
    }
}

/// Reports how many entries the palettes of each skin have, where that is not all.
pub(super) fn remark_on_pruned(import: &mut Import) {
    for (index, (skin, used)) in import.skins.iter().zip(&import.used_joints).enumerate() {
        let Some(used) = used else { continue };
        let (_, remap) = skin.pruned(used);
        if !remap.is_identity() {
            let (kept, all) = (remap.kept(), skin.joints().len());
            let what = format!(
                "vertices follow {kept} of {all} joints, and palettes have entries for these alone; \
                 Asset::joint_remap tells which, and Asset::with_all_joints keeps all"
            );
            import.report.remark(format!("skins[{index}]"), what);
        }
    }
}
