//! `throng clip`: clip work that can be scripted, into a file that other tools open.

mod mirror;

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;
use throng::gltf::Morph;
use throng::gltf::export::{self, Export};
use throng::gltf::import_slice;
use throng::tracks::Clip;
use throng::tracks::import::Report;
use throng::tracks::tools::{self, ReduceOptions, TimeError};

use crate::error::CliError;
use crate::import_args::ImportArgs;
use crate::load::{Scene, load};
use crate::{output, select};

/// Cut, turn round or otherwise change a clip, and write it with its skeleton and skins as a .glb.
///
/// What is asked for is done in the order of the options below.
#[derive(clap::Args)]
#[command(after_long_help = format!("{}\n\n{JSON}", select::CLIPS))]
pub(crate) struct Args {
    /// A .gltf, .glb or .bvh file.
    file: PathBuf,
    #[command(flatten)]
    import: ImportArgs,
    /// The clip: its name, or its index: 2, or #2 where a clip is named 2.
    #[arg(long, value_name = "NAME_OR_INDEX", allow_hyphen_values = true)]
    clip: String,
    /// Keep the part from second A to second B, or from frame A to frame B at HZ a second, both included; without A from the
    /// start, without B to the end. It then begins at 0.
    #[arg(long, value_name = "[A]:[B][@HZ]", value_parser = stretch, allow_hyphen_values = true)]
    subclip: Option<Stretch>,
    /// Name the clip in the file that is written; by default it keeps its name.
    #[arg(long, allow_hyphen_values = true)]
    name: Option<String>,
    /// Play backwards.
    #[arg(long)]
    reverse: bool,
    #[command(flatten)]
    mirror: mirror::Args,
    /// Lay straight keys at this rate, so that other tools need no splines. Steps and jumps keep their times.
    #[arg(long, value_name = "HZ", allow_hyphen_values = true)]
    resample: Option<f32>,
    /// Drop keys while no point 3 cm from a joint moves further than this, in centimetres.
    #[arg(long, value_name = "CM", allow_hyphen_values = true)]
    reduce: Option<f32>,
    /// Make it additive: what it differs by from the first pose of this clip, by name or index.
    #[arg(long, value_name = "NAME_OR_INDEX", allow_hyphen_values = true)]
    additive: Option<String>,
    /// The file to write.
    #[arg(short, long, value_name = "OUT.glb", value_parser = glb)]
    output: PathBuf,
}

const JSON: &str = "\
With --json, one JSON object:

  file, output           the files, as given
  clip, seconds          the clip's name, and its length in the file written
  tracks, keys           how many there are in the file written
  mirror                 of --mirror: the plane (axis, offset), the reference pose, how many pairs, and the largest distance between a
                         joint and the reflection of its partner, with size, joint, partner and seconds; else null
  report                 a list of what is worth knowing of the changes, and of what glTF cannot hold as it was: kind, place, what";

#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    output: String,
    clip: &'a str,
    seconds: f32,
    tracks: usize,
    keys: usize,
    mirror: Option<mirror::Answer>,
    report: Vec<LineAnswer<'a>>,
}

#[derive(Serialize)]
struct LineAnswer<'a> {
    kind: &'static str,
    place: &'a str,
    what: &'a str,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    let scene = load(&args.file, args.import)?;
    let mut report = Report::default();
    args.import.remark(&mut report);
    let (clip, mirror) = changed(args, &scene, &mut report)?;
    let (bytes, lost) = export::glb(&Export {
        skeleton: &scene.skeleton,
        skins: &scene.skins,
        clips: std::slice::from_ref(&clip),
        morphs: &morphs(&scene),
    })?;
    report.append(lost);
    for line in report.lines().iter().filter(|_| !json) {
        output::remark(&line.to_string());
    }
    // What is in the file is what the file says.
    let written = import_slice(&bytes, None)?;
    let Some(written) = written.clips.first() else {
        return Err(CliError::NothingWritten { file: scene.file, clip: clip.name().to_owned() });
    };
    export::write(&args.output, &bytes)?;
    let answer = Answer {
        file: scene.file.display().to_string(),
        output: args.output.display().to_string(),
        clip: written.name(),
        seconds: written.duration_s(),
        tracks: written.tracks().len() + written.properties().len(),
        keys: written.key_count(),
        mirror,
        report: report
            .lines()
            .iter()
            .map(|l| LineAnswer { kind: l.kind.name(), place: &l.place, what: &l.what })
            .collect(),
    };
    if json {
        return output::json(&answer);
    }
    let (clip, seconds) = (output::printable(answer.clip), answer.seconds);
    let (tracks, keys) = (answer.tracks, answer.keys);
    output::text(&format!("{}: clip {clip:?}, {seconds:.3} s, {tracks} tracks, {keys} keys\n", answer.output))
}

/// Morph targets of joints, by joint.
fn morphs(scene: &Scene) -> Vec<Morph> {
    let of_joint = |morph: &Morph| {
        let joint = scene.joint_of(morph.node)?;
        Some(Morph { node: joint, ..morph.clone() })
    };
    scene.morphs.iter().filter_map(of_joint).collect()
}

/// The clip, after all that was asked for.
fn changed(
    args: &Args,
    scene: &Scene,
    report: &mut Report,
) -> Result<(Clip, Option<mirror::Answer>), CliError> {
    let skeleton = &scene.skeleton;
    let named = |source: TimeError| failed(scene, source);
    let mut clip = scene.clips[select::clip(scene, &args.clip)?].clone();
    if let Some(stretch) = args.subclip {
        let duration = clip.duration_s();
        let end = match stretch {
            Stretch::Seconds(start, end) => {
                let end = end.unwrap_or(duration);
                clip = tools::subclip(&clip, skeleton, start, end).map_err(named)?;
                end
            }
            Stretch::Frames(first, last, rate_hz) => {
                // At no sensible rate there is no last frame either, and the tool says so.
                let last = last.unwrap_or((f64::from(duration) * f64::from(rate_hz) + 1e-3) as u32);
                clip = tools::subclip_frames(&clip, skeleton, first..=last, rate_hz).map_err(named)?;
                (f64::from(last) / f64::from(rate_hz)) as f32
            }
        };
        if end > duration {
            report.remark("--subclip", format!("the clip ends at {duration} s; after that it stands still"));
        }
    }
    if args.reverse {
        clip = tools::reverse(&clip, skeleton).map_err(named)?;
    }
    let (mut clip, mirror) = mirror::mirrored(&args.mirror, scene, clip, report)?;
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
    if let Some(name) = &args.name {
        clip = clip.with_name(name);
    }
    Ok((clip, mirror))
}

fn failed(scene: &Scene, source: impl std::error::Error + Send + Sync + 'static) -> CliError {
    CliError::Clip { file: scene.file.clone(), source: Box::new(source) }
}

/// A part of a clip.
#[derive(Clone, Copy)]
enum Stretch {
    /// From a second to another, or to the end.
    Seconds(f32, Option<f32>),
    /// From a frame to another or to the last, at so many a second.
    Frames(u32, Option<u32>, f32),
}

fn stretch(text: &str) -> Result<Stretch, String> {
    fn number<T: FromStr<Err: Display>>(text: &str) -> Result<Option<T>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|e| format!("{text:?}: {e}"))
    }
    let (part, rate) = text.split_once('@').map_or((text, None), |(part, rate)| (part, Some(rate)));
    let (start, end) = part
        .split_once(':')
        .ok_or("seconds or frames with a colon between are expected, as in 0.5:2, 0.5: or 12:48@24")?;
    Ok(match rate {
        None => Stretch::Seconds(number(start)?.unwrap_or(0.0), number(end)?),
        Some(rate) => {
            let rate = number(rate)?.ok_or("frames a second are expected behind the @")?;
            Stretch::Frames(number(start)?.unwrap_or(0), number(end)?, rate)
        }
    })
}

/// The name of the one format that is written.
fn glb(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("glb") => Ok(path),
        _ => Err("a name that ends in .glb is expected, as binary glTF is what is written".to_owned()),
    }
}
