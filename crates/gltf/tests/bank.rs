//! Baked poses of real files against the oracle: never further off than the bake says, and close enough for crowds.

mod common;

use glam::Affine3A;
use throng_tracks::{BakeOptions, Transform, bake, model_matrices};

/// The oracle's own rounding, relative to the size of the pose.
const ROUNDING: f64 = 1e-5;
/// The bound of the contract for the bank path, relative to the size of the pose.
const BOUND: f64 = 2e-3;

#[test]
fn baked_poses_are_within_the_error_that_the_bake_reports() {
    let mut failed = Vec::new();
    for (file, oracle) in common::oracles() {
        let import = common::import(&file);
        let joints = import.skeleton.joint_count();
        let (bank, report) = bake(&import.skeleton, &import.clips, &BakeOptions::default()).unwrap();
        let (mut pose, mut model) = (vec![Transform::IDENTITY; joints], vec![Affine3A::IDENTITY; joints]);
        let (mut used, mut matrices, mut relative) = (0.0f64, common::Difference::default(), 0.0f64);
        for sample in common::samples(&import, &oracle) {
            bank.sample(bank.locate(sample.clip, sample.time_s), &mut pose);
            model_matrices(&import.skeleton, &pose, &mut model);
            let difference = sample.difference(&model);
            let told = f64::from(report.clips[sample.clip].largest.error);
            let allowed = told + ROUNDING * sample.size;
            used = used.max(difference.absolute / allowed);
            relative = relative.max(told / sample.size);
            matrices.raise(difference);
            if !(difference.absolute <= allowed) {
                failed.push(format!(
                    "{file}: clip {} at {} s is off by {:.2e}, the bake tells {told:.2e}",
                    sample.clip, sample.time_s, difference.absolute
                ));
            }
            if !difference.is_within(BOUND) {
                failed.push(format!(
                    "{file}: clip {} at {} s is off by {:.1e} of its size in places, {:.1e} in matrices",
                    sample.clip, sample.time_s, difference.places, difference.matrices
                ));
            }
        }
        println!(
            "{file:40} off by {:.1e} of the size in places, {:.1e} in matrices; the bake tells up to {relative:.1e}; at \
             most {used:.2} of what it tells",
            matrices.places, matrices.matrices
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
