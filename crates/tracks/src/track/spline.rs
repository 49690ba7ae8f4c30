//! Splines by other names: Catmull-Rom, whose tangents follow from the keys, and the rotations that are cubic before they are
//! normalised.

use crate::interpolate::quasi_bend;

use super::{Interpolation, Track, TrackError, value_place};

/// A tangent as the difference of two of the track's values, or one of them, times a factor.
#[derive(Clone, Copy)]
pub(super) struct Tangent<'a> {
    pub(super) plus: &'a [f32],
    pub(super) minus: Option<&'a [f32]>,
    pub(super) factor: f64,
}

impl Track {
    /// The tangent of a Catmull-Rom track at a key, per second.
    pub(super) fn tangent(&self, key: usize) -> Tangent<'_> {
        let last = self.times.len() - 1;
        if key == 0 || key == last {
            let place = if key == 0 { 0 } else { last + 2 };
            return Tangent { plus: self.numbers(place), minus: None, factor: 1.0 };
        }
        let span = f64::from(self.times[key + 1]) - f64::from(self.times[key - 1]);
        let factor = if span > 0.0 { span.recip() } else { 0.0 };
        Tangent { plus: self.value(key + 1), minus: Some(self.value(key - 1)), factor }
    }

    /// The slope at both ends of the way from a key to the next on an nlerp or quasi-spherical track, per second: none where
    /// there is no way.
    fn way(&self, key: Option<usize>) -> Tangent<'_> {
        let still = Tangent { plus: self.value(0), minus: None, factor: 0.0 };
        let Some(key) = key else { return still };
        let span = f64::from(self.times[key + 1]) - f64::from(self.times[key]);
        if !(span > 0.0) {
            return still;
        }
        let (start, end) = (self.value(key), self.value(key + 1));
        let pace = match self.interpolation {
            Interpolation::QuasiSpherical => 1.0 + quasi_bend(dot(start, end)),
            _ => 1.0,
        };
        Tangent { plus: end, minus: Some(start), factor: pace / span }
    }

    /// The cubic spline that a Catmull-Rom, nlerp or quasi-spherical track is, its tangents written out: the same curve, but
    /// for the rounding of tangents to f32. A cubic spline is returned as it is; for all other tracks there is none.
    ///
    /// For what such a track can't be after a change, cut at a time for example, and for formats that have only cubic splines.
    ///
    /// # Errors
    /// [`TrackError::ValueNotFinite`] if a tangent leaves f32.
    pub fn to_cubic_spline(&self, label: &str) -> Result<Option<Self>, TrackError> {
        match self.interpolation {
            Interpolation::CubicSpline => return Ok(Some(self.clone())),
            Interpolation::CatmullRom | Interpolation::Nlerp | Interpolation::QuasiSpherical => {}
            _ => return Ok(None),
        }
        let n = self.channel.components();
        let mut values = Vec::with_capacity(3 * n * self.times.len());
        for key in 0..self.times.len() {
            let [enter, leave] = if self.interpolation == Interpolation::CatmullRom {
                let tangent = self.tangent(key);
                [tangent; 2]
            } else {
                // One line comes in, another goes out.
                [self.way(key.checked_sub(1)), self.way((key + 1 < self.times.len()).then_some(key))]
            };
            let tangent = |Tangent { plus, minus, factor }: Tangent<'_>| -> Vec<f32> {
                let less = |i: usize| minus.map_or(0.0, |minus| f64::from(minus[i]));
                (0..n).map(|i| ((f64::from(plus[i]) - less(i)) * factor) as f32).collect()
            };
            values.extend(tangent(enter));
            values.extend_from_slice(self.numbers(value_place(self.interpolation, key)));
            values.extend(tangent(leave));
        }
        let kind = Self {
            before: self.before,
            after: self.after,
            keeps_signs: self.keeps_signs,
            ..Self::empty(self.channel, Interpolation::CubicSpline)
        };
        let off_unit = self.off_unit;
        let spline = kind.filled(label, std::sync::Arc::clone(&self.times), values)?;
        Ok(Some(Self { off_unit, ..spline }))
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}
