//! `cargo xtask`: the chores of the project, one subcommand each.
#![forbid(unsafe_code)]

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
    /// Writes the sample character to assets/marcher.glb.
    Assets {
        /// Writes nothing; fails if the committed file differs.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Assets { check: false } => assets::write(&assets::marcher_path()),
        Chore::Assets { check: true } => assets::check(&assets::marcher_path()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
