//! Sampling one track.

use glam::Quat;
use proptest::prelude::*;
use throng_tracks::{Channel, Interpolation, Track, locate};

use crate::make::{
    Keys, any_time, key_times, keys, keys_of, nearly_unit, quaternion, rotation, slide, vectors,
};
use crate::oracle;

fn sampled(track: &Track, t: f32) -> Vec<f32> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample(t, &mut value);
    value
}

fn sampled_f64(track: &Track, t: f32) -> Vec<f64> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample_f64(t, &mut value);
    value
}

/// A track of two rotations, a second apart.
fn turn(a: [f32; 4], b: [f32; 4]) -> Keys {
    let (channel, interpolation) = (Channel::Rotation, Interpolation::Linear);
    Keys { channel, interpolation, times: vec![0.0, 1.0], values: [a, b].concat() }
}

/// The same value; quaternions as rotations.
fn same(channel: Channel, a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let off = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max);
    off(1.0) <= tolerance || (channel.is_rotation() && off(-1.0) <= tolerance)
}

/// A key's value as it is sampled: rotations normalised.
fn shown(track: &Track, key: usize) -> Vec<f32> {
    let value = track.value(key);
    if !track.channel().is_rotation() {
        return value.to_vec();
    }
    glam::DQuat::from_slice(&wide(value)).normalize().as_quat().to_array().to_vec()
}

fn wide(value: &[f32]) -> Vec<f64> {
    value.iter().map(|&v| f64::from(v)).collect()
}

proptest! {
    #[test]
    fn samples_are_those_of_the_oracle(keys in keys(), t in any_time(), near_key: Option<prop::sample::Index>) {
        let t = near_key.map_or(t, |pick| keys.times[pick.index(keys.times.len())]);
        let expected = oracle::sample(&keys, t);
        // A cubic rotation may pass close to zero, where the direction of what is left is noise.
        let found = sampled(&keys.track(), t);
        let tolerance = if keys.channel.is_rotation() { 2e-4 } else { 1e-5 };
        prop_assert!(same(keys.channel, &wide(&found), &expected, tolerance), "{found:?}, oracle {expected:?}");
    }

    #[test]
    fn a_sample_is_the_one_in_f64_rounded(keys in keys(), t in any_time()) {
        let track = keys.track();
        let rounded: Vec<f32> = sampled_f64(&track, t).iter().map(|&v| v as f32).collect();
        prop_assert_eq!(sampled(&track, t), rounded);
    }

    #[test]
    fn no_digit_of_f64_is_lost(keys in vectors(), t in any_time()) {
        let (found, expected) = (sampled_f64(&keys.track(), t), oracle::sample(&keys, t));
        prop_assert!(same(keys.channel, &found, &expected, 1e-13), "{found:?}, oracle {expected:?}");
    }

    #[test]
    fn rotations_between_raw_keys_are_those_of_the_oracle_however_close(
        a in rotation(), axis in quaternion(), power in -7.0f32..0.0,
        lengths in prop::array::uniform2(0.9901f32..1.0099), sign: bool, t in 0.0f32..1.0,
    ) {
        let axis = glam::Vec3::from_slice(&axis).normalize_or(glam::Vec3::X);
        let b = Quat::from_axis_angle(axis, 10.0f32.powf(power)) * a * if sign { 1.0 } else { -1.0 };
        let keys = turn((a * lengths[0]).to_array(), (b * lengths[1]).to_array());
        let (found, expected) = (sampled_f64(&keys.track(), t), oracle::sample(&keys, t));
        prop_assert!(same(keys.channel, &found, &expected, 1e-12), "{found:?}, oracle {expected:?}");
    }

    #[test]
    fn a_length_near_one_matters_little(
        a in rotation(), b in rotation(), off in prop::array::uniform2(-5e-3f32..5e-3), t in 0.0f32..1.0,
    ) {
        let keys = turn((a * (1.0 + off[0])).to_array(), (b * (1.0 + off[1])).to_array());
        let unit = turn(a.to_array(), b.to_array());
        let (found, expected) = (sampled_f64(&keys.track(), t), sampled_f64(&unit.track(), t));
        let tolerance = f64::from(off[0].abs() + off[1].abs()) + 1e-6;
        prop_assert!(same(keys.channel, &found, &expected, tolerance), "{found:?} {expected:?}");
    }

    #[test]
    fn rotations_have_unit_length(keys in keys_of(Channel::Rotation, 5.0), t in any_time()) {
        let track = keys.track();
        for t in keys.times.iter().copied().chain([t]) {
            let length = |v: &[f64]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
            prop_assert!((length(&sampled_f64(&track, t)) - 1.0).abs() < 1e-15);
            prop_assert!((length(&wide(&sampled(&track, t))) - 1.0).abs() < 1e-7);
        }
    }

    #[test]
    fn rotations_nearly_of_unit_length_keep_their_numbers(q in nearly_unit(), tangent in quaternion()) {
        let length = wide(&q).iter().map(|c| c * c).sum::<f64>().sqrt();
        let near = (length - 1.0).abs() <= 1e-2;
        let values = [tangent, q, tangent, tangent, q.map(|v| -v), tangent].concat();
        let (channel, interpolation) = (Channel::Rotation, Interpolation::CubicSpline);
        let track = Track::new("q", channel, interpolation, [0.0, 1.0], values).unwrap();
        prop_assert_eq!(track.off_unit_quaternions(), if near { 0 } else { 2 });
        prop_assert_eq!(track.value(0) == q, near);
        prop_assert_eq!(track.value(0), track.value(1));
        // Tangents go with their value: as they were, and negated.
        prop_assert_eq!(track.values()[..4] == tangent, near);
        let negated: Vec<f32> = track.values()[..4].iter().map(|v| -v).collect();
        prop_assert_eq!(&track.values()[12..16], &negated);
    }

    #[test]
    fn a_key_shows_its_own_value(keys in keys()) {
        let track = keys.track();
        for (key, &time) in keys.times.iter().enumerate() {
            let last_there = keys.times.iter().rposition(|&t| t == time).unwrap();
            prop_assert_eq!(sampled(&track, time), shown(&track, last_there));
            if !keys.channel.is_rotation() {
                prop_assert_eq!(track.value(key), &keys.values[keys.value(key)]);
            }
        }
    }

    #[test]
    fn sampling_clamps_and_never_wraps(keys in keys(), beyond in 0.0f32..100.0) {
        let (track, last) = (keys.track(), *keys.times.last().unwrap());
        for (t, key) in [
            (last + beyond, keys.times.len() - 1),
            (f32::INFINITY, keys.times.len() - 1),
            (keys.times[0] - beyond - 1e-3, 0),
            (f32::NEG_INFINITY, 0),
        ] {
            prop_assert_eq!(sampled(&track, t), shown(&track, key));
        }
        prop_assert_eq!(sampled(&track, f32::NAN), sampled(&track, 0.0));
    }

    #[test]
    fn step_holds_the_left_key(times in key_times(), t in -1.0f32..3.0) {
        let x: Vec<f32> = (0..times.len()).map(|i| i as f32).collect();
        let held = times.iter().rposition(|&key| key <= t).unwrap_or(0);
        prop_assert_eq!(sampled(&slide(Interpolation::Step, &times, &x), t)[0], x[held]);
    }

    #[test]
    fn a_cubic_along_straight_lines_is_linear(times in key_times(), slope in -4.0f32..4.0, t in -1.0f32..3.0) {
        let x: Vec<f32> = times.iter().map(|t| slope * t + 1.0).collect();
        let values = x.iter().flat_map(|&x| [slope, 0.0, 0.0, x, 0.0, 0.0, slope, 0.0, 0.0]).collect();
        let cubic =
            Track::new("cubic", Channel::Translation, Interpolation::CubicSpline, times.clone(), values).unwrap();
        let (cubic, linear) = (sampled(&cubic, t)[0], sampled(&slide(Interpolation::Linear, &times, &x), t)[0]);
        prop_assert!((cubic - linear).abs() < 1e-5, "{cubic}, linear {linear}");
    }

    #[test]
    fn the_sign_of_a_keys_quaternion_does_not_matter(
        keys in keys_of(Channel::Rotation, 5.0), pick: prop::sample::Index, t in any_time(),
    ) {
        let key = pick.index(keys.times.len());
        let mut turned = keys.clone();
        for v in &mut turned.values[keys.whole(key)] {
            *v = -*v;
        }
        let (a, b) = (sampled(&keys.track(), t), sampled(&turned.track(), t));
        let negated: Vec<f32> = a.iter().map(|v| -v).collect();
        prop_assert!(b == a || b == negated, "{a:?} became {b:?}");
    }

    #[test]
    fn neighbours_lie_in_one_hemisphere_nearly_at_unit_length(keys in keys_of(Channel::Rotation, 5.0)) {
        let track = keys.track();
        let value = |key| Quat::from_slice(track.value(key));
        for key in 0..keys.times.len() {
            prop_assert!((value(key).length() - 1.0).abs() < 1e-2 + 1e-6);
            prop_assert!(key == 0 || value(key - 1).dot(value(key)) >= -1e-6);
        }
    }

    #[test]
    fn the_length_of_a_keys_quaternion_does_not_matter_if_it_is_far_from_one(
        q in quaternion(), other in quaternion(), tangent in quaternion(), power in -60i32..60, t in 0.0f32..1.0,
    ) {
        let (scale, length) = (2.0f32.powi(power), Quat::from_array(q).length());
        prop_assume!([length, length * scale].iter().all(|l| !(0.98..1.02).contains(l)));
        let track = |scale: f32| {
            let first = [tangent, q, tangent].concat().into_iter().map(|v| v * scale);
            let values = first.chain([tangent, other, tangent].concat()).collect();
            let interpolation = Interpolation::CubicSpline;
            Keys { channel: Channel::Rotation, interpolation, times: vec![0.0, 1.0], values }.track()
        };
        prop_assert_eq!(sampled(&track(1.0), t), sampled(&track(scale), t));
    }

    #[test]
    fn a_place_found_before_gives_the_same_sample(keys in keys(), t in any_time()) {
        let track = keys.track();
        let mut value = vec![0.0; track.channel().components()];
        track.sample_at(locate(track.times(), t), &mut value);
        prop_assert_eq!(value, sampled(&track, t));
    }

    #[test]
    fn shifting_moves_all_keys_and_nothing_else(keys in keys(), origin in -4.0f32..0.0, t in 0.0f32..2.0) {
        let times: Vec<f32> = keys.times.iter().map(|t| t + origin).collect();
        let (channel, interpolation) = (keys.channel, keys.interpolation);
        let track = Track::shifted("t", channel, interpolation, times.clone(), keys.values.clone(), origin).unwrap();
        for (shifted, time) in track.times().iter().zip(&times) {
            prop_assert_eq!(*shifted, time - origin);
        }
        let same = Keys { times: track.times().to_vec(), ..keys };
        prop_assert_eq!(sampled(&track, t), sampled(&same.track(), t));
    }
}

#[test]
fn equal_times_jump_and_the_later_key_wins() {
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        let track = slide(interpolation, &[0.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 5.0, 5.0]);
        assert_eq!([0.5, 1.0f32.next_down(), 1.0, 1.5].map(|t| sampled(&track, t)[0]), [0.0, 0.0, 5.0, 5.0]);
    }
}

#[test]
fn one_key_is_constant_for_every_interpolation() {
    for (interpolation, values) in [
        (Interpolation::Step, vec![1.0, 2.0, 3.0]),
        (Interpolation::Linear, vec![1.0, 2.0, 3.0]),
        (Interpolation::CubicSpline, vec![9.0, 9.0, 9.0, 1.0, 2.0, 3.0, 9.0, 9.0, 9.0]),
    ] {
        let track = Track::new("one", Channel::Scale, interpolation, [0.5], values).unwrap();
        for t in [-1.0, 0.0, 0.5, 0.6, f32::INFINITY, f32::NAN] {
            assert_eq!(sampled(&track, t), [1.0, 2.0, 3.0]);
        }
    }
}

#[test]
fn cubic_keys_hold_in_tangent_value_and_out_tangent() {
    // Leaves key 0 at 2 a second, arrives at key 1 with 4 a second; the outer tangents do nothing.
    let values = vec![99.0, 0.0, 2.0, 4.0, 1.0, 99.0];
    let track = Track::new("w", Channel::Weights(1), Interpolation::CubicSpline, [0.0, 2.0], values).unwrap();
    let step = 1.0 / 1024.0;
    let slope = |t: f32| (sampled(&track, t + step)[0] - sampled(&track, t)[0]) / step;
    assert!((slope(0.0) - 2.0).abs() < 1e-2, "{}", slope(0.0));
    assert!((slope(2.0 - step) - 4.0).abs() < 1e-2, "{}", slope(2.0 - step));
    assert_eq!([0.0, 2.0].map(|t| sampled(&track, t)[0]), [0.0, 1.0]);
}

#[test]
fn morph_weights_keep_their_parts_together() {
    // One key of a cubic: both in-tangents, both values, both out-tangents.
    let values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let track = Track::new("w", Channel::Weights(2), Interpolation::CubicSpline, [0.0], values).unwrap();
    assert_eq!(track.value(0), [3.0, 4.0]);
}

#[test]
fn quaternions_far_from_unit_length_are_counted() {
    let values = [[0.0, 0.0, 0.0, 1.005], [0.0, 0.0, 0.0, 1.02], [0.0, 0.0, 0.0, 0.5]].concat();
    let track = Track::new("r", Channel::Rotation, Interpolation::Linear, [0.0, 1.0, 2.0], values).unwrap();
    assert_eq!(track.off_unit_quaternions(), 2);
}
