//! Sockets, bounds, and the palettes of several skins.

use std::ops::Range;
use std::sync::Arc;

use glam::Affine3A;
use throng_kernels::{Bounds, Level, Plan, PlanOptions};
use throng_tracks::{Bank, JointIndex, Skin};

use super::worlds::affine_of;
use crate::{Crowd, CrowdError, InstanceId};

/// What is written beside a palette, only where it is asked for.
impl Crowd {
    /// As [`with_options`](Self::with_options), with several skins on one pose: an instance's palette is that of the first, behind it
    /// that of the second and so on.
    ///
    /// # Errors
    /// As of [`with_options`](Self::with_options), of any of them; or if there is none.
    pub fn with_skins(
        bank: Arc<Bank>,
        skins: &[&Skin],
        options: &PlanOptions<'_>,
    ) -> Result<Self, CrowdError> {
        Ok(Self::with_plan(Arc::new(Plan::with_skins(bank, skins, options)?), Level::detect()))
    }

    /// Which floats of an instance's palette are those of a skin, in the layout's format.
    ///
    /// # Errors
    /// If there is no such skin.
    pub fn skin_floats(&self, skin: usize) -> Result<Range<usize>, CrowdError> {
        let skins = self.plan.skin_count();
        let entries = self.plan.skin_entries(skin).ok_or(CrowdError::NoSuchSkin { skin, skins })?;
        Ok(self.layout.size(entries.start)..self.layout.size(entries.end))
    }

    /// The part of an instance's [palette](Self::palette) that is a skin's.
    ///
    /// # Errors
    /// As of [`palette`](Self::palette), or if there is no such skin.
    pub fn palette_of(&self, id: InstanceId, skin: usize) -> Result<&[f32], CrowdError> {
        Ok(&self.palette(id)?[self.skin_floats(skin)?])
    }

    /// Chooses whether frames write the model matrices of the plan's [sockets](PlanOptions::sockets); at first they do not.
    /// They go into a buffer of the crowd's, wherever palettes go.
    ///
    /// # Errors
    /// If the plan has no sockets.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_kernels::PlanOptions;
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "hand".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// # let skin = Skin::model_space(&skeleton);
    /// let hand = JointIndex(0);
    /// let options = PlanOptions { sockets: &[hand], ..PlanOptions::default() };
    /// let mut crowd = Crowd::with_options(Arc::new(bank), &skin, &options)?;
    /// crowd.keep_sockets(true)?;
    /// let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() })?;
    /// crowd.evaluate();
    /// assert_eq!(crowd.socket(id, hand)?.translation.x, 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_sockets(&mut self, keep: bool) -> Result<(), CrowdError> {
        if keep && self.plan.socket_count() == 0 {
            return Err(CrowdError::NotPlanned { what: "sockets" });
        }
        if keep != self.extras.has_sockets {
            self.extras.has_sockets = keep;
            self.forget_extras();
        }
        Ok(())
    }

    /// Chooses whether frames write the boxes around the plan's [spheres](PlanOptions::spheres); at first they do not.
    ///
    /// # Errors
    /// If the plan has no spheres.
    pub fn keep_bounds(&mut self, keep: bool) -> Result<(), CrowdError> {
        if keep && self.plan.sphere_count() == 0 {
            return Err(CrowdError::NotPlanned { what: "spheres" });
        }
        if keep != self.extras.has_bounds {
            self.extras.has_bounds = keep;
            self.forget_extras();
        }
        Ok(())
    }

    fn forget_extras(&mut self) {
        self.extras.sockets.clear();
        self.extras.bounds.clear();
        self.extras.written.clear();
        self.refresh();
    }

    /// Where the joint of an instance was in the last frame that posed it, in model space or, with
    /// [matrices](Self::fold_worlds) for instances, in the world.
    ///
    /// # Errors
    /// If there is no such instance, the joint is none of the plan's sockets, sockets are not [kept](Self::keep_sockets), or no
    /// frame wrote it since.
    pub fn socket(&self, id: InstanceId, joint: JointIndex) -> Result<Affine3A, CrowdError> {
        let slot = self.slots.find(id)?;
        let sockets = self.plan.sockets();
        let at = sockets.iter().position(|j| *j == joint).ok_or(CrowdError::NoSuchSocket { joint })?;
        if !self.extras.has_sockets {
            return Err(CrowdError::NotKept { what: "sockets", by: "keep_sockets" });
        }
        let (matrices, _) = self.extras.sockets.as_chunks();
        let written = matrices.get(slot * sockets.len() + at).filter(|_| self.extras.is_written(slot));
        written.map(affine_of).ok_or(CrowdError::NotWritten { id, what: "sockets" })
    }

    /// All sockets by slot: for each of the plan's three rows of four floats. Empty unless they are [kept](Self::keep_sockets).
    #[must_use]
    pub fn sockets(&self) -> &[f32] {
        &self.extras.sockets
    }

    /// The box that encloses an instance's spheres as the last frame that posed it had them.
    ///
    /// # Errors
    /// If there is no such instance, boxes are not [kept](Self::keep_bounds), or no frame wrote it since.
    pub fn bounds_of(&self, id: InstanceId) -> Result<Bounds, CrowdError> {
        let slot = self.slots.find(id)?;
        if !self.extras.has_bounds {
            return Err(CrowdError::NotKept { what: "bounds", by: "keep_bounds" });
        }
        let bounds = self.extras.bounds.get(slot).filter(|_| self.extras.is_written(slot));
        bounds.copied().ok_or(CrowdError::NotWritten { id, what: "bounds" })
    }

    /// All boxes by slot. Empty unless they are [kept](Self::keep_bounds).
    #[must_use]
    pub fn bounds(&self) -> &[Bounds] {
        &self.extras.bounds
    }
}
