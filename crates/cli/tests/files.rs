//! Real files, where `THRONG_ASSETS` names their folder: poses against an oracle, and broken files.

use crate::common;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use common::{assets, line, numbers, throng};
use serde_json::Value;

/// How far any number of any matrix of the exact path may be off, relative to the size of the pose.
const EXACT_BOUND: f64 = 1e-5;

/// The bound of the bank path, likewise.
const BANK_BOUND: f64 = 2e-3;

/// A sample of an oracle: matrices by node, and the larger of their extent and their largest coordinate.
struct Sample {
    matrices: HashMap<u64, Vec<f64>>,
    size: f64,
}

impl Sample {
    fn new(nodes: &Value) -> Self {
        let nodes = nodes.as_object().unwrap();
        let matrices: HashMap<_, _> =
            nodes.iter().map(|(node, m)| (node.parse().unwrap(), numbers(m))).collect();
        assert!(!matrices.is_empty());
        let along = |axis: usize| {
            let all = || matrices.values().map(move |m| m[axis]);
            let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
            (high - low).max(low.abs()).max(high.abs())
        };
        let size = (12..15).map(along).fold(0.0, f64::max);
        Self { matrices, size }
    }

    /// The largest difference of any number of a pose.
    fn off(&self, pose: &Value) -> f64 {
        let joints = pose["joints"].as_array().unwrap().iter();
        let models: HashMap<u64, Vec<f64>> =
            joints.map(|j| (j["node"].as_u64().unwrap(), numbers(&j["model"]))).collect();
        self.matrices.iter().fold(0.0, |most, (node, expected)| {
            let off = common::difference(expected, &models[node]);
            if off <= most { most } else { off }
        })
    }
}

#[test]
fn poses_are_those_of_the_oracle() {
    let Some(folder) = assets() else { return };
    let mut oracles: Vec<_> =
        std::fs::read_dir(folder.join("oracle")).unwrap().map(|e| e.unwrap().path()).collect();
    oracles.sort();
    assert!(!oracles.is_empty());
    let mut failed = Vec::new();
    for oracle in oracles {
        let oracle: Value = serde_json::from_str(&std::fs::read_to_string(oracle).unwrap()).unwrap();
        let file = oracle["file"].as_str().unwrap();
        let (mut most_exact, mut most_bank, mut most_used) = (0.0f64, 0.0f64, 0.0f64);
        for clip in oracle["clips"].as_array().unwrap() {
            for sample in clip["samples"].as_array().unwrap() {
                let what = format!("--clip {} --time {}", clip["index"], sample["t"]);
                let pose = |path: &str| {
                    throng(line(&format!("pose {what} --path {path}"), folder.join(file))).json()
                };
                let expected = Sample::new(&sample["nodes"]);
                let exact = expected.off(&pose("exact")) / expected.size;
                let bank = pose("bank");
                let (off, reported) = (expected.off(&bank), bank["error_reported"].as_f64().unwrap());
                most_exact = most_exact.max(exact);
                most_bank = most_bank.max(off / expected.size);
                most_used = most_used.max(off / reported);
                if !(exact <= EXACT_BOUND) {
                    failed.push(format!("{file} {what}: the exact path is off by {exact:.1e} of the size"));
                }
                if !(off <= reported && off <= BANK_BOUND * expected.size) {
                    failed.push(format!(
                        "{file} {what}: the bank path is off by {off:.1e}, reported {reported:.1e}, size {:.1e}",
                        expected.size
                    ));
                }
            }
        }
        println!(
            "{file:40} exact path off by {most_exact:.1e} of the size, bank path by {most_bank:.1e}, {most_used:.2} of what \
             it reports"
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|e| e.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn broken_files_give_a_line_or_an_import() {
    let Some(folder) = assets() else { return };
    let files = files(&folder.join("bad_khronos_validator"));
    assert!(files.len() > 150);
    let (mut refused, mut imported) = (0, 0);
    for file in files {
        let info = throng(line("info --json", &file));
        assert!(!info.stderr.contains("panicked"), "{info:?}");
        if info.code == Some(1) {
            assert!(info.error().contains(&*file.file_name().unwrap().to_string_lossy()), "{info:?}");
            refused += 1;
            continue;
        }
        imported += 1;
        let clips = info.json()["clips"].as_array().unwrap().len();
        for clip in 0..clips {
            for path in ["exact", "bank"] {
                let pose =
                    throng(line(&format!("pose --palette --clip {clip} --time 0.5 --path {path}"), &file));
                assert!(!pose.stderr.contains("panicked"), "{pose:?}");
                if pose.code == Some(1) {
                    pose.error();
                } else {
                    pose.json();
                }
            }
        }
    }
    assert!(refused > 20 && imported > 20, "{refused} refused, {imported} imported");
}
