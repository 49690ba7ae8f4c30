use std::path::Path;
use std::sync::Arc;

use thiserror::Error;
use throng_crowd::{Crowd, CrowdError};
use throng_gltf::{Import, ImportError, ImportOptions, import_with};
use throng_kernels::{Level, Plan, PlanOptions};
use throng_tracks::{BakeError, BakeOptions, BakeReport, Bank, JointRemap, Skin, bake};

/// A file, imported, and all its clips, baked: what crowds are made of.
#[derive(Clone, Debug)]
pub struct Asset {
    /// What the file holds. The report tells every repair.
    pub import: Import,
    /// The clips as rows, in the order of the file.
    pub bank: Arc<Bank>,
    /// How far the rows are from the exact clips.
    pub bake: BakeReport,
    all_joints: bool,
}

/// Why an asset can't be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The file can't be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The clips can't be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The file has no such skin.
    #[error("there is no skin {skin}: the file has {skins}, counted from 0")]
    NoSuchSkin {
        /// The skin given.
        skin: usize,
        /// How many there are.
        skins: usize,
    },
    /// A crowd over the file can't be made.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

impl Asset {
    /// Imports a `.gltf` or `.glb` file and bakes its clips, both with default options.
    ///
    /// # Errors
    /// [`AssetError::Import`] or [`AssetError::Bake`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, AssetError> {
        Self::load_with(path, &ImportOptions::default(), &BakeOptions::default())
    }

    /// [`load`](Self::load) with options.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with(
        path: impl AsRef<Path>,
        import: &ImportOptions,
        options: &BakeOptions,
    ) -> Result<Self, AssetError> {
        let mut import = import_with(path, import)?;
        let (bank, report) = bake(&import.skeleton, &import.clips, options)?;
        remark_on_pruned(&mut import);
        Ok(Self { import, bank: Arc::new(bank), bake: report, all_joints: false })
    }

    /// The asset with palettes of all joints of its skins, for meshes of which the file knows nothing.
    ///
    /// By default palettes have entries only for joints that vertices of the file's meshes follow: see
    /// [`joint_remap`](Self::joint_remap).
    #[must_use]
    pub fn with_all_joints(mut self) -> Self {
        self.all_joints = true;
        self
    }

    /// The skin that plans and crowds are made for: one of the file's, with only the palette entries that vertices follow,
    /// and where each entry of the file's skin went. A skin without meshes, or with one whose weights can't be read, keeps all
    /// its entries, and so do all skins [on request](Self::with_all_joints).
    ///
    /// # Errors
    /// [`AssetError::NoSuchSkin`].
    pub fn skin(&self, skin: usize) -> Result<(Skin, JointRemap), AssetError> {
        let skins = &self.import.skins;
        let whole = skins.get(skin).ok_or(AssetError::NoSuchSkin { skin, skins: skins.len() })?;
        let used = self.import.used_joints.get(skin).and_then(Option::as_deref);
        Ok(whole.pruned(used.filter(|_| !self.all_joints).unwrap_or_default()))
    }

    /// The palette entry of each joint of one of the file's skins.
    ///
    /// A vertex buffer that holds the file's `JOINTS_0` names entries of the whole skin. Rewrite it once, when it is loaded:
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

    /// The plan for one of the file's skins, to be shared by crowds. Its palettes are those of [`skin`](Self::skin).
    ///
    /// For a file without skins make a plan of the [bank](Self::bank) and a skin of your own, such as
    /// [`Skin::model_space`](throng_tracks::Skin::model_space).
    ///
    /// # Errors
    /// If there is no such skin, or it has no joints.
    pub fn plan(&self, skin: usize) -> Result<Arc<Plan>, AssetError> {
        self.plan_with(skin, &PlanOptions::default())
    }

    /// [`plan`](Self::plan) with options, such as [rows of sixteen bits](throng_kernels::RowFormat::I16). A crowd over it:
    /// [`Crowd::with_plan`].
    ///
    /// # Errors
    /// As [`plan`](Self::plan); or if the options name a joint that the skeleton has not.
    pub fn plan_with(&self, skin: usize, options: &PlanOptions<'_>) -> Result<Arc<Plan>, AssetError> {
        let (skin, _) = self.skin(skin)?;
        let plan = Plan::with_options(Arc::clone(&self.bank), &skin, options).map_err(CrowdError::from)?;
        Ok(Arc::new(plan))
    }

    /// An empty crowd for one of the file's skins, at the [fastest level](Level::detect) of the
    /// processor.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn crowd(&self, skin: usize) -> Result<Crowd, AssetError> {
        let plan = self.plan(skin)?;
        Ok(Crowd::with_plan(plan, Level::detect()))
    }
}

/// Says how many entries the palettes of each skin have, where that is not all.
fn remark_on_pruned(import: &mut Import) {
    for (index, (skin, used)) in import.skins.iter().zip(&import.used_joints).enumerate() {
        let Some(used) = used else { continue };
        let (_, remap) = skin.pruned(used);
        if !remap.is_identity() {
            let (kept, all) = (remap.kept(), skin.joints().len());
            let what = format!(
                "vertices follow {kept} of {all} joints, and palettes have entries for these alone; Asset::joint_remap tells \
                 which, and Asset::with_all_joints keeps all"
            );
            import.report.remark(format!("skins[{index}]"), what);
        }
    }
}
