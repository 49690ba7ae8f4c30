//! What begins, fades and ends inside of a step: as if the step had been cut there.

use throng_crowd::{After, AtEnd, Crossfade, Crowd, EventKind, InstanceId, Playback, PlaybackId};
use throng_tracks::{Placement, WrapMode};

use crate::root_motion::{RUN, SQUARE, STILL, walkers};

/// A run of 0.6 s at 4 m/s, once.
fn once(at_end: AtEnd) -> Playback {
    Playback { clip: RUN, wrap: WrapMode::Clamp, at_end, ..Playback::default() }
}

fn run(speed: f32) -> Playback {
    Playback { clip: RUN, speed, ..Playback::default() }
}

/// How far the walker of a script comes in three seconds, in steps of `dt`.
fn way(script: fn(&mut Crowd) -> InstanceId, dt: f64) -> f64 {
    let mut crowd = walkers();
    let id = script(&mut crowd);
    let mut places = [Placement::IDENTITY];
    let mut gone = 0.0;
    while gone < 3.0 {
        let step = dt.min(3.0 - gone);
        crowd.advance(step).unwrap();
        crowd.move_places(&mut places).unwrap();
        gone += step;
    }
    assert!(crowd.contains(id));
    places[0].translation.z.into()
}

#[test]
fn the_way_is_the_same_in_few_steps_and_in_many() {
    type Script = fn(&mut Crowd) -> InstanceId;
    let scripts: [(&str, Script, f64); 13] = [
        (
            "crossfade",
            |crowd| {
                let id = crowd.spawn(Playback { clip: STILL, ..Playback::default() }).unwrap();
                crowd.crossfade(id, run(1.0), Crossfade { seconds: 0.5, synced: false }).unwrap();
                id
            },
            4.0 * 2.75,
        ),
        (
            "fade out",
            |crowd| {
                let id = crowd.spawn(run(1.0)).unwrap();
                crowd.fade_out(id, 0.7).unwrap();
                id
            },
            4.0 * 0.35,
        ),
        (
            "fade to more than 1",
            |crowd| {
                let id = crowd.spawn(Playback { weight: 0.0, ..run(1.0) }).unwrap();
                crowd.fade(id, 0.5, 2.0).unwrap();
                id
            },
            4.0 * (0.25 * 2.0 + 0.5),
        ),
        (
            "one after the other",
            |crowd| {
                let id = crowd.spawn(once(AtEnd::Remove)).unwrap();
                crowd.play_after(id, run(2.0), 0.0, id, After::Ended).unwrap();
                id
            },
            2.4 + 8.0 * 2.4,
        ),
        (
            "at rest, then the other",
            |crowd| {
                let id = crowd.spawn(once(AtEnd::Rest)).unwrap();
                crowd.play_after(id, run(2.0), 0.0, id, After::Ended).unwrap();
                id
            },
            2.4 + 8.0 * 2.4,
        ),
        (
            "a cut at the end",
            |crowd| {
                let id = crowd.spawn(once(AtEnd::Hold)).unwrap();
                crowd.crossfade_after(id, run(0.5), 0.0, id, After::Ended).unwrap();
                id
            },
            2.4 + 2.0 * 2.4,
        ),
        (
            "a cut on the way",
            |crowd| {
                let id = crowd.spawn(run(1.0)).unwrap();
                crowd.crossfade_after(id, run(0.5), 0.0, id, After::Ran(1.1)).unwrap();
                id
            },
            4.4 + 2.0 * 1.9,
        ),
        (
            "a crossfade on the way",
            |crowd| {
                let id = crowd.spawn(run(1.0)).unwrap();
                crowd.crossfade_after(id, run(0.5), 0.4, id, After::Ran(1.1)).unwrap();
                id
            },
            4.4 + (4.0 + 2.0) / 2.0 * 0.4 + 2.0 * 1.5,
        ),
        (
            "a chain of cuts",
            |crowd| {
                let id = crowd.spawn(run(1.0)).unwrap();
                let second = crowd.crossfade_after(id, run(2.0), 0.0, id, After::Ran(0.7)).unwrap();
                crowd.crossfade_after(id, run(0.25), 0.0, second, After::Ran(0.5)).unwrap();
                id
            },
            2.8 + 8.0 * 0.5 + 1.8,
        ),
        (
            "beside, for a while",
            |crowd| {
                let id = crowd.spawn(Playback { clip: STILL, weight: 0.25, ..Playback::default() }).unwrap();
                let beside = Playback { weight: 0.5, ..once(AtEnd::Remove) };
                crowd.play_after(id, beside, 0.0, id, After::Ran(0.45)).unwrap();
                id
            },
            1.2,
        ),
        (
            "a crossfade during another",
            |crowd| {
                let id = crowd.spawn(Playback { clip: STILL, ..Playback::default() }).unwrap();
                let second = crowd.crossfade(id, run(1.0), 0.5).unwrap();
                let still = Playback { clip: STILL, ..Playback::default() };
                crowd.crossfade_after(id, still, 0.2, second, After::Ran(0.4)).unwrap();
                id
            },
            4.0 * (0.16 + 0.08),
        ),
        (
            "a cut of what had ended, and faded",
            |crowd| {
                let id = crowd.spawn(once(AtEnd::Hold)).unwrap();
                let still = Playback { clip: STILL, weight: 0.0, ..Playback::default() };
                let other = crowd.play(id, still).unwrap();
                crowd.fade(id, 0.0, 1.0).unwrap();
                crowd
                    .crossfade_after(id, Playback { weight: 1.0, ..still }, 0.0, other, After::Ran(0.9))
                    .unwrap();
                id
            },
            2.4 * 0.7,
        ),
        (
            "when a fade is over",
            |crowd| {
                let id = crowd.spawn(run(1.0)).unwrap();
                let main = crowd.main_playback(id).unwrap();
                crowd.fade_out(main, 0.5).unwrap();
                crowd.play_after(id, run(1.0), 0.0, main, After::Ended).unwrap();
                id
            },
            1.0 + 4.0 * 2.5,
        ),
    ];
    for (name, script, expected) in scripts {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 0.1, 0.35, 1.3, 3.0] {
            let way = way(script, dt);
            assert!((way - expected).abs() < 2e-4, "{name} in steps of {dt}: {way} m, not {expected}");
        }
    }
}

fn told(crowd: &Crowd, playback: PlaybackId) -> Vec<EventKind> {
    crowd.events().iter().filter(|event| event.playback == playback).map(|event| event.kind).collect()
}

#[test]
fn what_stands_still_begins_without_a_delay() {
    let mut crowd = walkers();
    let id = crowd.spawn(run(1.0)).unwrap();
    let still = [Playback::external(), run(0.0), Playback { paused: true, ..run(1.0) }];
    let waiting = still.map(|playback| crowd.play_after(id, playback, 0.1, id, After::Ran(0.35)).unwrap());
    crowd.advance(0.5).unwrap();
    for playback in waiting {
        assert_eq!(crowd.playback(playback).unwrap().delay_s, 0.0);
        assert_eq!(told(&crowd, playback), [EventKind::Started], "{playback:?}");
    }
}

#[test]
fn whoever_waits_begins_at_the_first_of_all_ends() {
    type Control = fn(&mut Crowd, PlaybackId);
    // Of a run of 0.6 s: its end, the end of its weight, and a time that never comes.
    let ends: [(Control, After, f64); 5] = [
        (|_, _| {}, After::Ended, 0.6),
        (|_, _| {}, After::Ran(5.0), 0.6),
        (|_, _| {}, After::Ran(0.55), 0.55),
        (|crowd, run| crowd.fade_out(run, 0.25).unwrap(), After::Ended, 0.25),
        (|crowd, run| crowd.fade_out(run, 0.25).unwrap(), After::Ran(0.5), 0.25),
    ];
    for (control, after, expected) in ends {
        for steps in [1, 2, 3, 10, 100] {
            let mut crowd = walkers();
            let id = crowd.spawn(once(AtEnd::Hold)).unwrap();
            let main = crowd.main_playback(id).unwrap();
            control(&mut crowd, main);
            let next = crowd.play_after(id, run(1.0), 0.0, main, after).unwrap();
            for _ in 0..steps {
                crowd.advance(1.0 / f64::from(steps)).unwrap();
            }
            let began_s = 1.0 - crowd.playback(next).unwrap().time_s;
            assert!((began_s - expected).abs() < 1e-6, "{after:?} in {steps} steps: at {began_s} s");
        }
    }
}

#[test]
fn what_waits_for_nobody_is_there_at_once() {
    type Script = fn(&mut Crowd, InstanceId) -> PlaybackId;
    let scripts: [Script; 6] = [
        |crowd, id| {
            crowd.advance(1.0).unwrap();
            crowd.crossfade_after(id, run(1.0), 0.0, id, After::Ended).unwrap()
        },
        |crowd, id| crowd.play_after(id, run(1.0), 0.0, id, After::Ran(0.0)).unwrap(),
        |crowd, id| crowd.crossfade_after(id, run(1.0), 0.0, id, After::Ran(0.0)).unwrap(),
        |crowd, id| {
            let next = crowd.play_after(id, run(1.0), 0.0, id, After::Ended).unwrap();
            crowd.stop(id).unwrap();
            next
        },
        |crowd, id| {
            let other = crowd.spawn(once(AtEnd::Hold)).unwrap();
            let next = crowd.crossfade_after(id, run(1.0), 0.0, other, After::Ended).unwrap();
            crowd.despawn(other).unwrap();
            next
        },
        |crowd, id| {
            let next = crowd.crossfade_after(id, run(1.0), 0.0, id, After::Ended).unwrap();
            crowd.crossfade(id, run(0.5), 0.0).unwrap();
            next
        },
    ];
    for (number, script) in scripts.into_iter().enumerate() {
        for dt in [0.0, 0.1] {
            let mut crowd = walkers();
            let id = crowd.spawn(once(AtEnd::Hold)).unwrap();
            let next = script(&mut crowd, id);
            crowd.advance(dt).unwrap();
            let playback = crowd.playback(next).unwrap();
            assert_eq!((playback.weight, playback.time_s), (1.0, dt), "script {number} in a step of {dt}");
        }
    }
}

#[test]
fn all_who_wait_for_one_that_is_cut_begin_with_the_cut() {
    for cut_first in [false, true] {
        for (cut_after, begins_s) in [(After::Ended, 0.6), (After::Ran(0.33), 0.33)] {
            for steps in [1, 2, 7, 70] {
                let mut crowd = walkers();
                let id = crowd.spawn(once(AtEnd::Hold)).unwrap();
                let other = crowd.spawn(run(1.0)).unwrap();
                let main = crowd.main_playback(id).unwrap();
                let cut = |crowd: &mut Crowd| {
                    crowd.crossfade_after(id, run(2.0), 0.0, main, cut_after).unwrap();
                };
                if cut_first {
                    cut(&mut crowd);
                }
                let beside = Playback { weight: 0.5, ..run(1.0) };
                let waiting = [(id, 0.0), (id, 0.1), (other, 0.0)]
                    .map(|(id, fade_s)| crowd.play_after(id, beside, fade_s, main, After::Ended).unwrap());
                if !cut_first {
                    cut(&mut crowd);
                }
                for _ in 0..steps {
                    crowd.advance(0.7 / f64::from(steps)).unwrap();
                }
                for waiting in waiting {
                    let began_s = 0.7 - crowd.playback(waiting).unwrap().time_s;
                    let what = format!("{cut_after:?}, cut first {cut_first}, {steps} steps: at {began_s} s");
                    assert!((began_s - begins_s).abs() < 1e-6, "{what}");
                }
            }
        }
    }
}

#[test]
fn what_has_lost_its_weight_passes_nothing_any_more() {
    for steps in [1, 2, 40] {
        let mut crowd = walkers();
        let id = crowd.spawn(Playback { clip: STILL, ..Playback::default() }).unwrap();
        let fading = crowd.play(id, Playback { speed: 10.0, ..run(1.0) }).unwrap();
        crowd.fade_out(fading, 0.1).unwrap();
        let mut all = Vec::new();
        for _ in 0..steps {
            crowd.advance(2.0 / f64::from(steps)).unwrap();
            all.extend(told(&crowd, fading));
        }
        // At ten times its speed it ran 1 s of 0.6.
        assert_eq!(
            all,
            [EventKind::Started, EventKind::Looped { pass: 0, count: 1 }, EventKind::Stopped],
            "{steps} steps"
        );
    }
}

#[test]
fn a_chain_of_turns_goes_round_as_a_loop_does() {
    type Next = fn(&mut Crowd, InstanceId, Playback) -> PlaybackId;
    let nexts: [(AtEnd, Next); 3] = [
        (AtEnd::Hold, |crowd, id, next| crowd.crossfade_after(id, next, 0.0, id, After::Ended).unwrap()),
        (AtEnd::Remove, |crowd, id, next| crowd.play_after(id, next, 0.0, id, After::Ended).unwrap()),
        (AtEnd::Rest, |crowd, id, next| crowd.play_after(id, next, 0.0, id, After::Ended).unwrap()),
    ];
    for (at_end, follow) in nexts {
        for dt in [0.1, 0.35, 0.7, 1.3, 2.0] {
            let mut crowd = walkers();
            let looped = Playback { clip: SQUARE, time_s: 0.3, ..Playback::default() };
            let id = crowd.spawn(Playback { wrap: WrapMode::Clamp, at_end, ..looped }).unwrap();
            crowd.spawn(looped).unwrap();
            follow(&mut crowd, id, Playback { time_s: 0.0, ..looped });
            let mut places = [Placement::IDENTITY; 2];
            for _ in 0..3 {
                crowd.advance(dt).unwrap();
                crowd.move_places(&mut places).unwrap();
                let [chain, round] = places;
                let off = chain.translation.distance(round.translation);
                assert!(off < 1e-4, "{at_end:?} in steps of {dt}: {chain:?}, not {round:?}");
                assert!(chain.rotation.dot(round.rotation).abs() > 1.0 - 1e-5);
            }
        }
    }
}
