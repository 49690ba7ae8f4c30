//! Weights, speeds and times of a layer by slot: what a control of each does; and what is left of a crowd that is cleared.

use throng_crowd::{Crowd, CrowdError, InstanceId, Playback, PlaybackId, SkipFrozen};
use throng_tracks::Placement;

use crate::make::{Dice, bits, crowd, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

/// Some instances with one to three playbacks, and free slots among them.
fn filled(dice: &mut Dice) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = crowd(&DURATIONS_S);
    let mut ids: Vec<_> = (0..90).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    for (i, id) in ids.iter().enumerate() {
        for layer in 0..dice.roll(3) {
            crowd.play(*id, Playback { weight: 0.5, ..playback(i + layer, 2) }).unwrap();
        }
        if dice.roll(4) == 0 {
            crowd.fade(*id, 0.3, 0.5).unwrap();
        }
    }
    for at in (0..90).rev().step_by(7) {
        crowd.despawn(ids.remove(at)).unwrap();
    }
    crowd.advance(0.4).unwrap();
    (crowd, ids)
}

/// The playbacks of a layer.
fn of_layer(crowd: &Crowd, ids: &[InstanceId], layer: usize) -> Vec<PlaybackId> {
    let all = ids.iter().flat_map(|id| crowd.playbacks(*id).unwrap());
    all.filter(|id| crowd.layer(*id) == Ok(layer)).collect()
}

#[test]
fn a_slice_does_what_a_control_of_each_does() {
    for seed in 1..60 {
        let [(mut by_slices, ids), (mut one_by_one, _)] = [(); 2].map(|()| filled(&mut Dice::new(seed)));
        let mut dice = Dice::new(seed + 1000);
        for _ in 0..8 {
            let (layer, slots) = (dice.roll(4), by_slices.slot_count());
            let targets = of_layer(&one_by_one, &ids, layer);
            let mut numbers: Vec<f32> = (0..slots + 3).map(|_| dice.of(&[0.0, 0.25, 1.0, 2.0])).collect();
            // What is not read may be anything.
            numbers[slots..].fill(f32::NAN);
            let played = |slot: usize| targets.iter().any(|id| id.instance().slot() == slot);
            (0..slots).filter(|slot| !played(*slot)).for_each(|slot| numbers[slot] = f32::NAN);
            let each = targets.iter().map(|id| (*id, numbers[id.instance().slot()]));
            match dice.roll(3) {
                0 => {
                    by_slices.set_weights(layer, &numbers).unwrap();
                    each.for_each(|(id, v)| one_by_one.set_weight(id, v).unwrap());
                }
                1 => {
                    by_slices.set_speeds(layer, &numbers).unwrap();
                    each.for_each(|(id, v)| one_by_one.set_speed(id, v - 0.5).unwrap());
                    let slower: Vec<f32> = numbers.iter().map(|v| v - 0.5).collect();
                    by_slices.set_speeds(layer, &slower).unwrap();
                }
                _ => {
                    let times: Vec<f64> = numbers.iter().map(|v| f64::from(*v)).collect();
                    by_slices.set_times(layer, &times).unwrap();
                    each.for_each(|(id, v)| one_by_one.seek_played(id, v.into()).unwrap());
                }
            }
            for crowd in [&mut by_slices, &mut one_by_one] {
                crowd.evaluate();
                crowd.advance(0.1).unwrap();
            }
            assert_eq!(bits(by_slices.palettes()), bits(one_by_one.palettes()), "seed {seed}");
            for layer in 0..4 {
                let mut read = (vec![9.0; slots], vec![9.0; slots], vec![9.0; slots]);
                by_slices.weights_into(layer, &mut read.0).unwrap();
                by_slices.speeds_into(layer, &mut read.1).unwrap();
                by_slices.times_into(layer, &mut read.2).unwrap();
                let targets = of_layer(&one_by_one, &ids, layer);
                for id in &targets {
                    let (slot, p) = (id.instance().slot(), one_by_one.playback(*id).unwrap());
                    assert_eq!((read.0[slot], read.1[slot]), (p.weight, p.speed));
                    // The played time is summed from the pass and the time in it, which rounds.
                    assert!((read.2[slot] - p.time_s).abs() <= 1e-12, "{} {}", read.2[slot], p.time_s);
                }
                let nonzero = read.0.iter().filter(|v| **v != 0.0).count();
                assert!(nonzero <= targets.len());
            }
        }
    }
}

#[test]
fn what_cannot_be_names_its_slot_and_changes_nothing() {
    let mut crowd = crowd(&DURATIONS_S);
    let ids: Vec<_> = (0..5).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    let before: Vec<_> = ids.iter().map(|id| crowd.playback(*id).unwrap()).collect();
    let said = [
        crowd.set_weights(0, &[1.0, 0.5, 0.5, -0.5, 1.0]),
        crowd.set_weights(0, &[1.0, 0.5, 2e6, 0.5, 1.0]),
        crowd.set_speeds(0, &[1.0, 0.5, 0.5, 0.5, f32::NAN]),
        crowd.set_times(0, &[f64::INFINITY; 5]),
        crowd.set_speeds(4, &[0.0; 5]),
        crowd.set_times(0, &[0.0; 4]),
        crowd.weights_into(0, &mut [0.0; 4]),
        crowd.set_worlds_from_placements(&[Placement::IDENTITY; 4]),
        crowd.apply_root_motion_to_worlds(&mut [Placement::at([f32::NAN; 3]); 5]),
    ]
    .map(|done| done.unwrap_err().to_string());
    assert_eq!(
        said,
        [
            "weights of layer 0, slot 3: found -0.5, expected a number from 0 to 1000000",
            "weights of layer 0, slot 2: found 2000000, expected a number from 0 to 1000000",
            "speeds of layer 0, slot 4: found NaN, expected a finite number",
            "times of layer 0, slot 0: found inf, expected a finite number",
            "there is no layer 4: an instance has 4, counted from 0",
            "4 times for instances that need 5",
            "4 weights for instances that need 5",
            "there are 4 places, but the crowd has 5 slots",
            "the placement of slot 0 is not finite",
        ]
    );
    let after: Vec<_> = ids.iter().map(|id| crowd.playback(*id).unwrap()).collect();
    assert_eq!(before, after);
}

#[test]
fn a_value_that_is_there_already_poses_nobody() {
    let mut crowd = crowd(&DURATIONS_S);
    let still = |i: usize| Playback { paused: true, ..playback(i, 2) };
    (0..70).for_each(|i| {
        crowd.spawn(still(i)).unwrap();
    });
    let (mut weights, mut times) = (vec![0.0; 70], vec![0.0; 70]);
    crowd.weights_into(0, &mut weights).unwrap();
    crowd.times_into(0, &mut times).unwrap();
    crowd.advance(0.1).unwrap();
    crowd.evaluate();
    crowd.set_weights(0, &weights).unwrap();
    crowd.set_times(0, &times).unwrap();
    crowd.evaluate();
    assert_eq!((crowd.report().evaluated, crowd.report().frozen), (0, 70));
    weights[3] = 0.5;
    crowd.set_weights(0, &weights).unwrap();
    crowd.evaluate();
    assert_eq!(crowd.changed(), [3]);
}

#[test]
fn a_crowd_that_is_cleared_has_its_slots_and_no_instance() {
    let mut crowd = crowd(&DURATIONS_S);
    crowd.set_skip_frozen(SkipFrozen::Always);
    let ids: Vec<_> = (0..130).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    crowd.advance(0.1).unwrap();
    crowd.evaluate();
    crowd.clear();
    crowd.shrink_to_fit();
    assert!(crowd.is_empty() && crowd.slot_count() == 130);
    for id in ids {
        assert_eq!(crowd.pause(id), Err(CrowdError::Despawned { id }));
    }
    crowd.advance(0.1).unwrap();
    crowd.evaluate();
    assert_eq!((crowd.report().instances(), crowd.changed().len()), (0, 0));
    let again: Vec<_> = (0..140).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    assert!(again.iter().enumerate().all(|(slot, id)| id.slot() == slot));
    let mut other = crate::make::crowd(&DURATIONS_S);
    (0..140).for_each(|i| {
        other.spawn(playback(i, 2)).unwrap();
    });
    for crowd in [&mut crowd, &mut other] {
        crowd.advance(0.1).unwrap();
        crowd.evaluate();
        crowd.shrink_to_fit();
        crowd.advance(0.1).unwrap();
        crowd.evaluate();
    }
    assert_eq!(bits(crowd.palettes()), bits(other.palettes()));
}
