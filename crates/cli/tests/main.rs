//! All tests of the command, as one binary: a binary for each file would link the same libraries again.

mod bench;
mod bvh;
mod clip;
mod clip_kinds;
mod clip_mirror;
mod common;
mod files;
mod info;
mod left_out;
mod pose;
mod select;
mod stdout;
mod street;
mod unit;

/// A file that no `mod` names is never compiled, and its tests never run.
#[test]
fn every_file_is_named() {
    let this = include_str!("main.rs");
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap();
    for file in folder {
        let name = file.unwrap().file_name().into_string().unwrap();
        let Some(module) = name.strip_suffix(".rs") else { continue };
        let declared = this.lines().any(|line| line == format!("mod {module};"));
        assert!(declared || module == "main", "tests/main.rs lacks `mod {module};`");
    }
}
