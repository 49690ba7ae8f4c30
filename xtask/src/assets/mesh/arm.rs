//! The left sleeve, cuff, glove and fingers.

use glam::DVec3;

use super::colour::{GLOVE, JACKET, TRIM};
use super::loft::{Part, Ring, Weight};
use crate::assets::bones::{ELBOW, PALM, THUMB, WRIST, on_arm, on_thumb};

/// A ring across the arm, `along` it from the shoulder: `ahead` is half its extent from thumb to little finger,
/// `thick` half of that from palm to back.
fn across(along: f64, ahead: f64, thick: f64, weights: &[Weight]) -> Ring {
    Ring::new(on_arm(along, 0.0, 0.0), [0.0, 0.0, ahead], PALM.map(|part| part * thick), weights)
}

pub(super) fn parts() -> Vec<Part> {
    let mut parts = vec![sleeve(), cuff(), palm()];
    parts.extend(FINGERS.iter().map(finger));
    parts.push(thumb());
    parts
}

fn sleeve() -> Part {
    Part {
        colour: JACKET,
        sides: 10,
        roundness: 1.0,
        rings: vec![
            across(-0.045, 0.034, 0.026, &[("clavicle_l", 0.75), ("spine_3", 0.25)]),
            across(-0.030, 0.052, 0.044, &[("clavicle_l", 0.75), ("upper_arm_twist_l", 0.25)]),
            across(0.000, 0.061, 0.056, &[("upper_arm_twist_l", 0.5), ("clavicle_l", 0.5)]),
            across(0.040, 0.060, 0.056, &[("upper_arm_twist_l", 0.8), ("clavicle_l", 0.2)]),
            across(0.085, 0.054, 0.052, &[("upper_arm_twist_l", 0.8), ("upper_arm_l", 0.2)]),
            across(0.150, 0.050, 0.048, &[("upper_arm_l", 0.6), ("upper_arm_twist_l", 0.4)]),
            across(0.215, 0.046, 0.045, &[("upper_arm_l", 1.0)]),
            across(ELBOW - 0.025, 0.043, 0.043, &[("upper_arm_l", 0.8), ("forearm_l", 0.2)]),
            across(ELBOW, 0.042, 0.042, &[("upper_arm_l", 0.5), ("forearm_l", 0.5)]),
            across(ELBOW + 0.025, 0.042, 0.042, &[("forearm_l", 0.8), ("upper_arm_l", 0.2)]),
            across(0.350, 0.042, 0.041, &[("forearm_l", 0.9), ("forearm_twist_l", 0.1)]),
            across(0.430, 0.037, 0.035, &[("forearm_l", 0.5), ("forearm_twist_l", 0.5)]),
            across(0.500, 0.031, 0.028, &[("forearm_twist_l", 0.9), ("forearm_l", 0.1)]),
        ],
        caps: [0.006, 0.0],
    }
}

fn cuff() -> Part {
    Part {
        colour: TRIM,
        sides: 10,
        roundness: 1.0,
        rings: vec![
            across(0.468, 0.037, 0.035, &[("forearm_twist_l", 0.75), ("forearm_l", 0.25)]),
            across(0.512, 0.036, 0.033, &[("forearm_twist_l", 0.9), ("hand_l", 0.1)]),
        ],
        caps: [0.0, 0.0],
    }
}

fn palm() -> Part {
    Part {
        colour: GLOVE,
        sides: 8,
        roundness: 0.75,
        rings: vec![
            across(WRIST - 0.035, 0.026, 0.022, &[("forearm_twist_l", 0.85), ("hand_l", 0.15)]),
            across(WRIST, 0.027, 0.020, &[("hand_l", 0.6), ("forearm_twist_l", 0.4)]),
            across(WRIST + 0.03, 0.036, 0.019, &[("hand_l", 1.0)]),
            across(WRIST + 0.065, 0.043, 0.017, &[("hand_l", 1.0)]),
            across(WRIST + 0.096, 0.042, 0.014, &[("hand_l", 1.0)]),
        ],
        caps: [0.0, 0.004],
    }
}

/// The names of a finger's joints, where they and the tip are along the arm from the wrist, where the finger
/// lies toward the thumb, and its radius at the root.
struct Finger {
    joints: [&'static str; 3],
    along: [f64; 4],
    ahead: f64,
    radius: f64,
}

const FINGERS: [Finger; 4] = [
    Finger {
        joints: ["index_1_l", "index_2_l", "index_3_l"],
        along: [0.094, 0.134, 0.160, 0.182],
        ahead: 0.0315,
        radius: 0.0105,
    },
    Finger {
        joints: ["middle_1_l", "middle_2_l", "middle_3_l"],
        along: [0.097, 0.141, 0.170, 0.193],
        ahead: 0.010,
        radius: 0.0108,
    },
    Finger {
        joints: ["ring_1_l", "ring_2_l", "ring_3_l"],
        along: [0.093, 0.133, 0.160, 0.182],
        ahead: -0.0115,
        radius: 0.0102,
    },
    Finger {
        joints: ["pinky_1_l", "pinky_2_l", "pinky_3_l"],
        along: [0.086, 0.118, 0.138, 0.157],
        ahead: -0.0325,
        radius: 0.0092,
    },
];

fn finger(finger: &Finger) -> Part {
    let ring = |along: f64, narrow: f64, weights: &[Weight]| {
        let radius = finger.radius * narrow;
        let palm = PALM.map(|part| part * radius);
        Ring::new(on_arm(WRIST + along, 0.0, finger.ahead), [0.0, 0.0, radius], palm, weights)
    };
    digit("hand_l", finger.joints, finger.along, &ring)
}

fn thumb() -> Part {
    let axis = DVec3::from_array(THUMB).normalize();
    let u = DVec3::from_array(PALM).reject_from_normalized(axis).normalize();
    let v = axis.cross(u);
    let ring = |along: f64, narrow: f64, weights: &[Weight]| {
        let radius = 0.0125 * narrow;
        Ring::new(on_thumb(along), (u * radius).to_array(), (v * radius).to_array(), weights)
    };
    digit("hand_l", ["thumb_1_l", "thumb_2_l", "thumb_3_l"], [0.0, 0.036, 0.066, 0.090], &ring)
}

/// A finger or thumb: rings at and between its joints. `ring` takes the place along it, the narrowing, the weights.
fn digit(
    hand: &'static str,
    [first, second, third]: [&'static str; 3],
    [root, middle, end, tip]: [f64; 4],
    ring: &dyn Fn(f64, f64, &[Weight]) -> Ring,
) -> Part {
    Part {
        colour: GLOVE,
        sides: 6,
        roundness: 1.0,
        rings: vec![
            ring(root - 0.012, 1.0, &[(hand, 0.85), (first, 0.15)]),
            ring(root + 0.008, 1.0, &[(first, 0.75), (hand, 0.25)]),
            ring((root + middle) * 0.5, 0.96, &[(first, 1.0)]),
            ring(middle, 0.96, &[(first, 0.5), (second, 0.5)]),
            ring((middle + end) * 0.5, 0.90, &[(second, 1.0)]),
            ring(end, 0.88, &[(second, 0.5), (third, 0.5)]),
            ring(tip - 0.006, 0.78, &[(third, 1.0)]),
        ],
        caps: [0.0, 0.006],
    }
}
