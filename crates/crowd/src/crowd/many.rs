//! Controls of many at once: all or none of them.

use crate::playback::{check_weight, finite, seconds as checked};
use crate::{Control, Crossfade, Crowd, CrowdError, InstanceId, Playback, Target};

/// Fewer than this many are no work for another thread.
const LEAST_A_THREAD: usize = 64;

/// The bit, beside those of places, of a control that is for a whole instance.
const INSTANCE: u8 = 1 << 7;

/// Memory for controls of many, used again.
#[derive(Default)]
pub(super) struct Asked {
    controls: Vec<(InstanceId, Option<Control>)>,
    /// By slot, a bit for each place that was named, while they are counted. Empty until many are controlled.
    named: Vec<u8>,
}

/// Controls as data.
impl Crowd {
    /// Does what a control says.
    ///
    /// # Errors
    /// Those of the method that it stands for.
    pub fn control(&mut self, target: impl Into<Target>, control: Control) -> Result<(), CrowdError> {
        let target = target.into();
        match control {
            Control::Pause => self.pause(target),
            Control::Resume => self.resume(target),
            Control::Stop => self.stop(target),
            Control::Rewind => self.rewind(target),
            Control::Seek(time_s) => self.seek(target, time_s),
            Control::SeekPlayed(played_s) => self.seek_played(target, played_s),
            Control::NextKey => self.step_to_next_key(target).map(drop),
            Control::PreviousKey => self.step_to_previous_key(target).map(drop),
            Control::Speed(speed) => self.set_speed(target, speed),
            Control::Fade { weight, seconds } => self.fade(target, weight, seconds),
            Control::FadeOut(seconds) => self.fade_out(target, seconds),
            Control::Crossfade(playback, how) => self.crossfade(target.instance(), playback, how).map(drop),
            Control::Play(playback, seconds) => self.fade_in(target.instance(), playback, seconds).map(drop),
        }
    }

    /// One control for many, named by the ids of instances or of playbacks.
    ///
    /// # Errors
    /// Those of the method that it stands for, of the first that can't; or if one is named twice. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Control, Crossfade, Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let ids = [crowd.spawn(Playback::default())?, crowd.spawn(Playback::default())?];
    /// let late = Playback { time_s: 0.5, ..Playback::default() };
    /// crowd.control_many(&ids, Control::Crossfade(late, Crossfade::default()))?;
    /// assert_eq!(crowd.shown_s(ids[1])?, 0.5);
    /// crowd.despawn(ids[1])?;
    /// let said = crowd.control_many(&ids, Control::Pause).unwrap_err().to_string();
    /// assert_eq!((said.as_str(), crowd.playback(ids[0])?.paused), ("instance 1v1 was despawned", false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn control_many<T>(&mut self, targets: &[T], control: Control) -> Result<(), CrowdError>
    where
        T: Copy + Into<Target>,
    {
        self.check_many(targets, &control)?;
        self.control_checked(targets, control);
        Ok(())
    }

    /// Does what [`check_many`](Self::check_many) found can be done.
    pub(crate) fn control_checked<T>(&mut self, targets: &[T], control: Control)
    where
        T: Copy + Into<Target>,
    {
        for &target in targets {
            self.control(target, control).expect("it was checked");
        }
    }

    /// Whether many can.
    pub(crate) fn check_many<T>(&mut self, targets: &[T], control: &Control) -> Result<(), CrowdError>
    where
        T: Copy + Into<Target>,
    {
        let checked = targets.iter().try_for_each(|&target| self.check(target.into(), control));
        checked.and_then(|()| self.check_named_once(targets, control))
    }

    /// A control, or none, for each instance that has a main playback: `choose` is told what it plays. It runs on the
    /// [threads](Self::set_threads) of frames, in no order; the controls then act by slot.
    ///
    /// # Errors
    /// Those of the methods that they stand for, of the first instance, by slot, that can't. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Control, Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback { time_s: 5.5, ..Playback::default() })?;
    /// crowd.control_all(|_, playback| (playback.time_s > 5.0).then_some(Control::Rewind))?;
    /// assert_eq!(crowd.playback(id)?.time_s, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn control_all(
        &mut self,
        choose: impl Fn(InstanceId, &Playback) -> Option<Control> + Sync,
    ) -> Result<(), CrowdError> {
        self.ask_controls(choose)?;
        self.control_asked();
        Ok(())
    }

    /// Asks for a control of each instance that has a main playback, and does none.
    pub(crate) fn ask_controls(
        &mut self,
        choose: impl Fn(InstanceId, &Playback) -> Option<Control> + Sync,
    ) -> Result<(), CrowdError> {
        let mut controls = std::mem::take(&mut self.asked.controls);
        controls.clear();
        let playing = self.slots.ids().filter(|id| self.layers.main(id.slot()).is_some());
        controls.extend(playing.map(|id| (id, None)));
        let ask = |(id, control): &mut (InstanceId, Option<Control>)| {
            *control = choose(*id, &self.playback(*id)?);
            control.map_or(Ok(()), |control| self.check(Target::Main(*id), &control))
        };
        let asked = self.shards.threads.ask_each(&mut controls, LEAST_A_THREAD, ask);
        self.asked.controls = controls;
        asked
    }

    /// Does what was asked for.
    pub(crate) fn control_asked(&mut self) {
        let controls = std::mem::take(&mut self.asked.controls);
        for (id, control) in &controls {
            if let Some(control) = *control {
                self.control(*id, control).expect("it was checked");
            }
        }
        self.asked.controls = controls;
    }

    /// Whether a control can be.
    fn check(&self, target: Target, control: &Control) -> Result<(), CrowdError> {
        match *control {
            Control::Crossfade(playback, Crossfade { seconds, .. }) => {
                let slot = self.slots.find(target.instance())?;
                playback.check_main(&self.plan, &self.masks)?;
                let room = self.layers.can_crossfade(slot, checked(seconds)?);
                if room { Ok(()) } else { Err(CrowdError::TooManyPlaybacks { id: target.instance() }) }
            }
            Control::Play(playback, seconds) => {
                let slot = self.slots.find(target.instance())?;
                playback.check(&self.plan, &self.masks)?;
                checked(seconds)?;
                let room = self.layers.can_play(slot);
                if room { Ok(()) } else { Err(CrowdError::TooManyPlaybacks { id: target.instance() }) }
            }
            Control::Fade { weight, seconds } => {
                let (slot, place) = self.find(target)?;
                checked(seconds)?;
                check_weight(weight, self.layers.at(place).kinds[slot].is_additive())
            }
            control => {
                self.find(target)?;
                match control {
                    Control::Seek(time_s) => finite("time_s", time_s.into()).map(drop),
                    Control::SeekPlayed(played_s) => finite("played_s", played_s).map(drop),
                    Control::Speed(speed) => finite("speed", speed.into()).map(drop),
                    Control::FadeOut(seconds) => checked(seconds).map(drop),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Whether no target is named twice, all of which exist: the second control would find what the first has left.
    fn check_named_once<T>(&mut self, targets: &[T], control: &Control) -> Result<(), CrowdError>
    where
        T: Copy + Into<Target>,
    {
        let whole = matches!(control, Control::Crossfade(..) | Control::Play(..));
        let mut named = std::mem::take(&mut self.asked.named);
        named.resize(self.slots.count(), 0);
        let mut twice = None;
        for &target in targets {
            let target = target.into();
            let bit = if whole { INSTANCE } else { 1 << self.find(target)?.1 };
            let bits = &mut named[target.instance().slot()];
            if *bits & bit != 0 {
                twice = Some(target.instance());
                break;
            }
            *bits |= bit;
        }
        targets.iter().for_each(|&target| named[target.into().instance().slot()] = 0);
        self.asked.named = named;
        twice.map_or(Ok(()), |id| Err(CrowdError::NamedTwice { id }))
    }
}
