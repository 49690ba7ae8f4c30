//! Exact sampling and forward kinematics by the book: f64, one key after the other, nothing shared with the crate.

use glam::{DMat4, DQuat, DVec3, DVec4};
use throng_tracks::{Channel, Interpolation};

use crate::make::{Figure, Keys};

/// The value of authored keys at time `t`.
pub(crate) fn sample(keys: &Keys, t: f32) -> Vec<f64> {
    let t = if t.is_nan() { 0.0 } else { f64::from(t) };
    let key = (0..keys.times.len()).rev().find(|&i| f64::from(keys.times[i]) <= t);
    let rotation = keys.channel.is_rotation();
    let values = if rotation { tidy(keys) } else { parts(keys) };
    let value = match key {
        None => values[0].1.clone(),
        Some(i) if i + 1 == values.len() || keys.interpolation == Interpolation::Step => values[i].1.clone(),
        Some(i) => {
            let (start, end) = (keys.times[i], keys.times[i + 1]);
            let span = f64::from(end) - f64::from(start);
            // The place between two keys is by contract an f32.
            let u = f64::from((t as f32 - start) / (end - start));
            match keys.interpolation {
                Interpolation::CubicSpline => hermite(&values[i], &values[i + 1], span, u),
                Interpolation::CatmullRom => {
                    let (a, b) = (with_slopes(keys, &values, i), with_slopes(keys, &values, i + 1));
                    hermite(&a, &b, span, u)
                }
                Interpolation::Nlerp => mix(&values[i].1, &values[i + 1].1, u),
                Interpolation::QuasiSpherical => {
                    let (a, b) = (DVec4::from_slice(&values[i].1), DVec4::from_slice(&values[i + 1].1));
                    let c = 1.0 - 0.787_808_8 * a.dot(b).abs();
                    let k = 0.506_926_9 * c * c;
                    let way = 2.0 * k * u * u * u - 3.0 * k * u * u + (1.0 + k) * u;
                    mix(&values[i].1, &values[i + 1].1, way)
                }
                _ if rotation => slerp(&values[i].1, &values[i + 1].1, u),
                _ => values[i].1.iter().zip(&values[i + 1].1).map(|(a, b)| a + (b - a) * u).collect(),
            }
        }
    };
    if rotation { DVec4::from_slice(&value).normalize().to_array().to_vec() } else { value }
}

/// In-tangent, value and out-tangent.
type Key = (Vec<f64>, Vec<f64>, Vec<f64>);

fn parts(keys: &Keys) -> Vec<Key> {
    let n = keys.channel.components();
    let numbers: Vec<f64> = keys.values.iter().map(|&v| f64::from(v)).collect();
    let zero = vec![0.0; n];
    let mut parts: Vec<Key> = if keys.interpolation == Interpolation::CubicSpline {
        numbers.chunks(3 * n).map(|k| (k[..n].to_vec(), k[n..2 * n].to_vec(), k[2 * n..].to_vec())).collect()
    } else {
        numbers.chunks(n).map(|v| (zero.clone(), v.to_vec(), zero.clone())).collect()
    };
    if keys.interpolation == Interpolation::CatmullRom {
        let (start, end) = (parts.remove(0).1, parts.pop().unwrap().1);
        parts[0].2 = start;
        parts.last_mut().unwrap().0 = end;
    }
    parts
}

/// A key of a Catmull-Rom spline: inside, both its tangents are the slope between its neighbours.
fn with_slopes(keys: &Keys, values: &[Key], i: usize) -> Key {
    if i == 0 || i + 1 == values.len() {
        return values[i].clone();
    }
    let span = f64::from(keys.times[i + 1]) - f64::from(keys.times[i - 1]);
    let slope = |(a, b): (&f64, &f64)| if span == 0.0 { 0.0 } else { (b - a) / span };
    let slopes: Vec<f64> = values[i - 1].1.iter().zip(&values[i + 1].1).map(slope).collect();
    (slopes.clone(), values[i].1.clone(), slopes)
}

/// The weighted sum, on the short arc; what calls this normalises.
fn mix(a: &[f64], b: &[f64], u: f64) -> Vec<f64> {
    let sign = if DVec4::from_slice(a).dot(DVec4::from_slice(b)) < 0.0 { -1.0 } else { 1.0 };
    a.iter().zip(b).map(|(a, b)| a * (1.0 - u) + sign * b * u).collect()
}

/// Each key in the hemisphere of the one ahead of it; unit length, unless it is nearly that; tangents along with their
/// value.
fn tidy(keys: &Keys) -> Vec<Key> {
    let mut previous: Option<DVec4> = None;
    let mut tidied = Vec::new();
    for (enters, value, leaves) in parts(keys) {
        let value = DVec4::from_slice(&value);
        let sign = if previous.is_some_and(|p| p.dot(value) < 0.0) { -1.0 } else { 1.0 };
        let length = value.length();
        let factor = if (0.99..=1.01).contains(&length) { sign } else { sign / length };
        let scaled = |v: Vec<f64>| v.into_iter().map(|c| c * factor).collect();
        previous = Some(value * factor);
        tidied.push((scaled(enters), scaled(value.to_array().to_vec()), scaled(leaves)));
    }
    tidied
}

fn hermite(a: &Key, b: &Key, span: f64, u: f64) -> Vec<f64> {
    let (u2, u3) = (u * u, u * u * u);
    (0..a.1.len())
        .map(|i| {
            (2.0 * u3 - 3.0 * u2 + 1.0) * a.1[i]
                + (u3 - 2.0 * u2 + u) * span * a.2[i]
                + (3.0 * u2 - 2.0 * u3) * b.1[i]
                + (u3 - u2) * span * b.0[i]
        })
        .collect()
}

fn slerp(a: &[f64], b: &[f64], u: f64) -> Vec<f64> {
    let (a, mut b) = (DVec4::from_slice(a), DVec4::from_slice(b));
    if a.dot(b) < 0.0 {
        b = -b;
    }
    let angle = a.dot(b).min(1.0).acos();
    let (wa, wb) = if angle == 0.0 {
        (1.0 - u, u)
    } else {
        (((1.0 - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin())
    };
    (a * wa + b * wb).to_array().to_vec()
}

/// The model matrix of each joint at time `t`.
pub(crate) fn model(figure: &Figure, t: f32) -> Vec<DMat4> {
    let mut model: Vec<DMat4> = Vec::new();
    for (joint, (parent, rest)) in figure.joints.iter().enumerate() {
        let mut translation = rest.translation.as_dvec3();
        let mut rotation = rest.rotation.as_dquat();
        let mut scale = rest.scale.as_dvec3();
        for (_, keys) in figure.tracks.iter().filter(|(bound, _)| *bound == joint) {
            let value = sample(keys, t);
            match keys.channel {
                Channel::Translation => translation = DVec3::from_slice(&value),
                Channel::Rotation => rotation = DQuat::from_slice(&value),
                Channel::Scale => scale = DVec3::from_slice(&value),
                _ => {}
            }
        }
        let local = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        model.push(parent.map_or(local, |p| model[p] * local));
    }
    model
}
