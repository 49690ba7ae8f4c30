//! Differences to a pose.

use glam::Quat;
use proptest::prelude::*;
use throng_tracks::tools::{AdditiveError, apply_additive, make_additive, sample_additive};
use throng_tracks::{Channel, Clip, DTransform, Interpolation, JointIndex, Track, Transform, nlerp};

use crate::make::{CHAIN, JOINT, TICK, endless_clip, pose, same_pose, sampled, solo, track_of};

fn rounded(pose: &[DTransform]) -> Vec<Transform> {
    pose.iter().map(DTransform::as_transform).collect()
}

fn wide(pose: &[Transform]) -> Vec<DTransform> {
    pose.iter().map(Transform::as_dtransform).collect()
}

fn delta_at(clip: &Clip, t: f32) -> Vec<Transform> {
    let mut delta = vec![Transform::IDENTITY; CHAIN.joint_count()];
    sample_additive(clip, t, &mut delta);
    delta
}

/// Whether no scale of the pose is so near to 0 that ratios to it lose their digits.
fn divides(pose: &[DTransform]) -> bool {
    pose.iter().all(|joint| joint.scale.abs().min_element() > 0.1)
}

proptest! {
    #[test]
    fn on_its_reference_it_gives_the_source_back(
        clip in endless_clip(), reference in endless_clip(), at in 0u16..200, tick in 0u16..200,
    ) {
        let (at, t) = (f32::from(at) * TICK, (f32::from(tick) + 0.5) * TICK);
        let base = pose(&reference, at);
        if !divides(&base) {
            return Ok(());
        }
        let additive = make_additive(&clip, &CHAIN, &reference, at).unwrap();
        let mut found = rounded(&base);
        apply_additive(&mut found, &delta_at(&additive, t), 1.0);
        // Ratios to small scales enlarge the rounding of differences.
        let (found, expected) = (wide(&found), pose(&clip, t));
        prop_assert!(same_pose(&found, &expected), "{found:?} {expected:?} {additive:?}");
    }

    #[test]
    fn without_weight_nothing_changes(clip in endless_clip(), tick in 0u16..200) {
        let t = f32::from(tick) * TICK;
        let before = rounded(&pose(&clip, t));
        for weight in [0.0, -0.0, f32::NAN, f32::INFINITY] {
            let mut after = before.clone();
            apply_additive(&mut after, &before, weight);
            prop_assert_eq!(&after, &before);
        }
    }

    #[test]
    fn weights_follow_the_formulas(
        clips in prop::array::uniform2(endless_clip()), tick in 0u16..100, weight in -2.0f32..3.0,
    ) {
        let [base, delta] = clips.map(|clip| rounded(&pose(&clip, f32::from(tick) * TICK)));
        let mut found = base.clone();
        apply_additive(&mut found, &delta, weight);
        for ((found, base), delta) in found.iter().zip(&base).zip(&delta) {
            let rotation = base.rotation * nlerp(Quat::IDENTITY, delta.rotation, weight);
            prop_assert!(found.rotation.abs_diff_eq(rotation, 1e-6));
            let translation = base.translation + weight * delta.translation;
            prop_assert!(found.translation.abs_diff_eq(translation, 1e-5 * (1.0 + translation.length())));
            let scale = base.scale * (1.0 + weight * (delta.scale - 1.0));
            prop_assert!(found.scale.abs_diff_eq(scale, 1e-5 * (1.0 + scale.length())));
            prop_assert!((found.rotation.length() - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn what_only_the_reference_moves_is_taken_back() {
    let lift = Track::new("lift", Channel::Translation, Interpolation::Step, [0.0], vec![0.0, 9.0, 0.0]);
    let reference = solo(lift.unwrap());
    let still = Clip::new("still", &CHAIN, []).unwrap();
    let additive = make_additive(&still, &CHAIN, &reference, 0.0).unwrap();
    assert_eq!(delta_at(&additive, 0.0)[0].translation.to_array(), [0.0, -7.0, 0.5]);
}

#[test]
fn weights_and_properties_are_differences() {
    let face = |x: f32| Track::new("face", Channel::Weights(2), Interpolation::Linear, [0.0], vec![x, 0.5]);
    let turn = |x: f32| {
        let value = Quat::from_rotation_x(x).to_array().to_vec();
        Track::new("turn", Channel::Quaternion, Interpolation::Linear, [0.0], value).unwrap()
    };
    let clip = |x: f32| {
        let clip = solo(face(x).unwrap());
        let lamp = Track::from_frames("lamp", ["on"], 1.0).unwrap();
        clip.with_properties(&CHAIN, [("turn", turn(x)), ("lamp", lamp)]).unwrap()
    };
    let additive = make_additive(&clip(0.75), &CHAIN, &clip(0.5), 0.0).unwrap();
    assert_eq!(sampled(track_of(&additive), 0.0), [0.25, 0.0]);
    let property = |name: &str| additive.properties()[additive.find_property(&name.into()).unwrap()].track();
    let turned = sampled(property("turn"), 0.0);
    assert!((turned[0] - 0.125f64.sin()).abs() < 1e-6, "{turned:?}");
    assert_eq!(property("lamp").name_at(0.0), Some("on"));
    // Without a reference there is nothing to take off.
    let still = Clip::new("still", &CHAIN, []).unwrap();
    let whole = make_additive(&clip(0.75), &CHAIN, &still, 0.0).unwrap();
    assert_eq!(sampled(track_of(&whole), 0.0), [0.75, 0.5]);
}

#[test]
fn splines_stay_splines() {
    let values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].map(|key| key.map(|v| [v, v, v]).concat()).concat();
    let grow = Track::new("grow", Channel::Scale, Interpolation::CubicSpline, [0.0, 1.0], values).unwrap();
    let clip = solo(grow);
    let additive = make_additive(&clip, &CHAIN, &clip, 0.0).unwrap();
    let x: Vec<f32> = track_of(&additive).values().chunks(3).map(|v| v[0]).collect();
    assert_eq!(x, [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
}

#[test]
fn errors_name_joint_and_axis() {
    let flat = Track::new("flat", Channel::Scale, Interpolation::Step, [0.0], vec![1.0, 0.0, 1.0]).unwrap();
    let flat = Clip::new("flat", &CHAIN, [(JointIndex(1), flat)]).unwrap();
    let error = make_additive(&flat, &CHAIN, &flat, 0.0).unwrap_err();
    let AdditiveError::ZeroScale { joint, name, axis, reference, .. } = &error else { panic!("{error}") };
    assert_eq!((joint.0, &name[..], *axis, &reference[..]), (1, "joint 1", 1, "flat"));
    assert!(error.to_string().contains("0 along y"), "{error}");
    let weights = |count: u32| {
        let values = vec![0.0; count as usize];
        let track = Track::new("face", Channel::Weights(count), Interpolation::Linear, [0.0], values);
        Clip::new("face", &CHAIN, [(JOINT, track.unwrap())]).unwrap()
    };
    let error = make_additive(&weights(1), &CHAIN, &weights(2), 0.0).unwrap_err();
    assert!(matches!(error, AdditiveError::Channels { .. }), "{error}");
}
