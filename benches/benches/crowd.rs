//! Whole frames of a crowd by size: scalar, the fastest level, and the fastest level on all cores.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use throng::prelude::*;
use throng_benches::{SIZES, marcher, random};

fn crowd(c: &mut Criterion) {
    let (asset, plan) = marcher();
    let clips = asset.bank.clips();
    for size in SIZES {
        let mut group = c.benchmark_group(format!("crowd/{size}"));
        group.throughput(Throughput::Elements((size * plan.palette_entries()) as u64));
        for (name, level, threads) in [
            ("scalar", Level::scalar(), Threads::One),
            ("one thread", Level::detect(), Threads::One),
            ("all threads", Level::detect(), Threads::Pool),
        ] {
            let mut crowd = Crowd::with_plan(plan.clone(), level);
            crowd.set_threads(threads);
            let mut random = random();
            for i in 0..size {
                let clip = i % clips.len();
                let time_s = f64::from(random() * clips[clip].duration_s());
                crowd.spawn(Playback { clip, time_s, ..Playback::default() }).expect("the clip is there");
            }
            group.bench_function(BenchmarkId::new(name, level), |b| {
                b.iter(|| {
                    crowd.advance(1.0 / 60.0).expect("time is finite");
                    crowd.evaluate().len()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, crowd);
criterion_main!(benches);
