//! Which joints are left and right of each other.

use std::collections::HashMap;

use super::names::{candidates, unnumbered};
use crate::{JointIndex, Skeleton};

/// The joints that are each other's left and right by their names, each pair once, the first of the two in front.
///
/// Two joints are a pair if one name becomes the other by putting right for left, as [`other_side`](super::other_side)
/// does, or by `r` for `l` at its beginning (`larm`, `rarm`).
///
/// Of several joints of one name the first counts. Exporters number joints (`LeftArm_09`, `RightArm_06`): where names as they
/// are have no other, the numbers behind a last underscore or dot are not looked at, if what is left is one joint's alone. And
/// names have slips (`Lefthand`, `RightHand`): the parents of a pair, if they are in none, are a pair too.
///
/// ```
/// use throng_tracks::{Joint, JointIndex, Rest, Skeleton, Transform, tools};
/// let joint = |name: &str| Joint { name: name.into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
/// let skeleton = Skeleton::new(["hips", "leg_r", "leg_l", "tail_l"].map(joint))?;
/// assert_eq!(tools::pairs_by_name(&skeleton), [(JointIndex(1), JointIndex(2))]);
/// # Ok::<(), throng_tracks::SkeletonError>(())
/// ```
#[must_use]
pub fn pairs_by_name(skeleton: &Skeleton) -> Vec<(JointIndex, JointIndex)> {
    pairs_besides(skeleton, &[])
}

/// [`pairs_by_name`] among the joints that are in none of the `given` pairs, and the parents of either.
pub(super) fn pairs_besides(
    skeleton: &Skeleton,
    given: &[(JointIndex, JointIndex)],
) -> Vec<(JointIndex, JointIndex)> {
    let mut first: HashMap<&str, JointIndex> = HashMap::new();
    for joint in skeleton.joints() {
        first.entry(skeleton.name(joint)).or_insert(joint);
    }
    let mut paired = vec![false; skeleton.joint_count()];
    for (a, b) in given {
        (paired[a.get()], paired[b.get()]) = (true, true);
    }
    let mut pairs = given.to_vec();
    pairs.extend(pairs_among(&first, |joint| skeleton.name(joint), skeleton, &mut paired));
    let mut alone: HashMap<&str, Option<JointIndex>> = HashMap::new();
    let unpaired = |joint: &JointIndex| !paired[joint.get()] && first[skeleton.name(*joint)] == *joint;
    for joint in skeleton.joints().filter(unpaired) {
        let of_that_stem = alone.entry(unnumbered(skeleton.name(joint))).or_insert(Some(joint));
        if *of_that_stem != Some(joint) {
            *of_that_stem = None;
        }
    }
    let alone = alone.into_iter().filter_map(|(stem, joint)| Some((stem, joint?))).collect();
    pairs.extend(pairs_among(&alone, |joint| unnumbered(skeleton.name(joint)), skeleton, &mut paired));
    pair_parents(skeleton, &mut pairs, &mut paired);
    pairs.drain(..given.len());
    pairs.sort_unstable();
    pairs
}

/// Makes pairs of what pairs hang on, upwards to where they meet.
fn pair_parents(skeleton: &Skeleton, pairs: &mut Vec<(JointIndex, JointIndex)>, paired: &mut [bool]) {
    let parents = skeleton.parents();
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        depths.push(parent.map_or(0, |parent| depths[parent.get()] + 1));
    }
    let mut at = 0;
    while let Some(&(a, b)) = pairs.get(at) {
        at += 1;
        let (Some(a), Some(b)) = (parents[a.get()], parents[b.get()]) else { continue };
        let free = !paired[a.get()] && !paired[b.get()];
        if free && a != b && depths[a.get()] == depths[b.get()] {
            (paired[a.get()], paired[b.get()]) = (true, true);
            pairs.push((a.min(b), a.max(b)));
        }
    }
}

/// The pairs of joints that `known` has for a name and for the same with left and right swapped.
fn pairs_among<'a>(
    known: &HashMap<&'a str, JointIndex>,
    name: impl Fn(JointIndex) -> &'a str,
    skeleton: &Skeleton,
    paired: &mut [bool],
) -> Vec<(JointIndex, JointIndex)> {
    let mut pairs = Vec::new();
    for joint in skeleton.joints() {
        if paired[joint.get()] || known.get(name(joint)) != Some(&joint) {
            continue;
        }
        let others = candidates(name(joint)).filter_map(|name| known.get(name.as_str()).copied());
        let other = others.into_iter().find(|&other| other != joint && !paired[other.get()]);
        if let Some(other) = other {
            (paired[joint.get()], paired[other.get()]) = (true, true);
            pairs.push((joint, other));
        }
    }
    pairs
}
