//! Where instances stand.

use glam::Affine3A;
use throng_kernels::{PaletteFormat, WorldFold};

use crate::{Crowd, CrowdError, InstanceId};

/// World matrices: at first every instance's is the identity, and no frame reads any.
impl Crowd {
    /// Chooses what frames put where instances stand: palettes, sockets and bounds, or sockets and bounds alone, for shaders that
    /// have an instance's matrix besides; none for model space.
    ///
    /// # Errors
    /// If palettes are to be in the world and have the format [`PaletteFormat::Similarity`], which not every matrix fits.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_kernels::WorldFold;
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// crowd.fold_worlds(Some(WorldFold::All))?;
    /// let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() })?;
    /// crowd.set_world(id, glam::Affine3A::from_translation(glam::Vec3::new(10.0, 0.0, 0.0)))?;
    /// crowd.evaluate();
    /// assert_eq!(crowd.palette(id)?[3], 12.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold_worlds(&mut self, fold: Option<WorldFold>) -> Result<(), CrowdError> {
        check_world_format(fold, self.layout.format())?;
        if fold != self.extras.fold {
            self.extras.fold = fold;
            self.refresh();
        }
        Ok(())
    }

    /// Puts an instance somewhere: palettes become `world * model * inverse_bind`, as far as [asked](Self::fold_worlds).
    ///
    /// # Errors
    /// If there is no such instance, or the matrix is not finite.
    pub fn set_world(&mut self, id: InstanceId, world: Affine3A) -> Result<(), CrowdError> {
        self.set_worlds(&[id], &[world])
    }

    /// [`set_world`](Self::set_world) for many.
    ///
    /// # Errors
    /// If there is not one matrix for each, no such instance as one of them, or a matrix is not finite. Then none changed.
    pub fn set_worlds(&mut self, ids: &[InstanceId], worlds: &[Affine3A]) -> Result<(), CrowdError> {
        if ids.len() != worlds.len() {
            let (what, found, expected) = ("world matrices", worlds.len(), ids.len());
            return Err(CrowdError::Count { what, found, expected });
        }
        for (&id, world) in ids.iter().zip(worlds) {
            self.slots.find(id)?;
            if !world.is_finite() {
                return Err(CrowdError::WorldNotFinite { id });
            }
        }
        for (id, world) in ids.iter().zip(worlds) {
            if self.extras.set_world(id.slot(), rows_of(world)) {
                self.layers.touch(id.slot());
            }
        }
        Ok(())
    }

    /// Where an instance stands.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn world(&self, id: InstanceId) -> Result<Affine3A, CrowdError> {
        let rows = self.extras.worlds.get(self.slots.find(id)?);
        Ok(rows.map_or(Affine3A::IDENTITY, |[a, b, c, x, d, e, f, y, g, h, i, z]| {
            Affine3A::from_cols_array(&[*a, *d, *g, *b, *e, *h, *c, *f, *i, *x, *y, *z])
        }))
    }
}

/// Whether palettes of that format can be where instances stand.
pub(super) fn check_world_format(fold: Option<WorldFold>, format: PaletteFormat) -> Result<(), CrowdError> {
    let wrong = fold == Some(WorldFold::All) && format == PaletteFormat::Similarity;
    if wrong { Err(CrowdError::WorldFormat) } else { Ok(()) }
}

fn rows_of(world: &Affine3A) -> [f32; 12] {
    let [a, d, g, b, e, h, c, f, i, x, y, z] = world.to_cols_array();
    [a, b, c, x, d, e, f, y, g, h, i, z]
}
