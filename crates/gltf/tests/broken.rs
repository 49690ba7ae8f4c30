//! Files with one fault each: an error that names it or an import that reports a line, never a panic, and no change goes
//! unseen.

use crate::common;

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What each file is known to give.
const OUTCOMES: &str = include_str!("broken.txt");

/// The files of the folder that have something to pose and no fault.
const VALID: [&str; 4] = [
    "animation/custom_property.gltf",
    "animation/valid.gltf",
    "node/valid.gltf",
    "skin/custom_property.gltf",
];

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|e| e == "gltf" || e == "glb") {
            into.push(path);
        }
    }
}

#[test]
fn each_broken_file_gives_what_it_is_known_to_give() {
    let Some(assets) = common::assets() else { return };
    let folder = assets.join("bad_khronos_validator");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    paths.sort();
    let mut outcomes = String::new();
    for path in paths {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        match throng_gltf::import(&path) {
            Ok(import) => {
                assert_eq!(
                    import.report.is_empty(),
                    VALID.contains(&name.as_str()),
                    "{name}: {}",
                    import.report
                );
                let (joints, clips) = (import.skeleton.joint_count(), import.clips.len());
                writeln!(outcomes, "{name} -> {joints} joints, {clips} clips").unwrap();
                import.report.lines().iter().for_each(|line| writeln!(outcomes, "    {line}").unwrap());
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.starts_with(&format!("{}: ", path.display())), "{text}");
                assert!(!text.contains('\n'), "{text}");
                writeln!(outcomes, "{name} -> error: {}", error.problem).unwrap();
            }
        }
    }
    if outcomes != OUTCOMES {
        let seen = std::env::temp_dir().join("throng_broken.txt");
        std::fs::write(&seen, &outcomes).unwrap();
        let change = outcomes.lines().zip(OUTCOMES.lines()).find(|(a, b)| a != b);
        panic!("outcomes changed, the first is {change:?}; all are in {}", seen.display());
    }
}
