//! Weights, speeds and times of all playbacks of one layer, by slot.

use throng_kernels::LAYERS;

use crate::playback::check_weight;
use crate::{Crowd, CrowdError, Target};

/// An instance plays up to four playbacks at once, each in a *layer* of its own, 0 to 3: the layer of a playback does not
/// change while it plays, but that a crossfade puts the new main playback into the layer of the one that it follows. A main
/// playback that nothing was played ahead of is in layer 0.
///
/// These methods read or write one number of every playback of a layer. Slices go by [slot](crate::InstanceId::slot). They
/// may be longer than there are slots; what is behind the last slot is neither read nor written. Slots that play nothing in
/// the layer are not set, whatever the slice has there, and read as 0. Playbacks that wait for another are left out.
///
/// A value that a playback has already changes nothing of it, so an instance that is
/// [frozen](Crowd::set_skip_frozen) stays so.
impl Crowd {
    /// The layer of a playback, from 0 to 3.
    ///
    /// # Errors
    /// If there is no such instance or playback.
    pub fn layer(&self, target: impl Into<Target>) -> Result<usize, CrowdError> {
        self.find(target).map(|(_, place)| place)
    }

    /// Reads the weights of a layer, as they are now where they fade.
    ///
    /// # Errors
    /// If there is no such layer, or `out` has fewer numbers than there are [slots](Self::slot_count).
    pub fn weights_into(&self, layer: usize, out: &mut [f32]) -> Result<(), CrowdError> {
        self.check_layer(layer, "weights", out.len())?;
        self.layers.read(layer, out, |columns, slot| columns.fades[slot].weight);
        Ok(())
    }

    /// Reads the speeds of a layer.
    ///
    /// # Errors
    /// As of [`weights_into`](Self::weights_into).
    pub fn speeds_into(&self, layer: usize, out: &mut [f32]) -> Result<(), CrowdError> {
        self.check_layer(layer, "speeds", out.len())?;
        self.layers.read(layer, out, |columns, slot| columns.speeds[slot]);
        Ok(())
    }

    /// Reads the times of a layer, in seconds of the clip from the start of the first pass, as
    /// [`Playback::time_s`](crate::Playback::time_s).
    ///
    /// # Errors
    /// As of [`weights_into`](Self::weights_into).
    pub fn times_into(&self, layer: usize, out: &mut [f64]) -> Result<(), CrowdError> {
        self.check_layer(layer, "times", out.len())?;
        self.layers.read(layer, out, crate::columns::Playbacks::played_s);
        Ok(())
    }

    /// Sets the weights of a layer at once, as [`set_weight`](Self::set_weight) does one: fades of them end.
    ///
    /// # Errors
    /// If there is no such layer, there are fewer weights than [slots](Self::slot_count), or a playback can't have its weight.
    /// Then nothing changed.
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
    /// let ids = [crowd.spawn(Playback::default())?, crowd.spawn(Playback::default())?];
    /// for id in ids {
    ///     crowd.play(id, Playback { time_s: 0.5, ..Playback::default() })?;
    /// }
    /// // A walk in layer 0, a run in layer 1.
    /// let running = [0.25, 0.75];
    /// crowd.set_weights(0, &running.map(|part| 1.0 - part))?;
    /// crowd.set_weights(1, &running)?;
    /// crowd.evaluate();
    /// assert_eq!([crowd.palette(ids[0])?[3], crowd.palette(ids[1])?[3]], [0.5, 1.5]);
    /// let error = crowd.set_weights(1, &[0.5, -1.0]).unwrap_err().to_string();
    /// assert_eq!(error, "weights of layer 1, slot 1: found -1, expected a number from 0 to 1000000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_weights(&mut self, layer: usize, weights: &[f32]) -> Result<(), CrowdError> {
        self.check_layer(layer, "weights", weights.len())?;
        let columns = self.layers.at(layer);
        for slot in self.layers.slots_of(layer) {
            let additive = columns.kinds[slot].is_additive();
            if check_weight(weights[slot], additive).is_err() {
                let expected =
                    if additive { "a number from -1000000 to 1000000" } else { "a number from 0 to 1000000" };
                let found = weights[slot].into();
                return Err(CrowdError::LayerValue { what: "weights", layer, slot, found, expected });
            }
        }
        self.layers.set_weights(layer, weights);
        Ok(())
    }

    /// Sets the speeds of a layer, as [`set_speed`](Self::set_speed) does one.
    ///
    /// # Errors
    /// If there is no such layer, there are fewer speeds than [slots](Self::slot_count), or a speed is not finite. Then nothing
    /// changed.
    pub fn set_speeds(&mut self, layer: usize, speeds: &[f32]) -> Result<(), CrowdError> {
        self.check_layer(layer, "speeds", speeds.len())?;
        self.check_finite(layer, "speeds", |slot| speeds[slot].into())?;
        self.layers.set_speeds(self.plan.bank(), layer, speeds);
        Ok(())
    }

    /// Goes to the times of a layer, in seconds of the clip from the start of the first pass, as
    /// [`seek_played`](Self::seek_played) does for one.
    ///
    /// # Errors
    /// If there is no such layer, there are fewer times than [slots](Self::slot_count), or a time is not finite. Then nothing
    /// changed.
    pub fn set_times(&mut self, layer: usize, times_s: &[f64]) -> Result<(), CrowdError> {
        self.check_layer(layer, "times", times_s.len())?;
        self.check_finite(layer, "times", |slot| times_s[slot])?;
        self.layers.set_times(self.plan.bank(), layer, times_s);
        Ok(())
    }

    fn check_layer(&self, layer: usize, what: &'static str, found: usize) -> Result<(), CrowdError> {
        let slots = self.slots.count();
        if layer >= LAYERS {
            return Err(CrowdError::NoSuchLayer { layer });
        }
        if found < slots {
            return Err(CrowdError::Count { what, found, expected: slots });
        }
        Ok(())
    }

    fn check_finite(
        &self,
        layer: usize,
        what: &'static str,
        value: impl Fn(usize) -> f64,
    ) -> Result<(), CrowdError> {
        let wrong = self.layers.slots_of(layer).map(|slot| (slot, value(slot))).find(|(_, v)| !v.is_finite());
        wrong.map_or(Ok(()), |(slot, found)| {
            Err(CrowdError::LayerValue { what, layer, slot, found, expected: "a finite number" })
        })
    }
}
