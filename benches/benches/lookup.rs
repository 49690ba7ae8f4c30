//! Key look-up: the standard library's binary search alone, the same with the fraction between the keys, and lanes, which
//! find both.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use throng::kernels::{Level, find_keys};
use throng::tracks::locate;
use throng_benches::random;

const TIMES: usize = 1_000_000;

fn lookup(c: &mut Criterion) {
    for keys in [10, 100, 1_000, 10_000] {
        let mut random = random();
        let mut at = 0.0;
        let mut key = |_| {
            at += 0.01 + random() * 0.05;
            at
        };
        let keys: Vec<f32> = (0..keys).map(&mut key).collect();
        let times: Vec<f32> = (0..TIMES).map(|_| random() * at).collect();
        let (mut found, mut fractions) = (vec![0; TIMES], vec![0.0; TIMES]);

        let mut group = c.benchmark_group(format!("lookup/{} keys", keys.len()));
        group.throughput(Throughput::Elements(TIMES as u64));
        group.bench_function("partition_point", |b| {
            b.iter(|| {
                for (&t, key) in times.iter().zip(found.iter_mut()) {
                    *key = black_box(&keys).partition_point(|&key| key <= t) as i32 - 1;
                }
            });
        });
        group.bench_function("one by one", |b| {
            b.iter(|| {
                for (&t, (key, fraction)) in times.iter().zip(found.iter_mut().zip(&mut fractions)) {
                    let at = locate(black_box(&keys), t);
                    (*key, *fraction) = (at.key as i32, at.fraction);
                }
            });
        });
        for level in Level::available() {
            group.bench_function(BenchmarkId::new("lanes", level), |b| {
                b.iter(|| find_keys(level, black_box(&keys), &times, &mut found, &mut fractions));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, lookup);
criterion_main!(benches);
