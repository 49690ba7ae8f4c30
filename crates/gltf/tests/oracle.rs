//! Exact poses of real files against matrices that another evaluator computed in double precision.

mod common;

use glam::Affine3A;
use throng_gltf::Import;
use throng_tracks::{Transform, model_matrices};

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
        let mut worst = common::Difference::default();
        let samples = common::samples(&import, &oracle);
        for sample in &samples {
            worst.raise(sample.difference(&pose(&import, sample.clip, sample.time_s)));
        }
        let (places, matrices) = (worst.places, worst.matrices);
        println!("{file:40} {:3} samples, places {places:.1e}, matrices {matrices:.1e}", samples.len());
        if !worst.is_within(bound(&file)) {
            failed.push(file);
        }
    }
    assert!(failed.is_empty(), "beyond the bound: {failed:?}");
}

/// The bound of the contract, and where it does not hold, why.
fn bound(file: &str) -> f64 {
    match file {
        // Its quaternions have three digits and lengths off by 2e-4. The oracle interpolates them as they are and
        // normalises the result; tracks hold them normalised.
        "khronos_simple_skin.gltf" => 1.5e-5,
        _ => 1e-5,
    }
}
