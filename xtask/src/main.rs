//! `cargo xtask`: the chores of the project, one subcommand each.
#![forbid(unsafe_code)]

mod asm;
mod assets;
mod cross;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", about = "The chores of the project.")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Proves from the machine code that the kernels use whole registers and call nothing.
    Asm,
    /// Writes the sample character to assets/marcher.glb.
    Assets {
        /// Writes nothing; fails if the committed file differs.
        #[arg(long)]
        check: bool,
    },
    /// Builds the crates that pose characters for other processors.
    ///
    /// Exits with 3 if a tool is missing, and says how to get it.
    Cross {
        /// Which processors, by default all.
        targets: Vec<cross::Target>,
        /// Runs their tests too: those of aarch64 under qemu, those of wasm32 under node.
        #[arg(long)]
        test: bool,
        /// Of the tests runs only those of the kernels.
        #[arg(long, requires = "test")]
        quick: bool,
        /// Where the compiler has no libraries for a processor, takes Debian's, unpacked into this folder.
        #[arg(long, value_name = "FOLDER")]
        debian: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let fail = |error: &dyn std::error::Error, code| {
        eprintln!("error: {error}");
        code
    };
    let done: Result<(), Box<dyn std::error::Error>> = match Arguments::parse().chore {
        Chore::Asm => asm::check().map_err(Into::into),
        Chore::Assets { check: false } => assets::write(&assets::marcher_path()).map_err(Into::into),
        Chore::Assets { check: true } => assets::check(&assets::marcher_path()).map_err(Into::into),
        Chore::Cross { targets, test, quick, debian } => {
            let targets = if targets.is_empty() { &cross::Target::ALL[..] } else { &targets };
            let work = match (test, quick) {
                (false, _) => cross::Work::Build,
                (true, false) => cross::Work::Test,
                (true, true) => cross::Work::TestKernels,
            };
            return match cross::run(targets, work, debian.as_deref()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => fail(&error, error.exit_code()),
            };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&*error, ExitCode::FAILURE),
    }
}
