//! Clips of one skeleton for another.

use glam::Affine3A;
use throng_tracks::tools::{WhyUnbound, namesakes, remap};
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
    let mut joints = namesakes(&from, &to);
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
    let (there, _) = remap(&clip, &from, &namesakes(&from, &to), &to).unwrap();
    let (back, report) = remap(&there, &to, &namesakes(&to, &from), &from).unwrap();
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
