//! Palettes: the same bits however a frame is split, each at its slot, and nothing else written.

use glam::Affine3A;
use proptest::prelude::*;
use throng_crowd::{Crowd, InstanceId, Playback, Threads};
use throng_kernels::{Level, PaletteJob, Plan, Scratch, Stores, palettes};
use throng_tracks::{Transform, model_matrices};

use crate::make::{bank, bits, crowd, plan, playback, still_bank};

const DURATIONS_S: [f32; 3] = [0.9, 2.1, 1.4];

/// `slots` instances of which only those live that `lives` says.
fn filled(level: Level, slots: usize, lives: impl Fn(usize) -> bool) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = Crowd::with_plan(plan(bank(&DURATIONS_S)), level);
    let ids: Vec<_> = (0..slots).map(|i| crowd.spawn(playback(i, 3)).unwrap()).collect();
    for id in ids.iter().filter(|id| !lives(id.slot())) {
        crowd.despawn(*id).unwrap();
    }
    (crowd, ids.into_iter().filter(|id| lives(id.slot())).collect())
}

/// What a slot that nobody writes holds in these tests.
const UNTOUCHED: f32 = -123.5;

fn into_own(crowd: &mut Crowd) -> Vec<u32> {
    let mut out = vec![UNTOUCHED; crowd.output_floats() + 5];
    crowd.evaluate_into(&mut out).unwrap();
    bits(&out)
}

/// The same, one instance at a time.
fn one_by_one(crowd: &Crowd, ids: &[InstanceId], level: Level) -> Vec<u32> {
    let plan: &Plan = crowd.plan();
    let mut out = vec![UNTOUCHED; crowd.output_floats() + 5];
    let mut scratch = Scratch::new(plan);
    for &id in ids {
        let clip = crowd.playback(id).unwrap().clip;
        let pair = [plan.bank().locate(clip, crowd.shown_s(id).unwrap())];
        let place = [id.slot() as u32];
        palettes(level, PaletteJob::new(plan, &pair, &place, &mut out).unwrap(), &mut scratch);
    }
    bits(&out)
}

#[test]
fn the_same_bits_on_any_threads_in_any_shards_at_every_level() {
    let pools: Vec<_> = [1, 2, 3, 8]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
        .into_iter()
        .collect();
    let patterns: [fn(usize) -> bool; 4] =
        [|_| true, |slot| slot % 3 != 1, |slot| !(16..80).contains(&slot), |slot| slot == 16];
    for level in Level::available() {
        for slots in [1, 15, 16, 17, 100, 1300] {
            for (at, lives) in patterns.into_iter().enumerate() {
                let (mut crowd, ids) = filled(level, slots, lives);
                crowd.advance(0.123).unwrap();
                let expected = one_by_one(&crowd, &ids, level);
                crowd.set_threads(Threads::One);
                assert_eq!(
                    into_own(&mut crowd),
                    expected,
                    "{level}, {slots} slots, pattern {at}, one thread"
                );
                crowd.set_threads(Threads::Pool);
                for shard in [None, Some(0), Some(16), Some(100), Some(usize::MAX)] {
                    crowd.set_shard_slots(shard);
                    for stores in [None, Some(Stores::Cached), Some(Stores::Streaming)] {
                        crowd.set_stores(stores);
                        for pool in &pools {
                            assert_eq!(
                                pool.install(|| into_own(&mut crowd)),
                                expected,
                                "{level}, {slots} slots, pattern {at}, shards {shard:?}, {stores:?}, {} threads",
                                pool.current_num_threads()
                            );
                        }
                    }
                }
            }
        }
        println!("level {level}: ran");
    }
}

proptest! {
    #[test]
    fn the_callers_buffer_gets_what_the_own_one_gets(lives in prop::collection::vec(any::<bool>(), 0..200)) {
        let (mut crowd, ids) = filled(Level::detect(), lives.len(), |slot| lives[slot]);
        crowd.advance(0.4).unwrap();
        let out = into_own(&mut crowd);
        let own = bits(crowd.evaluate());
        let floats = crowd.plan().palette_floats();
        prop_assert_eq!(own.len(), lives.len() * floats);
        for id in ids {
            let place = id.slot() * floats..(id.slot() + 1) * floats;
            prop_assert_eq!(&own[place.clone()], &out[place.clone()]);
            prop_assert_eq!(&own[place], bits(crowd.palette(id).unwrap()));
        }
    }
}

#[test]
fn palettes_are_the_models_of_the_bank() {
    let (mut crowd, ids) = filled(Level::detect(), 37, |slot| slot % 5 != 0);
    crowd.advance(0.321).unwrap();
    crowd.evaluate();
    let bank = crowd.bank();
    let (mut pose, mut models) = ([Transform::IDENTITY; 2], [Affine3A::IDENTITY; 2]);
    for id in ids {
        let clip = crowd.playback(id).unwrap().clip;
        bank.sample(bank.locate(clip, crowd.shown_s(id).unwrap()), &mut pose);
        model_matrices(bank.skeleton(), &pose, &mut models);
        for (joint, model) in models.iter().enumerate() {
            let palette = &crowd.palette(id).unwrap()[joint * 12..][..12];
            for (row, found) in palette.chunks(4).enumerate() {
                let m = model.matrix3;
                let expected = [m.x_axis[row], m.y_axis[row], m.z_axis[row], model.translation[row]];
                assert!(
                    found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5),
                    "{id}, joint {joint}, row {row}: {found:?}, not {expected:?}"
                );
            }
        }
    }
}

#[test]
fn an_empty_crowd_writes_nothing() {
    let mut crowd = crowd(&DURATIONS_S);
    crowd.advance(1.0).unwrap();
    assert!(crowd.evaluate().is_empty());
    assert_eq!(into_own(&mut crowd), bits(&[UNTOUCHED; 5]));
    crowd.evaluate_into(&mut []).unwrap();
    // Once somebody lived there, a slot stays.
    let id = crowd.spawn(Playback::default()).unwrap();
    crowd.despawn(id).unwrap();
    assert_eq!(crowd.evaluate(), [0.0; 24]);
    assert_eq!(into_own(&mut crowd), bits(&[UNTOUCHED; 29]));
}

#[test]
fn a_bank_that_nothing_moves_in_shows_its_pose() {
    let mut crowd = Crowd::with_plan(plan(still_bank()), Level::detect());
    let ids: Vec<_> = (0..17).map(|i| crowd.spawn(playback(i, 1)).unwrap()).collect();
    crowd.advance(0.3).unwrap();
    crowd.evaluate();
    for id in ids {
        let palette = crowd.palette(id).unwrap();
        assert_eq!((palette[3], palette[7], palette[12 + 7]), (0.5, 0.5, 1.5), "{id}");
    }
}

#[test]
fn the_own_buffer_is_whole_lines_and_grows() {
    let mut crowd = crowd(&DURATIONS_S);
    for count in [1, 2, 40, 1000] {
        while crowd.len() < count {
            crowd.spawn(playback(crowd.len(), 3)).unwrap();
        }
        let floats = crowd.evaluate().len();
        assert_eq!(floats, count * 24);
        assert_eq!(crowd.palettes().as_ptr().addr() % 64, 0);
        let bytes = crowd.palette_bytes();
        assert_eq!(bytes.len(), floats * 4);
        assert_eq!(bytes[bytes.len() - 4..], crowd.palettes()[floats - 1].to_ne_bytes());
    }
}
