//! Palettes in each format, through the caches and past them, at the fastest level.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use throng::Stores;
use throng::kernels::{Layout, Level, Line, PaletteFormat, PaletteJob, Scratch, palettes};
use throng_benches::{marcher, random_pairs};

fn formats(c: &mut Criterion) {
    let (_, plan) = marcher();
    let mut scratch = Scratch::new(&plan);
    for size in [1_000, 10_000] {
        let pairs = random_pairs(&plan, size);
        let places: Vec<u32> = (0..size as u32).collect();
        let mut group = c.benchmark_group(format!("formats/{size}"));
        group.throughput(Throughput::Elements((size * plan.palette_entries()) as u64));
        for format in PaletteFormat::ALL {
            let layout = Layout::new(format);
            // Lines, so that it begins at a whole one.
            let floats = size * layout.size(plan.palette_entries());
            let mut lines = vec![Line::ZERO; floats.div_ceil(size_of::<Line>() / size_of::<f32>())];
            let out = &mut bytemuck::cast_slice_mut::<_, f32>(&mut lines)[..floats];
            for stores in [Stores::Cached, Stores::Streaming] {
                group.bench_function(BenchmarkId::new(format!("{format:?}"), format!("{stores:?}")), |b| {
                    b.iter(|| {
                        let job = PaletteJob::with_layout(&plan, &pairs, &places, out, layout);
                        let job = job.expect("it is as large as the palettes");
                        palettes(Level::detect(), job.with_stores(stores), &mut scratch);
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, formats);
criterion_main!(benches);
