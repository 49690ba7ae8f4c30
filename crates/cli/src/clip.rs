//! `throng clip`: clip work that can be scripted, into a file that other tools open.

use std::path::PathBuf;

use serde::Serialize;
use throng::gltf::export::{Export, write_glb};
use throng::tracks::Clip;
use throng::tracks::tools::{self, MirrorPlane, ReduceOptions, TimeError};

use crate::error::CliError;
use crate::load::{Scene, load};
use crate::{output, select};

/// Cut, turn round or otherwise change a clip, and write it with its skeleton and skins as a .glb.
///
/// What is asked for is done in the order of the options below.
#[derive(clap::Args)]
#[command(after_long_help = JSON)]
pub(crate) struct Args {
    /// A .gltf, .glb or .bvh file.
    file: PathBuf,
    /// The clip: its name, or else its index.
    #[arg(long, value_name = "NAME_OR_INDEX", allow_hyphen_values = true)]
    clip: String,
    /// Keep the part from second A to second B; it then begins at 0.
    #[arg(long, value_name = "A:B", value_parser = stretch)]
    subclip: Option<(f32, f32)>,
    /// Play backwards.
    #[arg(long)]
    reverse: bool,
    /// Swap left and right, in the plane x = 0: joints are paired by their names.
    #[arg(long)]
    mirror: bool,
    /// Lay straight keys at this rate, so that other tools need no splines.
    #[arg(long, value_name = "HZ")]
    resample: Option<f32>,
    /// Drop keys while no point 3 cm from a joint moves further than this, in centimetres, the file's unit being metres.
    #[arg(long, value_name = "CM")]
    reduce: Option<f32>,
    /// Make it additive: what it differs by from the first pose of this clip, by name or index.
    #[arg(long, value_name = "NAME_OR_INDEX", allow_hyphen_values = true)]
    additive: Option<String>,
    /// The file to write.
    #[arg(short, long, value_name = "OUT.glb")]
    output: PathBuf,
}

const JSON: &str = "\
With --json, one JSON object:

  file, output           the files, as given
  clip, seconds          the clip's name, and its length now
  tracks, keys           how many it has now
  report                 a list of what glTF cannot hold: kind, place, what";

#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    output: String,
    clip: &'a str,
    seconds: f32,
    tracks: usize,
    keys: usize,
    report: Vec<LineAnswer<'a>>,
}

#[derive(Serialize)]
struct LineAnswer<'a> {
    kind: &'static str,
    place: &'a str,
    what: &'a str,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    let scene = load(&args.file)?;
    let clip = changed(args, &scene)?;
    let export =
        Export { skeleton: &scene.skeleton, skins: &scene.skins, clips: std::slice::from_ref(&clip) };
    let report = write_glb(&args.output, &export)?;
    let answer = Answer {
        file: scene.file.display().to_string(),
        output: args.output.display().to_string(),
        clip: clip.name(),
        seconds: clip.duration_s(),
        tracks: clip.tracks().len(),
        keys: clip.key_count(),
        report: report
            .lines()
            .iter()
            .map(|l| LineAnswer { kind: l.kind.name(), place: &l.place, what: &l.what })
            .collect(),
    };
    if json {
        return output::json(&answer);
    }
    for line in report.lines() {
        output::remark(&line.to_string());
    }
    let (clip, seconds) = (output::printable(answer.clip), answer.seconds);
    let (tracks, keys) = (answer.tracks, answer.keys);
    output::text(&format!("{}: clip {clip:?}, {seconds:.3} s, {tracks} tracks, {keys} keys\n", answer.output))
}

/// The clip, after all that was asked for.
fn changed(args: &Args, scene: &Scene) -> Result<Clip, CliError> {
    let skeleton = &scene.skeleton;
    let named = |source: TimeError| failed(scene, source);
    let mut clip = scene.clips[select::clip(scene, &args.clip)?].clone();
    if let Some((start, end)) = args.subclip {
        clip = tools::subclip(&clip, skeleton, start, end).map_err(named)?;
    }
    if args.reverse {
        clip = tools::reverse(&clip, skeleton).map_err(named)?;
    }
    if args.mirror {
        let pairs = tools::pairs_by_name(skeleton);
        clip =
            tools::mirror(&clip, skeleton, MirrorPlane::X, &pairs).map_err(|source| failed(scene, source))?;
    }
    if let Some(rate) = args.resample {
        clip = tools::resample(&clip, skeleton, rate).map_err(|source| failed(scene, source))?;
    }
    if let Some(cm) = args.reduce {
        let options = ReduceOptions { tolerance: cm / 100.0, shell: 0.03, ..ReduceOptions::default() };
        clip = tools::reduce(&clip, skeleton, &options).map_err(|source| failed(scene, source))?;
    }
    if let Some(reference) = &args.additive {
        let reference = &scene.clips[select::clip(scene, reference)?];
        clip =
            tools::make_additive(&clip, skeleton, reference, 0.0).map_err(|source| failed(scene, source))?;
    }
    Ok(clip)
}

fn failed(scene: &Scene, source: impl std::error::Error + Send + Sync + 'static) -> CliError {
    CliError::Clip { file: scene.file.clone(), source: Box::new(source) }
}

/// Two numbers of seconds with a colon between.
fn stretch(text: &str) -> Result<(f32, f32), String> {
    let seconds = |text: &str| text.parse::<f32>().map_err(|e| format!("{text:?}: {e}"));
    let (start, end) =
        text.split_once(':').ok_or("two numbers of seconds with a colon between are expected")?;
    Ok((seconds(start)?, seconds(end)?))
}
