//! How far a change of a joint moves points, at most, over a clip.

use glam::{DAffine3, DVec3};

use crate::{Clip, DTransform, Skeleton, model_matrices_f64};

/// At most that many poses of a clip are looked at.
const MOST_POSES: usize = 2000;

/// What a joint's channels move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// How much a unit of the joint's translation is in model space.
    pub(super) enlarged: f64,
    /// How far from the joint the furthest point is that turns with it, in model space.
    pub(super) far: f64,
    /// How far a unit of the joint's scale moves that point.
    pub(super) own: f64,
}

pub(super) fn reach(clip: &Clip, skeleton: &Skeleton, shell: f64) -> Vec<Reach> {
    let joints = skeleton.joint_count();
    let least = Reach { enlarged: f64::MIN_POSITIVE, far: f64::MIN_POSITIVE, own: f64::MIN_POSITIVE };
    let mut most = vec![least; joints];
    let mut pose = vec![DTransform::IDENTITY; joints];
    let mut model = vec![DAffine3::IDENTITY; joints];
    let times = clip.timelines().iter().max_by_key(|times| times.len());
    let poses = times.map_or(1, |times| times.len().min(MOST_POSES));
    for index in 0..=poses {
        let t = (f64::from(clip.duration_s()) * index as f64 / poses as f64) as f32;
        clip.sample_on_rest(skeleton, t, &mut pose);
        model_matrices_f64(skeleton, &pose, &mut model);
        // Children come behind their parents, so from behind each joint is complete when it is met.
        let mut far = vec![0.0f64; joints];
        for joint in (0..joints).rev() {
            let parent = skeleton.parents()[joint].map(|parent| parent.get());
            let size = largest(&model[joint]);
            far[joint] = far[joint].max(shell * size);
            let enlarged = parent.map_or(1.0, |parent| largest(&model[parent]));
            let scale = pose[joint].scale.abs().max_element();
            let own = if scale > 0.0 { far[joint] / scale } else { shell * enlarged };
            let here = Reach { enlarged, far: far[joint], own };
            let most = &mut most[joint];
            *most = Reach {
                enlarged: most.enlarged.max(here.enlarged),
                far: most.far.max(here.far),
                own: most.own.max(here.own),
            };
            if let Some(parent) = parent {
                let along = model[joint].translation.distance(model[parent].translation);
                far[parent] = far[parent].max(along + far[joint]);
            }
        }
    }
    most
}

fn largest(m: &DAffine3) -> f64 {
    [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(DVec3::length).into_iter().fold(0.0, f64::max)
}
