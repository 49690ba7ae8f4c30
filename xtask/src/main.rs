//! `cargo xtask`: the chores of the project, one subcommand each.
#![forbid(unsafe_code)]

mod asm;
mod assets;

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
}

fn main() -> ExitCode {
    let done: Result<(), Box<dyn std::error::Error>> = match Arguments::parse().chore {
        Chore::Asm => asm::check().map_err(Into::into),
        Chore::Assets { check: false } => assets::write(&assets::marcher_path()).map_err(Into::into),
        Chore::Assets { check: true } => assets::check(&assets::marcher_path()).map_err(Into::into),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
