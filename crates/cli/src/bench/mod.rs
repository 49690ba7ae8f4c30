//! `throng bench`: what a frame of a crowd costs, beside what it would cost otherwise.
//!
//! [`subject`] bakes the file once; [`setup`] makes [`players`] and one output buffer for each number of characters;
//! [`measure`] runs frames, each by every variant in turn, and times them; [`verify`] then compares what the variants
//! wrote; [`report`] turns series of times into the answer. [`naive`] is the variant that a user would write first,
//! [`shards`] the one of ours with layers; [`layers`] makes what layers need besides clips; [`form`] writes
//! and reads entries in each format. Other things to measure are [`street`], a crowd that is directed, and [`corpses`],
//! instances that do not change.

mod corpses;
mod form;
mod help;
mod layers;
mod measure;
mod naive;
mod players;
mod random;
mod report;
mod setup;
mod shards;
mod street;
mod subject;
mod verify;

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use throng::Level;
use throng::kernels::LAYERS;

use crate::error::CliError;
use crate::import_args::ImportArgs;
use crate::load::load;
use crate::{output, select};
use setup::Setup;
use subject::Subject;

/// Measure what a frame of a crowd costs: sampling, forward kinematics and palettes.
///
/// Each frame is evaluated by the crowd, by its kernel at level scalar, and by plain code that poses one character at a
/// time; and the output is only filled. All write to one buffer, one after the other in each frame.
#[derive(clap::Args)]
#[command(after_long_help = format!("{}\n\n{}", select::CLIPS, help::JSON))]
pub(crate) struct Args {
    /// A .gltf, .glb or .bvh file.
    file: PathBuf,
    #[command(flatten)]
    import: ImportArgs,
    /// How many characters; their palettes may take up to 4 GiB.
    #[arg(short = 'n', long, default_value_t = 10_000, value_parser = at_least_one(u32::MAX))]
    instances: u32,
    /// Several numbers of characters, with commas between: one table of all.
    #[arg(
        long, value_name = "COUNTS", value_delimiter = ',', conflicts_with = "instances",
        value_parser = at_least_one(u32::MAX)
    )]
    sizes: Vec<u32>,
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
    /// Measure a scenario instead: a frame of a crowd that is directed, beside what its palettes alone take.
    #[arg(
        long, value_enum,
        conflicts_with_all = ["sizes", "layers", "additive", "mask", "seek"]
    )]
    scenario: Option<Scenario>,
    /// Measure instances that do not change instead: so many percent of the crowd came to the end of their clip.
    #[arg(
        long, value_name = "PERCENT", value_parser = RangedU64ValueParser::<u32>::new().range(1..=99),
        conflicts_with_all = ["sizes", "layers", "additive", "mask", "seek", "scenario"]
    )]
    corpses: Option<u32>,
    /// In what format palettes are written.
    #[arg(long, value_enum, default_value_t)]
    format: select::Format,
    /// How palettes reach memory; by default through the caches.
    #[arg(long, value_enum)]
    output: Option<select::Output>,
    /// How many clips each character plays at once, by weighted average.
    #[arg(long, default_value_t = 1, value_name = "COUNT", value_parser = at_least_one(LAYERS as u32))]
    layers: u32,
    /// One more layer on top: the first clip's difference to its first pose.
    #[arg(long)]
    additive: bool,
    /// Restrict layers in turn to the upper body (what hangs on a joint called spine, else half of the joints) and to all
    /// else.
    #[arg(long)]
    mask: bool,
    /// Draw a random time for each character each frame, rather than play on, and compare with playing on.
    #[arg(long)]
    seek: bool,
    /// The clips that the bank holds and characters play in turn: names or indices (#2 where a clip is named 2), with
    /// commas between. By default all.
    #[arg(long, value_name = "NAMES_OR_INDICES", value_delimiter = ',')]
    clips: Vec<String>,
    /// The skin that palettes are of: its index, by default 0. The palette of a file without skins is its model matrices.
    #[arg(long, value_name = "INDEX")]
    skin: Option<usize>,
    /// Write only palette entries of joints that vertices of the file's meshes follow, as the library does by default. Without
    /// this all entries of the skin are written, so that times compare with those of earlier versions.
    #[arg(long)]
    prune: bool,
}

/// What can be measured besides a crowd that only plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scenario {
    /// Walkers with a walking and a running layer whose weights follow their speed, crossfades of 1 % a frame, markers,
    /// root motion, 30 % hidden, and fewer updates the farther away.
    Street,
}

impl Args {
    /// Each number of characters asked for.
    fn sizes(&self) -> &[u32] {
        if self.sizes.is_empty() { std::slice::from_ref(&self.instances) } else { &self.sizes }
    }
}

fn at_least_one(most: u32) -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=u64::from(most))
}

pub(crate) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    if cfg!(debug_assertions) {
        output::remark("remark: a debug build; its times mean nothing");
    }
    let mut scene = load(&args.file, args.import)?;
    if !args.clips.is_empty() {
        scene.import.clips = select::clips(&scene, &args.clips)?;
    }
    if args.prune {
        scene.prune();
    }
    let bar = progress(args, json);
    if args.scenario == Some(Scenario::Street) {
        return on_threads(args.threads as usize, || street::run(&scene, args, json, &bar));
    }
    if let Some(percent) = args.corpses {
        return on_threads(args.threads as usize, || corpses::run(&scene, args, percent, json, &bar));
    }
    let subject = Subject::new(&scene, args)?;
    let answers = on_threads(subject.threads, || {
        let answer = |&instances| {
            let mut setup = Setup::new(&subject, instances)?;
            let measured = measure::frames(&mut setup, args.frames, || bar.inc(1))?;
            let compared = verify::compare(&mut setup, &args.file)?;
            Ok(report::Answer::new(&scene, args, &setup, &measured, &compared))
        };
        args.sizes().iter().map(answer).collect::<Result<Vec<_>, CliError>>()
    })?;
    bar.finish_and_clear();
    match answers.as_slice() {
        [answer] if args.sizes.is_empty() => {
            if json {
                output::json(answer)
            } else {
                output::text(&answer.text())
            }
        }
        answers => {
            if json {
                output::json(&answers)
            } else {
                output::text(&report::sizes(answers))
            }
        }
    }
}

/// Runs `work` where rayon has so many threads.
fn on_threads<R: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<R, CliError> + Send,
) -> Result<R, CliError> {
    if threads == 1 {
        return work();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|source| CliError::Threads { threads, source })?.install(work)
}

/// A bar on stderr, if people look at it.
fn progress(args: &Args, json: bool) -> ProgressBar {
    let target = if json { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} frames").ok();
    let frames = u64::from(args.frames) * args.sizes().len() as u64;
    let bar = ProgressBar::with_draw_target(Some(frames), target);
    match style {
        Some(style) => bar.with_style(style),
        None => bar,
    }
}
