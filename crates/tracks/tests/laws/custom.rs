//! The caller's own interpolation.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DQuat;
use proptest::prelude::*;
use throng_tracks::{Channel, Clip, Custom, DTransform, Interpolation, JointIndex, Segment, Track};

use crate::make::{Keys, any_time, chain, keys};

fn line(u: f64, keys: Segment<'_>, out: &mut [f64]) {
    for ((out, &a), &b) in out.iter_mut().zip(keys.start()).zip(keys.end()) {
        *out = f64::from(a) + (f64::from(b) - f64::from(a)) * u;
    }
}

fn sampled(track: &Track, t: f32) -> Vec<f64> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample_f64(t, &mut value);
    value
}

/// One value a key, whatever the interpolation was.
fn plain(keys: &Keys, interpolation: Interpolation) -> Keys {
    let values = (0..keys.times.len()).flat_map(|key| keys.values[keys.value(key)].to_vec()).collect();
    Keys { interpolation, values, ..keys.clone() }
}

fn custom(keys: &Keys, function: Custom) -> Track {
    Track::custom("own", keys.channel, keys.times.clone(), keys.values.clone(), function).unwrap()
}

proptest! {
    #[test]
    fn a_line_is_linear(keys in keys(), t in any_time()) {
        let formula = if keys.channel.is_rotation() { Interpolation::Nlerp } else { Interpolation::Linear };
        let keys = plain(&keys, formula);
        let (found, expected) = (sampled(&custom(&keys, Custom::new(line)), t), sampled(&keys.track(), t));
        if keys.channel.is_rotation() {
            for (a, b) in found.iter().zip(expected) {
                prop_assert!((a - b).abs() < 1e-12);
            }
        } else {
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn keys_show_their_own_value_whatever_the_function(keys in keys()) {
        let keys = plain(&keys, Interpolation::Step);
        let track = custom(&keys, Custom::new(|_, _, out| out.fill(f64::NAN)));
        for &t in &keys.times {
            prop_assert_eq!(sampled(&track, t), sampled(&keys.track(), t));
        }
        // A rotation that is none is the earlier key's.
        if keys.channel.is_rotation() {
            let between = (keys.times[0] + keys.times[keys.times.len() - 1]) / 2.0;
            prop_assert_eq!(sampled(&track, between), sampled(&keys.track(), between));
        }
    }
}

#[test]
fn a_function_sees_the_keys_around_and_the_whole_track() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let seen = Custom::new(move |u, keys, out| {
        count.fetch_add(1, Ordering::Relaxed);
        assert_eq!((keys.key(), keys.start(), keys.end()), (1, &[2.0][..], &[4.0][..]));
        assert_eq!((keys.span_s(), keys.track().times().len()), (2.0, 3));
        out[0] = u;
    });
    let track = Track::custom("own", Channel::Scalar, [0.0, 1.0, 3.0], vec![1.0, 2.0, 4.0], seen).unwrap();
    assert_eq!(sampled(&track, 1.5), [0.25]);
    assert_eq!([0.0, 1.0, 3.0, 9.0, -1.0].map(|t| sampled(&track, t)[0]), [1.0, 2.0, 4.0, 4.0, 1.0]);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn clones_are_equal_and_others_are_not() {
    let (one, other) = (Custom::new(line), Custom::new(line));
    assert_eq!(one, one.clone());
    assert_ne!(one, other);
    let track = |function: &Custom| {
        Track::custom("own", Channel::Scalar, [0.0], vec![1.0], function.clone()).unwrap()
    };
    assert_eq!(track(&one), track(&one).clone());
    assert_ne!(track(&one), track(&other));
    assert_eq!(track(&one).with_keys("k", [0.0], vec![1.0]).unwrap(), track(&one));
    assert_eq!(track(&one).custom_function(), Some(&one));
}

#[test]
fn in_a_clip_it_moves_joints() {
    let skeleton = chain(1);
    let late = Custom::new(|u, keys, out| line(u * u, keys, out));
    let values = vec![0.0, 0.0, 0.0, 8.0, 0.0, 0.0];
    let slide = Track::custom("x", Channel::Translation, [0.0, 1.0], values, late).unwrap();
    // Past the pole of the arc: twice as far, and back to unit length.
    let far = Custom::new(|u, keys, out| line(2.0 * u, keys, out));
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    let turn = Track::custom("r", Channel::Rotation, [0.0, 1.0], values, far).unwrap();
    let clip = Clip::new("c", &skeleton, [(JointIndex(0), slide), (JointIndex(0), turn)]).unwrap();
    let mut pose = [DTransform::IDENTITY];
    clip.sample_f64(&skeleton, 0.5, &mut pose);
    assert_eq!(pose[0].translation.x, 2.0);
    let end = DQuat::from_xyzw(0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2);
    assert!(pose[0].rotation.abs_diff_eq(end, 1e-6), "{}", pose[0].rotation);
}
