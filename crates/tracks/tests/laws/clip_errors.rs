//! What is no clip, and what can't be baked.

use glam::{Affine3A, Mat3A, Vec3A};
use throng_tracks::{
    BakeError, BakeOptions, Channel, Clip, ClipError, Interpolation, Joint, JointIndex, Rest, Skeleton,
    Track, bake,
};

use crate::make::{chain, joint, slide, solo};

fn still() -> Track {
    slide(Interpolation::Linear, &[0.0], &[0.0])
}

#[test]
fn a_joint_that_is_not_there() {
    let error = Clip::new("walk", &chain(2), [(JointIndex(2), still())]).unwrap_err();
    assert!(matches!(error, ClipError::NoSuchJoint { .. }));
    assert_eq!(error.to_string(), "clip \"walk\" moves joint 2, but the skeleton has 2 joints");
}

#[test]
fn two_tracks_on_one_channel() {
    let skeleton = Skeleton::new([joint("hips", None::<JointIndex>)]).unwrap();
    let twice = [(JointIndex(0), still()), (JointIndex(0), still())];
    let error = Clip::new("walk", &skeleton, twice).unwrap_err();
    assert!(matches!(error, ClipError::RepeatedChannel { channel: Channel::Translation, .. }));
    assert_eq!(error.to_string(), "clip \"walk\" has two translation tracks for joint 0 (\"hips\")");
    // Weights of another count are the same channel.
    let weights = |count: u32| {
        Track::new("w", Channel::Weights(count), Interpolation::Step, [0.0], vec![0.0; count as usize])
            .unwrap()
    };
    let error =
        Clip::new("walk", &skeleton, [1, 2].map(|count| (JointIndex(0), weights(count)))).unwrap_err();
    assert!(error.to_string().contains("two weights tracks"), "{error}");
}

#[test]
fn a_joint_with_a_fixed_matrix() {
    let shear =
        Affine3A { matrix3: Mat3A::from_cols(Vec3A::X, Vec3A::ONE, Vec3A::Z), translation: Vec3A::ZERO };
    let skeleton = Skeleton::new([Joint { rest: Rest::Matrix(shear), ..joint("bent", None) }]).unwrap();
    let error = Clip::new("walk", &skeleton, [(JointIndex(0), still())]).unwrap_err();
    assert!(matches!(error, ClipError::FixedJoint { .. }));
    let said = "clip \"walk\" moves the translation of joint 0 (\"bent\"), which has a fixed matrix";
    assert_eq!(error.to_string(), said);
}

#[test]
fn a_rate_that_is_none() {
    for rate_hz in [0.0, -30.0, f32::NAN, f32::INFINITY] {
        let options = BakeOptions { rate_hz: Some(rate_hz), ..BakeOptions::default() };
        let error = bake(&chain(1), &[], &options).unwrap_err();
        assert!(matches!(error, BakeError::Rate { .. }));
        assert!(error.to_string().ends_with(&format!("was asked for {rate_hz} Hz")), "{error}");
    }
}

#[test]
fn a_clip_of_another_skeleton() {
    let clip = Clip::new("walk", &chain(5), [(JointIndex(4), still())]).unwrap();
    let error = bake(&chain(2), &[clip], &BakeOptions::default()).unwrap_err();
    assert!(matches!(error, BakeError::Skeleton { joint: 4, count: 2, .. }));
    assert_eq!(error.to_string(), "clip \"walk\" moves joint 4, but the skeleton has 2 joints");
}

#[test]
fn too_many_rows() {
    let skeleton = chain(1);
    let clip = |end: f32| solo(&skeleton, slide(Interpolation::Linear, &[0.0, end], &[0.0, 1.0]));
    let options = BakeOptions { max_rows: 50, ..BakeOptions::default() };
    assert!(bake(&skeleton, &[clip(1.0), clip(1.0)], &options).is_ok());
    let error = bake(&skeleton, &[clip(1.0), clip(1.0), clip(1.0)], &options).unwrap_err();
    assert!(matches!(error, BakeError::TooManyRows { rows: 75, limit: 50, .. }));
    let said = "clip \"solo\" of 1 s at 24 Hz brings the bank to 75 rows, above the limit of 50";
    assert_eq!(error.to_string(), said);
    // Refused before a row exists, however late the last key.
    for end in [1e9, f32::MAX] {
        let error = bake(&skeleton, &[clip(end)], &BakeOptions::default()).unwrap_err();
        assert!(matches!(error, BakeError::TooManyRows { .. }), "{error}");
    }
    // Rows that jumps add count as well.
    let steps = slide(Interpolation::Step, &[0.0, 0.25, 0.5, 0.75, 1.0], &[0.0, 1.0, 2.0, 3.0, 4.0]);
    let options = BakeOptions { max_rows: 26, ..BakeOptions::default() };
    let error = bake(&skeleton, &[solo(&skeleton, steps)], &options).unwrap_err();
    assert!(matches!(error, BakeError::TooManyRows { rows: 30, limit: 26, .. }), "{error}");
}

#[test]
fn a_bound_that_is_no_error() {
    let skeleton = chain(1);
    let clip = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]));
    for error_bound in [-1.0, f32::NEG_INFINITY, f32::NAN] {
        let options = BakeOptions { error_bound, ..BakeOptions::default() };
        let error = bake(&skeleton, std::slice::from_ref(&clip), &options).unwrap_err();
        let said = format!("a bake needs an error bound of 0 or above, but was asked for {error_bound}");
        assert_eq!(error.to_string(), said);
    }
    let options = BakeOptions { error_bound: 0.0, ..BakeOptions::default() };
    assert!(bake(&skeleton, &[clip], &options).is_ok());
}

#[test]
fn rows_are_divided_only_as_far_as_the_limits_allow() {
    let skeleton = chain(1);
    let swing = Track::new(
        "swing",
        Channel::Translation,
        Interpolation::CubicSpline,
        [0.0, 1.0],
        [[0.0; 3], [0.0; 3], [4e3; 3], [-4e3; 3], [1.0; 3], [0.0; 3]].concat(),
    );
    let clip = solo(&skeleton, swing.unwrap());
    let rows = |options: &BakeOptions| {
        let (_, report) = bake(&skeleton, std::slice::from_ref(&clip), options).unwrap();
        (report.clips[0].rows, report.largest.error)
    };
    let (divided, fine) = rows(&BakeOptions::default());
    assert!(divided > 100, "{divided}");
    for options in [
        BakeOptions { max_rows: 30, ..BakeOptions::default() },
        BakeOptions { max_bytes: 30 * 64, ..BakeOptions::default() },
    ] {
        let (few, coarse) = rows(&options);
        assert_eq!(few, 25);
        assert!(coarse > 10.0 * fine, "what could not be divided is reported: {coarse} and {fine}");
    }
}

#[test]
fn too_many_bytes() {
    let skeleton = chain(1);
    let clip = solo(&skeleton, slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]));
    let options = BakeOptions { max_bytes: 25 * 64 - 1, ..BakeOptions::default() };
    let error = bake(&skeleton, std::slice::from_ref(&clip), &options).unwrap_err();
    assert!(matches!(error, BakeError::TooManyBytes { .. }));
    let said = "25 rows of 64 bytes each take more than the limit of 1599 bytes";
    assert_eq!(error.to_string(), said);
    let (_, report) = bake(&skeleton, &[clip], &BakeOptions { max_bytes: 25 * 64, ..options }).unwrap();
    assert_eq!(report.bytes, 25 * 64);
}

#[test]
fn curves_that_leave_f32() {
    let skeleton = chain(2);
    // At both keys the curve is fine; in the middle it is a quarter higher, beyond all numbers from the fourth row on.
    let high = [3e38, 0.0, 0.0];
    let values = [[0.0; 3], high, high, high.map(|v| -v), high, [0.0; 3]].concat();
    let bow =
        Track::new("bow", Channel::Translation, Interpolation::CubicSpline, [0.0, 1.0], values).unwrap();
    let said = bake(&skeleton, &[solo(&skeleton, bow)], &BakeOptions::default()).unwrap_err().to_string();
    assert!(
        said.starts_with("clip \"solo\" moves joint 0 (\"joint 0\") beyond all numbers at 0.1666"),
        "{said}"
    );
    // Each local transform is fine, their product is not.
    let far = |x| slide(Interpolation::Linear, &[0.0, 1.0], &[x, x]);
    let grow = Track::new("grow", Channel::Scale, Interpolation::Step, [0.0], vec![1e30; 3]).unwrap();
    let tracks = [(JointIndex(0), grow), (JointIndex(1), far(1e30))];
    let clip = Clip::new("far", &skeleton, tracks).unwrap();
    let error = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap_err();
    assert!(matches!(error, BakeError::NotFinite { joint: 1, .. }), "{error}");
}
