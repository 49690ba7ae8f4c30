//! Baked poses of real files against the oracle: never further off than the bake says, and close enough for crowds.

use crate::common;

use glam::Affine3A;
use throng_tracks::{BakeOptions, Transform, bake, model_matrices};

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
        let (mut used, mut worst, mut relative) = (0.0f64, common::Difference::default(), 0.0f64);
        for sample in common::samples(&import, &oracle) {
            bank.sample(bank.locate(sample.clip, sample.time_s), &mut pose);
            model_matrices(&import.skeleton, &pose, &mut model);
            let model: Vec<_> = model.iter().map(Affine3A::as_daffine3).collect();
            let difference = sample.difference(&model);
            let told = f64::from(report.clips[sample.clip].largest.error);
            used = used.max(difference.absolute / told);
            relative = relative.max(told / sample.size);
            worst.raise(difference);
            if !(difference.absolute <= told) {
                failed.push(format!(
                    "{file}: clip {} at {} s is off by {:.2e}, the bake tells {told:.2e}",
                    sample.clip, sample.time_s, difference.absolute
                ));
            }
            if !(difference.all <= BOUND) {
                failed.push(format!(
                    "{file}: clip {} at {} s is off by {:.1e} of its size",
                    sample.clip, sample.time_s, difference.all
                ));
            }
        }
        println!(
            "{file:40} off by {:.1e} of the size in places, {:.1e} in all; the bake tells up to {relative:.1e}; at most \
             {used:.2} of what it tells",
            worst.places, worst.all
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
