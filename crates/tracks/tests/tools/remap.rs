//! Clips of one skeleton for another.

use glam::Affine3A;
use throng_tracks::tools::{WhyUnbound, compare_rest, namesakes, remap};
use throng_tracks::{
    Channel, Clip, ClipError, Interpolation, Joint, JointIndex, Property, Rest, Skeleton, Track, Transform,
};

/// Joints of these names, those called `fixed` with a matrix.
fn skeleton(names: &[&str]) -> Skeleton {
    let rest = |name: &str| match name {
        "fixed" => Rest::Matrix(Affine3A::IDENTITY),
        _ => Rest::Trs(Transform::IDENTITY),
    };
    let joint = |name: &&str| Joint { name: (*name).into(), parent: None, rest: rest(name) };
    Skeleton::new(names.iter().map(joint)).unwrap()
}

fn track(channel: Channel) -> Track {
    Track::new("t", channel, Interpolation::Linear, [0.0], vec![1.0; channel.components()]).unwrap()
}

#[test]
fn tracks_go_by_name_and_what_does_not_is_reported() {
    let from = skeleton(&["a", "b", "", "a", "gone", "stays"]);
    let to = skeleton(&["x", "b", "a", "b", "fixed"]);
    // By name, but for one that a caller sends elsewhere.
    let mut joints = namesakes(&from, &to).joints;
    joints[5] = Ok(JointIndex(4));
    let all = (0..6).map(|j| (JointIndex(j), track(Channel::Rotation)));
    let scales = [(JointIndex(4), track(Channel::Scale)), (JointIndex(1), track(Channel::Weights(2)))];
    let properties = [
        (Property::at(JointIndex(0), "glow"), track(Channel::Scalar)),
        (Property::at(JointIndex(4), "glow"), track(Channel::Scalar)),
        // A joint that can't be moved can have properties.
        (Property::at(JointIndex(5), "glow"), track(Channel::Scalar)),
        ("dawn".into(), track(Channel::Scalar)),
    ];
    let clip =
        Clip::new("clip", &from, all.chain(scales)).unwrap().with_properties(&from, properties).unwrap();
    let (bound, report) = remap(&clip, &from, &joints, &to).unwrap();
    let found: Vec<(u16, &str)> =
        bound.tracks().iter().map(|b| (b.joint().0, b.track().channel().name())).collect();
    assert_eq!(found, [(2, "rotation"), (1, "rotation"), (1, "weights")]);
    let named: Vec<String> = bound.properties().iter().map(|p| p.property().to_string()).collect();
    assert_eq!(named, ["\"glow\" of joint 2", "\"glow\" of joint 4", "\"dawn\""]);
    assert_eq!((bound.name(), report.bound), ("clip", 6));
    let unbound: Vec<_> =
        report.unbound.iter().map(|u| (u.joint.0, u.name.as_str(), u.tracks, u.why)).collect();
    assert_eq!(
        unbound,
        [
            (2, "", 1, WhyUnbound::Unnamed),
            (3, "a", 1, WhyUnbound::NotFirstOfName),
            (4, "gone", 3, WhyUnbound::NoSuchJoint),
            (5, "stays", 1, WhyUnbound::FixedMatrix),
        ]
    );
    assert!(
        report.to_string().starts_with(
            "6 tracks bound, 6 not bound\nskip: joint 2 \"\": 1 tracks: a joint without a name\n"
        )
    );
}

#[test]
fn there_and_back_is_the_clip() {
    let (from, to) = (skeleton(&["a", "b", "c"]), skeleton(&["c", "x", "a", "b"]));
    let all = (0..3).map(|j| (JointIndex(j), track(Channel::Rotation)));
    let clip = Clip::new("clip", &from, all).unwrap();
    let (there, _) = remap(&clip, &from, &namesakes(&from, &to).joints, &to).unwrap();
    let (back, report) = remap(&there, &to, &namesakes(&to, &from).joints, &from).unwrap();
    assert_eq!((back, report.unbound), (clip, vec![]));
}

#[test]
fn two_joints_sent_to_one_are_an_error() {
    let (from, to) = (skeleton(&["a", "b"]), skeleton(&["c"]));
    let clip = Clip::new("clip", &from, (0..2).map(|j| (JointIndex(j), track(Channel::Scale)))).unwrap();
    let error = remap(&clip, &from, &[Ok(JointIndex(0)), Ok(JointIndex(0))], &to).unwrap_err();
    assert!(matches!(error, ClipError::RepeatedChannel { .. }), "{error}");
    let error = remap(&clip, &from, &[Ok(JointIndex(0)), Ok(JointIndex(7))], &to).unwrap_err();
    assert!(matches!(error, ClipError::NoSuchJoint { joint: JointIndex(7), .. }), "{error}");
    let error = remap(&clip, &to, &[Ok(JointIndex(0))], &to).unwrap_err();
    assert!(matches!(error, ClipError::NoSuchJoint { joint: JointIndex(1), .. }), "{error}");
}

/// Joints of these names and parents, each with this translation from its parent.
fn tree(joints: &[(&str, Option<u16>)], offset: f32) -> Skeleton {
    Skeleton::new(joints.iter().map(|&(name, parent)| Joint {
        name: name.into(),
        parent: parent.map(JointIndex),
        rest: Rest::Trs(Transform { translation: [0.0, offset, 0.0].into(), ..Transform::IDENTITY }),
    }))
    .unwrap()
}

fn found(
    from: &[(&str, Option<u16>)],
    to: &[(&str, Option<u16>)],
) -> (Vec<Result<u16, WhyUnbound>>, Vec<u16>) {
    let found = namesakes(&tree(from, 1.0), &tree(to, 1.0));
    let joints = found.joints.iter().map(|joint| joint.map(|joint| joint.0)).collect();
    (joints, found.ambiguous.iter().map(|joint| joint.0).collect())
}

#[test]
fn where_names_repeat_the_path_decides() {
    let limbs = [("hips", None), ("l", Some(0)), ("tip", Some(1)), ("r", Some(0)), ("tip", Some(3))];
    // Another order, a joint ahead of the root, and tips of its own.
    let to = [
        ("armature", None),
        ("hips", Some(0)),
        ("r", Some(1)),
        ("tip", Some(2)),
        ("tail", Some(1)),
        ("tip", Some(4)),
        ("l", Some(1)),
        ("tip", Some(6)),
    ];
    assert_eq!(found(&limbs, &to), (vec![Ok(1), Ok(6), Ok(7), Ok(2), Ok(3)], vec![]));
    // The name is the only one in one of the two.
    let one = [("hips", None), ("r", Some(0)), ("tip", Some(1))];
    let expected = vec![Ok(0), Err(WhyUnbound::NoSuchJoint), Err(WhyUnbound::NoSuchPath), Ok(1), Ok(2)];
    assert_eq!(found(&limbs, &one), (expected, vec![]));
    assert_eq!(found(&one, &to), (vec![Ok(1), Ok(2), Ok(3)], vec![]));
    // Joints below joints that are told apart by their path, and below some without a name.
    let deep = [("", None), ("a", Some(0)), ("a", Some(1)), ("b", Some(2)), ("", None), ("b", Some(4))];
    let (joints, ambiguous) = found(&deep, &deep);
    let unnamed = Err(WhyUnbound::Unnamed);
    assert_eq!((joints, ambiguous), (vec![unnamed, Ok(1), Ok(2), Ok(3), unnamed, Ok(5)], vec![]));
}

#[test]
fn what_no_path_tells_apart_is_ambiguous() {
    let twins = [("hips", None), ("wing", Some(0)), ("wing", Some(0))];
    assert_eq!(found(&twins, &twins), (vec![Ok(0), Ok(1), Ok(2)], vec![1, 2]));
    let one = [("hips", None), ("wing", Some(0))];
    assert_eq!(found(&twins, &one), (vec![Ok(0), Ok(1), Err(WhyUnbound::NotFirstOfName)], vec![1]));
    assert_eq!(found(&one, &twins), (vec![Ok(0), Ok(1)], vec![1]));
    let elsewhere = [("x", None), ("wing", Some(0)), ("wing", Some(1))];
    let gone = Err(WhyUnbound::NoSuchJoint);
    assert_eq!(found(&twins, &elsewhere), (vec![gone, Ok(1), Err(WhyUnbound::NotFirstOfName)], vec![1]));
}

#[test]
fn units_are_told_by_the_bones() {
    let names = [("a", None), ("b", Some(0)), ("c", Some(1)), ("d", Some(2))];
    let compare = |from: &Skeleton, to: &Skeleton| compare_rest(from, to, &namesakes(from, to).joints);
    for (from, to, expected) in [
        (1.0, 1.0, None),
        (2.0, 1.0, None),
        (1.0, 1.7, None),
        (30.0, 0.3, Some(100.0)),
        (0.3, 30.0, Some(0.01)),
        // A child in centimetres, a grown-up in metres.
        (20.0, 0.25, Some(100.0)),
        (300.0, 0.3, Some(1000.0)),
        (2.54, 1.0, Some(2.54)),
        (1.0, 0.3048, Some(3.280_84)),
        (0.3048, 12.0, Some(1.0 / 39.370_08)),
        (0.0, 1.0, None),
        (0.0, 0.0, None),
        (1e30, 1e-30, None),
    ] {
        let found = compare(&tree(&names, from), &tree(&names, to));
        assert_eq!(found.unit_ratio, expected, "{from} and {to}");
        let converted = matches!(expected, Some(unit) if (from / to / unit - 1.0).abs() < 0.01);
        assert_eq!(found.differences.is_empty(), converted || from == to, "{from} and {to}: {found}");
    }
    // Bones that are not all as much longer are those of another figure.
    let uneven = Skeleton::new((0..4u16).map(|j| Joint {
        name: names[usize::from(j)].0.into(),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform {
            translation: [0.0, 2.2 + 0.2 * f32::from(j), 0.0].into(),
            ..Transform::IDENTITY
        }),
    }));
    assert_eq!(compare(&uneven.unwrap(), &tree(&names, 1.0)).unit_ratio, None);
}

#[test]
fn rest_poses_that_differ_are_told_joint_by_joint() {
    let joint = |name: &str, rotation: glam::Quat, scale: f32| Joint {
        name: name.into(),
        parent: None,
        rest: Rest::Trs(Transform { translation: glam::Vec3::Y, rotation, scale: glam::Vec3::splat(scale) }),
    };
    let turned = |degrees: f32| glam::Quat::from_rotation_z(degrees.to_radians());
    let from = Skeleton::new([
        joint("a", turned(0.0), 1.0),
        joint("b", turned(10.0), 1.0),
        joint("c", turned(0.1), 2.0),
    ]);
    let to = Skeleton::new([
        joint("c", turned(0.0), 1.0),
        joint("b", -turned(100.0), 1.0),
        joint("a", -turned(0.0), 1.0),
    ]);
    let (from, to) = (from.unwrap(), to.unwrap());
    let found = compare_rest(&from, &to, &namesakes(&from, &to).joints);
    let joints: Vec<u16> = found.differences.iter().map(|difference| difference.joint.0).collect();
    assert_eq!((joints, found.compared, found.unit_ratio), (vec![0, 1], 3, None));
    assert!((found.differences[1].rotation_rad.to_degrees() - 90.0).abs() < 1e-3);
    assert_eq!((found.differences[0].rotation_rad, found.differences[0].scale), (0.0, 1.0));
    assert_eq!(
        found.to_string(),
        "remark: rest poses differ in rotation at 1 of 3 joints, most at joint 1 \"b\": 90.000 degrees\n\
         remark: rest poses differ in scale at 1 of 3 joints, most at joint 0 \"c\": 1.000\n"
    );
}
