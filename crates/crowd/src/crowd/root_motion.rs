//! Root motion: what instances' clips move besides their poses.

use throng_tracks::Placement;

use crate::pool::*;
use crate::{Crowd, CrowdError, InstanceId, Threads};

/// Fewer slots than this are no work for another thread.
const LEAST_A_THREAD: usize = 2048;

/// Root motion, of banks that [took it](throng_tracks::BakeOptions::root_motion) from their clips.
///
/// A step is what the last [`advance`](Self::advance) made of it, in the instance's own frame at the beginning of the step: over
/// the seams of loops, backwards, and whatever a step of several passes came to. Playbacks are blended as their poses are,
/// by the means of the weights that they had on the way, at the joint that moves the character: so a fade leads to the same place
/// in few steps and in many, as far as ways are even in a step and weights sum to at most 1. Additive ones have no part in it, and a clip without root motion stands still. A seek is no step; what
/// controls do after an advance changes nothing of where it led.
impl Crowd {
    /// The step of one instance.
    ///
    /// # Errors
    /// If there is no such instance.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_crowd::{Crowd, Playback};
    /// use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 0.0, 0.0, 2.0])?;
    /// # let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
    /// let options = BakeOptions { root_motion: Some(tools::RootMotion::of("hips")), ..BakeOptions::default() };
    /// let (bank, _) = bake(&skeleton, &[clip], &options)?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback { time_s: 0.75, ..Playback::default() })?;
    /// crowd.advance(0.5)?;
    /// assert_eq!(crowd.root_motion(id)?, Placement::at([0.0, 0.0, 1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn root_motion(&self, id: InstanceId) -> Result<Placement, CrowdError> {
        let slot = self.slots.find(id)?;
        Ok(self.layers.motion(slot).unwrap_or_default())
    }

    /// The steps of all instances, each at its slot; at free slots none at all. What is behind the last slot is not touched.
    ///
    /// It runs on the [threads](Self::set_threads) of frames, and so does [`move_places`](Self::move_places).
    ///
    /// # Errors
    /// If `out` has fewer places than there are [slots](Self::slot_count).
    pub fn root_motion_into(&self, out: &mut [Placement]) -> Result<(), CrowdError> {
        let out = self.of_slots(out)?;
        self.for_each_slot(out, |slot, out| *out = self.layers.motion(slot).unwrap_or_default());
        Ok(())
    }

    /// Moves the places of all instances in the world, each at its slot, by their steps. Those of free slots stay.
    ///
    /// # Errors
    /// If there are fewer places than [slots](Self::slot_count). Then nothing moved.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 0.0, 0.0, 2.0])?;
    /// # let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
    /// # let options = BakeOptions { root_motion: Some(tools::RootMotion::of("hips")), ..BakeOptions::default() };
    /// # let (bank, _) = bake(&skeleton, &[clip], &options)?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback::default())?;
    /// let mut places = vec![Placement::at([5.0, 0.0, 0.0]); crowd.slot_count()];
    /// for _ in 0..120 {
    ///     crowd.advance(1.0 / 60.0)?;
    ///     crowd.move_places(&mut places)?;
    /// }
    /// assert!((places[id.slot()].translation.z - 4.0).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_places(&self, places: &mut [Placement]) -> Result<(), CrowdError> {
        let places = self.of_slots(places)?;
        if self.layers.leads() {
            self.for_each_slot(places, |slot, place| {
                if let Some(step) = self.layers.motion(slot) {
                    *place = place.then(&step);
                }
            });
        }
        Ok(())
    }

    fn of_slots<'a>(&self, places: &'a mut [Placement]) -> Result<&'a mut [Placement], CrowdError> {
        let (slots, found) = (self.slots.count(), places.len());
        places.get_mut(..slots).ok_or(CrowdError::TooFewPlaces { found, slots })
    }

    fn for_each_slot(&self, places: &mut [Placement], act: impl Fn(usize, &mut Placement) + Sync) {
        let slots = |first: usize, places: &mut [Placement]| {
            places.iter_mut().enumerate().for_each(|(i, place)| act(first + i, place));
        };
        let threads = self.shards.threads == Threads::Pool && places.len() > LEAST_A_THREAD;
        if threads && current_num_threads() > 1 {
            let shards = places.par_chunks_mut(LEAST_A_THREAD).enumerate();
            shards.for_each(|(shard, places)| slots(shard * LEAST_A_THREAD, places));
        } else {
            slots(0, places);
        }
    }
}
