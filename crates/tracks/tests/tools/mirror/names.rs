//! Which joints are left and right of each other, by name.

use glam::Quat;
use throng_tracks::Skeleton;
use throng_tracks::tools::{is_sided, other_side, pairs_by_name};

use super::joint;

#[test]
fn the_parents_of_a_pair_are_a_pair_whatever_they_are_called() {
    let turn = Quat::IDENTITY;
    let pairs = |joints: &[(&str, Option<u16>)]| {
        let joints = joints.iter().map(|&(name, parent)| joint(name, parent, turn));
        pairs_by_name(&Skeleton::new(joints).unwrap())
            .into_iter()
            .map(|(a, b)| (a.0, b.0))
            .collect::<Vec<_>>()
    };
    let hands = [
        ("hips", None),
        ("LHip", Some(0)),
        ("Lefthand", Some(1)),
        ("LeftThumb", Some(2)),
        ("RHip", Some(0)),
        ("RightHand", Some(4)),
        ("RightThumb", Some(5)),
    ];
    assert_eq!(pairs(&hands), [(1, 4), (2, 5), (3, 6)]);
    // Not where one hangs higher than the other.
    assert_eq!(pairs(&[("a", None), ("b", Some(0)), ("arm_l", Some(0)), ("arm_r", Some(1))]), [(2, 3)]);
}

#[test]
fn names_make_pairs() {
    let pairs = |names: &[&str]| {
        let joints = names.iter().map(|name| joint(name, None, Quat::IDENTITY));
        let pairs = pairs_by_name(&Skeleton::new(joints).unwrap());
        pairs.into_iter().map(|(a, b)| (a.0, b.0)).collect::<Vec<_>>()
    };
    for (a, b) in [
        ("LeftArm", "RightArm"),
        ("mixamorig:LeftHandThumb1", "mixamorig:RightHandThumb1"),
        ("arm_left_2", "arm_right_2"),
        ("LEFT_ARM", "RIGHT_ARM"),
        ("upperarm.l", "upperarm.r"),
        ("hand.L.001", "hand.R.001"),
        ("b_Leg_l", "b_Leg_r"),
        ("L_arm", "R_arm"),
        ("Bip01 L Arm", "Bip01 R Arm"),
        ("armL", "armR"),
        ("arm2R", "arm2L"),
        ("LThumb", "RThumb"),
        ("lShldr", "rShldr"),
        ("b_lHand", "b_rHand"),
        ("lThighBend", "rThighBend"),
        ("larm", "rarm"),
        ("mh:lfoot", "mh:rfoot"),
        ("左腕", "右腕"),
        ("左足ＩＫ", "右足ＩＫ"),
        ("腕.左", "腕.右"),
        ("lf_arm", "rt_arm"),
        ("Arm_Lft", "Arm_Rgt"),
        ("handL1", "handR1"),
        ("footL_IK", "footR_IK"),
        ("ValveBiped.Bip01_L_Hand", "ValveBiped.Bip01_R_Hand"),
        ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"),
        ("DEF-upper_arm.L.001", "DEF-upper_arm.R.001"),
    ] {
        assert_eq!(pairs(&["root", a, "x", b]), [(1, 3)], "{a} {b}");
    }
    assert_eq!(pairs(&["l_arm", "arm.l", "ball", "left", "EAR", "EAL", "Leg", "Reg"]), []);
    // Numbers at the end are looked past where names as they are have no other.
    assert_eq!(
        pairs(&["b_LeftArm_09", "b_RightArm_06", "hips_1", "LeftHand01_3", "RightHand01_3"]),
        [(0, 1), (3, 4)]
    );
    assert_eq!(pairs(&["arm_l.001", "arm_r.002", "leg.l", "leg.r.001"]), [(0, 1), (2, 3)]);
    // Of two that differ in their numbers alone nobody knows which is meant.
    assert_eq!(pairs(&["LeftArm_1", "LeftArm_2", "RightArm_3"]), []);
    assert_eq!(pairs(&["left_", "right_1", "1", "_1", ".l"]), []);
    for (name, sided) in [
        ("b_LeftArm_09", true),
        ("arm_l.001", true),
        ("hips_1", false),
        ("ball", false),
        ("", false),
        ("larm", false),
        ("左腕", true),
        ("lShldr", true),
    ] {
        assert_eq!(is_sided(name), sided, "{name}");
    }
    // Of two joints of one name the first is in a pair.
    assert_eq!(pairs(&["arm.r", "arm.l", "arm.l", "arm.r"]), [(0, 1)]);
}

#[test]
fn the_other_side_of_the_other_side_is_the_name() {
    for name in ["LeftArm_09", "hand.L.001", "Bip01 L Arm", "Lf_Arm", "arm_LFT", "rShldr", "右手", "arm2R"]
    {
        let other = other_side(name).unwrap();
        assert_ne!(other, name);
        assert_eq!(other_side(&other).as_deref(), Some(name));
    }
    for name in ["", "ball", "larm", "rest", "Leg", "EAR", "upperArmRoll", "l", "_"] {
        assert!(other_side(name).is_none_or(|other| other_side(&other).as_deref() == Some(name)), "{name}");
    }
}
