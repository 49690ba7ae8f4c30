//! The curve between one key and the next, or a part of it, written as keys.

use glam::DQuat;

use super::keys::{Key, Keys, key_of};
use super::polynomial::Polynomial;
use crate::{Interpolation, Track};

/// Writes the curve from `start` to `end`, both between `key` and the next, which must be later.
///
/// `keys.form` must be able to hold it: the track's own interpolation, if it can be cut in that, or a cubic spline for
/// anything but slerp and functions, or lines for steps.
pub(super) fn write(track: &Track, key: usize, start: f32, end: f32, keys: &mut Keys) {
    let (first, last) = (track.times()[key], track.times()[key + 1]);
    let value = track.value(key);
    match (track.interpolation(), keys.form) {
        (Interpolation::Step, Interpolation::Step) => {
            keys.still(start, value);
            // The next key's own value is the next piece's to write.
            if end < last {
                keys.still(end, value);
            }
        }
        (Interpolation::Step, _) => [start, end].into_iter().for_each(|t| keys.still(t, value)),
        (kind, form) if kind == form && form != Interpolation::CubicSpline => {
            for t in [start, end] {
                match t {
                    t if t == first => keys.push(Key { time_s: t, ..key_of(track, key) }),
                    t if t == last => keys.push(Key { time_s: t, ..key_of(track, key + 1) }),
                    t => keys.still(t, &between(track, key, t)),
                }
            }
        }
        _ => {
            let curve = Polynomial::of(track, key);
            if track.channel().is_rotation() {
                curve.write_rotation(start, end, keys);
            } else {
                curve.write(start, end, keys);
            }
        }
    }
}

/// The value at `t` between two keys, such that the keys' curve goes through it unchanged.
fn between(track: &Track, key: usize, t: f32) -> Vec<f32> {
    let (a, b) = (track.value(key), track.value(key + 1));
    match track.interpolation() {
        // What the track shows has unit length. Its keys need not quite have, and to slerp that makes a difference.
        Interpolation::Linear if track.channel().is_rotation() => arc(track, key, t),
        _ if a == b => a.to_vec(),
        _ => {
            let mut value = vec![0.0; a.len()];
            track.sample(t, &mut value);
            value
        }
    }
}

/// A point on the arc between two rotations, as far from unit length as the two are.
fn arc(track: &Track, key: usize, t: f32) -> Vec<f32> {
    let [a, b] = [key, key + 1].map(|k| wide(track.value(k)));
    let [start, end] = [key, key + 1].map(|k| f64::from(track.times()[k]));
    let u = (f64::from(t) - start) / (end - start);
    let shown = crate::interpolate::slerp_f64(a, b, u);
    let angle = a.dot(b).clamp(-1.0, 1.0).acos();
    let (near, far) =
        if angle > 1e-6 { (((1.0 - u) * angle).sin(), (u * angle).sin()) } else { (1.0 - u, u) };
    let scale = if angle > 1e-6 { angle.sin() } else { 1.0 };
    let length = (a * near + b * far).length() / scale;
    (shown * length).to_array().map(|v| v as f32).to_vec()
}

fn wide(value: &[f32]) -> DQuat {
    DQuat::from_array(std::array::from_fn(|i| f64::from(value[i])))
}
