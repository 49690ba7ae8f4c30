//! A file with its clips baked, and crowds over it.

mod crowd;
mod error;
mod names;

use std::path::Path;
use std::sync::Arc;

use throng_tracks::import::{Import, ImportOptions};
use throng_tracks::tools::{BindReport, bind_by_name};
use throng_tracks::{BakeOptions, BakeReport, Bank, JointIndex, Skin, bake};

pub use error::AssetError;
use names::nearest;

use crate::import_with;

/// A file, imported, and all its clips, baked: what crowds are made of.
///
/// ```no_run
/// use throng::prelude::*;
///
/// let mut asset = Asset::load("soldier.glb")?;
/// let added = asset.add_clips("moves.glb")?;
/// eprint!("{}{}{}", asset.import.report, added.report, added.bind);
/// let run = asset.clip("run")?;
/// let mut crowd = asset.crowd(0)?;
/// crowd.spawn(Playback { clip: run, ..Playback::default() })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Asset {
    /// What the file holds, with the clips of other files that were [added](Self::add_clips). The report
    /// lists every repair. A file without skins gets one over all joints, whose palettes are model
    /// matrices.
    pub import: Import,
    /// The clips as rows. Their order is that of `import.clips`, without those that the bake
    /// [left out](BakeReport::left_out).
    pub bank: Arc<Bank>,
    /// How far the rows are from the exact clips, and which clips are not in the bank.
    pub bake: BakeReport,
    /// For the next bake.
    options: BakeOptions,
    /// Whether palettes have entries of joints that no vertex follows.
    all_joints: bool,
}

/// What [`Asset::add_clips`] did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AddedClips {
    /// The bank's index of each clip of the file, in order. None for a clip that the bake left out.
    pub clips: Vec<Option<usize>>,
    /// Which tracks were bound to joints of the asset, and which were not.
    pub bind: BindReport,
    /// What the import of the file repaired, left out or remarked on.
    pub report: throng_tracks::import::Report,
}

impl Asset {
    /// Imports a file as [`import`](crate::import()) does and bakes its clips, both with default options.
    ///
    /// # Errors
    /// [`AssetError::Import`] or [`AssetError::Bake`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, AssetError> {
        Self::load_with(path, &ImportOptions::default(), &BakeOptions::default())
    }

    /// [`load`](Self::load) with options. [`ImportOptions::meshes`] reads the vertices too.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with(
        path: impl AsRef<Path>,
        import: &ImportOptions,
        options: &BakeOptions,
    ) -> Result<Self, AssetError> {
        Self::from_import(import_with(path, import)?, options)
    }

    /// Bakes the clips of what was imported, such as by [`import_slice`](crate::import_slice).
    ///
    /// # Errors
    /// [`AssetError::Bake`].
    pub fn from_import(mut import: Import, options: &BakeOptions) -> Result<Self, AssetError> {
        let (bank, bake) = bake(&import.skeleton, &import.clips, options)?;
        if import.skins.is_empty() && import.skeleton.joint_count() > 0 {
            import.skins.push(Skin::model_space(&import.skeleton));
            import.used_joints.push(None);
            let what = "no skin: one over all joints was added, whose palettes are model matrices";
            import.report.remark("", what);
        }
        crowd::remark_on_pruned(&mut import);
        Ok(Self { import, bank: Arc::new(bank), bake, options: options.clone(), all_joints: false })
    }

    /// Adds the clips of another file, bound to the joints of the same name, and bakes all clips
    /// again. Crowds and plans that exist keep the bank that they were made of.
    ///
    /// Clips keep their names, so that two may share one: [`AddedClips::clips`] has their indices. The
    /// files may differ in format.
    ///
    /// # Errors
    /// If the file can't be imported or baked, or none of its tracks is bound. Then nothing changes.
    pub fn add_clips(&mut self, path: impl AsRef<Path>) -> Result<AddedClips, AssetError> {
        self.add_clips_with(path, &ImportOptions::default())
    }

    /// [`add_clips`](Self::add_clips) with options.
    ///
    /// # Errors
    /// As [`add_clips`](Self::add_clips).
    pub fn add_clips_with(
        &mut self,
        path: impl AsRef<Path>,
        options: &ImportOptions,
    ) -> Result<AddedClips, AssetError> {
        self.add_import(&import_with(path, options)?)
    }

    /// [`add_clips`](Self::add_clips) of what was imported already.
    ///
    /// # Errors
    /// As [`add_clips`](Self::add_clips).
    pub fn add_import(&mut self, other: &Import) -> Result<AddedClips, AssetError> {
        let skeleton = &self.import.skeleton;
        let (bound, report) = bind_by_name(&other.clips, &other.skeleton, skeleton);
        if report.bound == 0 && report.unbound_tracks() > 0 {
            return Err(AssetError::NothingBound { tracks: report.unbound_tracks() });
        }
        let first = self.import.clips.len();
        let clips = [self.import.clips.as_slice(), &bound].concat();
        let (bank, bake) = bake(skeleton, &clips, &self.options)?;
        let added = (first..clips.len()).map(|clip| bake.bank_clip(clip)).collect();
        (self.import.clips, self.bank, self.bake) = (clips, Arc::new(bank), bake);
        Ok(AddedClips { clips: added, bind: report, report: other.report.clone() })
    }

    /// The bank's index of the clip of that name, for [`Playback::clip`](crate::Playback::clip): the
    /// first, if several share it.
    ///
    /// # Errors
    /// [`AssetError::NoSuchClip`], which names the nearest names; [`AssetError::LeftOut`] if the clip is
    /// in the file but not in the bank.
    ///
    /// ```no_run
    /// # use throng::Asset;
    /// let asset = Asset::load("soldier.glb")?;
    /// let walk = asset.clip("walk")?;
    /// println!("{} s", asset.bank.clips()[walk].duration_s());
    /// # Ok::<(), throng::AssetError>(())
    /// ```
    pub fn clip(&self, name: &str) -> Result<usize, AssetError> {
        if let Some(clip) = self.clip_names().position(|of_clip| of_clip == name) {
            return Ok(clip);
        }
        if let Some(left_out) = self.bake.left_out.iter().find(|clip| clip.name == name) {
            return Err(AssetError::LeftOut(left_out.clone()));
        }
        Err(AssetError::NoSuchClip { wanted: name.to_owned(), nearest: nearest(name, self.clip_names()) })
    }

    /// The names of the bank's clips, in order.
    pub fn clip_names(&self) -> impl Iterator<Item = &str> {
        self.bank.clips().iter().map(|clip| clip.name())
    }

    /// The joint of that name: the first, if several share it.
    ///
    /// # Errors
    /// [`AssetError::NoSuchJoint`], which names the nearest names.
    pub fn joint(&self, name: &str) -> Result<JointIndex, AssetError> {
        let skeleton = &self.import.skeleton;
        skeleton.find(name).ok_or_else(|| AssetError::NoSuchJoint {
            wanted: name.to_owned(),
            nearest: nearest(name, skeleton.names().iter().map(String::as_str)),
        })
    }

    /// The skins that [`crowd`](Self::crowd) and [`plan`](Self::plan) count, with all their joints;
    /// [`skin`](Self::skin) returns what palettes have of one.
    #[must_use]
    pub fn skins(&self) -> &[Skin] {
        &self.import.skins
    }
}
