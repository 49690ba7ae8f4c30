//! Where the rest pose shows: what weights leave, masks, and the end of playbacks.

use super::*;

#[test]
fn a_sum_of_weights_below_1_leaves_the_rest_pose_the_remainder() {
    for rows in [RowFormat::F32, RowFormat::I16] {
        let scene = Scene::with(rows);
        let allowed = if rows == RowFormat::F32 { 2e-5 } else { 3e-4 };
        for weight in [0.001, 0.25, 0.5, 0.999] {
            scene.hold_within(&[shown(0, 0.5, weight)], allowed);
            scene.hold_within(&[shown(0, 0.5, 0.4 * weight), shown(1, 0.5, 0.6 * weight)], allowed);
        }
    }
}

#[test]
fn a_sum_of_weights_of_0_is_rest_and_never_nan() {
    let scene = Scene::new();
    scene.hold(&[shown(0, 0.5, 0.0)]);
    scene.hold(&[shown(0, 0.5, 0.0), shown(1, 0.5, 0.0), shown(2, 0.5, 0.0), shown(3, 0.5, 0.0)]);
    for mut crowd in scene.crowds() {
        let id = shown(0, 0.5, 0.0).spawn(&mut crowd);
        scene.rests(&mut crowd, id);
        assert!(crowd.palettes().iter().all(|v| v.is_finite()));
    }
}

#[test]
fn per_joint_masks_multiply_a_layers_weight() {
    let scene = Scene::new();
    let masks = [[0.0, 0.5, 1.0], [1.0, 1.0, 0.0], [0.25, 8.0, 0.125]];
    for mask in &masks {
        scene.hold(&[Shown { mask: Some(mask), ..shown(0, 0.5, 1.0) }]);
        scene.hold(&[shown(1, 0.5, 0.5), Shown { mask: Some(mask), ..shown(0, 0.5, 0.5) }]);
        scene.hold(&[shown(1, 0.5, 1.0), Shown { mask: Some(mask), ..shown(ADDITIVE, 0.75, 0.5) }]);
    }
}

#[test]
fn masks_have_any_joint_count() {
    // Counts that fill no lane, one, and several.
    for joints in [1u16, 2, 7, 16, 17, 100] {
        let joint = |j: u16| {
            let rest = Rest::Trs(Transform { translation: 0.1 * Vec3::Y, ..Transform::IDENTITY });
            Joint { name: String::new(), parent: j.checked_sub(1).map(JointIndex), rest }
        };
        let skeleton = Skeleton::new((0..joints).map(joint)).unwrap();
        let tracks =
            skeleton.joints().map(|joint| (joint, turn(Vec3::Z, &[0.02 * f32::from(joint.0 % 7), 0.1])));
        let clips = vec![Clip::new("c", &skeleton, tracks).unwrap()];
        let bank = Arc::new(bake(&skeleton, &clips, &BakeOptions::default()).unwrap().0);
        let plan = Arc::new(Plan::new(bank, &Skin::model_space(&skeleton)).unwrap());
        let mask: Vec<f32> = (0..joints).map(|j| f32::from(j % 3) / 2.0).collect();
        let scene = Scene { skeleton, clips, plan };
        scene.hold_within(&[Shown { mask: Some(&mask), ..shown(0, 0.0, 1.0) }], 1e-4);
        let mut crowd = scene.crowds().pop().unwrap();
        assert!(crowd.add_mask(&[&mask[..], &[1.0]].concat()).is_err());
    }
}

#[test]
fn undriven_channels_are_rest() {
    let scene = Scene::new();
    let mut crowd = scene.crowds().pop().unwrap();
    let id = crowd.spawn(Playback::default()).unwrap();
    // No clip moves the first joint's rotation.
    for (time_s, weight) in [(0.0, 1.0), (0.5, 0.3)] {
        assert_eq!(local(&scene, 0, time_s, 0).rotation, scene.skeleton.rest()[0].as_dtransform().rotation);
        scene.hold(&[shown(0, time_s, weight)]);
    }
    scene.check(&mut crowd, id, &[shown(0, 0.0, 1.0)], 2e-5);
}

#[test]
fn what_every_clip_holds_off_the_rest_goes_to_rest_at_weight_0_after_stop_and_at_the_end() {
    let scene = Scene::new();
    for mut crowd in scene.crowds() {
        let id = shown(0, 0.5, 1.0).spawn(&mut crowd);
        scene.check(&mut crowd, id, &[shown(0, 0.5, 1.0)], 2e-5);
        crowd.set_weight(id, 0.0).unwrap();
        scene.rests(&mut crowd, id);
        crowd.set_weight(id, 1.0).unwrap();
        scene.check(&mut crowd, id, &[shown(0, 0.5, 1.0)], 2e-5);
        crowd.stop(id).unwrap();
        scene.rests(&mut crowd, id);
        for at_end in [AtEnd::Rest, AtEnd::Remove, AtEnd::Hold] {
            let once = Playback { wrap: WrapMode::Clamp, at_end, ..Playback::default() };
            let id = crowd.spawn(once).unwrap();
            crowd.advance(0.5).unwrap();
            scene.check(&mut crowd, id, &[shown(0, 0.5, 1.0)], 2e-5);
            crowd.advance(1.0).unwrap();
            match at_end {
                AtEnd::Hold => scene.check(&mut crowd, id, &[shown(0, 1.0, 1.0)], 2e-5),
                _ => scene.rests(&mut crowd, id),
            }
        }
        // A fade goes through all between.
        let id = shown(0, 0.5, 1.0).spawn(&mut crowd);
        crowd.fade_out(id, 1.0).unwrap();
        for weight in [0.75, 0.5, 0.25] {
            crowd.advance(0.25).unwrap();
            scene.check(&mut crowd, id, &[shown(0, 0.5, weight)], 2e-5);
        }
        crowd.advance(0.5).unwrap();
        scene.rests(&mut crowd, id);
    }
}
