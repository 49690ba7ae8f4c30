//! Reading a bank: row pairs, shared columns, poses between rows.

use glam::{Quat, Vec3, Vec4};
use proptest::prelude::*;
use throng_tracks::{BakeOptions, Bank, Interpolation, RowPair, ScaleColumns, bake};

use crate::make::{Figure, any_time, chain, figure, pose_of, slide, solo};

/// A bank of two clips of one skeleton.
fn bank_of(a: &Figure, b: &Figure) -> (Bank, [usize; 2]) {
    let joints = a.joints.clone();
    let tracks = b.tracks.iter().filter(|(joint, _)| *joint < joints.len()).cloned().collect();
    let clips = [a.clip(), Figure { joints, tracks }.clip()];
    let (bank, report) = bake(&a.skeleton(), &clips, &BakeOptions::default()).unwrap();
    let rows = [0, 1].map(|clip| report.clips[clip].rows);
    (bank, rows)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_time_has_two_rows_of_its_clip(
        a in figure(), b in figure(), times in prop::collection::vec(any_time(), 200),
    ) {
        let (bank, rows) = bank_of(&a, &b);
        prop_assert_eq!(bank.row_count(), rows[0] + rows[1]);
        prop_assert_eq!(bank.rows().len(), bank.row_count() * bank.row_stride());
        for clip in 0..2 {
            let own = if clip == 0 { 0..rows[0] } else { rows[0]..rows[0] + rows[1] };
            for &t in &times {
                let RowPair { row, fraction } = bank.locate(clip, t);
                prop_assert!(own.contains(&(row as usize)) && own.contains(&(row as usize + 1)));
                prop_assert!((0.0..=1.0).contains(&fraction), "{fraction} at {t}");
            }
            let duration = bank.clips()[clip].duration_s();
            prop_assert_eq!(bank.locate(clip, f32::NAN), bank.locate(clip, 0.0));
            prop_assert_eq!(bank.locate(clip, -1.0), bank.locate(clip, 0.0));
            prop_assert_eq!(bank.locate(clip, f32::INFINITY).row, bank.locate(clip, duration).row);
        }
    }

    #[test]
    fn later_times_never_show_earlier_rows(a in figure(), mut times in prop::collection::vec(-0.5f32..2.0, 200)) {
        let (bank, _) = bank_of(&a, &a);
        times.sort_by(f32::total_cmp);
        for pair in times.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|t| bank.locate(0, t));
            prop_assert!(a.row < b.row || (a.row == b.row && a.fraction <= b.fraction), "{a:?} {b:?}");
        }
    }

    #[test]
    fn rows_hold_unit_quaternions_in_one_hemisphere_in_shared_columns(a in figure(), b in figure()) {
        let (bank, rows) = bank_of(&a, &b);
        let stride = bank.row_stride();
        prop_assert_eq!(stride % 16, 0);
        let mut taken = vec![false; stride];
        for columns in bank.columns() {
            let scale = if let ScaleColumns::Axes(at) = columns.scale { Some(at) } else { None };
            for at in [columns.rotation, columns.translation, scale].into_iter().flatten() {
                for place in &mut taken[at as usize..at as usize + 4] {
                    prop_assert!(!std::mem::replace(place, true));
                }
            }
            prop_assert!(columns.rotation.is_some() || columns.translation.is_none());
            prop_assert!(columns.translation.is_some() || columns.scale == ScaleColumns::Constant);
            let Some(at) = columns.rotation else { continue };
            let rotation = |row: usize| Quat::from_slice(&bank.rows()[row * stride + at as usize..]);
            for row in 0..rows[0] + rows[1] {
                prop_assert!((rotation(row).length() - 1.0).abs() < 1e-6);
                prop_assert!(row == 0 || row == rows[0] || rotation(row - 1).dot(rotation(row)) >= -1e-6);
            }
        }
        // What no joint takes is zero.
        for row in bank.rows().chunks_exact(stride.max(1)) {
            prop_assert!(row.iter().zip(&taken).all(|(v, taken)| *taken || *v == 0.0));
        }
    }

    #[test]
    fn a_pose_between_rows_is_linear_and_normalised(a in figure(), t in -0.5f32..2.0) {
        let (bank, _) = bank_of(&a, &a);
        let pair = bank.locate(0, t);
        let mut pose = pose_of(bank.skeleton());
        bank.sample(pair, &mut pose);
        let stride = bank.row_stride();
        let four = |at: u32| {
            let row = |row: u32| Vec4::from_slice(&bank.rows()[row as usize * stride + at as usize..]);
            row(pair.row).lerp(row(pair.row + 1), pair.fraction)
        };
        for ((columns, constant), found) in bank.columns().iter().zip(bank.constants()).zip(&pose) {
            let rotation = columns.rotation.map_or(constant.rotation, |at| Quat::from_vec4(four(at)).normalize());
            prop_assert!(found.rotation.abs_diff_eq(rotation, 1e-6));
            let translation = columns.translation.map_or(constant.translation, |at| four(at).truncate());
            prop_assert!(found.translation.abs_diff_eq(translation, 1e-6));
            let scale = match (columns.scale, columns.translation) {
                (ScaleColumns::Axes(at), _) => four(at).truncate(),
                (ScaleColumns::Uniform, Some(at)) => Vec3::splat(four(at).w),
                _ => constant.scale,
            };
            prop_assert!(found.scale.abs_diff_eq(scale, 1e-6));
        }
    }
}

#[test]
fn a_joint_that_any_clip_moves_has_columns_for_all() {
    let skeleton = chain(2);
    let still = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.0]));
    let moving = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[2.0, 4.0]));
    let (bank, _) = bake(&skeleton, &[still, moving], &BakeOptions::default()).unwrap();
    let mut pose = pose_of(&skeleton);
    for (clip, t, x) in [(0, 0.5, 0.0), (1, 0.5, 3.0), (0, 9.0, 0.0), (1, 9.0, 4.0)] {
        bank.sample(bank.locate(clip, t), &mut pose);
        assert_eq!(pose[0].translation.x, x);
    }
    // Two clips that hold a joint still, each elsewhere, move it all the same.
    let [here, there] = [1.0, 2.0].map(|x| solo(&skeleton, slide(Interpolation::Step, &[0.0], &[x])));
    let (bank, _) = bake(&skeleton, &[here, there], &BakeOptions::default()).unwrap();
    for (clip, x) in [(0, 1.0), (1, 2.0)] {
        bank.sample(bank.locate(clip, 0.0), &mut pose);
        assert_eq!(pose[0].translation.x, x);
    }
}

#[test]
fn rows_begin_on_cache_lines() {
    let skeleton = chain(1);
    let clip = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]));
    let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
    assert_eq!(bank.rows().as_ptr().addr() % 64, 0);
    assert_eq!(bank.row_stride() * size_of::<f32>() % 64, 0);
}

#[test]
fn clips_are_found_by_name() {
    let skeleton = chain(1);
    let clip = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.5], &[0.0, 1.0]));
    let (bank, _) = bake(&skeleton, &[clip.clone(), clip], &BakeOptions::default()).unwrap();
    assert_eq!((bank.find_clip("solo"), bank.find_clip("run")), (Some(0), None));
    assert_eq!((bank.clips()[1].name(), bank.clips()[1].duration_s()), ("solo", 1.5));
}
