//! Catmull-Rom: the tangents that follow from the keys.

use super::{Interpolation, Track, TrackError, value_place};

/// A tangent as the difference of two of the track's values, or one of them, times a factor.
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

    /// The cubic spline that a Catmull-Rom track is, its tangents written out: the same curve, but for the rounding of
    /// tangents to f32. A cubic spline is returned as it is; for all other tracks there is none.
    ///
    /// For what a Catmull-Rom track can't be after a change: cut at a time, for example.
    ///
    /// # Errors
    /// [`TrackError::ValueNotFinite`] if a tangent leaves f32.
    pub fn to_cubic_spline(&self, label: &str) -> Result<Option<Self>, TrackError> {
        match self.interpolation {
            Interpolation::CubicSpline => return Ok(Some(self.clone())),
            Interpolation::CatmullRom => {}
            _ => return Ok(None),
        }
        let n = self.channel.components();
        let mut values = Vec::with_capacity(3 * n * self.times.len());
        for key in 0..self.times.len() {
            let Tangent { plus, minus, factor } = self.tangent(key);
            let tangent = (0..n).map(|i| {
                let less = minus.map_or(0.0, |minus| f64::from(minus[i]));
                ((f64::from(plus[i]) - less) * factor) as f32
            });
            values.extend(tangent.clone());
            values.extend_from_slice(self.numbers(value_place(self.interpolation, key)));
            values.extend(tangent);
        }
        let kind = Self {
            before: self.before,
            after: self.after,
            ..Self::empty(self.channel, Interpolation::CubicSpline)
        };
        let off_unit = self.off_unit;
        let spline = kind.filled(label, std::sync::Arc::clone(&self.times), values)?;
        Ok(Some(Self { off_unit, ..spline }))
    }
}
