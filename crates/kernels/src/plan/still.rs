//! The same palettes with fewer joints that move, over the same rows.

use glam::{Affine3A, Mat3A, Vec3A};
use throng_tracks::{JointIndex, Skin};

use super::{Both, Plan, PlanError, PlanOptions, Programs};

impl Plan {
    /// A plan of the same palettes in which `joints`, and all below them, stand still: each rests relative to its parent and
    /// follows that, whatever clips say. Their entries cost a product with a constant at most, and rows are not read for them.
    ///
    /// All other entries have the same bits as before. The rows are shared, not copied, so that such plans for
    /// instances far away take next to no memory.
    ///
    /// # Errors
    /// If one of them is no joint of the bank's skeleton.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_kernels::{Level, PaletteJob, Plan, Scratch, palettes};
    /// use throng_tracks::*;
    /// # let joint = |parent| Joint { name: String::new(), parent, rest: Rest::Trs(Transform::IDENTITY) };
    /// # let skeleton = Skeleton::new([joint(None), joint(Some(JointIndex(0)))])?;
    /// # let slide = || Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide()?), (JointIndex(1), slide()?)])?;
    /// let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let plan = Plan::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let far = plan.with_still(&[JointIndex(1)])?;
    /// let (pairs, mut out) = ([plan.bank().locate(0, 0.5)], vec![0.0; 2 * 12]);
    /// let mut show = |plan| {
    ///     palettes(Level::detect(), PaletteJob::new(plan, &pairs, &[0], &mut out).unwrap(), &mut Scratch::new(plan));
    ///     [out[3], out[12 + 3]]
    /// };
    /// assert_eq!((show(&plan), show(&far)), ([2.0, 4.0], [2.0, 2.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_still(&self, joints: &[JointIndex]) -> Result<Self, PlanError> {
        let skeleton = self.bank.skeleton();
        let count = skeleton.joint_count();
        let mut still = vec![false; count];
        for (place, &joint) in joints.iter().enumerate() {
            *still.get_mut(joint.get()).ok_or(PlanError::NoSuchStill { place, joint, count })? = true;
        }
        for (joint, parent) in skeleton.parents().iter().enumerate() {
            still[joint] |= parent.is_some_and(|parent| still[parent.get()]);
        }
        let skin = self.skin();
        let options =
            PlanOptions { sockets: &self.sockets, spheres: &self.spheres, ..PlanOptions::default() };
        let both = Both::new(&self.bank, &skin, &options, &still);
        let Programs { single, layered, similar } =
            both.into_programs(&self.bank, &skin, &options, &self.groups);
        Ok(Self { single, layered, similar, ..self.clone() })
    }

    /// What it was made of, but for the name.
    fn skin(&self) -> Skin {
        let joints = self.skin.iter().map(|(joint, _)| JointIndex(*joint)).collect();
        let binds = self.skin.iter().map(|(_, rows)| affine(rows)).collect();
        Skin::new("", self.bank.skeleton(), joints, Some(binds))
            .expect("a plan's entries are joints, and their matrices finite")
    }
}

/// The matrix of three rows.
fn affine(rows: &[f32; 12]) -> Affine3A {
    let column = |c: usize| Vec3A::new(rows[c], rows[4 + c], rows[8 + c]);
    Affine3A { matrix3: Mat3A::from_cols(column(0), column(1), column(2)), translation: column(3) }
}
