//! The kernels, compiled the way a user's build compiles them, to assembly.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::AsmError;

/// Compiles throng-kernels in release without any flags of the environment, and reads what came out.
pub(super) fn kernels() -> Result<String, AsmError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = root.join("target").join("asm");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(&root)
        .args(["rustc", "--quiet", "--release", "--package", "throng-kernels", "--lib", "--target-dir"])
        .arg(&target)
        .args(["--", "--emit=asm", "-Csymbol-mangling-version=v0", "-Cdebuginfo=0", "-Ccodegen-units=1"])
        // Incremental builds keep small functions of other crates out of line.
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()?;
    if !status.success() {
        return Err(AsmError::Compile { status });
    }
    let folder = target.join("release").join("deps");
    let listing = newest(&folder)?.ok_or(AsmError::NoListing { folder: folder.display().to_string() })?;
    Ok(std::fs::read_to_string(listing)?)
}

fn newest(folder: &Path) -> Result<Option<PathBuf>, std::io::Error> {
    let mut newest = None;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("throng_kernels-") && name.ends_with(".s") {
            let written = path.metadata()?.modified()?;
            newest = newest.max(Some((written, path)));
        }
    }
    Ok(newest.map(|(_, path)| path))
}
