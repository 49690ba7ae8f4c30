//! From local poses to model space, one character at a time: the plain form, for tools, bakes and tests.

use std::ops::Mul;

use glam::{Affine3A, DAffine3, Vec3A};

use crate::{DTransform, Skeleton, Transform};

/// `model[j] = model[parent] * local[j]` for every joint; roots stand in the space of the scene.
///
/// ```
/// # use throng_tracks::{Joint, JointIndex, Rest, Skeleton, Transform, model_matrices};
/// # let up = Transform { translation: [0.0, 1.0, 0.0].into(), ..Transform::IDENTITY };
/// # let joint = |parent| Joint { name: String::new(), parent, rest: Rest::Trs(up) };
/// let skeleton = Skeleton::new([joint(None), joint(Some(JointIndex(0)))])?;
/// let mut model = [Default::default(); 2];
/// model_matrices(&skeleton, skeleton.rest(), &mut model);
/// assert_eq!(model[1].translation.y, 2.0);
/// # Ok::<(), throng_tracks::SkeletonError>(())
/// ```
///
/// # Panics
/// If `pose` or `model` is shorter than the skeleton.
pub fn model_matrices(skeleton: &Skeleton, pose: &[Transform], model: &mut [Affine3A]) {
    to_model(skeleton, model, |j| pose[j].to_affine(), |&fixed| fixed);
}

/// [`model_matrices`] in f64.
///
/// # Panics
/// If `pose` or `model` is shorter than the skeleton.
pub fn model_matrices_f64(skeleton: &Skeleton, pose: &[DTransform], model: &mut [DAffine3]) {
    to_model(skeleton, model, |j| pose[j].to_affine(), Affine3A::as_daffine3);
}

fn to_model<M: Copy + Mul<Output = M>>(
    skeleton: &Skeleton,
    model: &mut [M],
    posed: impl Fn(usize) -> M,
    fixed: impl Fn(&Affine3A) -> M,
) {
    let mut matrices = skeleton.fixed_matrices().iter().peekable();
    for (j, parent) in skeleton.parents().iter().enumerate() {
        let local = match matrices.next_if(|m| m.0.get() == j) {
            Some((_, matrix)) => fixed(matrix),
            None => posed(j),
        };
        model[j] = parent.map_or(local, |p| model[p.get()] * local);
    }
}

/// The largest side of the box around the joints' origins, in the asset's unit.
#[must_use]
pub fn extent(model: &[Affine3A]) -> f32 {
    let origins = || model.iter().map(|m| m.translation);
    let low = origins().fold(Vec3A::INFINITY, Vec3A::min);
    let high = origins().fold(Vec3A::NEG_INFINITY, Vec3A::max);
    if model.is_empty() { 0.0 } else { (high - low).max_element() }
}

/// The largest coordinate of any joint's origin, without its sign, in the asset's unit.
#[must_use]
pub fn largest_coordinate(model: &[Affine3A]) -> f32 {
    model.iter().map(|m| m.translation.abs().max_element()).fold(0.0, f32::max)
}
