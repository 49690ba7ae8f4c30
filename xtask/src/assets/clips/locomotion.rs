//! `walk` and `run`: one routine, two sets of figures.

use glam::DVec3;

use super::limbs::{Arm, bend_spine, curl, hang, is_finger, turn_head};
use super::sample::{Clip, Keys, Motion, sample};
use crate::assets::gait::{Gait, sway};
use crate::assets::pose::Pose;
use crate::assets::skeleton::{Side, Skeleton};

/// What the body does above the feet. Degrees and metres; the swings are to either side of the middle.
struct Carriage {
    gait: Gait,
    /// Mean height of the hips under the bind pose.
    sink: f64,
    bob: f64,
    /// Phase at which the hips are highest after the left foot's strike.
    highest: f64,
    sideways: f64,
    hip_yaw: f64,
    hip_roll: f64,
    lean: f64,
    chest_yaw: f64,
    arm: Arm,
    arm_swing: f64,
    /// How much the elbow opens and closes with the swing.
    elbow_swing: f64,
    curl: f64,
}

/// 1.2 s at 30 Hz; fits ground that moves at 0.94 m/s.
pub(super) fn walk(skeleton: &Skeleton) -> Clip {
    let carriage = Carriage {
        gait: Gait {
            duty: 0.62,
            front: 0.30,
            back: -0.40,
            lift: 0.058,
            lift_skew: 0.68,
            strike: 18.0,
            off: 48.0,
            flat_from: 0.22,
            flat_to: 0.55,
        },
        sink: 0.032,
        bob: 0.018,
        highest: 0.33,
        sideways: 0.022,
        hip_yaw: 5.0,
        hip_roll: 2.5,
        lean: 3.0,
        chest_yaw: 6.0,
        arm: Arm { lower: 44.0, swing: 2.0, elbow: 20.0, roll: 8.0 },
        arm_swing: 22.0,
        elbow_swing: 10.0,
        curl: 20.0,
    };
    cycle(skeleton, "walk", 30, 36, &carriage, |name| match name {
        finger if is_finger(finger) => Keys::every(6, 36),
        "neck" | "head" | "clavicle_l" | "clavicle_r" => Keys::every(3, 36),
        _ => Keys::every(1, 36),
    })
}

/// 0.7 s at 60 Hz; fits ground that moves at 2.7 m/s, with both feet off the ground twice a cycle.
pub(super) fn run(skeleton: &Skeleton) -> Clip {
    let carriage = Carriage {
        gait: Gait {
            duty: 0.34,
            front: 0.17,
            back: -0.47,
            lift: 0.26,
            lift_skew: 0.72,
            strike: 8.0,
            off: 52.0,
            flat_from: 0.25,
            flat_to: 0.40,
        },
        sink: 0.043,
        bob: 0.030,
        highest: 0.42,
        sideways: 0.010,
        hip_yaw: 8.0,
        hip_roll: 3.0,
        lean: 10.0,
        chest_yaw: 10.0,
        arm: Arm { lower: 42.0, swing: -8.0, elbow: 88.0, roll: 0.0 },
        arm_swing: 38.0,
        elbow_swing: 14.0,
        curl: 45.0,
    };
    cycle(skeleton, "run", 60, 42, &carriage, |name| match name {
        finger if is_finger(finger) => Keys::every(7, 42),
        "neck" | "head" | "clavicle_l" | "clavicle_r" => Keys::every(3, 42),
        _ => Keys::every(1, 42),
    })
}

fn cycle(
    skeleton: &Skeleton,
    name: &'static str,
    rate: u32,
    last: u32,
    carriage: &Carriage,
    keys: impl Fn(&str) -> Keys,
) -> Clip {
    let pose = |frame: f64| carriage.pose(skeleton, frame / f64::from(last));
    sample(skeleton, &Motion { name, rate, last, pose: &pose, keys: &keys })
}

impl Carriage {
    /// The pose at a phase of the cycle; the left foot strikes at 0, the right at 0.5.
    fn pose<'a>(&self, skeleton: &'a Skeleton, phase: f64) -> Pose<'a> {
        let mut pose = Pose::bind(skeleton);
        let mid_stance = self.gait.duty * 0.5;
        // 1 while the left leg is foremost, 1 while the weight is on the left.
        let left_ahead = sway(phase, 0.0);
        let on_left = sway(phase, mid_stance);
        let height = self.bob * sway(2.0 * phase, 2.0 * self.highest) - self.sink;

        pose.shift("hips", DVec3::new(self.sideways * on_left, height, 0.0));
        pose.turn_in_model("hips", [self.lean * 0.4, -self.hip_yaw * left_ahead, self.hip_roll * on_left]);
        let counter = self.chest_yaw + self.hip_yaw;
        let nod = sway(2.0 * phase, 2.0 * self.highest - 0.2);
        bend_spine(&mut pose, [self.lean * 0.6 + nod, counter * left_ahead, -1.4 * self.hip_roll * on_left]);
        let level = [-self.lean - 1.5 * nod, -self.chest_yaw * left_ahead, 0.4 * self.hip_roll * on_left];
        turn_head(&mut pose, level);

        for side in Side::BOTH {
            // The arm goes with the other leg, and a little late.
            let ahead = -side.sign() * sway(phase, 0.03);
            pose.turn_in_model(&side.joint("clavicle"), [0.0, -4.0 * ahead, 1.5 * nod - 3.0]);
            let arm = Arm {
                swing: self.arm.swing + self.arm_swing * ahead,
                elbow: self.arm.elbow + self.elbow_swing * ahead,
                ..self.arm
            };
            hang(&mut pose, side, arm);
            let late = -side.sign() * sway(phase, 0.12);
            pose.turn(&side.joint("hand"), [5.0 * late, 0.0, 0.0]);
            curl(&mut pose, side, self.curl + 4.0 * late);

            let foot_phase = if side == Side::Left { phase } else { phase + 0.5 };
            pose.place_foot(side, self.gait.foot(foot_phase));
        }
        pose
    }
}
