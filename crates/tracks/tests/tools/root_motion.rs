//! Root motion: what is taken and what is left make up the clip, and steps along the way add up.

use glam::{DAffine3, DQuat, DVec3, Quat};
use proptest::prelude::*;
use throng_tracks::tools::{
    MotionReference, RootMotion, RootMotionError, extract_root_motion, make_additive,
};
use throng_tracks::{
    Axis, BakeError, BakeOptions, Channel, Clip, Interpolation, Joint, JointIndex, MotionCurve, Placement,
    Rest, Skeleton, Track, Transform, bake, model_matrices_f64,
};

use crate::make::{CHAIN, endless_clip, pose};

fn choice() -> impl Strategy<Value = RootMotion> {
    let axis = prop::sample::select(vec![Axis::X, Axis::Y, Axis::Z]);
    let reference = prop::sample::select(vec![MotionReference::Rest, MotionReference::Start]);
    let rate = prop::option::of(prop::sample::select(vec![7.0f32, 24.0, 64.0]));
    (0u16..3, any::<[bool; 3]>(), prop::option::of(axis), reference, rate).prop_map(
        |(joint, translation, yaw, reference, rate_hz)| {
            let usual = RootMotion::of(JointIndex(joint));
            RootMotion { translation, yaw, reference, rate_hz, ..usual }
        },
    )
}

fn model(clip: &Clip, t: f32) -> Vec<DAffine3> {
    let mut model = vec![DAffine3::IDENTITY; CHAIN.joint_count()];
    model_matrices_f64(&CHAIN, &pose(clip, t), &mut model);
    model
}

fn affine(place: &Placement) -> DAffine3 {
    let (rotation, translation) = (place.rotation.as_dquat().normalize(), place.translation.as_dvec3());
    DAffine3::from_rotation_translation(rotation, translation) * DAffine3::from_scale(DVec3::splat(1.0))
}

/// How far apart two matrices are, relative to their size.
fn apart(a: &DAffine3, b: &DAffine3) -> f64 {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = a.iter().fold(1.0f64, |size, v| size.max(v.abs()));
    a.iter().zip(b).fold(0.0f64, |off, (a, b)| off.max((a - b).abs())) / size
}

/// A joint below a turned and enlarged one, as exporters put it.
fn rig() -> Skeleton {
    let armature = Transform {
        rotation: Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
        scale: [0.5; 3].into(),
        ..Transform::IDENTITY
    };
    let hips = Transform { translation: [0.3, 0.0, 2.0].into(), ..Transform::IDENTITY };
    let joint = |name: &str, parent, rest| Joint { name: name.into(), parent, rest: Rest::Trs(rest) };
    Skeleton::new([joint("armature", None, armature), joint("hips", Some(JointIndex(0)), hips)]).unwrap()
}

/// A walk round a corner: in model space along z, while turning left, up and down. Its keys lie on a grid of 30 Hz.
fn corner(skeleton: &Skeleton, frames: u16) -> Clip {
    let times: Vec<f32> = (0..=frames).map(|i| f32::from(i) / 30.0).collect();
    let way = |t: f32| [0.3 + 0.2 * t * t, -1.5 * t, 2.0 + 0.1 * (9.0 * t).sin()];
    // About z, which the armature turns up.
    let turn = |t: f32| Quat::from_rotation_z(1.2 * t) * Quat::from_rotation_x(0.2 * (9.0 * t).sin());
    let translation = times.iter().flat_map(|&t| way(t)).collect();
    let rotation = times.iter().flat_map(|&t| turn(t).to_array()).collect();
    let linear = Interpolation::Linear;
    let walk = Track::new("walk", Channel::Translation, linear, times.clone(), translation).unwrap();
    let turn = Track::new("turn", Channel::Rotation, linear, times, rotation).unwrap();
    Clip::new("corner", skeleton, [(JointIndex(1), walk), (JointIndex(1), turn)]).unwrap()
}

fn corner_curve(frames: u16) -> MotionCurve {
    let skeleton = rig();
    extract_root_motion(&corner(&skeleton, frames), &skeleton, &RootMotion::of("hips")).unwrap().motion
}

proptest! {
    #[test]
    fn the_motion_and_what_is_left_are_the_clip(
        clip in endless_clip(),
        choice in choice(),
        ways in prop::array::uniform8(0.0f32..=1.0),
    ) {
        let joint = choice.find_joint(&CHAIN).unwrap();
        let scaled = clip.tracks().iter().any(|b| b.track().channel() == Channel::Scale && b.joint() < joint);
        let taken = match extract_root_motion(&clip, &CHAIN, &choice) {
            Err(RootMotionError::Sheared { .. }) if scaled && choice.yaw.is_some() => return Ok(()),
            Err(RootMotionError::Flat { .. }) if scaled => return Ok(()),
            taken => taken.unwrap(),
        };
        prop_assert_eq!(taken.clip.duration_s(), clip.duration_s());
        prop_assert_eq!(taken.motion.duration_s(), clip.duration_s());
        let keys = clip.timelines().iter().flat_map(|times| times.iter().copied());
        for t in ways.into_iter().map(|way| way * clip.duration_s()).chain(keys) {
            let (whole, left) = (model(&clip, t), model(&taken.clip, t));
            // Where joints above are scaled to nearly nothing, nothing can be told.
            let above = CHAIN.parents()[joint.get()].map_or(1.0, |p| whole[p.get()].matrix3.determinant());
            if above.abs() < 1e-2 {
                continue;
            }
            let motion = affine(&taken.motion.at(t.into()));
            for joint in joint.get()..CHAIN.joint_count() {
                let off = apart(&whole[joint], &(motion * left[joint]));
                prop_assert!(off < 5e-6, "joint {joint} at {t}: off by {off}");
            }
        }
    }

    #[test]
    fn any_steps_there_are_one_step_there(
        stops in prop::collection::vec(0.0f64..=1.0, 2..20),
        passes in prop::collection::vec(-3i64..=3, 20),
    ) {
        let curve = corner_curve(20);
        let d = f64::from(curve.duration_s());
        let range = [0.0, d];
        let mut place = Placement::IDENTITY;
        for (pair, &seams) in stops.windows(2).zip(&passes) {
            place = place.then(&curve.travel(pair[0] * d, pair[1] * d, seams, range));
        }
        let seams = passes[..stops.len() - 1].iter().sum();
        let last = stops[stops.len() - 1] * d;
        let once = curve.travel(stops[0] * d, last, seams, range);
        let off = apart(&affine(&place), &affine(&once));
        prop_assert!(off < 1e-4, "off by {off}");
        // And back.
        let back = once.then(&curve.travel(last, stops[0] * d, -seams, range));
        let off = apart(&affine(&back), &DAffine3::IDENTITY);
        prop_assert!(off < 1e-5, "off by {off}");
    }

    #[test]
    fn seams_are_passes_one_after_the_other(
        from in 0.0f64..=1.0, to in 0.0f64..=1.0, seams in -40i64..40, cut in any::<bool>(),
    ) {
        let curve = corner_curve(20);
        let d = f64::from(curve.duration_s());
        let [min, max] = if cut { [0.25 * d, 0.8 * d] } else { [0.0, d] };
        let [from, to] = [from, to].map(|way| min + (max - min) * way);
        let pass = affine(&curve.step(min, max));
        let mut expected = affine(&curve.step(from, min));
        for _ in 0..seams.abs() {
            expected *= if seams > 0 { pass } else { pass.inverse() };
        }
        expected *= affine(&curve.step(min, to));
        let off = apart(&expected, &affine(&curve.travel(from, to, seams, [min, max])));
        prop_assert!(off < 1e-5, "off by {off}");
    }
}

#[test]
fn a_corner_is_walked_as_its_formula_says() {
    let (curve, d) = (corner_curve(20), 20.0 / 30.0);
    assert_eq!((curve.sample_count(), curve.rate_hz()), (21, 30.0));
    // By hand: the armature halves, turns y to -z and z to y. The hips turn about the point that they stand on.
    let at = |t: f64| {
        let turn = DQuat::from_rotation_y(1.2 * t);
        let place = DVec3::new(0.15 + 0.1 * t * t, 0.0, 0.75 * t);
        let stays = DVec3::new(0.15, 0.0, 0.0);
        DAffine3::from_rotation_translation(turn, place - turn * stays)
    };
    for (from, to) in [(0, 20), (3, 4), (17, 2), (9, 9)] {
        let [from, to] = [from, to].map(|i| f64::from(i) / 30.0);
        let expected = at(from).inverse() * at(to);
        let off = apart(&expected, &affine(&curve.step(from, to)));
        // The twist of a turn that also nods is not quite its first factor's angle.
        assert!(off < 1e-6, "from {from} to {to}: off by {off}");
    }
    let far = curve.travel(0.0, 0.0, 1_000_000_000, [0.0, d]);
    assert!(far.translation.length() < 10.0 && (far.rotation.length() - 1.0).abs() < 1e-6, "{far:?}");
}

#[test]
fn what_is_left_stays_at_the_reference() {
    let skeleton = rig();
    let clip = corner(&skeleton, 20);
    for reference in [MotionReference::Rest, MotionReference::Start] {
        let choice = RootMotion { reference, ..RootMotion::of("hips") };
        let taken = extract_root_motion(&clip, &skeleton, &choice).unwrap();
        assert!(taken.left_behind < 1e-4, "{}", taken.left_behind);
        for i in 0..=40 {
            let mut pose = [Transform::IDENTITY; 2];
            taken.clip.sample(&skeleton, i as f32 / 60.0, &mut pose);
            let [x, y, z] = pose[1].translation.to_array();
            assert!((x - 0.3).abs() < 1e-3 && y.abs() < 1e-3 && (z - 2.0).abs() < 0.11, "{:?}", pose[1]);
            let twist = pose[1].rotation.z;
            assert!(twist.abs() < 1e-3, "{twist}");
        }
    }
}

#[test]
fn a_bank_keeps_the_motion_and_rows_of_what_is_left() {
    let skeleton = rig();
    let still = Track::new("still", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![9.0; 6]);
    let still = Clip::new("still", &skeleton, [(JointIndex(1), still.unwrap())]).unwrap();
    let clips = [corner(&skeleton, 20), still];
    let (whole, plain) = bake(&skeleton, &clips, &BakeOptions::default()).unwrap();
    assert!(whole.motion_joint().is_none() && whole.clips()[0].motion().is_none());
    assert!(plain.clips[0].motion.is_none());
    let mut options = BakeOptions { root_motion: Some(RootMotion::of("hips")), ..BakeOptions::default() };
    let (bank, report) = bake(&skeleton, &clips, &options).unwrap();
    assert_eq!(bank.motion_joint(), Some(JointIndex(1)));
    assert_eq!(bank.clips()[0].motion(), Some(&corner_curve(20)));
    // Who stands is not brought anywhere.
    assert_eq!((bank.clips()[1].motion(), report.clips[1].motion), (None, None));
    let taken = report.clips[0].motion.unwrap();
    assert_eq!(taken.pass, corner_curve(20).step(0.0, 1.0));
    assert!(taken.left_behind < 1e-4 && report.largest.error < 1e-2, "{report:?}");
    // As many rows as before: the curve's samples are where keys are.
    assert_eq!(report.clips[0].rows, plain.clips[0].rows);

    options.root_motion.as_mut().unwrap().clips = Some(vec!["still".into()]);
    let (bank, _) = bake(&skeleton, &clips, &options).unwrap();
    assert!(bank.clips()[0].motion().is_none());
    options.root_motion.as_mut().unwrap().clips = Some(vec!["run".into()]);
    let refused = bake(&skeleton, &clips, &options).unwrap_err();
    assert_eq!(refused, BakeError::RootMotion(RootMotionError::NoSuchClip { clip: "run".into() }));
}

#[test]
fn what_cannot_be_taken_is_named() {
    let skeleton = rig();
    let clip = corner(&skeleton, 20);
    let refused = |choice: RootMotion| extract_root_motion(&clip, &skeleton, &choice).unwrap_err();
    assert_eq!(refused(RootMotion::of("pelvis")), RootMotionError::NoSuchName { name: "pelvis".into() });
    let joint = JointIndex(7);
    assert_eq!(refused(RootMotion::of(joint)), RootMotionError::NoSuchJoint { joint, count: 2 });
    for rate_hz in [0.0, -1.0, f32::INFINITY] {
        let choice = RootMotion { rate_hz: Some(rate_hz), ..RootMotion::of("hips") };
        assert_eq!(refused(choice), RootMotionError::Rate { rate_hz });
    }
    let choice = RootMotion { rate_hz: Some(3e6), ..RootMotion::of("hips") };
    assert!(matches!(refused(choice), RootMotionError::TooLong { .. }));
    let additive = make_additive(&clip, &skeleton, &clip, 0.0).unwrap();
    let refused = extract_root_motion(&additive, &skeleton, &RootMotion::of("hips")).unwrap_err();
    assert_eq!(refused.to_string(), "clip \"corner\" is additive, and so has no root motion");
}

/// The rig, its armature scaled along its axes.
fn scaled(scale: [f32; 3]) -> (Skeleton, Clip) {
    let joints = rig().joints().map(|joint| {
        let rest = rig().rest()[joint.get()];
        let scale = if joint.get() == 0 { scale.into() } else { rest.scale };
        let parent = rig().parents()[joint.get()];
        Joint { name: rig().name(joint).into(), parent, rest: Rest::Trs(Transform { scale, ..rest }) }
    });
    let skeleton = Skeleton::new(joints.collect::<Vec<_>>()).unwrap();
    let clip = corner(&skeleton, 20);
    (skeleton, clip)
}

#[test]
fn below_unequal_scales_translations_alone_can_be_taken() {
    let (skeleton, clip) = scaled([1.0, 2.0, 1.0]);
    let refused = extract_root_motion(&clip, &skeleton, &RootMotion::of("hips")).unwrap_err();
    assert!(matches!(refused, RootMotionError::Sheared { joint: JointIndex(1), .. }), "{refused}");
    let straight = RootMotion { yaw: None, ..RootMotion::of("hips") };
    let taken = extract_root_motion(&clip, &skeleton, &straight).unwrap();
    // The armature turns y to -z.
    let step = taken.motion.step(0.0, f64::from(clip.duration_s()));
    assert!((step.translation.z - 2.0).abs() < 1e-5, "{step:?}");
    // A mirrored armature keeps angles.
    let (skeleton, clip) = scaled([-1.0, -1.0, -1.0]);
    let taken = extract_root_motion(&clip, &skeleton, &RootMotion::of("hips")).unwrap();
    let step = taken.motion.step(0.0, f64::from(clip.duration_s()));
    assert!((step.rotation.to_scaled_axis().y - 0.8).abs() < 1e-5, "{step:?}");
    let (skeleton, clip) = scaled([1.0, 0.0, 1.0]);
    let refused = extract_root_motion(&clip, &skeleton, &straight).unwrap_err();
    assert!(matches!(refused, RootMotionError::Flat { joint: JointIndex(1), .. }), "{refused}");
}
