//! What the tests on real files share: where the files are, and what poses the oracle says they have.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod tiny;

use std::path::PathBuf;

use glam::{Affine3A, DVec3};
use serde_json::Value;
use throng_gltf::Import;

/// The folder of real files that `THRONG_ASSETS` names. Without it the test prints that it was skipped.
pub(crate) fn assets() -> Option<PathBuf> {
    let folder = std::env::var_os("THRONG_ASSETS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: THRONG_ASSETS is not set");
    }
    folder
}

/// Every oracle of the folder: the name of its file, and what it says.
pub(crate) fn oracles() -> Vec<(String, Value)> {
    let Some(folder) = assets() else { return Vec::new() };
    let mut oracles: Vec<_> = std::fs::read_dir(folder.join("oracle"))
        .expect("the oracle folder")
        .map(|entry| {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let oracle: Value = serde_json::from_str(&text).unwrap();
            (oracle["file"].as_str().unwrap().to_owned(), oracle)
        })
        .collect();
    oracles.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(!oracles.is_empty(), "there are oracles");
    oracles
}

pub(crate) fn import(file: &str) -> Import {
    let path = assets().expect("checked before").join(file);
    throng_gltf::import(path).unwrap_or_else(|e| panic!("{e}"))
}

/// One time of one clip of an oracle.
pub(crate) struct Sample {
    pub(crate) clip: usize,
    pub(crate) time_s: f32,
    /// The joint, and its model matrix column by column.
    pub(crate) joints: Vec<(usize, [f64; 16])>,
    /// The larger of the joints' extent and their largest coordinate.
    pub(crate) size: f64,
}

pub(crate) fn samples(import: &Import, oracle: &Value) -> Vec<Sample> {
    let mut samples = Vec::new();
    for clip in oracle["clips"].as_array().unwrap() {
        for sample in clip["samples"].as_array().unwrap() {
            let mut joints = Vec::new();
            for (node, matrix) in sample["nodes"].as_object().unwrap() {
                let joint = import.joint_of_node(node.parse().unwrap());
                let joint = joint.unwrap_or_else(|| panic!("nodes[{node}] is part of the skeleton"));
                let matrix: Vec<f64> =
                    matrix.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
                joints.push((joint.get(), matrix.try_into().unwrap()));
            }
            assert!(!joints.is_empty(), "an oracle sample has joints");
            samples.push(Sample {
                clip: clip["index"].as_u64().unwrap() as usize,
                time_s: sample["t"].as_f64().unwrap() as f32,
                size: size(&joints),
                joints,
            });
        }
    }
    assert!(!samples.is_empty(), "an oracle has samples");
    samples
}

fn size(joints: &[(usize, [f64; 16])]) -> f64 {
    (12..15)
        .map(|axis| {
            let along = || joints.iter().map(|(_, m)| m[axis]);
            let (low, high) =
                (along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max));
            (high - low).max(low.abs()).max(high.abs())
        })
        .fold(0.0, f64::max)
}

/// How far a pose is from a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Difference {
    /// The largest difference of a coordinate of a joint's place, relative to the size of the pose.
    pub(crate) places: f64,
    /// The largest difference of any coefficient of a joint's matrix, relative to the size of the pose or to the
    /// longest axis of that matrix: files that scale by 100 have numbers of 100 in matrices of poses of size 3.
    pub(crate) matrices: f64,
    /// The largest difference of any coefficient, in the file's unit.
    pub(crate) absolute: f64,
}

impl Difference {
    pub(crate) fn is_within(self, bound: f64) -> bool {
        self.places <= bound && self.matrices <= bound
    }

    /// The larger of each.
    pub(crate) fn raise(&mut self, other: Self) {
        // Unlike `f64::max`, this keeps a NaN.
        let max = |a: f64, b: f64| if b <= a { a } else { b };
        self.places = max(self.places, other.places);
        self.matrices = max(self.matrices, other.matrices);
        self.absolute = max(self.absolute, other.absolute);
    }
}

impl Sample {
    /// The largest differences of all joints.
    pub(crate) fn difference(&self, model: &[Affine3A]) -> Difference {
        let mut largest = Difference::default();
        for (joint, expected) in &self.joints {
            let column = |i: usize| DVec3::from_slice(&expected[4 * i..][..3]);
            let longest = (0..3).map(|i| column(i).length()).fold(self.size, f64::max);
            let Affine3A { matrix3: m, translation } = model[*joint];
            for (i, found) in [m.x_axis, m.y_axis, m.z_axis, translation].into_iter().enumerate() {
                let off = (found.as_dvec3() - column(i)).abs();
                for absolute in off.to_array() {
                    let places = if i == 3 { absolute / self.size } else { 0.0 };
                    largest.raise(Difference { places, matrices: absolute / longest, absolute });
                }
            }
        }
        largest
    }
}
