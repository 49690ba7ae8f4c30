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
/// | `L` at the beginning ahead of a capital | `LThumb` |
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
    let mut first: HashMap<&str, JointIndex> = HashMap::new();
    for joint in skeleton.joints() {
        first.entry(skeleton.name(joint)).or_insert(joint);
    }
    let mut paired = vec![false; skeleton.joint_count()];
    let mut pairs = pairs_among(&first, |joint| skeleton.name(joint), skeleton, &mut paired);
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

/// Whether a name is one of a left or a right joint, by what [`pairs_by_name`] looks at.
#[must_use]
pub fn is_sided(name: &str) -> bool {
    [name, unnumbered(name)].into_iter().any(|name| SWAPS.into_iter().any(|swap| swap(name).is_some()))
}

/// The ways to put right for left.
const SWAPS: [fn(&str) -> Option<String>; 4] = [words, letters, end, start];

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
        let candidates = SWAPS.into_iter().filter_map(|swap| swap(name(joint)));
        let others = candidates.filter_map(|name| known.get(name.as_str()).copied());
        let mut free = others.filter(|&other| other != joint && !paired[other.get()]);
        if let Some(other) = free.next() {
            (paired[joint.get()], paired[other.get()]) = (true, true);
            pairs.push((joint, other));
        }
    }
    pairs
}

/// The name without a number behind its last underscore or dot.
fn unnumbered(name: &str) -> &str {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.strip_suffix(['_', '.']) {
        Some(stem) if stem.len() + 1 < name.len() && !stem.is_empty() => stem,
        _ => name,
    }
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

/// A capital at the beginning, ahead of another.
fn start(name: &str) -> Option<String> {
    let rest = name.strip_prefix(['L', 'R'])?;
    let other = if name.starts_with('L') { 'R' } else { 'L' };
    rest.starts_with(char::is_uppercase).then(|| format!("{other}{rest}"))
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
