//! `throng bench`: what a frame of a crowd costs, beside what it would cost otherwise.
//!
//! [`setup`] makes a crowd and one output buffer; [`measure`] runs frames, each by every variant in turn, and times
//! them; [`verify`] then compares what the variants wrote; [`report`] turns series of times into the answer. [`naive`]
//! is the variant that a user would write first.

mod measure;
mod naive;
mod report;
mod setup;
mod verify;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use throng::Level;

use crate::error::CliError;
use crate::load::load;
use crate::{output, select};
use setup::Setup;

/// Measure what a frame of a crowd costs: sampling, forward kinematics and palettes.
///
/// Each frame is evaluated by the crowd, by its kernel at level scalar, and by plain code that poses one character at a
/// time; and the output is only filled. All write to one buffer, one after the other in each frame.
#[derive(clap::Args)]
#[command(after_long_help = JSON)]
pub(crate) struct Args {
    /// A .gltf, .glb or .bvh file.
    file: PathBuf,
    /// How many characters; their palettes may take up to 4 GiB.
    #[arg(short = 'n', long, default_value_t = 10_000, value_parser = at_least_one(u32::MAX))]
    instances: u32,
    /// How many frames are timed, after a few that are not.
    #[arg(long, default_value_t = 120, value_parser = at_least_one(1_000_000))]
    frames: u32,
    /// On how many threads each variant runs.
    #[arg(long, default_value_t = 1, value_parser = at_least_one(1024))]
    threads: u32,
    /// The kernel's level: scalar, scalar-fused, portable, avx2 or avx512; -unfused after the last two for portable
    /// rounding. By default what `THRONG_LEVEL` names, else the fastest.
    #[arg(long)]
    level: Option<Level>,
    /// How the level rounds; by default as its name says.
    #[arg(long, value_enum)]
    rounding: Option<select::Rounding>,
    /// How the rows are stored.
    #[arg(long, value_enum, default_value_t)]
    rows: select::Rows,
    /// Draw a random time for each character each frame, rather than play on.
    #[arg(long)]
    seek: bool,
    /// The clips that the bank holds and characters play in turn: names or indices, with commas between. By default all.
    #[arg(long, value_name = "NAMES_OR_INDICES", value_delimiter = ',')]
    clips: Vec<String>,
    /// The skin that palettes are of: its index, by default 0. The palette of a file without skins is its model matrices.
    #[arg(long, value_name = "INDEX")]
    skin: Option<usize>,
}

const JSON: &str = "\
With --json, one JSON object:

  file, clips, skin         what was played; clips by name, skin null for a file without skins
  instances                 characters
  joints                    entries of one palette: what one character writes, 48 bytes each
  level, threads, frames, seek    as asked for, or by default
  ns_per_joint              an evaluated frame of the crowd, look-up of rows included: nanoseconds by instances * joints
  naive_ns_per_joint        the same by plain code, one character at a time, from the same rows
  scalar_ns_per_joint       the same by the crowd at level scalar
  fill_ns_per_joint         only filling the output, by plain or streaming stores, whichever has the lower median
  fill_stores               \"cached\" (plain) or \"streaming\"
  advance_ns_per_instance   moving the clocks on, which is in none of the above
  naive_over_ours           quotient of the medians: how much faster the crowd is than plain code
  ours_over_fill            quotient of the medians: how far the crowd is from the floor
  max_difference            largest difference of any number of the palettes of some characters, between the crowd at
                            its level, at level scalar, and plain code; compared after the last frame
  tolerance                 what it may be at most; beyond it there is an error rather than an answer

Each time is {\"min\", \"median\"} over the frames. All variants write the same buffer, in an order drawn anew each frame, so
that none always finds it the way another leaves it.";

fn at_least_one(most: u32) -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=u64::from(most))
}

pub(crate) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    if cfg!(debug_assertions) {
        output::remark("remark: a debug build; its times mean nothing");
    }
    let mut scene = load(&args.file)?;
    if !args.clips.is_empty() {
        scene.clips = select::clips(&scene, &args.clips)?;
    }
    let mut setup = Setup::new(&scene, args)?;
    let bar = progress(args.frames, json);
    let (measured, compared) = setup.on_threads(|setup| {
        let measured = measure::frames(setup, args.frames, args.seek, || bar.inc(1))?;
        Ok((measured, verify::compare(setup, &args.file)?))
    })?;
    bar.finish_and_clear();
    let answer = report::Answer::new(&scene, args, &setup, &measured, &compared);
    if json { output::json(&answer) } else { output::text(&answer.text()) }
}

/// A bar on stderr, if people look at it.
fn progress(frames: u32, json: bool) -> ProgressBar {
    let target = if json { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} frames").ok();
    let bar = ProgressBar::with_draw_target(Some(u64::from(frames)), target);
    match style {
        Some(style) => bar.with_style(style),
        None => bar,
    }
}
