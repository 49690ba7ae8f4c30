//! What the tests on real files share: where the files are, and what poses the oracle says they have.
#![allow(dead_code, reason = "each test uses its part")]

#[path = "../../../../tests/real_files.rs"]
mod real_files;
pub(crate) mod tiny;

use glam::{DAffine3, DMat4};
use serde_json::Value;
use throng_gltf::Import;

pub(crate) use real_files::assets;

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
    assert!(!oracles.is_empty(), "there are oracles");
    // One file is there twice, plain and compressed, and one oracle is for both.
    let both = oracles.iter().find(|(file, _)| file == "fox_gltfpack.glb").expect("an oracle for it");
    oracles.push(("fox_gltfpack_meshopt.glb".into(), both.1.clone()));
    oracles.sort_by(|a, b| a.0.cmp(&b.0));
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
    /// The largest difference of any of the sixteen numbers of a joint's matrix, relative to the size of the pose.
    pub(crate) all: f64,
    /// The largest difference of any number, in the file's unit.
    pub(crate) absolute: f64,
}

impl Difference {
    /// The larger of each.
    pub(crate) fn raise(&mut self, other: Self) {
        // Unlike `f64::max`, this keeps a NaN.
        let max = |a: f64, b: f64| if b <= a { a } else { b };
        self.places = max(self.places, other.places);
        self.all = max(self.all, other.all);
        self.absolute = max(self.absolute, other.absolute);
    }
}

impl Sample {
    /// The largest differences of all joints.
    pub(crate) fn difference(&self, model: &[DAffine3]) -> Difference {
        let mut largest = Difference::default();
        for (joint, expected) in &self.joints {
            let found = DMat4::from(model[*joint]).to_cols_array();
            for (i, (found, expected)) in found.into_iter().zip(expected).enumerate() {
                let absolute = (found - expected).abs();
                let all = absolute / self.size;
                let places = if (12..15).contains(&i) { all } else { 0.0 };
                largest.raise(Difference { places, all, absolute });
            }
        }
        largest
    }
}
