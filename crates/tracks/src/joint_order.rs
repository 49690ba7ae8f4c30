//! Which joints are missed least.

use crate::{JointIndex, Skeleton, model_matrices};
use glam::{Affine3A, Vec3A};

/// The joints of a skeleton, those that matter most first: so that what is far away can do with some of them.
///
/// It is a proposal. The joints are a list like any other, to be changed or replaced.
///
/// ```
/// use throng_tracks::{Joint, JointIndex, JointOrder, Rest, Skeleton, Transform};
/// let joint = |name: &str, parent: Option<u16>, x: f32| {
///     let rest = Transform { translation: [x, 0.0, 0.0].into(), ..Transform::IDENTITY };
///     Joint { name: name.into(), parent: parent.map(JointIndex), rest: Rest::Trs(rest) }
/// };
/// let skeleton = Skeleton::new([
///     joint("shoulder", None, 0.0),
///     joint("finger", Some(0), 0.2),
///     joint("arm", Some(0), 0.3),
///     joint("hand", Some(2), 0.3),
/// ])?;
/// let order = JointOrder::by_extent(&skeleton);
/// assert_eq!(order.joints(), [0, 2, 3, 1].map(JointIndex));
/// assert_eq!(order.reaching(0.2), 3);
/// # Ok::<(), throng_tracks::SkeletonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointOrder {
    joints: Vec<JointIndex>,
    /// Of each of them, as a part of the first's.
    reach: Vec<f32>,
}

/// Words in names of fingers and of what a face has.
const SMALL: [&str; 21] = [
    "brow", "cheek", "eye", "eyebrow", "eyelid", "eyes", "finger", "fingers", "index", "jaw", "lid", "lip",
    "lips", "little", "mouth", "nose", "pinky", "ring", "teeth", "thumb", "tongue",
];

/// How much less of them is seen than of others that reach as far: fingers lie side by side, and the head that a face moves in
/// stays.
const SMALL_PART: f32 = 0.25;

impl JointOrder {
    /// By how far each reaches at rest: along the longest chain of joints below it, and half as far as it is from its
    /// parent where there is none. A joint whose name has a word for a finger or for a part of the face (`LeftHandIndex1`, `eye_l`)
    /// counts a quarter. No joint stands ahead of its parent.
    #[must_use]
    pub fn by_extent(skeleton: &Skeleton) -> Self {
        let count = skeleton.joint_count();
        let mut models = vec![Affine3A::IDENTITY; count];
        model_matrices(skeleton, skeleton.rest(), &mut models);
        let mut below = vec![0.0f32; count];
        let mut matters = vec![0.0f32; count];
        for j in (0..count).rev() {
            let parent = skeleton.parents()[j];
            let from = parent.map_or(Vec3A::ZERO, |parent| models[parent.get()].translation);
            let length = (models[j].translation - from).length();
            let own = if below[j] > 0.0 { below[j] } else { 0.5 * length };
            let part = if is_small(&skeleton.names()[j]) { SMALL_PART } else { 1.0 };
            matters[j] = matters[j].max(part * own);
            if let Some(parent) = parent {
                let above = parent.get();
                below[above] = below[above].max(length + own);
                matters[above] = matters[above].max(matters[j]);
            }
        }
        let mut joints: Vec<JointIndex> = skeleton.joints().collect();
        // Stable: of those that matter as much, parents stay ahead.
        joints.sort_by(|a, b| matters[b.get()].total_cmp(&matters[a.get()]));
        let most = joints.first().map_or(1.0, |first| matters[first.get()]).max(f32::MIN_POSITIVE);
        let reach = joints.iter().map(|joint| matters[joint.get()] / most).collect();
        Self { joints, reach }
    }

    /// All joints, those that matter most first.
    #[must_use]
    pub fn joints(&self) -> &[JointIndex] {
        &self.joints
    }

    /// How many of them reach at least so far, as a part of the one that reaches farthest. Of a person, 0.05 leaves out fingers
    /// and face, and 0.1 hands, feet and head too.
    #[must_use]
    pub fn reaching(&self, part: f32) -> usize {
        self.reach.partition_point(|reach| *reach >= part)
    }
}

/// Whether one of the words of a name says so. Words end where a capital follows, and at all that is no letter.
fn is_small(name: &str) -> bool {
    let mut word = String::new();
    let mut before = '_';
    for letter in name.chars().chain(['_']) {
        let begins = letter.is_uppercase() && !before.is_uppercase();
        if begins || !letter.is_alphabetic() {
            if SMALL.contains(&word.as_str()) {
                return true;
            }
            word.clear();
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_names_of_all_makers() {
        for name in
            ["LeftHandIndex1", "mixamorig:RightHandRing4", "eye_l", "Bip01 L Finger02", "JAW", "thumb.01.R"]
        {
            assert!(is_small(name), "{name}");
        }
        for name in ["Spring", "LeftForeArm", "hips", "", "Head", "slide"] {
            assert!(!is_small(name), "{name}");
        }
    }
}
