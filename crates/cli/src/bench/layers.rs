//! What layers need besides clips: a difference, and masks.

use throng::kernels::{LAYERS, Masks};
use throng::tracks::tools;
use throng::{Clip, Skeleton};

use super::Args;
use crate::error::CliError;
use crate::load::Scene;

/// An additive clip of the bank.
#[derive(Clone, Copy)]
pub(super) struct Additive {
    /// The clip.
    pub(super) clip: usize,
    /// The one it was made of.
    pub(super) of: usize,
}

/// Whether as many layers are asked for as there may be.
pub(super) fn check(args: &Args) -> Result<(), CliError> {
    let found = args.layers as usize + usize::from(args.additive);
    if found > LAYERS { Err(CliError::TooManyLayers { found, limit: LAYERS }) } else { Ok(()) }
}

/// A clip, as its difference to its first pose.
pub(super) fn difference(scene: &Scene, clip: &Clip) -> Result<Clip, CliError> {
    tools::make_additive(clip, &scene.skeleton, clip, 0.0)
        .map_err(|source| CliError::Clip { file: scene.file.clone(), source: Box::new(source) })
}

/// Two masks that share the joints between them: the upper body, which is what hangs on a spine, and all else. Where
/// nothing is called a spine, the two halves of the list of joints.
pub(super) fn masks(skeleton: &Skeleton) -> Masks {
    let joints = skeleton.joint_count();
    let called_spine = |joint: &usize| skeleton.names()[*joint].to_lowercase().contains("spine");
    let spine = (0..joints).find(called_spine);
    let mut upper = vec![false; joints];
    for (joint, parent) in skeleton.parents().iter().enumerate() {
        upper[joint] = match spine {
            Some(spine) => joint == spine || parent.is_some_and(|parent| upper[parent.get()]),
            None => joint >= joints / 2,
        };
    }
    let weights =
        [true, false].iter().flat_map(|half| upper.iter().map(move |u| f32::from(u8::from(u == half))));
    Masks::new(joints, weights.collect()).expect("two masks of ones and zeros, of at least one joint")
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Transform;
    use throng::tracks::{Joint, JointIndex, Rest};

    fn masks_of(names: &[(&str, Option<u16>)]) -> Vec<Vec<f32>> {
        let joint = |&(name, parent): &(&str, Option<u16>)| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            rest: Rest::Trs(Transform::IDENTITY),
        };
        let masks = masks(&Skeleton::new(names.iter().map(joint)).expect("a valid skeleton"));
        (0..masks.count()).map(|mask| masks.weights(mask).unwrap().to_vec()).collect()
    }

    #[test]
    fn the_upper_body_hangs_on_the_spine() {
        let names =
            [("hips", None), ("leg", Some(0)), ("Spine_01", Some(0)), ("head", Some(2)), ("foot", Some(1))];
        assert_eq!(masks_of(&names), [[0.0, 0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0, 1.0]]);
    }

    #[test]
    fn without_a_spine_there_are_halves() {
        assert_eq!(
            masks_of(&[("a", None), ("b", Some(0)), ("c", Some(1))]),
            [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
        );
        assert_eq!(masks_of(&[("a", None)]), [[1.0], [0.0]]);
    }
}
