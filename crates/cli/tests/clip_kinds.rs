//! `throng clip` and `throng info` on whatever a file can hold: morph weights, properties, motion capture, any names.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, line, marcher, throng};
use serde_json::{Value, json};

const BVH: &str = "HIERARCHY
ROOT hips
{
    OFFSET 0 0 0
    CHANNELS 4 Yposition Zrotation Xrotation Yrotation
    End Site { OFFSET 0 2 0 }
}
MOTION
Frames: 3
Frame Time: 0.5
1.0 0 0 0
1.2 0 0 90
1.4 10 0 0
";

/// A clip of a file, written with these options; then the run, and the file.
fn clipped(folder: &Path, file: &Path, options: &str) -> (Run, PathBuf) {
    let out = folder.join("out.glb");
    let mut args = line(&format!("clip --json {options} -o"), &out);
    args.push(file.to_owned());
    (throng(args), out)
}

/// A node with two morph targets and a property, a material of which one property moves, and all in one clip.
fn odd(folder: &Path) -> PathBuf {
    let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let bytes = [floats(&[0.0, 2.0]), floats(&[0.0, 0.5, 1.0, 0.25]), floats(&[0.25, 0.75])].concat();
    fs::write(folder.join("odd.bin"), &bytes).unwrap();
    let view = |at: usize, length: usize| json!({ "buffer": 0, "byteOffset": at, "byteLength": length });
    let numbers = |view: usize, count: usize| json!({ "bufferView": view, "componentType": 5126, "count": count, "type": "SCALAR", "min": [0], "max": [2] });
    let pointer =
        |to: &str| json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": to } } });
    let channel = |sampler: usize, target: Value| json!({ "sampler": sampler, "target": target });
    let odd = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_animation_pointer"],
        "buffers": [{ "uri": "odd.bin", "byteLength": bytes.len() }],
        "bufferViews": [view(0, 8), view(8, 16), view(24, 8)],
        "accessors": [numbers(0, 2), numbers(1, 4), numbers(2, 2)],
        "materials": [{}],
        "meshes": [{
            "primitives": [{ "attributes": {}, "targets": [{}, {}] }],
            "extras": { "targetNames": ["smile", "frown"] },
        }],
        "nodes": [{ "name": "root", "children": [1] }, { "name": "face", "mesh": 0, "extras": { "glow\u{1b}": 1 } }],
        "animations": [{
            "name": "mood",
            "samplers": [{ "input": 0, "output": 1 }, { "input": 0, "output": 2 }],
            "channels": [
                channel(0, json!({ "node": 1, "path": "weights" })),
                channel(1, pointer("/materials/0/alphaCutoff")),
                channel(1, pointer("/nodes/1/extras/glow\u{1b}")),
            ],
        }],
    });
    let file = folder.join("odd.gltf");
    fs::write(&file, odd.to_string()).unwrap();
    file
}

#[test]
fn weights_and_properties_are_shown_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = odd(folder.path());
    let (run, out) = clipped(folder.path(), &file, "--clip mood");
    let answer = run.json();
    assert_eq!((&answer["tracks"], &answer["keys"]), (&json!(3), &json!(6)));
    assert_eq!(answer["report"].as_array().unwrap().len(), 1, "the material is not in the file: {answer}");
    for file in [&file, &out] {
        let info = throng(line("info --json", file)).json();
        assert_eq!(info["morphs"][0]["names"], json!(["smile", "frown"]));
        let clip = &info["clips"][0];
        assert_eq!((&clip["tracks"], &clip["seconds"]), (&json!(3), &json!(2.0)));
        assert_eq!(clip["channels"], json!({ "scalar": 2, "weights": 1 }));
        assert_eq!(clip["interpolations"], json!({ "LINEAR": 3 }));
        assert_eq!(clip["weights"], json!([{ "joint": 1, "count": 2 }]));
        let property = |name: &str, joint: Value| json!({ "name": name, "joint": joint, "channel": "scalar", "interpolation": "LINEAR", "keys": 2 });
        let both = [property("/materials/0/alphaCutoff", json!(null)), property("glow\u{1b}", json!(1))];
        assert_eq!(clip["properties"], json!(both));
        let text = throng(line("info", file)).stdout;
        for said in [
            "scalar 2, weights 1",
            "clip 0 moves 2 morph weights of joint 1",
            "alphaCutoff\": scalar, LINEAR, 2 keys",
        ] {
            assert!(text.contains(said), "{said} in {text}");
        }
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn every_change_of_weights_and_properties_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = odd(folder.path());
    for options in
        ["--subclip 0.5:1.5", "--reverse", "--mirror", "--resample 10", "--reduce 1", "--additive 0"]
    {
        let (run, out) = clipped(folder.path(), &file, &format!("--clip 0 {options}"));
        assert_eq!(run.json()["tracks"], json!(3), "{options}");
        let info = throng(line("info --json", &out)).json();
        assert_eq!(info["clips"][0]["channels"], json!({ "scalar": 2, "weights": 1 }), "{options}");
        assert_eq!(info["report"], json!([]), "{options}");
    }
}

#[test]
fn motion_capture_is_written_and_its_end_sites_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("turn.bvh");
    fs::write(&file, BVH).unwrap();
    let info = throng(line("info --json", &file)).json();
    assert_eq!(info["end_sites"], json!([{ "joint": 0, "offset": [0.0, 2.0, 0.0] }]));
    assert!(throng(line("info", &file)).stdout.contains("end sites 1"));
    for options in ["", "--reverse --resample 7", "--subclip 0.25:0.75", "--mirror --reduce 0.1 --unit 0.01"]
    {
        let (run, out) = clipped(folder.path(), &file, &format!("--clip turn {options}"));
        assert_eq!(run.json()["tracks"], json!(2), "{options}");
        assert!(throng(line("info --json", &out)).json()["bake_error"].is_null());
    }
    // No joint has another side, which is worth a line.
    let (run, _) = clipped(folder.path(), &file, "--clip turn --mirror");
    let report = &run.json()["report"];
    assert!(report[0]["what"].as_str().unwrap().starts_with("no two joints"), "{report}");
}

#[test]
fn a_file_without_the_clip_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.gltf");
    let empty = json!({
        "asset": { "version": "2.0" },
        "nodes": [{}],
        "skins": [{ "joints": [0] }],
        "animations": [{ "name": "none", "channels": [], "samplers": [] }],
    });
    fs::write(&file, empty.to_string()).unwrap();
    let (run, out) = clipped(folder.path(), &file, "--clip none");
    assert!(run.error().contains("\"none\" holds nothing that glTF can hold"), "{run:?}");
    assert!(!out.exists());
}

#[test]
fn a_stretch_beyond_the_clip_is_remarked() {
    let folder = tempfile::tempdir().unwrap();
    for (stretch, told) in [("0.2:0.7", 0), ("0.5:9", 1), ("8:9", 1)] {
        let (run, _) = clipped(folder.path(), &marcher(), &format!("--clip run --subclip {stretch}"));
        let answer = run.json();
        assert_eq!(answer["report"].as_array().unwrap().len(), told, "{answer}");
    }
}

#[test]
fn numbers_below_zero_are_refused_for_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    for (options, said) in [
        ("--subclip -1:2", "start <= end"),
        ("--resample -5", "rate must be above 0"),
        ("--reduce -1", "must be 0 or above"),
    ] {
        let (run, _) = clipped(folder.path(), &marcher(), &format!("--clip run {options}"));
        assert!(run.error().contains(said), "{run:?}");
    }
    for options in ["--unit -1", "--unit 0", "--unit nan"] {
        let (run, _) = clipped(folder.path(), &marcher(), &format!("--clip run {options}"));
        assert!(run.usage_error().contains("metres above 0"), "{run:?}");
    }
}

#[test]
fn only_what_is_written_is_named_so() {
    for name in ["out.gltf", "out.bvh", "out", "/dev/null"] {
        let run = throng(line("clip --clip run marcher.glb -o", name));
        assert!(run.usage_error().contains("ends in .glb"), "{run:?}");
    }
}
