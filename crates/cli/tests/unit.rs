//! Lengths of files in other units than metres.

use crate::common;

use std::path::{Path, PathBuf};

use common::{line, numbers, throng};
use serde_json::json;

/// An arm of so long bones, which turns and moves.
fn arm(folder: &Path, name: &str, bone: f64) -> PathBuf {
    let file = folder.join(name);
    let (two, three) = (2.0 * bone, 3.0 * bone);
    let bvh = format!(
        "HIERARCHY\nROOT arm\n{{\nOFFSET 0 {bone} 0\nCHANNELS 4 Xposition Yposition Zposition Zrotation\nJOINT hand\n{{\n\
         OFFSET {two} 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{{\nOFFSET {bone} 0 0\n}}\n}}\n}}\n\
         MOTION\nFrames: 2\nFrame Time: 0.5\n0 {bone} 0 0 0\n{three} {two} 0 90 45\n"
    );
    std::fs::write(&file, bvh).unwrap();
    file
}

fn models(file: &Path, words: &str) -> Vec<f64> {
    let pose = throng(line(&format!("pose --clip 0 --time 0.3 {words}"), file)).json();
    pose["joints"].as_array().unwrap().iter().flat_map(|joint| numbers(&joint["model"])).collect()
}

#[test]
fn a_file_in_any_unit_is_one_in_metres() {
    let folder = tempfile::tempdir().unwrap();
    let metres = arm(folder.path(), "metres.bvh", 0.5);
    for (unit, in_metres) in [("cm", 0.01), ("0.01", 0.01), ("mm", 0.001), ("in", 0.0254), ("2.5", 2.5)] {
        let other = arm(folder.path(), "other.bvh", 0.5 / in_metres);
        for path in ["--path exact", "--path bank --palette"] {
            let (found, expected) = (models(&other, &format!("{path} --unit {unit}")), models(&metres, path));
            assert!(common::difference(&found, &expected) < 1e-5, "{unit}: {found:?}");
        }
        let info = throng(line(&format!("info --json --unit {unit}"), &other)).json();
        let offset = numbers(&info["end_sites"][0]["offset"]);
        assert!((offset[0] - 0.5).abs() < 1e-6);
        let report = info["report"].as_array().unwrap();
        assert!(report.iter().any(|line| line["what"].as_str().unwrap().contains("to metres")), "{report:?}");
        let out = folder.path().join("out.glb");
        let words = format!("clip --json --clip 0 --unit {unit} -o {}", out.display());
        let written = throng(line(&words, &other)).json();
        assert!(written["report"][0]["what"].as_str().unwrap().contains("to metres"), "{written}");
        assert!(common::difference(&models(&out, ""), &models(&metres, "")) < 1e-5);
    }
    assert_eq!(models(&metres, "--unit m"), models(&metres, ""));
}

#[test]
fn clips_of_another_unit_are_remarked_on_until_they_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let (metres, other) = (arm(folder.path(), "metres.bvh", 0.5), arm(folder.path(), "cm.bvh", 45.0));
    let onto = |words: &str| {
        let words = format!("info --json {words} --onto {}", metres.display());
        throng(line(&words, &other)).json()["onto"]["remarks"].as_array().unwrap().clone()
    };
    let remarks = onto("");
    assert!(remarks[0].as_str().unwrap().contains("as centimetres are to metres"), "{remarks:?}");
    let remarks = onto("--unit cm");
    assert!(remarks.iter().all(|remark| !remark.as_str().unwrap().contains("units")), "{remarks:?}");
    let text = throng(line(&format!("info --onto {}", metres.display()), &other)).stdout;
    assert!(text.contains("remark: units seem to differ"), "{text}");
}

#[test]
fn what_is_no_unit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = arm(folder.path(), "arm.bvh", 1e30);
    for unit in ["0", "-1", "nan", "inf", "parsec"] {
        let run = throng(line(&format!("info --unit {unit}"), &file));
        assert!(run.usage_error().contains("expected mm, cm, m"), "{run:?}");
    }
    let run = throng(line("info --json --unit 1e30", &file));
    assert!(run.error().contains("arm.bvh: "), "{run:?}");
    assert_eq!(throng(line("info --json --unit 1e-20", &file)).json()["joints"][0]["name"], json!("arm"));
}
