//! Where the arithmetic of palette space could break, one by one.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};
use throng_kernels::{Plan, Stores};
use throng_tracks::{Bank, RowPair, Skin};

use crate::figure::chain;
use crate::palettes::{hold, pose};
use crate::random::levels;

/// Palettes of the bank with these bind matrices are finite and the oracle's, at every level.
fn check(bank: &Arc<Bank>, binds: Vec<Affine3A>, what: &str) {
    let skeleton = bank.skeleton();
    let skin =
        Skin::new("made", skeleton, skeleton.joints().take(binds.len()).collect(), Some(binds)).unwrap();
    let plan = Plan::new(Arc::clone(bank), &skin).unwrap();
    let pairs: Vec<RowPair> = (0..9).map(|i| bank.locate(0, i as f32 * 0.03)).collect();
    for level in levels() {
        let found = pose(level, Stores::Cached, &plan, &pairs);
        hold(bank, &skin, &pairs, &found, &format!("{what} at {level}"));
    }
}

fn scaled(scale: f32, translation: Vec3) -> Affine3A {
    Affine3A::from_scale_rotation_translation(Vec3::splat(scale), Quat::from_rotation_x(0.7), translation)
}

#[test]
fn bind_matrices_of_every_size() {
    let bank = chain(4, |_| Vec3::ONE, |_| true, 24.0);
    for power in -44..=37 {
        for sign in [1.0, -1.0] {
            let scale = sign * 10f32.powi(power);
            for reach in [0.0, 1.0, 1e5] {
                check(
                    &bank,
                    vec![scaled(scale, Vec3::new(reach, 0.1, 0.0)); 4],
                    &format!("1e{power}, {reach}"),
                );
            }
            // One of them alone, between others as usual.
            let mut binds = vec![scaled(1.0, Vec3::X); 4];
            binds[1] = scaled(scale, Vec3::Y);
            check(&bank, binds, &format!("one of 1e{power}"));
        }
    }
}

#[test]
fn bind_matrices_without_inverse() {
    let bank = chain(3, |_| Vec3::ONE, |_| true, 24.0);
    let flat = |x: Vec3, y: Vec3, z: Vec3| Affine3A {
        matrix3: Mat3A::from_cols(x.into(), y.into(), z.into()),
        translation: Vec3::new(1.0, 2.0, 3.0).into(),
    };
    let v = Vec3::new(0.1, 0.3, -0.7);
    for (matrix, what) in [
        (flat(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO), "nothing"),
        (flat(v, v, v), "a line"),
        (flat(v, 3.0 * v, Vec3::X), "a plane, but for rounding"),
        (flat(Vec3::X, Vec3::Y, Vec3::ZERO), "a plane"),
        (flat(Vec3::X, Vec3::Y, 1e-38 * Vec3::Z), "nearly a plane"),
        (flat(1e-44 * Vec3::X, 1e-44 * Vec3::Y, 1e-44 * Vec3::Z), "nearly nothing"),
        (flat(1e37 * Vec3::X, 1e-37 * Vec3::Y, Vec3::Z), "a needle"),
    ] {
        check(&bank, vec![matrix; 3], what);
        check(&bank, vec![Affine3A::IDENTITY, matrix, scaled(2.0, Vec3::X)], what);
    }
}

#[test]
fn scales_of_every_size_and_none() {
    let scales = [0.0, -0.0, 1e-30, 1e-20, 1e-3, -1.0, 1e3, 1e10];
    for scale in scales {
        for axes in [Vec3::ONE, Vec3::new(1.0, -1.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 2.0, 3.0)]
        {
            for turns in [[true, true, true], [true, false, true], [false, true, true], [true, true, false]] {
                let bank = chain(3, |j| if j == 1 { scale * axes } else { Vec3::ONE }, |j| turns[j], 24.0);
                let what = format!("{scale} * {axes}, {turns:?}");
                check(&bank, vec![Affine3A::IDENTITY; 3], &what);
                check(&bank, vec![scaled(2.0, Vec3::X); 3], &what);
                let inverse = if scale == 0.0 { 1.0 } else { scale.recip() };
                check(
                    &bank,
                    vec![scaled(1.0, Vec3::X), scaled(inverse, Vec3::Y), scaled(1.0, Vec3::Z)],
                    &what,
                );
            }
        }
    }
}

/// The entry of a joint that stands still is its ancestor's only if it is so for the joint's own size: that of the skin
/// says nothing.
#[test]
fn a_distant_joint_makes_no_other_coarse() {
    let bank = chain(3, |_| Vec3::ONE, |j| j == 0, 24.0);
    let far = scaled(1.0, Vec3::new(1e6, 0.0, 0.0));
    let near = |x: f32| Affine3A::from_translation(Vec3::new(x, 0.0, 0.0));
    check(&bank, vec![near(-0.5), near(-1.1), far], "beside a distant one");
}

/// A deviation that is no rounding is not dropped, one that is may be.
#[test]
fn bind_matrices_that_are_nearly_similarities() {
    let bank = chain(5, |_| Vec3::ONE, |j| j != 2, 24.0);
    for power in 1..=9 {
        let off = 10f32.powi(-power);
        for sign in [1.0, -1.0] {
            let mut bind = scaled(sign * 0.3, Vec3::new(0.4, 0.5, 0.6));
            bind.matrix3.y_axis.x += off;
            bind.matrix3.z_axis.z -= off;
            check(&bank, vec![bind; 5], &format!("off by {off}"));
        }
    }
}

#[test]
fn rests_that_are_nearly_similarities() {
    for power in 1..=9 {
        let axes = Vec3::new(1.0, 1.0 + 10f32.powi(-power), 1.0);
        for turns in [[true, false, true], [false, false, true], [true, true, true]] {
            let bank = chain(3, |j| if j == 1 { axes } else { Vec3::ONE }, |j| turns[j], 24.0);
            check(&bank, vec![Affine3A::IDENTITY; 3], &format!("{axes}, {turns:?}"));
        }
    }
}

#[test]
fn a_bank_in_which_nothing_moves() {
    let bank = chain(3, |j| Vec3::splat(1.0 + j as f32), |_| false, 24.0);
    assert_eq!(bank.row_stride(), 0);
    check(&bank, vec![scaled(-2.0, Vec3::X); 3], "nothing moves");
}
