//! The `throng` command.
//!
//! Each subcommand is a module with its arguments, a `run`, and the help on its JSON. A run passes through the same
//! rooms: [`load`] reads the file into a scene, [`select`] finds the clips and the skin that were asked for, the
//! subcommand does its work, and [`output`] brings the answer to stdout. Remarks go to stderr. What is wrong becomes an
//! [`error::CliError`], which `main` prints as one line.
// Not forbidden, since what the macro in `closed` expands to allows itself.
#![deny(unsafe_code)]

mod bench;
mod clip;
mod closed;
mod error;
mod import_args;
mod info;
mod load;
mod matrix;
mod output;
mod pose;
mod select;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::CliError;

/// Skeletal animation for crowds: look into animation files, pose them, measure crowds.
#[derive(Parser)]
#[command(name = "throng", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON object on stdout; each subcommand's --help tells its shape.
    #[arg(long, global = true)]
    json: bool,
}

const EXIT_CODES: &str = "Exit code 0: done. 1: bad input, told in one line on stderr. 2: wrong usage.";

#[derive(Subcommand)]
enum Command {
    Info(info::Args),
    Pose(pose::Args),
    Bench(bench::Args),
    Clip(clip::Args),
}

fn main() -> ExitCode {
    let Cli { command, json } = Cli::parse();
    let done = match &command {
        Command::Info(args) => info::run(args, json),
        Command::Pose(args) => pose::run(args),
        Command::Bench(args) => bench::run(args, json),
        Command::Clip(args) => clip::run(args, json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
        Err(CliError::Output { source }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            // Where stderr is closed, the exit code still tells.
            let _ = writeln!(std::io::stderr(), "error: {}", output::printable(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}
