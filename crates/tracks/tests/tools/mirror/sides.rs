//! Joints without a partner.

use glam::{Quat, Vec3};
use throng_tracks::tools::{MirrorError, MirrorOptions, MirrorPlane, mirror};
use throng_tracks::{Channel, Clip, Interpolation, Joint, JointIndex, Rest, Skeleton, Track, Transform};

use super::model;

fn skeleton(joints: &[(&str, Option<u16>, [f32; 3])]) -> Skeleton {
    let joints = joints.iter().map(|&(name, parent, at)| Joint {
        name: name.into(),
        parent: parent.map(JointIndex),
        rest: Rest::Trs(Transform { translation: at.into(), ..Transform::IDENTITY }),
    });
    Skeleton::new(joints).unwrap()
}

fn turning(skeleton: &Skeleton, joints: &[u16]) -> Clip {
    let keys = [Quat::IDENTITY, Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 0.7)];
    let values: Vec<f32> = keys.iter().flat_map(|q| q.to_array()).collect();
    let tracks = joints.iter().map(|&joint| {
        let track = Track::new("t", Channel::Rotation, Interpolation::Linear, [0.0, 1.0], values.clone());
        (JointIndex(joint), track.unwrap())
    });
    Clip::new("turning", skeleton, tracks).unwrap()
}

#[test]
fn a_sword_follows_the_hand_that_holds_it() {
    let skeleton = skeleton(&[
        ("hips", None, [0.0, 1.0, 0.0]),
        ("hand.L", Some(0), [1.0, 0.0, 0.0]),
        ("hand.R", Some(0), [-1.0, 0.0, 0.0]),
        ("sword", Some(2), [0.0, -0.2, 0.1]),
        ("", Some(3), [0.0, -0.5, 0.0]),
    ]);
    let clip = turning(&skeleton, &[0, 1, 3]);
    let (mirrored, report) = mirror(&clip, &skeleton, &MirrorOptions::default()).unwrap();
    assert_eq!(report.one_sided, [JointIndex(3), JointIndex(4)]);
    assert!(report.off_plane.is_empty() && report.unpaired_names.is_empty());
    assert!(report.lines(&skeleton).iter().any(|line| line.contains("\"sword\"")), "{report:?}");
    let [a, b] = [&clip, &mirrored].map(|clip| model(&skeleton, clip, 0.6));
    let held = |m: &[glam::DAffine3]| m[2].inverse() * m[3];
    assert!(held(&a).abs_diff_eq(held(&b), 1e-6));
    assert!(!a[3].abs_diff_eq(b[3], 1e-3));
}

#[test]
fn what_hangs_beside_the_plane_stays_on_its_side() {
    let skeleton = skeleton(&[
        ("hips", None, [0.0, 1.0, 0.0]),
        ("leg_l", Some(0), [0.3, -0.5, 0.0]),
        ("leg_r", Some(0), [-0.3, -0.5, 0.0]),
        ("pouch", Some(0), [0.4, 0.0, 0.0]),
        ("strap_l", Some(0), [0.2, 0.5, 0.0]),
        ("tail", Some(0), [0.0, 0.0, -0.4]),
    ]);
    let clip = turning(&skeleton, &[0, 3]);
    let (mirrored, report) = mirror(&clip, &skeleton, &MirrorOptions::default()).unwrap();
    assert_eq!(report.off_plane, [JointIndex(3), JointIndex(4)]);
    assert_eq!(report.unpaired_names, [JointIndex(4)]);
    let lines = report.lines(&skeleton).join("\n");
    assert!(
        lines.contains("\"pouch\"") && lines.contains("\"strap_l\"") && !lines.contains("\"tail\""),
        "{lines}"
    );
    let b = model(&skeleton, &mirrored, 0.6);
    let kept = b[0].inverse() * b[3];
    assert!(kept.translation.abs_diff_eq(glam::DVec3::new(0.4, 0.0, 0.0), 1e-6), "{kept}");
}

#[test]
fn what_stands_above_the_body_is_not_moved() {
    let skeleton = skeleton(&[
        ("scene", None, [0.0, 0.0, 0.0]),
        ("armature", Some(0), [5.0, 0.0, 0.0]),
        ("hips", Some(1), [0.0, 1.0, 0.0]),
        ("leg_l", Some(2), [0.3, -0.5, 0.0]),
        ("leg_r", Some(2), [-0.3, -0.5, 0.0]),
    ]);
    let clip = turning(&skeleton, &[2, 3]);
    let (mirrored, report) = mirror(&clip, &skeleton, &MirrorOptions::default()).unwrap();
    assert_eq!(report.plane, MirrorPlane { offset: 5.0, ..MirrorPlane::X });
    let moved: Vec<u16> = mirrored.tracks().iter().map(|bound| bound.joint().0).collect();
    assert_eq!(moved, [2, 4]);
    // In a plane through the origin the hips carry the body over.
    let options = MirrorOptions::default().with_plane(MirrorPlane::X);
    let (mirrored, _) = mirror(&clip, &skeleton, &options).unwrap();
    let [a, b] = [&clip, &mirrored].map(|clip| model(&skeleton, clip, 0.6));
    assert!(a[1].abs_diff_eq(b[1], 1e-9));
    assert!((a[4].translation.x + b[3].translation.x).abs() < 1e-5);
}

#[test]
fn pairs_that_hang_on_different_joints_are_measured() {
    let twisted = skeleton(&[
        ("hips", None, [0.0, 1.0, 0.0]),
        ("arm_l", Some(0), [1.0, 0.0, 0.0]),
        ("arm_r", Some(0), [-1.0, 0.0, 0.0]),
        ("twist_l", Some(1), [0.5, 0.0, 0.0]),
        ("hand_l", Some(3), [0.5, 0.0, 0.0]),
        ("hand_r", Some(2), [-1.0, 0.0, 0.0]),
    ]);
    let clip = turning(&twisted, &[2, 5, 4]);
    let (_, report) = mirror(&clip, &twisted, &MirrorOptions::default()).unwrap();
    assert_eq!(report.pairs, [(JointIndex(1), JointIndex(2))]);
    let clip = turning(&twisted, &[1, 3]);
    let error = mirror(&clip, &twisted, &MirrorOptions::default()).unwrap_err();
    assert!(matches!(error, MirrorError::NotSymmetric { .. }), "{error}");
    // By hand it is an error in any case.
    let options = MirrorOptions::default().with_pairs(vec![(JointIndex(4), JointIndex(5))]);
    assert!(matches!(mirror(&clip, &twisted, &options), Err(MirrorError::Parents { .. })));
}

#[test]
fn pairs_by_hand_come_before_names() {
    let skeleton = skeleton(&[
        ("hips", None, [0.0, 1.0, 0.0]),
        ("wing", Some(0), [1.0, 0.0, 0.0]),
        ("flap", Some(0), [-1.0, 0.0, 0.0]),
        ("toe_l", Some(0), [0.0, -1.0, 0.0]),
        ("toe_r", Some(0), [0.0, -1.0, 1.0]),
    ]);
    let clip = turning(&skeleton, &[1]);
    let without = mirror(&clip, &skeleton, &MirrorOptions::default());
    assert!(without.is_err() || !without.unwrap().1.off_plane.is_empty());
    let pairs = vec![(JointIndex(2), JointIndex(1)), (JointIndex(3), JointIndex(3))];
    let (mirrored, report) = mirror(&clip, &skeleton, &MirrorOptions::default().with_pairs(pairs)).unwrap();
    assert_eq!(report.pairs, [(JointIndex(1), JointIndex(2))]);
    assert_eq!(mirrored.tracks()[0].joint(), JointIndex(2));
    assert!(report.fraction() < 1e-6);
}

#[test]
fn without_pairs_what_is_off_the_plane_is_an_error() {
    let skeleton = skeleton(&[("a", None, [0.0; 3]), ("b", Some(0), [1.0, 0.0, 0.0])]);
    let clip = turning(&skeleton, &[0]);
    let error = mirror(&clip, &skeleton, &MirrorOptions::default()).unwrap_err();
    assert!(matches!(error, MirrorError::NotSymmetric { joint: JointIndex(1), .. }), "{error}");
}
