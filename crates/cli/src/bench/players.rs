//! Who plays what, and when.

use std::ops::Range;

use throng::kernels::{Blend, Layer, LayerMask};
use throng::tracks::RowPair;
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

/// Characters, and what they play as all variants read it.
pub(super) struct Players {
    pub(super) instances: usize,
    /// The clocks of the first layer of all characters, then those of the second, and so on: where there is one layer, the
    /// crowd that is measured.
    pub(super) crowd: Crowd,
    ids: Vec<InstanceId>,
    /// In the same order, as are the next two.
    playing: Vec<Playing>,
    weights: Vec<f32>,
    masks: Vec<u16>,
}

/// One layer of all characters.
#[derive(Clone, Copy)]
pub(super) struct PlayedLayer<'a> {
    pub(super) playing: &'a [Playing],
    pub(super) weights: &'a [f32],
    /// Which of the subject's masks.
    pub(super) masks: &'a [u16],
}

impl Players {
    /// Characters that play the clips in turn, each from a time of its own.
    pub(super) fn new(subject: &Subject, instances: usize, random: &mut Random) -> Result<Self, CliError> {
        let count = instances * subject.layer_count();
        let mut crowd = Crowd::with_plan(subject.plan.clone(), subject.level);
        crowd.set_threads(if subject.threads == 1 { Threads::One } else { Threads::Pool });
        crowd.set_stores(subject.stores);
        crowd.set_layout(subject.layout)?;
        crowd.reserve(count);
        let (ids, playing) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (weights, masks) = (vec![1.0; count], Vec::with_capacity(count));
        let mut players = Self { instances, crowd, ids, playing, weights, masks };
        for layer in 0..subject.layer_count() {
            for instance in 0..instances {
                players.spawn(subject, layer, instance, random)?;
            }
        }
        if subject.is_layered() {
            players.weigh(subject, random);
        }
        Ok(players)
    }

    fn spawn(
        &mut self,
        subject: &Subject,
        layer: usize,
        instance: usize,
        random: &mut Random,
    ) -> Result<(), CliError> {
        // The clip that an additive one was made of lasts as long, and is one that a crowd plays.
        let (clip, shown) = match subject.additive {
            Some(additive) if layer == subject.averages => (additive.of, additive.clip),
            _ => {
                let clip = (instance + layer) % subject.poses;
                (clip, clip)
            }
        };
        let time_s = self.random_time_s(clip, random);
        self.ids.push(self.crowd.spawn(Playback { clip, time_s, ..Playback::default() })?);
        self.playing.push(Playing { clip: shown, time_s: 0.0 });
        let masks = subject.masks.as_ref().map_or(1, |masks| masks.count());
        self.masks.push(((instance + layer) % masks) as u16);
        Ok(())
    }

    /// Draws weights: those of averages sum to 1, also in `f32`.
    fn weigh(&mut self, subject: &Subject, random: &mut Random) {
        let (averages, instances) = (subject.averages, self.instances);
        let place = |layer, instance| layer * instances + instance;
        for instance in 0..self.instances {
            let drawn: Vec<f64> = (0..averages).map(|_| random.unit() + 0.01).collect();
            let sum: f64 = drawn.iter().sum();
            let mut left: f32 = 1.0;
            for (layer, weight) in drawn[..averages - 1].iter().enumerate() {
                let weight = (weight / sum) as f32;
                self.weights[place(layer, instance)] = weight;
                left -= weight;
            }
            self.weights[place(averages - 1, instance)] = left.max(0.0);
            if subject.additive.is_some() {
                self.weights[place(averages, instance)] = random.unit() as f32;
            }
        }
    }

    /// A layer of all characters.
    pub(super) fn layer(&self, layer: usize) -> PlayedLayer<'_> {
        let of_layer = layer * self.instances..(layer + 1) * self.instances;
        PlayedLayer {
            playing: &self.playing[of_layer.clone()],
            weights: &self.weights[of_layer.clone()],
            masks: &self.masks[of_layer],
        }
    }

    /// Moves the clocks on.
    pub(super) fn advance(&mut self, dt: f64) -> Result<(), CliError> {
        Ok(self.crowd.advance(dt)?)
    }

    /// Sends each clock to a random time of its clip.
    pub(super) fn seek(&mut self, random: &mut Random) -> Result<(), CliError> {
        for &id in &self.ids {
            let clip = self.crowd.playback(id)?.clip;
            let time_s = self.random_time_s(clip, random);
            self.crowd.seek_played(id, time_s)?;
        }
        Ok(())
    }

    fn random_time_s(&self, clip: usize, random: &mut Random) -> f64 {
        random.unit() * f64::from(self.crowd.bank().clips()[clip].duration_s())
    }

    /// Tells the other variants what the clocks show now.
    pub(super) fn tell(&mut self) -> Result<(), CliError> {
        for (playing, &id) in self.playing.iter_mut().zip(&self.ids) {
            playing.time_s = self.crowd.shown_s(id)?;
        }
        Ok(())
    }
}

impl<'a> PlayedLayer<'a> {
    /// As the kernels take it, for some of the characters, whose rows are `pairs`.
    pub(super) fn kernel_layer(
        self,
        subject: &'a Subject,
        layer: usize,
        characters: Range<usize>,
        pairs: &'a [RowPair],
    ) -> Layer<'a> {
        let choice = &self.masks[characters.clone()];
        Layer {
            pairs,
            weights: &self.weights[characters],
            blend: if layer < subject.averages { Blend::Average } else { Blend::Additive },
            mask: subject.masks.as_ref().map(|masks| LayerMask { masks, choice }),
            external: None,
        }
    }
}
