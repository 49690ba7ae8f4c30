//! `throng info`, as people and programs run it.

use crate::common;

use common::{line, marcher, throng};
use serde_json::json;

#[test]
fn json_tells_what_is_in_the_file() {
    let info = throng(line("info --json", marcher())).json();
    let joints = info["joints"].as_array().unwrap();
    assert_eq!(joints[0], json!({ "index": 0, "node": 0, "name": "armature", "parent": null }));
    for (index, joint) in joints.iter().enumerate() {
        assert_eq!(joint["index"], index);
        assert!(joint["parent"].as_u64().is_none_or(|parent| parent < index as u64));
    }
    assert_eq!(info["skins"][0]["name"], "marcher");
    assert_eq!(info["skins"][0]["joints"].as_array().unwrap().len(), 62);
    let clips = info["clips"].as_array().unwrap();
    let names: Vec<_> = clips.iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["walk", "run", "idle", "wave"]);
    assert_eq!(clips[1]["seconds"], 0.7);
    for clip in clips {
        let tracks: u64 =
            clip["interpolations"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(clip["tracks"], tracks);
        assert!(clip["keys"].as_u64().unwrap() >= tracks);
    }
    assert_eq!(clips[2]["interpolations"]["CUBICSPLINE"], 1);
    assert_eq!(clips[3]["interpolations"]["STEP"], 1);
    assert_eq!(info["report"], json!([]));
}

#[test]
fn json_tells_what_a_bake_would_be() {
    let bake = &throng(line("info --json", marcher())).json()["bake"];
    let clips = bake["clips"].as_array().unwrap();
    let rates: Vec<_> = clips.iter().map(|c| c["rate_hz"].as_f64().unwrap()).collect();
    assert_eq!(rates, [30.0, 60.0, 24.0, 30.0]);
    let rows: u64 = clips.iter().map(|c| c["rows"].as_u64().unwrap()).sum();
    assert_eq!(bake["rows"], rows);
    assert_eq!(bake["bytes"].as_u64().unwrap() % rows, 0, "rows have one size");
    let errors: Vec<_> = clips.iter().map(|c| c["largest_error"]["error"].as_f64().unwrap()).collect();
    let largest = &bake["largest_error"];
    assert_eq!(largest["error"], errors.iter().copied().fold(0.0, f64::max));
    let worst = &clips[largest["clip_index"].as_u64().unwrap() as usize];
    assert_eq!(worst["name"], largest["clip"]);
    assert_eq!(worst["largest_error"]["joint"], largest["joint"]);
    assert!(bake["extent"].as_f64().unwrap() > 1.5, "a figure of 1.8 m");
}

/// Rows of sixteen bits add an error of their own, which is told beside that of the bake.
#[test]
fn json_tells_what_sixteen_bits_cost() {
    let bake = &throng(line("info --json", marcher())).json()["bake"];
    let stored = &bake["stored"];
    let errors: Vec<f64> =
        stored["clips"].as_array().unwrap().iter().map(|c| c["error"].as_f64().unwrap()).collect();
    assert_eq!(errors.len(), bake["clips"].as_array().unwrap().len());
    let largest = &stored["largest_error"];
    assert_eq!(largest["error"], errors.iter().copied().fold(0.0, f64::max));
    assert_eq!(largest["clip"], bake["clips"][largest["clip_index"].as_u64().unwrap() as usize]["name"]);
    assert!((1e-6..2e-4).contains(&largest["error"].as_f64().unwrap()), "{largest}");
    assert!(stored["packed_columns"].as_u64().unwrap() > 10 * stored["float_columns"].as_u64().unwrap());
}

#[test]
fn tables_are_for_people() {
    let run = throng(line("info", marcher()));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for word in ["joints 63", "walk", "CUBICSPLINE 1", "0.700", "Largest error", "Rows of sixteen bits add"] {
        assert!(run.stdout.contains(word), "{word} in {}", run.stdout);
    }
}

#[test]
fn repairs_are_told_and_names_can_not_command_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.gltf");
    let odd = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "a\u{1b}[2Jb", "rotation": [0, 0, 0, 0] }],
        "skins": [{ "name": "s\u{1b}[2J\n", "joints": [0] }],
    });
    std::fs::write(&file, odd.to_string()).unwrap();
    let info = throng(line("info --json", &file)).json();
    assert_eq!(info["report"][0]["kind"], "repair");
    assert_eq!(info["report"][0]["place"], "nodes[0].rotation");
    assert_eq!(info["bake"]["largest_error"], json!(null));
    let run = throng(line("info", &file));
    assert!(run.stdout.contains("repair: nodes[0].rotation"));
    assert!(!run.stdout.contains('\u{1b}') && run.stdout.contains("s\\u{1b}[2J\\n"));
}

#[test]
fn what_can_not_be_read_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing\nfile.glb");
    let run = throng(line("info --json", &missing));
    assert!(run.error().contains("missing\\nfile.glb: can't be read"), "{run:?}");
    let text = folder.path().join("text.glb");
    std::fs::write(&text, "no glTF at all").unwrap();
    let run = throng(line("info", &text));
    assert!(run.error().contains("text.glb: line 1, column"), "{run:?}");
    throng(line("info", folder.path())).error();
    throng(["info"]).usage_error();
}

#[test]
fn a_rest_beyond_all_numbers_is_a_bake_error_and_no_null() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("far.gltf");
    let far = |x: f64| json!({ "translation": [x, 0, 0] });
    // The one model matrix leaves all numbers, or only the distance of the two does.
    let below = json!([{ "translation": [3e38, 0, 0], "children": [1] }, far(3e38)]);
    for nodes in [below, json!([far(-3e38), far(3e38)])] {
        let far = json!({ "asset": { "version": "2.0" }, "nodes": nodes, "skins": [{ "joints": [0, 1] }] });
        std::fs::write(&file, far.to_string()).unwrap();
        let info = throng(line("info --json", &file)).json();
        assert_eq!(info["bake"], json!(null));
        let error = info["bake_error"].as_str().unwrap();
        assert!(error.contains("far.gltf: the rest pose goes beyond all numbers"), "{error}");
        assert!(throng(line("info", &file)).stdout.contains("beyond all numbers"));
    }
}
