//! Frames allocate nothing once the buffers have grown. A program of its own rather than tests: the threads of a test
//! harness would be counted too.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};
use throng_crowd::{After, Crowd, Detail, EventKind, InstanceId, Playback, Threads, World};
use throng_kernels::{JointSphere, PlanOptions, Stores, WorldFold};
use throng_tracks::tools::RootMotion;
use throng_tracks::{
    BakeOptions, Channel, Clip, Interpolation, Joint, JointIndex, Marker, Posable, Rest, Skeleton, Skin,
    Track,
};
use throng_tracks::{Placement, Transform, bake};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn crowd() -> (Crowd, Vec<InstanceId>) {
    let root = Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
    let skeleton = Skeleton::new([root]).unwrap();
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let track = Track::new("t", Channel::Translation, Interpolation::Linear, [0.0, 1.0], values).unwrap();
    let step = |time_s| Marker { time_s, name: "step".into(), payload: 7 };
    let clip = Clip::new("slide", &skeleton, [(JointIndex(0), track)]).unwrap();
    let clip = clip.with_markers([step(0.25), step(0.75)]).unwrap();
    let options = BakeOptions { root_motion: Some(RootMotion::of("root")), ..BakeOptions::default() };
    let (bank, _) = bake(&skeleton, &[clip], &options).unwrap();
    let mut crowd = Crowd::new(bank.into(), &Skin::model_space(&skeleton)).unwrap();
    let spawn = |i: usize| Playback { time_s: i as f64 * 0.01, ..Playback::default() };
    let ids = (0..5000).map(|i| crowd.spawn(spawn(i)).unwrap()).collect();
    (crowd, ids)
}

/// Frames in which instances come and go.
fn frames(crowd: &mut Crowd, ids: &mut [InstanceId], out: &mut [f32], steps: &mut [Placement], count: usize) {
    for frame in 0..count {
        for id in ids.iter_mut().skip(frame % 7).step_by(50) {
            crowd.despawn(*id).unwrap();
        }
        crowd.set_stores(Some(if frame % 2 == 0 { Stores::Cached } else { Stores::Streaming }));
        crowd.advance(1.0 / 60.0).unwrap();
        if crowd.joint_levels() > 1 {
            crowd.set_detail_all(|id, _| detail(id.slot(), frame)).unwrap();
        }
        crowd.root_motion_into(steps).unwrap();
        crowd.move_places(steps).unwrap();
        crowd.evaluate();
        for id in ids.iter_mut().skip(frame % 7).step_by(50) {
            *id = crowd.spawn(Playback::default()).unwrap();
        }
        crowd.update_all(|id, playback| Playback { speed: id.slot() as f32 * 0.001, ..playback }).unwrap();
        // Events of every kind.
        for id in ids.iter().skip(frame % 13).step_by(60) {
            crowd.pause(*id).unwrap();
            crowd.resume(*id).unwrap();
            let layer = crowd.play_after(*id, Playback::default(), 0.1, *id, After::Ran(0.02)).unwrap();
            crowd.fade_out(layer, 0.0).unwrap();
            assert!(!crowd.events().is_empty());
        }
        // Fades that begin and end.
        for id in ids.iter().skip(frame % 11).step_by(40) {
            crowd.crossfade(*id, Playback::default(), 0.1).unwrap();
        }
        crowd.evaluate_into(out).unwrap();
    }
}

/// All that there is of it, another for every slot and now and then.
fn detail(slot: usize, frame: usize) -> Detail {
    Detail {
        interval: 1 + (slot % 5) as u8,
        level: (slot % 7 == frame % 7) as u8,
        smooth: (slot / 5).is_multiple_of(3),
        share_s: if (slot / 5) % 3 == 1 { 0.02 } else { 0.0 },
        importance: 1.0 + (slot % 3) as f32,
    }
}

/// What 200 frames allocate after a few to warm up.
fn stats(crowd: &mut Crowd, ids: &mut [InstanceId]) -> Stats {
    let mut out = vec![0.0; crowd.output_floats()];
    let mut steps = vec![Placement::IDENTITY; crowd.slot_count()];
    frames(crowd, ids, &mut out, &mut steps, 70);
    let region = Region::new(ALLOCATOR);
    frames(crowd, ids, &mut out, &mut steps, 200);
    region.change()
}

/// What 200 frames with sockets, bounds, matrices and given poses allocate after a few to warm up.
fn extras_stats(threads: Threads) -> Stats {
    let root = Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
    let skeleton = Skeleton::new([root]).unwrap();
    let clip = Clip::new("still", &skeleton, []).unwrap();
    let options = BakeOptions { posable: Posable::All, ..BakeOptions::default() };
    let (bank, _) = bake(&skeleton, &[clip], &options).unwrap();
    let spheres = [JointSphere { joint: JointIndex(0), radius: 1.0 }];
    let options = PlanOptions { sockets: &[JointIndex(0)], spheres: &spheres, ..PlanOptions::default() };
    let mut crowd = Crowd::with_options(bank.into(), &Skin::model_space(&skeleton), &options).unwrap();
    crowd.set_threads(threads);
    crowd.keep_sockets(true).unwrap();
    crowd.keep_bounds(true).unwrap();
    crowd.fold_worlds(Some(WorldFold::All)).unwrap();
    let mut ids: Vec<InstanceId> = (0..2000).map(|_| crowd.spawn(Playback::external()).unwrap()).collect();
    let pose = [Transform::IDENTITY];
    let mut frames = |count: usize| {
        for frame in 0..count {
            for id in ids.iter_mut().skip(frame % 7).step_by(50) {
                crowd.despawn(*id).unwrap();
                *id = crowd.spawn(Playback::external()).unwrap();
            }
            for id in &ids {
                crowd.set_pose(*id, &pose).unwrap();
                crowd.set_world(*id, glam::Affine3A::from_scale(glam::Vec3::splat(2.0))).unwrap();
            }
            for id in ids.iter().skip(frame % 11).step_by(40) {
                crowd.crossfade(*id, Playback::default(), 0.1).unwrap();
            }
            crowd.advance(1.0 / 60.0).unwrap();
            crowd.evaluate();
        }
    };
    frames(20);
    let region = Region::new(ALLOCATOR);
    frames(200);
    region.change()
}

/// What 200 frames of a world allocate after a few to warm up.
fn world_stats(threads: Threads) -> Stats {
    let mut world = World::new();
    for _ in 0..5 {
        world.add(crowd().0);
    }
    world.set_threads(threads);
    let mut frames = |count: usize| {
        for frame in 0..count {
            world.advance(1.0 / 60.0).unwrap();
            let speed = |slot: usize| (slot + frame) as f32 * 0.001;
            world.update_all(|id, p| Playback { speed: speed(id.instance.slot()), ..p }).unwrap();
            world.evaluate();
        }
    };
    frames(8);
    let region = Region::new(ALLOCATOR);
    frames(200);
    region.change()
}

/// Bytes an instance of 100,000 with one playback, beside the palettes.
fn bytes_an_instance(threads: Threads) -> usize {
    const COUNT: usize = 100_000;
    let (mut crowd, ids) = crowd();
    ids.iter().for_each(|id| crowd.despawn(*id).unwrap());
    crowd.set_threads(threads);
    let region = Region::new(ALLOCATOR);
    crowd.reserve(COUNT);
    for _ in 0..COUNT {
        crowd.spawn(Playback::default()).unwrap();
    }
    for _ in 0..90 {
        crowd.advance(1.0 / 60.0).unwrap();
        crowd.evaluate();
    }
    let change = region.change();
    (change.bytes_allocated - change.bytes_deallocated - size_of_val(crowd.palettes())) / COUNT
}

/// A step of an hour of 10,000 loops, after which memory is given back.
fn check_long_step(threads: Threads) {
    let (mut crowd, _) = crowd();
    for i in 0..5000 {
        crowd.spawn(Playback { time_s: f64::from(i) * 0.02, ..Playback::default() }).unwrap();
    }
    crowd.set_threads(threads);
    let live = |region: &Region<'_, System>| {
        let change = region.change();
        change.bytes_allocated as i64 - change.bytes_deallocated as i64
    };
    let region = Region::new(ALLOCATOR);
    let start = std::time::Instant::now();
    crowd.advance(3600.0).unwrap();
    let took = start.elapsed();
    let after = live(&region);
    assert!(matches!(crowd.events().last().unwrap().kind, EventKind::Overflow { .. }));
    for _ in 0..80 {
        crowd.advance(1.0 / 60.0).unwrap();
    }
    let later = live(&region);
    println!("{after} bytes after an hour in one step, which took {took:?}, {later} after 80 frames");
    assert!(after < 50_000_000 && later < 2_000_000, "{after} bytes, {later} bytes");
}

fn main() {
    let (mut crowd, mut ids) = crowd();
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "the counter counts");

    let [one, pool] = [Threads::One, Threads::Pool].map(bytes_an_instance);
    println!("bytes an instance: {one} on one thread, {pool} in the pool");
    assert!(one <= 200 && pool <= 200);

    [Threads::One, Threads::Pool].into_iter().for_each(check_long_step);

    crowd.keep_previous(true);
    crowd.set_threads(Threads::One);
    assert_eq!(stats(&mut crowd, &mut ids), Stats::default(), "on one thread");
    assert_eq!(extras_stats(Threads::One), Stats::default(), "extras on one thread");
    assert_eq!(world_stats(Threads::One), Stats::default(), "a world on one thread");
    crowd.set_joint_levels(&[], &[0]).unwrap();
    crowd.set_budget_ms(Some(0.5)).unwrap();
    crowd.measure(true);
    assert_eq!(stats(&mut crowd, &mut ids), Stats::default(), "on one thread, with details");
    crowd.set_threads(Threads::Pool);
    // All pools at once: threads that start or end allocate on their own account.
    let pools =
        [1, 2, 4].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    for pool in &pools {
        pool.broadcast(|_| ());
    }
    for pool in &pools {
        let stats = pool.install(|| stats(&mut crowd, &mut ids));
        assert_eq!(stats, Stats::default(), "in a pool of {} threads", pool.current_num_threads());
        let extras = pool.install(|| extras_stats(Threads::Pool));
        assert_eq!(extras, Stats::default(), "extras in a pool of {} threads", pool.current_num_threads());
        let world = pool.install(|| world_stats(Threads::Pool));
        assert_eq!(world, Stats::default(), "a world in a pool of {} threads", pool.current_num_threads());
        println!("200 frames in a pool of {} threads: {stats:?}", pool.current_num_threads());
    }
}
