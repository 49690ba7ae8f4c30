//! Exact poses of real files against matrices that another evaluator computed in double precision.

mod common;

use glam::Affine3A;
use throng_gltf::Import;
use throng_tracks::{Transform, model_matrices};

/// The bound of the contract, relative to the size of the pose.
const BOUND: f64 = 1e-5;

fn pose(import: &Import, clip: usize, t: f32) -> Vec<Affine3A> {
    let joints = import.skeleton.joint_count();
    let mut pose = vec![Transform::IDENTITY; joints];
    import.clips[clip].sample(&import.skeleton, t, &mut pose);
    let mut model = vec![Affine3A::IDENTITY; joints];
    model_matrices(&import.skeleton, &pose, &mut model);
    model
}

#[test]
fn exact_poses_are_those_of_the_oracle() {
    let mut failed = Vec::new();
    for (file, oracle) in common::oracles() {
        let import = common::import(&file);
        let (mut worst, mut at) = (0.0, String::new());
        let samples = common::samples(&import, &oracle);
        for sample in &samples {
            let error = sample.difference(&pose(&import, sample.clip, sample.time_s)) / sample.size;
            if !(error <= worst) {
                (worst, at) = (error, format!("clip {} at {} s", sample.clip, sample.time_s));
            }
        }
        println!("{file:40} {:4} samples, worst {worst:.1e} ({at})", samples.len());
        if !(worst <= BOUND) {
            failed.push(file);
        }
    }
    assert!(failed.is_empty(), "beyond {BOUND:e} of the size: {failed:?}");
}
