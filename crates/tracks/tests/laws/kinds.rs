//! Kinds of value and interpolation: which go together, and what a discrete track shows.

use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{Channel, Custom, Extrapolation, Interpolation, Track, TrackError};

use crate::make::{any_time, key_times, keys};

const CHANNELS: [Channel; 11] = [
    Channel::Translation,
    Channel::Rotation,
    Channel::Scale,
    Channel::Weights(5),
    Channel::Scalar,
    Channel::Vec2,
    Channel::Vec3,
    Channel::Vec4,
    Channel::Colour,
    Channel::Quaternion,
    Channel::Discrete,
];

const INTERPOLATIONS: [Interpolation; 7] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::Nlerp,
    Interpolation::QuasiSpherical,
    Interpolation::CubicSpline,
    Interpolation::CatmullRom,
    Interpolation::Custom,
];

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("name {i}")).collect()
}

#[test]
fn each_channel_has_its_interpolations_and_no_other() {
    for channel in CHANNELS {
        for interpolation in INTERPOLATIONS {
            let values = vec![0.5; interpolation.value_count(2) * channel.components()];
            let made = Track::new("arm", channel, interpolation, [0.0, 1.0], values);
            let turns = matches!(channel, Channel::Rotation | Channel::Quaternion);
            let suits = match interpolation {
                Interpolation::Step => true,
                Interpolation::Nlerp | Interpolation::QuasiSpherical => turns,
                _ => channel != Channel::Discrete,
            };
            match made {
                Err(TrackError::Unsuited { track, channel: c, interpolation: i }) => {
                    assert_eq!((track.as_str(), c, i, suits), ("arm", channel, interpolation, false));
                }
                // A function is missing, or the table.
                Err(TrackError::NoFunction { .. }) => {
                    assert!(suits && interpolation == Interpolation::Custom);
                }
                Err(TrackError::NoSuchName { .. }) => assert!(suits && channel == Channel::Discrete),
                Err(error) => panic!("{error}"),
                Ok(track) => {
                    assert!(suits, "{channel:?} {interpolation:?}");
                    assert_eq!((track.channel(), track.interpolation()), (channel, interpolation));
                }
            }
        }
    }
}

#[test]
fn what_is_said_of_a_kind_that_is_none() {
    let error = |channel, interpolation| {
        Track::new("arm", channel, interpolation, [0.0], vec![0.0]).unwrap_err().to_string()
    };
    let said = "track \"arm\" is discrete and can't be interpolated as LINEAR";
    assert_eq!(error(Channel::Discrete, Interpolation::Linear), said);
    let said = "track \"arm\" is scalar and can't be interpolated as NLERP";
    assert_eq!(error(Channel::Scalar, Interpolation::Nlerp), said);
    let said = "track \"arm\" is to be interpolated by a function, but came without one";
    assert_eq!(error(Channel::Scalar, Interpolation::Custom), said);
    let custom = Track::custom("arm", Channel::Discrete, [0.0], vec![0.0], Custom::new(|_, _, _| {}));
    assert!(matches!(custom, Err(TrackError::Unsuited { .. })));
}

#[test]
fn an_index_out_of_the_table() {
    for (index, text) in [(2, "2"), (3, "3"), (u32::MAX, "4294967300")] {
        let error = Track::discrete("mouth", [0.0, 1.0], &[1, index], names(2)).unwrap_err();
        assert!(matches!(error, TrackError::NoSuchName { key: 1, count: 2, .. }));
        let said = format!("track \"mouth\": the value of key 1 is {text}, but the table has 2 names");
        assert!(error.to_string().starts_with(&said), "{error}");
    }
    let mouth = Track::discrete("mouth", [0.0], &[1], names(2)).unwrap();
    for bad in [-1.0, 0.5, 2.0] {
        let error = mouth.with_keys("mouth", [0.0], vec![bad]).unwrap_err();
        assert!(matches!(error, TrackError::NoSuchName { key: 0, value, .. } if value == bad), "{error}");
    }
    assert!(matches!(Track::discrete("m", [0.0], &[0], names(0)), Err(TrackError::NoSuchName { .. })));
}

#[test]
fn frames_without_a_rate_or_without_items() {
    for rate_hz in [0.0, -24.0, f32::NAN, f32::INFINITY] {
        let error = Track::from_frames("run", ["a"], rate_hz).unwrap_err();
        assert!(matches!(error, TrackError::Rate { .. }));
        assert!(error.to_string().contains(&format!("asked for {rate_hz} frames a second")), "{error}");
    }
    assert!(matches!(Track::from_frames("run", [""; 0], 24.0), Err(TrackError::NoKey { .. })));
}

#[test]
fn every_frame_of_ten_minutes_shows_its_item() {
    for rate_hz in [24u16, 30, 60] {
        // A pattern in which neighbours are the same and different, with many names.
        let item = |frame: u32| format!("picture {}", (frame / 3 * 7919 + frame / 5) % 97);
        let frames = u32::from(rate_hz) * 600;
        let rate = f32::from(rate_hz);
        let track = Track::from_frames("film", (0..frames).map(item), rate).unwrap();
        assert_eq!(track.times().last(), Some(&600.0));
        for frame in 0..frames {
            let item = item(frame);
            // The frame's time as a caller counts it, in f32 and in f64, and just ahead of the next frame.
            let exact = f64::from(frame) / f64::from(rate_hz);
            let until = ((f64::from(frame) + 1.0) / f64::from(rate_hz)) as f32;
            for t in [frame as f32 / rate, exact as f32, until.next_down()] {
                assert_eq!(track.name_at(t), Some(item.as_str()), "frame {frame} at {rate} Hz, {t} s");
            }
        }
    }
}

proptest! {
    #[test]
    fn frames_make_a_table_of_first_appearances(items in vec(0u8..6, 1..40), rate_hz in 1.0f32..120.0) {
        let items: Vec<String> = items.iter().map(|i| format!("{i}")).collect();
        let track = Track::from_frames("f", &items, rate_hz).unwrap();
        let mut firsts: Vec<&String> = Vec::new();
        items.iter().for_each(|item| if !firsts.contains(&item) { firsts.push(item) });
        prop_assert_eq!(track.names().iter().collect::<Vec<_>>(), firsts);
        let changes = items.windows(2).filter(|w| w[0] != w[1]).count();
        prop_assert_eq!(track.times().len(), changes + 2);
        for (frame, item) in items.iter().enumerate() {
            prop_assert_eq!(track.name_at(frame as f32 / rate_hz), Some(item.as_str()));
        }
    }

    #[test]
    fn a_discrete_track_shows_the_name_of_the_last_key(
        times in key_times(), picks in vec(0u32..4, 8), t in any_time(),
    ) {
        let indices = &picks[..times.len()];
        let track = Track::discrete("d", times.clone(), indices, names(4)).unwrap();
        let t0 = if t.is_nan() { 0.0 } else { t };
        let held = times.iter().rposition(|&key| key <= t0).unwrap_or(0);
        prop_assert_eq!(track.name_at(t).map(str::to_owned), Some(format!("name {}", indices[held])));
    }

    #[test]
    fn other_keys_for_the_same_kind(keys in keys()) {
        let (before, after) = (Extrapolation::Loop, Extrapolation::Linear);
        let track = keys.track().with_extrapolation(before, after);
        let again = track.with_keys("again", keys.times.clone(), keys.values.clone()).unwrap();
        prop_assert_eq!(&again, &track);
        prop_assert_eq!(again.extrapolation(), (before, after));
        prop_assert!(track.with_keys("again", keys.times.clone(), vec![]).is_err());
        prop_assert_eq!(track.name_at(0.0), None);
    }
}
