//! BVH files, taken wherever glTF files are.

use crate::common;

use std::path::{Path, PathBuf};

use common::{assets, difference, line, numbers, throng};
use serde_json::{Value, json};

const WALK: &str = "\
HIERARCHY
ROOT hips
{
    OFFSET 0 1 0
    CHANNELS 4 Xposition Zrotation Xrotation Yrotation
    JOINT shin
    {
        OFFSET 0 -0.5 0
        CHANNELS 1 Xrotation
        End Site { OFFSET 0 -0.5 0 }
    }
}
MOTION
Frames: 5
Frame Time: 0.25
0 0 0 0 0
1 90 0 0 0
2 90 0 0 90
";

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The matrix of a joint, column by column.
fn model(pose: &Value, joint: usize) -> Vec<f64> {
    numbers(&pose["joints"][joint]["model"])
}

#[test]
fn info_tells_what_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "slow walk.bvh", WALK);
    let info = throng(line("info --json", &file)).json();
    let joints = json!([
        { "index": 0, "node": 0, "name": "hips", "parent": null },
        { "index": 1, "node": 1, "name": "shin", "parent": 0 },
    ]);
    assert_eq!(info["joints"], joints);
    assert_eq!(info["skins"], json!([{ "index": 0, "name": "rest", "joints": [0, 1] }]));
    let clip = json!({
        "index": 0, "name": "slow walk", "seconds": 0.5, "tracks": 3, "keys": 9, "markers": [], "timelines": 1, "channels": { "rotation": 2, "translation": 1 }, "weights": [], "properties": [],
        "interpolations": { "LINEAR": 3 },
    });
    assert_eq!(info["clips"], json!([clip]));
    let what = "Frames: tells 5 rows, but there are 3; these are used";
    assert_eq!(info["report"], json!([{ "kind": "repair", "place": "line 14", "what": what }]));
    let run = throng(line("info", &file));
    assert!(run.stdout.contains("joints 2, skins 1, clips 1"), "{run:?}");
    assert!(run.stdout.contains(&format!("repair: line 14: {what}")), "{run:?}");
}

#[test]
fn poses_and_palettes_stand_on_the_offsets() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "walk.bvh", WALK);
    for path in ["exact", "bank"] {
        let what = format!("pose --palette --clip walk --time 0.25 --path {path}");
        let pose = throng(line(&what, &file)).json();
        assert_eq!(pose["skin"], 0);
        // A quarter turn about z: what hung down now points along x. Xposition replaces the offset along x alone.
        let hips = [0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
        assert!(difference(&model(&pose, 0), &hips) < 1e-5, "{pose}");
        assert!(difference(&model(&pose, 1)[12..], &[1.5, 1.0, 0.0, 1.0]) < 1e-5, "{pose}");
        // The shin's place at rest, (0, 0.5, 0), goes to where the shin is.
        let palette = numbers(&pose["joints"][1]["palette"]);
        let moved =
            [0.5 * palette[1] + palette[3], 0.5 * palette[5] + palette[7], 0.5 * palette[9] + palette[11]];
        assert!(difference(&moved, &[1.5, 1.0, 0.0]) < 1e-5, "{pose}");
    }
}

#[test]
fn a_crowd_of_it_can_be_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "walk.bvh", WALK);
    let bench = throng(line("bench --json -n 16 --frames 2", &file)).json();
    assert_eq!(bench["joints"], 2, "{bench}");
}

#[test]
fn the_content_tells_the_format_whatever_the_name_says() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["walk.BVH", "walk.txt", "walk"] {
        let file = written(folder.path(), name, WALK);
        assert_eq!(throng(line("info --json", &file)).json()["clips"][0]["name"], "walk", "{name}");
    }
    let gltf =
        r#"{ "asset": { "version": "2.0" }, "nodes": [{ "name": "a" }], "skins": [{ "joints": [0] }] }"#;
    let file = written(folder.path(), "walk.data", gltf);
    assert_eq!(throng(line("info --json", &file)).json()["joints"][0]["name"], "a");
    for (name, content, is, joint) in [("walk.glb", WALK, "BVH", "hips"), ("other.bvh", gltf, "glTF", "a")] {
        let answer = throng(line("info --json", written(folder.path(), name, content))).json();
        assert_eq!(answer["joints"][0]["name"], joint, "{name}");
        let remark = format!("the content is {is}, although the name of the file says otherwise");
        let report = answer["report"].as_array().unwrap();
        assert!(report.iter().any(|line| line["what"] == remark), "{report:?}");
    }
    let run = throng(line("info", folder.path().join("none.txt")));
    assert!(run.error().contains("none.txt: can't be read"), "{run:?}");
}

#[test]
fn an_error_names_the_file_and_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "bad.bvh", &WALK.replace("1 90 0", "1 90"));
    let run = throng(line("pose --clip 0 --time 0", &file));
    assert!(
        run.error().ends_with("bad.bvh: line 17: found 4 numbers in row 1, expected 5, one a channel"),
        "{run:?}"
    );
    let file = written(folder.path(), "still.bvh", WALK.split("MOTION").next().unwrap());
    let run = throng(line("pose --clip 0 --time 0", &file));
    assert!(run.error().ends_with("the file has no clips"), "{run:?}");
    assert_eq!(throng(line("info --json", &file)).json()["report"][0]["what"], "no MOTION, so no clip");
}

#[test]
fn real_files_pose_as_the_oracle_says() {
    let Some(folder) = assets() else { return };
    let text = std::fs::read_to_string(folder.join("bvh_oracle/cmu_12_01_walk.json")).unwrap();
    let oracle: Value = serde_json::from_str(&text).unwrap();
    for row in [0, 173, 523] {
        let time = f64::from(row) * 0.0083333;
        let what = format!("pose --clip bvh_cmu_12_01_walk --time {time}");
        let pose = throng(line(&what, folder.join("bvh_cmu_12_01_walk.bvh"))).json();
        let joints = pose["joints"].as_array().unwrap();
        let expected = oracle["frames"][row.to_string()].as_object().unwrap();
        assert_eq!(joints.len(), expected.len());
        let spread = |axis: usize| {
            let along = || expected.values().map(|place| numbers(place)[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let extent = spread(0).max(spread(1)).max(spread(2));
        for joint in joints {
            let place = &numbers(&joint["model"])[12..15];
            let off = difference(place, &numbers(&expected[joint["name"].as_str().unwrap()]));
            assert!(off <= 1e-4 * extent, "{joint} in row {row}: off by {off}");
        }
    }
}
