//! Palettes as rotation, translation and scale: against the oracle, of unit length, or refused with the joint's name.

use std::sync::Arc;

use glam::{Affine3A, DMat3, DQuat, DVec3, Vec3};
use throng_kernels::{
    Layout, Level, NotSimilar, Obstacle, PaletteFormat, PaletteJob, Plan, RowFormat, Scratch, palettes,
};
use throng_tracks::{Bank, JointIndex, RowPair, Skin};

use crate::bound::expected;
use crate::figure;
use crate::random::{Random, cases, levels};
use crate::skins::{Bind, skin_of};

/// Palettes one after the other.
pub(crate) fn pose(level: Level, plan: &Plan, pairs: &[RowPair]) -> Vec<[f32; 8]> {
    let places: Vec<u32> = (0..pairs.len() as u32).collect();
    let layout = Layout::new(PaletteFormat::Similarity);
    let mut out = vec![f32::NAN; pairs.len() * layout.size(plan.palette_entries())];
    let job = PaletteJob::with_layout(plan, pairs, &places, &mut out, layout).unwrap();
    palettes(level, job, &mut Scratch::new(plan));
    out.as_chunks().0.to_vec()
}

/// Each entry is the oracle's, but for `times` what a matrix may be off by and a share of its numbers. Returns how far
/// quaternions are from unit length.
fn hold(
    bank: &Bank,
    skin: &Skin,
    pairs: &[RowPair],
    found: &[[f32; 8]],
    allowed: [f64; 2],
    what: &str,
) -> f64 {
    let [times, share] = allowed;
    let mut off_unit = 0.0f64;
    for (&pair, found) in pairs.iter().zip(found.chunks_exact(skin.joints().len())) {
        for (entry, (expected, found)) in expected(bank, skin, pair).into_iter().zip(found).enumerate() {
            let v = found.map(f64::from);
            let q = DQuat::from_slice(&v);
            off_unit = off_unit.max((q.length() - 1.0).abs());
            let linear = DMat3::from_quat(q) * v[7];
            let size = v[7].abs();
            let exact = expected.entry;
            for (found, exact) in linear.to_cols_array().iter().zip(exact.matrix3.to_cols_array()) {
                let bound = times * expected.linear + share * size;
                assert!(
                    (found - exact).abs() <= bound,
                    "{what}: entry {entry} at {pair:?}: {v:?}, exactly {exact}, bound {bound:e}"
                );
            }
            let off = (DVec3::from_slice(&v[4..]) - exact.translation).abs().max_element();
            let bound = times * expected.translation + share * exact.translation.length();
            assert!(
                off <= bound,
                "{what}: entry {entry} at {pair:?}: {v:?}, exactly {exact}, bound {bound:e}"
            );
        }
    }
    assert!(off_unit <= 1e-6, "{what}: {off_unit:e} off unit length");
    off_unit
}

#[test]
fn similarities_are_the_oracles_at_every_level() {
    let levels = levels();
    let (mut plans, mut off_unit) = (0, 0.0f64);
    let exact = [Bind::Rest, Bind::Similarity, Bind::MirroredSimilarity, Bind::MirroredRest, Bind::Identity];
    let cases = cases(6000);
    for case in 0..cases as u64 {
        let random = &mut Random::new(70_000 + case);
        let most = random.pick(&[2, 4, 12, 40]);
        let bank = figure::bank(random, most);
        let skin = skin_of(random, bank.skeleton(), &exact);
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        if plan.check_format(PaletteFormat::Similarity).is_err() {
            continue;
        }
        plans += 1;
        let count = random.pick(&[1, 3, 17]);
        let pairs = figure::pairs(random, &bank, count);
        for &level in &levels {
            let found = pose(level, &plan, &pairs);
            let what = format!("case {case} at {level}");
            off_unit = off_unit.max(hold(&bank, &skin, &pairs, &found, [2.0, 0.0], &what));
        }
    }
    assert!(plans > cases / 6, "{plans} plans of {cases}");
    println!("{plans} plans; at most {off_unit:e} off unit length");
}

#[test]
fn no_length_is_lost_along_a_chain() {
    let bank = figure::chain(400, |_| Vec3::ONE, |_| true, 24.0);
    let skin = Skin::model_space(bank.skeleton());
    for format in [RowFormat::F32, RowFormat::I16] {
        let plan = Plan::with_rows(Arc::clone(&bank), &skin, format).unwrap();
        let pairs: Vec<RowPair> = (0..9).map(|i| bank.locate(0, i as f32 * 0.03)).collect();
        for level in levels() {
            let found = pose(level, &plan, &pairs);
            for [x, y, z, w, ..] in found {
                let length = DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into()).length();
                assert!((length - 1.0).abs() <= 3e-7, "{level}: {length}");
            }
        }
    }
}

/// What a similarity may differ from the bind matrix of a file.
#[test]
fn bind_matrices_count_by_how_near_they_are() {
    let bank = figure::chain(5, |_| Vec3::ONE, |j| j != 2, 24.0);
    let skeleton = bank.skeleton();
    let pairs: Vec<RowPair> = (0..9).map(|i| bank.locate(0, i as f32 * 0.03)).collect();
    for (off, taken) in [(0.0, true), (1e-7, true), (1e-6, true), (5e-6, true), (3e-5, false), (0.1, false)] {
        let mut bind = Affine3A::from_scale(Vec3::splat(-0.5));
        bind.matrix3.y_axis.x += 0.5 * off;
        let binds = (0..5).map(|j| if j == 3 { bind } else { Affine3A::IDENTITY }).collect();
        let skin = Skin::new("made", skeleton, skeleton.joints().collect(), Some(binds)).unwrap();
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        let checked = plan.check_format(PaletteFormat::Similarity);
        if !taken {
            let obstacle = Obstacle::Bind;
            assert_eq!(checked, Err(NotSimilar { joint: JointIndex(3), name: String::new(), obstacle }));
            continue;
        }
        assert_eq!(checked, Ok(()), "off by {off}");
        for level in levels() {
            let what = format!("off by {off} at {level}");
            hold(&bank, &skin, &pairs, &pose(level, &plan, &pairs), [2.0, f64::from(off)], &what);
        }
    }
}

#[test]
fn joints_that_are_no_similarities_are_named() {
    let wide = Vec3::new(1.0, 2.0, 1.0);
    let refused = |turns: [bool; 3], message: &str| {
        let bank = figure::chain(3, |j| if j == 1 { wide } else { Vec3::ONE }, |j| turns[j], 24.0);
        let plan = Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap();
        let mut out = [0.0; 24];
        let layout = Layout::new(PaletteFormat::Similarity);
        let job = PaletteJob::with_layout(&plan, &[bank.locate(0, 0.0)], &[0], &mut out, layout).map(drop);
        assert_eq!(
            job.unwrap_err().to_string(),
            format!("joint 1 \"\" is no rotation, translation and uniform scale: {message}")
        );
        for format in PaletteFormat::ALL {
            assert_eq!(plan.check_format(format).is_ok(), format != PaletteFormat::Similarity);
        }
    };
    refused([true, true, true], "a clip or its rest scales its axes differently");
    refused([true, false, true], "its rest or its inverse bind matrix shears or scales axes differently");
    refused([false, false, false], "its rest or its inverse bind matrix shears or scales axes differently");
}

/// The scales that files have for one.
#[test]
fn scales_of_axes_that_are_nearly_one() {
    for (off, taken) in [(1e-7, true), (1e-6, true), (3e-5, false)] {
        let axes = Vec3::new(-2.0, -2.0 + 2.0 * off, -2.0);
        for turns in [[true, true, true], [true, false, true], [false, true, true]] {
            let bank = figure::chain(3, |j| if j == 1 { axes } else { Vec3::ONE }, |j| turns[j], 24.0);
            let skin = Skin::model_space(bank.skeleton());
            let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
            assert_eq!(
                plan.check_format(PaletteFormat::Similarity).is_ok(),
                taken,
                "off by {off}, {turns:?}"
            );
            let pairs: Vec<RowPair> = (0..9).map(|i| bank.locate(0, i as f32 * 0.03)).collect();
            for level in levels() {
                if taken {
                    let what = format!("off by {off}, {turns:?} at {level}");
                    hold(&bank, &skin, &pairs, &pose(level, &plan, &pairs), [2.0, f64::from(off)], &what);
                }
            }
        }
    }
}

#[test]
fn scales_of_every_size_and_none() {
    for scale in [0.0, 1e-30, 1e-3, -1.0, 1e3, 1e10] {
        for turns in [[true, true, true], [true, false, true], [false, true, true], [false, false, false]] {
            let bank =
                figure::chain(3, |j| if j == 1 { Vec3::splat(scale) } else { Vec3::ONE }, |j| turns[j], 24.0);
            let skin = Skin::model_space(bank.skeleton());
            let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
            let pairs: Vec<RowPair> = (0..9).map(|i| bank.locate(0, i as f32 * 0.03)).collect();
            for level in levels() {
                let found = pose(level, &plan, &pairs);
                hold(&bank, &skin, &pairs, &found, [2.0, 0.0], &format!("{scale}, {turns:?} at {level}"));
            }
        }
    }
}
