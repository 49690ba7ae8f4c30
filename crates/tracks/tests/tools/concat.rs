//! Clips one after the other.

use proptest::prelude::*;
use throng_tracks::tools::{TimeError, concat, subclip};
use throng_tracks::{BoundTrack, Channel, Clip, Interpolation, Track};

use crate::make::{CHAIN, TICK, endless_clip, pose, same_pose, solo};

/// Times that f32 adds up without rounding, and at which nothing jumps.
fn between_ticks(length: f32) -> impl Iterator<Item = f32> {
    (0u16..).map(|tick| (f32::from(tick) + 0.5) * TICK).take_while(move |&t| t < length)
}

proptest! {
    #[test]
    fn each_clip_is_shown_in_turn(clips in prop::collection::vec(endless_clip(), 1..4), gap in 0u16..30) {
        let gap = f32::from(gap) * TICK;
        let joined = concat("joined", &clips, &CHAIN, gap).unwrap();
        let mut start = 0.0;
        for (index, clip) in clips.iter().enumerate() {
            let length = clip.duration_s();
            for t in between_ticks(length) {
                let (found, expected) = (pose(&joined, start + t), pose(clip, t));
                prop_assert!(same_pose(&found, &expected), "clip {index} at {t}: {found:?} {expected:?}");
            }
            // A gap shows how the clip ended.
            let clamps = |bound: &BoundTrack| bound.track().extrapolation() == Default::default();
            if index + 1 < clips.len() && gap > 0.0 && clip.tracks().iter().all(clamps) {
                let found = pose(&joined, start + length + 0.5 * gap);
                prop_assert!(same_pose(&found, &pose(clip, length)), "behind clip {index}");
            }
            start += length + gap;
        }
        let moves = clips.iter().any(|clip| !clip.tracks().is_empty());
        prop_assert_eq!(joined.duration_s(), if moves { start - gap } else { 0.0 });
    }

    #[test]
    fn a_part_of_the_whole_gives_each_back(clips in prop::collection::vec(endless_clip(), 1..4)) {
        let joined = concat("joined", &clips, &CHAIN, 0.0).unwrap();
        let mut start = 0.0;
        for clip in &clips {
            let length = clip.duration_s();
            let part = subclip(&joined, &CHAIN, start, start + length).unwrap();
            for t in between_ticks(length) {
                prop_assert!(same_pose(&pose(&part, t), &pose(clip, t)), "at {t}");
            }
            start += length;
        }
    }
}

fn scalar(name: &str, values: [f32; 2]) -> Clip {
    let track =
        Track::new("glow", Channel::Scalar, Interpolation::Linear, [0.0, 1.0], values.to_vec()).unwrap();
    Clip::new("clip", &CHAIN, []).unwrap().with_properties(&CHAIN, [(name, track)]).unwrap()
}

#[test]
fn properties_stay_where_a_clip_has_none() {
    let clips = [scalar("a", [1.0, 2.0]), scalar("b", [5.0, 6.0])];
    let joined = concat("joined", &clips, &CHAIN, 0.0).unwrap();
    let at = |name: &str, t: f32| {
        let place = joined.find_property(&name.into()).unwrap();
        let mut value = [0.0];
        joined.properties()[place].track().sample(t, &mut value);
        value[0]
    };
    assert_eq!([0.0, 0.5, 1.0, 1.5, 2.0].map(|t| at("a", t)), [1.0, 1.5, 2.0, 2.0, 2.0]);
    assert_eq!([0.0, 0.5, 1.0, 1.5, 2.0].map(|t| at("b", t)), [5.0, 5.0, 5.0, 5.5, 6.0]);
}

#[test]
fn tables_are_merged() {
    let lamp = |items: [&str; 2]| {
        let track = Track::from_frames("lamp", items, 1.0).unwrap();
        Clip::new("lamp", &CHAIN, []).unwrap().with_properties(&CHAIN, [("lamp", track)]).unwrap()
    };
    let joined = concat("joined", &[lamp(["red", "off"]), lamp(["off", "blue"])], &CHAIN, 0.5).unwrap();
    let lamp = joined.properties()[0].track();
    assert_eq!(lamp.names(), ["red", "off", "blue"]);
    let at = [0.5, 1.5, 2.2, 2.6, 3.7, 9.0].map(|t| lamp.name_at(t).unwrap());
    assert_eq!(at, ["red", "off", "off", "off", "blue", "blue"]);
}

#[test]
fn errors_name_what_was_asked_for() {
    for gap_s in [-1.0, f32::NAN, f32::INFINITY] {
        let error = concat("none", &[], &CHAIN, gap_s).unwrap_err();
        assert!(matches!(error, TimeError::Gap { .. }), "{error}");
    }
    let weights = |count: u32| {
        let values = vec![0.0; count as usize];
        solo(Track::new("face", Channel::Weights(count), Interpolation::Linear, [0.0], values).unwrap())
    };
    let error = concat("faces", &[weights(1), weights(2)], &CHAIN, 0.0).unwrap_err();
    let found = (Channel::Weights(1), Channel::Weights(2));
    assert_eq!(error, TimeError::Channels { track: "joint 0 weights".into(), found });
    assert_eq!(concat("none", &[], &CHAIN, 0.0).unwrap().duration_s(), 0.0);
}
