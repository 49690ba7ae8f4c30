//! What building and running for another processor needs, found or named.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::target::Target;
use super::{CrossError, debian};

/// How cargo is told of the tools.
#[derive(Debug, Default)]
pub(super) struct Tools {
    pub(super) cargo_arguments: Vec<String>,
    pub(super) rust_flags: Vec<&'static str>,
    pub(super) variables: Vec<(String, String)>,
}

/// A tool that is not there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    target: Target,
    what: String,
    how: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: no {}; to get it: {}", self.target, self.what, self.how)
    }
}

/// The tools for a target, or all that it lacks. What cargo's own variables name is taken on trust.
pub(super) fn find(
    target: Target,
    test: bool,
    debian: Option<&Path>,
) -> Result<Result<Tools, Vec<Missing>>, CrossError> {
    let mut tools = Tools::default();
    let mut missing = Vec::new();
    tools.rust_flags.push(target.rust_flags());

    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    if !has_std(&rustc, target)? {
        let how = format!("`rustup target add {target}`, or `--debian FOLDER` where there is apt-get");
        match debian.map(debian::fetch) {
            Some(Ok(folder)) => {
                let sysroot = PathBuf::from(said(&rustc, &["--print", "sysroot"])?);
                debian::use_libraries(&folder, &sysroot, target, &mut tools);
            }
            Some(Err(error)) => {
                missing.push(Missing { target, what: format!("libraries of Rust ({error})"), how });
            }
            None => missing.push(Missing { target, what: "libraries of Rust".to_owned(), how }),
        }
    }

    let native = target == Target::Aarch64 && cfg!(target_arch = "aarch64");
    let mut need = |variable: &str, programs: &[&str], arguments: &str, how: &str| {
        let name = target.variable(variable);
        if native || std::env::var_os(&name).is_some() {
            return;
        }
        match programs.iter().find_map(|program| on_path(program)) {
            Some(program) => tools.variables.push((name, format!("{}{arguments}", program.display()))),
            None => {
                missing.push(Missing { target, what: programs[0].to_owned(), how: how.to_owned() });
            }
        }
    };
    match target {
        Target::Aarch64 => {
            let packages = "`apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross`";
            need("LINKER", &["aarch64-linux-gnu-gcc"], "", packages);
            if test {
                let package = "`apt-get install qemu-user`";
                need("RUNNER", &["qemu-aarch64", "qemu-aarch64-static"], "", package);
            }
        }
        Target::Wasm32 => {
            if test {
                let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cross/wasi.mjs");
                let script = format!(" --no-warnings {}", script.display());
                need("RUNNER", &["node", "nodejs"], &script, "`apt-get install nodejs`, version 20 or later");
            }
        }
    }
    tools.variables.push((target.variable("RUSTFLAGS"), tools.rust_flags.join(" ")));
    Ok(if missing.is_empty() { Ok(tools) } else { Err(missing) })
}

/// Whether the compiler has its own libraries for the target.
fn has_std(rustc: &str, target: Target) -> Result<bool, CrossError> {
    let folder = said(rustc, &["--print", "target-libdir", "--target", target.triple()])?;
    let Ok(files) = std::fs::read_dir(folder) else { return Ok(false) };
    Ok(files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
}

/// The first line that a program says.
pub(super) fn said(program: &str, arguments: &[&str]) -> Result<String, CrossError> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|source| CrossError::Run { program: program.to_owned(), source })?;
    if !output.status.success() {
        let what = format!("{program} {}", arguments.join(" "));
        return Err(CrossError::Failed { what, status: output.status });
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_the_way_to_it() {
        let missing =
            Missing { target: Target::Wasm32, what: "node".to_owned(), how: "`get node`".to_owned() };
        assert_eq!(missing.to_string(), "wasm32-wasip1: no node; to get it: `get node`");
        assert_eq!(Target::Wasm32.variable("RUNNER"), "CARGO_TARGET_WASM32_WASIP1_RUNNER");
        assert_eq!(on_path("no-such-program-anywhere"), None);
    }

    #[test]
    fn the_compiler_has_its_own_libraries() {
        let folder = said("rustc", &["--print", "target-libdir"]).unwrap();
        assert!(Path::new(&folder).is_dir(), "{folder}");
        assert!(matches!(said("rustc", &["--print", "nothing"]), Err(CrossError::Failed { .. })));
    }
}
