//! All tests of the crate, as one binary: a binary for each file would link the same libraries again.

mod bank;
mod bind_pose;
mod binding;
mod broken;
mod bytes;
mod common;
#[cfg(feature = "export")]
mod export;
#[cfg(feature = "export")]
mod export_file;
#[cfg(feature = "export")]
mod export_kinds;
mod extensions;
mod files;
mod left_out;
#[cfg(feature = "export")]
mod markers;
mod meshes;
mod morph;
mod mutation;
mod oracle;
mod rules;
mod skinned;
mod skinning;

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
