//! Changes of many at once: what one by one does, on any threads, and all or nothing.

use std::sync::LazyLock;

use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use throng_crowd::{AtEnd, Crowd, CrowdError, InstanceId, Playback, Threads};

use crate::make::{MODES, crowd, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

static THREE: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().unwrap());

/// Three instances of four, in order and not.
fn filled(slots: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = crowd(&DURATIONS_S);
    let mut ids: Vec<_> = (0..slots).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    for gone in ids.extract_if(.., |id| id.slot() % 4 == 1) {
        crowd.despawn(gone).unwrap();
    }
    (crowd, ids)
}

fn all(crowd: &Crowd, ids: &[InstanceId]) -> Vec<(Playback, i64)> {
    ids.iter().map(|id| (crowd.playback(*id).unwrap(), crowd.passes(*id).unwrap())).collect()
}

/// A change of some of the fields, another for every `seed` and slot.
fn changed(seed: u32, id: InstanceId, playback: Playback) -> Playback {
    let dice = (id.slot() as u32 + 1).wrapping_mul(seed | 1) >> 3;
    let mut playback = playback;
    match dice % 6 {
        0 => playback.clip = (dice as usize >> 3) % 2,
        1 => playback.time_s = f64::from(dice >> 8) * 1e-4 - 5.0,
        2 => playback.speed = (dice >> 4 & 15) as f32 - 7.0,
        3 => playback.wrap = MODES[dice as usize % 3],
        4 => playback.weight = (dice >> 4 & 3) as f32,
        _ => playback.at_end = AtEnd::Rest,
    }
    playback
}

proptest! {
    #[test]
    fn many_are_changed_as_one_is(seed in any::<u32>(), count in 1..300usize, step in 0.0..3.0f64) {
        let (mut crowd, ids) = filled(count);
        crowd.advance(step).unwrap();
        let mut one = filled(count).0;
        one.advance(step).unwrap();
        let expected: Vec<_> = ids
            .iter()
            .map(|id| {
                let old = crowd.playback(*id).unwrap();
                let new = changed(seed, *id, old);
                // A new instance tells what its time means where it begins anew.
                let fresh = crowd.spawn(new).unwrap();
                let begun = (crowd.playback(fresh).unwrap(), crowd.passes(fresh).unwrap());
                crowd.despawn(fresh).unwrap();
                // One that is not begins anew; what else changes goes on from where it is.
                if old.clip != new.clip {
                    return begun;
                }
                if old.wrap != new.wrap {
                    one.set_wrap(*id, new.wrap).unwrap();
                }
                if old.time_s != new.time_s {
                    one.seek_played(*id, new.time_s).unwrap();
                }
                let now = one.playback(*id).unwrap();
                (Playback { time_s: now.time_s, ..new }, one.passes(*id).unwrap())
            })
            .collect();
        let (mut some, mut one) = (filled(count).0, filled(count).0);
        some.advance(step).unwrap();
        one.advance(step).unwrap();
        THREE.install(|| crowd.update_all(|id, playback| changed(seed, id, playback))).unwrap();
        prop_assert_eq!(&all(&crowd, &ids), &expected);
        one.set_threads(Threads::One);
        one.update_all(|id, playback| changed(seed, id, playback)).unwrap();
        prop_assert_eq!(&all(&one, &ids), &expected);
        let untouched = all(&some, &ids);
        let half = ids.len() / 2;
        some.update(&ids[..half], |id, playback| changed(seed, id, playback)).unwrap();
        prop_assert_eq!(&all(&some, &ids)[..half], &expected[..half]);
        prop_assert_eq!(&all(&some, &ids)[half..], &untouched[half..]);
    }
}

#[test]
fn the_first_that_cannot_be_is_named_and_none_changes() {
    for threads in [Threads::One, Threads::Pool] {
        let (mut crowd, ids) = filled(1000);
        crowd.set_threads(threads);
        let before = all(&crowd, &ids);
        let refused = crowd.update_all(|id, playback| {
            let clip = if id.slot() >= 500 { id.slot() } else { 1 };
            Playback { clip, speed: 3.0, ..playback }
        });
        assert_eq!(refused, Err(CrowdError::NoSuchClip { clip: 500, clips: 2 }));
        let refused = crowd.update(&ids, |_, playback| Playback { additive: true, ..playback });
        assert_eq!(refused, Err(CrowdError::AdditiveMain { clip: before[0].0.clip }));
        assert_eq!(all(&crowd, &ids), before);
    }
}

#[test]
fn whose_main_playback_is_over_is_passed_over_or_named() {
    let (mut crowd, ids) = filled(8);
    crowd.stop(ids[2]).unwrap();
    crowd.update_all(|_, playback| Playback { speed: 5.0, ..playback }).unwrap();
    assert_eq!(crowd.playback(ids[3]).unwrap().speed, 5.0);
    let refused = crowd.update(&ids, |_, playback| Playback { speed: 6.0, ..playback });
    assert_eq!(refused, Err(CrowdError::NoMain { id: ids[2] }));
    assert_eq!(crowd.playback(ids[3]).unwrap().speed, 5.0);
}
