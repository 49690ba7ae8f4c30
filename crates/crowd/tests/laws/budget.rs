//! Reports and budgets by a clock that the test turns; and that any mixture of details keeps every instance in one count.

use std::cell::Cell;

use proptest::prelude::*;
use throng_crowd::{Crowd, Detail, InstanceId, SkipFrozen, Threads};
use throng_tracks::JointIndex;

use crate::make::{crowd, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

thread_local! {
    static NOW_MS: Cell<f64> = const { Cell::new(0.0) };
}

/// Every look at it takes a millisecond.
fn clock() -> f64 {
    NOW_MS.with(|now| {
        now.set(now.get() + 1.0);
        now.get()
    })
}

fn filled(count: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = crowd(&DURATIONS_S);
    crowd.set_clock_ms(Some(clock));
    crowd.set_threads(Threads::One);
    let ids = (0..count).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    (crowd, ids)
}

#[test]
fn stages_are_timed_on_request() {
    let (mut crowd, _) = filled(10);
    crowd.advance(0.1).unwrap();
    crowd.evaluate();
    assert_eq!((crowd.report().ms, NOW_MS.get()), (None, 0.0));
    crowd.measure(true);
    crowd.advance(0.1).unwrap();
    crowd.evaluate();
    let ms = crowd.report().ms.unwrap();
    assert_eq!((ms.advance, ms.select, ms.pose, ms.settle, ms.sum()), (1.0, 1.0, 1.0, 1.0, 4.0));
    assert_eq!(crowd.report().instances(), 10);
    crowd.set_clock_ms(None);
    crowd.advance(0.1).unwrap();
    crowd.evaluate();
    let ms = crowd.report().ms.unwrap();
    assert!(ms.sum().is_finite() && ms.pose >= 0.0);
    crowd.measure(false);
    crowd.evaluate();
    assert_eq!(crowd.report().ms, None);
}

#[test]
fn a_budget_that_cannot_be_met_makes_all_wait_and_one_that_is_nobody() {
    let (mut crowd, ids) = filled(4000);
    // By the clock every evaluation takes 3 ms, however few poses are left of it: so it goes down as far as a budget does, for
    // the important too.
    crowd.set_skip_frozen(SkipFrozen::Never);
    crowd.set_budget_ms(Some(1.0)).unwrap();
    crowd.set_detail_many(&ids[..100], Detail { importance: 256.0, ..Detail::default() }).unwrap();
    crowd.set_detail_many(&ids[100..200], Detail { interval: 100, ..Detail::default() }).unwrap();
    crowd.set_visible_many(&ids[200..400], false).unwrap();
    let mut times = vec![0; ids.len()];
    for frame in 0..300 {
        crowd.advance(0.01).unwrap();
        crowd.evaluate();
        if frame >= 100 {
            crowd.changed().iter().for_each(|slot| times[*slot as usize] += 1);
        }
        let report = crowd.report();
        assert_eq!((report.instances(), report.hidden), (4000, 200));
        assert_eq!(report.evaluated, crowd.changed().len());
    }
    for (slot, times) in times.into_iter().enumerate() {
        let expected = match slot {
            100..200 => 2..=2,
            200..400 => 0..=0,
            _ => 6..=7,
        };
        assert!(expected.contains(&times), "slot {slot} was posed {times} times");
    }
    // With time enough all are, but for those that were to wait.
    crowd.set_budget_ms(Some(1e9)).unwrap();
    for _ in 0..100 {
        crowd.evaluate();
    }
    assert!((3700..3710).contains(&crowd.report().evaluated), "{:?}", crowd.report());
}

#[test]
fn without_a_budget_nobody_waits_longer_than_told() {
    let interval = |slot: usize| 1 + slot as u8 % 4;
    for frames in [1, 2, 5, 40, 77] {
        let [(mut crowd, ids), (mut plain, _)] = [(); 2].map(|()| filled(1000));
        for crowd in [&mut crowd, &mut plain] {
            let of = |id: InstanceId| Detail {
                interval: interval(id.slot()),
                smooth: id.slot().is_multiple_of(3),
                ..Detail::default()
            };
            crowd.set_detail_all(|id, _| of(id)).unwrap();
        }
        crowd.set_budget_ms(Some(0.0)).unwrap();
        let mut outs = [&crowd, &plain].map(|crowd| vec![0.0; crowd.output_floats()]);
        let mut step = |[crowd, plain]: [&mut Crowd; 2]| {
            for (crowd, out) in [crowd, plain].into_iter().zip(&mut outs) {
                crowd.advance(0.01).unwrap();
                crowd.evaluate();
                crowd.evaluate_into(out).unwrap();
            }
        };
        for _ in 0..frames {
            step([&mut crowd, &mut plain]);
        }
        assert!(frames < 5 || crowd.report().held > 900, "{:?}", crowd.report());
        crowd.set_budget_ms(None).unwrap();
        let mut waits = vec![0; ids.len()];
        for frame in 0..12 {
            step([&mut crowd, &mut plain]);
            // Smooth ones are written in each frame.
            waits.iter_mut().for_each(|wait| *wait += 1);
            crowd.changed().iter().for_each(|slot| waits[*slot as usize] = 0);
            for (slot, wait) in waits.iter().enumerate() {
                assert!(*wait < interval(slot), "slot {slot} waits {wait} frames");
            }
            // Each is in step again when its own interval is over.
            let [found, expected] = [&crowd, &plain].map(|crowd| crowd.report().evaluated);
            assert!(if frame < 4 { found >= expected } else { found == expected }, "{found}, not {expected}");
            assert!(frame < 4 || crowd.changed() == plain.changed());
        }
    }
}

#[test]
fn the_same_times_give_the_same_frames() {
    let run = || {
        NOW_MS.set(0.0);
        let (mut crowd, _) = filled(500);
        crowd.set_budget_ms(Some(2.0)).unwrap();
        let mut all = Vec::new();
        for _ in 0..50 {
            crowd.advance(0.01).unwrap();
            crowd.evaluate();
            all.extend_from_slice(crowd.changed());
        }
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn times_and_details_that_cannot_be_change_nothing() {
    let (mut crowd, ids) = filled(3);
    for ms in [-1.0, f64::NAN, f64::INFINITY] {
        let said = crowd.set_budget_ms(Some(ms)).unwrap_err().to_string();
        assert!(said.starts_with("ms must "), "{said}");
    }
    let plain = Detail::default();
    for (detail, expected) in [
        (Detail { share_s: -0.5, ..plain }, "share_s must not be negative, but is -0.5"),
        (Detail { share_s: f32::NAN, ..plain }, "share_s must be finite, but is NaN"),
        (Detail { importance: f32::INFINITY, ..plain }, "importance must be finite, but is inf"),
        (Detail { importance: -2.0, ..plain }, "importance must not be negative, but is -2"),
    ] {
        assert_eq!(crowd.set_detail(ids[1], detail).unwrap_err().to_string(), expected);
        assert_eq!(crowd.detail(ids[1]), Ok(plain));
    }
}

fn details() -> impl Strategy<Value = Detail> {
    let interval = prop_oneof![3 => 1..5u8, 1 => Just(u8::MAX)];
    let share_s = prop_oneof![2 => Just(0.0f32), 1 => 0.0001..0.5f32];
    (interval, 0..3u8, any::<bool>(), share_s, 0.0..100.0f32).prop_map(
        |(interval, level, smooth, share_s, importance)| Detail {
            interval,
            level,
            smooth,
            share_s,
            importance,
        },
    )
}

proptest! {
    #[test]
    fn each_instance_is_counted_once(
        count in 1..80usize,
        frames in prop::collection::vec((any::<prop::sample::Index>(), details(), 0..8u8), 1..40),
        budget in prop::option::of(0.0..3.0f64),
    ) {
        let (mut crowd, ids) = filled(count);
        crowd.keep_previous(true);
        crowd.set_joint_levels(&[JointIndex(0)], &[1, 0]).unwrap();
        crowd.set_budget_ms(budget).unwrap();
        for (index, detail, act) in frames {
            let id = ids[index.index(count)];
            match act {
                0 => crowd.set_visible(id, false).unwrap(),
                1 => crowd.set_visible(id, true).unwrap(),
                2 => drop(crowd.crossfade(id, playback(id.slot() + 1, 2), 0.05).unwrap()),
                3 => crowd.refresh(),
                _ => crowd.set_detail(id, detail).unwrap(),
            }
            crowd.advance(0.02).unwrap();
            crowd.evaluate();
            let report = crowd.report();
            prop_assert_eq!(report.instances(), count);
            prop_assert_eq!(report.hidden, ids.iter().filter(|id| !crowd.is_visible(**id).unwrap()).count());
            prop_assert!(crowd.changed().is_sorted_by(|a, b| a < b));
            prop_assert!(crowd.changed().iter().all(|slot| crowd.is_visible(ids[*slot as usize]).unwrap()));
            prop_assert!(crowd.palettes().iter().all(|v| v.is_finite()));
            // Nobody is without a palette once it was visible in a frame, and nobody is far from where it should be.
            for id in ids.iter().filter(|id| crowd.is_visible(**id).unwrap()) {
                let x = crowd.palette(*id).unwrap()[3];
                prop_assert!((-1e-5..=2.1 + 1e-5).contains(&x), "{}: {}", id, x);
            }
        }
    }
}
