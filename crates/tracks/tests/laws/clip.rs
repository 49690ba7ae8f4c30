//! Sampling a clip: track by track the same, and against the oracle.

use std::sync::Arc;

use glam::{DMat4, Quat, Vec3};
use proptest::prelude::*;
use throng_tracks::{Channel, Clip, DTransform, Interpolation, JointIndex, Track, Transform};

use crate::make::{
    Figure, Keys, any_time, chain, exact_model, figure, index_of, model_of, pose_of, slide, solo,
};
use crate::oracle;

proptest! {
    #[test]
    fn a_pose_is_the_rest_with_each_tracks_sample(figure in figure(), t in any_time()) {
        let (skeleton, clip) = (figure.skeleton(), figure.clip());
        let mut pose = pose_of(&skeleton);
        clip.sample(&skeleton, t, &mut pose);
        let mut expected = skeleton.rest().to_vec();
        for (joint, keys) in &figure.tracks {
            let mut value = [0.0; 4];
            // The clip begins at 0; ahead of it, a first key at 0 may have another one behind it at the same time.
            keys.track().sample(t.max(0.0), &mut value[..keys.channel.components()]);
            match keys.channel {
                Channel::Rotation => expected[*joint].rotation = Quat::from_array(value),
                Channel::Translation => expected[*joint].translation = Vec3::from_slice(&value),
                Channel::Scale => expected[*joint].scale = Vec3::from_slice(&value),
                _ => {}
            }
        }
        prop_assert_eq!(pose, expected);
    }

    #[test]
    fn exact_poses_are_those_of_the_oracle(figure in figure(), t in 0.0f32..2.0) {
        let (skeleton, clip) = (figure.skeleton(), figure.clip());
        let mut pose = pose_of(&skeleton);
        clip.sample(&skeleton, t, &mut pose);
        let (rounded, exact) = (model_of(&skeleton, &pose), exact_model(&skeleton, &clip, t));
        let rounded = rounded.iter().map(|m| DMat4::from(m.as_daffine3()));
        for ((rounded, exact), expected) in rounded.zip(exact).zip(oracle::model(&figure, t)) {
            let size = expected.to_cols_array().iter().fold(1.0, |a: f64, b| a.max(b.abs()));
            prop_assert!(rounded.abs_diff_eq(expected, 1e-4 * size), "{rounded} oracle {expected}");
            prop_assert!(exact.abs_diff_eq(expected, 1e-4 * size), "{exact} oracle {expected}");
        }
    }

    #[test]
    fn a_pose_is_the_one_in_f64_rounded(figure in figure(), t in any_time()) {
        let (skeleton, clip) = (figure.skeleton(), figure.clip());
        let mut pose = pose_of(&skeleton);
        clip.sample(&skeleton, t, &mut pose);
        let mut exact = vec![DTransform::IDENTITY; pose.len()];
        clip.sample_f64(&skeleton, t, &mut exact);
        let rounded: Vec<Transform> = exact.iter().map(DTransform::as_transform).collect();
        prop_assert_eq!(pose, rounded);
        for (joint, _) in figure.tracks.iter().filter(|(_, keys)| keys.channel == Channel::Rotation) {
            prop_assert!((exact[*joint].rotation.length() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_clip_lasts_to_its_last_key_and_shares_equal_times(figure in figure()) {
        let clip = figure.clip();
        let last = figure.tracks.iter().flat_map(|(_, keys)| &keys.times).fold(0.0, |a: f32, &b| a.max(b));
        prop_assert_eq!(clip.duration_s(), last);
        prop_assert_eq!(clip.key_count(), figure.tracks.iter().map(|(_, keys)| keys.times.len()).sum::<usize>());
        for (bound, (joint, keys)) in clip.tracks().iter().zip(&figure.tracks) {
            prop_assert_eq!(bound.joint(), index_of(*joint));
            let timeline = &clip.timelines()[bound.timeline()];
            prop_assert_eq!(&timeline[..], &keys.times[..]);
            prop_assert!(Arc::ptr_eq(timeline, bound.track().times()));
        }
        for (i, timeline) in clip.timelines().iter().enumerate() {
            prop_assert!(clip.timelines()[..i].iter().all(|other| other != timeline));
        }
    }
}

#[test]
fn below_a_scale_of_a_hundred_no_digit_is_lost() {
    let large = Transform { scale: Vec3::splat(100.0), ..Transform::IDENTITY };
    let limb = Transform { translation: Vec3::new(0.003, 0.007, 0.001), ..Transform::IDENTITY };
    let joints: Vec<_> =
        (0..20).map(|j: usize| (j.checked_sub(1), if j == 0 { large } else { limb })).collect();
    let (channel, interpolation) = (Channel::Rotation, Interpolation::Linear);
    let tracks = (0..20u8).map(|j| {
        // Quaternions of three digits, close to each other and further apart.
        let digits = |v: f32| (v * 1000.0).round() / 1000.0;
        let key = |k: u8| {
            let angle = f32::from(j) / 20.0 + f32::from(k * k) / 30.0;
            [digits(angle.sin()), 0.0, 0.0, digits(angle.cos())]
        };
        let values = (0..5).flat_map(key).collect();
        (usize::from(j), Keys { channel, interpolation, times: vec![0.0, 0.25, 0.5, 0.75, 1.0], values })
    });
    let figure = Figure { joints, tracks: tracks.collect() };
    let (skeleton, clip) = (figure.skeleton(), figure.clip());
    for t in (0..100u8).map(|k| f32::from(k) / 99.0) {
        for (found, expected) in exact_model(&skeleton, &clip, t).iter().zip(oracle::model(&figure, t)) {
            assert!(found.abs_diff_eq(expected, 1e-10), "{found} oracle {expected}");
        }
    }
}

#[test]
fn a_clip_without_tracks_is_the_rest() {
    let skeleton = chain(3);
    let clip = Clip::new("still", &skeleton, []).unwrap();
    assert_eq!(clip.duration_s(), 0.0);
    let mut pose = pose_of(&skeleton);
    clip.sample(&skeleton, 1.0, &mut pose);
    assert_eq!(pose, skeleton.rest());
}

#[test]
fn morph_weights_last_but_leave_the_pose_alone() {
    let skeleton = chain(1);
    let weights =
        Track::new("w", Channel::Weights(1), Interpolation::Linear, [0.0, 3.0], vec![0.0, 1.0]).unwrap();
    let moves = slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]);
    let clip = Clip::new("c", &skeleton, [(JointIndex(0), weights), (JointIndex(0), moves.clone())]).unwrap();
    assert_eq!(clip.duration_s(), 3.0);
    let (mut pose, mut alone) = (pose_of(&skeleton), pose_of(&skeleton));
    clip.sample(&skeleton, 0.5, &mut pose);
    solo(&skeleton, moves).sample(&skeleton, 0.5, &mut alone);
    assert_eq!(pose, alone);
}
