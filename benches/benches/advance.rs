//! A step of time without poses: clocks, fades, events and root motion of 10,000 instances, on one thread.

use std::sync::Arc;
use std::time::Instant;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use throng::prelude::*;
use throng::tracks::{Channel, Interpolation, Joint, Rest, Track};
use throng::{Clip, JointIndex, Transform, bake};
use throng_benches::random;

const INSTANCES: usize = 10_000;

/// Two walks on the move, a marker at each step.
fn bank(marked: bool) -> Arc<Bank> {
    let hips = Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
    let skeleton = Skeleton::new([hips]).expect("one joint");
    let clips = [("walk", 1.2f32, 1.5), ("run", 0.7, 3.0)].map(|(name, seconds, way)| {
        let values = vec![0.0, 1.0, 0.0, 0.0, 1.05, way / 2.0, 0.0, 1.0, way];
        let times = [0.0, seconds / 2.0, seconds];
        let way = Track::new(name, Channel::Translation, Interpolation::Linear, times, values);
        let clip =
            Clip::new(name, &skeleton, [(JointIndex(0), way.expect("three keys"))]).expect("one track");
        let step = |part: f32| Marker { time_s: seconds * part, name: "step".into(), payload: 0 };
        let markers = if marked { vec![step(0.25), step(0.75)] } else { Vec::new() };
        clip.with_markers(markers).expect("they are inside")
    });
    let options = BakeOptions { root_motion: Some(RootMotion::of("hips")), ..BakeOptions::default() };
    Arc::new(bake(&skeleton, &clips, &options).expect("two clips").0)
}

fn crowd(marked: bool) -> (Crowd, Vec<InstanceId>) {
    let bank = bank(marked);
    let mut crowd =
        Crowd::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).expect("it has a joint");
    crowd.set_threads(Threads::One);
    let mut random = random();
    let mut spawn = || {
        let (time_s, speed) = (f64::from(random()), 0.5 + random());
        crowd.spawn(Playback { time_s, speed, ..Playback::default() }).expect("the clip is there")
    };
    let ids = (0..INSTANCES).map(|_| spawn()).collect();
    (crowd, ids)
}

/// Benches a frame, and prints what an instance takes of it: the median of some, and the least.
fn frames(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, mut frame: impl FnMut()) {
    group.bench_function(name, |b| b.iter(&mut frame));
    let mut times: Vec<f64> = (0..301)
        .map(|_| {
            let start = Instant::now();
            frame();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let [median, least] = [times[150], times[0]].map(|s| s * 1e9 / INSTANCES as f64);
    println!("{name}: {median:.1} ns an instance, {least:.1} at least");
}

fn advance(c: &mut Criterion) {
    let mut group = c.benchmark_group("advance");
    group.throughput(Throughput::Elements(INSTANCES as u64));
    let step = 1.0 / 60.0;
    let (mut plain, _) = crowd(false);
    frames(&mut group, "one playback", || plain.advance(step).expect("time is finite"));
    let (mut marked, _) = crowd(true);
    frames(&mut group, "with markers", || marked.advance(step).expect("time is finite"));
    let mut steps = vec![Placement::IDENTITY; INSTANCES];
    frames(&mut group, "with markers and root motion", || {
        marked.advance(step).expect("time is finite");
        marked.root_motion_into(&mut steps).expect("there is a place for each");
    });
    // Too long to end.
    let (mut fading, ids) = crowd(true);
    let run = Playback { clip: 1, ..Playback::default() };
    let run = Control::Crossfade(run, Crossfade { seconds: 1e6, synced: true });
    fading.control_many(&ids, run).expect("there is a place for each");
    frames(&mut group, "crossfade, with markers", || fading.advance(step).expect("time is finite"));
    frames(&mut group, "crossfade, with markers and root motion", || {
        fading.advance(step).expect("time is finite");
        fading.root_motion_into(&mut steps).expect("there is a place for each");
    });
    group.finish();
}

criterion_group!(benches, advance);
criterion_main!(benches);
