//! Reference poses: each joint's frame in model space while the skeleton is symmetric.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::plane::{Plane, extent, fitted};
use super::sides::Sides;
use super::{MirrorAxis, MirrorError, MirrorOptions, MirrorReference};
use crate::tools::rebuild::moved;
use crate::{DTransform, JointIndex, Skeleton, Skin, Transform};

/// A pose is symmetric while pairs are this near to each other's images, as a fraction of the size.
const SYMMETRIC: f64 = 0.01;
/// A bind pose whose joints lie within this fraction of the skeleton's size is none: matrices are missing.
const COLLAPSED: f64 = 1e-3;

/// A pose, and the plane about which it is nearest to symmetric.
pub(super) struct Reference {
    pub(super) source: MirrorReference,
    /// Joint to model space.
    pub(super) frames: Vec<DAffine3>,
    /// By joint: whether the pose is one that shows how the skeleton is built. The others are at rest, and that may be any
    /// pose.
    pub(super) known: Vec<bool>,
    pub(super) plane: Plane,
    /// How far a joint is from the image of its partner, at most.
    pub(super) worst: f64,
    /// The largest side of the box around the joints.
    pub(super) size: f64,
}

/// The poses worth trying: one that is symmetric and no others, or the others besides rest if none is.
pub(super) fn references(
    skeleton: &Skeleton,
    sides: &Sides,
    options: &MirrorOptions<'_>,
) -> Result<(Vec<Reference>, Reference), MirrorError> {
    let axis = options.plane.map(|plane| plane.axis);
    let all = vec![true; skeleton.joint_count()];
    if let Some((clip, time_s)) = options.reference {
        drop(moved(clip, skeleton)?);
        let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
        clip.sample_on_rest(skeleton, time_s, &mut pose);
        let named = reference(MirrorReference::Named, frames(skeleton, &pose), all, sides, axis);
        return Ok((Vec::new(), named));
    }
    let rest = rest_frames(skeleton);
    let symmetric = |pose: &Reference| pose.worst <= SYMMETRIC * pose.size;
    let mut others = Vec::new();
    if let Some((bind, known)) = bind_frames(skeleton, &rest, options.skins)? {
        let shows_a_pair = |(a, b): &(JointIndex, JointIndex)| known[a.get()] && known[b.get()];
        if sides.pairs.is_empty() || sides.pairs.iter().any(shows_a_pair) {
            let bind = reference(MirrorReference::Bind, bind, known, sides, axis);
            if symmetric(&bind) {
                return Ok((others, bind));
            }
            others.push(bind);
        }
    }
    let rest = reference(MirrorReference::Rest, rest, all, sides, axis);
    if symmetric(&rest) {
        others.clear();
    }
    Ok((others, rest))
}

fn reference(
    source: MirrorReference,
    frames: Vec<DAffine3>,
    known: Vec<bool>,
    sides: &Sides,
    axis: Option<MirrorAxis>,
) -> Reference {
    let (plane, worst) = fitted(&frames, &known, sides, axis);
    let size = extent(&frames);
    Reference { source, frames, known, plane, worst, size }
}

/// The model space frames of a pose. A scale of 0, which has no inverse, counts as 1.
fn frames(skeleton: &Skeleton, pose: &[DTransform]) -> Vec<DAffine3> {
    let mut frames: Vec<DAffine3> = Vec::with_capacity(pose.len());
    for joint in skeleton.joints() {
        let local = match skeleton.fixed_matrix(joint) {
            Some(matrix) if has_inverse(&matrix.as_daffine3()) => matrix.as_daffine3(),
            Some(matrix) => DAffine3::from_translation(matrix.as_daffine3().translation),
            None => {
                let at = &pose[joint.get()];
                let scale =
                    DVec3::from_array(at.scale.to_array().map(|s| if s.abs() < 1e-9 { 1.0 } else { s }));
                DTransform { scale, ..*at }.to_affine()
            }
        };
        frames.push(skeleton.parents()[joint.get()].map_or(local, |parent| frames[parent.get()] * local));
    }
    frames
}

pub(super) fn rest_frames(skeleton: &Skeleton) -> Vec<DAffine3> {
    let rest: Vec<DTransform> = skeleton.rest().iter().map(Transform::as_dtransform).collect();
    frames(skeleton, &rest)
}

fn has_inverse(matrix: &DAffine3) -> bool {
    let size: f64 = matrix.matrix3.to_cols_array().iter().map(|v| v.abs()).fold(0.0, f64::max);
    matrix.matrix3.determinant().abs() > 1e-12 * size.powi(3)
}

/// The model matrix of each joint in the bind pose, and whether a skin has the joint.
type BindFrames = (Vec<DAffine3>, Vec<bool>);

/// The bind pose of the skins, and which joints they have; none without a usable inverse bind matrix. A joint of no skin
/// follows its parent as it does at rest.
fn bind_frames(
    skeleton: &Skeleton,
    rest: &[DAffine3],
    skins: &[Skin],
) -> Result<Option<BindFrames>, MirrorError> {
    let count = skeleton.joint_count();
    let mut bound: Vec<Option<DAffine3>> = vec![None; count];
    for skin in skins {
        let mut binds: Vec<(JointIndex, DAffine3)> = Vec::with_capacity(skin.joints().len());
        for (&joint, inverse) in skin.joints().iter().zip(skin.inverse_bind()) {
            if joint.get() >= count {
                return Err(MirrorError::NoSuchJoint { joint, count });
            }
            let inverse = inverse.as_daffine3();
            if has_inverse(&inverse) {
                binds.push((joint, inverse.inverse()));
            }
        }
        let Some(&(top, bind)) = binds.iter().min_by_key(|(joint, _)| *joint) else { continue };
        let origins: Vec<DAffine3> = binds.iter().map(|(_, bind)| *bind).collect();
        let placed: Vec<DAffine3> = binds.iter().map(|(joint, _)| rest[joint.get()]).collect();
        let to_model = to_model(skeleton, rest, top, bind);
        let scale = to_model.matrix3.determinant().abs().cbrt();
        if scale * extent(&origins) <= COLLAPSED * extent(&placed) {
            continue;
        }
        for (joint, bind) in binds {
            bound[joint.get()].get_or_insert(to_model * bind);
        }
    }
    if bound.iter().all(Option::is_none) {
        return Ok(None);
    }
    let known = bound.iter().map(Option::is_some).collect();
    let mut frames: Vec<DAffine3> = Vec::with_capacity(count);
    for (joint, bind) in bound.into_iter().enumerate() {
        let parent = skeleton.parents()[joint].map(JointIndex::get);
        let follows = |parent: usize| frames[parent] * (rest[parent].inverse() * rest[joint]);
        frames.push(bind.unwrap_or_else(|| parent.map_or(rest[joint], follows)));
    }
    Ok(Some((frames, known)))
}

/// From the space of inverse bind matrices to model space. The rest pose need not be the bind pose: if the skin's `top`
/// joint is about where it would be with the matrices in model space, or in the space of one of its ancestors, they are.
fn to_model(skeleton: &Skeleton, rest: &[DAffine3], top: JointIndex, bind: DAffine3) -> DAffine3 {
    let exact = rest[top.get()] * bind.inverse();
    let size = extent(rest);
    let mut spaces = vec![DAffine3::IDENTITY];
    let mut above = skeleton.parents()[top.get()];
    while let Some(joint) = above {
        spaces.push(rest[joint.get()]);
        above = skeleton.parents()[joint.get()];
    }
    let unlike = |space: &DAffine3| {
        let between = space.inverse() * exact;
        let scale = between.matrix3.determinant().cbrt();
        let turn = DQuat::from_mat3(&(between.matrix3 * (1.0 / scale))).normalize();
        let shift = (space.matrix3 * between.translation).length() / size.max(f64::MIN_POSITIVE);
        let angle = 2.0 * turn.w.abs().min(1.0).acos();
        let like = (scale - 1.0).abs() < 1e-2 && angle < std::f64::consts::FRAC_PI_4 && shift < 0.5;
        like.then_some(angle + shift)
    };
    let likely = spaces.iter().filter_map(|space| Some((space, unlike(space)?)));
    likely.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(exact, |(space, _)| *space)
}

/// The matrix from a joint's frame to its parent's in a pose: what of it is linear.
pub(super) fn local_linear(frames: &[DAffine3], skeleton: &Skeleton, joint: JointIndex) -> DMat3 {
    let own = frames[joint.get()].matrix3;
    skeleton.parents()[joint.get()].map_or(own, |parent| frames[parent.get()].matrix3.inverse() * own)
}
