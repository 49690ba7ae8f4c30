//! Clips that can't be built or baked are left out by name, and what the flags of the import do about it.

use crate::common;

use std::path::{Path, PathBuf};

use common::{line, throng};
use serde_json::{Value, json};

/// A glTF of two joints, one above the other, both in a skin.
struct File {
    json: Value,
    bytes: Vec<u8>,
}

impl File {
    fn new() -> Self {
        let tip = json!({ "name": "tip", "translation": [0, 1, 0] });
        let json = json!({
            "asset": { "version": "2.0" },
            "nodes": [{ "name": "root", "children": [1] }, tip],
            "skins": [{ "joints": [0, 1] }],
            "accessors": [], "bufferViews": [], "animations": [],
        });
        Self { json, bytes: Vec::new() }
    }

    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": 4 * values.len() });
        self.bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        let view = self.push("bufferViews", view);
        let count = values.len() / width;
        let accessor = json!({
            "bufferView": view, "componentType": 5126, "type": kind, "count": count, "min": [0], "max": [0]
        });
        self.push("accessors", accessor)
    }

    /// Adds a clip that moves the tip, with as many places as times.
    fn clip(mut self, name: &str, times: &[f32]) -> Self {
        let values: Vec<f32> = (0..3 * times.len()).map(|i| i as f32).collect();
        let (input, output) = (self.floats("SCALAR", 1, times), self.floats("VEC3", 3, &values));
        let animation = json!({
            "name": name,
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }],
            "samplers": [{ "input": input, "output": output }],
        });
        self.push("animations", animation);
        self
    }

    fn write(mut self, folder: &Path) -> PathBuf {
        self.json["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": "file.bin" }]);
        std::fs::write(folder.join("file.bin"), self.bytes).unwrap();
        let file = folder.join("file.gltf");
        std::fs::write(&file, self.json.to_string()).unwrap();
        file
    }
}

#[test]
fn a_clip_too_long_for_the_bank_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let late = File::new().clip("abs", &[1e5, 1e5 + 1.0]).clip("walk", &[0.0, 1.0]).write(folder.path());
    let info = throng(line("info --json", &late)).json();
    assert_eq!(info["clips"].as_array().unwrap().len(), 2);
    assert_eq!(info["bake"]["clips"][0]["index"], 1);
    assert_eq!(info["bake"]["clips"][0]["name"], "walk");
    assert_eq!(info["bake"]["largest_error"]["clip_index"], 1);
    let left_out = &info["bake"]["left_out"][0];
    assert_eq!((&left_out["index"], &left_out["name"]), (&json!(0), &json!("abs")));
    assert!(left_out["why"].as_str().unwrap().contains("--trim-start"), "{left_out}");
    let said = "clip 0 (\"abs\") is not in the bank: found ";
    assert!(throng(line("info", &late)).stdout.contains(said));

    // The mapping between the clips of the file and those of the bank is kept.
    let posed = throng(line("pose --clip walk --time 0.5 --path bank", &late)).json();
    let exact = throng(line("pose --clip walk --time 0.5", &late)).json();
    assert_eq!((&posed["clip"], &posed["clip_index"]), (&json!("walk"), &json!(1)));
    assert_eq!(posed["joints"], exact["joints"]);
    let refused = throng(line("pose --clip abs --time 0 --path bank", &late));
    assert!(refused.error().contains(said), "{refused:?}");
    throng(line("pose --clip abs --time 100000", &late)).json();

    for bench in ["bench", "bench --additive", "bench --scenario street"] {
        let run = throng(line(&format!("{bench} --json --instances 3 --frames 2 --threads 1"), &late));
        assert!(run.stderr.contains(said), "{run:?}");
        run.json();
    }
}

#[test]
fn a_file_of_which_no_clip_fits_the_bank_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let late = File::new().clip("abs", &[1e30]).write(folder.path());
    for bench in ["bench", "bench --additive", "bench --scenario street"] {
        let run = throng(line(&format!("{bench} --instances 3 --frames 2 --threads 1"), &late));
        let error = run.stderr.lines().last().unwrap_or_default();
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(error.contains("file.gltf: clip 0 (\"abs\") is not in the bank: found "), "{run:?}");
    }
    assert_eq!(throng(line("info --json", &late)).json()["bake"]["rows"], 0);
}

#[test]
fn the_flags_of_the_import_are_those_of_every_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::new().clip("walk", &[0.0, 1.0]).clip("early", &[-1.0, 1.0]).clip("nan", &[f32::NAN]);
    let file = file.clip("late", &[1e5, 1e5 + 1.0]).write(folder.path());
    let commands = [
        "info --json".to_owned(),
        "pose --clip walk --time 0.5".to_owned(),
        format!("clip --clip walk --json --output {}", folder.path().join("out.glb").display()),
        "bench --json --clips walk --instances 3 --frames 2 --threads 1".to_owned(),
    ];
    for command in &commands {
        throng(line(command, &file)).json();
        throng(line(&format!("{command} --trim-start --raw-cubic-keys --rest-from-bind"), &file)).json();
        let run = throng(line(&format!("{command} --strict"), &file));
        let error = run.stderr.lines().last().unwrap_or_default();
        assert_eq!(run.code, Some(1), "{command}: {run:?}");
        assert!(error.contains("file.gltf: animations[1].channels[0]: found key 0 of track"), "{run:?}");
        assert!(error.contains("`--shift-negative-times`"), "{run:?}");
    }

    let info = |flags: &str| throng(line(&format!("info --json {flags}"), &file)).json();
    let names = |info: &Value, list: &str| -> Vec<String> {
        let clips = if list == "clips" { &info["clips"] } else { &info["bake"]["left_out"] };
        clips.as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap().to_owned()).collect()
    };
    let plain = info("");
    assert_eq!(
        (names(&plain, "clips"), names(&plain, "left_out")),
        (vec!["walk".into(), "late".into()], vec!["late".into()])
    );
    let skipped: Vec<&Value> =
        plain["report"].as_array().unwrap().iter().filter(|l| l["kind"] == "skip").collect();
    assert_eq!(skipped.len(), 2);
    assert_eq!(skipped[0]["place"], "animations[1]");
    assert!(skipped[0]["what"].as_str().unwrap().starts_with("clip \"early\" is left out: "));
    let shifted = info("--shift-negative-times --trim-start");
    assert_eq!(names(&shifted, "clips"), ["walk", "early", "late"]);
    assert!(names(&shifted, "left_out").is_empty());

    // A clip that was left out is not merely unknown.
    let unknown = throng(line("pose --clip early --time 0", &file));
    assert!(unknown.error().contains("\"early\" is left out: animations[1].channels[0]"), "{unknown:?}");
}
