//! The bake's word: no one can measure more than the error it reports.

use glam::{DMat4, Vec3};
use proptest::prelude::*;
use throng_tracks::{
    BakeOptions, BakeReport, Bank, Channel, Clip, Interpolation, Skeleton, Track, Transform, bake,
};

use crate::make::{Figure, Keys, chain, exact_model, figure, index_of, model_of, pose_of, slide, solo};
use crate::oracle;

/// The largest change of a column of a joint's model matrix between the two paths.
fn error_at(bank: &Bank, index: usize, clip: &Clip, t: f32) -> f64 {
    let skeleton = bank.skeleton();
    let exact = exact_model(skeleton, clip, t);
    let mut pose = pose_of(skeleton);
    bank.sample(bank.locate(index, t), &mut pose);
    let baked = model_of(skeleton, &pose).into_iter().map(|m| DMat4::from(m.as_daffine3()));
    let apart = |(a, b): (DMat4, DMat4)| (0..4).map(|i| (a.col(i) - b.col(i)).length()).fold(0.0, f64::max);
    exact.into_iter().zip(baked).map(apart).fold(0.0, f64::max)
}

/// Times that matter: keys and rows with their neighbours, and 2,000 between.
fn times(clip: &Clip, seed: u64) -> Vec<f32> {
    let mut times = vec![-1.0, 0.0, clip.duration_s() + 1.0];
    for &key in clip.timelines().iter().flat_map(|times| times.iter()) {
        times.extend([key.next_down(), key, key.next_up()]);
    }
    for hz in [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0] {
        let rows = (0..).map(|row| row as f32 / hz).take_while(|&t| t <= clip.duration_s());
        times.extend(rows.flat_map(|row| [row.next_down(), row, row.next_up()]));
    }
    let mut state = seed | 1;
    times.extend((0..2000).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32 * clip.duration_s()
    }));
    times
}

fn baked(skeleton: &Skeleton, clip: &Clip, options: &BakeOptions) -> (Bank, BakeReport) {
    bake(skeleton, std::slice::from_ref(clip), options).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_time_shows_a_larger_error_than_reported(
        figure in figure(),
        rate_hz in prop::option::of(5.0f32..70.0),
        error_bound in prop::sample::select(vec![2e-3, f32::INFINITY]),
        seed: u64,
    ) {
        let (skeleton, clip) = (figure.skeleton(), figure.clip());
        let options = BakeOptions { rate_hz, error_bound, ..BakeOptions::default() };
        let (bank, report) = baked(&skeleton, &clip, &options);
        prop_assert_eq!(report.largest, report.clips[0].largest);
        for t in times(&clip, seed) {
            let error = error_at(&bank, 0, &clip, t);
            prop_assert!(error <= f64::from(report.largest.error), "{error} at {t}, reported {:?}", report.largest);
        }
    }
}

/// A clip that leaves the straight line between its two rows at 24 Hz by up to `height`.
fn bow(skeleton: &Skeleton, height: f32) -> Clip {
    let slope = height * 4.0 * 24.0;
    let (leaves, arrives, none) = ([slope, 0.0, 0.0], [-slope, 0.0, 0.0], [0.0; 3]);
    let values = [none, none, leaves, arrives, none, none].concat();
    let (channel, interpolation) = (Channel::Translation, Interpolation::CubicSpline);
    solo(skeleton, Track::new("bow", channel, interpolation, [0.0, 1.0 / 24.0], values).unwrap())
}

#[test]
fn the_report_is_not_far_above_what_is_there() {
    let skeleton = chain(2);
    let options = BakeOptions { error_bound: f32::INFINITY, ..BakeOptions::default() };
    let (bank, report) = baked(&skeleton, &bow(&skeleton, 0.05), &options);
    assert!((0.05..0.053).contains(&report.largest.error), "{}", report.largest.error);
    assert!((report.largest.time_s - 1.0 / 48.0).abs() < 5e-3, "{}", report.largest.time_s);
    assert_eq!(bank.row_count(), 2);
}

#[test]
fn rows_are_added_where_the_error_is_above_the_bound() {
    // The bound is 2e-3 of the largest coordinate, 2.
    let skeleton = chain(2);
    for height in (0..80).map(|k| 4e-3 * (0.95 + 5e-4 * k as f32)) {
        let (bank, report) = baked(&skeleton, &bow(&skeleton, height), &BakeOptions::default());
        assert!(report.largest.error <= 4e-3, "{} of {height}", report.largest.error);
        assert!(bank.row_count() <= 3, "{}", bank.row_count());
        assert_eq!(bank.clips()[0].rate_hz(), 24.0);
    }
    // At most 32 steps to an interval.
    let (bank, report) = baked(&skeleton, &bow(&skeleton, 100.0), &BakeOptions::default());
    assert_eq!(bank.row_count(), 33);
    assert!((100.0 / 1024.0..110.0 / 1024.0).contains(&report.largest.error), "{}", report.largest.error);
}

#[test]
fn another_right_evaluation_is_within_the_report() {
    // By both paths alike the clip is exact in f32: all that is left is the rounding, which f64 has not.
    let up = Transform { translation: Vec3::new(0.3, 0.7, 0.1), ..Transform::IDENTITY };
    let joints: Vec<_> = (0..30).map(|j: usize| (j.checked_sub(1), up)).collect();
    let times: Vec<f32> = (0..30).map(|k| k as f32 / 30.0).collect();
    let tracks = (0..30).map(|j| {
        let q = |k: usize| [0.1 * (j as f32).sin(), 0.2, 0.01 * k as f32, 1.0];
        let values = (0..times.len()).flat_map(q).collect();
        let (channel, interpolation) = (Channel::Rotation, Interpolation::Linear);
        (j, Keys { channel, interpolation, times: times.clone(), values })
    });
    let tracks = tracks.collect();
    let figure = Figure { joints, tracks };
    let (bank, report) = baked(&figure.skeleton(), &figure.clip(), &BakeOptions::default());
    let mut pose = pose_of(bank.skeleton());
    let mut largest = 0.0f64;
    for t in (0..3000).map(|k| k as f32 / 3100.0) {
        bank.sample(bank.locate(0, t), &mut pose);
        for (found, exact) in model_of(bank.skeleton(), &pose).iter().zip(oracle::model(&figure, t)) {
            largest = largest.max((found.translation.as_dvec3() - exact.w_axis.truncate()).length());
        }
    }
    let told = f64::from(report.largest.error);
    assert!(largest <= told, "{largest}, reported {told}");
    assert!(told < 5e-4, "{told}");
}

#[test]
fn straight_lines_on_the_grid_are_exact_but_for_rounding() {
    let skeleton = chain(3);
    let times: Vec<f32> = (0..60).map(|k| k as f32 / 30.0).collect();
    let x: Vec<f32> = (0..60).map(|k| (k * 7 % 11) as f32).collect();
    let clip = solo(&skeleton, slide(Interpolation::Linear, &times, &x));
    let (bank, report) = baked(&skeleton, &clip, &BakeOptions::default());
    assert!(report.largest.error < 1e-4, "{}", report.largest.error);
    assert_eq!(bank.row_count(), 60);
}

#[test]
fn a_jump_off_the_grid_is_reported_whole() {
    let skeleton = chain(1);
    let clip = solo(&skeleton, slide(Interpolation::Step, &[0.0, 0.505, 1.0], &[0.0, 8.0, 8.0]));
    let (_, report) = baked(&skeleton, &clip, &BakeOptions::default());
    assert!((4.0..8.1).contains(&report.largest.error), "{}", report.largest.error);
    assert!((report.largest.time_s - 0.505).abs() < 1.0 / 60.0, "{}", report.largest.time_s);
}

#[test]
fn jumps_that_miss_each_other_by_rounding_are_reported() {
    // The two tracks jump one after the other, within the last bits of one row's time.
    let skeleton = chain(2);
    let (early, late) = (0.5f32, 0.5f32.next_up());
    let step = |t: f32| slide(Interpolation::Step, &[0.0, t, 1.0], &[0.0, 8.0, 8.0]);
    let tracks = [early, late].into_iter().enumerate().map(|(j, t)| (index_of(j), step(t)));
    let clip = Clip::new("pair", &skeleton, tracks).unwrap();
    let (bank, report) = baked(&skeleton, &clip, &BakeOptions::default());
    let measured = [early, late].map(|t| error_at(&bank, 0, &clip, t));
    assert!(measured.iter().any(|&e| e > 7.9), "{measured:?}");
    assert!((7.9..8.1).contains(&report.largest.error), "{}", report.largest.error);
    // No rows are spent on it.
    assert_eq!(bank.row_count(), 24 + 1 + 1);
}

#[test]
fn the_largest_of_several_clips_is_told_with_its_place() {
    let skeleton = chain(2);
    let still = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.0]));
    let jumps = solo(&skeleton, slide(Interpolation::Step, &[0.0, 0.505, 1.0], &[0.0, 8.0, 8.0]));
    let (_, report) = bake(&skeleton, &[still, jumps], &BakeOptions::default()).unwrap();
    assert_eq!((report.clip, report.clips.len()), (Some(1), 2));
    assert_eq!(report.largest, report.clips[1].largest);
    assert!(report.clips[0].largest.error < 1e-4);
    assert_eq!((report.extent, report.largest_coordinate, report.moving_joints), (1.0, 2.0, 1));
}
