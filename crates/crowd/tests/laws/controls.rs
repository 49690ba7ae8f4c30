//! What can be read and changed about one instance.

use throng_crowd::{After, Control, Crowd, CrowdError, EventKind, Playback};
use throng_tracks::WrapMode;

use crate::make::{MODES, crowd};

#[test]
fn a_playback_reads_back() {
    let mut crowd = crowd(&[1.0, 3.0]);
    for (wrap, time_s) in MODES.into_iter().zip([0.5, 2.5, -5.5]) {
        let playback = Playback { clip: 1, time_s, speed: -0.25, wrap, ..Playback::default() };
        let id = crowd.spawn(playback).unwrap();
        assert_eq!(crowd.playback(id), Ok(playback));
    }
}

#[test]
fn another_clip_goes_on_at_the_time_shown() {
    let mut crowd = crowd(&[1.0, 3.0]);
    let id = crowd.spawn(Playback { clip: 1, time_s: 8.5, ..Playback::default() }).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(2.5), Ok(2)));
    // The same one changes nothing.
    crowd.set_clip(id, 1).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(2.5), Ok(2)));
    crowd.set_clip(id, 0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.5), Ok(2)));
    assert_eq!(crowd.playback(id).unwrap(), Playback { clip: 0, time_s: 2.5, ..Playback::default() });
    crowd.advance(0.75).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.25), Ok(3)));
}

#[test]
fn another_mode_goes_on_at_the_time_shown() {
    let mut crowd = crowd(&[1.0]);
    let back = Playback { time_s: 5.75, wrap: WrapMode::PingPong, ..Playback::default() };
    let id = crowd.spawn(back).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.25), Ok(5)));
    // The same one changes nothing: it is still on the way back.
    crowd.set_wrap(id, WrapMode::PingPong).unwrap();
    assert_eq!((crowd.playback(id), crowd.passes(id)), (Ok(back), Ok(5)));
    crowd.set_wrap(id, WrapMode::Loop).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.25), Ok(5)));
    crowd.advance(1.0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.25), Ok(6)));
    crowd.set_wrap(id, WrapMode::Clamp).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.25), Ok(0)));
    crowd.advance(1.0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(1.0), Ok(1)));
}

#[test]
fn a_seek_stays_in_the_pass() {
    let mut crowd = crowd(&[1.0]);
    let id = crowd.spawn(Playback { time_s: 5.75, wrap: WrapMode::PingPong, ..Playback::default() }).unwrap();
    crowd.seek(id, 0.75).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.playback(id).unwrap().time_s), (Ok(0.75), 5.25));
    crowd.seek(id, 7.0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.playback(id).unwrap().time_s), (Ok(1.0), 5.0));
}

#[test]
fn a_time_that_is_set_brings_its_passes() {
    let mut crowd = crowd(&[2.0]);
    let ids = MODES.map(|wrap| crowd.spawn(Playback { wrap, ..Playback::default() }).unwrap());
    for (time_s, shown, passes) in [
        (5.0, [2.0, 1.0, 1.0], [1, 2, 2]),
        (-0.5, [0.0, 1.5, 0.5], [0, -1, -1]),
        (2.0, [2.0, 0.0, 2.0], [1; 3]),
    ] {
        for id in ids {
            crowd.seek_played(id, time_s).unwrap();
        }
        assert_eq!(ids.map(|id| crowd.shown_s(id).unwrap()), shown, "at {time_s} s");
        assert_eq!(ids.map(|id| crowd.passes(id).unwrap()), passes, "at {time_s} s");
    }
}

#[test]
fn speeds_are_seconds_of_the_clip_a_second() {
    let mut crowd = crowd(&[10.0]);
    let ids = [0.0, 0.5, -2.0]
        .map(|speed| crowd.spawn(Playback { time_s: 5.0, speed, ..Playback::default() }).unwrap());
    crowd.advance(2.0).unwrap();
    assert_eq!(ids.map(|id| crowd.shown_s(id).unwrap()), [5.0, 6.0, 1.0]);
    crowd.set_speed(ids[0], 3.0).unwrap();
    crowd.advance(1.0).unwrap();
    assert_eq!(ids.map(|id| crowd.shown_s(id).unwrap()), [8.0, 6.5, 9.0]);
}

#[test]
fn a_clip_without_length_stays_at_its_start() {
    let mut crowd = crowd(&[0.0]);
    let ids = MODES.map(|wrap| crowd.spawn(Playback { time_s: 7.0, wrap, ..Playback::default() }).unwrap());
    crowd.advance(1.0).unwrap();
    crowd.evaluate();
    for id in ids {
        assert_eq!((crowd.shown_s(id), crowd.passes(id)), (Ok(0.0), Ok(0)));
        assert_eq!(crowd.palette(id).unwrap()[3], 0.0);
    }
}

#[test]
fn of_what_is_ended_while_it_waits_nothing_is_told_but_that() {
    let ends = [Control::Stop, Control::FadeOut(0.5), Control::FadeOut(0.0)];
    for (end, replaces) in ends.into_iter().flat_map(|end| [(end, false), (end, true)]) {
        let mut crowd = crowd(&[1.0]);
        let id = crowd.spawn(Playback::default()).unwrap();
        let waits = if replaces {
            crowd.crossfade_after(id, Playback::default(), 0.5, id, After::Ran(9.0))
        } else {
            crowd.play_after(id, Playback::default(), 0.5, id, After::Ran(9.0))
        };
        let waits = waits.unwrap();
        let next = crowd.play_after(id, Playback::default(), 0.0, waits, After::Ended).unwrap();
        let told = |crowd: &Crowd, id| -> Vec<EventKind> {
            crowd.events().iter().filter(|event| event.playback == id).map(|event| event.kind).collect()
        };
        crowd.advance(0.25).unwrap();
        assert_eq!((told(&crowd, waits), crowd.is_waiting(waits)), (vec![], Ok(true)));
        crowd.control(waits, end).unwrap();
        assert_eq!(crowd.is_waiting(waits), Err(CrowdError::Over { playback: waits }));
        crowd.advance(0.25).unwrap();
        assert_eq!(told(&crowd, waits), [EventKind::Stopped]);
        // What waited for it waits no longer.
        assert_eq!((told(&crowd, next), crowd.shown_s(next)), (vec![EventKind::Started], Ok(0.25)));
        crowd.advance(20.0).unwrap();
        assert_eq!(told(&crowd, waits), []);
    }
}
