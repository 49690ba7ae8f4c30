//! What is no clip, and what can't be baked.

use glam::{Affine3A, Mat3A, Vec3A};
use throng_tracks::{
    BakeError, BakeOptions, Channel, Clip, ClipError, Interpolation, Joint, JointIndex, Rest, Skeleton,
    Track, WhyLeftOut, bake, tools::RootMotion,
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

/// The names of a bank's clips, and what the report says of the others.
fn bank_and_rest(skeleton: &Skeleton, clips: &[Clip], options: &BakeOptions) -> (Vec<String>, Vec<String>) {
    let (bank, report) = bake(skeleton, clips, options).unwrap();
    assert_eq!(bank.clips().len() + report.left_out.len(), clips.len());
    for (source, clip) in clips.iter().enumerate() {
        let left_out = report.left_out.iter().find(|left_out| left_out.clip == source);
        match report.bank_clip(source) {
            Some(index) => {
                assert_eq!((bank.clips()[index].name(), left_out), (clip.name(), None));
                assert_eq!((report.clips[index].source, &*report.clips[index].name), (source, clip.name()));
            }
            None => assert_eq!(left_out.map(|left_out| &*left_out.name), Some(clip.name())),
        }
    }
    assert_eq!(report.bank_clip(clips.len()), None);
    let names = bank.clips().iter().map(|clip| clip.name().to_owned()).collect();
    (names, report.left_out.iter().map(ToString::to_string).collect())
}

/// A clip of one second that slides, by another name.
fn named(name: &str, skeleton: &Skeleton, times: &[f32]) -> Clip {
    let x: Vec<f32> = (0..times.len()).map(|i| i as f32).collect();
    Clip::new(name, skeleton, [(JointIndex(0), slide(Interpolation::Linear, times, &x))]).unwrap()
}

#[test]
fn clips_of_too_many_rows_are_left_out_by_name() {
    let skeleton = chain(1);
    let second = |name| named(name, &skeleton, &[0.0, 1.0]);
    let options = BakeOptions { max_rows: 50, ..BakeOptions::default() };
    assert!(bank_and_rest(&skeleton, &[second("a"), second("b")], &options).1.is_empty());
    let clips = [second("a"), named("long", &skeleton, &[0.0, 2.0]), second("b"), second("c")];
    let (kept, left_out) = bank_and_rest(&skeleton, &clips, &options);
    assert_eq!(kept, ["a", "b"]);
    let said = "clip 1 (\"long\") is not in the bank: found 49 rows (2 s at 24 Hz), expected at most 25 of 50, beside the \
                clips before it (`max_rows`); take a part of it (`tools::subclip`) or a lower rate (`rate_hz`)";
    assert_eq!(left_out[0], said);
    assert!(left_out[1].starts_with("clip 3 (\"c\") is not in the bank: found 25 rows"), "{}", left_out[1]);
    // Rows that jumps add count as well.
    let steps = slide(Interpolation::Step, &[0.0, 0.25, 0.5, 0.75, 1.0], &[0.0, 1.0, 2.0, 3.0, 4.0]);
    let options = BakeOptions { max_rows: 26, ..BakeOptions::default() };
    let (_, report) = bake(&skeleton, &[solo(&skeleton, steps)], &options).unwrap();
    let why = &report.left_out[0].why;
    assert!(matches!(why, WhyLeftOut::TooManyRows { rows: 30, free: 26, limit: 26, .. }), "{why}");
}

#[test]
fn late_clips_are_left_out_before_a_row_exists() {
    let skeleton = chain(1);
    for (times, help) in [
        (vec![1e5, 1e5 + 1.0], "its first key is at 100000 s: import it with `trim_start` (`--trim-start`)"),
        (vec![1e30], "its first key is at 1000000000000000000000000000000 s: import it with `trim_start`"),
        (vec![0.0, 1e9], "take a part of it"),
        (vec![1.0, f32::MAX], "take a part of it"),
        (vec![0.0, 1e5], "take a part of it"),
    ] {
        for rate_hz in [None, Some(30.0), Some(f32::MAX)] {
            let options = BakeOptions { rate_hz, root_motion: None, ..BakeOptions::default() };
            let clips = [named("late", &skeleton, &times), named("walk", &skeleton, &[0.0])];
            let (kept, left_out) = bank_and_rest(&skeleton, &clips, &options);
            assert_eq!((kept.as_slice(), left_out.len()), (["walk".to_owned()].as_slice(), 1));
            if rate_hz != Some(f32::MAX) {
                assert!(left_out[0].contains(help), "{}", left_out[0]);
            }
        }
    }
    // Root motion is not looked for in what is too long.
    let root_motion = Some(RootMotion::of("joint 0"));
    let options = BakeOptions { root_motion, ..BakeOptions::default() };
    let clips = [named("late", &skeleton, &[1e30]), named("walk", &skeleton, &[0.0, 1.0])];
    assert_eq!(bank_and_rest(&skeleton, &clips, &options).0, ["walk"]);
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
fn clips_of_too_many_bytes_are_left_out_by_name() {
    let skeleton = chain(1);
    let clips = ["a", "b"].map(|name| named(name, &skeleton, &[0.0, 1.0]));
    let options = BakeOptions { max_bytes: 25 * 64 + 1, ..BakeOptions::default() };
    let (kept, left_out) = bank_and_rest(&skeleton, &clips, &options);
    assert_eq!(kept, ["a"]);
    let said = "clip 1 (\"b\") is not in the bank: found 25 rows of 64 bytes, expected at most 1 bytes of 1601, beside the \
                clips before it (`max_bytes`); take a part of it (`tools::subclip`) or a lower rate (`rate_hz`)";
    assert_eq!(left_out, [said]);
    let options = BakeOptions { max_bytes: 25 * 64 - 1, ..options };
    assert!(bank_and_rest(&skeleton, &clips, &options).0.is_empty());
    let (_, report) = bake(&skeleton, &clips[..1], &BakeOptions { max_bytes: 25 * 64, ..options }).unwrap();
    assert_eq!(report.bytes, 25 * 64);
}

#[test]
fn clips_whose_poses_leave_f32_are_left_out_by_name() {
    let skeleton = chain(2);
    // At both keys the curve is fine; in the middle it is a quarter higher, beyond all numbers from the fourth row on.
    let high = [3e38, 0.0, 0.0];
    let values = [[0.0; 3], high, high, high.map(|v| -v), high, [0.0; 3]].concat();
    let bow =
        Track::new("bow", Channel::Translation, Interpolation::CubicSpline, [0.0, 1.0], values).unwrap();
    let bow = Clip::new("bow", &skeleton, [(JointIndex(0), bow)]).unwrap();
    // Each local transform is fine, their product is not.
    let far = |x| slide(Interpolation::Linear, &[0.0, 1.0], &[x, x]);
    let grow = Track::new("grow", Channel::Scale, Interpolation::Step, [0.0], vec![1e30; 3]).unwrap();
    let tracks = [(JointIndex(0), grow), (JointIndex(1), far(1e30))];
    let far = Clip::new("far", &skeleton, tracks).unwrap();
    let walk = named("walk", &skeleton, &[0.0, 1.0]);
    let clips = [bow, walk.clone(), far];
    let (kept, left_out) = bank_and_rest(&skeleton, &clips, &BakeOptions::default());
    assert_eq!(kept, ["walk"]);
    let begins = [
        "clip 0 (\"bow\") is not in the bank: found joint 0 (\"joint 0\") beyond all numbers at 0.1666",
        "clip 2 (\"far\") is not in the bank: found joint 1 (\"joint 1\") beyond all numbers at 0 s",
    ];
    for (said, begins) in left_out.iter().zip(begins) {
        assert!(said.starts_with(begins), "{said}");
    }
    // What is left out leaves no trace in the bank.
    let with = bake(&skeleton, &clips, &BakeOptions::default()).unwrap();
    let without = bake(&skeleton, &[walk], &BakeOptions::default()).unwrap();
    assert_eq!(with.0, without.0);
    assert_eq!(with.1.largest, without.1.largest);
}
