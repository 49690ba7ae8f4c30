//! How far the mirrored clip is from the reflection of its source.

use glam::DAffine3;

use super::MirrorDistance;
use super::plane::Plane;
use crate::tools::added_to;
use crate::{Clip, DTransform, JointIndex, Skeleton, Transform, model_matrices_f64};

/// A clip, and the pose that it is added to if it is additive.
pub(super) struct Shown<'a> {
    pub(super) clip: &'a Clip,
    pub(super) rest: &'a [Transform],
}

impl Shown<'_> {
    fn model(&self, skeleton: &Skeleton, t: f32, pose: &mut [DTransform], model: &mut [DAffine3]) {
        self.clip.sample_f64(skeleton, t, pose);
        if self.clip.is_additive() {
            for (joint, rest) in pose.iter_mut().zip(self.rest) {
                *joint = added_to(rest, joint);
            }
        }
        model_matrices_f64(skeleton, pose, model);
    }
}

/// The largest distance between a joint of `mirrored` and the reflection of the joint of `source` that it shows, at every
/// key and half way between keys; and the largest coordinate met.
pub(super) fn largest(
    skeleton: &Skeleton,
    source: &Shown<'_>,
    mirrored: &Shown<'_>,
    plane: &Plane,
    measured: &[(JointIndex, JointIndex)],
) -> (MirrorDistance, f64) {
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    let mut model = vec![DAffine3::IDENTITY; pose.len()];
    let mut reflected = model.clone();
    let first = measured.first().copied().unwrap_or((JointIndex(0), JointIndex(0)));
    let mut largest = MirrorDistance { distance: 0.0, joint: first.1, partner: first.0, time_s: 0.0 };
    let mut reach = 0.0f64;
    for time_s in times(source.clip) {
        source.model(skeleton, time_s, &mut pose, &mut reflected);
        mirrored.model(skeleton, time_s, &mut pose, &mut model);
        for &(partner, joint) in measured {
            let expected = plane.image(reflected[partner.get()].translation);
            let distance = expected.distance(model[joint.get()].translation);
            reach = reach.max(expected.abs().max_element());
            // What is not a number is further than any.
            let distance = if distance.is_nan() { f64::INFINITY } else { distance };
            if distance > largest.distance {
                largest = MirrorDistance { distance, joint, partner, time_s };
            }
        }
    }
    (largest, reach)
}

fn times(clip: &Clip) -> Vec<f32> {
    let mut keys = clip.key_times();
    keys.insert(0, 0.0);
    let between: Vec<f32> = keys.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 2.0).collect();
    keys.extend(between);
    keys
}
