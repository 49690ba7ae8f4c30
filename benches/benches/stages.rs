//! The stages one by one, and the fused pass that does all of them: each level, a thousand instances.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use throng::kernels::{
    Level, ModelBlocks, PaletteJob, PoseBlocks, Scratch, model_to_palette, palettes, pose_to_model, sample,
};
use throng_benches::{marcher, random_pairs};

const INSTANCES: usize = 1_000;

fn stages(c: &mut Criterion) {
    let (asset, plan) = marcher();
    let joints = asset.import.skeleton.joint_count();
    let pairs = random_pairs(&plan, INSTANCES);
    let places: Vec<u32> = (0..INSTANCES as u32).collect();
    let mut poses = PoseBlocks::new(joints, INSTANCES);
    let mut models = ModelBlocks::new(joints, INSTANCES);
    let mut out = vec![0.0; INSTANCES * plan.palette_floats()];
    let mut scratch = Scratch::new(&plan);

    let joints = Throughput::Elements((INSTANCES * joints) as u64);
    let entries = Throughput::Elements((INSTANCES * plan.palette_entries()) as u64);
    let levels = || Level::available().into_iter().filter(|l| l.name() != "scalar-fused");
    for (name, throughput) in
        [("sample", &joints), ("fk", &joints), ("palette", &entries), ("fused", &entries)]
    {
        let mut group = c.benchmark_group(name);
        group.throughput(throughput.clone());
        for level in levels() {
            group.bench_function(BenchmarkId::from_parameter(level), |b| match name {
                "sample" => b.iter(|| sample(level, &plan, &pairs, &mut poses)),
                "fk" => b.iter(|| pose_to_model(level, &plan, &poses, &mut models)),
                "palette" => b.iter(|| model_to_palette(level, &plan, &models, &mut out)),
                _ => b.iter(|| {
                    let job = PaletteJob::new(&plan, &pairs, &places, &mut out);
                    job.map(|job| palettes(level, job, &mut scratch))
                }),
            });
        }
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
