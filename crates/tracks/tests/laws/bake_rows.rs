//! What rows a bake makes: rates, jumps, columns, constants.

use glam::Vec3;
use proptest::prelude::*;
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Columns, Interpolation, JointIndex, ScaleColumns, Track, Transform,
    bake,
};

use crate::make::{chain, figure, pose_of, slide, solo};

fn rate_of(times: &[f32]) -> f32 {
    let skeleton = chain(1);
    let track = slide(Interpolation::Linear, times, &vec![0.0; times.len()]);
    let (bank, report) = bake(&skeleton, &[solo(&skeleton, track)], &BakeOptions::default()).unwrap();
    assert_eq!(bank.clips()[0].rate_hz(), report.clips[0].rate_hz);
    bank.clips()[0].rate_hz()
}

fn x_at(bank: &Bank, t: f32) -> f32 {
    let mut pose = pose_of(bank.skeleton());
    bank.sample(bank.locate(0, t), &mut pose);
    pose[0].translation.x
}

#[test]
fn the_rate_is_the_lowest_common_one_that_holds_all_keys() {
    for hz in [24.0f32, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0] {
        for count in [3, 200] {
            let times: Vec<f32> = (0..count).map(|k| k as f32 / hz).collect();
            assert_eq!(rate_of(&times), hz);
        }
    }
    assert_eq!(rate_of(&[0.0]), 24.0);
    assert_eq!(rate_of(&[0.0, 2.0]), 24.0);
    assert_eq!(rate_of(&[0.0, 1.0 / 25.0, 1.0 / 24.0]), 60.0);
    assert_eq!(rate_of(&[0.0, 0.123_4]), 60.0);
    // Five digits are enough to know a rate by, two are not.
    assert_eq!(rate_of(&[0.0, 0.033_33, 0.066_67]), 30.0);
    assert_eq!(rate_of(&[0.0, 0.03, 0.07]), 60.0);
}

#[test]
fn long_clips_keep_their_rate_although_times_round() {
    let times: Vec<f32> = (0..30 * 60 * 20).map(|k| k as f32 / 30.0).collect();
    assert_eq!(rate_of(&times), 30.0);
}

#[test]
fn the_rate_can_be_set_and_the_end_is_a_row_all_the_same() {
    let skeleton = chain(1);
    let clip = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.05], &[0.0, 10.5]));
    let options = BakeOptions { rate_hz: Some(10.0), ..BakeOptions::default() };
    let (bank, report) = bake(&skeleton, &[clip], &options).unwrap();
    assert_eq!((bank.clips()[0].rate_hz(), bank.row_count()), (10.0, 12));
    assert_eq!(x_at(&bank, 1.05), 10.5);
    // Rows stay on the grid of the rate; only the last interval is shorter.
    let pair = bank.locate(0, 0.5);
    assert_eq!((pair.row, pair.fraction), (5, 0.0));
    assert!(report.largest.error < 1e-4);
}

proptest! {
    #[test]
    fn on_the_grid_a_step_shows_from_its_keys_time_on_to_the_last_bit(
        hz in prop::sample::select(vec![24.0f32, 25.0, 30.0, 60.0, 120.0]),
        rows in prop::collection::btree_set(0u16..2000, 1..6),
        digits in prop::sample::select(vec![None, Some(1e5f32), Some(1e6)]),
    ) {
        let rounded = |t: f32| digits.map_or(t, |d| (f64::from(t * d).round() / f64::from(d)) as f32);
        let times: Vec<f32> = rows.iter().map(|&row| rounded(f32::from(row) / hz)).collect();
        let x: Vec<f32> = (0..times.len()).map(|k| k as f32).collect();
        let skeleton = chain(2);
        let (bank, _) =
            bake(&skeleton, &[solo(&skeleton, slide(Interpolation::Step, &times, &x))], &BakeOptions::default())
                .unwrap();
        for (key, &time) in times.iter().enumerate() {
            prop_assert_eq!(x_at(&bank, time), key as f32);
            prop_assert_eq!(x_at(&bank, time.next_down()), key.saturating_sub(1) as f32);
        }
    }
}

#[test]
fn equal_times_at_the_start_and_at_the_end() {
    let skeleton = chain(1);
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        let track = slide(interpolation, &[0.0, 0.0, 1.0, 1.0], &[9.0, 1.0, 1.0, 5.0]);
        let (bank, _) = bake(&skeleton, &[solo(&skeleton, track)], &BakeOptions::default()).unwrap();
        let shown = [-1.0, 0.0, 0.5, 1.0f32.next_down(), 1.0, 2.0].map(|t| x_at(&bank, t));
        assert_eq!(shown, [1.0, 1.0, 1.0, 1.0, 5.0, 5.0]);
    }
}

#[test]
fn ahead_of_a_first_key_that_jumps_the_earlier_of_the_two_holds() {
    let skeleton = chain(1);
    let track = slide(Interpolation::Linear, &[0.5, 0.5, 1.0], &[9.0, 1.0, 1.0]);
    let (bank, _) = bake(&skeleton, &[solo(&skeleton, track)], &BakeOptions::default()).unwrap();
    assert_eq!([0.0, 0.5f32.next_down(), 0.5, 0.51].map(|t| x_at(&bank, t)), [9.0, 9.0, 1.0, 1.0]);
    assert_eq!(bank.row_count(), 24 + 1 + 1);
}

#[test]
fn two_keys_at_one_row_jump_though_their_times_differ() {
    let skeleton = chain(1);
    let track = slide(Interpolation::Linear, &[0.0, 0.499_99, 0.500_01, 1.0], &[0.0, 0.0, 8.0, 8.0]);
    let (bank, _) = bake(&skeleton, &[solo(&skeleton, track)], &BakeOptions::default()).unwrap();
    assert_eq!(bank.clips()[0].rate_hz(), 24.0);
    assert_eq!([0.48, 0.499, 0.501, 0.52].map(|t| x_at(&bank, t)), [0.0, 0.0, 8.0, 8.0]);
}

#[test]
fn a_clip_without_length_shows_its_last_key() {
    let skeleton = chain(1);
    for (times, x) in [(vec![0.0], vec![3.0]), (vec![0.0, 0.0], vec![9.0, 3.0])] {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let clip = solo(&skeleton, slide(interpolation, &times, &x));
            let (bank, report) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
            for t in [0.0, 1.0, -1.0, f32::NAN, f32::INFINITY] {
                assert_eq!(x_at(&bank, t), 3.0);
            }
            assert!(report.largest.error < 1e-5);
            // Nothing varies: the value hidden behind the later key makes no difference.
            assert_eq!(bank.varying_columns(), [Columns::default()]);
            assert_eq!(bank.constants()[0].translation, Vec3::X * 3.0);
        }
    }
}

#[test]
fn nothing_to_bake() {
    let (bank, report) = bake(&chain(3), &[], &BakeOptions::default()).unwrap();
    assert_eq!((bank.row_count(), bank.clips().len(), report.clip), (0, 0, None));
    assert_eq!(bank.constants(), chain(3).rest());

    let empty = chain(0);
    let clip = Clip::new("none", &empty, []).unwrap();
    let (bank, report) = bake(&empty, &[clip], &BakeOptions::default()).unwrap();
    bank.sample(bank.locate(0, 0.5), &mut []);
    assert_eq!((report.largest.error, report.largest.joint), (0.0, None));
}

/// What columns a joint gets from one track over one second.
fn columns_of(channel: Channel, from: &[f32], to: &[f32]) -> (Bank, ScaleColumns) {
    let skeleton = chain(1);
    let track = Track::new("c", channel, Interpolation::Linear, [0.0, 1.0], [from, to].concat()).unwrap();
    let (bank, _) = bake(&skeleton, &[solo(&skeleton, track)], &BakeOptions::default()).unwrap();
    let scale = bank.columns()[0].scale;
    (bank, scale)
}

#[test]
fn columns_are_those_that_move() {
    let (bank, scale) = columns_of(Channel::Rotation, &[0.0, 0.0, 0.0, 1.0], &[0.0, 0.0, 1.0, 0.0]);
    let columns = bank.columns()[0];
    assert_eq!((columns.rotation, columns.translation, scale), (Some(0), None, ScaleColumns::Constant));

    let (bank, scale) = columns_of(Channel::Translation, &[0.0; 3], &[1.0, 0.0, 0.0]);
    let columns = bank.columns()[0];
    assert_eq!((columns.rotation, columns.translation, scale), (Some(0), Some(4), ScaleColumns::Uniform));

    let (_, scale) = columns_of(Channel::Scale, &[1.0; 3], &[-2.0; 3]);
    assert_eq!(scale, ScaleColumns::Uniform);
    for to in [[2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]] {
        let (bank, scale) = columns_of(Channel::Scale, &[1.0; 3], &to);
        assert_eq!((scale, bank.row_stride()), (ScaleColumns::Axes(8), 16));
    }
}

/// Weights and ends show the rest: so what is off it has columns, though it does not vary.
#[test]
fn what_all_clips_hold_off_the_rest_has_columns_of_one_value() {
    let scale = [1.0, 2.0, 3.0];
    let (bank, columns) = columns_of(Channel::Scale, &scale, &scale);
    assert_eq!((columns, bank.varying_columns()), (ScaleColumns::Axes(8), &[Columns::default()][..]));
    assert_eq!(bank.constants()[0].scale, Vec3::from(scale));
    for row in bank.rows().chunks(bank.row_stride()) {
        assert_eq!(row[8..11], scale);
    }

    let rest = chain(1).rest()[0].translation.to_array();
    let (bank, _) = columns_of(Channel::Translation, &rest, &rest);
    assert_eq!((bank.row_stride(), bank.columns()), (0, bank.varying_columns()));
    // Other last digits of the rest are the rest.
    for (off, stride) in [(5e-6, 0), (2e-5, 16)] {
        let (bank, _) = columns_of(Channel::Scale, &[1.0 + off; 3], &[1.0 + off; 3]);
        assert_eq!((bank.row_stride(), bank.constants()[0].scale), (stride, Vec3::splat(1.0 + off)));
    }
}

/// Rows of differences leave the rest where a pose holds it, and the other way round; neither makes poses vary.
#[test]
fn differences_do_not_make_poses_vary() {
    let skeleton = chain(1);
    let held = |x: f32| solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[x, x]));
    for (pose, difference) in [(5.0, 0.0), (0.0, 5.0), (5.0, 5.0)] {
        let clips = [held(difference).with_additive(true), held(pose)];
        let (bank, _) = bake(&skeleton, &clips, &BakeOptions::default()).unwrap();
        assert_eq!(bank.varying_columns(), [Columns::default()]);
        assert_eq!((bank.columns()[0].translation, bank.constants()[0].translation.x), (Some(4), pose));
        let at = |clip| bank.rows()[bank.clip_rows(clip).start * bank.row_stride() + 4];
        assert_eq!([at(0), at(1)], [difference, pose]);
    }
}

#[test]
fn a_sign_is_no_movement_but_a_small_scale_may_move() {
    let (bank, _) = columns_of(Channel::Rotation, &[0.0, 0.6, 0.0, 0.8], &[0.0, -0.6, 0.0, -0.8]);
    assert_eq!(bank.varying_columns(), [Columns::default()]);
    // A tenth of a joint that scales by a millionth.
    let (bank, _) = columns_of(Channel::Scale, &[1e-6; 3], &[1.1e-6; 3]);
    assert_ne!(bank.row_stride(), 0);
}

#[test]
fn a_child_of_a_joint_that_enlarges_moves_far() {
    let large = Transform { scale: Vec3::splat(1e4), ..Transform::IDENTITY };
    let up = Transform { translation: Vec3::Y * 1e-4, ..Transform::IDENTITY };
    let joints = vec![(None, large), (Some(0), up)];
    let skeleton = crate::make::Figure { joints, tracks: Vec::new() }.skeleton();
    // 1e-7 of its parent's unit is a thousandth of the skeleton's extent of 1.
    let track = slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1e-7]);
    let clip = Clip::new("c", &skeleton, [(JointIndex(1), track)]).unwrap();
    let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
    assert!(bank.columns()[1].translation.is_some());
}

#[test]
fn morph_weights_take_no_rows() {
    let skeleton = chain(1);
    let weights =
        Track::new("w", Channel::Weights(1), Interpolation::Step, [0.0, 0.5, 1.0], vec![0.0, 1.0, 0.0])
            .unwrap();
    let clip = Clip::new("c", &skeleton, [(JointIndex(0), weights)]).unwrap();
    let (bank, report) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
    assert_eq!((bank.row_count(), bank.row_stride(), report.moving_joints), (25, 0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_bake_is_the_same_every_time(figure in figure()) {
        let (skeleton, clip) = (figure.skeleton(), figure.clip());
        let bits = |bank: &Bank| bank.rows().iter().map(|v| v.to_bits()).collect::<Vec<u32>>();
        let bake = || bake(&skeleton, &[clip.clone(), clip.clone()], &BakeOptions::default()).unwrap();
        let ((a, told), (b, again)) = (bake(), bake());
        prop_assert_eq!(bits(&a), bits(&b));
        prop_assert_eq!((a, told), (b, again));
    }
}
