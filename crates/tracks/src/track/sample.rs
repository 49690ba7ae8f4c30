//! The value at a time.

use glam::{DQuat, DVec3};

use super::curve::{Blend, Curve};
use super::spline::Tangent;
use super::{Interpolation, Place, Track};
use crate::interpolate::{hermite, normalized_f64};
use crate::time::Located;

/// Where the value at a place comes from.
enum Source<'a> {
    Curve(Curve<'a>),
    /// The caller's function, for this way from this key on.
    Function(usize, f64),
}

impl Track {
    /// The value at time `t` in seconds, into `out` (as long as the channel has components). Outside of the keys the
    /// track's [extrapolation](Self::with_extrapolation) says what is shown; a NaN time counts as 0.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn sample(&self, t: f32, out: &mut [f32]) {
        self.components_at(self.place(t), out.len(), |i, v| out[i] = v as f32);
    }

    /// The value at a place found before by [`locate`](crate::locate) over the same [times](Self::times): outside of the
    /// keys this clamps.
    ///
    /// # Panics
    /// If the place is not of these times, or `out` has not as many numbers as the channel has components.
    pub fn sample_at(&self, at: Located, out: &mut [f32]) {
        self.components_at(Place::Between(at), out.len(), |i, v| out[i] = v as f32);
    }

    /// [`sample`](Self::sample), not rounded.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn sample_f64(&self, t: f32, out: &mut [f64]) {
        self.components_at(self.place(t), out.len(), |i, v| out[i] = v);
    }

    fn components_at(&self, at: Place, wanted: usize, mut put: impl FnMut(usize, f64)) {
        assert_eq!(wanted, self.channel.components(), "a sample needs one number a component");
        if self.channel.is_rotation() {
            self.rotation_at(at).to_array().into_iter().enumerate().for_each(|(i, v)| put(i, v));
            return;
        }
        match self.source_at(at) {
            Source::Curve(curve) => (0..wanted).for_each(|i| put(i, curve.component(i))),
            Source::Function(key, u) => {
                let (mut few, mut many) = ([0.0; 4], Vec::new());
                let value = match few.get_mut(..wanted) {
                    Some(few) => few,
                    None => {
                        many.resize(wanted, 0.0);
                        &mut many[..]
                    }
                };
                self.call_custom(key, u, value);
                value.iter().enumerate().for_each(|(i, &v)| put(i, v));
            }
        }
    }

    /// The rotation at a place; the track must be one of rotations.
    pub(crate) fn rotation_at(&self, at: Place) -> DQuat {
        match self.source_at(at) {
            Source::Curve(curve) => curve.rotation(),
            Source::Function(key, u) => {
                let mut value = [0.0; 4];
                self.call_custom(key, u, &mut value);
                normalized_f64(DQuat::from_array(value))
                    .filter(|q| q.is_finite())
                    .unwrap_or_else(|| Curve::Key(self.value(key)).rotation())
            }
        }
    }

    /// The translation or scale at a place; the track must be one of those.
    pub(crate) fn vector_at(&self, at: Place) -> DVec3 {
        let mut value = DVec3::ZERO;
        self.components_at(at, 3, |i, v| value[i] = v);
        value
    }

    fn source_at(&self, at: Place) -> Source<'_> {
        let Located { key, next, fraction } = match at {
            Place::Between(at) => at,
            Place::Line { key, way } => {
                return Source::Curve(Curve::Line(self.value(key), self.value(key + 1), way, Blend::Slerp));
            }
        };
        let u = f64::from(fraction);
        if u == 0.0 {
            return Source::Curve(Curve::Key(self.value(key)));
        }
        let line = |blend| Curve::Line(self.value(key), self.value(next), u, blend);
        Source::Curve(match self.interpolation {
            Interpolation::Step => Curve::Key(self.value(key)),
            Interpolation::Linear => line(Blend::Slerp),
            Interpolation::Nlerp => line(Blend::Nlerp),
            Interpolation::QuasiSpherical => line(Blend::QuasiSlerp),
            Interpolation::CubicSpline => {
                let (leaves, enters) = (self.numbers(3 * key + 2), self.numbers(3 * next));
                let tangent = |plus| Tangent { plus, minus: None, factor: 1.0 };
                self.hermite_at(key, next, u, [tangent(leaves), tangent(enters)])
            }
            Interpolation::CatmullRom => {
                self.hermite_at(key, next, u, [self.tangent(key), self.tangent(next)])
            }
            Interpolation::Custom => return Source::Function(key, u),
        })
    }

    fn hermite_at<'a>(&'a self, key: usize, next: usize, u: f64, [m0, m1]: [Tangent<'a>; 2]) -> Curve<'a> {
        let span = f64::from(self.times[next]) - f64::from(self.times[key]);
        let [w0, v0, w1, v1] = hermite(u);
        let start = self.value(key);
        let term = |m: &Tangent<'a>, v: f64| (m.plus, v * span * m.factor);
        // What is not subtracted counts as nothing.
        let less = |m: &Tangent<'a>, v: f64| match m.minus {
            Some(minus) => (minus, -v * span * m.factor),
            None => (start, 0.0),
        };
        let terms =
            [(start, w0), term(&m0, v0), less(&m0, v0), (self.value(next), w1), term(&m1, v1), less(&m1, v1)];
        Curve::Sum(terms)
    }
}
