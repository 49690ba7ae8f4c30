//! Keys at a rate.

use proptest::prelude::*;
use throng_tracks::tools::{ResampleError, resample};
use throng_tracks::{Channel, Interpolation, Track};

use crate::make::{CHAIN, TICK, close, endless_clip, endless_track, kind, pose, same_pose, sampled, solo};
use crate::make::{track_at, track_of};

proptest! {
    #[test]
    fn every_key_is_what_the_clip_shows(clip in endless_clip()) {
        let keyed = resample(&clip, &CHAIN, 1.0 / TICK).unwrap();
        prop_assert_eq!(keyed.duration_s(), clip.duration_s());
        let intervals = (clip.duration_s() / TICK) as u16;
        for tick in 0..=intervals {
            let t = f32::from(tick) * TICK;
            prop_assert!(same_pose(&pose(&keyed, t), &pose(&clip, t)), "at {t}");
        }
        prop_assert!(keyed.timelines().len() <= 1);
    }

    #[test]
    fn between_keys_it_is_straight(track in endless_track()) {
        let keyed = resample(&solo(track.clone()), &CHAIN, 1.0 / TICK).unwrap();
        let keyed = track_of(&keyed);
        let steps = track.interpolation() == Interpolation::Step;
        prop_assert_eq!(keyed.interpolation(), if steps { Interpolation::Step } else { Interpolation::Linear });
        let whole = |t: f32| (t / TICK).fract() == 0.0;
        prop_assert!(keyed.times().iter().all(|&t| whole(t)));
    }

    #[test]
    fn at_their_own_rate_keys_come_through(
        rate in prop::sample::select(vec![24.0f32, 30.0, 60.0]), digits in 3..7,
        track in (1usize..40).prop_flat_map(|keys| {
            (Just(keys), kind()).prop_flat_map(|(keys, kind)| track_at(kind, (0..keys).map(|k| k as f32).collect()))
        }),
    ) {
        // The times as a file would write them.
        let ten = 10f64.powi(digits);
        let written = |frame: f32| ((f64::from(frame) / f64::from(rate) * ten).round() / ten) as f32;
        let times: Vec<f32> = track.times().iter().map(|&frame| written(frame)).collect();
        let track = track.with_keys("made", times, track.values().to_vec()).unwrap();
        let keyed = resample(&solo(track.clone()), &CHAIN, rate).unwrap();
        prop_assert_eq!(track_of(&keyed).times().len(), track.times().len());
        for (key, &t) in track.times().iter().enumerate() {
            let (found, expected) = (track_of(&keyed).value(key), sampled(&track, t));
            let found: Vec<f64> = found.iter().copied().map(f64::from).collect();
            prop_assert!(close(track.channel(), &found, &expected), "key {key}");
        }
    }
}

#[test]
fn the_last_interval_may_be_shorter() {
    let track =
        Track::new("t", Channel::Translation, Interpolation::Linear, [0.0, 1.1], vec![0.0; 6]).unwrap();
    let keyed = resample(&solo(track), &CHAIN, 2.0).unwrap();
    assert_eq!(keyed.timelines()[0][..], [0.0, 0.5, 1.0, 1.1]);
}

#[test]
fn errors_name_what_was_asked_for() {
    let track =
        Track::new("t", Channel::Translation, Interpolation::Linear, [0.0, 1e9], vec![0.0; 6]).unwrap();
    let clip = solo(track);
    for rate_hz in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = resample(&clip, &CHAIN, rate_hz).unwrap_err();
        assert!(matches!(&error, ResampleError::Rate { clip, .. } if clip == "solo"), "{error}");
    }
    let error = resample(&clip, &CHAIN, 60.0).unwrap_err();
    assert!(matches!(error, ResampleError::TooManyKeys { .. }), "{error}");
}

#[test]
fn a_clip_shorter_than_a_frame_keeps_its_beginning() {
    let values = vec![0.0, 0.0, 0.0, 8.0, 0.0, 0.0];
    for (end, rate) in [(0.7, 0.05), (0.0015, 30.0), (1e-6, 24.0), (1.0, 1.0)] {
        let slide = Track::new("s", Channel::Translation, Interpolation::Linear, [0.0, end], values.clone());
        let keyed = resample(&solo(slide.unwrap()), &CHAIN, rate).unwrap();
        assert_eq!(keyed.timelines()[0][..], [0.0, end]);
        assert_eq!(track_of(&keyed).values(), values);
    }
    let still = Track::new("s", Channel::Translation, Interpolation::Linear, [0.0], vec![1.0; 3]).unwrap();
    assert_eq!(resample(&solo(still), &CHAIN, 30.0).unwrap().key_count(), 1);
}

#[test]
fn keys_of_a_finer_rate_are_not_taken_for_those_of_frames() {
    // 120 Hz at 25 Hz: the keys nearest to frames are up to 1.7 ms off, which is within a twentieth of a frame.
    let times: Vec<f32> = (0..=240).map(|i| i as f32 / 120.0).collect();
    let values = times.iter().flat_map(|&t| [100.0 * t, 0.0, 0.0]).collect();
    let slide = Track::new("s", Channel::Translation, Interpolation::Linear, times, values).unwrap();
    let keyed = resample(&solo(slide), &CHAIN, 25.0).unwrap();
    for frame in 0..=50 {
        let x = track_of(&keyed).value(frame)[0];
        assert!((x - 4.0 * frame as f32).abs() < 1e-3, "{x} at frame {frame}");
    }
}
