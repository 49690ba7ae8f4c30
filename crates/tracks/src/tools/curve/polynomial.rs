//! One piece of a curve as a cubic polynomial, in f64: nlerp and quasi-spherical interpolation are cubic polynomials too,
//! normalised afterwards.

use super::keys::{Key, Keys, key_of};
use crate::interpolate::quasi_bend;
use crate::{Interpolation, Track, hermite};

/// How far the length of a rotation's key may be from 1: less than what a track keeps as it is, and than what other readers
/// of splines take for unit length.
const NEARLY_UNIT: f64 = 7e-3;
/// The least cosine between the ends of a rotation's piece. Keys whose product is negative would be taken for two names of
/// near rotations, and one be negated, which makes another curve.
const LEAST_COSINE: f64 = 1e-3;
/// Into how many parts a rotation's piece is halved at most: 2 to the power of this.
const HALVINGS: u32 = 12;

/// A cubic polynomial between two times, by its values there and its slopes, per second.
pub(super) struct Polynomial {
    start: f64,
    span: f64,
    ends: [Vec<f64>; 2],
    slopes: [Vec<f64>; 2],
}

impl Polynomial {
    /// The piece of `track` from a key to the next, which must be later.
    pub(super) fn of(track: &Track, key: usize) -> Self {
        let (start, end) = (f64::from(track.times()[key]), f64::from(track.times()[key + 1]));
        let span = end - start;
        let (a, b) = (key_of(track, key), key_of(track, key + 1));
        let ends = [wide(&a.value), wide(&b.value)];
        let slopes = if track.interpolation() == Interpolation::CubicSpline {
            [wide(&a.leave), wide(&b.enter)]
        } else {
            let pace = match track.interpolation() {
                Interpolation::Step => 0.0,
                Interpolation::QuasiSpherical => quasi_pace(&ends),
                _ => 1.0,
            };
            let slope = || ends[0].iter().zip(&ends[1]).map(|(a, b)| (b - a) * pace / span).collect();
            [slope(), slope()]
        };
        Self { start, span, ends, slopes }
    }

    fn at(&self, t: f32) -> (Vec<f64>, Vec<f64>) {
        let u = (f64::from(t) - self.start) / self.span;
        let [w0, v0, w1, v1] = hermite(u);
        // The derivatives of the four weights, by the way.
        let bend = 6.0 * u * (1.0 - u);
        let [x0, y0, x1, y1] = [-bend, (1.0 - u) * (1.0 - 3.0 * u), bend, u * (3.0 * u - 2.0)];
        let sum = |w: [f64; 4], span: f64, i: usize| {
            w[0] * self.ends[0][i]
                + w[1] * span * self.slopes[0][i]
                + w[2] * self.ends[1][i]
                + w[3] * span * self.slopes[1][i]
        };
        let n = self.ends[0].len();
        let value = (0..n).map(|i| sum([w0, v0, w1, v1], self.span, i)).collect();
        // The slopes' weights at the ends are exactly 0 and 1, and so the slopes come out as they went in.
        let slope = (0..n)
            .map(|i| {
                (x0 * self.ends[0][i] + x1 * self.ends[1][i]) / self.span
                    + y0 * self.slopes[0][i]
                    + y1 * self.slopes[1][i]
            })
            .collect();
        (value, slope)
    }

    /// Writes the curve from `start` to `end` as it is.
    pub(super) fn write(&self, start: f32, end: f32, keys: &mut Keys) {
        for t in [start, end] {
            keys.push(self.key(t, 1.0));
        }
    }

    /// Writes the curve of a rotation. A factor on all of a piece does not change the rotations it shows, so each piece
    /// gets the one that brings both its ends to nearly unit length, as keys of rotations must be. Where the ends differ by
    /// too much for that, or face away from each other, there are two pieces.
    pub(super) fn write_rotation(&self, start: f32, end: f32, keys: &mut Keys) {
        self.write_halves(start, end, HALVINGS, keys);
    }

    fn write_halves(&self, start: f32, end: f32, halvings: u32, keys: &mut Keys) {
        let ends = [start, end].map(|t| self.at(t).0);
        let [a, b] = [&ends[0], &ends[1]].map(|value| length(value));
        let product: f64 = ends[0].iter().zip(&ends[1]).map(|(a, b)| a * b).sum();
        let middle = ((f64::from(start) + f64::from(end)) / 2.0) as f32;
        let far = a.max(b) > a.min(b) * (1.0 + 1.8 * NEARLY_UNIT) || product < LEAST_COSINE * a * b;
        if far && halvings > 0 && start < middle && middle < end {
            self.write_halves(start, middle, halvings - 1, keys);
            self.write_halves(middle, end, halvings - 1, keys);
            return;
        }
        let fine = [a, b].iter().all(|length| (length - 1.0).abs() <= NEARLY_UNIT);
        let factor = if fine || a * b == 0.0 { 1.0 } else { (a * b).sqrt().recip() };
        for t in [start, end] {
            keys.push(self.key(t, factor));
        }
    }

    fn key(&self, time_s: f32, factor: f64) -> Key {
        let (value, slope) = self.at(time_s);
        let narrow = |v: Vec<f64>| v.into_iter().map(|v| (v * factor) as f32).collect::<Vec<f32>>();
        let slope = narrow(slope);
        Key { time_s, enter: slope.clone(), value: narrow(value), leave: slope }
    }
}

fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().copied().map(f64::from).collect()
}

fn length(numbers: &[f64]) -> f64 {
    numbers.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// The pace, in ways per way, at which [`quasi_slerp`](crate::quasi_slerp) leaves its first key and reaches its second:
/// the `d` of its formula, which with the two keys tells the whole cubic.
fn quasi_pace([a, b]: &[Vec<f64>; 2]) -> f64 {
    1.0 + quasi_bend(a.iter().zip(b).map(|(a, b)| a * b).sum())
}
