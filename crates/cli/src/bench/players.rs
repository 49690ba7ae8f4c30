//! Who plays what, and when.

use throng::{Crowd, InstanceId, Playback, Threads};

use super::random::Random;
use super::subject::Subject;
use crate::error::CliError;

/// The clip that a character plays, and where in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    pub(super) clip: usize,
    pub(super) time_s: f32,
}

/// A crowd, and what it plays as other variants read it.
pub(super) struct Players {
    pub(super) crowd: Crowd,
    ids: Vec<InstanceId>,
    pub(super) playing: Vec<Playing>,
}

impl Players {
    /// Instances that play the clips in turn, each from a time of its own.
    pub(super) fn new(subject: &Subject, instances: usize, random: &mut Random) -> Result<Self, CliError> {
        let mut crowd = Crowd::with_plan(subject.plan.clone(), subject.level);
        crowd.set_threads(if subject.threads == 1 { Threads::One } else { Threads::Pool });
        crowd.set_stores(subject.stores);
        crowd.reserve(instances);
        let mut players = Self { crowd, ids: Vec::new(), playing: Vec::new() };
        for instance in 0..instances {
            let clip = instance % subject.bank.clips().len();
            let time_s = players.random_time_s(clip, random);
            players.ids.push(players.crowd.spawn(Playback { clip, time_s, ..Playback::default() })?);
            players.playing.push(Playing { clip, time_s: 0.0 });
        }
        Ok(players)
    }

    /// Moves the clocks on.
    pub(super) fn advance(&mut self, dt: f64) -> Result<(), CliError> {
        Ok(self.crowd.advance(dt)?)
    }

    /// Sends each instance to a random time of its clip.
    pub(super) fn seek(&mut self, random: &mut Random) -> Result<(), CliError> {
        for instance in 0..self.ids.len() {
            let time_s = self.random_time_s(self.playing[instance].clip, random);
            self.crowd.set_time(self.ids[instance], time_s)?;
        }
        Ok(())
    }

    fn random_time_s(&self, clip: usize, random: &mut Random) -> f64 {
        random.unit() * f64::from(self.crowd.bank().clips()[clip].duration_s())
    }

    /// Tells the other variants what the crowd plays now.
    pub(super) fn tell(&mut self) -> Result<(), CliError> {
        for (playing, &id) in self.playing.iter_mut().zip(&self.ids) {
            playing.time_s = self.crowd.shown_s(id)?;
        }
        Ok(())
    }
}
