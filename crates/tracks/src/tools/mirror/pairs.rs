//! Left and right, by name.

use std::collections::HashMap;

use crate::{JointIndex, Skeleton};

/// The joints that are each other's left and right by their names, each pair once, the first of the two in front.
///
/// Two joints are a pair if one name becomes the other by putting right for left, in any of these ways:
///
/// | in the name | for example |
/// | --- | --- |
/// | `left`, `Left`, `LEFT` anywhere | `LeftArm`, `mixamorig:LeftArm`, `arm_left` |
/// | `l`, `L` between dots, underscores, hyphens, spaces, colons or ends | `arm.L`, `arm_l`, `L_arm`, `Bip01 L Arm`, `hand.L.001` |
/// | `L` at the end behind a small letter or digit | `armL` |
///
/// Of several joints of one name the first counts.
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
    let mut first: HashMap<&str, JointIndex> = HashMap::new();
    for joint in skeleton.joints() {
        first.entry(skeleton.name(joint)).or_insert(joint);
    }
    let mut paired = vec![false; skeleton.joint_count()];
    let mut pairs = Vec::new();
    for joint in skeleton.joints().filter(|&joint| first[skeleton.name(joint)] == joint) {
        let candidates = [words, letters, end].into_iter().filter_map(|swap| swap(skeleton.name(joint)));
        let others = candidates.filter_map(|name| first.get(name.as_str()).copied());
        let mut free = others.filter(|&other| other != joint && !paired[other.get()]);
        if let (false, Some(other)) = (paired[joint.get()], free.next()) {
            (paired[joint.get()], paired[other.get()]) = (true, true);
            pairs.push((joint, other));
        }
    }
    pairs
}

/// Each `left` as `right` and each `right` as `left`, as it is written; none without either.
fn words(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    let swaps = || WORDS.into_iter().flat_map(|(left, right)| [(left, right), (right, left)]);
    let (mut swapped, mut rest) = (String::new(), name);
    while let Some(letter) = rest.chars().next() {
        match swaps().find(|(word, _)| rest.starts_with(word)) {
            Some((word, other)) => {
                swapped.push_str(other);
                rest = &rest[word.len()..];
            }
            None => {
                swapped.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    (swapped != name).then_some(swapped)
}

/// Single letters that stand alone, the other one put for each.
fn letters(name: &str) -> Option<String> {
    let separates = |c: Option<char>| c.is_none_or(|c| "._- :|/".contains(c));
    let all: Vec<char> = name.chars().collect();
    let swapped: String = all
        .iter()
        .enumerate()
        .map(|(i, &c)| {
            let alone = separates(i.checked_sub(1).map(|i| all[i])) && separates(all.get(i + 1).copied());
            if alone { other_letter(c) } else { c }
        })
        .collect();
    (swapped != name).then_some(swapped)
}

/// A capital at the end, behind something small.
fn end(name: &str) -> Option<String> {
    let stem = name.strip_suffix(['L', 'R'])?;
    let small = stem.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    small.then(|| format!("{stem}{}", if name.ends_with('L') { 'R' } else { 'L' }))
}

fn other_letter(c: char) -> char {
    match c {
        'l' => 'r',
        'r' => 'l',
        'L' => 'R',
        'R' => 'L',
        other => other,
    }
}
