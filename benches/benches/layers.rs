//! Several clips a character, blended: one, two and four layers, a difference on top, masks. A thousand characters at the
//! fastest level.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use throng::kernels::{Blend, LAYERS, Layer, LayerMask, Layout, Level, Masks, PaletteJob, Scratch, palettes};
use throng::tracks::{RowPair, tools};
use throng::{BakeOptions, Plan, bake};
use throng_benches::{marcher, random};

const INSTANCES: usize = 1_000;

/// The plan of our own character, with one more clip: the difference of its first to how that begins.
fn plan() -> Plan {
    let (asset, _) = marcher();
    let import = &asset.import;
    let first = &import.clips[0];
    let difference = tools::make_additive(first, &import.skeleton, first, 0.0).expect("no scale is 0");
    let clips: Vec<_> = import.clips.iter().cloned().chain([difference]).collect();
    let (bank, _) = bake(&import.skeleton, &clips, &BakeOptions::default()).expect("the clips bake");
    Plan::new(Arc::new(bank), &import.skins[0]).expect("the skin is the skeleton's")
}

fn layers(c: &mut Criterion) {
    let plan = plan();
    let (bank, mut random) = (plan.bank(), random());
    let (poses, joints) = (bank.clips().len() - 1, bank.skeleton().joint_count());
    let mut pairs_of = |first: usize, clips: usize| -> Vec<RowPair> {
        let clip = |i: usize| first + i % clips;
        (0..INSTANCES).map(|i| bank.locate(clip(i), random() * bank.clips()[clip(i)].duration_s())).collect()
    };
    let pairs: [_; LAYERS] = std::array::from_fn(|_| pairs_of(0, poses));
    let differences = pairs_of(poses, 1);
    let half = (0..joints).map(|joint| f32::from(u8::from(joint < joints / 2)));
    let masks = Masks::new(joints, half.collect()).expect("ones and zeros");
    let (choice, places) = ([0; INSTANCES], Vec::from_iter(0..INSTANCES as u32));
    let weights = [1.0, 0.5, 0.0, 0.25].map(|weight| [weight; INSTANCES]);
    let mask = Some(LayerMask { masks: &masks, choice: &choice });

    let average = |count: usize, mask| {
        let layer = |pairs| Layer {
            pairs,
            weights: &weights[count - 1],
            blend: Blend::Average,
            mask,
            external: None,
        };
        pairs[..count].iter().map(|pairs| layer(pairs)).collect::<Vec<_>>()
    };
    let on_top = Layer {
        pairs: &differences,
        weights: &weights[1],
        blend: Blend::Additive,
        mask: None,
        external: None,
    };
    let cases = [
        ("1", average(1, None)),
        ("2", average(2, None)),
        ("4", average(4, None)),
        ("2 and a difference", [average(2, None), vec![on_top]].concat()),
        ("2, masked", average(2, mask)),
    ];

    let mut out = vec![0.0; INSTANCES * plan.palette_floats()];
    let mut scratch = Scratch::new(&plan);
    let mut group = c.benchmark_group("layers");
    group.throughput(Throughput::Elements((INSTANCES * plan.palette_entries()) as u64));
    group.bench_function("no blend", |b| {
        b.iter(|| {
            let job = PaletteJob::new(&plan, &pairs[0], &places, &mut out).expect("all of it is there");
            palettes(Level::detect(), job, &mut scratch);
        });
    });
    for (name, layers) in &cases {
        group.bench_function(*name, |b| {
            b.iter(|| {
                let job = PaletteJob::layered(&plan, layers, &places, &mut out, Layout::default());
                palettes(Level::detect(), job.expect("all of it is there"), &mut scratch);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, layers);
criterion_main!(benches);
