//! What [`mirror`](super::mirror) found and measured.

use super::MirrorPlane;
use crate::{JointIndex, Skeleton};

/// The pose whose frames joints were mirrored through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MirrorReference {
    /// The bind pose of the skins.
    Bind,
    /// The rest pose of the skeleton.
    Rest,
    /// The pose that the caller named.
    Named,
    /// No pose: frames in which the offsets of joints from their parents are symmetric.
    Offsets,
}

impl MirrorReference {
    /// A few words for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bind => "the bind pose",
            Self::Rest => "the rest pose",
            Self::Named => "the named pose",
            Self::Offsets => "the bone offsets",
        }
    }
}

/// How far a joint of a mirrored clip is from the reflection of the joint that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorDistance {
    /// In the asset's unit.
    pub distance: f64,
    /// The joint, in the mirrored clip.
    pub joint: JointIndex,
    /// Its partner, in the source.
    pub partner: JointIndex,
    /// When, in seconds.
    pub time_s: f32,
}

/// What [`mirror`](super::mirror) found and measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MirrorReport {
    /// The plane that the motion was reflected in.
    pub plane: MirrorPlane,
    /// Where the joints' frames are from.
    pub reference: MirrorReference,
    /// The pairs, each once, sorted.
    pub pairs: Vec<(JointIndex, JointIndex)>,
    /// Joints under one side that have no partner: they keep their own motion and follow their parent's reflection.
    pub one_sided: Vec<JointIndex>,
    /// Joints in no pair, below none, that are off the plane in the reference pose: they stay on their side of their parent.
    pub off_plane: Vec<JointIndex>,
    /// Joints that are called left or right and have no partner.
    pub unpaired_names: Vec<JointIndex>,
    /// The largest distance between a joint and the reflection of its partner: at every key, half way between keys, for
    /// every pair and for every joint on the plane. Of a clip without pairs, for every joint.
    pub largest: MirrorDistance,
    /// The largest side of the box around the joints in the reference pose, in the asset's unit.
    pub size: f64,
}

impl MirrorReport {
    /// The largest distance as a fraction of the size.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        if self.largest.distance == 0.0 { 0.0 } else { self.largest.distance / self.size }
    }

    /// A line of text for each thing worth knowing, with the names of the joints.
    #[must_use]
    pub fn lines(&self, skeleton: &Skeleton) -> Vec<String> {
        let mut lines = Vec::new();
        if self.pairs.is_empty() {
            lines.push(
                "no two joints are left and right of each other by their names; each is mirrored where it is"
                    .to_owned(),
            );
        }
        let MirrorDistance { distance, joint, partner, time_s } = self.largest;
        lines.push(format!(
            "in the plane {}, {} pairs, through {}: joints are at most {distance:.3e} ({:.2e} of the size {:.4}) from the \
             reflections of their partners, joint {joint} {:?} from that of joint {partner} at {time_s} s",
            self.plane,
            self.pairs.len(),
            self.reference.name(),
            self.fraction(),
            self.size,
            skeleton.name(joint),
        ));
        let lists = [
            (&self.one_sided, "under one side, without a partner: follow the reflection of their parent"),
            (&self.off_plane, "in no pair and off the plane: stay on their side of their parent"),
            (&self.unpaired_names, "called left or right, without a partner"),
        ];
        for (joints, what) in lists {
            if !joints.is_empty() {
                let named: Vec<String> =
                    joints.iter().map(|&joint| format!("{joint} {:?}", skeleton.name(joint))).collect();
                lines.push(format!("{} joints {what}: {}", joints.len(), named.join(", ")));
            }
        }
        lines
    }
}
