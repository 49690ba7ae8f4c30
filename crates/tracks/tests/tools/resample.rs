//! Keys at a rate.

use proptest::prelude::*;
use throng_tracks::tools::{ResampleError, resample};
use throng_tracks::{Channel, Clip, Extrapolation, Interpolation, Track};

use crate::make::{
    CHAIN, JOINT, TICK, close, endless_clip, endless_track, kind, pose, same_pose, sampled, solo,
};
use crate::make::{apart, ticks, track, track_at, track_of};
use crate::subclip::{at_a_jump, at_a_seam};

fn steps() -> impl Strategy<Value = Track> {
    (kind(), ticks()).prop_flat_map(|((channel, _), ticks)| {
        track_at((channel, Interpolation::Step), ticks.into_iter().map(|t| f32::from(t) * TICK).collect())
    })
}

proptest! {
    #[test]
    fn every_key_is_what_the_clip_shows(clip in endless_clip()) {
        let keyed = resample(&clip, &CHAIN, 1.0 / TICK).unwrap();
        prop_assert_eq!(keyed.duration_s(), clip.duration_s());
        let intervals = (clip.duration_s() / TICK) as u16;
        for tick in 0..=intervals {
            let t = f32::from(tick) * TICK;
            // There the clip shows one side of the jump, and the result both.
            let seam = |track: &Track| at_a_seam(track, t) && at_a_jump(track, t);
            if clip.tracks().iter().any(|bound| seam(bound.track())) {
                continue;
            }
            prop_assert!(same_pose(&pose(&keyed, t), &pose(&clip, t)), "at {t}");
        }
        let plain = |track: &Track| {
            let jumps = track.times().windows(2).any(|w| w[0] == w[1]);
            !jumps && track.extrapolation() == Default::default()
        };
        // Only jumps add keys to those of the rate.
        if clip.tracks().iter().all(|bound| plain(bound.track())) {
            prop_assert!(keyed.timelines().len() <= 1);
        }
    }

    #[test]
    fn steps_show_the_same_at_every_time(
        track in steps(), rate in prop::sample::select(vec![0.4f32, 7.0, 24.0, 30.0, 1000.0]),
    ) {
        let clip = solo(track.clone());
        let keyed = resample(&clip, &CHAIN, rate).unwrap();
        prop_assert_eq!(keyed.duration_s(), clip.duration_s());
        for tick in 0..=4 * (clip.duration_s() / TICK) as u16 {
            let t = f32::from(tick) * TICK / 4.0;
            let around = [t.next_down().max(0.0), t, t.next_up().min(clip.duration_s())];
            for t in around {
                let off = apart(track.channel(), &sampled(track_of(&keyed), t), &sampled(&track, t));
                prop_assert!(off == 0.0, "off by {} at {}", off, t);
            }
        }
    }

    #[test]
    fn jumps_keep_their_time_and_both_values(
        track in track(), rate in prop::sample::select(vec![0.4f32, 7.0, 24.0, 30.0, 1000.0]),
    ) {
        let keyed = resample(&solo(track.clone()), &CHAIN, rate).unwrap();
        let keyed = track_of(&keyed);
        for key in 1..track.times().len() {
            let t = track.times()[key];
            if track.times()[key - 1] < t {
                continue;
            }
            let close = |found: &[f64], expected: &[f64]| close(track.channel(), found, expected);
            prop_assert!(close(&sampled(keyed, t), &sampled(&track, t)), "after {}", t);
            if t > track.times()[0] {
                let before = (0..key).rev().take_while(|&k| track.times()[k] == t).last().unwrap_or(key);
                let expected: Vec<f64> = match track.interpolation() {
                    Interpolation::Step => sampled(&track, t.next_down()),
                    _ => track.value(before).iter().copied().map(f64::from).collect(),
                };
                let found = sampled(keyed, t.next_down());
                let scale = apart(track.channel(), &sampled(keyed, t - TICK / 4.0), &expected);
                prop_assert!(apart(track.channel(), &found, &expected) <= 1e-3 * (1.0 + scale), "before {}", t);
            }
        }
    }

    #[test]
    fn between_keys_it_is_straight(track in endless_track()) {
        let keyed = resample(&solo(track.clone()), &CHAIN, 1.0 / TICK).unwrap();
        let keyed = track_of(&keyed);
        let steps = track.interpolation() == Interpolation::Step;
        let expected = match keyed.interpolation() {
            // Steps that go on along a line.
            Interpolation::Linear if steps => track.extrapolation() != Default::default(),
            found => found == if steps { Interpolation::Step } else { Interpolation::Linear },
        };
        prop_assert!(expected);
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

#[test]
fn steps_and_jumps_off_the_grid_keep_their_times() {
    let lamp =
        Track::discrete("lamp", [0.0, 0.11, 0.47], &[0, 1, 0], ["off", "on"].map(String::from)).unwrap();
    let weights = Track::new(
        "w",
        Channel::Weights(2),
        Interpolation::Step,
        [0.1, 0.33, 0.61],
        (0..6).map(|v| v as f32).collect(),
    );
    let teleport = Track::new(
        "t",
        Channel::Translation,
        Interpolation::Linear,
        [0.0, 0.37, 0.37, 1.0],
        vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 50.0, 0.0, 0.0, 51.0, 0.0, 0.0],
    );
    let glow =
        Track::new("g", Channel::Scalar, Interpolation::Linear, [0.0, 0.71, 0.71], vec![0.0, 1.0, 9.0]);
    let clip = Clip::new("c", &CHAIN, [(JOINT, weights.unwrap()), (JOINT, teleport.unwrap())])
        .and_then(|clip| clip.with_properties(&CHAIN, [("lamp", lamp), ("glow", glow.unwrap())]))
        .unwrap();
    let keyed = resample(&clip, &CHAIN, 10.0).unwrap();
    let times = |times: &[f32]| {
        times.iter().copied().filter(|t| (t * 10.0 - (t * 10.0).round()).abs() > 1e-5).collect::<Vec<_>>()
    };
    let joints: Vec<_> = keyed.tracks().iter().map(|bound| times(bound.track().times())).collect();
    assert_eq!(joints, [vec![0.33, 0.61], vec![0.37, 0.37]]);
    let properties: Vec<_> = keyed.properties().iter().map(|moved| times(moved.track().times())).collect();
    assert_eq!(properties, [vec![0.11, 0.47], vec![0.71, 0.71]]);
    let (teleport, mut value) = (keyed.tracks()[1].track(), [0.0; 3]);
    for (t, x) in [(0.37f32.next_down(), 1.0), (0.37, 50.0)] {
        teleport.sample(t, &mut value);
        assert!((value[0] - x).abs() < 1e-5, "{} at {t}", value[0]);
    }
    let lamp = keyed.properties()[0].track();
    assert_eq!(
        [0.109, 0.11, 0.469, 0.47].map(|t| lamp.name_at(t)),
        [Some("off"), Some("on"), Some("on"), Some("off")]
    );
}

#[test]
fn a_seam_of_a_loop_is_a_jump() {
    let saw = Track::new("s", Channel::Scalar, Interpolation::Linear, [0.0, 0.3], vec![0.0, 3.0]).unwrap();
    let saw = saw.with_extrapolation(Extrapolation::Clamp, Extrapolation::Loop);
    let long =
        Track::new("l", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0; 6]).unwrap();
    let clip = Clip::new("c", &CHAIN, [(JOINT, long)])
        .and_then(|clip| clip.with_properties(&CHAIN, [("saw", saw)]))
        .unwrap();
    let keyed = resample(&clip, &CHAIN, 4.0).unwrap();
    let saw = keyed.properties()[0].track();
    let near = |t: f32| saw.times().iter().filter(|key| (**key - t).abs() < 1e-6).count();
    assert_eq!([0.3, 0.6, 0.9].map(near), [2; 3]);
    let mut value = [0.0];
    saw.sample(0.899, &mut value);
    assert!((value[0] - 2.99).abs() < 1e-3, "{}", value[0]);
}
