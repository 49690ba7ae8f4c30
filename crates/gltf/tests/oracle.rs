//! Exact poses of real files against matrices that another evaluator computed in double precision.

use crate::common;

use glam::DAffine3;
use throng_gltf::Import;
use throng_tracks::{DTransform, model_matrices_f64};

/// The bound of the contract for the exact path: how far any number of any matrix may be off, relative to the size of the
/// pose.
const BOUND: f64 = 1e-5;

fn pose(import: &Import, clip: usize, t: f32) -> Vec<DAffine3> {
    let joints = import.skeleton.joint_count();
    let mut pose = vec![DTransform::IDENTITY; joints];
    import.clips[clip].sample_f64(&import.skeleton, t, &mut pose);
    let mut model = vec![DAffine3::IDENTITY; joints];
    model_matrices_f64(&import.skeleton, &pose, &mut model);
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
        let (places, all) = (worst.places / BOUND, worst.all / BOUND);
        println!(
            "{file:40} {:3} samples, off by {places:.4} of the bound in places, {all:.4} in all",
            samples.len()
        );
        if !(worst.all <= BOUND) {
            failed.push(file);
        }
    }
    assert!(failed.is_empty(), "beyond the bound: {failed:?}");
}
