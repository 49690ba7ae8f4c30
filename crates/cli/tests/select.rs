//! Which clip an argument names, where names look like indices.

use crate::common;

use std::path::{Path, PathBuf};

use common::{line, throng};
use serde_json::json;

/// A file with clips of these names, each of which turns nothing.
fn file(folder: &Path, names: &[&str]) -> PathBuf {
    let clip = |name: &&str| json!({ "name": name, "channels": [], "samplers": [] });
    let gltf = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "root" }],
        "skins": [{ "joints": [0] }],
        "animations": names.iter().map(clip).collect::<Vec<_>>(),
    });
    let file = folder.join("named.gltf");
    std::fs::write(&file, gltf.to_string()).unwrap();
    file
}

#[test]
fn every_clip_can_be_named_by_its_index() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a", "a", "", "0", "1", "#1", "#walk", "##1", "#"];
    let file = file(folder.path(), &names);
    for (wanted, name) in names.iter().enumerate() {
        let pose = throng(line(&format!("pose --time 0 --clip #{wanted}"), &file)).json();
        assert_eq!((&pose["clip_index"], &pose["clip"]), (&json!(wanted), &json!(name)));
    }
    for (wanted, index) in [
        ("a", 0),
        ("0", 3),
        ("1", 4),
        ("2", 2),
        ("##1", 7),
        ("#walk", 6),
        ("###1", 7),
        ("#", 8),
        ("##walk", 6),
    ] {
        let pose = throng(line(&format!("pose --time 0 --clip {wanted}"), &file)).json();
        assert_eq!(pose["clip_index"], json!(index), "{wanted}");
    }
    let only_hash = self::file(folder.path(), &["a", "#1"]);
    let pose = throng(line("pose --time 0 --clip ##1", &only_hash)).json();
    assert_eq!(pose["clip_index"], json!(1));
}

#[test]
fn no_such_clip_is_told_by_index_or_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(folder.path(), &["a", "b"]);
    for (wanted, told) in [
        ("#2", "no clip has index 2"),
        ("2", "no clip has index 2"),
        ("#x", "no clip is named \"#x\""),
        ("##0", "no clip is named \"##0\""),
        ("+1", "no clip is named \"+1\""),
        ("#99999999999999999999999", "no clip is named"),
    ] {
        let run = throng(line(&format!("pose --time 0 --clip {wanted}"), &file));
        assert!(run.error().contains(told), "{run:?}");
    }
    for command in ["pose", "clip", "bench"] {
        let help = throng([command, "--help"]);
        assert!(help.stdout.contains("##2 is the clip named #2"), "{help:?}");
    }
}
