//! How much work a plan leaves for every frame. That the result is right is a law of the crate's integration tests.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, Rest, Skeleton, Skin, Track,
    Transform, bake,
};

use super::frame::cube_root;
use super::{Action, Moving, Placing, Plan, Source};

/// Joints below these parents, each one unit above its own, those that turn turning.
fn bank(parents: &[Option<u16>], turns: impl Fn(u16) -> bool) -> Arc<Bank> {
    let rest = Transform { translation: Vec3::Y, ..Transform::IDENTITY };
    let joint = |parent: &Option<u16>| Joint {
        name: String::new(),
        parent: parent.map(JointIndex),
        rest: Rest::Trs(rest),
    };
    let skeleton = Skeleton::new(parents.iter().map(joint)).unwrap();
    let turn = || {
        let values = [Quat::IDENTITY, Quat::from_rotation_x(1.0)].map(|q| q.to_array()).concat();
        Track::new("turn", Channel::Rotation, Interpolation::Linear, [0.0, 1.0], values).unwrap()
    };
    let tracks = skeleton.joints().filter(|j| turns(j.0)).map(|j| (j, turn()));
    let clip = Clip::new("turn", &skeleton, tracks).unwrap();
    Arc::new(bake(&skeleton, &[clip], &BakeOptions::default()).unwrap().0)
}

const CHAIN: [Option<u16>; 6] = [None, Some(0), Some(1), Some(2), Some(3), Some(4)];

fn plan(bank: &Arc<Bank>, bind: impl Fn(u16) -> Affine3A) -> Plan {
    let joints: Vec<JointIndex> = bank.skeleton().joints().collect();
    let binds = joints.iter().map(|j| bind(j.0)).collect();
    let skin = Skin::new("made", bank.skeleton(), joints, Some(binds)).unwrap();
    Plan::new(Arc::clone(bank), &skin).unwrap()
}

/// The inverse of a chain's rest.
fn at_rest(joint: u16) -> Affine3A {
    Affine3A::from_translation(Vec3::new(0.0, -f32::from(joint) - 1.0, 0.0))
}

/// How many entries still need a product with a constant.
fn corrections(plan: &Plan) -> usize {
    let corrected = |action: &&Action| {
        action.correction.is_some() || matches!(action.source, Source::Still(_)) && action.from.is_some()
    };
    plan.single.at_once.actions.iter().filter(corrected).count()
}

#[test]
fn similar_bind_matrices_fold_into_the_rows() {
    let bank = bank(&CHAIN, |_| true);
    let tilt = Quat::from_rotation_z(0.3);
    let scaled =
        |s| Affine3A::from_scale_rotation_translation(Vec3::splat(s), tilt, Vec3::new(0.1, 2.0, 3.0));
    let mirrored = Affine3A::from_scale(Vec3::new(1.0, 1.0, -1.0));
    for bind in [Affine3A::IDENTITY, scaled(0.01), scaled(100.0), scaled(-1.0), scaled(1.0) * mirrored] {
        let plan = plan(&bank, |joint| bind * at_rest(joint));
        assert_eq!((plan.single.at_once.actions.len(), corrections(&plan)), (6, 0), "{bind}");
    }
    assert_eq!(corrections(&plan(&bank, |_| Affine3A::IDENTITY)), 0);
}

#[test]
fn other_bind_matrices_are_a_second_product() {
    let bank = bank(&CHAIN, |_| true);
    for off in [1.0, 1e-2, 1e-4, 1e-5] {
        let stretched = Affine3A::from_scale(Vec3::new(1.0, 1.0 + off, 1.0));
        let plan = plan(&bank, |joint| stretched * at_rest(joint));
        assert_eq!((plan.single.at_once.actions.len(), corrections(&plan)), (6, 6), "off by {off}");
    }
}

#[test]
fn joints_that_stand_still_are_their_ancestors() {
    let bank = bank(&CHAIN, |joint| joint == 0 || joint == 3);
    let plan = plan(&bank, at_rest);
    assert_eq!((plan.single.at_once.actions.len(), corrections(&plan)), (2, 0));
    let moves = plan
        .single
        .at_once
        .actions
        .iter()
        .filter(|action| matches!(action.source, Source::Moving(_)))
        .count();
    assert_eq!((moves, plan.rows.stride), (2, 16));
}

#[test]
fn matrices_are_kept_no_longer_than_needed() {
    let slots =
        |parents: &[Option<u16>]| plan(&bank(parents, |_| true), |_| Affine3A::IDENTITY).single.at_once.slots;
    assert_eq!(slots(&CHAIN), 1);
    assert_eq!(slots(&[None, None, None]), 0);
    assert_eq!(slots(&[None, Some(0), Some(0), Some(0)]), 1);
    // The root is still needed while the first branch is posed.
    assert_eq!(slots(&[None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)]), 2);
}

#[test]
fn joints_that_no_entry_needs_cost_nothing() {
    let bank = bank(&CHAIN, |_| true);
    let skin = Skin::new("made", bank.skeleton(), vec![JointIndex(2)], None).unwrap();
    let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
    assert_eq!((plan.single.at_once.actions.len(), plan.rows.stride, bank.row_stride()), (3, 16, 32));
    assert_eq!(plan.single.at_once.actions.iter().filter(|action| !action.entries.is_empty()).count(), 1);
}

#[test]
fn joints_told_to_stand_still_cost_nothing_and_rows_are_shared() {
    let bank = bank(&CHAIN, |_| true);
    let plan = plan(&bank, at_rest);
    let far = plan.with_still(&[JointIndex(3)]).unwrap();
    assert_eq!((far.single.at_once.actions.len(), corrections(&far)), (3, 0));
    assert_eq!(far.single.at_once.actions[2].entries, [2, 3, 4, 5]);
    assert!(Arc::ptr_eq(&plan.rows, &far.rows));
    // All of them: what is left is the rest.
    let rest = far.with_still(&[JointIndex(0)]).unwrap();
    assert!(rest.single.at_once.actions.iter().all(|action| matches!(action.source, Source::Still(_))));
    // None: nothing of the first stays.
    assert_eq!(rest.with_still(&[]).unwrap().single.at_once, plan.single.at_once);
}

#[test]
fn a_constant_mirror_is_a_rotation_and_a_scale() {
    let rest = Transform { scale: Vec3::new(2.0, -2.0, 2.0), ..Transform::IDENTITY };
    let joint = Joint { name: String::new(), parent: None, rest: Rest::Trs(rest) };
    let skeleton = Skeleton::new([joint]).unwrap();
    let values = [Quat::IDENTITY, Quat::from_rotation_x(1.0)].map(|q| q.to_array()).concat();
    let turn = Track::new("turn", Channel::Rotation, Interpolation::Linear, [0.0, 1.0], values).unwrap();
    let clip = Clip::new("turn", &skeleton, [(JointIndex(0), turn)]).unwrap();
    let bank = Arc::new(bake(&skeleton, &[clip], &BakeOptions::default()).unwrap().0);
    let plan = plan(&bank, |_| Affine3A::IDENTITY);
    let [Action { source: Source::Moving(Moving { placing, .. }), .. }] = plan.single.at_once.actions[..]
    else {
        panic!("{:?}", plan.single.at_once.actions)
    };
    assert!(matches!(placing, Placing::Constant { s, .. } if s == -2.0), "{placing:?}");
}

/// The entries that each action of a schedule writes, with `copy` where its matrix is done already.
fn written(plan: &Plan) -> Vec<(bool, Vec<u32>)> {
    let actions = &plan.single.in_windows.actions;
    actions.iter().map(|a| (matches!(a.source, Source::Kept), a.entries.clone())).collect()
}

#[test]
fn entries_in_joint_order_are_windows_as_they_come() {
    let parents: Vec<Option<u16>> = (0..20u16).map(|j| j.checked_sub(1)).collect();
    let all = plan(&bank(&parents, |_| true), at_rest);
    assert_eq!(all.single.in_windows.actions, all.single.at_once.actions);
    let counts: Vec<_> =
        all.single.in_windows.windows.iter().map(|(actions, w)| (*actions, w.first, w.count)).collect();
    assert_eq!(counts, [(8, 0, 8), (8, 8, 8), (4, 16, 4)]);
    // The matrix of the last that moves, once more for each window.
    let still = plan(&bank(&parents, |joint| joint < 2), at_rest);
    let copy = |entries: std::ops::Range<u32>| (true, entries.collect::<Vec<_>>());
    assert_eq!(written(&still), [(false, vec![0]), (false, (1..8).collect()), copy(8..16), copy(16..20)]);
    assert_eq!((still.single.at_once.slots, still.single.in_windows.slots), (1, 1));
}

#[test]
fn entries_in_any_order_come_when_their_windows_do() {
    let parents: Vec<Option<u16>> = (0..20u16).map(|j| j.checked_sub(1)).collect();
    let bank = bank(&parents, |_| true);
    let joints: Vec<JointIndex> = (0..20).rev().map(JointIndex).collect();
    let skin = Skin::new("reversed", bank.skeleton(), joints, None).unwrap();
    let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
    // The first window needs all joints, and has the last of them; the others are copies.
    let expected = (0..20).map(|j| (false, if j < 12 { vec![] } else { vec![19 - j] }));
    let copies = (4..12).chain(0..4).map(|j| (true, vec![19 - j]));
    assert_eq!(written(&plan), expected.chain(copies).collect::<Vec<_>>());
    // Those of the copies, and one for the chain.
    assert_eq!(plan.single.in_windows.slots, 13);
}

#[test]
fn cube_roots_are_right_to_the_last_place_but_one() {
    for step in 0..4000 {
        let v = 1e-60 * 1.07f64.powi(step);
        let (found, expected) = (cube_root(v), v.cbrt());
        assert!((found / expected - 1.0).abs() <= 2.0 * f64::EPSILON, "{v:e}: {found:e}, not {expected:e}");
    }
    for whole in [1.0, 2.0, 3.0, 0.5, 0.01, 100.0] {
        assert!((cube_root(whole * whole * whole) / whole - 1.0).abs() <= 2.0 * f64::EPSILON, "{whole}");
    }
    assert_eq!([0.0, f64::INFINITY, f64::NAN, 1e-320].map(cube_root), [0.0; 4]);
    assert_eq!(cube_root(1.0), 1.0);
}
