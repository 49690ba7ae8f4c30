//! Masks made by joints, subtrees and names.

use throng_crowd::{Crowd, JointMask, JointMaskError, Playback};
use throng_kernels::Level;
use throng_tracks::{Joint, JointIndex, Rest, Skeleton, Transform};

use crate::make::{bank, plan};

fn skeleton() -> Skeleton {
    let joint = |name: &str, parent: Option<u16>| Joint {
        name: name.into(),
        parent: parent.map(JointIndex),
        rest: Rest::Trs(Transform::IDENTITY),
    };
    Skeleton::new([
        joint("hips", None),
        joint("spine", Some(0)),
        joint("hand", Some(1)),
        joint("leg", Some(0)),
        joint("hand", Some(1)),
        joint("finger", Some(4)),
    ])
    .unwrap()
}

#[test]
fn joints_subtrees_and_names_choose_weights() {
    let skeleton = skeleton();
    let joints = JointMask::joints(&skeleton, [JointIndex(3), JointIndex(0), JointIndex(3)]).unwrap();
    assert_eq!(*joints, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let subtree = |joint| JointMask::subtree(&skeleton, JointIndex(joint)).unwrap();
    assert_eq!(*subtree(1), [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    assert_eq!(*subtree(0), [1.0; 6]);
    assert_eq!(*subtree(5), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    // All joints of one name.
    assert_eq!(*JointMask::named(&skeleton, ["hand"]).unwrap(), [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    assert_eq!(*JointMask::named_subtrees(&skeleton, ["hand"]).unwrap(), [0.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
    assert_eq!(*JointMask::named::<&str>(&skeleton, []).unwrap(), [0.0; 6]);
}

#[test]
fn masks_are_combined_joint_by_joint() {
    let skeleton = skeleton();
    let [arm, leg] = [1, 3].map(|joint| JointMask::subtree(&skeleton, JointIndex(joint)).unwrap());
    assert_eq!(*arm.inverted(), [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(*arm.scaled(4.0).inverted(), [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(*arm.union(&leg.scaled(0.25)).unwrap(), [0.0, 1.0, 1.0, 0.25, 1.0, 1.0]);
    let hands = JointMask::named(&skeleton, ["hand"]).unwrap().scaled(0.5);
    assert_eq!(*arm.scaled(0.5).product(&hands).unwrap(), [0.0, 0.0, 0.25, 0.0, 0.25, 0.0]);
    let other = JointMask::subtree(bank(&[1.0]).skeleton(), JointIndex(0)).unwrap();
    assert_eq!(arm.union(&other), Err(JointMaskError::Joints { found: 2, joints: 6 }));
}

#[test]
fn what_is_not_there_is_named() {
    let skeleton = skeleton();
    for act in [JointMask::subtree, |s: &Skeleton, joint| JointMask::joints(s, [JointIndex(0), joint])] {
        let said = act(&skeleton, JointIndex(6)).unwrap_err().to_string();
        assert_eq!(said, "there is no joint 6: the skeleton has 6, counted from 0");
    }
    let said = JointMask::named_subtrees(&skeleton, ["hips", "HANDS"]).unwrap_err().to_string();
    assert_eq!(said, "no joint is named \"HANDS\": the nearest names are \"hand\", \"hips\", \"spine\"");
}

#[test]
fn a_crowd_takes_them_and_refuses_weights_that_are_none() {
    let mut crowd = Crowd::with_plan(plan(bank(&[1.0])), Level::detect());
    let skeleton = crowd.bank().skeleton().clone();
    let arm = JointMask::named_subtrees(&skeleton, ["arm"]).unwrap();
    let mask = crowd.add_mask(&arm).unwrap();
    crowd.spawn(Playback { time_s: 0.5, mask: Some(mask), ..Playback::default() }).unwrap();
    // The root rests.
    assert_eq!(crowd.evaluate()[3], 0.0);
    for factor in [-1.0, f32::NAN, f32::INFINITY, 9.0] {
        assert!(crowd.add_mask(&arm.scaled(factor)).is_err(), "{factor}");
    }
}
