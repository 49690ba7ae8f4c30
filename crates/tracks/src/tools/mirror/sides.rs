//! Each joint's partner, and which joints carry both sides.

use std::collections::HashSet;

use super::pairs::pairs_besides;
use super::{MirrorError, MirrorOptions};
use crate::{JointIndex, Skeleton};

type Pair = (JointIndex, JointIndex);

/// Which joint shows which in the mirror.
pub(super) struct Sides {
    /// By joint: its partner; itself for a joint in the middle; none for a joint under one side that has no partner.
    pub(super) partner: Vec<Option<JointIndex>>,
    /// The pairs of two joints, sorted.
    pub(super) pairs: Vec<Pair>,
    /// Pairs by name that hang on joints which are no pair, and so are none.
    pub(super) apart: Vec<Pair>,
    /// By joint: whether it is in the middle and has a pair below it.
    pub(super) carries: Vec<bool>,
    /// The lowest joint above all pairs.
    pub(super) body: Option<JointIndex>,
    /// By joint: whether it is neither `body` nor below it. Without `body` no joint is.
    pub(super) outer: Vec<bool>,
}

impl Sides {
    pub(super) fn new(skeleton: &Skeleton, options: &MirrorOptions<'_>) -> Result<Self, MirrorError> {
        let given = checked(skeleton, &options.pairs)?;
        let named = if options.pairs_by_name { pairs_besides(skeleton, &given) } else { Vec::new() };
        let mut pairs: Vec<Pair> = named;
        pairs.extend(given.iter().filter(|(a, b)| a != b));
        pairs.sort_unstable();
        let mut apart = Vec::new();
        let partner = loop {
            let partner = partners(skeleton, &pairs);
            let parent = |joint: JointIndex| skeleton.parents()[joint.get()];
            let hangs = |&(a, b): &Pair| parent(a).map(|p| partner[p.get()]) == parent(b).map(Some);
            let (kept, lost): (Vec<Pair>, Vec<Pair>) = pairs.iter().copied().partition(hangs);
            if let Some(&(a, b)) = lost.iter().find(|pair| given.contains(pair)) {
                return Err(parents_error(skeleton, a, b));
            }
            if lost.is_empty() {
                break partner;
            }
            // Two joints on one thing that has no partner, such as the ends of a bow, are no sides.
            apart.extend(lost.into_iter().filter(|&(a, b)| parent(a) != parent(b)));
            pairs = kept;
        };
        apart.sort_unstable();
        let (carries, body) = above_pairs(skeleton, &partner, &pairs);
        let mut outer: Vec<bool> = Vec::with_capacity(partner.len());
        for joint in skeleton.joints() {
            let below = skeleton.parents()[joint.get()].is_some_and(|p| !outer[p.get()]);
            outer.push(body.is_some_and(|body| body != joint && !below));
        }
        Ok(Self { partner, pairs, apart, carries, body, outer })
    }

    pub(super) fn is_middle(&self, joint: JointIndex) -> bool {
        self.partner[joint.get()] == Some(joint)
    }
}

/// The given pairs, if each joint is there and in one of them, the lower joint of each in front.
fn checked(skeleton: &Skeleton, given: &[Pair]) -> Result<Vec<Pair>, MirrorError> {
    let count = skeleton.joint_count();
    let mut seen = HashSet::new();
    for &(a, b) in given {
        for joint in if a == b { vec![a] } else { vec![a, b] } {
            if joint.get() >= count {
                return Err(MirrorError::NoSuchJoint { joint, count });
            }
            if !seen.insert(joint) {
                return Err(MirrorError::Repeated { joint, name: skeleton.name(joint).to_owned() });
            }
        }
    }
    Ok(given.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect())
}

/// Each joint's partner, if all of these are pairs.
fn partners(skeleton: &Skeleton, pairs: &[Pair]) -> Vec<Option<JointIndex>> {
    let mut partner: Vec<Option<JointIndex>> = vec![None; skeleton.joint_count()];
    for &(a, b) in pairs {
        (partner[a.get()], partner[b.get()]) = (Some(b), Some(a));
    }
    for joint in skeleton.joints() {
        let in_the_middle = skeleton.parents()[joint.get()].is_none_or(|p| partner[p.get()] == Some(p));
        if partner[joint.get()].is_none() && in_the_middle {
            partner[joint.get()] = Some(joint);
        }
    }
    partner
}

/// Which joints in the middle are above a pair, and the lowest that is above all.
fn above_pairs(
    skeleton: &Skeleton,
    partner: &[Option<JointIndex>],
    pairs: &[Pair],
) -> (Vec<bool>, Option<JointIndex>) {
    let mut below = vec![0usize; partner.len()];
    for &(a, b) in pairs {
        below[a.get()] += 1;
        below[b.get()] += 1;
    }
    for joint in backwards(skeleton) {
        if let Some(parent) = skeleton.parents()[joint.get()] {
            below[parent.get()] += below[joint.get()];
        }
    }
    let all = 2 * pairs.len();
    let middle = |joint: JointIndex| partner[joint.get()] == Some(joint);
    let carries = skeleton.joints().map(|joint| middle(joint) && below[joint.get()] > 0).collect();
    let body = backwards(skeleton).find(|&joint| all > 0 && middle(joint) && below[joint.get()] == all);
    (carries, body)
}

fn backwards(skeleton: &Skeleton) -> impl Iterator<Item = JointIndex> {
    (0..skeleton.joint_count() as u16).rev().map(JointIndex)
}

fn parents_error(skeleton: &Skeleton, joint: JointIndex, other: JointIndex) -> MirrorError {
    let [name, other_name] = [joint, other].map(|joint| skeleton.name(joint).to_owned());
    MirrorError::Parents { joint, name, other, other_name }
}
