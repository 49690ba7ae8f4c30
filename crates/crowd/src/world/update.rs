//! Changes of many instances of several crowds.

use super::{World, WorldError, WorldInstanceId};
use crate::{Control, Crowd, CrowdError, Playback};

/// Controls of many, in all crowds or none of them.
impl World {
    /// Changes the main playbacks of all instances of all crowds that have one, as [`Crowd::update_all`].
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn): of the first instance, by crowd and slot, whose playback can't be. Then nothing changed.
    pub fn update_all(
        &mut self,
        change: impl Fn(WorldInstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), WorldError> {
        self.crowds.iter_mut().for_each(Crowd::list_all);
        self.update_listed(change)
    }

    /// [`update_all`](Self::update_all), but of these instances alone, of whichever crowds.
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn), of the first by crowd whose playback can't be; or if there is no such instance as one
    /// of them, or its main playback is over. Then nothing changed.
    pub fn update(
        &mut self,
        ids: &[WorldInstanceId],
        change: impl Fn(WorldInstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), WorldError> {
        self.crowds.iter_mut().for_each(Crowd::list_none);
        for &id in ids {
            self.act(id, Crowd::list)?;
        }
        self.update_listed(change)
    }

    fn update_listed(
        &mut self,
        change: impl Fn(WorldInstanceId, Playback) -> Playback + Sync,
    ) -> Result<(), WorldError> {
        self.checked(|crowd, c| {
            c.ask_listed(|instance, playback| change(WorldInstanceId { crowd, instance }, playback))
        })?;
        self.crowds.iter_mut().for_each(Crowd::change_listed);
        Ok(())
    }

    fn checked(
        &mut self,
        mut check: impl FnMut(super::CrowdId, &mut Crowd) -> Result<(), CrowdError>,
    ) -> Result<(), WorldError> {
        for (&crowd, c) in self.ids.iter().zip(&mut self.crowds) {
            check(crowd, c).map_err(|error| WorldError::Crowd { crowd, error })?;
        }
        Ok(())
    }

    /// The same control for many, as [`Crowd::control_many`].
    ///
    /// # Errors
    /// If there is no such instance as one of them, one is named twice, or one can't do it. Then none did.
    pub fn control_many(&mut self, ids: &[WorldInstanceId], control: Control) -> Result<(), WorldError> {
        let mut listed = std::mem::take(&mut self.listed);
        listed.resize(self.crowds.len(), Vec::new());
        listed.iter_mut().for_each(Vec::clear);
        let grouped = ids.iter().try_for_each(|id| {
            listed[self.position(id.crowd)?].push(id.instance);
            Ok(())
        });
        let mut of_crowds = listed.iter();
        let done = grouped.and_then(|()| {
            self.checked(|_, c| of_crowds.next().map_or(Ok(()), |of_crowd| c.check_many(of_crowd, &control)))
        });
        if done.is_ok() {
            for (c, listed) in self.crowds.iter_mut().zip(&listed) {
                c.control_checked(listed, control);
            }
        }
        self.listed = listed;
        done
    }

    /// A control, or none, for each instance of all crowds that has a main playback, as [`Crowd::control_all`].
    ///
    /// # Errors
    /// Those of the methods that they stand for, of the first instance, by crowd and slot, that can't. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Control, Crowd, Playback, World};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// # let people = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let mut world = World::new();
    /// let people = world.add(people);
    /// let [near, far] = [world.spawn(people, Playback::default())?, world.spawn(people, Playback::default())?];
    /// world.control_all(|id, _| (id == far).then_some(Control::Pause))?;
    /// world.advance(0.5)?;
    /// world.evaluate();
    /// assert_eq!((world.palette(near)?[3], world.palette(far)?[3]), (2.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn control_all(
        &mut self,
        choose: impl Fn(WorldInstanceId, &Playback) -> Option<Control> + Sync,
    ) -> Result<(), WorldError> {
        self.checked(|crowd, c| {
            c.ask_controls(|instance, playback| choose(WorldInstanceId { crowd, instance }, playback))
        })?;
        self.crowds.iter_mut().for_each(Crowd::control_asked);
        Ok(())
    }

    /// Shows or hides many, as [`Crowd::set_visible`].
    ///
    /// # Errors
    /// If there is no such instance as one of them. Then none changed.
    pub fn set_visible_many(&mut self, ids: &[WorldInstanceId], visible: bool) -> Result<(), WorldError> {
        for &id in ids {
            self.act(id, |crowd, id| crowd.is_visible(id))?;
        }
        for &id in ids {
            self.act(id, |crowd, id| crowd.set_visible(id, visible))?;
        }
        Ok(())
    }
}
