//! Additive layers.

use super::*;

#[test]
fn an_additive_delta_is_applied_on_the_local_side() {
    let scene = Scene::new();
    for weight in [0.5, 1.0] {
        scene.hold(&[shown(1, 0.5, 1.0), shown(ADDITIVE, 1.0, weight)]);
    }
    // By hand: rotation = base * nlerp(identity, delta, w), delta = conj(ref) * value.
    let [base, reference, value] =
        [(1, 0.5), (3, 0.0), (3, 1.0)].map(|(clip, t)| local(&scene, clip, t, 1).rotation);
    let delta = DVec4::from(reference.conjugate() * value);
    let expected = base * DQuat::from_vec4(DVec4::W.lerp(delta * delta.w.signum(), 0.5).normalize());
    let mut crowd = scene.crowds().pop().unwrap();
    let m = palette(&mut crowd, &[shown(1, 0.5, 1.0), shown(ADDITIVE, 1.0, 0.5)]);
    let above = scene.skeleton.rest()[0].as_dtransform().rotation;
    let x = above * expected * DVec3::X;
    assert!(x.distance(DVec3::new(m[12].into(), m[16].into(), m[20].into())) < 1e-6);
}

#[test]
fn additive_translations_are_a_difference_and_scales_a_ratio() {
    let skeleton = skeleton();
    let clip = |name: &str, x: f32, s: [f32; 3]| {
        let tracks = [
            (JointIndex(2), track(Channel::Translation, &[&[1.0, 0.0, 0.0], &[1.0 + x, 0.0, 0.0]])),
            (JointIndex(2), track(Channel::Scale, &[&[2.0; 3], &s])),
        ];
        Clip::new(name, &skeleton, tracks).unwrap()
    };
    let mut clips = vec![clip("base", 3.0, [3.0, 2.0, 1.0]); 4];
    clips.push(tools::make_additive(&clip("d", 4.0, [4.0, 1.0, 2.0]), &skeleton, &clips[0], 0.0).unwrap());
    let bank = Arc::new(bake(&skeleton, &clips, &BakeOptions::default()).unwrap().0);
    let plan = Arc::new(Plan::new(bank, &Skin::model_space(&skeleton)).unwrap());
    let scene = Scene { skeleton, clips, plan };
    let delta = local(&scene, ADDITIVE, 1.0, 2);
    assert!(delta.translation.distance(DVec3::X * 4.0) < 1e-6);
    assert!(delta.scale.distance(DVec3::new(2.0, 0.5, 1.0)) < 1e-6);
    for weight in [-0.5, 0.25, 1.0] {
        scene.hold(&[shown(0, 1.0, 1.0), shown(ADDITIVE, 1.0, weight)]);
    }
}

#[test]
fn a_zero_reference_scale_is_an_error_that_names_the_joint() {
    let skeleton = skeleton();
    let flat = [(JointIndex(2), track(Channel::Scale, &[&[0.0; 3], &[1.0; 3]]))];
    let flat = Clip::new("flat", &skeleton, flat).unwrap();
    let said = tools::make_additive(&flat, &skeleton, &flat, 0.0).unwrap_err().to_string();
    assert!(said.contains("joint 2"), "{said}");
}

#[test]
fn additive_weights_may_be_negative_or_above_1() {
    let scene = Scene::new();
    for weight in [-2.0, -1.0, -0.25, 1.5, 3.0] {
        scene.hold(&[shown(1, 0.5, 1.0), shown(ADDITIVE, 1.0, weight)]);
        // On the rest, too.
        scene.hold(&[shown(1, 0.5, 0.0), shown(ADDITIVE, 1.0, weight)]);
    }
}

#[test]
fn a_converted_cubic_clip_stays_exact() {
    let skeleton = skeleton();
    let keys =
        [[0.0f32, 0.0, 0.0], [1.0, 0.5, 0.0], [2.0, 0.0, 1.0], [0.5, 0.0, 0.0], [3.0, 1.0, 0.0], [0.0; 3]];
    let cubic =
        Track::new("t", Channel::Translation, Interpolation::CubicSpline, [0.0, 1.0], keys.concat()).unwrap();
    let clip = Clip::new("cubic", &skeleton, [(JointIndex(1), cubic)]).unwrap();
    let additive = tools::make_additive(&clip, &skeleton, &clip, 0.0).unwrap();
    let at = |clip: &Clip, t: f32| {
        let mut pose = vec![DTransform::IDENTITY; 3];
        clip.sample_f64(&skeleton, t, &mut pose);
        pose[1].translation
    };
    for t in (0..=20).map(|k| k as f32 / 20.0) {
        let expected = at(&clip, t) - at(&clip, 0.0);
        assert!(at(&additive, t).distance(expected) < 1e-6, "at {t}");
    }
}
