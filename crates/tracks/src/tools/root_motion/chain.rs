//! A joint and those above it, as a clip moves them.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::{BoundTrack, Channel, Clip, DTransform, JointIndex, Skeleton, Track};

/// How far axes may differ in length, and from right angles, to count as turned and scaled alone: rotations in files have
/// five digits.
const SHEAR: f64 = 1e-4;

/// One joint: its rest, and the tracks of its pose.
struct Link {
    rest: Result<DTransform, DAffine3>,
    tracks: Vec<Track>,
}

impl Link {
    fn new(clip: &Clip, skeleton: &Skeleton, joint: JointIndex) -> Self {
        let rest = match skeleton.fixed_matrix(joint) {
            Some(matrix) => Err(matrix.as_daffine3()),
            None => Ok(skeleton.rest()[joint.get()].as_dtransform()),
        };
        let of_joint = clip.tracks().iter().filter(|bound| bound.joint() == joint);
        let in_pose = of_joint.map(BoundTrack::track).filter(|track| track.channel().is_in_pose());
        Self { rest, tracks: in_pose.cloned().collect() }
    }

    fn local(&self, t: f32) -> Result<DTransform, DAffine3> {
        let mut local = self.rest?;
        for track in &self.tracks {
            let place = track.place(t);
            match track.channel() {
                Channel::Translation => local.translation = track.vector_at(place),
                Channel::Rotation => local.rotation = track.rotation_at(place),
                _ => local.scale = track.vector_at(place),
            }
        }
        Ok(local)
    }
}

/// A joint, and those above it from the root on.
pub(super) struct Chain {
    above: Vec<Link>,
    joint: Link,
}

/// Where the joint is at some time.
#[derive(Clone, Copy)]
pub(super) struct Stand {
    /// Of the joints above it, in model space.
    pub(super) parent: DAffine3,
    pub(super) local: DTransform,
}

impl Chain {
    pub(super) fn new(clip: &Clip, skeleton: &Skeleton, joint: JointIndex) -> Self {
        let mut above: Vec<Link> = std::iter::successors(Some(joint), |j| skeleton.parents()[j.get()])
            .skip(1)
            .map(|joint| Link::new(clip, skeleton, joint))
            .collect();
        above.reverse();
        Self { above, joint: Link::new(clip, skeleton, joint) }
    }

    /// The tracks that move the joint or one above it.
    pub(super) fn tracks(&self) -> impl Iterator<Item = &Track> {
        self.above.iter().chain([&self.joint]).flat_map(|link| &link.tracks)
    }

    pub(super) fn at(&self, t: f32) -> Stand {
        let t = t.max(0.0);
        self.stand(|link| link.local(t))
    }

    pub(super) fn rest(&self) -> Stand {
        self.stand(|link| link.rest)
    }

    fn stand(&self, local: impl Fn(&Link) -> Result<DTransform, DAffine3>) -> Stand {
        let parent = self.above.iter().fold(DAffine3::IDENTITY, |parent, link| {
            parent * local(link).map_or_else(|fixed| fixed, |local| local.to_affine())
        });
        // That the joint itself is not a fixed one was checked.
        Stand { parent, local: local(&self.joint).unwrap_or_default() }
    }
}

impl Stand {
    /// Where the joint is in model space.
    pub(super) fn place(&self) -> DVec3 {
        self.parent.transform_point3(self.local.translation)
    }

    /// How the joints above turn it: orthogonal axes of unit length, of which mirrored ones are left-handed. None if they shear.
    pub(super) fn parent_axes(&self) -> Option<DMat3> {
        let axes = self.parent.matrix3;
        let size = axes.determinant().abs().cbrt();
        let axes = axes * (1.0 / size);
        let off = axes.transpose() * axes - DMat3::IDENTITY;
        // Not above, so that NaN is no.
        let square = off.to_cols_array().into_iter().all(|v| v.abs() <= SHEAR);
        square.then_some(axes)
    }

    /// Whether the joints above scale it to nothing, or beyond all numbers.
    pub(super) fn is_flat(&self) -> bool {
        !self.parent.matrix3.inverse().is_finite()
    }

    /// How the joint is turned in model space; as mirrored as those above it.
    pub(super) fn axes(&self) -> Option<DMat3> {
        Some(self.parent_axes()? * DMat3::from_quat(self.local.rotation))
    }

    /// The local translation with which the joint is at a place of model space.
    pub(super) fn translation_at(&self, place: DVec3) -> DVec3 {
        self.parent.inverse().transform_point3(place)
    }

    /// The local rotation once model space is turned by `turn`, about `axis`.
    pub(super) fn turned(&self, axis: DVec3, [v, w]: [f64; 2]) -> DQuat {
        let Some(axes) = self.parent_axes() else { return self.local.rotation };
        // A mirror turns turns round.
        let axis = axes.transpose() * axis * axes.determinant().signum();
        DQuat::from_vec4((axis.normalize() * v).extend(w)) * self.local.rotation
    }
}
