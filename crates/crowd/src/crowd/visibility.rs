//! Who is posed, and who only lives on.

use super::NEVER;
use crate::{Crowd, CrowdError, InstanceId};

/// Hidden instances keep their clocks running and cost next to nothing in a frame: nothing of theirs is sampled or
/// written.
impl Crowd {
    /// Whether an instance is posed by frames. From its spawn on it is.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn is_visible(&self, id: InstanceId) -> Result<bool, CrowdError> {
        Ok(self.slots.is_posed(self.slots.find(id)?))
    }

    /// Shows or hides an instance, from the next frame on.
    ///
    /// A hidden one's palette stays as the last frame that posed it left it, in the crowd's own buffer and in the
    /// caller's. Time goes on: shown again, it is where it would be had it never been hidden.
    ///
    /// # Errors
    /// If there is no such instance.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback::default())?;
    /// crowd.evaluate();
    /// crowd.set_visible(id, false)?;
    /// crowd.advance(0.25)?;
    /// crowd.evaluate();
    /// assert_eq!((crowd.shown_s(id)?, crowd.palette(id)?[3]), (0.25, 0.0));
    /// assert_eq!((crowd.report().evaluated, crowd.report().hidden), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_visible(&mut self, id: InstanceId, visible: bool) -> Result<(), CrowdError> {
        self.set_visible_many(&[id], visible)
    }

    /// [`set_visible`](Self::set_visible) for many.
    ///
    /// # Errors
    /// If there is no such instance as one of them. Then none changed.
    pub fn set_visible_many(&mut self, ids: &[InstanceId], visible: bool) -> Result<(), CrowdError> {
        ids.iter().try_for_each(|id| self.slots.find(*id).map(drop))?;
        for id in ids {
            let slot = id.slot();
            if visible && !self.slots.is_posed(slot) {
                self.freshen(slot);
            }
            self.slots.set_visible(slot, visible);
            let awaits = &mut self.awaits[slot];
            if *awaits >= self.evaluations {
                *awaits = if visible { self.evaluations } else { NEVER };
            }
        }
        Ok(())
    }
}
