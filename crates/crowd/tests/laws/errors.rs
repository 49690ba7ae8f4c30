//! Every refusal, in its words; and that it changes nothing.

use std::sync::Arc;

use throng_crowd::{Crowd, CrowdError, Detail, InstanceId, Playback, Repeat};
use throng_kernels::Level;
use throng_tracks::{Skin, WrapMode};

use crate::make::{bank, crowd};

type Use = fn(&mut Crowd, InstanceId) -> Result<(), CrowdError>;

/// All that takes an id.
const USES: [(&str, Use); 28] = [
    ("despawn", |c, id| c.despawn(id)),
    ("playback", |c, id| c.playback(id).map(drop)),
    ("shown_s", |c, id| c.shown_s(id).map(drop)),
    ("passes", |c, id| c.passes(id).map(drop)),
    ("palette", |c, id| c.palette(id).map(drop)),
    ("set_clip", |c, id| c.set_clip(id, 0)),
    ("is_finished", |c, id| c.is_finished(id).map(drop)),
    ("seek", |c, id| c.seek(id, 1.0)),
    ("seek_played", |c, id| c.seek_played(id, 1.0)),
    ("set_speed", |c, id| c.set_speed(id, 2.0)),
    ("set_wrap", |c, id| c.set_wrap(id, WrapMode::Clamp)),
    ("playbacks", |c, id| c.playbacks(id).map(drop)),
    ("main_playback", |c, id| c.main_playback(id).map(drop)),
    ("play", |c, id| c.play(id, Playback::default()).map(drop)),
    ("fade_in", |c, id| c.fade_in(id, Playback::default(), 1.0).map(drop)),
    ("crossfade", |c, id| c.crossfade(id, Playback::default(), 1.0).map(drop)),
    ("stop", |c, id| c.stop(id)),
    ("fade_out", |c, id| c.fade_out(id, 1.0)),
    ("set_weight", |c, id| c.set_weight(id, 1.0)),
    ("fade", |c, id| c.fade(id, 1.0, 1.0)),
    ("set_mask", |c, id| c.set_mask(id, None)),
    ("update", |c, id| {
        let all: Vec<_> = c.ids().chain([id]).collect();
        c.update(&all, |_, _| Playback { clip: 0, speed: 9.0, ..Playback::default() })
    }),
    ("is_visible", |c, id| c.is_visible(id).map(drop)),
    ("set_visible", |c, id| c.set_visible(id, false)),
    ("detail", |c, id| c.detail(id).map(drop)),
    ("set_detail", |c, id| c.set_detail(id, Detail { interval: 5, ..Detail::default() })),
    ("set_detail_many", |c, id| {
        let all: Vec<_> = c.ids().chain([id]).collect();
        c.set_detail_many(&all, Detail { interval: 5, ..Detail::default() })
    }),
    ("set_visible_many", |c, id| {
        let all: Vec<_> = c.ids().chain([id]).collect();
        c.set_visible_many(&all, false)
    }),
];

#[test]
fn ids_of_the_gone_are_named() {
    let mut crowd = crowd(&[2.0]);
    let gone = crowd.spawn(Playback::default()).unwrap();
    crowd.despawn(gone).unwrap();
    for (name, act) in USES {
        assert_eq!(act(&mut crowd, gone).unwrap_err().to_string(), "instance 0v1 was despawned", "{name}");
    }
    // The next in its slot is another one, and stays untouched.
    let next = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() }).unwrap();
    crowd.evaluate();
    for (name, act) in USES {
        assert_eq!(act(&mut crowd, gone).unwrap_err().to_string(), "instance 0v1 was despawned", "{name}");
    }
    assert_eq!(crowd.playback(next), Ok(Playback { time_s: 0.5, ..Playback::default() }));
    assert_eq!((crowd.is_visible(next), crowd.report().evaluated), (Ok(true), 1));
    assert_eq!(crowd.detail(next), Ok(Detail::default()));
}

#[test]
fn ids_of_other_crowds_are_named() {
    let mut other = crowd(&[2.0]);
    let mut crowd = crowd(&[2.0]);
    other.spawn(Playback::default()).unwrap();
    let second = other.spawn(Playback::default()).unwrap();
    let here = crowd.spawn(Playback::default()).unwrap();
    for (name, act) in USES {
        let said = act(&mut crowd, second).unwrap_err().to_string();
        assert_eq!(said, "instance 1v1 was never spawned in this crowd, which has 1 slots", "{name}");
    }
    other.despawn(second).unwrap();
    other.spawn(Playback::default()).unwrap();
    let later = other.ids().nth(1).unwrap();
    crowd.spawn(Playback::default()).unwrap();
    let said = crowd.passes(later).unwrap_err().to_string();
    assert_eq!(said, "instance 1v2 was never spawned in this crowd, which has 2 slots");
    assert!(crowd.contains(here) && !crowd.contains(later));
}

#[test]
fn a_palette_is_not_told_before_there_is_one() {
    let mut crowd = crowd(&[2.0]);
    let first = crowd.spawn(Playback::default()).unwrap();
    crowd.evaluate();
    crowd.despawn(first).unwrap();
    let second = crowd.spawn(Playback::default()).unwrap();
    let mut out = vec![0.0; crowd.output_floats()];
    crowd.evaluate_into(&mut out).unwrap();
    let said = crowd.palette(second).unwrap_err().to_string();
    assert_eq!(
        said,
        "instance 0v2 has no palette yet: no evaluation posed it since it was spawned or the format was changed"
    );
    crowd.evaluate();
    assert_eq!(crowd.palette(second).unwrap(), out);
}

#[test]
fn clips_that_are_not_there_are_counted() {
    let mut crowd = crowd(&[1.0, 2.0, 3.0]);
    let id = crowd.spawn(Playback { clip: 2, ..Playback::default() }).unwrap();
    let said = "there is no clip 3: the bank has 3, counted from 0";
    assert_eq!(crowd.set_clip(id, 3).unwrap_err().to_string(), said);
    assert_eq!(crowd.spawn(Playback { clip: 3, ..Playback::default() }).unwrap_err().to_string(), said);
    assert_eq!((crowd.playback(id).unwrap().clip, crowd.len(), crowd.slot_count()), (2, 1, 1));
    let said = Crowd::with_plan(crate::make::plan(bank(&[])), Level::detect()).spawn(Playback::default());
    assert_eq!(said.unwrap_err().to_string(), "there is no clip 0: the bank has 0, counted from 0");
}

#[test]
fn numbers_that_are_not_finite_change_nothing() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut crowd = crowd(&[2.0]);
        let playback = Playback { time_s: 0.5, ..Playback::default() };
        let id = crowd.spawn(playback).unwrap();
        let says = |result: Result<(), CrowdError>, what: &str| {
            assert_eq!(result.unwrap_err().to_string(), format!("{what} must be finite, but is {bad}"));
        };
        says(crowd.advance(bad), "dt");
        says(crowd.seek(id, bad as f32), "time_s");
        says(crowd.seek_played(id, bad), "played_s");
        says(crowd.set_speed(id, bad as f32), "speed");
        says(crowd.spawn(Playback { time_s: bad, ..playback }).map(drop), "time_s");
        says(crowd.spawn(Playback { speed: bad as f32, ..playback }).map(drop), "speed");
        assert_eq!((crowd.playback(id), crowd.slot_count()), (Ok(playback), 1));
    }
}

#[test]
fn time_does_not_run_back() {
    let mut crowd = crowd(&[2.0]);
    let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() }).unwrap();
    assert_eq!(crowd.advance(-0.25).unwrap_err().to_string(), "dt must not be negative, but is -0.25");
    assert_eq!(crowd.shown_s(id), Ok(0.5));
}

#[test]
fn what_a_clip_cannot_play_is_named() {
    let mut crowd = crowd(&[2.0]);
    let fine = Playback::default();
    let id = crowd.spawn(fine).unwrap();
    for (playback, words) in [
        (Playback { delay_s: -1.0, ..fine }, "delay_s must not be negative, but is -1"),
        (Playback { delay_s: f64::INFINITY, ..fine }, "delay_s must be finite, but is inf"),
        (Playback { repeat: Repeat::Passes(-1.0), ..fine }, "repeat is -1, but must be 0 or above"),
        (Playback { repeat: Repeat::Passes(f32::NAN), ..fine }, "repeat is NaN, but must be finite"),
        (
            Playback { range_s: Some([1.0, 2.5]), ..fine },
            "the range [1, 2.5] s is not inside of the clip's [0, 2] s",
        ),
        (
            Playback { range_s: Some([1.0, 0.5]), ..fine },
            "the range begins at 1 s and ends before that, at 0.5 s",
        ),
    ] {
        assert_eq!(crowd.spawn(playback).unwrap_err().to_string(), words);
        assert_eq!(crowd.play(id, playback).unwrap_err().to_string(), words);
        assert_eq!(crowd.crossfade(id, playback, 0.0).unwrap_err().to_string(), words);
        assert_eq!(crowd.update_all(|_, _| playback).unwrap_err().to_string(), words);
    }
    assert_eq!((crowd.playback(id), crowd.playbacks(id).unwrap().count(), crowd.len()), (Ok(fine), 1, 1));
}

#[test]
fn a_buffer_too_short_is_measured() {
    let mut crowd = crowd(&[2.0]);
    for _ in 0..3 {
        crowd.spawn(Playback::default()).unwrap();
    }
    let mut out = vec![7.0; crowd.output_floats() - 1];
    let said = crowd.evaluate_into(&mut out).unwrap_err().to_string();
    assert_eq!(said, "the buffer has 71 floats, but 3 slots need 72");
    assert!(out.iter().all(|f| *f == 7.0));
}

#[test]
fn what_the_crowd_is_made_of_must_fit() {
    let bank = bank(&[1.0]);
    let empty = Skin::new("cloak", bank.skeleton(), vec![], None).unwrap();
    let said = Crowd::new(Arc::clone(&bank), &empty).unwrap_err().to_string();
    assert_eq!(said, "skin \"cloak\" has no joints, so there is no palette to write");
    assert_eq!(CrowdError::Full { slots: 9 }.to_string(), "the crowd is full: it has 9 slots");
}
