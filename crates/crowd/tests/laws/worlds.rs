//! Worlds: each crowd as it is by itself, ids that tell crowds apart, and changes of all or none.

use std::cell::Cell;

use proptest::prelude::*;
use throng_crowd::{
    Control, Crossfade, Crowd, CrowdError, Detail, EventKind, FrameReport, InstanceId, Playback, SkipFrozen,
    Threads, World, WorldError, WorldInstanceId,
};
use throng_kernels::Level;

use crate::make::{bank, bits, crowd, plan, playback};

/// Crowds of which each has other clips.
fn crowds(sizes: &[usize], level: Level) -> Vec<Crowd> {
    let filled = |(index, &size): (usize, &usize)| {
        let durations: Vec<f32> = (0..=index % 3).map(|clip| 0.7 + 0.3 * (clip + index) as f32).collect();
        let mut crowd = Crowd::with_plan(plan(bank(&durations)), level);
        for i in 0..size {
            crowd.spawn(playback(i + index, durations.len())).unwrap();
        }
        crowd
    };
    sizes.iter().enumerate().map(filled).collect()
}

#[test]
fn crowds_of_a_world_are_what_they_are_alone() {
    let pools = [1, 2, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let sizes = [300, 0, 1, 17, 900, 5, 5];
    for level in Level::available() {
        println!("level {level}");
        let mut alone = crowds(&sizes, level);
        let mut worlds: Vec<World> = (0..=pools.len()).map(|_| World::new()).collect();
        for (at, world) in worlds.iter_mut().enumerate() {
            for crowd in crowds(&sizes, level) {
                world.add(crowd);
            }
            if at == pools.len() {
                world.set_threads(Threads::One);
            }
        }
        for frame in 0..3 {
            for crowd in &mut alone {
                crowd.set_threads(Threads::One);
                crowd.advance(0.1).unwrap();
                crowd.evaluate();
            }
            for (at, world) in worlds.iter_mut().enumerate() {
                let mut run = || {
                    world.advance(0.1).unwrap();
                    world.evaluate();
                };
                match pools.get(at) {
                    Some(pool) => pool.install(run),
                    None => run(),
                }
                for ((id, found), alone) in world.crowds().zip(&alone) {
                    assert!(bits(found.palettes()) == bits(alone.palettes()), "{id} in frame {frame}, {at}");
                }
                let mut outs: Vec<Vec<f32>> =
                    world.crowds().map(|(_, crowd)| vec![-1.5; crowd.output_floats()]).collect();
                let mut slices: Vec<&mut [f32]> = outs.iter_mut().map(Vec::as_mut_slice).collect();
                world.evaluate_into(&mut slices).unwrap();
                for (out, alone) in outs.iter().zip(&alone) {
                    assert!(bits(out) == bits(alone.palettes()), "frame {frame}, {at}");
                }
            }
        }
    }
}

fn two() -> (World, [WorldInstanceId; 3]) {
    let mut world = World::new();
    let (a, b) = (world.add(crowd(&[1.0, 2.0])), world.add(crowd(&[1.0])));
    let ids = [a, b, b].map(|crowd| world.spawn(crowd, Playback::default()).unwrap());
    (world, ids)
}

#[test]
fn ids_tell_crowds_apart_and_die_with_their_instances() {
    let (mut world, [a, b, c]) = two();
    assert_eq!([a, b, c].map(|id| id.to_string()), ["0:0v1", "1:0v1", "1:1v1"]);
    assert_eq!((world.len(), world.ids().collect::<Vec<_>>()), (3, vec![a, b, c]));
    world.update(&[c], |_, playback| Playback { time_s: 0.25, ..playback }).unwrap();
    world.evaluate();
    assert_eq!([a, b, c].map(|id| world.palette(id).unwrap()[3]), [0.0, 0.0, 0.25]);

    world.despawn(b).unwrap();
    assert!(!world.contains(b) && world.contains(a) && world.contains(c));
    let error = world.despawn(b).unwrap_err();
    assert_eq!(error, WorldError::Crowd { crowd: b.crowd, error: CrowdError::Despawned { id: b.instance } });
    assert_eq!(error.to_string(), "crowd 1: instance 0v1 was despawned");
    let again = world.spawn(b.crowd, Playback { time_s: 0.5, ..Playback::default() }).unwrap();
    assert_eq!((again.to_string(), again.instance.slot()), ("1:0v2".into(), b.instance.slot()));
    world.evaluate();
    assert_eq!([a, again, c].map(|id| world.palette(id).unwrap()[3]), [0.0, 0.5, 0.25]);
    assert!(world.palette(b).is_err());

    let mut larger = two().0;
    let third = larger.add(crowd(&[1.0]));
    let error = world.spawn(third, Playback::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no crowd 2: the world has 2, counted from 0");
    assert!(world.crowd(third).is_err() && world.crowd_mut(third).is_err());
    let foreign = WorldInstanceId { crowd: third, ..a };
    assert!(!world.contains(foreign) && world.despawn(foreign) == Err(error));
    let error = world.spawn(b.crowd, Playback { clip: 1, ..Playback::default() }).unwrap_err();
    assert_eq!(error.to_string(), "crowd 1: there is no clip 1: the bank has 1, counted from 0");
}

#[test]
fn a_step_or_a_buffer_that_cannot_be_changes_nothing() {
    let (mut world, [a, ..]) = two();
    for dt in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(world.advance(dt), Err(WorldError::Refused(_))), "{dt}");
    }
    assert_eq!(world.act(a, |crowd, id| crowd.shown_s(id)), Ok(0.0));
    let sizes: Vec<usize> = world.crowds().map(|(_, crowd)| crowd.output_floats()).collect();
    let (mut first, mut short) = (vec![-1.5; sizes[0]], vec![-1.5; sizes[1] - 1]);
    let error = world.evaluate_into(&mut [&mut first]).unwrap_err();
    assert_eq!(error.to_string(), "1 buffers, but the world has 2 crowds");
    let error = world.evaluate_into(&mut [&mut first, &mut short]).unwrap_err().to_string();
    assert!(error.starts_with("crowd 1: the buffer has"), "{error}");
    assert!(first.iter().chain(&short).all(|v| *v == -1.5));
}

proptest! {
    #[test]
    fn many_are_changed_or_none(
        speeds in prop::collection::vec(prop_oneof![8 => -2.0..2.0f32, 1 => Just(f32::NAN)], 3),
        chosen in prop::collection::vec(0..3usize, 0..5),
    ) {
        let (mut world, ids) = two();
        let new = |id: WorldInstanceId| speeds[ids.iter().position(|i| *i == id).unwrap()];
        let listed: Vec<WorldInstanceId> = chosen.iter().map(|i| ids[*i]).collect();
        let refused = listed.iter().any(|id| new(*id).is_nan());
        let updated = world.update(&listed, |id, playback| Playback { speed: new(id), ..playback });
        prop_assert_eq!(updated.is_err(), refused);
        for id in ids {
            let expected = if listed.contains(&id) && !refused { new(id) } else { 1.0 };
            prop_assert_eq!(world.act(id, |crowd, id| crowd.playback(id)).unwrap().speed, expected);
        }
        let refused = speeds.iter().any(|speed| speed.is_nan());
        let updated = world.update_all(|id, playback| Playback { speed: new(id), ..playback });
        prop_assert_eq!(updated.is_err(), refused);
        for id in ids {
            let speed = world.act(id, |crowd, id| crowd.playback(id)).unwrap().speed;
            prop_assert!(refused || speed == new(id));
        }
    }
}

#[test]
fn many_are_controlled_or_none_and_events_tell_of_all_crowds() {
    let (mut world, ids) = two();
    let [a, b, c] = ids;
    let paused =
        |world: &mut World| ids.map(|id| world.act(id, |crowd, id| crowd.playback(id)).unwrap().paused);
    let error = world.control_many(&[a, b, c, b], Control::Pause).unwrap_err();
    assert!(matches!(error, WorldError::Crowd { error: CrowdError::NamedTwice { .. }, .. }), "{error}");
    let foreign = WorldInstanceId { crowd: two().0.add(crowd(&[1.0])), ..a };
    assert!(world.control_many(&[a, foreign], Control::Pause).is_err());
    assert_eq!(paused(&mut world), [false; 3]);
    world.control_many(&[c, a], Control::Pause).unwrap();
    assert_eq!(paused(&mut world), [true, false, true]);
    world.advance(1.5).unwrap();
    let looped: Vec<WorldInstanceId> = world
        .events()
        .filter(|(_, event)| matches!(event.kind, EventKind::Looped { .. }))
        .map(|(crowd, event)| WorldInstanceId { crowd, instance: event.playback.instance() })
        .collect();
    assert_eq!(looped, [b]);
}

#[test]
fn all_are_controlled_as_their_crowds_are_alone_or_none() {
    let sizes = [200, 0, 1, 70];
    let choose = |crowd: usize, id: InstanceId, playback: &Playback| match (id.slot() + crowd) % 4 {
        0 => Some(Control::Speed(playback.speed + 0.5)),
        1 => Some(Control::Crossfade(Playback { time_s: 0.25, ..*playback }, Crossfade::default())),
        2 => Some(Control::Stop),
        _ => None,
    };
    let mut alone = crowds(&sizes, Level::detect());
    let mut world = World::new();
    for crowd in crowds(&sizes, Level::detect()) {
        world.add(crowd);
    }
    // The second time some have no main playback.
    for _ in 0..2 {
        for (index, crowd) in alone.iter_mut().enumerate() {
            crowd.control_all(|id, playback| choose(index, id, playback)).unwrap();
            crowd.advance(0.1).unwrap();
            crowd.evaluate();
        }
        world.control_all(|id, playback| choose(id.crowd.index(), id.instance, playback)).unwrap();
        // The last one that is asked refuses.
        let last = world.ids().last().unwrap();
        let error = world.control_all(|id, _| Some(Control::Speed(if id == last { f32::NAN } else { 9.0 })));
        let refused = CrowdError::NotFinite { what: "speed", value: f64::NAN }.to_string();
        assert_eq!(error.unwrap_err().to_string(), format!("crowd 3: {refused}"));
        world.advance(0.1).unwrap();
        world.evaluate();
        for ((id, found), alone) in world.crowds().zip(&alone) {
            assert!(bits(found.palettes()) == bits(alone.palettes()), "{id}");
            assert!(found.ids().all(|id| found.playback(id) == alone.playback(id)), "{id}");
        }
    }
}

#[test]
fn a_report_is_the_sum_of_its_crowds() {
    let (mut world, [a, b, c]) = two();
    assert_eq!(world.report(), FrameReport::default());
    world.set_visible_many(&[b], false).unwrap();
    world.evaluate();
    let slow = Detail { interval: 200, ..Detail::default() };
    world.act(a, |crowd, id| crowd.set_detail(id, slow)).unwrap();
    world.evaluate();
    let counts = |world: &World| {
        let FrameReport { evaluated, shared, held, hidden, .. } = world.report();
        [evaluated, shared, held, hidden]
    };
    // Time stands still.
    world.evaluate();
    assert_eq!((counts(&world), world.report().frozen), ([0, 0, 0, 1], 2));
    let crowds: Vec<_> = world.crowds().map(|(id, _)| id).collect();
    crowds.iter().for_each(|id| world.crowd_mut(*id).unwrap().set_skip_frozen(SkipFrozen::Never));
    world.evaluate();
    assert_eq!((counts(&world), world.report().instances()), ([1, 0, 1, 1], world.len()));
    let same = Detail { share_s: 0.1, ..Detail::default() };
    world.set_visible_many(&[b], true).unwrap();
    for id in [b, c] {
        world.act(id, |crowd, id| crowd.set_detail(id, same)).unwrap();
    }
    world.evaluate();
    assert_eq!((counts(&world), world.report().ms), ([1, 1, 1, 0], None));
    let tick: fn() -> f64 = || {
        thread_local!(static NOW_MS: Cell<f64> = const { Cell::new(0.0) });
        NOW_MS.with(|now| now.replace(now.get() + 1.0))
    };
    world.set_threads(Threads::One);
    for (measuring, id) in [a, b].into_iter().enumerate() {
        let crowd = world.crowd_mut(id.crowd).unwrap();
        crowd.set_clock_ms(Some(tick));
        crowd.measure(true);
        world.advance(0.1).unwrap();
        world.evaluate();
        let ms = world.report().ms.unwrap();
        assert_eq!([ms.advance, ms.select, ms.pose, ms.settle], [1.0 + measuring as f64; 4]);
    }
}

#[test]
fn many_are_shown_or_hidden_or_none() {
    let (mut world, [a, b, c]) = two();
    world.despawn(c).unwrap();
    assert!(world.set_visible_many(&[a, c], false).is_err() && world.update(&[c], |_, p| p).is_err());
    assert_eq!(world.act(a, |crowd, id| crowd.is_visible(id)), Ok(true));
    world.set_visible_many(&[a, b], false).unwrap();
    assert_eq!([a, b].map(|id| world.act(id, |crowd, id| crowd.is_visible(id))), [Ok(false), Ok(false)]);
}

#[test]
fn a_crowd_that_is_removed_takes_its_ids_along() {
    let (mut world, [a, b, c]) = two();
    let crowds: Vec<_> = world.crowds().map(|(id, _)| id).collect();
    let (gone, left): (Vec<_>, Vec<_>) = [a, b, c].into_iter().partition(|id| id.crowd == crowds[0]);
    world.advance(0.1).unwrap();
    world.evaluate();
    let before: Vec<_> = left.iter().map(|id| bits(world.palette(*id).unwrap())).collect();
    assert_eq!(world.remove(crowds[0]).unwrap().len(), gone.len());
    let removed = WorldError::Removed { crowd: crowds[0] };
    assert_eq!(removed.to_string(), "crowd 0 was removed from the world");
    for id in &gone {
        assert_eq!(world.act(*id, |crowd, id| crowd.pause(id)), Err(removed.clone()));
        assert_eq!(world.control_many(&[*id], Control::Pause), Err(removed.clone()));
        assert!(!world.contains(*id) && world.palette(*id).is_err());
    }
    assert_eq!(world.remove(crowds[0]).err(), Some(removed.clone()));
    assert_eq!(world.spawn(crowds[0], Playback::default()), Err(removed));
    let after: Vec<_> = left.iter().map(|id| bits(world.palette(*id).unwrap())).collect();
    assert_eq!((before, world.ids().collect::<Vec<_>>()), (after, left.clone()));
    world.control_many(&left, Control::Pause).unwrap();
    world.update_all(|id, playback| Playback { paused: left.contains(&id), ..playback }).unwrap();
    // Numbers are not used again.
    let crowd = world.remove(crowds[1]).unwrap();
    let again = world.add(crowd);
    assert!(!crowds.contains(&again) && world.crowds().len() == 1);
    world.evaluate_into(&mut [&mut [0.0; 4096]]).unwrap();
    world.clear();
    world.shrink_to_fit();
    assert!(world.is_empty() && world.crowd(again).is_ok());
}
