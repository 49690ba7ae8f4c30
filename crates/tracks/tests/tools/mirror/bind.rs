//! A skeleton whose bind pose is symmetric and whose rest pose is any pose.

use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use throng_tracks::tools::{MirrorOptions, MirrorPlane, MirrorReference, mirror};
use throng_tracks::{Channel, Clip, DTransform, Joint, JointIndex, Rest, Skeleton, Skin, Track, Transform};

use super::{PLANES, model, reflection};
use crate::make::{TICK, endless_track};

/// Parents of: armature, hips, leg.l, foot.l, leg.r, foot.r, spine, sword.
const PARENTS: [Option<u16>; 8] = [None, Some(0), Some(1), Some(2), Some(1), Some(4), Some(1), Some(5)];
const NAMES: [&str; 8] = ["armature", "hips", "leg.l", "foot.l", "leg.r", "foot.r", "spine", "sword"];
const PARTNERS: [(usize, usize); 6] = [(1, 1), (2, 4), (4, 2), (3, 5), (5, 3), (6, 6)];
const SWORD: usize = 7;

#[derive(Debug)]
struct Rig {
    /// The plane about which the bind pose is symmetric.
    body: MirrorPlane,
    /// Joint to model space in the bind pose.
    bind: Vec<DAffine3>,
    skeleton: Skeleton,
    skin: Skin,
}

/// `axes` of each joint in the bind pose, `points` where hips, left leg, left foot and spine are, `posed` what each joint is
/// turned by at rest.
fn rig(body: MirrorPlane, axes: &[Quat], points: &[Vec3], posed: &[Quat], scale: f64) -> Rig {
    let image = reflection(body);
    let on_plane = |p: DVec3| (p + image.transform_point3(p)) / 2.0;
    let [hips, leg, foot, spine] = [0, 1, 2, 3].map(|i| points[i].as_dvec3());
    // Left is a length away from right.
    let across = DVec3::AXES[body.axis as usize];
    let apart = |p: DVec3| on_plane(p) + across * (0.5 + (p - on_plane(p)).length());
    let (leg, foot) = (apart(leg), apart(foot));
    let [right_leg, right_foot] = [leg, foot].map(|p| image.transform_point3(p));
    let at = [
        DVec3::ZERO,
        on_plane(hips),
        leg,
        foot,
        right_leg,
        right_foot,
        on_plane(spine),
        right_foot + DVec3::Z,
    ];
    let bind: Vec<DAffine3> = (0..8)
        .map(|j| DAffine3::from_scale_rotation_translation(DVec3::splat(scale), axes[j].as_dquat(), at[j]))
        .collect();
    let joints = (0..8).map(|j| {
        let local = PARENTS[j].map_or(bind[j], |p| bind[usize::from(p)].inverse() * bind[j]);
        let (scale, rotation, translation) = local.to_scale_rotation_translation();
        // The armature stands still, and the hips are about where they are bound: what skins are bound in is model space.
        let turn = if j == 0 { DQuat::IDENTITY } else { posed[j].as_dquat() };
        let rest = DTransform { translation, rotation: (rotation * turn).normalize(), scale };
        Joint {
            name: NAMES[j].into(),
            parent: PARENTS[j].map(JointIndex),
            rest: Rest::Trs(rest.as_transform()),
        }
    });
    let skeleton = Skeleton::new(joints).unwrap();
    let skinned: Vec<JointIndex> = (1..8).map(JointIndex).collect();
    let inverse = skinned.iter().map(|j| affine(bind[j.get()].inverse())).collect();
    let skin = Skin::new("skin", &skeleton, skinned, Some(inverse)).unwrap();
    Rig { body, bind, skeleton, skin }
}

fn affine(m: DAffine3) -> Affine3A {
    Affine3A::from_cols_array(&m.to_cols_array().map(|v| v as f32))
}

fn turn() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_filter_map("short", |q| {
        let q = Quat::from_array(q);
        (q.length() > 0.1).then(|| q.normalize())
    })
}

fn any_rig() -> impl Strategy<Value = Rig> {
    let plane = (prop::sample::select(PLANES.to_vec()), prop_oneof![Just(0.0), -3.0f64..3.0])
        .prop_map(|(plane, offset)| MirrorPlane { offset, ..plane });
    let turns = || prop::collection::vec(turn(), 8);
    let points = prop::collection::vec(prop::array::uniform3(-2.0f32..2.0).prop_map(Vec3::from), 4);
    let scale = prop_oneof![Just(1.0), Just(100.0), Just(0.01)];
    (plane, turns(), points, turns(), scale)
        .prop_map(|(body, axes, points, posed, scale)| rig(body, &axes, &points, &posed, scale))
}

/// Translations and rotations of any joints but the armature.
fn motion() -> impl Strategy<Value = Vec<(JointIndex, Track)>> {
    prop::collection::vec((1u16..8, endless_track()), 0..8).prop_map(|mut tracks| {
        let mut seen = std::collections::HashSet::new();
        tracks.retain(|(joint, track)| {
            let channel = track.channel();
            [Channel::Translation, Channel::Rotation].contains(&channel) && seen.insert((*joint, channel))
        });
        tracks.into_iter().map(|(joint, track)| (JointIndex(joint), track)).collect()
    })
}

fn size(poses: &[&[DAffine3]]) -> f64 {
    poses.iter().copied().flatten().map(|m| m.translation.length()).fold(1.0, f64::max)
}

proptest! {
    #[test]
    fn partners_show_the_reflection_in_any_plane(
        rig in any_rig(), tracks in motion(), world in prop::sample::select(PLANES.to_vec()), named in any::<bool>(),
        tick in 0u16..150,
    ) {
        let (skeleton, skins) = (&rig.skeleton, std::slice::from_ref(&rig.skin));
        let clip = Clip::new("made", skeleton, tracks).unwrap();
        let mut options = MirrorOptions::default().with_skins(skins).with_tolerance(1e-3);
        if named {
            options = options.with_plane(world);
        }
        let (mirrored, report) = mirror(&clip, skeleton, &options).unwrap();
        prop_assert_eq!(report.reference, MirrorReference::Bind);
        prop_assert_eq!(&report.pairs, &[(JointIndex(2), JointIndex(4)), (JointIndex(3), JointIndex(5))]);
        prop_assert_eq!(&report.one_sided, &[JointIndex(7)]);
        if named {
            prop_assert_eq!(report.plane, world);
        }
        let (world, body) = (reflection(report.plane), reflection(rig.body));
        let t = (f32::from(tick) + 0.5) * TICK;
        let [source, found] = [&clip, &mirrored].map(|clip| model(skeleton, clip, t));
        let near = 5e-5 * size(&[&source, &found, &rig.bind]);
        for (joint, partner) in PARTNERS {
            let at = world.transform_point3(source[joint].translation);
            prop_assert!(found[partner].translation.abs_diff_eq(at, near), "{joint}: {} {at}", found[partner].translation);
            // What is bound to the joint moves as its image does.
            let bound = |model: &[DAffine3], joint: usize| model[joint].matrix3 * rig.bind[joint].matrix3.inverse();
            let expected = world.matrix3 * bound(&source, joint) * body.matrix3;
            let shown = bound(&found, partner);
            prop_assert!(shown.abs_diff_eq(expected, 5e-5), "{joint}: {shown} {expected}");
        }
        // The sword has its own motion in the hand that holds it.
        let [own, kept] = [&source, &found].map(|model| model[5].inverse() * model[SWORD]);
        prop_assert!(own.abs_diff_eq(kept, near / rig.bind[5].matrix3.x_axis.length().min(1.0)), "{own} {kept}");
        prop_assert!(found[0].abs_diff_eq(source[0], near), "the armature stays");
    }

    #[test]
    fn twice_is_the_pose(rig in any_rig(), tracks in motion(), world in prop::sample::select(PLANES.to_vec()), tick in 0u16..150) {
        let skins = std::slice::from_ref(&rig.skin);
        let clip = Clip::new("made", &rig.skeleton, tracks).unwrap();
        let options = MirrorOptions::default().with_skins(skins).with_plane(world);
        let once = mirror(&clip, &rig.skeleton, &options).unwrap().0;
        let twice = mirror(&once, &rig.skeleton, &options).unwrap().0;
        let t = (f32::from(tick) + 0.5) * TICK;
        let [a, b] = [&clip, &twice].map(|clip| model(&rig.skeleton, clip, t));
        let near = 1e-4 * size(&[&a, &rig.bind]) * rig.bind[0].matrix3.x_axis.length().max(1.0);
        prop_assert!(a.iter().zip(&b).all(|(a, b)| a.abs_diff_eq(*b, near)));
    }
}

#[test]
fn a_rest_that_is_no_image_gets_constant_tracks() {
    let axes = [Quat::IDENTITY; 8];
    let points = [Vec3::Y, Vec3::X, Vec3::new(1.0, -1.0, 0.0), Vec3::Y * 2.0];
    let mut posed = axes;
    let tracks = |posed: &[Quat]| {
        let rig = rig(MirrorPlane::X, &axes, &points, posed, 1.0);
        let clip = Clip::new("still", &rig.skeleton, []).unwrap();
        let options = MirrorOptions::default().with_skins(std::slice::from_ref(&rig.skin));
        let mirrored = mirror(&clip, &rig.skeleton, &options).unwrap().0;
        let moved = mirrored.tracks().iter().map(|bound| (bound.joint().0, bound.track().channel()));
        moved.collect::<Vec<_>>()
    };
    assert_eq!(tracks(&posed), []);
    posed[2] = Quat::from_rotation_z(0.5);
    assert_eq!(tracks(&posed), [(4, Channel::Rotation), (2, Channel::Rotation)]);
}

#[test]
fn matrices_that_are_missing_bind_nothing() {
    let rig = rig(
        MirrorPlane::X,
        &[Quat::IDENTITY; 8],
        &[Vec3::Y, Vec3::X, Vec3::X, Vec3::Y],
        &[Quat::IDENTITY; 8],
        1.0,
    );
    let skin = Skin::new("none", &rig.skeleton, rig.skin.joints().to_vec(), None).unwrap();
    let clip = Clip::new("still", &rig.skeleton, []).unwrap();
    let options = MirrorOptions::default().with_skins(std::slice::from_ref(&skin));
    assert_eq!(mirror(&clip, &rig.skeleton, &options).unwrap().1.reference, MirrorReference::Rest);
    assert_eq!(rig.skeleton.rest()[0], Transform::IDENTITY);
}
