//! Averages: their sums, and the order of layers.

use super::*;

#[test]
fn always_on_local_poses_before_forward_kinematics() {
    // Matrices that were averaged would be no rotations.
    let scene = Scene::new();
    scene.hold(&[shown(0, 0.5, 0.5), shown(1, 0.25, 0.5)]);
    let mut crowd = scene.crowds().pop().unwrap();
    let id = shown(0, 1.0, 0.5).spawn(&mut crowd);
    let other = shown(2, 1.0, 0.5).playback(&mut crowd);
    crowd.play(id, other).unwrap();
    crowd.evaluate();
    let m = &crowd.palette(id).unwrap()[12..24];
    let x = DVec3::new(m[0].into(), m[4].into(), m[8].into());
    assert!((x.length() - 1.0).abs() < 1e-6, "an axis of a joint that is not scaled: {x}");
}

#[test]
fn a_rotation_is_negated_where_its_dot_with_the_running_sum_is_negative_then_weighted_sum_then_normalise() {
    let skeleton = Scene::new().skeleton;
    // 1.9 pi is 0.1 pi the other way, on the other side of the identity.
    let angles = [1.9f32, 0.2];
    let of = |half_turns: f32| {
        let turned = turn(Vec3::Z, &[half_turns * std::f32::consts::PI]);
        Clip::new("c", &skeleton, [(JointIndex(1), turned)]).unwrap()
    };
    let clips: Vec<Clip> = angles.iter().map(|angle| of(*angle)).collect();
    let bank = Arc::new(bake(&skeleton, &clips, &BakeOptions::default()).unwrap().0);
    let plan = Arc::new(Plan::new(bank, &Skin::model_space(&skeleton)).unwrap());
    let scene = Scene { skeleton, clips, plan };
    for weight in [0.25, 0.5, 0.75] {
        scene.hold(&[shown(0, 0.0, weight), shown(1, 0.0, 1.0 - weight)]);
    }
    // By hand, for once: the sum of both on one side.
    let [a, b] = angles.map(|angle| DQuat::from_rotation_z(f64::from(angle) * std::f64::consts::PI));
    let (a, b) = (DVec4::from(a), DVec4::from(b));
    let sum = a * 0.5 + if a.dot(b) < 0.0 { -b } else { b } * 0.5;
    let expected = DQuat::from_vec4(sum.normalize());
    let half_way = DQuat::from_rotation_z(0.05 * std::f64::consts::PI);
    assert!((expected.dot(half_way).abs() - 1.0).abs() < 1e-9);
    let m = palette(&mut scene.crowds().pop().unwrap(), &[shown(0, 0.0, 0.5), shown(1, 0.0, 0.5)]);
    let x = scene.skeleton.rest()[0].as_dtransform().rotation * expected * DVec3::X;
    assert!(x.distance(DVec3::new(m[12].into(), m[16].into(), m[20].into())) < 1e-6);
}

#[test]
fn vectors_are_a_weighted_sum() {
    let scene = Scene::new();
    let layers = [shown(0, 0.5, 0.2), shown(1, 0.75, 0.3), shown(2, 1.0, 0.5)];
    scene.hold(&layers);
    let mut crowd = scene.crowds().pop().unwrap();
    let id = layers[0].spawn(&mut crowd);
    for layer in &layers[1..] {
        let playback = layer.playback(&mut crowd);
        crowd.play(id, playback).unwrap();
    }
    crowd.evaluate();
    let expected: DVec3 =
        layers.iter().map(|l| local(&scene, l.clip, l.time_s, 0).translation * f64::from(l.weight)).sum();
    let m = crowd.palette(id).unwrap();
    let found = DVec3::new(m[3].into(), m[7].into(), m[11].into());
    assert!(found.distance(expected) < 1e-6, "{found}, not {expected}");
}

#[test]
fn with_two_layers_their_order_changes_nothing_but_rounding() {
    let scene = Scene::new();
    let layers = [shown(0, 0.5, 0.3), shown(2, 0.5, 0.7)];
    for mut crowd in scene.crowds() {
        let [there, back] = [[0, 1], [1, 0]].map(|order| palette(&mut crowd, &order.map(|k| layers[k])));
        assert!(far(&there, &back) < 1e-6);
    }
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[test]
fn with_three_layers_order_matters_only_where_rotations_lie_more_than_180_degrees_apart() {
    // All on one side of each other: all orders are the same but for rounding.
    let scene = Scene::new();
    let near = [shown(0, 0.5, 0.3), shown(1, 0.5, 0.3), shown(2, 0.5, 0.4)];
    for order in ORDERS {
        scene.hold(&order.map(|k| near[k]));
    }
    for mut crowd in scene.crowds() {
        let all = ORDERS.map(|order| palette(&mut crowd, &order.map(|k| near[k])));
        assert!(all.iter().all(|other| far(&all[0], other) < 2e-6));
    }
    // Quaternions at 0, 100 and 200 degrees about one axis, so turns of 0, 200 and 400: the first and the last are 160 apart on
    // their short way, but each is on another side of the middle one.
    let skeleton = Scene::new().skeleton;
    let clips: Vec<Clip> = [0.0f32, 200.0, 400.0]
        .iter()
        .map(|angle| {
            let turned = turn(Vec3::Z, &[angle.to_radians()]);
            Clip::new("c", &skeleton, [(JointIndex(1), turned)]).unwrap()
        })
        .collect();
    let bank = Arc::new(bake(&skeleton, &clips, &BakeOptions::default()).unwrap().0);
    let plan = Arc::new(Plan::new(bank, &Skin::model_space(&skeleton)).unwrap());
    let scene = Scene { skeleton, clips, plan };
    let wide = [shown(0, 0.0, 0.3), shown(1, 0.0, 0.3), shown(2, 0.0, 0.4)];
    let mut crowd = scene.crowds().pop().unwrap();
    let all = ORDERS.map(|order| palette(&mut crowd, &order.map(|k| wide[k])));
    assert!(all.iter().any(|other| far(&all[0], other) > 0.1), "order matters here");
    // Yet each order is what the running sum says.
    for order in ORDERS {
        scene.hold(&order.map(|k| wide[k]));
    }
}

#[test]
fn a_sum_of_weights_above_1_is_divided_by() {
    let scene = Scene::new();
    for weight in [1.0, 1.5, 40.0, 1e6] {
        scene.hold(&[shown(0, 0.5, weight)]);
        scene.hold(&[shown(0, 0.5, weight), shown(2, 1.0, 2.0 * weight.min(4e5))]);
    }
}
