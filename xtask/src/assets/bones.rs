//! The table of joints: name, parent, where the bone starts and where it points. Left side only.

/// One row of the table, all in model space. A parent name without a side is looked up on the bone's own
/// side first, then in the trunk; the root has none.
pub(super) struct Bone {
    pub(super) name: &'static str,
    pub(super) parent: &'static str,
    pub(super) head: [f64; 3],
    /// Along the bone: the joint's Y axis. Any length.
    pub(super) direction: [f64; 3],
    /// The joint's Z axis lies as near to this as it can.
    pub(super) reference: [f64; 3],
}

/// Along the arm: a slope of 3 in 4 below the horizontal, so that its parts are exact.
pub(super) const ARM: [f64; 3] = [0.8, -0.6, 0.0];
/// Out of the palm: the thumb points forward.
pub(super) const PALM: [f64; 3] = [-0.6, -0.8, 0.0];
/// Where the upper arm starts.
pub(super) const SHOULDER: [f64; 3] = [0.185, 1.43, -0.01];
/// From the shoulder, along the arm.
pub(super) const ELBOW: f64 = 0.28;
/// From the shoulder, along the arm.
pub(super) const WRIST: f64 = 0.53;
/// Along the thumb; not of unit length.
pub(super) const THUMB: [f64; 3] = [0.62, -0.72, 0.55];
const THUMB_CURL: [f64; 3] = [-0.6, -0.6, -0.5];

const UP: [f64; 3] = [0.0, 1.0, 0.0];
const FORWARD: [f64; 3] = [0.0, 0.0, 1.0];

/// A point `along` the arm from the shoulder, `out` of the palm and `ahead` toward the thumb.
pub(super) const fn on_arm(along: f64, out: f64, ahead: f64) -> [f64; 3] {
    [
        SHOULDER[0] + ARM[0] * along + PALM[0] * out,
        SHOULDER[1] + ARM[1] * along + PALM[1] * out,
        SHOULDER[2] + ahead,
    ]
}

const fn bone(
    name: &'static str,
    parent: &'static str,
    head: [f64; 3],
    direction: [f64; 3],
    reference: [f64; 3],
) -> Bone {
    Bone { name, parent, head, direction, reference }
}

/// A finger joint, `along` the arm from the wrist.
const fn finger(name: &'static str, parent: &'static str, along: f64, ahead: f64) -> Bone {
    bone(name, parent, on_arm(WRIST + along, 0.0, ahead), ARM, PALM)
}

/// A point `along` the thumb (in lengths of [`THUMB`]) from its root at the side of the palm.
pub(super) const fn on_thumb(along: f64) -> [f64; 3] {
    let root = on_arm(WRIST + 0.028, 0.006, 0.026);
    [root[0] + THUMB[0] * along, root[1] + THUMB[1] * along, root[2] + THUMB[2] * along]
}

const fn thumb(name: &'static str, parent: &'static str, along: f64) -> Bone {
    bone(name, parent, on_thumb(along), THUMB, THUMB_CURL)
}

/// The joints of the trunk and the head.
pub(super) const CENTRE: &[Bone] = &[
    bone("root", "", [0.0, 0.0, 0.0], UP, FORWARD),
    bone("hips", "root", [0.0, 0.95, 0.0], UP, FORWARD),
    bone("spine_1", "hips", [0.0, 1.04, 0.0], [0.0, 0.12, -0.005], FORWARD),
    bone("spine_2", "spine_1", [0.0, 1.16, -0.005], [0.0, 0.13, -0.010], FORWARD),
    bone("spine_3", "spine_2", [0.0, 1.29, -0.015], [0.0, 0.19, -0.005], FORWARD),
    // Breathing swells this leaf alone, so that the arms and the head keep their size.
    bone("ribs", "spine_3", [0.0, 1.32, 0.005], UP, FORWARD),
    bone("neck", "spine_3", [0.0, 1.48, -0.020], [0.0, 0.09, 0.018], FORWARD),
    bone("head", "neck", [0.0, 1.57, -0.002], UP, FORWARD),
    bone("jaw", "head", [0.0, 1.612, 0.022], [0.0, -0.045, 0.075], UP),
    bone("eyelids", "head", [0.0, 1.675, 0.062], FORWARD, UP),
];

/// The joints of the left side.
pub(super) const LEFT: &[Bone] = &[
    bone("clavicle", "spine_3", [0.025, 1.445, 0.015], [0.16, -0.015, -0.025], FORWARD),
    bone("upper_arm", "clavicle", SHOULDER, ARM, FORWARD),
    // Turns back half of the upper arm's roll where the sleeve meets the shoulder.
    bone("upper_arm_twist", "upper_arm", SHOULDER, ARM, FORWARD),
    bone("forearm", "upper_arm", on_arm(ELBOW, 0.0, 0.0), ARM, FORWARD),
    // Carries half of the hand's roll.
    bone("forearm_twist", "forearm", on_arm(0.41, 0.0, 0.0), ARM, FORWARD),
    bone("hand", "forearm", on_arm(WRIST, 0.0, 0.0), ARM, FORWARD),
    bone("hand_socket", "hand", on_arm(WRIST + 0.075, 0.03, 0.0), FORWARD, PALM),
    thumb("thumb_1", "hand", 0.0),
    thumb("thumb_2", "thumb_1", 0.036),
    thumb("thumb_3", "thumb_2", 0.066),
    finger("index_1", "hand", 0.094, 0.031),
    finger("index_2", "index_1", 0.134, 0.032),
    finger("index_3", "index_2", 0.160, 0.032),
    finger("middle_1", "hand", 0.097, 0.010),
    finger("middle_2", "middle_1", 0.141, 0.010),
    finger("middle_3", "middle_2", 0.170, 0.010),
    finger("ring_1", "hand", 0.093, -0.011),
    finger("ring_2", "ring_1", 0.133, -0.012),
    finger("ring_3", "ring_2", 0.160, -0.012),
    finger("pinky_1", "hand", 0.086, -0.031),
    finger("pinky_2", "pinky_1", 0.118, -0.033),
    finger("pinky_3", "pinky_2", 0.138, -0.034),
    bone("thigh", "hips", [0.09, 0.92, 0.0], [0.005, -0.41, 0.012], FORWARD),
    bone("shin", "thigh", [0.095, 0.51, 0.012], [0.0, -0.42, -0.032], FORWARD),
    bone("foot", "shin", [0.095, 0.09, -0.02], [0.012, -0.062, 0.13], UP),
    bone("toes", "foot", [0.107, 0.028, 0.11], [0.006, -0.008, 0.08], UP),
];
