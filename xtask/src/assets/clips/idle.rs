//! `idle`: four seconds of standing, breathing and shifting weight. The head looks about on a cubic track.

use glam::DVec3;

use super::limbs::{Arm, bend_spine, curl, hang, is_finger, turn_head};
use super::sample::{Clip, Interpolation, Keys, Motion, sample};
use crate::assets::gait::sway;
use crate::assets::pose::{Foot, Pose};
use crate::assets::skeleton::{Side, Skeleton};

const LAST: u32 = 96;

/// How an arm hangs at rest.
pub(super) const AT_EASE: Arm = Arm { lower: 43.0, swing: 3.0, elbow: 12.0, roll: 12.0 };
/// How far the fingers curl at rest.
pub(super) const LOOSE: f64 = 18.0;

/// 4 s at 24 Hz.
pub(super) fn idle(skeleton: &Skeleton) -> Clip {
    let pose = |frame: f64| standing(skeleton, frame / f64::from(LAST));
    let keys = |name: &str| match name {
        "head" => Keys { frames: (0..=8).map(|key| key * 12).collect(), interpolation: Interpolation::Cubic },
        "neck" | "ribs" => Keys::every(4, LAST),
        finger if is_finger(finger) => Keys::every(16, LAST),
        _ => Keys::every(1, LAST),
    };
    sample(skeleton, &Motion { name: "idle", rate: 24, last: LAST, pose: &pose, keys: &keys })
}

/// The pose at a phase of the clip: one breath, one shift of weight to the left and back.
fn standing(skeleton: &Skeleton, phase: f64) -> Pose<'_> {
    let mut pose = Pose::bind(skeleton);
    let breath = sway(phase, 0.4);
    let on_left = sway(phase, 0.25);
    let drift = sway(2.0 * phase, 0.3);

    pose.shift("hips", DVec3::new(0.016 * on_left, -0.006 + 0.002 * breath, -0.004 * drift));
    pose.turn_in_model("hips", [1.0, 1.5 * on_left, 1.6 * on_left]);
    bend_spine(&mut pose, [1.0 - 1.2 * breath, -on_left, -2.4 * on_left]);
    pose.swell("ribs", 1.008 + 0.012 * breath);
    turn_head(&mut pose, [-1.0 + 1.2 * breath + 1.5 * drift, 9.0 * sway(phase, 0.6) + 4.0 * drift, on_left]);

    for side in Side::BOTH {
        let outward = side.sign() * on_left;
        pose.turn_in_model(&side.joint("clavicle"), [0.0, 0.0, 1.5 * breath - 3.5]);
        let arm = Arm {
            lower: AT_EASE.lower - 1.2 * breath + 1.5 * outward,
            swing: AT_EASE.swing + 1.5 * drift,
            elbow: AT_EASE.elbow + 1.5 * breath,
            ..AT_EASE
        };
        hang(&mut pose, side, arm);
        curl(&mut pose, side, LOOSE + 2.5 * sway(phase, 0.35 + 0.1 * side.sign()));
        pose.place_foot(side, Foot { offset: DVec3::ZERO, pitch: 0.0, toe_pitch: 0.0 });
    }
    pose
}
