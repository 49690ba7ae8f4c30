//! Additive clips through every other tool, and through the bake.

use glam::{DAffine3, DQuat, DVec3, Quat};
use proptest::prelude::*;
use throng_tracks::tools::{self, AdditiveError, MirrorOptions, MirrorPlane, ReduceOptions, TimeError};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, DTransform, Interpolation, JointIndex, RowPair, Track, Transform, bake,
    model_matrices_f64,
};

use crate::make::{CHAIN, TICK, clip, endless_clip, pose, same_pose, solo};

/// The clip in the mirror; no joint has a partner.
fn mirrored(clip: &Clip, plane: MirrorPlane) -> Clip {
    let options = MirrorOptions::default().with_plane(plane).with_tolerance(f32::INFINITY);
    tools::mirror(clip, &CHAIN, &options).unwrap().0
}

/// All tools that make a clip of a clip.
fn through_all(clip: &Clip) -> Vec<(&'static str, Clip)> {
    let namesakes = tools::namesakes(&CHAIN, &CHAIN).joints;
    vec![
        ("subclip", tools::subclip(clip, &CHAIN, 0.1, 0.3).unwrap()),
        ("subclip_frames", tools::subclip_frames(clip, &CHAIN, 1..=3, 30.0).unwrap()),
        ("trim", tools::trim(clip, &CHAIN, 0.0, 9.0).unwrap()),
        ("concat", tools::concat("twice", &[clip.clone(), clip.clone()], &CHAIN, 0.0).unwrap()),
        ("shift", tools::shift(clip, &CHAIN, 1.0).unwrap()),
        ("scale_time", tools::scale_time(clip, &CHAIN, 2.0).unwrap()),
        ("reverse", tools::reverse(clip, &CHAIN).unwrap()),
        ("resample", tools::resample(clip, &CHAIN, 30.0).unwrap()),
        ("reduce", tools::reduce(clip, &CHAIN, &ReduceOptions::default()).unwrap()),
        ("mirror", mirrored(clip, MirrorPlane::X)),
        ("remap", tools::remap(clip, &CHAIN, &namesakes, &CHAIN).unwrap().0),
    ]
}

/// A turn and a lift of the middle joint.
fn wave() -> Clip {
    let turn: Vec<f32> =
        [3.0, 5.0, 4.0].into_iter().flat_map(|a| Quat::from_rotation_x(a).to_array()).collect();
    let turn = Track::new("turn", Channel::Rotation, Interpolation::Linear, [0.0, 0.5, 1.0], turn).unwrap();
    let lift = vec![0.0, 1.0, 0.0, 0.0, 3.0, 0.0];
    let lift = Track::new("lift", Channel::Translation, Interpolation::Linear, [0.0, 1.0], lift).unwrap();
    Clip::new("wave", &CHAIN, [(JointIndex(1), turn), (JointIndex(1), lift)]).unwrap()
}

fn models(pose: &[DTransform]) -> Vec<DAffine3> {
    let mut model = vec![DAffine3::IDENTITY; pose.len()];
    model_matrices_f64(&CHAIN, pose, &mut model);
    model
}

/// The difference added to the rest, written out.
fn on_rest(delta: &[DTransform]) -> Vec<DTransform> {
    let added = |(rest, delta): (&Transform, &DTransform)| DTransform {
        translation: rest.translation.as_dvec3() + delta.translation,
        rotation: rest.rotation.as_dquat() * delta.rotation,
        scale: rest.scale.as_dvec3() * delta.scale,
    };
    CHAIN.rest().iter().zip(delta).map(added).collect()
}

fn bank_pose(bank: &Bank, pair: RowPair) -> Vec<DTransform> {
    let mut pose = vec![Transform::IDENTITY; CHAIN.joint_count()];
    bank.sample(pair, &mut pose);
    pose.iter().map(Transform::as_dtransform).collect()
}

#[test]
fn every_tool_makes_an_additive_clip_of_one_and_only_of_one() {
    let wave = wave();
    for (tool, clip) in through_all(&wave) {
        assert!(!clip.is_additive(), "{tool}");
    }
    let additive = tools::make_additive(&wave, &CHAIN, &wave, 0.0).unwrap();
    assert!(additive.is_additive());
    for (tool, clip) in through_all(&additive) {
        assert!(clip.is_additive(), "{tool}");
    }
    assert!(!additive.clone().with_additive(false).is_additive());
    assert!(wave.with_additive(true).is_additive());
}

#[test]
fn what_a_difference_does_not_move_it_leaves_alone() {
    let additive = wave().with_additive(true);
    for t in [0.0, 0.4, 7.0] {
        let delta = pose(&additive, t);
        assert_eq!([delta[0], delta[2]], [DTransform::IDENTITY; 2]);
        assert_eq!(delta[1].scale, DVec3::ONE);
        let mut short = vec![Transform::IDENTITY; CHAIN.joint_count()];
        tools::sample_additive(&additive, t, &mut short);
        assert_eq!(short, delta.iter().map(DTransform::as_transform).collect::<Vec<_>>());
    }
}

#[test]
fn differences_are_joined_with_differences() {
    let still = Clip::new("still", &CHAIN, []).unwrap();
    let error = tools::concat("both", &[wave().with_additive(true), still.clone()], &CHAIN, 0.0).unwrap_err();
    assert_eq!(error, TimeError::Additive { clip: "still".into() });
    let point = |additive| {
        let pause = Track::new("p", Channel::Scalar, Interpolation::Step, [0.0, 1.0], vec![0.0; 2]).unwrap();
        still.clone().with_additive(additive).with_properties(&CHAIN, [("pause", pause)]).unwrap()
    };
    let both = tools::concat("both", &[wave().with_additive(true), point(true)], &CHAIN, 0.0).unwrap();
    assert!(same_pose(&pose(&both, 1.5), &[DTransform::IDENTITY; 3]));
    let both = tools::concat("both", &[wave(), point(false)], &CHAIN, 0.0).unwrap();
    assert!(same_pose(&pose(&both, 1.5), &pose(&still, 0.0)));
}

#[test]
fn no_difference_is_taken_of_differences() {
    let (wave, additive) = (wave(), wave().with_additive(true));
    for (clip, reference) in [(&wave, &additive), (&additive, &wave), (&additive, &additive)] {
        let error = tools::make_additive(clip, &CHAIN, reference, 0.0).unwrap_err();
        assert_eq!(error, AdditiveError::Additive { clip: "wave".into() });
    }
}

proptest! {
    #[test]
    fn the_image_of_a_difference_is_the_difference_of_images(
        clip in endless_clip(), reference in endless_clip(), tick in 0u16..100,
    ) {
        let t = f32::from(tick) * TICK;
        // Scales are mirrored axis by axis, which turned axes have not; nor is a ratio to nearly 0 worth a comparison.
        let unscaled = |clip: &Clip| {
            let tracks = clip.tracks().iter().filter(|b| b.track().channel() != Channel::Scale);
            Clip::new("made", &CHAIN, tracks.map(|b| (b.joint(), b.track().clone()))).unwrap()
        };
        let [clip, reference] = [&clip, &reference].map(unscaled);
        let image = |clip: &Clip| mirrored(clip, MirrorPlane::Y);
        let difference = |a: &Clip, b: &Clip| tools::make_additive(a, &CHAIN, b, 0.25).unwrap();
        let a = image(&difference(&clip, &reference));
        let b = difference(&image(&clip), &image(&reference));
        prop_assert!(same_pose(&pose(&a, t), &pose(&b, t)), "{:?} {:?}", pose(&a, t), pose(&b, t));
    }

    #[test]
    fn the_bake_of_a_difference_is_within_its_error_on_the_rest(clip in clip(), other in clip(), first in any::<bool>()) {
        let additive = clip.with_additive(true);
        let clips = if first { [additive, other] } else { [other, additive] };
        let index = usize::from(!first);
        let (bank, report) = bake(&CHAIN, &clips, &BakeOptions::default()).unwrap();
        prop_assert!(bank.clips()[index].is_additive() && !bank.clips()[1 - index].is_additive());
        let (error, duration) = (f64::from(report.clips[index].largest.error), clips[index].duration_s());
        for step in 0..=50 {
            let t = duration * step as f32 / 50.0;
            let exact = models(&on_rest(&pose(&clips[index], t)));
            let baked = models(&on_rest(&bank_pose(&bank, bank.locate(index, t))));
            for (a, b) in exact.iter().zip(&baked) {
                let columns = |m: &DAffine3| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
                for (a, b) in columns(a).into_iter().zip(columns(b)) {
                    prop_assert!(a.distance(b) <= error, "{} above {error} at {t}", a.distance(b));
                }
            }
        }
    }

    #[test]
    fn rows_of_a_difference_begin_on_the_side_of_the_identity(clip in clip(), other in clip()) {
        let clips = [other, clip.with_additive(true)];
        let (bank, report) = bake(&CHAIN, &clips, &BakeOptions::default()).unwrap();
        let (first, stride) = (report.clips[0].rows, bank.row_stride());
        for (columns, constant) in bank.columns().iter().zip(bank.constants()) {
            let Some(at) = columns.rotation else {
                prop_assert!(constant.rotation.w >= 0.0);
                continue;
            };
            let rows: Vec<Quat> = (first..bank.row_count())
                .map(|row| Quat::from_slice(&bank.rows()[row * stride + at as usize..]))
                .collect();
            prop_assert!(rows[0].w >= 0.0, "{}", rows[0]);
            prop_assert!(rows.windows(2).all(|w| w[0].dot(w[1]) >= 0.0));
        }
    }
}

#[test]
fn rows_hold_the_identity_where_a_difference_moves_nothing() {
    // What the first clip moves has columns, in which the second has nothing to say.
    let nod = [2.0f32, 2.5].into_iter().flat_map(|a| Quat::from_rotation_y(a).to_array()).collect();
    let nod = Track::new("nod", Channel::Rotation, Interpolation::Linear, [0.0, 1.0], nod).unwrap();
    let (bank, _) = bake(&CHAIN, &[wave(), solo(nod).with_additive(true)], &BakeOptions::default()).unwrap();
    let delta = bank_pose(&bank, bank.locate(1, 0.5));
    assert_eq!(delta[1..], [DTransform::IDENTITY; 2]);
    assert_eq!((delta[0].translation, delta[0].scale), (DVec3::ZERO, DVec3::ONE));
    assert!(delta[0].rotation.abs_diff_eq(DQuat::from_rotation_y(2.25), 1e-3), "{:?}", delta[0].rotation);
    // And the other way round: a clip of poses in a bank of differences is at rest.
    let still = Clip::new("still", &CHAIN, []).unwrap();
    let (bank, _) = bake(&CHAIN, &[wave().with_additive(true), still], &BakeOptions::default()).unwrap();
    assert!(same_pose(&bank_pose(&bank, bank.locate(1, 0.0)), &on_rest(&[DTransform::IDENTITY; 3])));
}

#[test]
fn fewer_keys_are_counted_on_the_rest() {
    // The rest of the chain is long, a difference by itself has no length: only on the rest does a turn of the root count.
    let turn: Vec<f32> =
        (0..=30).flat_map(|i| Quat::from_rotation_x(0.01 * (i as f32).sin()).to_array()).collect();
    let times: Vec<f32> = (0..=30).map(|i| i as f32 / 30.0).collect();
    let additive = solo(Track::new("t", Channel::Rotation, Interpolation::Linear, times, turn).unwrap());
    let additive = additive.with_additive(true);
    let options = ReduceOptions { tolerance: 0.02, shell: 0.03, values: 0.0 };
    let reduced = tools::reduce(&additive, &CHAIN, &options).unwrap();
    for step in 0..=300 {
        let t = step as f32 / 300.0;
        let [a, b] = [&additive, &reduced].map(|clip| models(&on_rest(&pose(clip, t))));
        let off = a[2].translation.distance(b[2].translation);
        assert!(off <= 0.02, "{off} at {t}");
    }
}
