//! `cargo xtask`: the chores of the project, one subcommand each.
#![forbid(unsafe_code)]

mod asm;
mod assets;
mod cross;
mod record;

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
    /// Measures this machine and writes a page of figures into benches/records.
    ///
    /// Takes some minutes. Let nothing else run meanwhile.
    Record {
        /// A folder with `ozz_pab.glb` and `kaykit_knight.glb`, to measure besides the repository's own character.
        #[arg(long, value_name = "FOLDER")]
        assets: Option<PathBuf>,
        /// How many frames each run times.
        #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
        frames: u32,
        /// Where to write, rather than into benches/records.
        #[arg(long, value_name = "FOLDER")]
        into: Option<PathBuf>,
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
        Chore::Record { assets, frames, into } => {
            let into = into.unwrap_or_else(record::folder);
            record::run(assets.as_deref(), frames, &into)
                .map(|path| println!("{}", path.display()))
                .map_err(Into::into)
        }
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
