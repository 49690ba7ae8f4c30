//! Which joint of one skeleton stands for which of another, by their names.

use std::collections::{HashMap, HashSet};

use super::WhyUnbound;
use crate::{JointIndex, Skeleton};

/// The joints of one skeleton that stand for those of another. [`namesakes`] finds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Namesakes {
    /// For each joint of the first skeleton the joint of the second, or why there is none. No two have the same.
    pub joints: Vec<Result<JointIndex, WhyUnbound>>,
    /// Joints of the second skeleton, in order, for which another joint of the same name could be meant as well.
    pub ambiguous: Vec<JointIndex>,
}

/// For each joint of `from`, the joint of the same name in `to`, or why there is none.
///
/// Names must be equal to the letter; joints without a name have no namesake. A name that one joint has in each skeleton
/// is enough. Where a name repeats, in `from` or in `to`, the path of names decides: the namesake is the child of that name
/// of the joint that stands for the parent. Several children of one name are taken in their order, and are reported
/// as [ambiguous](Namesakes::ambiguous). If no joint of a name that repeats has such a parent, the first of that name in
/// `from` gets the first in `to`, which is ambiguous too.
///
/// ```
/// use throng_tracks::*;
/// use throng_tracks::tools::namesakes;
/// let joint = |name: &str, parent: Option<u16>| Joint {
///     name: name.into(), parent: parent.map(JointIndex), rest: Rest::Trs(Transform::IDENTITY),
/// };
/// let from = Skeleton::new([joint("left", None), joint("right", None), joint("tip", Some(0)), joint("tip", Some(1))])?;
/// let to = Skeleton::new([joint("right", None), joint("tip", Some(0)), joint("left", None), joint("tip", Some(2))])?;
/// let found = namesakes(&from, &to);
/// assert_eq!(found.joints, [2, 0, 3, 1].map(|joint| Ok(JointIndex(joint))));
/// assert!(found.ambiguous.is_empty());
/// # Ok::<(), SkeletonError>(())
/// ```
#[must_use]
pub fn namesakes(from: &Skeleton, to: &Skeleton) -> Namesakes {
    let (own, others) = (by_name(from), by_name(to));
    let mut pairs = by_path(from, to, &own, &others);
    let named = || from.joints().map(|joint| (joint, from.name(joint)));
    // Names of which some joint has its namesake.
    let mut met: HashSet<&str> =
        named().filter(|(joint, _)| pairs.joints[joint.get()].is_some()).map(|(_, name)| name).collect();
    let mut without_path = HashSet::new();
    let mut joints = Vec::with_capacity(from.joint_count());
    for (joint, name) in named() {
        joints.push(match (others.get(name), pairs.joints[joint.get()]) {
            _ if name.is_empty() => Err(WhyUnbound::Unnamed),
            (None, _) => Err(WhyUnbound::NoSuchJoint),
            (Some(_), Some(paired)) => Ok(paired),
            (Some(candidates), None) if met.insert(name) => {
                without_path.insert(name);
                pairs.ambiguous.push(candidates[0]);
                Ok(candidates[0])
            }
            _ if without_path.contains(name) || pairs.late[joint.get()] => Err(WhyUnbound::NotFirstOfName),
            _ => Err(WhyUnbound::NoSuchPath),
        });
    }
    let mut ambiguous = pairs.ambiguous;
    ambiguous.retain(|joint| !to.name(*joint).is_empty());
    ambiguous.sort_unstable();
    ambiguous.dedup();
    Namesakes { joints, ambiguous }
}

fn by_name(skeleton: &Skeleton) -> HashMap<&str, Vec<JointIndex>> {
    let mut joints: HashMap<&str, Vec<JointIndex>> = HashMap::new();
    skeleton.joints().for_each(|joint| joints.entry(skeleton.name(joint)).or_default().push(joint));
    joints
}

/// Joints of `to` by joint of `from`, unnamed ones too.
struct Pairs {
    joints: Vec<Option<JointIndex>>,
    /// Whether all joints of the same path had been given to others.
    late: Vec<bool>,
    ambiguous: Vec<JointIndex>,
}

/// Pairs joints whose name is the only one, and then those under pairs.
fn by_path(
    from: &Skeleton,
    to: &Skeleton,
    own: &HashMap<&str, Vec<JointIndex>>,
    others: &HashMap<&str, Vec<JointIndex>>,
) -> Pairs {
    let mut children: HashMap<(Option<JointIndex>, &str), Vec<JointIndex>> = HashMap::new();
    for (joint, parent) in to.joints().zip(to.parents()) {
        children.entry((*parent, to.name(joint))).or_default().push(joint);
    }
    let mut siblings: HashMap<(Option<JointIndex>, &str), usize> = HashMap::new();
    for (joint, parent) in from.joints().zip(from.parents()) {
        *siblings.entry((*parent, from.name(joint))).or_default() += 1;
    }
    let count = from.joint_count();
    let mut pairs = Pairs { joints: vec![None; count], late: vec![false; count], ambiguous: Vec::new() };
    let mut taken: HashMap<(Option<JointIndex>, &str), usize> = HashMap::new();
    for (joint, parent) in from.joints().zip(from.parents()) {
        let name = from.name(joint);
        if !name.is_empty()
            && let (1, Some([only])) = (own[name].len(), others.get(name).map(Vec::as_slice))
        {
            pairs.joints[joint.get()] = Some(*only);
            continue;
        }
        let above = match parent {
            None => None,
            Some(parent) => match pairs.joints[parent.get()] {
                None => continue,
                paired => paired,
            },
        };
        let Some(candidates) = children.get(&(above, name)) else { continue };
        let next = taken.entry((above, name)).or_default();
        let Some(&found) = candidates.get(*next) else {
            pairs.late[joint.get()] = true;
            continue;
        };
        *next += 1;
        pairs.joints[joint.get()] = Some(found);
        if candidates.len() > 1 || siblings[&(*parent, name)] > 1 {
            pairs.ambiguous.push(found);
        }
    }
    pairs
}
