//! Where instances stand.

use glam::Affine3A;
use throng_kernels::{PaletteFormat, WorldFold};
use throng_tracks::Placement;

use crate::{Crowd, CrowdError, InstanceId};

/// World matrices: at first every instance's is the identity, and no frame reads any.
///
/// Matrices that are given or returned one by one are [`Affine3A`], sockets too: they multiply with each other and with other
/// transforms as they are. Buffers that frames write for a graphics card ([`palettes`](Self::palettes),
/// [`sockets`](Self::sockets)) are plain floats, three rows of four for each matrix.
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
        Ok(rows.map_or(Affine3A::IDENTITY, affine_of))
    }

    /// Sets the world matrices of all instances from placements, each at its slot. Those of free slots are not read, nor is
    /// what is behind the last slot.
    ///
    /// # Errors
    /// If there are fewer placements than [slots](Self::slot_count), or that of an instance is not finite. Then none changed.
    pub fn set_worlds_from_placements(&mut self, placements: &[Placement]) -> Result<(), CrowdError> {
        self.check_placements(placements)?;
        for (slot, placement) in placements.iter().enumerate().take(self.slots.count()) {
            if self.slots.is_live(slot) && self.extras.set_world(slot, rows_of(&placement.to_affine())) {
                self.layers.touch(slot);
            }
        }
        Ok(())
    }

    /// Moves the placements of all instances by their root motion, as [`move_places`](Self::move_places) does, and sets
    /// their world matrices to them, in one pass that allocates nothing.
    ///
    /// # Errors
    /// As of [`set_worlds_from_placements`](Self::set_worlds_from_placements). Then nothing moved.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_kernels::WorldFold;
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 0.0, 0.0, 2.0])?;
    /// # let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
    /// # let options = BakeOptions { root_motion: Some(tools::RootMotion::of("hips")), ..BakeOptions::default() };
    /// # let (bank, _) = bake(&skeleton, &[clip], &options)?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// crowd.fold_worlds(Some(WorldFold::All))?;
    /// let id = crowd.spawn(Playback::default())?;
    /// let mut placements = vec![Placement::at([5.0, 0.0, 0.0]); crowd.slot_count()];
    /// crowd.advance(0.5)?;
    /// crowd.apply_root_motion_to_worlds(&mut placements)?;
    /// crowd.evaluate();
    /// assert_eq!(crowd.world(id)?.translation, glam::Vec3A::new(5.0, 0.0, 1.0));
    /// assert_eq!((crowd.palette(id)?[3], crowd.palette(id)?[11]), (5.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_root_motion_to_worlds(&mut self, placements: &mut [Placement]) -> Result<(), CrowdError> {
        self.check_placements(placements)?;
        for (slot, placement) in placements.iter_mut().enumerate().take(self.slots.count()) {
            if !self.slots.is_live(slot) {
                continue;
            }
            if let Some(step) = self.layers.motion(slot) {
                *placement = placement.then(&step);
            }
            if self.extras.set_world(slot, rows_of(&placement.to_affine())) {
                self.layers.touch(slot);
            }
        }
        Ok(())
    }

    fn check_placements(&self, placements: &[Placement]) -> Result<(), CrowdError> {
        let (slots, found) = (self.slots.count(), placements.len());
        let placements = placements.get(..slots).ok_or(CrowdError::TooFewPlaces { found, slots })?;
        let is_finite =
            |p: &Placement| p.rotation.is_finite() && p.translation.is_finite() && p.scale.is_finite();
        let wrong =
            placements.iter().enumerate().find(|(slot, p)| self.slots.is_live(*slot) && !is_finite(p));
        wrong.map_or(Ok(()), |(slot, _)| Err(CrowdError::PlacementNotFinite { slot }))
    }
}

/// The matrix of three rows of four floats.
pub(super) fn affine_of(rows: &[f32; 12]) -> Affine3A {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = *rows;
    Affine3A::from_cols_array(&[a, d, g, b, e, h, c, f, i, x, y, z])
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
