//! Rust's libraries from Debian's packages, for machines that reach those but not rustup's downloads.
//!
//! Debian ships a recent compiler with the source of its libraries (`rustc-web`, `rust-web-src`), from which cargo can
//! build them for any target. They would get in the way of another compiler if installed, so they are unpacked into a
//! folder of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::target::Target;
use super::tools::Tools;

/// Why the packages could not be had.
#[derive(Debug, Error)]
pub(crate) enum DebianError {
    #[error("{command}: {source}")]
    Run { command: String, source: std::io::Error },
    #[error("{command} failed ({status}); it needs Debian 12 or later, and `apt-get update` first")]
    Failed { command: String, status: std::process::ExitStatus },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
}

/// Unpacks the packages into `folder` unless they are there, and returns its full path.
pub(super) fn fetch(folder: &Path) -> Result<PathBuf, DebianError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        |source| DebianError::File { path, source }
    };
    std::fs::create_dir_all(folder).map_err(at(folder))?;
    let folder = folder.canonicalize().map_err(at(folder))?;
    let done = folder.join("unpacked");
    if done.is_file() {
        return Ok(folder);
    }
    let packages = folder.join("packages");
    std::fs::create_dir_all(&packages).map_err(at(&packages))?;
    let names = names()?;
    let download = ["download", "--quiet=2", "--option=APT::Sandbox::User=root"];
    run(Command::new("apt-get").args(download).args(&names).current_dir(&packages))?;
    for file in std::fs::read_dir(&packages).map_err(at(&packages))?.flatten() {
        run(Command::new("dpkg").arg("-x").arg(file.path()).arg(&folder))?;
    }
    std::fs::remove_dir_all(&packages).map_err(at(&packages))?;
    // Where the compiler looks for what every program of WASI starts with.
    let own = rustlib(&folder).join(Target::Wasm32.triple()).join("lib").join("self-contained");
    std::fs::create_dir_all(&own).map_err(at(&own))?;
    for name in ["crt1-command.o", "crt1-reactor.o", "libc.a"] {
        let from = folder.join("usr/lib/wasm32-wasi").join(name);
        std::fs::copy(&from, own.join(name)).map_err(at(&from))?;
    }
    std::fs::write(&done, names.join("\n")).map_err(at(&done))?;
    Ok(folder)
}

/// The compiler and what it depends on of its own, whatever their versions, its source, and WASI's C library.
fn names() -> Result<Vec<String>, DebianError> {
    let command = "apt-cache depends rustc-web";
    let arguments = ["depends", "--recurse", "--important", "rustc-web"];
    let output = Command::new("apt-cache").args(arguments).output();
    let output = output.map_err(|source| DebianError::Run { command: command.to_owned(), source })?;
    if !output.status.success() {
        return Err(DebianError::Failed { command: command.to_owned(), status: output.status });
    }
    let mut names: Vec<String> = ["rustc-web", "rust-web-src", "wasi-libc"].map(str::to_owned).into();
    names.extend(libraries(&String::from_utf8_lossy(&output.stdout)));
    Ok(names)
}

/// The compiler's own libraries, of a list with one package a line and what it depends on indented below.
fn libraries(depends: &str) -> impl Iterator<Item = String> + '_ {
    let own = |name: &&str| name.starts_with("libstd-rust-web") || name.starts_with("libllvm");
    depends.lines().filter(own).map(str::to_owned)
}

fn run(command: &mut Command) -> Result<(), DebianError> {
    let named = command_line(command);
    let status = command.status().map_err(|source| DebianError::Run { command: named.clone(), source })?;
    if status.success() { Ok(()) } else { Err(DebianError::Failed { command: named, status }) }
}

fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn rustlib(folder: &Path) -> PathBuf {
    folder.join("usr/lib/rustlib")
}

/// Tells cargo to take the compiler in `folder`, and to build the libraries for the target from their source. The linker
/// for wasm is that of the compiler whose root is `sysroot`.
pub(super) fn use_libraries(folder: &Path, sysroot: &Path, target: Target, tools: &mut Tools) {
    let arch = std::env::consts::ARCH;
    let mut set = |name: String, value: PathBuf| tools.variables.push((name, value.display().to_string()));
    set("RUSTC".to_owned(), folder.join("usr/bin/rustc"));
    set("LD_LIBRARY_PATH".to_owned(), folder.join(format!("usr/lib/{arch}-linux-gnu")));
    // Building the libraries is not stable yet.
    set("RUSTC_BOOTSTRAP".to_owned(), PathBuf::from("1"));
    if target == Target::Wasm32 {
        let linker = sysroot.join(format!("lib/rustlib/{arch}-unknown-linux-gnu/bin/rust-lld"));
        set(target.variable("LINKER"), linker);
        // WASI's library is older than the compiler, and lacks calls for threads, of which there are none.
        tools.rust_flags.push("-Clink-arg=--unresolved-symbols=ignore-all");
    }
    tools.cargo_arguments.push("-Zbuild-std=std,panic_abort".to_owned());
}

#[cfg(test)]
mod tests {
    use super::libraries;

    #[test]
    fn libraries_are_found_whatever_their_version() {
        let depends = "rustc-web\n  Depends: libc6\n  Depends: libllvm31\nlibc6\nlibllvm31\n  Depends: libc6\n\
            libstd-rust-web-dev\n  Depends: libstd-rust-web-2.7\nlibstd-rust-web-2.7\ngcc\n";
        let found: Vec<String> = libraries(depends).collect();
        assert_eq!(found, ["libllvm31", "libstd-rust-web-dev", "libstd-rust-web-2.7"]);
    }
}
