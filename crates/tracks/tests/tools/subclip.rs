//! Parts of clips, by seconds and by frames.

use proptest::prelude::*;
use throng_tracks::tools::{TimeError, subclip, subclip_frames};
use throng_tracks::{Channel, Clip, Extrapolation, Interpolation, Track};

use crate::make::{
    CHAIN, JOINT, TICK, apart, bent, close, endless_track, kind, sampled, solo, track, track_at,
    track_from_zero, track_of,
};

/// Whether a track that repeats starts again exactly at `t`.
pub(crate) fn at_a_seam(track: &Track, t: f32) -> bool {
    let (first, last) = (track.times()[0], track.times()[track.times().len() - 1]);
    let (before, after) = track.extrapolation();
    let repeats = |mode| mode == Extrapolation::Loop || mode == Extrapolation::PingPong;
    ((t >= last && repeats(after)) || (t <= first && repeats(before))) && {
        let seam = (t - first) % (last - first);
        // A ping-pong jumps where its keys do, and turned round it jumps on the other side.
        seam == 0.0 || before == Extrapolation::PingPong || after == Extrapolation::PingPong
    }
}

/// Whether two keys lie exactly where `t` is shown from.
pub(crate) fn at_a_jump(track: &Track, t: f32) -> bool {
    let inside = track.inside(t).time_s;
    track.times().contains(&inside)
}

proptest! {
    #[test]
    fn a_part_shows_what_the_whole_shows(track in endless_track(), start in 0u16..200, length in 0u16..200) {
        let (start, length) = (f32::from(start) * TICK, f32::from(length) * TICK);
        let clip = solo(track.clone());
        let part = subclip(&clip, &CHAIN, start, start + length).unwrap();
        prop_assert_eq!(part.duration_s(), length);
        let part = track_of(&part);
        prop_assert_eq!(part.times()[0], 0.0);
        for step in 0..=64 {
            let t = length * step as f32 / 64.0;
            if at_a_seam(&track, start + t) && at_a_jump(&track, start + t) {
                continue;
            }
            let (found, expected) = (sampled(part, t), sampled(&track, start + t));
            let close = close(track.channel(), &found, &expected);
            prop_assert!(close, "at {t} of {length}: {found:?} {expected:?} {part:?}");
        }
    }

    #[test]
    fn all_of_a_clip_is_the_clip(track in track_from_zero()) {
        // What has no keys to be cut in becomes something else, and of keys at one time only what can be seen comes through.
        let whole = ![Interpolation::Custom, Interpolation::CatmullRom].contains(&track.interpolation());
        if !whole || track.times().windows(2).any(|w| w[0] == w[1]) {
            return Ok(());
        }
        let clip = solo(track);
        prop_assert_eq!(subclip(&clip, &CHAIN, 0.0, clip.duration_s()).unwrap(), clip);
    }

    #[test]
    fn a_part_of_a_part_is_a_part(track in track(), cuts in prop::array::uniform4(0u16..150)) {
        let mut cuts = cuts.map(|t| f32::from(t) * TICK);
        cuts.sort_by(f32::total_cmp);
        let clip = solo(track);
        let outer = subclip(&clip, &CHAIN, cuts[0], cuts[3]).unwrap();
        let inner = subclip(&outer, &CHAIN, cuts[1] - cuts[0], cuts[2] - cuts[0]).unwrap();
        let direct = subclip(&clip, &CHAIN, cuts[1], cuts[2]).unwrap();
        prop_assert_eq!(inner.duration_s(), direct.duration_s());
        for step in 0..=32 {
            let t = inner.duration_s() * step as f32 / 32.0;
            let (a, b) = (sampled(track_of(&inner), t), sampled(track_of(&direct), t));
            prop_assert!(apart(track_of(&clip).channel(), &a, &b) < 4e-5);
        }
    }

    #[test]
    fn any_times_lose_only_their_rounding(
        steps in prop::collection::vec(0.05f32..0.5, 2..6), kind in kind(),
        cut in (0.0f32..2.0, 0.0f32..1.0),
    ) {
        let times: Vec<f32> = steps.iter().scan(0.0, |t, step| { *t += step; Some(*t) }).collect();
        let numbers = kind.1.value_count(times.len()) * kind.0.components();
        let values = (0..numbers).map(|i| ((i * i) as f32 * 0.37).sin() + 0.2).collect();
        let track = match kind.1 {
            Interpolation::Custom => Track::custom("made", kind.0, times.clone(), values, bent()),
            other => Track::new("made", kind.0, other, times.clone(), values),
        };
        let track = track.unwrap();
        let part = subclip(&solo(track.clone()), &CHAIN, cut.0, cut.0 + cut.1).unwrap();
        prop_assert_eq!(part.duration_s(), cut.0 + cut.1 - cut.0);
        for step in 1..32 {
            let t = part.duration_s() * step as f32 / 32.0;
            if kind.1 == Interpolation::Step && times.iter().any(|key| (key - cut.0 - t).abs() < 1e-6) {
                continue;
            }
            let (a, b) = (sampled(track_of(&part), t), sampled(&track, cut.0 + t));
            prop_assert!(apart(kind.0, &a, &b) < 1e-4, "{a:?} {b:?}");
        }
    }
}

/// A key for each frame of ten minutes, whose value tells the frame.
fn ten_minutes(rate_hz: f32, time: impl Fn(u32) -> f32) -> Clip {
    let frames = (600.0 * rate_hz) as u32;
    let times: Vec<f32> = (0..=frames).map(time).collect();
    let values = (0..=frames).flat_map(|frame| [frame as f32, 0.0, 0.0]).collect();
    solo(Track::new("frames", Channel::Translation, Interpolation::Linear, times, values).unwrap())
}

fn frames_of(clip: &Clip) -> Vec<f32> {
    let track = track_of(clip);
    (0..track.times().len()).map(|key| track.value(key)[0]).collect()
}

#[test]
fn frames_are_the_frames_asked_for() {
    for rate in [24.0f32, 30.0, 60.0] {
        // As written by division, by multiplication, and by adding up in f64.
        let writers: [Box<dyn Fn(u32) -> f32>; 3] = [
            Box::new(move |frame| frame as f32 / rate),
            Box::new(move |frame| frame as f32 * (1.0 / rate)),
            Box::new(move |frame| (f64::from(frame) * (1.0 / f64::from(rate))) as f32),
        ];
        for writer in writers {
            let clip = ten_minutes(rate, writer);
            let last = (600.0 * rate) as u32;
            for first in 0..=last {
                let end = (first + 2).min(last);
                let part = subclip_frames(&clip, &CHAIN, first..=end, rate).unwrap();
                let expected: Vec<f32> = (first..=end).map(|frame| frame as f32).collect();
                assert_eq!(frames_of(&part), expected, "from frame {first} at {rate} Hz");
                assert_eq!(part.duration_s(), (f64::from(end - first) / f64::from(rate)) as f32);
            }
        }
    }
}

#[test]
fn times_of_three_digits_are_frames() {
    let rounded = |frame: u32| (f64::from(frame) / 30.0 * 1000.0).round() as f32 / 1000.0;
    let times: Vec<f32> = (0..300).map(rounded).collect();
    let values = (0..300).flat_map(|frame| [frame as f32, 0.0, 0.0]).collect();
    let track = Track::new("frames", Channel::Translation, Interpolation::Linear, times, values).unwrap();
    let clip = solo(track);
    for first in 0..299 {
        let part = subclip_frames(&clip, &CHAIN, first..=first + 1, 30.0).unwrap();
        assert_eq!(frames_of(&part), [first as f32, (first + 1) as f32]);
        assert_eq!(part.tracks()[0].track().times()[..], [0.0, 1.0 / 30.0]);
    }
}

#[test]
fn a_key_between_frames_stays_there() {
    let values = vec![0.0, 0.0, 0.0, 15.5, 0.0, 0.0, 31.0, 0.0, 0.0];
    let times = [0.0, 15.5 / 30.0, 31.0 / 30.0];
    let track = Track::new("off", Channel::Translation, Interpolation::Linear, times, values).unwrap();
    let part = subclip_frames(&solo(track), &CHAIN, 16..=20, 30.0).unwrap();
    let frames = frames_of(&part);
    assert_eq!(frames.len(), 2);
    assert!((frames[0] - 16.0).abs() < 1e-5 && (frames[1] - 20.0).abs() < 1e-5, "{frames:?}");
}

#[test]
fn an_instant_is_one_key_even_where_a_track_starts_again() {
    let values = [1.0f32, 5.0].map(|x| [x, 0.0, 0.0]).concat();
    let track = Track::new("x", Channel::Translation, Interpolation::Linear, [1.0, 3.0], values).unwrap();
    for (mode, expected) in [
        (Extrapolation::Clamp, [1.0, 1.0, 5.0, 5.0, 5.0]),
        (Extrapolation::Linear, [-1.0, 1.0, 5.0, 9.0, 13.0]),
        (Extrapolation::Loop, [3.0, 1.0, 5.0, 1.0, 1.0]),
        (Extrapolation::PingPong, [3.0, 1.0, 5.0, 1.0, 5.0]),
    ] {
        let clip = solo(track.clone().with_extrapolation(mode, mode));
        let found = [0.0, 1.0, 3.0, 5.0, 7.0].map(|t| {
            let part = subclip(&clip, &CHAIN, t, t).unwrap();
            assert_eq!(track_of(&part).times()[..], [0.0], "{mode:?} at {t}");
            track_of(&part).value(0)[0]
        });
        assert_eq!(found, expected, "{mode:?}");
    }
}

#[test]
fn a_single_frame_is_one_key() {
    let clip = ten_minutes(1.0, |frame| frame as f32);
    let part = subclip_frames(&clip, &CHAIN, 5..=5, 1.0).unwrap();
    assert_eq!((frames_of(&part), part.duration_s()), (vec![5.0], 0.0));
}

#[test]
fn discrete_tracks_and_properties_are_cut_too() {
    let lamp = Track::from_frames("lamp", ["off", "on", "off"], 1.0).unwrap();
    let clip = Clip::new("night", &CHAIN, []).unwrap().with_properties(&CHAIN, [("lamp", lamp)]).unwrap();
    let part = subclip(&clip, &CHAIN, 0.5, 2.5).unwrap();
    let lamp = part.properties()[0].track();
    assert_eq!(lamp.times()[..], [0.0, 0.5, 1.5, 2.0]);
    assert_eq!([0.0, 0.5, 1.49, 1.5].map(|t| lamp.name_at(t).unwrap()), ["off", "on", "on", "off"]);
}

#[test]
fn weights_of_no_target_are_dropped() {
    let none = Track::new("none", Channel::Weights(0), Interpolation::Linear, [0.0, 1.0], vec![]).unwrap();
    assert_eq!(subclip(&solo(none), &CHAIN, 0.0, 1.0).unwrap().tracks(), []);
}

#[test]
fn errors_name_what_was_asked_for() {
    let clip = ten_minutes(1.0, |frame| frame as f32);
    for (start_s, end_s) in [(2.0, 1.0), (-1.0, 1.0), (f32::NAN, 1.0), (0.0, f32::NAN), (0.0, f32::INFINITY)]
    {
        let error = subclip(&clip, &CHAIN, start_s, end_s).unwrap_err();
        assert!(matches!(&error, TimeError::Range { clip, .. } if clip == "solo"), "{error}");
    }
    for rate_hz in [0.0, -30.0, f32::NAN, f32::INFINITY] {
        let error = subclip_frames(&clip, &CHAIN, 0..=1, rate_hz).unwrap_err();
        assert!(matches!(error, TimeError::Rate { .. }), "{error}");
    }
    let error = subclip_frames(&clip, &CHAIN, std::ops::RangeInclusive::new(2, 1), 30.0).unwrap_err();
    assert_eq!(error, TimeError::Frames { clip: "solo".into(), first: 2, last: 1 });
    let other = throng_tracks::Skeleton::default();
    let error = subclip(&clip, &other, 0.0, 1.0).unwrap_err();
    assert!(matches!(&error, TimeError::Clip(e) if e.to_string().contains("joint 0")), "{error}");
    let quick = Track::new("quick", Channel::Translation, Interpolation::Linear, [0.0, 1e-30], vec![1.0; 6])
        .unwrap()
        .with_extrapolation(Extrapolation::Clamp, Extrapolation::Loop);
    let clip = Clip::new("quick", &CHAIN, [(JOINT, quick)]).unwrap();
    let error = subclip(&clip, &CHAIN, 0.0, 1.0).unwrap_err();
    assert!(
        matches!(&error, TimeError::TooManyKeys { track, .. } if track == "joint 0 translation"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// A spline of rotations may face away from its own next key where it is cut: no key may be negated on its own.
    #[test]
    fn a_spline_cut_anywhere_is_the_same_spline(
        track in prop_oneof![Just(Interpolation::CubicSpline), Just(Interpolation::CatmullRom)].prop_flat_map(|kind| {
            let times = [0.0f32, 1.25, 1.5, 4.0].to_vec();
            track_at((Channel::Rotation, kind), times)
        }),
        cut in prop::array::uniform2(0u16..256), way in 0.0f32..1.0,
    ) {
        let [a, b] = [cut[0].min(cut[1]), cut[0].max(cut[1])].map(|t| f32::from(t) * TICK);
        let part = subclip(&solo(track.clone()), &CHAIN, a, b).unwrap();
        let t = ((b - a) / TICK * way).floor() * TICK;
        let (expected, found) = (sampled(&track, a + t), sampled(track_of(&part), t));
        // Near zero length a spline turns faster than any number of keys can tell.
        let near = (0..=64).map(|i| a + (b - a) * i as f32 / 64.0).map(|t| length(&track, t)).fold(2.0, f64::min);
        prop_assume!(near > 0.2);
        prop_assert!(apart(Channel::Rotation, &found, &expected) < 1e-4, "{found:?} {expected:?} at {t} of {a}..{b}");
    }
}

/// How long the quaternion of a spline is at a time, before it is normalised.
fn length(track: &Track, t: f32) -> f64 {
    let spline = track.to_cubic_spline("s").unwrap().unwrap();
    let key = spline.times().partition_point(|&k| k <= t).clamp(1, spline.times().len() - 1) - 1;
    let [start, end] = [key, key + 1].map(|k| f64::from(spline.times()[k]));
    let (u, span) = ((f64::from(t) - start) / (end - start), end - start);
    let numbers = |key: usize, part: usize, i: usize| f64::from(spline.values()[4 * (3 * key + part) + i]);
    let (u2, u3) = (u * u, u * u * u);
    let component = |i: usize| {
        (2.0 * u3 - 3.0 * u2 + 1.0) * numbers(key, 1, i)
            + (u3 - 2.0 * u2 + u) * span * numbers(key, 2, i)
            + (3.0 * u2 - 2.0 * u3) * numbers(key + 1, 1, i)
            + (u3 - u2) * span * numbers(key + 1, 0, i)
    };
    (0..4).map(|i| component(i).powi(2)).sum::<f64>().sqrt()
}
