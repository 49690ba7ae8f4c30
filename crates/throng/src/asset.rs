use std::path::Path;
use std::sync::Arc;

use thiserror::Error;
use throng_crowd::{Crowd, CrowdError};
use throng_gltf::{Import, ImportError, ImportOptions, import_with};
use throng_kernels::{Level, Plan, PlanOptions};
use throng_tracks::{BakeError, BakeOptions, BakeReport, Bank, bake};

/// A file, imported, and all its clips, baked: what crowds are made of.
#[derive(Clone, Debug)]
pub struct Asset {
    /// What the file holds. The report tells every repair.
    pub import: Import,
    /// The clips as rows, in the order of the file.
    pub bank: Arc<Bank>,
    /// How far the rows are from the exact clips.
    pub bake: BakeReport,
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
        let import = import_with(path, import)?;
        let (bank, report) = bake(&import.skeleton, &import.clips, options)?;
        Ok(Self { import, bank: Arc::new(bank), bake: report })
    }

    /// The plan for one of the file's skins, to be shared by crowds.
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
        let skins = &self.import.skins;
        let skin = skins.get(skin).ok_or(AssetError::NoSuchSkin { skin, skins: skins.len() })?;
        let plan = Plan::with_options(Arc::clone(&self.bank), skin, options).map_err(CrowdError::from)?;
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
