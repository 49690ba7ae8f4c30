//! Keys on their way from one track to another.

use crate::{Interpolation, Track, TrackError};

/// A key; its tangents are empty where the form has none.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tools) struct Key {
    pub(in crate::tools) time_s: f32,
    pub(in crate::tools) enter: Vec<f32>,
    pub(in crate::tools) value: Vec<f32>,
    pub(in crate::tools) leave: Vec<f32>,
}

/// Keys of one form, which is never Catmull-Rom.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tools) struct Keys {
    pub(in crate::tools) form: Interpolation,
    pub(in crate::tools) keys: Vec<Key>,
}

impl Keys {
    pub(in crate::tools) fn new(form: Interpolation) -> Self {
        Self { form, keys: Vec::new() }
    }

    /// Takes a key. The one that the last piece ended with becomes one with the same key at the start of the next.
    pub(in crate::tools) fn push(&mut self, key: Key) {
        match self.keys.last_mut() {
            Some(last) if last.time_s == key.time_s && last.value == key.value => {
                last.leave = key.leave;
            }
            _ => self.keys.push(key),
        }
    }

    /// Takes a key at which the curve stands still.
    pub(in crate::tools) fn still(&mut self, time_s: f32, value: &[f32]) {
        let tangent =
            if self.form == Interpolation::CubicSpline { vec![0.0; value.len()] } else { Vec::new() };
        self.push(Key { time_s, enter: tangent.clone(), value: value.to_vec(), leave: tangent });
    }

    /// The track of these keys, which else is as `like` is. `time` moves their times.
    pub(in crate::tools) fn track(
        &self,
        label: &str,
        like: &Track,
        time: impl Fn(f32) -> f32,
    ) -> Result<Track, TrackError> {
        let times: Vec<f32> = self.keys.iter().map(|key| time(key.time_s)).collect();
        let mut values = Vec::new();
        for key in &self.keys {
            values.extend_from_slice(&key.enter);
            values.extend_from_slice(&key.value);
            values.extend_from_slice(&key.leave);
        }
        if self.form == like.interpolation() {
            return like.with_keys(label, times, values);
        }
        let (before, after) = like.extrapolation();
        let make = if like.keeps_signs() { Track::with_signs_kept } else { Track::new };
        Ok(make(label, like.channel(), self.form, times, values)?.with_extrapolation(before, after))
    }
}

/// A key of a track, as it is.
pub(super) fn key_of(track: &Track, key: usize) -> Key {
    let (enter, leave) = if track.interpolation() == Interpolation::CubicSpline {
        let n = track.channel().components();
        let parts = &track.values()[3 * n * key..][..3 * n];
        (parts[..n].to_vec(), parts[2 * n..].to_vec())
    } else {
        (Vec::new(), Vec::new())
    };
    Key { time_s: track.times()[key], enter, value: track.value(key).to_vec(), leave }
}
