//! The skeleton in its bind pose: an A-pose, facing +Z, Y up, metres.
//!
//! Every joint's Y axis runs along its bone, and its Z axis lies as near as it can to a reference
//! direction: forward for the trunk and the limbs, up for the feet, into the palm for the fingers. A
//! positive turn about a joint's own X axis then always swings the tip of the bone toward that direction.
//! Only the left side is written down. The right is its mirror image in the plane x = 0, so the same turns
//! move both sides alike once their Y and Z parts are negated.

use glam::{DMat3, DMat4, DQuat, DVec3};

use super::bones::{Bone, CENTRE, LEFT};
use super::rounding::{round_quat, round_vec};

/// One of the two sides of the body; left is +X.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// +1 on the left, -1 on the right: the sign of x.
    pub(super) fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The name of this side's joint: `hand` becomes `hand_l` or `hand_r`.
    pub(super) fn joint(self, stem: &str) -> String {
        match self {
            Self::Left => format!("{stem}_l"),
            Self::Right => format!("{stem}_r"),
        }
    }
}

/// A joint: its place in the hierarchy, and its bind pose relative to its parent and to the model.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) side: Option<Side>,
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) model_position: DVec3,
    pub(super) model_rotation: DQuat,
}

/// The joints, parents before children.
pub(super) struct Skeleton {
    pub(super) joints: Vec<Joint>,
}

impl Skeleton {
    /// Builds the bind pose. What the file will hold is rounded here, so that the inverse bind matrices
    /// invert what is written and not what was meant.
    pub(super) fn new() -> Self {
        let mut skeleton = Self { joints: Vec::new() };
        for bone in CENTRE {
            skeleton.push(bone, None);
        }
        for side in Side::BOTH {
            for bone in LEFT {
                skeleton.push(bone, Some(side));
            }
        }
        skeleton
    }

    fn push(&mut self, bone: &Bone, side: Option<Side>) {
        let parent = (!bone.parent.is_empty()).then(|| {
            let sided = side.map(|side| side.joint(bone.parent));
            let found = sided.and_then(|name| self.position(&name)).or_else(|| self.position(bone.parent));
            found.unwrap_or_else(|| panic!("joint {}: no parent named {}", bone.name, bone.parent))
        });
        let mut head = DVec3::from_array(bone.head);
        let mut turn = frame(DVec3::from_array(bone.direction), DVec3::from_array(bone.reference));
        if side == Some(Side::Right) {
            head = mirror_point(head);
            turn = mirror_turn(turn);
        }
        let (parent_position, parent_rotation) = parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |p| {
            (self.joints[p].model_position, self.joints[p].model_rotation)
        });
        let translation = round_vec(parent_rotation.inverse() * (head - parent_position));
        let rotation = round_quat(parent_rotation.inverse() * turn);
        self.joints.push(Joint {
            name: side.map_or_else(|| bone.name.to_owned(), |side| side.joint(bone.name)),
            parent,
            side,
            translation,
            rotation,
            model_position: parent_position + parent_rotation * translation,
            model_rotation: (parent_rotation * rotation).normalize(),
        });
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The index of a joint by name. A name that does not exist is a slip in the generator: it panics.
    pub(super) fn find(&self, name: &str) -> usize {
        self.position(name).unwrap_or_else(|| panic!("no joint named {name}"))
    }

    /// The joint on the other side of the body; a joint of the trunk is its own.
    pub(super) fn mirrored(&self, joint: usize) -> usize {
        let name = &self.joints[joint].name;
        if let Some(stem) = name.strip_suffix("_l") {
            self.find(&Side::Right.joint(stem))
        } else if let Some(stem) = name.strip_suffix("_r") {
            self.find(&Side::Left.joint(stem))
        } else {
            joint
        }
    }

    /// The inverse of the joint's bind matrix in model space.
    pub(super) fn inverse_bind(&self, joint: usize) -> DMat4 {
        let local = |joint: &Joint| DMat4::from_rotation_translation(joint.rotation, joint.translation);
        let mut model = local(&self.joints[joint]);
        let mut above = self.joints[joint].parent;
        while let Some(parent) = above {
            model = local(&self.joints[parent]) * model;
            above = self.joints[parent].parent;
        }
        model.inverse()
    }
}

/// The rotation whose Y axis is `direction` and whose Z axis lies as near to `reference` as it can.
pub(super) fn frame(direction: DVec3, reference: DVec3) -> DQuat {
    let y = direction.normalize();
    let z = reference.reject_from_normalized(y).normalize();
    let turn = DQuat::from_mat3(&DMat3::from_cols(y.cross(z), y, z)).normalize();
    if turn.w < 0.0 { -turn } else { turn }
}

fn mirror_point(point: DVec3) -> DVec3 {
    DVec3::new(-point.x, point.y, point.z)
}

/// The rotation as seen in a mirror in the plane x = 0: `M R M` with `M = diag(-1, 1, 1)`.
pub(super) fn mirror_turn(turn: DQuat) -> DQuat {
    DQuat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}
