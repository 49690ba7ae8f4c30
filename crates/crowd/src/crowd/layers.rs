//! Several playbacks an instance: their start, weights, masks and end.

use throng_tracks::PlaybackClock;

use crate::events::EventKind;
use crate::fade::Fade;
use crate::layers::Begin;
use crate::playback::{check_weight, seconds as checked};
use crate::sync::sync;
use crate::{After, Crossfade, Crowd, CrowdError, InstanceId, MaskId, Playback, PlaybackId, Target};

/// Up to four playbacks an instance, blended joint by joint: a weighted average of poses, and additive clips on top in the
/// order in which they began.
///
/// One of them is the *main* one, of which an instance's own id is a name; it begins with the spawn, and
/// [`crossfade`](Self::crossfade) puts another in its place. Those that [`play`](Self::play) adds stay out of that.
impl Crowd {
    /// A mask of joints for playbacks: for each joint of the skeleton what the weight is multiplied with there. A
    /// [`JointMask`](crate::JointMask) makes such weights of joints, subtrees and names.
    ///
    /// # Errors
    /// If there is not one weight for each joint, one is not from 0 to [`MAX_MASK`](crate::MAX_MASK), or there are 65,535
    /// masks already.
    pub fn add_mask(&mut self, weights: &[f32]) -> Result<MaskId, CrowdError> {
        let joints = self.bank().skeleton().joint_count();
        self.masks.add(joints, weights)
    }

    /// One more clip, beside what an instance plays.
    ///
    /// # Errors
    /// If there is no such instance, clip or mask, time, speed or weight are not right, the clip is additive and the
    /// playback not or the other way round, or the instance plays four already.
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
    /// let id = crowd.spawn(Playback { weight: 0.5, ..Playback::default() })?;
    /// let late = crowd.play(id, Playback { time_s: 0.75, weight: 0.5, ..Playback::default() })?;
    /// assert_eq!(crowd.evaluate()[3], 1.5);
    /// // Half of the rest pose.
    /// crowd.stop(id)?;
    /// assert_eq!(crowd.evaluate()[3], 1.5);
    /// crowd.set_weight(late, 1.0)?;
    /// assert_eq!(crowd.evaluate()[3], 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, id: InstanceId, playback: Playback) -> Result<PlaybackId, CrowdError> {
        self.fade_in(id, playback, 0.0)
    }

    /// [`play`](Self::play), whose weight rises from 0 within so many seconds.
    ///
    /// # Errors
    /// As of [`play`](Self::play); or if the seconds are negative or not finite.
    pub fn fade_in(
        &mut self,
        id: InstanceId,
        playback: Playback,
        seconds: f32,
    ) -> Result<PlaybackId, CrowdError> {
        let slot = self.slots.find(id)?;
        let clock = playback.check(&self.plan, &self.masks)?;
        let fade = Fade::over(0.0, playback.weight, checked(seconds)?);
        let serial = self.layers.play(slot, &playback, &clock, fade);
        Ok(PlaybackId { instance: id, serial: serial.ok_or(CrowdError::TooManyPlaybacks { id })? })
    }

    /// Another clip in place of the main one, which loses its weight while the new one gains its own: 0.3 s unless told.
    ///
    /// A crossfade may begin while another still runs. It starts from the mix that is shown, all of which goes. If each
    /// of these clips has a weight of 1 in the end, weights sum to 1 at every step. Should there be no place left for the new
    /// one, the lightest of those that go is dropped, and the others take over its weight.
    ///
    /// # Errors
    /// As of [`play`](Self::play); if the clip is additive; or if the seconds are negative or not finite.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crossfade, Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback { speed: 0.0, ..Playback::default() })?;
    /// crowd.crossfade(id, Playback { time_s: 0.5, speed: 0.0, ..Playback::default() }, 1.0)?;
    /// crowd.advance(0.25)?;
    /// assert_eq!((crowd.playback(id)?.weight, crowd.evaluate()[3]), (0.25, 0.5));
    /// crowd.crossfade(id, Playback::default(), Crossfade { synced: true, ..Crossfade::default() })?;
    /// assert_eq!(crowd.shown_s(id)?, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crossfade(
        &mut self,
        id: InstanceId,
        playback: Playback,
        how: impl Into<Crossfade>,
    ) -> Result<PlaybackId, CrowdError> {
        let Crossfade { seconds, synced } = how.into();
        let slot = self.slots.find(id)?;
        let mut clock = playback.check_main(&self.plan, &self.masks)?;
        checked(seconds)?;
        if let Some(main) = self.layers.main(slot).filter(|_| synced) {
            let other = self.layers.at(main).clock(self.bank(), slot);
            sync(&mut clock, &other);
        }
        let begun = self.layers.crossfade(slot, &playback, &clock, seconds);
        let (serial, left) = begun.ok_or(CrowdError::TooManyPlaybacks { id })?;
        left.tell((self.slots.count(), id), &mut self.events);
        Ok(PlaybackId { instance: id, serial })
    }

    /// One more clip, as by [`fade_in`](Self::fade_in), but that it begins when another has run for a while or has ended, of
    /// this instance or any. What is left of the step in which that happens is run.
    ///
    /// Till then it has a place among the four that an instance can play, can be changed like all playbacks, and is not
    /// seen. If it is ended before it begins, [`EventKind::Stopped`](crate::EventKind::Stopped) is all that is told of it: who holds its id
    /// learns that it will never come.
    ///
    /// # Errors
    /// As of [`fade_in`](Self::fade_in); or if there is no such other playback, or its time to run is negative or not finite.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{After, AtEnd, Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let once = Playback { wrap: WrapMode::Clamp, at_end: AtEnd::Remove, ..Playback::default() };
    /// let id = crowd.spawn(once)?;
    /// let then = crowd.play_after(id, Playback::default(), 0.0, id, After::Ended)?;
    /// crowd.advance(1.25)?;
    /// assert_eq!((crowd.shown_s(then)?, crowd.playbacks(id)?.count()), (0.25, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_after(
        &mut self,
        id: InstanceId,
        playback: Playback,
        fade_in_s: f32,
        other: impl Into<Target>,
        after: After,
    ) -> Result<PlaybackId, CrowdError> {
        self.slots.find(id)?;
        let clock = playback.check(&self.plan, &self.masks)?;
        self.enqueue(id, &playback, &clock, (other.into(), after, Begin::Beside(checked(fade_in_s)?)))
    }

    /// Another clip in place of the main one, as by [`crossfade`](Self::crossfade), when another playback has run for a while
    /// or has ended: see [`play_after`](Self::play_after).
    ///
    /// # Errors
    /// As of [`crossfade`](Self::crossfade) and [`play_after`](Self::play_after); four playbacks besides leave it no place.
    pub fn crossfade_after(
        &mut self,
        id: InstanceId,
        playback: Playback,
        how: impl Into<Crossfade>,
        other: impl Into<Target>,
        after: After,
    ) -> Result<PlaybackId, CrowdError> {
        let how = how.into();
        self.slots.find(id)?;
        let clock = playback.check_main(&self.plan, &self.masks)?;
        checked(how.seconds)?;
        self.enqueue(id, &playback, &clock, (other.into(), after, Begin::Crossfade(how)))
    }

    fn enqueue(
        &mut self,
        id: InstanceId,
        playback: &Playback,
        clock: &PlaybackClock,
        (other, after, begin): (Target, After, Begin),
    ) -> Result<PlaybackId, CrowdError> {
        let left_s = match after {
            After::Ran(seconds) => f64::from(checked(seconds)?),
            After::Ended => f64::INFINITY,
        };
        let (slot, place) = self.find(other)?;
        let other = PlaybackId { instance: other.instance(), serial: self.layers.serial(slot, place) };
        let serial = self.layers.enqueue(id, playback, clock, (other, left_s, begin));
        Ok(PlaybackId { instance: id, serial: serial.ok_or(CrowdError::TooManyPlaybacks { id })? })
    }

    /// Ends a playback at once. An instance that plays nothing shows the rest pose.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn stop(&mut self, target: impl Into<Target>) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        self.end(slot, place);
        Ok(())
    }

    fn end(&mut self, slot: usize, place: usize) {
        self.layers.tell(self.slots.id(slot), place, EventKind::Stopped, &mut self.events);
        self.layers.stop(slot, place);
    }

    /// Ends a playback after its weight went down to 0, within so many seconds.
    ///
    /// # Errors
    /// If there is no such instance or playback, or the seconds are negative or not finite.
    pub fn fade_out(&mut self, target: impl Into<Target>, seconds: f32) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        if checked(seconds)? > 0.0 && !self.layers.is_queued(slot, place) {
            self.layers.change(slot, place, |columns| {
                columns.fades[slot] = Fade::over(columns.fades[slot].weight, 0.0, seconds);
                let finished = columns.is_finished(slot);
                columns.kinds[slot].leave(finished);
            });
        } else {
            self.end(slot, place);
        }
        Ok(())
    }

    /// Changes a weight at once. A fade of it ends.
    ///
    /// # Errors
    /// As of [`fade`](Self::fade).
    pub fn set_weight(&mut self, target: impl Into<Target>, weight: f32) -> Result<(), CrowdError> {
        self.fade(target, weight, 0.0)
    }

    /// Changes a weight within so many seconds, from what it is now. The playback goes on, however small it is then.
    ///
    /// # Errors
    /// If there is no such instance or playback, the weight is negative where the playback is not additive, or farther from 0
    /// than [`MAX_WEIGHT`](crate::MAX_WEIGHT), or the seconds are negative or not finite.
    pub fn fade(&mut self, target: impl Into<Target>, weight: f32, seconds: f32) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        check_weight(weight, self.layers.at(place).kinds[slot].is_additive())?;
        checked(seconds)?;
        self.layers.change(slot, place, |columns| {
            columns.fades[slot] = Fade::over(columns.fades[slot].weight, weight, seconds);
            columns.kinds[slot].set_leaving(false);
        });
        Ok(())
    }

    /// Changes the mask of a playback, or takes it away.
    ///
    /// # Errors
    /// If there is no such instance, playback or mask.
    pub fn set_mask(&mut self, target: impl Into<Target>, mask: Option<MaskId>) -> Result<(), CrowdError> {
        let (slot, place) = self.find(target)?;
        self.masks.check(mask)?;
        self.layers.change(slot, place, |columns| columns.masks[slot] = MaskId::row(mask));
        Ok(())
    }
}
