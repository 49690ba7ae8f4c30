//! A pose under construction: turns laid over the bind pose, and legs solved to stand on the ground.

use glam::{DQuat, DVec3, EulerRot};

use super::skeleton::{Side, Skeleton, frame, mirror_turn};

/// Local transforms of all joints, starting from the bind pose.
pub(super) struct Pose<'a> {
    skeleton: &'a Skeleton,
    pub(super) rotations: Vec<DQuat>,
    pub(super) translations: Vec<DVec3>,
    pub(super) scales: Vec<f64>,
}

/// Where a foot should be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// Of the flat foot, from where it stands in the bind pose, metres.
    pub(super) offset: DVec3,
    /// Toes up is positive, degrees. The foot turns about its heel when positive, about its ball when negative.
    pub(super) pitch: f64,
    /// Of the toes against the ground, degrees.
    pub(super) toe_pitch: f64,
}

/// From the ankle to the heel's lowest point, about which a foot with raised toes turns.
const HEEL: DVec3 = DVec3::new(0.0, -0.09, -0.055);

impl<'a> Pose<'a> {
    pub(super) fn bind(skeleton: &'a Skeleton) -> Self {
        let joints = &skeleton.joints;
        Self {
            skeleton,
            rotations: joints.iter().map(|joint| joint.rotation).collect(),
            translations: joints.iter().map(|joint| joint.translation).collect(),
            scales: vec![1.0; joints.len()],
        }
    }

    /// Turns a joint about its own axes, inside what earlier calls did. `degrees` are about X, Y and Z, as
    /// the left side sees them.
    pub(super) fn turn(&mut self, name: &str, degrees: [f64; 3]) {
        let joint = self.skeleton.find(name);
        let turn = self.sided(joint, degrees);
        self.rotations[joint] *= turn;
    }

    /// Turns a joint about the model's axes as they lie when its parents are in the bind pose, inside what
    /// earlier calls did. Meant as the first turn of a joint: lean +X, look left +Y, tilt right +Z.
    pub(super) fn turn_in_model(&mut self, name: &str, degrees: [f64; 3]) {
        let joint = self.skeleton.find(name);
        let bind = self.skeleton.joints[joint].model_rotation;
        let turn = bind.inverse() * self.sided(joint, degrees) * bind;
        self.rotations[joint] *= turn;
    }

    fn sided(&self, joint: usize, degrees: [f64; 3]) -> DQuat {
        let [x, y, z] = degrees.map(f64::to_radians);
        let turn = DQuat::from_euler(EulerRot::YXZ, y, x, z);
        if self.skeleton.joints[joint].side == Some(Side::Right) { mirror_turn(turn) } else { turn }
    }

    /// Moves a joint from its bind position, along its parent's axes.
    pub(super) fn shift(&mut self, name: &str, by: DVec3) {
        self.translations[self.skeleton.find(name)] += by;
    }

    /// Scales a joint uniformly.
    pub(super) fn swell(&mut self, name: &str, by: f64) {
        self.scales[self.skeleton.find(name)] *= by;
    }

    /// Position and rotation in model space. Scale is left out: only a leaf is ever scaled.
    fn model(&self, joint: usize) -> (DVec3, DQuat) {
        match self.skeleton.joints[joint].parent {
            None => (self.translations[joint], self.rotations[joint]),
            Some(parent) => {
                let (position, rotation) = self.model(parent);
                (position + rotation * self.translations[joint], rotation * self.rotations[joint])
            }
        }
    }

    /// Bends the leg so that its foot is where `foot` says. A foot out of reach is a slip in a clip: it panics.
    ///
    /// The knee lies where two circles about hip and ankle meet, on the forward side (law of cosines).
    pub(super) fn place_foot(&mut self, side: Side, foot: Foot) {
        let skeleton = self.skeleton;
        let [thigh, shin, ankle, toes] =
            ["thigh", "shin", "foot", "toes"].map(|stem| skeleton.find(&side.joint(stem)));
        let bind =
            |joint: usize| (skeleton.joints[joint].model_position, skeleton.joints[joint].model_rotation);

        let tilt = DQuat::from_rotation_x(-foot.pitch.to_radians());
        let pivot = if foot.pitch > 0.0 { HEEL } else { bind(toes).0 - bind(ankle).0 };
        let target = bind(ankle).0 + foot.offset + pivot - tilt * pivot;

        let hips = self.skeleton.joints[thigh].parent.map_or(DQuat::IDENTITY, |hips| self.model(hips).1);
        let hip = self.model(thigh).0;
        let upper = skeleton.joints[shin].translation.length();
        let lower = skeleton.joints[ankle].translation.length();
        let reach = (target - hip).length();
        assert!(reach < upper + lower, "{side:?} foot out of reach: {reach} m, leg {} m", upper + lower);
        let toward = (target - hip).normalize();
        let ahead = DVec3::new(0.05 * side.sign(), 0.0, 1.0);
        let bulge = ahead.reject_from_normalized(toward).normalize();
        let along = (upper * upper + reach * reach - lower * lower) / (2.0 * reach);
        let knee = hip + toward * along + bulge * (upper * upper - along * along).sqrt();

        let thigh_turn = frame(knee - hip, ahead);
        let shin_turn = frame(hip + toward * reach - knee, ahead);
        let foot_turn = tilt * bind(ankle).1;
        let toe_turn = DQuat::from_rotation_x(-foot.toe_pitch.to_radians()) * bind(toes).1;
        self.rotations[thigh] = hips.inverse() * thigh_turn;
        self.rotations[shin] = thigh_turn.inverse() * shin_turn;
        self.rotations[ankle] = shin_turn.inverse() * foot_turn;
        self.rotations[toes] = foot_turn.inverse() * toe_turn;
    }
}
