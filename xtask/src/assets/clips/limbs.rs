//! Arms, hands and the trunk: what all clips share.

use crate::assets::pose::Pose;
use crate::assets::skeleton::Side;

/// An arm that hangs and swings. Degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    /// From the slope of the bind pose down toward the body.
    pub(super) lower: f64,
    /// Forward.
    pub(super) swing: f64,
    /// Bend of the elbow.
    pub(super) elbow: f64,
    /// The forearm turns the palm backward.
    pub(super) roll: f64,
}

/// Lets an arm hang from its shoulder.
pub(super) fn hang(pose: &mut Pose, side: Side, arm: Arm) {
    pose.turn_in_model(&side.joint("upper_arm"), [-arm.swing, 0.0, 0.0]);
    pose.turn(&side.joint("upper_arm"), [0.0, 0.0, -arm.lower]);
    pose.turn(&side.joint("forearm"), [arm.elbow, 0.0, 0.0]);
    roll_hand(pose, side, arm.roll);
}

/// Turns the hand about the forearm's length; the twist joint takes half.
pub(super) fn roll_hand(pose: &mut Pose, side: Side, degrees: f64) {
    pose.turn(&side.joint("forearm_twist"), [0.0, degrees * 0.5, 0.0]);
    pose.turn(&side.joint("hand"), [0.0, degrees, 0.0]);
}

/// Curls the fingers into the palm by so many degrees a joint; the outer fingers a little more.
pub(super) fn curl(pose: &mut Pose, side: Side, degrees: f64) {
    for (finger, share) in [("index", 0.85), ("middle", 1.0), ("ring", 1.1), ("pinky", 1.2)] {
        for (joint, part) in [(1, 0.8), (2, 1.1), (3, 0.8)] {
            pose.turn(&side.joint(&format!("{finger}_{joint}")), [degrees * share * part, 0.0, 0.0]);
        }
    }
    for (joint, part) in [(1, 0.25), (2, 0.5), (3, 0.6)] {
        pose.turn(&side.joint(&format!("thumb_{joint}")), [degrees * part, 0.0, 0.0]);
    }
}

/// Spreads the fingers in the plane of the palm, away from the middle finger.
pub(super) fn spread(pose: &mut Pose, side: Side, degrees: f64) {
    for (finger, share) in [("index", 1.0), ("ring", -0.9), ("pinky", -1.9)] {
        pose.turn(&side.joint(&format!("{finger}_1")), [0.0, 0.0, degrees * share]);
    }
}

/// Whether a joint belongs to a hand's fingers.
pub(super) fn is_finger(name: &str) -> bool {
    ["thumb", "index", "middle", "ring", "pinky"].iter().any(|finger| name.starts_with(finger))
}

/// Shares a turn of the chest against the hips out over the spine, in the model's axes.
pub(super) fn bend_spine(pose: &mut Pose, degrees: [f64; 3]) {
    for (joint, part) in [("spine_1", 0.3), ("spine_2", 0.35), ("spine_3", 0.35)] {
        pose.turn_in_model(joint, degrees.map(|angle| angle * part));
    }
}

/// Shares a turn of the head against the chest out over neck and head, in the model's axes.
pub(super) fn turn_head(pose: &mut Pose, degrees: [f64; 3]) {
    for (joint, part) in [("neck", 0.4), ("head", 0.6)] {
        pose.turn_in_model(joint, degrees.map(|angle| angle * part));
    }
}
