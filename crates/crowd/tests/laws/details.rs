//! Details of many: work that is even, bits that are the same on any threads, and what is refused.

use throng_crowd::{Detail, Playback, SkipFrozen, Threads};

use crate::make::{bits, crowd, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

fn every(interval: u8) -> Detail {
    Detail { interval, ..Detail::default() }
}

#[test]
fn every_frame_has_about_the_same_work() {
    for interval in [2, 3, 4, 8, 15] {
        let mut crowd = crowd(&DURATIONS_S);
        crowd.set_skip_frozen(SkipFrozen::Never);
        let ids: Vec<_> = (0..3000).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
        crowd.evaluate();
        // Every third, as if by distance.
        let far: Vec<_> = ids.iter().copied().filter(|id| id.slot() % 3 == 0).collect();
        crowd.set_detail_many(&far, every(interval)).unwrap();
        // The first makes up for not knowing who was posed in the frame before.
        crowd.evaluate();
        let mut times = vec![0; ids.len()];
        for frame in 0..2 * u32::from(interval) {
            crowd.evaluate();
            let share = far.len() / usize::from(interval);
            let found = crowd.report().evaluated - (ids.len() - far.len());
            assert!(found.abs_diff(share) <= 3, "interval {interval}, frame {frame}: {found}, not {share}");
            crowd.changed().iter().for_each(|slot| times[*slot as usize] += 1);
        }
        for id in ids {
            let expected = if id.slot() % 3 == 0 { 2 } else { 2 * usize::from(interval) };
            assert_eq!(times[id.slot()], expected, "{id}");
        }
    }
}

#[test]
fn threads_and_shards_change_nothing() {
    let pools =
        [1, 2, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let run = |threads: Threads, shard: Option<usize>| {
        let mut crowd = crowd(&DURATIONS_S);
        crowd.set_threads(threads);
        crowd.set_shard_slots(shard);
        for i in 0..1000 {
            crowd.spawn(playback(i, 2)).unwrap();
        }
        crowd.set_joint_levels(&[throng_tracks::JointIndex(0)], &[1]).unwrap();
        crowd
            .set_detail_all(|id, _| Detail {
                level: (id.slot() / 3 % 2) as u8,
                smooth: id.slot() % 4 == 1,
                share_s: if id.slot() % 4 == 2 { 0.05 } else { 0.0 },
                ..every(1 + id.slot() as u8 % 7)
            })
            .unwrap();
        let mut all = Vec::new();
        for _ in 0..8 {
            crowd.advance(0.03).unwrap();
            all.extend(bits(crowd.evaluate()));
            all.extend(crowd.changed());
        }
        all
    };
    let expected = run(Threads::One, None);
    for pool in &pools {
        for shard in [None, Some(16), Some(100), Some(usize::MAX)] {
            assert!(pool.install(|| run(Threads::Pool, shard)) == expected, "{pool:?}, {shard:?}");
        }
    }
}

#[test]
fn details_that_cannot_be_change_nothing() {
    let mut crowd = crowd(&DURATIONS_S);
    let ids: Vec<_> = (0..600).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    let said = "the interval is 0, but an instance is posed in every frame at most, which is 1";
    assert_eq!(crowd.set_detail(ids[0], every(0)).unwrap_err().to_string(), said);
    assert_eq!(crowd.set_detail_many(&ids, every(0)).unwrap_err().to_string(), said);
    for threads in [Threads::One, Threads::Pool] {
        crowd.set_threads(threads);
        let refused = crowd.set_detail_all(|id, _| every(if id.slot() < 599 { 3 } else { 0 }));
        assert_eq!(refused.unwrap_err().to_string(), said);
    }
    assert!(ids.iter().all(|id| crowd.detail(*id) == Ok(Detail::default())));
    // A slot's next instance has nothing of it.
    crowd.set_detail(ids[7], every(9)).unwrap();
    crowd.despawn(ids[7]).unwrap();
    let next = crowd.spawn(Playback::default()).unwrap();
    assert_eq!((next.slot(), crowd.detail(next)), (7, Ok(Detail::default())));
}
