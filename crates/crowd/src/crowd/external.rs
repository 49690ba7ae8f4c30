//! Poses from elsewhere: a ragdoll's, one from the network.

use throng_tracks::Transform;

use crate::external::Given;
use crate::playback::finite;
use crate::{Crowd, CrowdError, InstanceId};

/// An instance may have one pose that its caller gives, and shows it where it plays an [external](crate::Playback::external)
/// playback, which takes a place, a weight and a mask, and fades and crossfades, like any.
///
/// Only what the bank has columns for moves: see [`ExternalRows`](throng_kernels::ExternalRows).
impl Crowd {
    /// Gives an instance a pose, a local transform for each joint, which stands still until the next.
    ///
    /// # Errors
    /// If there is no such instance, the plan's rows are of sixteen bits, or there is not one finite transform for each joint. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// let options = BakeOptions { posable: Posable::All, ..BakeOptions::default() };
    /// let (bank, _) = bake(&skeleton, &[clip], &options)?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback { speed: 0.0, ..Playback::default() })?;
    /// crowd.set_pose(id, &[Transform { translation: glam::Vec3::new(8.0, 0.0, 0.0), ..Transform::IDENTITY }])?;
    /// crowd.crossfade(id, Playback::external(), 1.0)?;
    /// crowd.advance(0.25)?;
    /// assert_eq!(crowd.evaluate()[3], 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_pose(&mut self, id: InstanceId, locals: &[Transform]) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        self.poses.give(&self.plan, slot, Given::One(locals))?;
        self.layers.touch(slot);
        Ok(self.poses.set_fraction(&self.plan, slot, 0.0)?)
    }

    /// [`set_pose`](Self::set_pose) for many: of each instance as many transforms as there are joints, one instance behind the
    /// other.
    ///
    /// # Errors
    /// As of [`set_pose`](Self::set_pose), of the first that has something wrong. Then none changed.
    pub fn set_poses(&mut self, ids: &[InstanceId], locals: &[Transform]) -> Result<(), CrowdError> {
        let joints = self.bank().skeleton().joint_count();
        if locals.len() != ids.len() * joints {
            let (what, found, expected) = ("transforms", locals.len(), ids.len() * joints);
            return Err(CrowdError::Count { what, found, expected });
        }
        let poses = || ids.iter().zip(locals.chunks_exact(joints.max(1)));
        for (id, locals) in poses() {
            self.slots.find(*id)?;
            self.poses.check(&self.plan, locals)?;
        }
        poses().try_for_each(|(id, locals)| self.set_pose(*id, locals))
    }

    /// Gives an instance its next pose: the one before it becomes the earlier of two, between which
    /// [`set_pose_way`](Self::set_pose_way) goes. So poses that come a few times a second look smooth. It shows the earlier one at first.
    ///
    /// # Errors
    /// As of [`set_pose`](Self::set_pose).
    pub fn next_pose(&mut self, id: InstanceId, locals: &[Transform]) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        self.poses.give(&self.plan, slot, Given::Next(locals))?;
        self.layers.touch(slot);
        Ok(self.poses.set_fraction(&self.plan, slot, 0.0)?)
    }

    /// How far an instance is from the earlier of its two poses, 0, to the later one, 1. Rotations between are nlerp, the short
    /// way.
    ///
    /// # Errors
    /// If there is no such instance, the plan's rows are of sixteen bits, or `way` is not finite.
    pub fn set_pose_way(&mut self, id: InstanceId, way: f32) -> Result<(), CrowdError> {
        let slot = self.slots.find(id)?;
        finite("way", way.into())?;
        self.layers.touch(slot);
        Ok(self.poses.set_fraction(&self.plan, slot, way.clamp(0.0, 1.0))?)
    }
}
