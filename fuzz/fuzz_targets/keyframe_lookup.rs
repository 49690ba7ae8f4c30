//! Any bytes as key times and times: every level finds the key and the fraction that the scalar look-up finds. Where keys
//! are in disorder there is no right answer, only no harm.
//!
//! The first byte chooses: its lowest bit leaves the keys in disorder, the next asks for many times, and all but the lowest
//! say which part of the floats behind it
//! are keys.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_kernels::{Level, find_keys};
use throng_tracks::{find_key, locate};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let mut floats: Vec<f32> =
        rest.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let disorder = first & 1 == 1;
    let count = 1 + floats.len() * usize::from(first / 2) / 128;
    if floats.len() < count {
        return;
    }
    let mut times = floats.split_off(count);
    let mut keys = floats;
    if !disorder {
        // Key times are numbers; those of a look-up are anything.
        keys.iter_mut().filter(|k| k.is_nan()).for_each(|k| *k = 0.0);
        keys.sort_by(f32::total_cmp);
    }
    times.extend(keys.iter().flat_map(|k| [k.next_down(), *k, k.next_up()]));
    times.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0]);
    if first & 2 == 2 {
        // So many that the look-up begins at a bucket.
        let many = 5 * keys.len().max(256);
        times = times.into_iter().cycle().take(many).collect();
    }

    for level in Level::available() {
        let (mut found, mut fractions) = (vec![i32::MIN; times.len()], vec![f32::MAX; times.len()]);
        find_keys(level, &keys, &times, &mut found, &mut fractions).expect("there is a key, and room");
        for ((&t, &key), &fraction) in times.iter().zip(&found).zip(&fractions) {
            assert!((-1..keys.len() as i32).contains(&key), "{level}: no key {key} of {}", keys.len());
            if disorder {
                continue;
            }
            let exact = locate(&keys, t).fraction;
            let same = fraction.to_bits() == exact.to_bits() || (fraction.is_nan() && exact.is_nan());
            let scalar = find_key(&keys, t).map_or(-1, |key| key as i32);
            assert!(key == scalar && same, "{level}: {t:e}: {key} {fraction:e}, not {scalar} {exact:e}");
        }
    }
});
