//! Quaternions as keys: brought into one hemisphere, and to unit length where they are far from it.

use glam::Quat;

use super::{Interpolation, Track, TrackError, value_place};
use crate::interpolate::{align, normalized};

/// How far from 1 the length of a key's quaternion may be for the key to keep its numbers.
const NEARLY_UNIT: f64 = 1e-2;

impl Track {
    /// Brings quaternions that are far from it to unit length, and neighbours into one hemisphere unless the track keeps
    /// signs. A key's tangents are
    /// scaled and negated with its value: `c * q` is the rotation `q`, and `c * q'` its derivative.
    pub(super) fn tidy_rotations(&mut self, label: &str) -> Result<(), TrackError> {
        let mut previous = None;
        for key in 0..self.times.len() {
            let at = 4 * value_place(self.interpolation, key);
            let raw = Quat::from_slice(&self.values[at..at + 4]);
            let Some(unit) = normalized(raw) else {
                return Err(TrackError::ZeroQuaternion { track: label.to_owned(), key });
            };
            let length = raw.as_dquat().length();
            let (kept, length) = if (length - 1.0).abs() <= NEARLY_UNIT {
                (raw, 1.0)
            } else {
                self.off_unit += 1;
                (unit, length)
            };
            let aligned = match previous {
                Some(previous) if !self.keeps_signs => align(previous, kept),
                _ => kept,
            };
            self.values[at..at + 4].copy_from_slice(&aligned.to_array());
            previous = Some(aligned);
            let factor = f64::from(aligned.dot(kept).signum()) / length;
            for place in self.tangents(key).into_iter().flatten() {
                self.scale_tangent(label, place, factor)?;
            }
        }
        Ok(())
    }

    /// Where the given tangents of a key stand, counted in values.
    fn tangents(&self, key: usize) -> [Option<usize>; 2] {
        let last = self.times.len() - 1;
        match self.interpolation {
            Interpolation::CubicSpline => [Some(3 * key), Some(3 * key + 2)],
            Interpolation::CatmullRom => [(key == 0).then_some(0), (key == last).then_some(key + 2)],
            _ => [None; 2],
        }
    }

    fn scale_tangent(&mut self, label: &str, place: usize, factor: f64) -> Result<(), TrackError> {
        for (component, v) in self.values[4 * place..][..4].iter_mut().enumerate() {
            *v = (f64::from(*v) * factor) as f32;
            if !v.is_finite() {
                let value = *v;
                let (key, part) = self.part_at(place);
                let track = label.to_owned();
                return Err(TrackError::ValueNotFinite { track, key, part, component, value });
            }
        }
        Ok(())
    }
}
