//! `throng info`: what is in a file, and what a bake of it would be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use throng::BindReport;
use throng::kernels::RowError;
use throng::tracks::{BakeReport, BoundTrack, Channel, Clip, PropertyTrack, bake::LargestError};

use crate::error::CliError;
use crate::import_args::ImportArgs;
use crate::load::{Scene, load};
use crate::{output, select};

mod stored;
mod tables;

use stored::StoredAnswer;

/// Tell what is in a file: joints, skins, clips, what the import remarked, and what a bake would be.
#[derive(clap::Args)]
#[command(after_long_help = JSON)]
pub(crate) struct Args {
    /// A .gltf, .glb or .bvh file.
    file: PathBuf,
    #[command(flatten)]
    import: ImportArgs,
    /// Bind the clips by joint names to the skeleton of this file, and tell what did not bind.
    #[arg(long, value_name = "FILE")]
    onto: Option<PathBuf>,
}

const JSON: &str = "\
With --json, one JSON object:

  file               the file, as given
  joints             a list, parents before children: index, node (in the file), name, parent (an index, or null)
  skins              a list: index, name, joints (the joint index of each palette entry)
  clips              a list:
    index, name      which clip
    seconds          its length: the time of its last key
    tracks, keys     how many; each channel of a joint is a track, and each property
    timelines        how many distinct arrays of key times the joints' tracks have
    channels         how many tracks there are of each kind: translation, rotation, scale, weights, and those of properties
    interpolations   how many tracks are STEP, LINEAR and CUBICSPLINE; those that occur
    weights          a list of moved morph weights: joint, count
    properties       a list: name, joint (or null), channel (its kind), interpolation, keys
    markers          a list, by time: name, seconds, payload
  morphs             a list of nodes with morph targets: node, joint (or null), weights (at rest), names (may be empty)
  end_sites          for BVH, a list of where bones end: joint, offset (three numbers, in the joint's space)
  report             a list of what the import repaired, skipped or remarked: kind, place, what
  bake               what the default bake makes of all clips, or null:
    rows, bytes      of all clips; a row is the pose at one time
    moving_joints    joints that any clip moves
    extent           largest side of the box around the rest pose's joints
    largest_coordinate   largest coordinate in the rest pose
    largest_error    of all clips: clip and clip_index, error, joint, name, time; null if there is no clip
    clips            a list: index, name, rate_hz, rows, largest_error (error, joint, name, time)
    left_out         a list of the clips that the bank can't hold: index, name, why
    stored           what rows of sixteen bits add to these errors, or null: packed_columns and float_columns (those that
                     sixteen bits are too few for), largest_error (as above), clips (a list: error, joint, name, time)
  bake_error         if bake is null, why
  onto               with --onto: file, bound (tracks), moved and still (joints there), unbound (a list: joint, name, tracks, why),
                     remarks (a list: names that repeat, rest poses that differ, units)

Lengths are in the file's unit, or in metres where --unit names the file's unit, times in seconds. An error is the length by which a column of a joint's model matrix is
off; the joint is null where the error is 0.";

#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    joints: Vec<JointAnswer<'a>>,
    skins: Vec<SkinAnswer<'a>>,
    clips: Vec<ClipAnswer<'a>>,
    morphs: Vec<MorphAnswer<'a>>,
    end_sites: Vec<EndSiteAnswer>,
    report: Vec<ReportAnswer<'a>>,
    bake: Option<BakeAnswer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bake_error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    onto: Option<OntoAnswer>,
}

#[derive(Serialize)]
struct MorphAnswer<'a> {
    node: usize,
    joint: Option<usize>,
    weights: &'a [f32],
    names: &'a [String],
}

#[derive(Serialize)]
struct EndSiteAnswer {
    joint: usize,
    offset: [f32; 3],
}

#[derive(Serialize)]
struct OntoAnswer {
    file: String,
    bound: usize,
    moved: usize,
    still: usize,
    unbound: Vec<UnboundAnswer>,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct UnboundAnswer {
    joint: usize,
    name: String,
    tracks: usize,
    why: String,
}

#[derive(Serialize)]
struct JointAnswer<'a> {
    index: usize,
    node: usize,
    name: &'a str,
    parent: Option<u16>,
}

#[derive(Serialize)]
struct SkinAnswer<'a> {
    index: usize,
    name: &'a str,
    joints: Vec<u16>,
}

#[derive(Serialize)]
struct ClipAnswer<'a> {
    index: usize,
    name: &'a str,
    seconds: f32,
    tracks: usize,
    keys: usize,
    timelines: usize,
    channels: BTreeMap<&'static str, usize>,
    interpolations: BTreeMap<&'static str, usize>,
    weights: Vec<WeightsAnswer>,
    properties: Vec<PropertyAnswer<'a>>,
    markers: Vec<MarkerAnswer<'a>>,
}

#[derive(Serialize)]
struct MarkerAnswer<'a> {
    name: &'a str,
    seconds: f32,
    payload: u32,
}

#[derive(Serialize)]
struct WeightsAnswer {
    joint: usize,
    count: u32,
}

#[derive(Serialize)]
struct PropertyAnswer<'a> {
    name: &'a str,
    joint: Option<usize>,
    channel: &'static str,
    interpolation: &'static str,
    keys: usize,
}

#[derive(Serialize)]
struct ReportAnswer<'a> {
    kind: &'static str,
    place: &'a str,
    what: &'a str,
}

#[derive(Serialize)]
struct BakeAnswer<'a> {
    rows: usize,
    bytes: usize,
    moving_joints: usize,
    extent: f32,
    largest_coordinate: f32,
    largest_error: Option<WorstAnswer<'a>>,
    clips: Vec<BakedClipAnswer<'a>>,
    left_out: Vec<LeftOutAnswer<'a>>,
    stored: Option<StoredAnswer<'a>>,
}

#[derive(Serialize)]
struct LeftOutAnswer<'a> {
    index: usize,
    name: &'a str,
    why: String,
}

#[derive(Serialize)]
struct WorstAnswer<'a> {
    clip: &'a str,
    clip_index: usize,
    #[serde(flatten)]
    largest: ErrorAnswer<'a>,
}

#[derive(Serialize)]
struct BakedClipAnswer<'a> {
    index: usize,
    name: &'a str,
    rate_hz: f32,
    rows: usize,
    largest_error: ErrorAnswer<'a>,
}

#[derive(Serialize)]
struct ErrorAnswer<'a> {
    error: f32,
    joint: Option<u16>,
    name: Option<&'a str>,
    time: f32,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    let scene = load(&args.file, args.import)?;
    // A file that can't be baked is still worth looking into.
    let baked = select::bank(&scene, &scene.clips)
        .and_then(|(bank, report)| Ok((bounded(&scene, report)?, stored::measured(bank))));
    let (bake, bake_error) = match &baked {
        Ok((report, stored)) => (Some(bake_answer(&scene, report, stored.as_ref())), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let answer = Answer {
        file: scene.file.display().to_string(),
        joints: joints(&scene),
        skins: skins(&scene),
        clips: scene.clips.iter().enumerate().map(|(index, clip)| clip_answer(index, clip)).collect(),
        morphs: morphs(&scene),
        end_sites: end_sites(&scene),
        report: report(&scene),
        bake,
        bake_error,
        onto: args.onto.as_deref().map(|onto| bound_onto(&scene, onto, args.import)).transpose()?,
    };
    if json { output::json(&answer) } else { output::text(&tables::text(&answer)) }
}

fn joints(scene: &Scene) -> Vec<JointAnswer<'_>> {
    let skeleton = &scene.skeleton;
    let joints = skeleton.joints().zip(skeleton.parents());
    joints
        .map(|(joint, parent)| JointAnswer {
            index: joint.get(),
            node: scene.node(joint),
            name: skeleton.name(joint),
            parent: parent.map(|p| p.0),
        })
        .collect()
}

fn skins(scene: &Scene) -> Vec<SkinAnswer<'_>> {
    let skins = scene.skins.iter().enumerate();
    skins
        .map(|(index, skin)| SkinAnswer {
            index,
            name: skin.name(),
            joints: skin.joints().iter().map(|j| j.0).collect(),
        })
        .collect()
}

fn morphs(scene: &Scene) -> Vec<MorphAnswer<'_>> {
    let morphs = scene.morphs.iter();
    morphs
        .map(|m| MorphAnswer {
            node: m.node,
            joint: scene.joint_of(m.node),
            weights: &m.weights,
            names: &m.names,
        })
        .collect()
}

fn end_sites(scene: &Scene) -> Vec<EndSiteAnswer> {
    let sites = scene.end_sites.iter();
    sites.map(|s| EndSiteAnswer { joint: s.joint.get(), offset: s.offset.to_array() }).collect()
}

fn bound_onto(scene: &Scene, onto: &Path, import: ImportArgs) -> Result<OntoAnswer, CliError> {
    let other = load(onto, import.in_metres())?;
    let (_, report) = throng::tracks::tools::bind_by_name(&scene.clips, &scene.skeleton, &other.skeleton);
    let unbound = report.unbound.iter().map(|u| UnboundAnswer {
        joint: u.joint.get(),
        name: u.name.clone(),
        tracks: u.tracks,
        why: u.why.to_string(),
    });
    Ok(OntoAnswer {
        file: onto.display().to_string(),
        bound: report.bound,
        moved: report.moved,
        still: report.still,
        unbound: unbound.collect(),
        remarks: remarks(&report),
    })
}

/// What a bind report remarks on besides tracks that were not bound.
fn remarks(report: &BindReport) -> Vec<String> {
    let text = report.to_string();
    text.lines().filter_map(|line| line.strip_prefix("remark: ")).map(str::to_owned).collect()
}

fn clip_answer(index: usize, clip: &Clip) -> ClipAnswer<'_> {
    let (mut channels, mut interpolations) = (BTreeMap::new(), BTreeMap::new());
    let tracks = clip.tracks().iter().map(BoundTrack::track);
    for track in tracks.chain(clip.properties().iter().map(PropertyTrack::track)) {
        *channels.entry(track.channel().name()).or_default() += 1;
        *interpolations.entry(track.interpolation().name()).or_default() += 1;
    }
    let weights = clip.tracks().iter().filter_map(|bound| match bound.track().channel() {
        Channel::Weights(count) => Some(WeightsAnswer { joint: bound.joint().get(), count }),
        _ => None,
    });
    let properties = clip.properties().iter().map(|moved| {
        let (property, track) = (moved.property(), moved.track());
        PropertyAnswer {
            name: &property.name,
            joint: property.joint.map(|joint| joint.get()),
            channel: track.channel().name(),
            interpolation: track.interpolation().name(),
            keys: track.times().len(),
        }
    });
    let markers = clip.markers().iter().map(|marker| MarkerAnswer {
        name: &marker.name,
        seconds: marker.time_s,
        payload: marker.payload,
    });
    ClipAnswer {
        index,
        name: clip.name(),
        seconds: clip.duration_s(),
        tracks: clip.tracks().len() + clip.properties().len(),
        keys: clip.key_count(),
        timelines: clip.timelines().len(),
        channels,
        interpolations,
        weights: weights.collect(),
        properties: properties.collect(),
        markers: markers.collect(),
    }
}

/// The report of a bake, if numbers can tell the size of the figure that errors are measured by.
fn bounded(scene: &Scene, report: BakeReport) -> Result<BakeReport, CliError> {
    let BakeReport { extent, largest_coordinate, .. } = report;
    if extent.is_finite() && largest_coordinate.is_finite() {
        return Ok(report);
    }
    Err(CliError::Endless { file: scene.file.clone(), extent, largest_coordinate })
}

fn report(scene: &Scene) -> Vec<ReportAnswer<'_>> {
    let lines = scene.report.lines().iter();
    lines.map(|l| ReportAnswer { kind: l.kind.name(), place: &l.place, what: &l.what }).collect()
}

impl<'a> ErrorAnswer<'a> {
    fn new(scene: &'a Scene, largest: LargestError) -> Self {
        Self {
            error: largest.error,
            joint: largest.joint.map(|j| j.0),
            name: largest.joint.map(|j| scene.skeleton.name(j)),
            time: largest.time_s,
        }
    }
}

fn bake_answer<'a>(scene: &'a Scene, report: &'a BakeReport, stored: Option<&RowError>) -> BakeAnswer<'a> {
    let error = |largest: LargestError| ErrorAnswer::new(scene, largest);
    let left_out = report.left_out.iter().map(|left_out| LeftOutAnswer {
        index: left_out.clip,
        name: &left_out.name,
        why: left_out.why.to_string(),
    });
    BakeAnswer {
        rows: report.clips.iter().map(|c| c.rows).sum(),
        bytes: report.bytes,
        moving_joints: report.moving_joints,
        extent: report.extent,
        largest_coordinate: report.largest_coordinate,
        largest_error: report.clip.map(|clip| &report.clips[clip]).map(|clip| WorstAnswer {
            clip: &clip.name,
            clip_index: clip.source,
            largest: error(report.largest),
        }),
        clips: report
            .clips
            .iter()
            .map(|clip| BakedClipAnswer {
                index: clip.source,
                name: &clip.name,
                rate_hz: clip.rate_hz,
                rows: clip.rows,
                largest_error: error(clip.largest),
            })
            .collect(),
        left_out: left_out.collect(),
        stored: stored.map(|stored| StoredAnswer::new(scene, report, stored)),
    }
}
