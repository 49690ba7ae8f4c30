//! Clips of one file on the skeleton of another.

use crate::common;

use glam::{Affine3A, Vec3};
use throng_tracks::tools::{BindReport, Unbound, WhyUnbound, bind_by_name};
use throng_tracks::{
    Channel, Clip, DTransform, Interpolation, Joint, JointIndex, Property, Rest, Skeleton, Track, Transform,
};

fn skeleton(names: &[&str]) -> Skeleton {
    let joints = names.iter().enumerate().map(|(i, name)| Joint {
        name: (*name).to_owned(),
        parent: i.checked_sub(1).map(|p| JointIndex(p as u16)),
        rest: match *name {
            "fixed" => Rest::Matrix(Affine3A::from_scale(Vec3::splat(2.0))),
            _ => Rest::Trs(Transform { translation: Vec3::splat(i as f32), ..Transform::IDENTITY }),
        },
    });
    Skeleton::new(joints).unwrap()
}

fn track(channel: Channel, value: f32) -> Track {
    let values = vec![value; channel.components()];
    Track::new("test", channel, Interpolation::Linear, [0.0], values).unwrap()
}

fn clip(name: &str, skeleton: &Skeleton, tracks: &[(u16, Channel)]) -> Clip {
    let tracks =
        tracks.iter().map(|&(joint, channel)| (JointIndex(joint), track(channel, f32::from(joint) + 5.0)));
    Clip::new(name, skeleton, tracks).unwrap()
}

fn targets(clip: &Clip) -> Vec<(u16, Channel, f32)> {
    clip.tracks().iter().map(|t| (t.joint().0, t.track().channel(), t.track().values()[0])).collect()
}

#[test]
fn tracks_go_to_their_namesakes() {
    let from = skeleton(&["hips", "spine", "tail", "spine", "", "fixed"]);
    let from = Skeleton::new(from.joints().map(|joint| Joint {
        name: from.name(joint).to_owned(),
        parent: from.parents()[joint.get()],
        rest: Rest::Trs(Transform::IDENTITY),
    }))
    .unwrap();
    let to = skeleton(&["root", "spine", "hips", "fixed", "", "spine"]);
    use Channel::{Scale, Translation, Weights};
    let clips = [
        clip("walk", &from, &[(0, Translation), (0, Scale), (1, Scale), (2, Scale), (3, Scale), (4, Scale)]),
        clip("none", &from, &[(2, Translation), (5, Scale), (5, Weights(2))]),
    ];
    let (bound, report) = bind_by_name(&clips, &from, &to);
    assert_eq!(bound[0].name(), "walk");
    assert_eq!(targets(&bound[0]), [(2, Translation, 5.0), (2, Scale, 5.0), (1, Scale, 6.0)]);
    assert_eq!(targets(&bound[1]), [(3, Weights(2), 10.0)]);
    let unbound =
        |joint, name: &str, tracks, why| Unbound { joint: JointIndex(joint), name: name.into(), tracks, why };
    let expected = BindReport {
        bound: 4,
        unbound: vec![
            unbound(2, "tail", 2, WhyUnbound::NoSuchJoint),
            unbound(3, "spine", 1, WhyUnbound::NotFirstOfName),
            unbound(4, "", 1, WhyUnbound::Unnamed),
            unbound(5, "fixed", 1, WhyUnbound::FixedMatrix),
        ],
        ambiguous: vec![JointIndex(1)],
        rest: report.rest.clone(),
        moved: 3,
        still: 3,
    };
    assert_eq!(report, expected);
    assert_eq!(report.unbound_tracks(), 5);
    let report = BindReport { rest: Default::default(), ..report };
    assert_eq!(
        report.to_string(),
        "4 tracks bound to 3 joints, 5 not bound; 3 joints are not moved\n\
         skip: joint 2 \"tail\": 2 tracks: no joint of that name\n\
         skip: joint 3 \"spine\": 1 tracks: not the first joint of that name\n\
         skip: joint 4 \"\": 1 tracks: a joint without a name\n\
         skip: joint 5 \"fixed\": 1 tracks: the joint of that name stands by a matrix\n\
         remark: joint 1: bound to it, the first of several of its name\n"
    );
}

#[test]
fn properties_go_with_their_joints() {
    let (from, to) = (skeleton(&["hips", "lamp", "tail"]), skeleton(&["lamp", "hips"]));
    let clip = Clip::new("dusk", &from, []).unwrap();
    let glow = |joint| (Property::at(JointIndex(joint), "glow"), track(Channel::Scalar, 1.0));
    let whole = (Property::from("sun"), track(Channel::Scalar, 1.0));
    let clip = clip.with_properties(&from, [glow(1), whole, glow(2)]).unwrap();
    let (bound, report) = bind_by_name(&[clip], &from, &to);
    let properties: Vec<_> = bound[0].properties().iter().map(|p| p.property().clone()).collect();
    assert_eq!(properties, [Property::at(JointIndex(0), "glow"), "sun".into()]);
    assert_eq!((report.bound, report.unbound_tracks(), report.moved), (2, 1, 1));
}

#[test]
fn a_file_of_moves_moves_a_character() {
    if common::assets().is_none() {
        return;
    }
    let moves = common::import("kaykit_med_combat_melee.glb");
    let character = common::import("kaykit_manny_med/manny_med_mod.gltf");
    let (clips, report) = bind_by_name(&moves.clips, &moves.skeleton, &character.skeleton);
    print!("{report}");
    assert_eq!(clips.len(), moves.clips.len());
    let (from, to) = (&moves.skeleton, &character.skeleton);
    let mut compared = 0;
    for (clip, bound) in moves.clips.iter().zip(&clips) {
        assert_eq!((clip.name(), clip.duration_s()), (bound.name(), bound.duration_s()));
        let mut poses =
            [vec![DTransform::IDENTITY; from.joint_count()], vec![DTransform::IDENTITY; to.joint_count()]];
        for part in [0.0, 0.3, 0.77, 1.0] {
            let t = clip.duration_s() * part;
            clip.sample_f64(from, t, &mut poses[0]);
            bound.sample_f64(to, t, &mut poses[1]);
            for track in clip.tracks() {
                let joint = track.joint();
                let Some(target) = to.find(from.name(joint)) else { continue };
                let (source, target) = (poses[0][joint.get()], poses[1][target.get()]);
                match track.track().channel() {
                    Channel::Translation => assert_eq!(source.translation, target.translation),
                    Channel::Rotation => assert_eq!(source.rotation, target.rotation),
                    Channel::Scale => assert_eq!(source.scale, target.scale),
                    _ => continue,
                }
                compared += 1;
            }
        }
    }
    // The character has no slots for what it holds in its hands; all the rest is there.
    let unbound: Vec<_> = report.unbound.iter().map(|u| (u.name.as_str(), u.tracks, u.why)).collect();
    assert_eq!(
        unbound,
        [("handslot.l", 66, WhyUnbound::NoSuchJoint), ("handslot.r", 66, WhyUnbound::NoSuchJoint)]
    );
    assert_eq!((report.bound, report.moved, report.still), (1452, 22, 0));
    assert_eq!(compared, 4 * report.bound);
}
