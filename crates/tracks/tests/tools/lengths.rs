//! Lengths in another unit.

use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use throng_tracks::tools::scale_lengths;
use throng_tracks::{Channel, Clip, Interpolation, LengthUnit, Skeleton, Skin, Track, model_matrices_f64};

use crate::make::{CHAIN, JOINT, clip, endless_clip, pose, solo};

/// The palette of all joints in a pose of a clip.
fn palette(skeleton: &Skeleton, skin: &Skin, clip: &Clip, t: f32) -> Vec<glam::DAffine3> {
    let mut local = vec![throng_tracks::DTransform::IDENTITY; skeleton.joint_count()];
    clip.sample_f64(skeleton, t, &mut local);
    let mut model = vec![glam::DAffine3::IDENTITY; local.len()];
    model_matrices_f64(skeleton, &local, &mut model);
    model.iter().zip(skin.inverse_bind()).map(|(model, inverse)| *model * inverse.as_daffine3()).collect()
}

proptest! {
    #[test]
    fn all_poses_are_the_same_at_another_size(
        clip in prop_oneof![clip(), endless_clip()], factor in prop::sample::select(vec![0.01f64, 0.0254, 100.0, 2.0]),
        t in 0.0f32..3.0,
    ) {
        let inverse = (0..3).map(|j| Affine3A::from_translation(Vec3::new(0.5, -(j as f32), 0.25))).collect();
        let skin = Skin::new("s", &CHAIN, CHAIN.joints().collect(), Some(inverse)).unwrap();
        let skeleton = CHAIN.with_lengths_scaled(factor).unwrap();
        let smaller = scale_lengths(&clip, &CHAIN, factor).unwrap();
        let entries = palette(&skeleton, &skin.with_lengths_scaled(factor).unwrap(), &smaller, t);
        for (small, large) in entries.iter().zip(palette(&CHAIN, &skin, &clip, t)) {
            let size = 1.0 + large.translation.length() + large.matrix3.x_axis.length();
            prop_assert!(small.matrix3.abs_diff_eq(large.matrix3, 1e-6 * size * 50.0));
            let off = small.translation.distance(large.translation * factor);
            prop_assert!(off <= 2e-5 * size * factor, "off by {} of {}", off, size * factor);
        }
    }

    #[test]
    fn what_has_no_length_stays(clip in clip()) {
        let scaled = scale_lengths(&clip, &CHAIN, 0.01).unwrap();
        prop_assert_eq!(scale_lengths(&clip, &CHAIN, 1.0).unwrap(), clip.clone());
        for (a, b) in clip.tracks().iter().zip(scaled.tracks()) {
            prop_assert!(a == b || a.track().channel() == Channel::Translation);
        }
        prop_assert_eq!((pose(&scaled, 0.3).len(), scaled.duration_s()), (3, clip.duration_s()));
    }
}

#[test]
fn what_leaves_all_numbers_is_an_error() {
    let far = Track::new("far", Channel::Translation, Interpolation::Linear, [0.0], vec![3e38, 0.0, 0.0]);
    let error = scale_lengths(&solo(far.unwrap()), &CHAIN, 100.0).unwrap_err();
    assert!(error.to_string().contains("joint 0 translation"), "{error}");
    assert_eq!(JOINT.0, 0);
    CHAIN.with_lengths_scaled(1e300).unwrap_err();
    let inverse = vec![Affine3A::from_translation(Vec3::X); 3];
    let skin = Skin::new("s", &CHAIN, CHAIN.joints().collect(), Some(inverse)).unwrap();
    assert_eq!(skin.with_lengths_scaled(1e300), None);
}

#[test]
fn units_have_names_or_numbers() {
    for (text, metres) in [
        ("mm", 0.001),
        ("cm", 0.01),
        ("m", 1.0),
        ("in", 0.0254),
        ("ft", 0.3048),
        ("2.5", 2.5),
        ("1e-3", 0.001),
    ] {
        assert_eq!(text.parse::<LengthUnit>().unwrap().metres(), metres, "{text}");
    }
    for text in ["", "0", "-0.01", "nan", "inf", "1e-60", "1e60", "metre", "CM "] {
        let error = text.parse::<LengthUnit>().unwrap_err();
        assert!(error.to_string().contains("expected mm, cm, m"), "{error}");
    }
}
