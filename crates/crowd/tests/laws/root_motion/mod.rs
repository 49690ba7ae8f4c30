//! Root motion against a naive walker, who goes pass by pass.

mod walkers;

use glam::{DAffine3, DQuat, Vec3};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use throng_crowd::{AtEnd, Crossfade, Crowd, CrowdError, InstanceId, Playback, Threads};
use throng_tracks::{Placement, PlaybackClock, Repeat, Transform, WrapMode};

use crate::make::{MODES, crowd};
use walkers::{BANK, CORNER, NOD, affine, motion, off, walked};
pub(crate) use walkers::{RUN, SQUARE, STILL, walkers};

fn playing() -> impl Strategy<Value = Playback> {
    let clip = prop::sample::select(vec![CORNER, RUN, SQUARE]);
    let repeat = prop_oneof![Just(Repeat::Endless), (0.0f32..4.0).prop_map(Repeat::Passes)];
    let range = prop::option::of(prop::sample::select(vec![[0.1, 0.5], [0.0, 0.3], [0.25, 0.6]]));
    let wrap = prop::sample::select(MODES.to_vec());
    let delay = prop_oneof![Just(0.0), 0.0f64..0.5];
    (clip, wrap, any::<bool>(), repeat, range, -3.0f32..3.0, -2.0f64..2.0, delay).prop_map(
        |(clip, wrap, reversed, repeat, range_s, speed, time_s, delay_s)| Playback {
            clip,
            wrap,
            reversed,
            repeat,
            range_s,
            speed,
            time_s,
            delay_s,
            ..Playback::default()
        },
    )
}

/// The clock of a playback, for the naive walker.
fn clock(playback: &Playback) -> PlaybackClock {
    let &Playback { wrap, reversed, repeat, range_s, speed, .. } = playback;
    let play = throng_tracks::Play { wrap, reversed, repeat, range_s, speed };
    let mut clock = PlaybackClock::new(BANK.clips()[playback.clip].duration_s(), &play).unwrap();
    clock.set_delay(playback.delay_s).unwrap();
    clock.seek_played(playback.time_s).unwrap();
    clock
}

proptest! {
    #[test]
    fn walkers_come_where_their_clips_lead(
        playbacks in prop::collection::vec(playing(), 1..20),
        steps in prop::collection::vec(prop_oneof![0.0f64..0.1, 0.0f64..3.0], 1..30),
    ) {
        let mut crowd = walkers();
        let ids: Vec<_> = playbacks.iter().map(|p| crowd.spawn(*p).unwrap()).collect();
        let mut places = vec![Placement::IDENTITY; ids.len()];
        let mut clocks: Vec<_> = playbacks.iter().map(clock).collect();
        let begun: Vec<_> = playbacks.iter().zip(&clocks).map(|(p, c)| walked(motion(p.clip), c)).collect();
        for &dt in &steps {
            crowd.advance(dt).unwrap();
            crowd.move_places(&mut places).unwrap();
            for clock in &mut clocks {
                clock.advance(dt).unwrap();
            }
        }
        let mut once = walkers();
        for playback in &playbacks {
            once.spawn(*playback).unwrap();
        }
        once.advance(steps.iter().sum()).unwrap();
        for (i, clock) in clocks.iter().enumerate() {
            let expected = begun[i].inverse() * walked(motion(playbacks[i].clip), clock);
            let size = expected.translation.length().max(1.0);
            let error = off(&expected, &affine(&places[i]));
            prop_assert!(error < 1e-4 * size, "{:?}: off by {error}", playbacks[i]);
            // The same in one step.
            let error = off(&expected, &affine(&once.root_motion(ids[i]).unwrap()));
            prop_assert!(error < 1e-4 * size, "{:?} at once: off by {error}", playbacks[i]);
        }
    }

    #[test]
    fn back_the_way_they_came_is_where_they_were(
        playbacks in prop::collection::vec(playing(), 1..20),
        steps in prop::collection::vec(0.0f64..0.5, 1..20),
    ) {
        let mut crowd = walkers();
        let endless = |p: &Playback| {
            let wrap = if p.wrap == WrapMode::Clamp { WrapMode::Loop } else { p.wrap };
            Playback { repeat: Repeat::Endless, delay_s: 0.0, wrap, ..*p }
        };
        let ids: Vec<_> = playbacks.iter().map(|p| crowd.spawn(endless(p)).unwrap()).collect();
        let mut places = vec![Placement::IDENTITY; ids.len()];
        for direction in [1.0, -1.0] {
            let turned = |p: Playback| Playback { speed: p.speed * direction, ..p };
            crowd.update_all(|_, p| turned(p)).unwrap();
            for dt in &steps {
                crowd.advance(*dt).unwrap();
                crowd.move_places(&mut places).unwrap();
            }
        }
        for (place, playback) in places.iter().zip(&playbacks) {
            let error = off(&affine(place), &DAffine3::IDENTITY);
            prop_assert!(error < 1e-4, "{playback:?}: off by {error}");
        }
    }
}

#[test]
fn four_sides_of_a_square_lead_back() {
    for (dt, frames) in [(1.0 / 60.0, 240), (0.4, 40), (0.7, 40), (4.0, 3), (400.0, 2)] {
        let mut crowd = walkers();
        crowd.spawn(Playback { clip: SQUARE, ..Playback::default() }).unwrap();
        let mut places = [Placement::at([7.0, 0.0, -3.0])];
        let mut laps = Vec::new();
        for _ in 0..frames {
            crowd.advance(dt).unwrap();
            crowd.move_places(&mut places).unwrap();
            let sides = crowd.playback(crowd.ids().next().unwrap()).unwrap().time_s / 4.0;
            if (sides - sides.round()).abs() < 1e-9 {
                laps.push(places[0]);
            }
        }
        assert!(!laps.is_empty(), "steps of {dt}");
        for place in laps {
            let home = DAffine3::from_translation((7.0, 0.0, -3.0).into());
            assert!(off(&affine(&place), &home) < 1e-4, "steps of {dt}: {place:?}");
        }
    }
}

/// Two playbacks of one instance, and its step after an advance.
fn pair(a: Playback, b: Playback, dt: f64) -> (Placement, [Placement; 2]) {
    let mut crowd = walkers();
    let id = crowd.spawn(a).unwrap();
    crowd.play(id, b).unwrap();
    crowd.advance(dt).unwrap();
    let alone = [a, b].map(|p| {
        let mut crowd = walkers();
        let weight = if p.additive { 0.0 } else { 1.0 };
        let id = crowd.spawn(Playback { weight, additive: false, clip: p.clip % 3, ..p }).unwrap();
        crowd.advance(dt).unwrap();
        crowd.root_motion(id).unwrap()
    });
    (crowd.root_motion(id).unwrap(), alone)
}

#[test]
fn steps_are_blended_by_weight() {
    let of = |clip, weight| Playback { clip, weight, ..Playback::default() };
    for (wa, wb) in [(0.5, 0.5), (0.2, 0.8), (0.25, 0.5), (3.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
        let (step, [a, b]) = pair(of(CORNER, wa), of(RUN, wb), 0.3);
        let sum = (wa + wb).max(1.0);
        let translation: Vec3 = (a.translation * wa + b.translation * wb) / sum;
        assert!(step.translation.abs_diff_eq(translation, 1e-6), "{wa} {wb}: {step:?}");
        let rest = (1.0 - wa - wb).max(0.0);
        let turn = a.rotation.as_dquat() * f64::from(wa)
            + b.rotation.as_dquat() * f64::from(wb)
            + DQuat::IDENTITY * f64::from(rest);
        let error = turn.normalize().as_quat().dot(step.rotation);
        assert!((error - 1.0).abs() < 1e-6, "{wa} {wb}: {step:?}");
    }
    // A clip that leads nowhere takes its part.
    let (step, [a, _]) = pair(of(RUN, 0.5), of(STILL, 0.5), 0.3);
    assert!(step.translation.abs_diff_eq(a.translation / 2.0, 1e-6));
    // What is added is no way.
    let (step, [a, _]) = pair(of(RUN, 1.0), Playback { additive: true, ..of(NOD, 1.0) }, 0.3);
    assert_eq!(step, a);
}

#[test]
fn the_mask_at_the_moving_joint_counts() {
    let mut crowd = walkers();
    let arm = crowd.add_mask(&[0.0, 1.0]).unwrap();
    let hips = crowd.add_mask(&[0.5, 1.0]).unwrap();
    let id = crowd.spawn(Playback { clip: RUN, weight: 0.5, ..Playback::default() }).unwrap();
    let other = Playback { clip: STILL, weight: 8.0, mask: Some(arm), ..Playback::default() };
    let other = crowd.play(id, other).unwrap();
    crowd.advance(0.25).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 0.5).abs() < 1e-6);
    crowd.set_mask(other, Some(hips)).unwrap();
    crowd.set_weight(other, 1.0).unwrap();
    crowd.advance(0.25).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 0.5).abs() < 1e-6);
    crowd.set_mask(other, None).unwrap();
    crowd.advance(0.25).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 1.0 / 3.0).abs() < 1e-6);
}

#[test]
fn a_crossfade_speeds_up_smoothly() {
    let mut crowd = walkers();
    let id = crowd.spawn(Playback { clip: STILL, ..Playback::default() }).unwrap();
    crowd.crossfade(id, Playback { clip: RUN, ..Playback::default() }, Crossfade::default()).unwrap();
    let (mut last, dt) = (0.0, 1.0 / 120.0);
    for frame in 1..=40 {
        crowd.advance(dt).unwrap();
        let speed = f64::from(crowd.root_motion(id).unwrap().translation.z) / dt;
        // A clip's part in a frame is the mean of its weight.
        let expected = 4.0 * ((f64::from(frame) - 0.5) * dt / 0.3).min(1.0);
        assert!((speed - expected).abs() < 1e-3, "frame {frame}: {speed} m/s, not {expected}");
        assert!(speed >= last - 1e-3 && speed <= last + 0.2, "frame {frame}: {last} to {speed} m/s");
        last = speed;
    }
}

#[test]
fn the_way_to_an_end_counts_whatever_follows() {
    for at_end in [AtEnd::Hold, AtEnd::Rest, AtEnd::Remove] {
        for dt in [0.25, 0.7, 5.0] {
            let mut crowd = walkers();
            let once = Playback { clip: RUN, wrap: WrapMode::Clamp, at_end, ..Playback::default() };
            let id = crowd.spawn(once).unwrap();
            let mut places = [Placement::IDENTITY];
            for _ in 0..20 {
                crowd.advance(dt).unwrap();
                crowd.move_places(&mut places).unwrap();
            }
            assert!((places[0].translation.z - 2.4).abs() < 1e-5, "{at_end:?} by {dt}: {places:?}");
            assert_eq!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
        }
    }
    // Beside another that goes on, for as long as it lasted; whatever comes in its place, but for another instance.
    let mut crowd = walkers();
    let once = Playback {
        clip: RUN,
        wrap: WrapMode::Clamp,
        weight: 0.5,
        at_end: AtEnd::Remove,
        ..Playback::default()
    };
    let id = crowd.spawn(Playback { clip: STILL, weight: 0.5, ..Playback::default() }).unwrap();
    crowd.play(id, once).unwrap();
    crowd.advance(1.0).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 1.2).abs() < 1e-6);
    crowd.play(id, once).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 1.2).abs() < 1e-6);
    crowd.advance(1.0).unwrap();
    crowd.despawn(id).unwrap();
    let id = crowd.spawn(Playback { clip: STILL, ..Playback::default() }).unwrap();
    assert_eq!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
}

#[test]
fn no_control_is_a_step() {
    let mut crowd = walkers();
    let id = crowd.spawn(Playback { clip: RUN, ..Playback::default() }).unwrap();
    crowd.advance(0.5).unwrap();
    assert_ne!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
    crowd.seek(id, 0.1).unwrap();
    assert_eq!(crowd.root_motion(id).unwrap(), Placement::at([0.0, 0.0, 2.0]), "that of the last advance");
    crowd.advance(0.0).unwrap();
    assert_eq!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
    crowd.advance(0.25).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 1.0).abs() < 1e-6);
    crowd.update_all(|_, p| Playback { paused: true, ..p }).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
}

#[test]
fn a_pose_from_elsewhere_leads_nowhere() {
    let mut crowd = walkers();
    let id = crowd.spawn(Playback { clip: RUN, weight: 0.5, ..Playback::default() }).unwrap();
    crowd.set_pose(id, &[Transform::IDENTITY; 2]).unwrap();
    // Whatever clip and speed it names.
    let given = Playback { clip: RUN, speed: 1.0, weight: 0.5, ..Playback::external() };
    crowd.play(id, given).unwrap();
    crowd.advance(0.25).unwrap();
    assert!((crowd.root_motion(id).unwrap().translation.z - 0.5).abs() < 1e-6);
    crowd.crossfade(id, Playback { weight: 1.0, ..given }, 0.0).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
}

/// Uneven ways of many, some in a crossfade, some gone; each as if it was alone.
fn many(count: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = walkers();
    let mut ids = Vec::new();
    for i in 0..count {
        let clip = [CORNER, RUN, STILL, SQUARE][i % 4];
        let speed = (i % 13) as f32 * 0.3 - 1.5;
        let playback = Playback { clip, time_s: i as f64 * 0.013, speed, ..Playback::default() };
        ids.push(crowd.spawn(playback).unwrap());
        if i % 5 == 0 || (400..600).contains(&i) {
            let clip = [RUN, CORNER][i % 2];
            crowd.crossfade(ids[i], Playback { clip, ..Playback::default() }, 0.7).unwrap();
        }
    }
    (crowd, ids)
}

#[test]
fn any_threads_give_the_same_bits() {
    let steps = |threads: Threads| {
        let (mut crowd, ids) = many(9000);
        crowd.set_threads(threads);
        for id in ids.iter().step_by(7) {
            crowd.despawn(*id).unwrap();
        }
        let mut places = vec![Placement { scale: 2.0, ..Placement::at([1.0; 3]) }; crowd.slot_count()];
        let mut steps = vec![Placement::at([9.0; 3]); crowd.slot_count() + 3];
        for dt in [0.4, 0.1, 0.3] {
            crowd.advance(dt).unwrap();
            crowd.root_motion_into(&mut steps).unwrap();
            crowd.move_places(&mut places).unwrap();
        }
        for (slot, id) in ids.iter().enumerate() {
            assert_eq!(steps[slot], crowd.root_motion(*id).unwrap_or_default(), "{id}");
        }
        assert_eq!(steps[9000..], [Placement::at([9.0; 3]); 3], "behind the last slot");
        assert_eq!(places[7], Placement { scale: 2.0, ..Placement::at([1.0; 3]) }, "of one who is gone");
        (steps, places)
    };
    let one = steps(Threads::One);
    for threads in [1, 2, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| steps(Threads::Pool)), one, "{threads} threads");
    }
}

#[test]
fn one_among_many_has_the_bits_of_one_alone() {
    // Where few of neighbours fade they are gone through one by one, and else in lanes.
    let (mut crowd, ids) = many(1000);
    let mut alone: Vec<_> = ids
        .iter()
        .map(|id| {
            let mut one = walkers();
            let (main, left) = (crowd.playback(*id).unwrap(), crowd.playbacks(*id).unwrap().min().unwrap());
            let left = crowd.playback(left).unwrap();
            let id = one.spawn(Playback { weight: 1.0, ..left }).unwrap();
            if left != main {
                one.crossfade(id, Playback { weight: 1.0, ..main }, 0.7).unwrap();
            }
            (one, id)
        })
        .collect();
    for dt in [0.01, 0.4, 0.2, 0.2, 0.3] {
        crowd.advance(dt).unwrap();
        for (id, (one, same)) in ids.iter().zip(&mut alone) {
            one.advance(dt).unwrap();
            assert_eq!(crowd.root_motion(*id).unwrap(), one.root_motion(*same).unwrap(), "{id}");
            assert_eq!(crowd.shown_s(*id).unwrap(), one.shown_s(*same).unwrap(), "{id}");
        }
    }
}

#[test]
fn without_root_motion_there_are_no_steps() {
    let mut crowd = crowd(&[1.0]);
    let id = crowd.spawn(Playback::default()).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(crowd.root_motion(id).unwrap(), Placement::IDENTITY);
    let mut steps = [Placement::at([9.0; 3]); 2];
    crowd.move_places(&mut steps).unwrap();
    assert_eq!(steps, [Placement::at([9.0; 3]); 2]);
    crowd.root_motion_into(&mut steps).unwrap();
    assert_eq!(steps, [Placement::IDENTITY, Placement::at([9.0; 3])]);
    let few = Err(CrowdError::TooFewPlaces { found: 0, slots: 1 });
    assert_eq!(crowd.root_motion_into(&mut []), few);
    assert_eq!(crowd.move_places(&mut []), few);
    crowd.despawn(id).unwrap();
    assert_eq!(crowd.root_motion(id), Err(CrowdError::Despawned { id }));
}
