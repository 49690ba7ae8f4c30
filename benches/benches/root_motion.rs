//! Steps of ten thousand instances on one thread: of one playback, in the middle of a crossfade, and where clips have none.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use throng::kernels::Plan;
use throng::prelude::*;
use throng_benches::{marcher, random};

const INSTANCES: usize = 10_000;

fn root_motion(c: &mut Criterion) {
    let (asset, plan) = marcher();
    let options = BakeOptions { root_motion: Some(RootMotion::of("hips")), ..BakeOptions::default() };
    let import = &asset.import;
    let (bank, _) = bake(&import.skeleton, &import.clips, &options).expect("hips can be taken");
    let moving = Arc::new(Plan::new(Arc::new(bank), &import.skins[0]).expect("the skin is the file's"));
    let mut group = c.benchmark_group("root motion");
    group.throughput(Throughput::Elements(INSTANCES as u64));
    for (name, plan, fades) in
        [("one playback", &moving, false), ("crossfade", &moving, true), ("without", &plan, false)]
    {
        let mut crowd = Crowd::with_plan(Arc::clone(plan), Level::detect());
        crowd.set_threads(Threads::One);
        let mut random = random();
        for i in 0..INSTANCES {
            let playing = |clip: usize, time_s| Playback { clip: clip % 4, time_s, ..Playback::default() };
            let id = crowd.spawn(playing(i, f64::from(random()))).expect("the clip is there");
            if fades {
                crowd.crossfade(id, playing(i + 1, f64::from(random())), 1e6).expect("the clip is there");
            }
        }
        crowd.advance(1.0 / 60.0).expect("time is finite");
        let mut places = vec![Placement::IDENTITY; crowd.slot_count()];
        group.bench_function(name, |b| {
            b.iter(|| crowd.move_places(&mut places).expect("there is a place for each"));
        });
    }
    group.finish();
}

criterion_group!(benches, root_motion);
criterion_main!(benches);
