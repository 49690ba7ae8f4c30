//! The crates built for other processors, and their tests run there.
//!
//! `cargo xtask asm` knows one processor, and no machine has all. So the libraries are built for the [`target`]s that
//! games run on besides, and their tests run under an emulator: those of the bits too, which must be those of this
//! machine. What that needs beyond cargo is looked for in [`tools`]; [`debian`] is one more way to Rust's own libraries.

mod debian;
mod target;
mod tools;

use std::path::Path;
use std::process::{Command, ExitCode};

use thiserror::Error;

pub(crate) use target::Target;
use tools::{Missing, Tools};

/// Random cases are one in so many, for an emulated instruction takes as long as dozens.
const FEWER_CASES: &str = "50";

/// Why there is no answer, or the answer is no.
#[derive(Debug, Error)]
pub(crate) enum CrossError {
    #[error("{program}: {source}")]
    Run { program: String, source: std::io::Error },
    #[error("{what} failed ({status})")]
    Failed { what: String, status: std::process::ExitStatus },
    #[error("not all of it could be done:{}", .0.iter().map(|m| format!("\n  {m}")).collect::<String>())]
    Missing(Vec<Missing>),
}

impl CrossError {
    /// 3 where only a tool is missing, so that a script can tell that from a fault.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Missing(_) => ExitCode::from(3),
            _ => ExitCode::FAILURE,
        }
    }
}

/// What is done for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Build,
    TestKernels,
    Test,
}

/// Builds for each target, or runs tests on each. A target that lacks a tool does not keep the others from
/// their turn.
pub(crate) fn run(targets: &[Target], work: Work, debian: Option<&Path>) -> Result<(), CrossError> {
    let mut missing = Vec::new();
    for target in targets {
        match tools::find(*target, work != Work::Build, debian)? {
            Ok(tools) if work == Work::Build => build(*target, &tools)?,
            Ok(tools) => run_tests(*target, work, &tools)?,
            Err(lacks) => missing.extend(lacks),
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(CrossError::Missing(missing)) }
}

fn build(target: Target, tools: &Tools) -> Result<(), CrossError> {
    println!("== {target}: build");
    cargo(target, tools, target.packages(), &["build", "--lib"])
}

fn run_tests(target: Target, work: Work, tools: &Tools) -> Result<(), CrossError> {
    println!("== {target}: levels, and their bits against the table");
    // By itself, for what it prints.
    let bits = ["test", "--test", "laws", "--", "bits::every", "--nocapture"];
    cargo(target, tools, &["throng-kernels"], &bits)?;
    let tested = target.tested();
    let tested = if work == Work::TestKernels { &tested[..1] } else { tested };
    for (package, told) in tested {
        println!("== {target}: tests of {package}, of random cases one in {FEWER_CASES}");
        let arguments = [&["test", "--lib", "--tests", "--"], *told].concat();
        cargo(target, tools, &[package], &arguments)?;
    }
    Ok(())
}

fn cargo(target: Target, tools: &Tools, packages: &[&str], arguments: &[&str]) -> Result<(), CrossError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let (command, arguments) = arguments.split_first().unwrap_or((&"build", &[]));
    let mut cargo = Command::new(&program);
    cargo
        .current_dir(&root)
        .args([command, "--quiet", "--target", target.triple(), "--target-dir"])
        .arg(root.join("target").join("cross"))
        .args(&tools.cargo_arguments)
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(arguments)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        // Whoever looks into a failure builds it again with them.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .env("THRONG_FEWER_CASES", FEWER_CASES)
        .env("PROPTEST_CASES", "8")
        .envs(tools.variables.iter().map(|(name, value)| (name, value)));
    let status = cargo.status().map_err(|source| CrossError::Run { program, source })?;
    if status.success() {
        return Ok(());
    }
    Err(CrossError::Failed { what: format!("cargo {command} for {target}"), status })
}
