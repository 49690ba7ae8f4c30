//! `wave`: the right arm goes up, waves three times and comes down. Keyed by hand, at uneven times; the
//! eyelids blink on a step track.

use glam::DVec3;

use super::idle::{AT_EASE, LOOSE};
use super::limbs::{bend_spine, curl, hang, is_finger, roll_hand, spread, turn_head};
use super::sample::{Clip, Interpolation, Keys, Motion, sample};
use crate::assets::pose::{Foot, Pose};
use crate::assets::skeleton::{Side, Skeleton};

const LAST: u32 = 78;

/// One line of the sheet: the frame, how far the arm is up (0 to 1), the forearm's lean to the outside (-1 to 1),
/// and how far the body has turned to whom it greets (0 to 1).
type Line = (u32, f64, f64, f64);

const SHEET: [Line; 13] = [
    (0, 0.0, 0.0, 0.0),
    (7, 0.3, 0.0, 0.35),
    (13, 0.8, 0.3, 0.8),
    (17, 1.0, 1.0, 1.0),
    (22, 1.0, -1.0, 1.0),
    (27, 1.0, 1.0, 1.0),
    (32, 1.0, -1.0, 0.95),
    (37, 1.0, 1.0, 1.0),
    (43, 1.0, -0.8, 0.9),
    (49, 0.95, 0.1, 0.8),
    (57, 0.55, 0.0, 0.4),
    (67, 0.08, 0.0, 0.1),
    (78, 0.0, 0.0, 0.0),
];
/// Frames at which the eyes are shut: from the first to just before the second.
const BLINK: [u32; 2] = [29, 33];

/// 2.6 s on a grid of 30 Hz.
pub(super) fn wave(skeleton: &Skeleton) -> Clip {
    let pose = |frame: f64| greeting(skeleton, frame);
    let keys = |name: &str| match name {
        "eyelids" => Keys { frames: vec![0, BLINK[0], BLINK[1], LAST], interpolation: Interpolation::Step },
        "jaw" => Keys::linear([0, 13, 17, 22, 27, 32, LAST]),
        finger if is_finger(finger) => Keys::linear([0, 7, 17, 49, 67, LAST]),
        _ => Keys::linear(SHEET.map(|line| line.0)),
    };
    sample(skeleton, &Motion { name: "wave", rate: 30, last: LAST, pose: &pose, keys: &keys })
}

fn greeting(skeleton: &Skeleton, frame: f64) -> Pose<'_> {
    let [up, lean, turned] = on_sheet(frame);
    let mut pose = Pose::bind(skeleton);

    pose.shift("hips", DVec3::new(0.014 * turned, -0.005 - 0.004 * turned, 0.0));
    pose.turn_in_model("hips", [1.0, -3.0 * turned, 1.2 * turned]);
    bend_spine(&mut pose, [1.0 - 1.5 * turned, -6.0 * turned, -4.0 * turned + 1.5 * lean * up]);
    turn_head(&mut pose, [-2.0 * turned, -4.0 * turned, 7.0 * turned]);
    pose.turn("jaw", [if (14.0..32.0).contains(&frame) { -9.0 * up } else { 0.0 }, 0.0, 0.0]);
    let shut = (f64::from(BLINK[0])..f64::from(BLINK[1])).contains(&frame);
    pose.turn("eyelids", [if shut { -34.0 } else { 0.0 }, 0.0, 0.0]);

    pose.turn_in_model("clavicle_l", [0.0, 0.0, -3.5]);
    hang(&mut pose, Side::Left, AT_EASE);
    curl(&mut pose, Side::Left, LOOSE);

    pose.turn_in_model("clavicle_r", [0.0, 0.0, -3.5 + 15.0 * up]);
    raise(skeleton, &mut pose, up, lean);
    curl(&mut pose, Side::Right, LOOSE + (3.0 - LOOSE) * up);
    spread(&mut pose, Side::Right, 7.0 * up);
    for side in Side::BOTH {
        pose.place_foot(side, Foot { offset: DVec3::ZERO, pitch: 0.0, toe_pitch: 0.0 });
    }
    pose
}

/// The right arm, between hanging (0) and raised with the palm forward (1).
fn raise(skeleton: &Skeleton, pose: &mut Pose, up: f64, lean: f64) {
    let mut down = Pose::bind(skeleton);
    hang(&mut down, Side::Right, AT_EASE);
    let mut raised = Pose::bind(skeleton);
    // Rolled back by a quarter turn, the upper arm lets the elbow bend upward.
    raised.turn("upper_arm_r", [12.0, 0.0, 26.0]);
    raised.turn("upper_arm_r", [0.0, -75.0, 0.0]);
    raised.turn("upper_arm_twist_r", [0.0, 37.0, 0.0]);
    raised.turn("forearm_r", [84.0 - 20.0 * lean, 0.0, 0.0]);
    roll_hand(&mut raised, Side::Right, 8.0);
    raised.turn("hand_r", [-14.0 * lean, 0.0, 4.0]);
    for stem in ["upper_arm", "upper_arm_twist", "forearm", "forearm_twist", "hand"] {
        let joint = skeleton.find(&Side::Right.joint(stem));
        pose.rotations[joint] = down.rotations[joint].slerp(raised.rotations[joint], up);
    }
}

/// The sheet at a frame, straight between its lines.
fn on_sheet(frame: f64) -> [f64; 3] {
    let next = SHEET.iter().position(|line| f64::from(line.0) > frame).unwrap_or(SHEET.len() - 1);
    let (from, to) = (SHEET[next - 1], SHEET[next]);
    let part = (frame - f64::from(from.0)) / f64::from(to.0 - from.0);
    [(from.1, to.1), (from.2, to.2), (from.3, to.3)].map(|(a, b)| a + (b - a) * part)
}
