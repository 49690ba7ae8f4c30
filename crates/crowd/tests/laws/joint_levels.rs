//! Levels of joints: the bits of a crowd over a plan whose other joints stand still, for each instance by its own level.

use std::sync::Arc;

use throng_crowd::{Crowd, CrowdError, Detail, InstanceId, Threads};
use throng_kernels::{Layout, Level, PaletteFormat, Plan, Stores};
use throng_tracks::{JointIndex, JointOrder};

use crate::make::{bank, bits, plan, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

fn at_level(level: u8) -> Detail {
    Detail { level, ..Detail::default() }
}

/// Some that play one clip, some that go over to another, and some that play nothing.
fn filled(plan: &Arc<Plan>, level: Level) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = Crowd::with_plan(Arc::clone(plan), level);
    let ids: Vec<_> = (0..200).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    for id in ids.iter().filter(|id| id.slot() % 3 == 0) {
        crowd.crossfade(*id, playback(id.slot() + 1, 2), 0.5).unwrap();
    }
    for id in ids.iter().filter(|id| id.slot() % 11 == 0) {
        crowd.stop(*id).unwrap();
    }
    crowd.advance(0.123).unwrap();
    (crowd, ids)
}

#[test]
fn each_has_the_bits_of_its_level() {
    let plan = plan(bank(&DURATIONS_S));
    let stills = [vec![], vec![JointIndex(1)], vec![JointIndex(0)]];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for level in Level::available() {
        for format in PaletteFormat::ALL {
            let alone = stills.each_ref().map(|still| {
                let (mut crowd, _) = filled(&Arc::new(plan.with_still(still).unwrap()), level);
                crowd.set_layout(Layout::new(format)).unwrap();
                bits(crowd.evaluate())
            });
            assert!(alone[0] != alone[1] && alone[1] != alone[2]);
            let (mut crowd, ids) = filled(&plan, level);
            crowd.set_layout(Layout::new(format)).unwrap();
            crowd.set_joint_levels(&[JointIndex(0), JointIndex(1)], &[1, 0]).unwrap();
            assert_eq!(crowd.joint_levels(), 3);
            crowd.set_detail_all(|id, _| at_level(id.slot() as u8 / 5 % 3)).unwrap();
            for (threads, shard) in [
                (Threads::One, None),
                (Threads::Pool, None),
                (Threads::Pool, Some(16)),
                (Threads::Pool, Some(100)),
            ] {
                crowd.set_threads(threads);
                crowd.set_shard_slots(shard);
                for stores in [Stores::Cached, Stores::Streaming] {
                    crowd.set_stores(Some(stores));
                    let found = bits(pool.install(|| crowd.evaluate()));
                    let floats = crowd.palette_floats();
                    for id in &ids {
                        let here = id.slot() * floats..(id.slot() + 1) * floats;
                        let expected = &alone[id.slot() / 5 % 3][here.clone()];
                        assert_eq!(
                            &found[here], expected,
                            "{level}, {format:?}, {threads:?}, {shard:?}, {id}"
                        );
                    }
                }
            }
        }
        println!("level {level}: ran");
    }
}

#[test]
fn levels_that_cannot_be_change_nothing() {
    let (mut crowd, ids) = filled(&plan(bank(&DURATIONS_S)), Level::detect());
    let said = |refused: Result<(), CrowdError>| refused.unwrap_err().to_string();
    let words = "there is no level 1 of joints: the crowd has 1, counted from 0";
    let no_level = |id| format!("instance {id}: {words}");
    assert_eq!(said(crowd.set_detail(ids[7], at_level(1))), no_level(ids[7]));
    assert_eq!(said(crowd.set_detail_many(&ids[5..], at_level(1))), no_level(ids[5]));
    let refused = crowd.set_detail_all(|id, _| at_level(u8::from(id.slot() >= 9)));
    assert_eq!(said(refused), no_level(ids[9]));
    assert_eq!(said(crowd.set_detail_many(&[], at_level(1))), words);
    let all = [JointIndex(0), JointIndex(2)];
    let no_joint = "there is no joint 2: the bank's skeleton has 2, counted from 0";
    assert_eq!(said(crowd.set_joint_levels(&all, &[1])), no_joint);
    let too_many = "256 levels of joints besides that of all, but there can be 255 at most";
    assert_eq!(said(crowd.set_joint_levels(&all[..1], &[0; 256])), too_many);
    assert_eq!((crowd.joint_levels(), crowd.detail(ids[0])), (1, Ok(Detail::default())));
    // With fewer levels, those of the last that was have the last that is.
    let twice = "joint 0 is named twice in the order of joints, at 0 and 2, counted from 0";
    assert_eq!(said(crowd.set_joint_levels(&[JointIndex(0), JointIndex(1), JointIndex(0)], &[1])), twice);
    let beyond = "level 1 of joints is to move 2, but the order has 1";
    assert_eq!(said(crowd.set_joint_levels(&all[..1], &[2])), beyond);
    assert_eq!(
        said(crowd.set_joint_levels(&all[..1], &[usize::MAX])),
        beyond.replace('2', &usize::MAX.to_string())
    );
    let grows = "level 3 of joints is to move 1, but level 2 moves 0: levels can't grow";
    assert_eq!(said(crowd.set_joint_levels(&all[..1], &[1, 0, 1])), grows);
    assert_eq!(crowd.joint_levels(), 1);
    crowd.set_joint_levels(&all[..1], &[1, 0]).unwrap();
    crowd.set_detail_many(&ids, at_level(2)).unwrap();
    let two = bits(crowd.evaluate());
    crowd.set_joint_levels(&all[..1], &[1]).unwrap();
    let one = bits(crowd.evaluate());
    crowd.set_joint_levels(&[], &[]).unwrap();
    let none = bits(crowd.evaluate());
    let (mut plain, _) = filled(crowd.plan(), Level::detect());
    assert!(none == bits(plain.evaluate()) && one != none && two != one);
}

#[test]
fn a_level_that_is_told_is_there() {
    let (mut crowd, ids) = filled(&plan(bank(&DURATIONS_S)), Level::detect());
    crowd.set_joint_levels(&[JointIndex(0)], &[1, 1, 0]).unwrap();
    crowd.set_detail_all(|id, _| at_level(id.slot() as u8 % 4)).unwrap();
    // More of them are no reason to go back.
    for levels in [3, 2, 3, 0, 2] {
        let before: Vec<u8> = ids.iter().map(|id| crowd.detail(*id).unwrap().level).collect();
        crowd.set_joint_levels(&[JointIndex(0)], &[1, 1, 0][..levels]).unwrap();
        for (id, before) in ids.iter().zip(before) {
            let detail = crowd.detail(*id).unwrap();
            assert_eq!(detail, at_level(before.min(levels as u8)), "{id}");
            crowd.set_detail(*id, Detail { interval: 2, ..detail }).unwrap();
            crowd.set_detail(*id, detail).unwrap();
        }
        crowd.set_detail_all(|_, detail| detail).unwrap();
    }
}

#[test]
fn an_order_has_parents_ahead_of_children() {
    let bank = bank(&DURATIONS_S);
    let order = JointOrder::by_extent(bank.skeleton());
    assert_eq!(order.joints(), [JointIndex(0), JointIndex(1)]);
    assert_eq!((order.reaching(0.0), order.reaching(1.0), order.reaching(1.1)), (2, 1, 0));
}
