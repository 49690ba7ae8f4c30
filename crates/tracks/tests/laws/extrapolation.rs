//! What tracks and clips show before their first key and after their last.

use proptest::prelude::*;
use throng_tracks::{
    BakeOptions, Channel, Clip, DTransform, Extrapolation, Interpolation, JointIndex, Track, WrapMode, bake,
    wrap,
};

use crate::make::{Keys, any_time, chain, keys, rotations, slide, vectors};

fn sampled(track: &Track, t: f32) -> Vec<f64> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample_f64(t, &mut value);
    value
}

fn going_on(keys: &Keys, both: Extrapolation) -> Track {
    keys.track().with_extrapolation(both, both)
}

fn ends(keys: &Keys) -> (f32, f32) {
    (keys.times[0], keys.times[keys.times.len() - 1])
}

const ALL: [Extrapolation; 4] =
    [Extrapolation::Clamp, Extrapolation::Linear, Extrapolation::Loop, Extrapolation::PingPong];

proptest! {
    #[test]
    fn inside_the_keys_nothing_changes(keys in keys(), t in any_time()) {
        let (first, last) = ends(&keys);
        let t = if t >= first && t <= last { t } else { first + (last - first) * t.abs().fract().max(0.0) };
        for both in ALL {
            prop_assert_eq!(sampled(&going_on(&keys, both), t), sampled(&keys.track(), t));
            for &key in &keys.times {
                prop_assert_eq!(sampled(&going_on(&keys, both), key), sampled(&keys.track(), key));
            }
        }
    }

    #[test]
    fn loop_and_ping_pong_wrap(keys in keys(), t in -40.0f32..40.0) {
        let (first, last) = ends(&keys);
        // Inside the keys another law holds.
        if last == first || (first..=last).contains(&t) {
            return Ok(());
        }
        for (both, mode) in [(Extrapolation::Loop, WrapMode::Loop), (Extrapolation::PingPong, WrapMode::PingPong)] {
            let track = going_on(&keys, both);
            let found = track.inside(t);
            prop_assert_eq!(found.beyond_s, 0.0);
            prop_assert!(found.time_s >= first && found.time_s <= last);
            prop_assert!(mode == WrapMode::PingPong || found.time_s < last);
            // The times' own rounding, against wrap in f32.
            let expected = first + wrap(t - first, last - first, mode);
            let off = (found.time_s - expected).abs();
            let seam = (last - first) - off;
            prop_assert!(off < 1e-5 || (mode == WrapMode::Loop && seam.abs() < 1e-5), "{found:?}, not {expected}");
            prop_assert_eq!(sampled(&track, t), sampled(&keys.track(), found.time_s));
        }
    }

    #[test]
    fn from_zero_on_looping_is_wrap_itself(mut keys in keys(), t in any_time()) {
        let first = keys.times[0];
        keys.times.iter_mut().for_each(|t| *t -= first);
        let (_, last) = ends(&keys);
        // Inside the keys another law holds. Nothing is rejected, as that would end long runs.
        if last == 0.0 || !t.is_finite() || (0.0..=last).contains(&t) {
            return Ok(());
        }
        for (both, mode) in [(Extrapolation::Loop, WrapMode::Loop), (Extrapolation::PingPong, WrapMode::PingPong)] {
            prop_assert_eq!(going_on(&keys, both).inside(t).time_s, wrap(t, last, mode));
        }
    }

    #[test]
    fn a_line_goes_on_with_value_and_slope(keys in vectors(), beyond in 0.0f32..9.0) {
        let track = going_on(&keys, Extrapolation::Linear);
        let (count, times) = (keys.times.len(), &keys.times);
        for (t, end, other) in [
            (times[0] - beyond, 0, 1),
            (times[count - 1] + beyond, count - 1, count.saturating_sub(2)),
        ] {
            let plain = keys.track();
            let clamps = count < 2 || times[end] == times[other];
            for (i, &found) in sampled(&track, t).iter().enumerate() {
                let value = f64::from(plain.value(end)[i]);
                let slope = if clamps { 0.0 } else {
                    (f64::from(plain.value(other)[i]) - value) / (f64::from(times[other]) - f64::from(times[end]))
                };
                // Of several keys at the first time the last shows there, and the first one ahead of it.
                if t == times[end] { continue }
                let expected = value + slope * (f64::from(t) - f64::from(times[end]));
                prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn rotations_clamp_instead(keys in rotations(), t in any_time()) {
        prop_assert_eq!(sampled(&going_on(&keys, Extrapolation::Linear), t), sampled(&keys.track(), t));
    }

    #[test]
    fn no_time_gives_nonsense(keys in keys(), t in any_time()) {
        for both in ALL {
            let track = going_on(&keys, both);
            prop_assert!(sampled(&track, t).iter().all(|v| v.is_finite()), "{both:?}");
            prop_assert_eq!(sampled(&track, f32::NAN), sampled(&track, 0.0));
            for t in [f32::INFINITY, f32::NEG_INFINITY] {
                prop_assert_eq!(sampled(&track, t), sampled(&keys.track(), t));
            }
        }
    }

    #[test]
    fn a_clip_goes_on_as_its_tracks_do(keys in vectors(), t in any_time(), which in 0usize..4) {
        let skeleton = chain(1);
        let count = keys.times.len();
        let x: Vec<f32> = (0..count).map(|k| keys.values[k]).collect();
        let both = ALL[which];
        let track = slide(Interpolation::Linear, &keys.times, &x).with_extrapolation(both, both);
        let long = Track::new("w", Channel::Weights(1), Interpolation::Step, [9.0], vec![0.0]).unwrap();
        let clip = Clip::new("c", &skeleton, [(JointIndex(0), track.clone()), (JointIndex(0), long)]).unwrap();
        prop_assert_eq!(clip.duration_s(), 9.0);
        let mut pose = [DTransform::IDENTITY];
        clip.sample_f64(&skeleton, t, &mut pose);
        // A track that clamps begins with its clip at 0.
        let t = if both == Extrapolation::Clamp { t.max(0.0) } else { t };
        prop_assert_eq!(&pose[0].translation.to_array()[..], &sampled(&track, t)[..]);
    }
}

#[test]
fn each_end_has_its_own() {
    let track = slide(Interpolation::Linear, &[1.0, 2.0], &[0.0, 10.0])
        .with_extrapolation(Extrapolation::PingPong, Extrapolation::Loop);
    let at = |t: f32| sampled(&track, t)[0];
    assert_eq!([0.75, 0.25, -0.25].map(at), [2.5, 7.5, 7.5]);
    assert_eq!([1.0, 2.0, 2.25, 3.25, 3.0].map(at), [0.0, 10.0, 2.5, 2.5, 0.0]);
    // Without any length there is nothing to go through again.
    let still = slide(Interpolation::Linear, &[1.0, 1.0], &[3.0, 4.0])
        .with_extrapolation(Extrapolation::Loop, Extrapolation::Loop);
    assert_eq!([0.0, 1.0, 5.0].map(|t| sampled(&still, t)[0]), [3.0, 4.0, 4.0]);
}

/// A clip of three seconds in which a track of half a second goes on.
fn baked_error(interpolation: Interpolation, after: Extrapolation, x: &[f32]) -> (f32, usize) {
    let skeleton = chain(1);
    let times: Vec<f32> = (0..x.len()).map(|k| k as f32 / 2.0 / (x.len() - 1) as f32).collect();
    let track = slide(interpolation, &times, x).with_extrapolation(Extrapolation::Clamp, after);
    let long = Track::new("s", Channel::Scale, Interpolation::Step, [3.0], vec![1.0; 3]).unwrap();
    let clip = Clip::new("c", &skeleton, [(JointIndex(0), track), (JointIndex(0), long)]).unwrap();
    let (bank, report) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
    (report.largest.error, bank.row_count())
}

#[test]
fn what_goes_on_is_baked_with_its_jumps() {
    // A step track that ends with a jump shows its last value for an instant, which rows can't: these hold it.
    let (climb, hold) = ([0.0, 1.0, 2.0, 5.0], [0.0, 1.0, 5.0, 5.0]);
    for (interpolation, after, x, size) in [
        (Interpolation::Linear, Extrapolation::Linear, climb, 50.0),
        (Interpolation::Linear, Extrapolation::Loop, climb, 5.0),
        (Interpolation::Linear, Extrapolation::PingPong, climb, 5.0),
        (Interpolation::Step, Extrapolation::Loop, hold, 5.0),
        (Interpolation::Step, Extrapolation::PingPong, hold, 5.0),
    ] {
        let (error, rows) = baked_error(interpolation, after, &x);
        assert!(error < 5e-6 * size, "{interpolation:?}, {after:?}: wrong by {error}");
        // 73 at 24 a second, one more for each jump, and some where jumps miss the grid by rounding.
        assert!(rows < 3 * 73, "{interpolation:?}, {after:?}: {rows} rows");
    }
}
