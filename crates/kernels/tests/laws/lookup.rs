//! The look-up over lanes against the scalar one: the same key and the same bits, for every input.

use proptest::collection::vec;
use proptest::prelude::*;
use throng_kernels::find_keys;
use throng_tracks::{find_key, locate};

use crate::random::{Random, cases, levels};

/// Any two NaNs are one: which one a division returns is not part of IEEE 754.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn hold(keys: &[f32], times: &[f32]) {
    for level in levels() {
        let (mut found, mut fractions) = (vec![7; times.len()], vec![7.0; times.len()]);
        find_keys(level, keys, times, &mut found, &mut fractions).unwrap();
        for ((&t, &found), &fraction) in times.iter().zip(&found).zip(&fractions) {
            let key = find_key(keys, t).map_or(-1, |key| key as i32);
            let exact = locate(keys, t).fraction;
            assert!(
                found == key && same(fraction, exact),
                "{t:e} among {} keys at {level}: key {found} and {fraction:e}, not {key} and {exact:e}",
                keys.len()
            );
        }
    }
}

/// Each key, the numbers on both sides of it, and every kind of number that is not a time.
fn awkward(keys: &[f32]) -> Vec<f32> {
    let mut times: Vec<f32> = keys.iter().flat_map(|k| [k.next_down(), *k, k.next_up()]).collect();
    times.extend([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE]);
    times.extend([0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff, 0x7fab_cdef].map(f32::from_bits));
    times.extend([1, 0x8000_0001].map(f32::from_bits));
    times
}

/// So many times that the search begins at a bucket; see `buckets_for`.
fn enough_for_buckets(keys: &[f32], times: &[f32]) -> Vec<f32> {
    times.iter().chain(&awkward(keys)).copied().cycle().take(5 * keys.len().max(256)).collect()
}

fn any_key() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{INFINITE, NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        4 => 0.0f32..4.0,
        2 => (0u8..20).prop_map(f32::from),
        2 => POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
        1 => POSITIVE | NEGATIVE | INFINITE,
    ]
}

fn sorted(mut keys: Vec<f32>) -> Vec<f32> {
    keys.sort_by(f32::total_cmp);
    keys
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(400) as u32))]

    #[test]
    fn lanes_find_what_the_scalar_finds(keys in vec(any_key(), 1..60), times in vec(proptest::num::f32::ANY, 0..40)) {
        let keys = sorted(keys);
        hold(&keys, &times);
        hold(&keys, &awkward(&keys));
    }

    #[test]
    fn keys_in_disorder_harm_nothing(
        keys in vec(proptest::num::f32::ANY, 1..70),
        times in vec(prop_oneof![proptest::num::f32::ANY, -2.0f32..2.0], 1..50),
    ) {
        let times = enough_for_buckets(&keys, &times);
        for level in levels() {
            let (mut found, mut fractions) = (vec![-9; times.len()], vec![0.0; times.len()]);
            find_keys(level, &keys, &times, &mut found, &mut fractions).unwrap();
            prop_assert!(found.iter().all(|&i| (-1..keys.len() as i32).contains(&i)), "{found:?} at {level}");
        }
    }
}

#[test]
fn every_count_of_keys() {
    let random = &mut Random::new(11);
    for count in (1..200).chain([255, 256, 257, 1000, 1023, 1024, 1025, 3000]) {
        let distinct = random.pick(&[2, count, 4 * count]);
        let keys = sorted((0..count).map(|_| random.below(distinct) as f32 / 24.0).collect());
        let end = distinct as f32 / 24.0;
        let mut times: Vec<f32> = (0..64).map(|_| random.between(-0.1 * end, 1.1 * end)).collect();
        times.extend(keys.iter().step_by(1 + count / 40));
        times.extend([keys[0].next_down(), keys[count - 1].next_up(), f32::NAN]);
        hold(&keys, &times);
        hold(&keys, &enough_for_buckets(&keys, &times));
    }
}

/// Crowds of keys, gaps, spans next to nothing and beyond all numbers: what a division into equal buckets is worst at.
#[test]
fn keys_far_from_uniform() {
    let random = &mut Random::new(12);
    for (lowest, step) in [(0.0, 1e-3), (-5.0, 1e-3), (1e6, 0.25), (0.0, 1e-39), (-3e38, 1e36), (0.0, 1e36)] {
        let mut at: f32 = lowest;
        let keys: Vec<f32> = (0..300)
            .map(|_| {
                at += step * random.pick(&[0.0, 0.01, 1.0, 1.0, 1.0, 40.0]);
                at
            })
            .collect();
        let times: Vec<f32> = (0..64).map(|_| random.between(lowest - step, at + step)).collect();
        hold(&keys, &enough_for_buckets(&keys, &times));
    }
}

#[test]
fn every_count_of_times() {
    let keys: Vec<f32> = (0..10).map(|k| k as f32).collect();
    for count in 0..70 {
        let times: Vec<f32> = (0..count).map(|i| i as f32 * 0.3 - 1.0).collect();
        hold(&keys, &times);
    }
}

#[test]
fn a_time_without_number_is_zero_and_the_ends_clamp() {
    for level in levels() {
        let (mut found, mut fractions) = ([0; 5], [0.0; 5]);
        let times = [f32::NAN, f32::NEG_INFINITY, f32::INFINITY, 1.0, 1.5];
        find_keys(level, &[-1.0, 1.0, 1.0, 2.0], &times, &mut found, &mut fractions).unwrap();
        assert_eq!((found, fractions), ([0, -1, 3, 2, 2], [0.5, 0.0, 0.0, 0.0, 0.5]), "{level}");
    }
}
