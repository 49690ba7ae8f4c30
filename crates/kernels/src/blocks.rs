//! Poses and model matrices of sixteen instances at a time, between the stages.
//!
//! A block holds one joint of [`BLOCK`] instances, a line for each number, whatever the level: the same memory serves
//! all lane counts.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use throng_tracks::{JointIndex, Transform};

use crate::isa::{BLOCK, Line};

/// Local transforms of one joint: translation `xyz`, rotation `xyzw`, scale `xyz`.
pub type PoseBlock = [Line; 10];

/// Model matrices of one joint: three rows of four.
pub type ModelBlock = [Line; 12];

/// Quaternions, `xyzw`.
pub type QuatBlock = [Line; 4];

/// Blocks for `joints` joints of any number of instances, joint after joint, sixteen instances after sixteen.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks<const NUMBERS: usize> {
    joints: usize,
    instances: usize,
    blocks: Vec<[Line; NUMBERS]>,
}

/// Local poses of many instances.
pub type PoseBlocks = Blocks<10>;

/// Model matrices of many instances.
pub type ModelBlocks = Blocks<12>;

impl<const NUMBERS: usize> Blocks<NUMBERS> {
    /// Zeros for `instances` of `joints` joints each: 64 bytes a number, for each sixteen instances begun.
    ///
    /// # Panics
    /// If that comes to more bytes than can be addressed.
    #[must_use]
    pub fn new(joints: usize, instances: usize) -> Self {
        let bytes = joints.checked_mul(instances.div_ceil(BLOCK)).filter(|count| {
            count.checked_mul(size_of::<[Line; NUMBERS]>()).is_some_and(|b| isize::try_from(b).is_ok())
        });
        let Some(count) = bytes else {
            panic!("{instances} instances of {joints} joints take more bytes than can be addressed");
        };
        let blocks = vec![[Line::ZERO; NUMBERS]; count];
        Self { joints, instances, blocks }
    }

    /// How many joints each instance has.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// How many instances there are.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.instances
    }

    /// The blocks of each sixteen instances: one a joint. The last group may be part empty.
    pub fn groups(&self) -> impl Iterator<Item = &[[Line; NUMBERS]]> {
        self.blocks.chunks(self.joints.max(1))
    }

    pub(crate) fn groups_mut(&mut self) -> impl Iterator<Item = &mut [[Line; NUMBERS]]> {
        self.blocks.chunks_mut(self.joints.max(1))
    }

    fn numbers(&self, instance: usize, joint: JointIndex) -> [f32; NUMBERS] {
        assert!(instance < self.instances, "instance {instance} of {}", self.instances);
        assert!(joint.get() < self.joints, "joint {joint} of {}", self.joints);
        let block = &self.blocks[instance / BLOCK * self.joints + joint.get()];
        std::array::from_fn(|i| block[i].0[instance % BLOCK])
    }
}

impl PoseBlocks {
    /// One joint of one instance.
    ///
    /// # Panics
    /// If there is no such instance or joint.
    #[must_use]
    pub fn transform(&self, instance: usize, joint: JointIndex) -> Transform {
        let [tx, ty, tz, x, y, z, w, sx, sy, sz] = self.numbers(instance, joint);
        let (translation, scale) = (Vec3::new(tx, ty, tz), Vec3::new(sx, sy, sz));
        Transform { translation, rotation: Quat::from_xyzw(x, y, z, w), scale }
    }
}

impl ModelBlocks {
    /// One joint of one instance.
    ///
    /// # Panics
    /// If there is no such instance or joint.
    #[must_use]
    pub fn matrix(&self, instance: usize, joint: JointIndex) -> Affine3A {
        let m = self.numbers(instance, joint);
        let column = |c: usize| Vec3A::new(m[c], m[4 + c], m[8 + c]);
        Affine3A { matrix3: Mat3A::from_cols(column(0), column(1), column(2)), translation: column(3) }
    }
}
