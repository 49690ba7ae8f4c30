//! A control that begins a playback anew emits what a new playback does, of whichever crowd and by whichever call.

use throng_crowd::{Control, Crowd, EventKind, InstanceId, Playback, Repeat, World};
use throng_tracks::WrapMode;

use super::{TICKS, marked_crowd, marker};
use crate::make::MODES;

/// Of clip 0, the markers at its ends.
const LOW: EventKind = marker(0, 0, 1);
const HIGH: EventKind = marker(0, 5, 5);

type Act = fn(&mut Crowd, InstanceId, f32);

/// All controls that move a clock to a time, which is a start.
const TO_START: [(&str, Act); 6] = [
    ("rewind", |crowd, id, _| crowd.rewind(id).unwrap()),
    ("seek", |crowd, id, time_s| crowd.seek(id, time_s).unwrap()),
    ("seek_played", |crowd, id, _| crowd.seek_played(id, 0.0).unwrap()),
    ("update", |crowd, id, _| crowd.update(&[id], |_, p| Playback { time_s: 0.0, ..p }).unwrap()),
    ("control_many", |crowd, id, _| crowd.control_many(&[id], Control::Rewind).unwrap()),
    ("control_all", |crowd, _, time_s| crowd.control_all(|_, _| Some(Control::Seek(time_s))).unwrap()),
];

fn kinds(crowd: &Crowd) -> Vec<EventKind> {
    crowd.events().iter().map(|event| event.kind).collect()
}

/// What a new playback emits in a step.
fn of_new(playback: Playback, dt: f64) -> Vec<EventKind> {
    let mut crowd = marked_crowd();
    crowd.spawn(playback).unwrap();
    crowd.advance(dt).unwrap();
    kinds(&crowd)
}

#[test]
fn every_control_that_goes_to_the_start_begins_anew() {
    let ranges = [None, Some([0.0, 0.75]), Some([100.0 / TICKS as f32, 1.0])];
    for (name, act) in TO_START {
        for (wrap, reversed) in MODES.into_iter().flat_map(|wrap| [(wrap, false), (wrap, true)]) {
            for range_s in ranges {
                let playback = Playback { wrap, reversed, range_s, ..Playback::default() };
                let mut crowd = marked_crowd();
                let id = crowd.spawn(playback).unwrap();
                let start_s = crowd.shown_s(id).unwrap();
                // Into the first pass, to the end of what clamps, and into the third pass of the others.
                for dt in [0.3, 2.0] {
                    crowd.advance(dt).unwrap();
                    act(&mut crowd, id, start_s);
                    crowd.advance(0.125).unwrap();
                    let expected = of_new(playback, 0.125);
                    assert_eq!(expected[0], EventKind::Started);
                    let found: Vec<EventKind> = kinds(&crowd);
                    let same = found == expected;
                    // In the pass that it is in, a ping-pong may run on to another.
                    let is_loop_count = |kind: &EventKind| matches!(kind, EventKind::Looped { .. });
                    let passes_differ = wrap == WrapMode::PingPong && found.iter().any(is_loop_count);
                    assert!(same || passes_differ, "{name} of {playback:?}: {found:?}, not {expected:?}");
                    // Once only.
                    crowd.advance(0.0).unwrap();
                    assert_eq!(kinds(&crowd), [], "{name}");
                }
            }
        }
    }
}

#[test]
fn backwards_the_start_is_the_end_of_the_clip() {
    let back = Playback { time_s: 1.0, speed: -1.0, wrap: WrapMode::Clamp, ..Playback::default() };
    let mut crowd = marked_crowd();
    let id = crowd.spawn(back).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(kinds(&crowd), [EventKind::Started, HIGH]);
    for act in [Crowd::seek, |crowd: &mut Crowd, id, time_s: f32| crowd.seek_played(id, time_s.into())] {
        act(&mut crowd, id, 1.0).unwrap();
        crowd.advance(0.25).unwrap();
        assert_eq!(kinds(&crowd), [EventKind::Started, HIGH]);
    }
    crowd.update_all(|_, playback| Playback { time_s: 1.0, ..playback }).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(kinds(&crowd), [EventKind::Started, HIGH]);
    // Where it ends is where `rewind` goes, so that it begins and finishes there.
    crowd.rewind(id).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(kinds(&crowd), [EventKind::Started, LOW, EventKind::Finished]);
}

#[test]
fn another_clip_begins_anew_wherever_it_is() {
    let set: Act = |crowd, id, _| crowd.set_clip(id, 1).unwrap();
    let update: Act = |crowd, id, _| {
        crowd.update(&[id], |_, playback| Playback { clip: 1, time_s: 0.75, ..playback }).unwrap();
    };
    for act in [set, update] {
        let mut crowd = marked_crowd();
        let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() }).unwrap();
        crowd.advance(0.25).unwrap();
        act(&mut crowd, id, 0.0);
        crowd.advance(0.25).unwrap();
        assert_eq!(kinds(&crowd), [EventKind::Started, marker(1, 1, 11)]);
        // The same clip is no change.
        crowd.set_clip(id, 1).unwrap();
        crowd.advance(0.125).unwrap();
        assert_eq!(kinds(&crowd), []);
    }
}

#[test]
fn elsewhere_no_control_emits_anything() {
    let acts: [Act; 7] = [
        |crowd, id, _| crowd.seek(id, 0.25).unwrap(),
        |crowd, id, _| crowd.seek(id, 1.0).unwrap(),
        |crowd, id, _| crowd.seek_played(id, 2.25).unwrap(),
        |crowd, id, _| crowd.seek_marker(id, "3").unwrap(),
        |crowd, id, _| crowd.update(&[id], |_, p| Playback { time_s: 0.75, ..p }).unwrap(),
        |crowd, id, _| crowd.update(&[id], |_, p| Playback { speed: 0.5, ..p }).unwrap(),
        |crowd, id, _| crowd.set_wrap(id, WrapMode::PingPong).unwrap(),
    ];
    for act in acts {
        let mut crowd = marked_crowd();
        let id = crowd.spawn(Playback { time_s: 0.3, repeat: Repeat::Passes(9.0), ..Playback::default() });
        let id = id.unwrap();
        crowd.advance(0.01).unwrap();
        act(&mut crowd, id, 0.0);
        crowd.advance(0.0).unwrap();
        assert_eq!(kinds(&crowd), []);
    }
}

#[test]
fn what_ends_before_the_next_step_is_seen_to_have_begun() {
    let mut crowd = marked_crowd();
    let id = crowd.spawn(Playback::default()).unwrap();
    crowd.advance(0.3).unwrap();
    crowd.rewind(id).unwrap();
    crowd.pause(id).unwrap();
    crowd.stop(id).unwrap();
    crowd.advance(0.1).unwrap();
    assert_eq!(kinds(&crowd), [EventKind::Started, EventKind::Paused, EventKind::Stopped]);
}

#[test]
fn a_world_keeps_the_same_rule() {
    let mut world = World::new();
    let crowds = [world.add(marked_crowd()), world.add(marked_crowd())];
    let ids = crowds.map(|crowd| world.spawn(crowd, Playback::default()).unwrap());
    let step = |world: &mut World| -> Vec<EventKind> {
        world.advance(0.125).unwrap();
        world.events().map(|(_, event)| event.kind).collect()
    };
    let twice = [EventKind::Started, LOW, EventKind::Started, LOW];
    assert_eq!(step(&mut world), twice);
    world.update_all(|_, playback| Playback { time_s: 0.0, ..playback }).unwrap();
    assert_eq!(step(&mut world), twice);
    world.update(&ids, |_, playback| Playback { time_s: 0.0, ..playback }).unwrap();
    assert_eq!(step(&mut world), twice);
    world.control_many(&ids, Control::Seek(0.0)).unwrap();
    assert_eq!(step(&mut world), twice);
    world.control_many(&ids, Control::Seek(0.6)).unwrap();
    assert_eq!(step(&mut world), []);
    world.control_all(|_, _| Some(Control::Rewind)).unwrap();
    assert_eq!(step(&mut world), twice);
    world.act(ids[1], |crowd, id| crowd.rewind(id)).unwrap();
    assert_eq!(step(&mut world), [marker(0, 1, 3), EventKind::Started, LOW]);
}
