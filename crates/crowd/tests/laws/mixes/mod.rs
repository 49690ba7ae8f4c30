//! Playbacks, fades and ends under any controls, against a plain model of one instance.

mod model;

use throng_crowd::{AtEnd, Crossfade, Crowd, CrowdError, Playback, PlaybackId, Target, Threads};
use throng_kernels::Level;
use throng_tracks::WrapMode;

use crate::make::{Dice, MODES, bank_with_additive, plan};
use model::{DURATIONS_S, Layer, Model};

/// What a crowd is asked for here.
trait Asking {
    fn playback(&mut self) -> Playback;
    fn seconds(&mut self) -> f32;
}

impl Asking for Dice {
    fn playback(&mut self) -> Playback {
        Playback {
            clip: self.roll(2),
            time_s: self.roll(64) as f64 / 32.0,
            speed: self.of(&[1.0, 0.5, -1.0, 2.0, 0.0]),
            wrap: self.of(&MODES),
            at_end: self.of(&[AtEnd::Hold, AtEnd::Hold, AtEnd::Rest, AtEnd::Remove]),
            ..Playback::default()
        }
    }

    fn seconds(&mut self) -> f32 {
        self.of(&[0.0, 0.25, 0.5, 1.0, 8.0])
    }
}

fn check(crowd: &Crowd, model: &Model) {
    let mut found: Vec<PlaybackId> = crowd.playbacks(model.id).unwrap().collect();
    found.sort_unstable();
    let mut expected: Vec<PlaybackId> = model.layers.iter().map(|l| l.id).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(crowd.main_playback(model.id).ok(), model.main);
    let mut sum = 0.0;
    for l in &model.layers {
        let playback = crowd.playback(l.id).unwrap();
        assert!(
            (f64::from(playback.weight) - l.weight()).abs() < 1e-5,
            "{}: {} {}",
            l.id,
            playback.weight,
            l.weight()
        );
        assert_eq!(playback.time_s, l.time_s, "{}", l.id);
        sum += if l.main { f64::from(playback.weight) } else { 0.0 };
    }
    if model.whole {
        assert!((sum - 1.0).abs() < 1e-5, "{}: weights sum to {sum}", model.id);
    }
}

/// One control on a random instance; told to the model as well.
fn control(dice: &mut Dice, crowd: &mut Crowd, model: &mut Model) {
    let at = dice.roll(model.layers.len().max(1));
    let some = model.layers.get(at).map(|l| l.id);
    let seconds = dice.seconds();
    let additive = dice.roll(2) == 0;
    match (dice.roll(12), some) {
        (0, _) => {
            let playback = dice.playback();
            let weight = dice.of(&[0.0, 0.25, 1.0, 3.0]);
            let playback =
                Playback { clip: playback.clip + 2 * usize::from(additive), weight, additive, ..playback };
            let begun = crowd.fade_in(model.id, playback, seconds);
            if model.layers.len() < 4 {
                model.layers.push(Layer::new(begun.unwrap(), clamped(playback), seconds.into(), false));
            } else {
                assert_eq!(begun, Err(CrowdError::TooManyPlaybacks { id: model.id }));
            }
        }
        (1..=4, _) => {
            let playback = dice.playback();
            let begun = crowd.crossfade(model.id, playback, seconds);
            if model.crossfade(seconds.into(), |id| crowd.playback(id).is_err()) {
                let begun = begun.unwrap();
                // A mix that was not whole is again when nothing of it is left.
                model.whole |= !model.layers.iter().any(|l| l.main);
                model.layers.push(Layer::new(begun, clamped(playback), seconds.into(), true));
                model.main = Some(begun);
            } else {
                assert_eq!(begun, Err(CrowdError::TooManyPlaybacks { id: model.id }));
            }
            if model.layers.iter().filter(|l| l.main).count() == 1 {
                model.whole = seconds == 0.0;
            }
        }
        (5, Some(id)) if dice.roll(3) == 0 => {
            crowd.stop(id).unwrap();
            model.stop(at);
        }
        (6, Some(id)) if dice.roll(3) == 0 => {
            crowd.fade_out(id, seconds).unwrap();
            if seconds == 0.0 {
                model.stop(at);
            } else {
                let l = &mut model.layers[at];
                l.go(0.0, seconds.into());
                l.leaves = true;
                model.whole &= !l.main;
            }
        }
        (7, Some(id)) if dice.roll(3) == 0 => {
            let weight = dice.of(&[0.0, 0.5, 1.0, 2.0]);
            crowd.fade(id, weight, seconds).unwrap();
            let l = &mut model.layers[at];
            l.go(weight.into(), seconds.into());
            model.whole &= !l.main;
        }
        (8, Some(id)) => {
            let speed = dice.of(&[1.0, 0.5, -1.0, 2.0, 0.0]);
            crowd.set_speed(id, speed).unwrap();
            model.layers[at].set_speed(speed);
        }
        (9, Some(id)) => {
            let time_s = dice.roll(64) as f64 / 32.0;
            crowd.seek_played(id, time_s).unwrap();
            let l = &mut model.layers[at];
            l.time_s = clamped(Playback { time_s, ..l.playback }).time_s;
            l.finished = false;
        }
        (10, _) => {
            assert!(crowd.fade(model.id, f32::NAN, 0.5).is_err());
            assert!(crowd.crossfade(model.id, Playback { clip: 9, ..Playback::default() }, 0.0).is_err());
            assert!(crowd.crossfade(model.id, Playback::default(), f32::NAN).is_err());
        }
        _ => {
            crowd.set_visible(model.id, additive).unwrap();
        }
    }
}

/// A clip that plays once begins inside of itself.
fn clamped(playback: Playback) -> Playback {
    let end = DURATIONS_S[playback.clip];
    let time_s =
        if playback.wrap == WrapMode::Clamp { playback.time_s.clamp(0.0, end) } else { playback.time_s };
    Playback { time_s, ..playback }
}

#[test]
fn any_controls_keep_weights_and_poses_whole() {
    let calls = 1_000_000;
    let bank = bank_with_additive(&DURATIONS_S[..2].iter().map(|d| *d as f32).collect::<Vec<_>>());
    let mut crowd = Crowd::with_plan(plan(bank), Level::detect());
    crowd.set_threads(Threads::One);
    let mut dice = Dice::new(0x9e37_79b9_7f4a_7c15);
    let mut models: Vec<Model> = (0..40)
        .map(|_| {
            let id = crowd.spawn(Playback::default()).unwrap();
            let main = crowd.main_playback(id).unwrap();
            let layer = Layer::new(main, Playback::default(), 0.0, true);
            Model { id, layers: vec![layer], main: Some(main), whole: true }
        })
        .collect();
    let mut wholes = 0;
    for call in 0..calls {
        let at = dice.roll(models.len());
        control(&mut dice, &mut crowd, &mut models[at]);
        check(&crowd, &models[at]);
        wholes += usize::from(models[at].whole && models[at].layers.len() > 1);
        if call % 16 == 0 {
            let dt = dice.of(&[1.0, 4.0, 4.0, 9.0, 16.0, 0.0]) / 64.0;
            crowd.advance(dt).unwrap();
            models.iter_mut().for_each(|model| model.advance(dt));
            let at = dice.roll(models.len());
            check(&crowd, &models[at]);
        }
        if call % 256 == 0 {
            models.iter().for_each(|model| check(&crowd, model));
            assert!(crowd.evaluate().iter().all(|f| f.is_finite()));
        }
        if dice.roll(200) == 0 {
            let old = models.swap_remove(dice.roll(models.len()));
            crowd.despawn(old.id).unwrap();
            for l in &old.layers {
                assert_eq!(crowd.playback(l.id), Err(CrowdError::Despawned { id: old.id }));
            }
            let playback = Playback { at_end: AtEnd::Hold, ..dice.playback() };
            let id = crowd.spawn(playback).unwrap();
            let main = crowd.main_playback(id).unwrap();
            let layer = Layer::new(main, clamped(playback), 0.0, true);
            models.push(Model { id, layers: vec![layer], main: Some(main), whole: true });
        }
    }
    assert!(wholes > calls / 50, "only {wholes} of {calls} were whole mixes of several");
}

#[test]
fn a_crossfade_takes_three_tenths_of_a_second_unless_told() {
    assert_eq!(Crossfade::default(), Crossfade::from(0.3));
    let target = |target: Target| target;
    let mut crowd = crate::make::crowd(&[1.0]);
    let id = crowd.spawn(Playback::default()).unwrap();
    let main = crowd.main_playback(id).unwrap();
    assert_eq!((target(id.into()).instance(), target(main.into()).instance(), main.instance()), (id, id, id));
    crowd.crossfade(id, Playback::default(), Crossfade::default()).unwrap();
    crowd.advance(0.15).unwrap();
    assert!((crowd.playback(main).unwrap().weight - 0.5).abs() < 1e-6);
    crowd.advance(0.15 + 1e-6).unwrap();
    assert_eq!(crowd.playback(main).unwrap_err().to_string(), "playback 0v1#1 is over");
    assert_eq!(crowd.playback(id).unwrap().weight, 1.0);
}
