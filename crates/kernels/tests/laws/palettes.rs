//! Palettes against the oracle, and bit for bit against each other.

use std::sync::Arc;

use throng_kernels::{Level, PALETTE_FLOATS, PaletteJob, Plan, RowFormat, Scratch, Stores, palettes};
use throng_tracks::{Bank, RowPair, Skin};

use crate::bound::{Expected, expected, expected_packed};
use crate::figure;
use crate::random::{Random, cases, levels};
use crate::skins;

pub(crate) const STORES: [Stores; 2] = [Stores::Cached, Stores::Streaming];

/// One palette after the other.
pub(crate) fn pose(level: Level, stores: Stores, plan: &Plan, pairs: &[RowPair]) -> Vec<f32> {
    let places: Vec<u32> = (0..pairs.len() as u32).collect();
    let mut out = vec![f32::NAN; pairs.len() * plan.palette_floats()];
    let job = PaletteJob::new(plan, pairs, &places, &mut out).unwrap().with_stores(stores);
    palettes(level, job, &mut Scratch::new(plan));
    out
}

/// The largest difference from the oracle, as a part of what the analysis allows.
pub(crate) fn hold(bank: &Bank, skin: &Skin, pairs: &[RowPair], found: &[f32], what: &str) -> f64 {
    hold_to(expected, bank, skin, pairs, found, what)
}

fn hold_to(
    expected: fn(&Bank, &Skin, RowPair) -> Vec<Expected>,
    bank: &Bank,
    skin: &Skin,
    pairs: &[RowPair],
    found: &[f32],
    what: &str,
) -> f64 {
    let mut largest = 0.0f64;
    for (instance, (&pair, found)) in
        pairs.iter().zip(found.chunks_exact(skin.joints().len() * PALETTE_FLOATS)).enumerate()
    {
        let all = expected(bank, skin, pair).into_iter().zip(found.chunks_exact(PALETTE_FLOATS));
        for (entry, (expected, found)) in all.enumerate() {
            let what = || {
                let joint = skin.joints()[entry];
                format!("{what}: entry {entry} (joint {joint}) of instance {instance} at {pair:?}")
            };
            largest = largest.max(expected.hold(found, what));
        }
    }
    largest
}

#[test]
fn palettes_are_the_oracles_at_every_level() {
    let levels = levels();
    let mut largest = 0.0f64;
    for case in 0..cases(6000) {
        let random = &mut Random::new(case as u64);
        let most = random.pick(&[3, 12, 12, 40, 120]);
        let bank = figure::bank(random, most);
        let skin = skins::skin(random, bank.skeleton());
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        let count = random.pick(&[1, 3, 17]);
        let pairs = figure::pairs(random, &bank, count);
        for &level in &levels {
            let what = format!("case {case} at {level}");
            let found = pose(level, Stores::Cached, &plan, &pairs);
            largest = largest.max(hold(&bank, &skin, &pairs, &found, &what));
        }
    }
    println!("largest error: {largest} of the bound");
}

#[test]
fn palettes_of_packed_rows_are_the_oracles_but_for_their_steps() {
    let levels = levels();
    let mut largest = 0.0f64;
    for case in 0..cases(1500) as u64 {
        let random = &mut Random::new(case);
        let most = random.pick(&[3, 12, 12, 40]);
        let bank = figure::bank(random, most);
        let skin = skins::skin(random, bank.skeleton());
        let plan = Plan::with_rows(Arc::clone(&bank), &skin, RowFormat::I16).unwrap();
        assert_eq!(plan.row_format(), RowFormat::I16);
        let count = random.pick(&[1, 3, 17]);
        let pairs = figure::pairs(random, &bank, count);
        let mut same: [Option<Vec<f32>>; 2] = [None, None];
        for &level in &levels {
            let what = format!("case {case} at {level}");
            let found = pose(level, Stores::Cached, &plan, &pairs);
            largest = largest.max(hold_to(expected_packed, &bank, &skin, &pairs, &found, &what));
            let first = same[usize::from(level.is_fused())].get_or_insert_with(|| found.clone());
            assert!(first.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits()), "{what}: other bits");
        }
    }
    println!("largest error: {largest} of the bound");
}
