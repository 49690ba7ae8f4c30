//! `throng clip --mirror`: its options, and what is told of the result.

use serde::Serialize;
use throng::tracks::import::Report;
use throng::tracks::tools::{self, MirrorAxis, MirrorOptions, MirrorPlane, MirrorReport};
use throng::tracks::{Clip, JointIndex, Skeleton};

use crate::error::CliError;
use crate::load::Scene;
use crate::select;

#[derive(clap::Args)]
#[group(id = "mirroring")]
pub(super) struct Args {
    /// Swap left and right: each joint gets the reflected motion of its partner, which is found by name.
    #[arg(long)]
    mirror: bool,
    /// The plane to mirror in: across x, y or z through the origin, or as in x=0.5. Found from the pairs if it is not given.
    #[arg(long, value_name = "AXIS[=OFFSET]", value_parser = plane, requires = "mirror")]
    mirror_plane: Option<MirrorPlane>,
    /// A pose in which left and right are symmetric: a clip, by name or index, and a time in it, 0 if it is not given. Without
    /// it the bind pose of the skins, the rest pose or the bone offsets are taken.
    #[arg(long, value_name = "CLIP[@SECONDS]", requires = "mirror", allow_hyphen_values = true)]
    mirror_reference: Option<String>,
    /// Two joints that are left and right of each other, by name or as in #3 by index; may be given for several pairs.
    #[arg(long = "pair", value_name = "A=B", value_parser = pair, requires = "mirror", allow_hyphen_values = true)]
    pairs: Vec<(String, String)>,
    /// Write the file even if a joint is further than 2 % of the size from the reflection of its partner.
    #[arg(long, requires = "mirror")]
    force: bool,
}

/// What `--json` tells of it.
#[derive(Serialize)]
pub(super) struct Answer {
    axis: &'static str,
    offset: f64,
    reference: &'static str,
    pairs: usize,
    distance: f64,
    size: f64,
    joint: u16,
    partner: u16,
    seconds: f32,
}

/// The clip in the mirror, if that is asked for.
pub(super) fn mirrored(
    args: &Args,
    scene: &Scene,
    clip: Clip,
    report: &mut Report,
) -> Result<(Clip, Option<Answer>), CliError> {
    if !args.mirror {
        return Ok((clip, None));
    }
    let skeleton = &scene.skeleton;
    let joint = |name: &str| {
        let file = || scene.file.clone();
        find(skeleton, name).ok_or_else(|| CliError::NoSuchJoint { file: file(), wanted: name.to_owned() })
    };
    let pairs: Result<Vec<_>, CliError> =
        args.pairs.iter().map(|(a, b)| Ok((joint(a)?, joint(b)?))).collect();
    let mut options = MirrorOptions::default().with_skins(&scene.skins).with_pairs(pairs?);
    if let Some(plane) = args.mirror_plane {
        options = options.with_plane(plane);
    }
    if let Some(reference) = &args.mirror_reference {
        let (clip, time_s) = pose(scene, reference)?;
        options = options.with_reference(clip, time_s);
    }
    if args.force {
        options = options.with_tolerance(f32::INFINITY);
    }
    let (mirrored, found) =
        tools::mirror(&clip, skeleton, &options).map_err(|source| super::failed(scene, source))?;
    for line in found.lines(skeleton) {
        report.remark("--mirror", line);
    }
    Ok((mirrored, Some(answer(&found))))
}

fn answer(found: &MirrorReport) -> Answer {
    Answer {
        axis: found.plane.axis.name(),
        offset: found.plane.offset,
        reference: found.reference.name(),
        pairs: found.pairs.len(),
        distance: found.largest.distance,
        size: found.size,
        joint: found.largest.joint.0,
        partner: found.largest.partner.0,
        seconds: found.largest.time_s,
    }
}

/// The first joint of that name, or else the one of that index.
fn find(skeleton: &Skeleton, wanted: &str) -> Option<JointIndex> {
    let index = || {
        let index: u16 = wanted.strip_prefix('#').unwrap_or(wanted).parse().ok()?;
        (usize::from(index) < skeleton.joint_count()).then_some(JointIndex(index))
    };
    skeleton.find(wanted).or_else(index)
}

/// A clip by name or index, and a time in it.
fn pose<'a>(scene: &'a Scene, reference: &str) -> Result<(&'a Clip, f32), CliError> {
    if let Some((clip, time_s)) = reference.rsplit_once('@')
        && let Ok(time_s) = time_s.parse::<f32>()
    {
        return Ok((&scene.clips[select::clip(scene, clip)?], time_s));
    }
    Ok((&scene.clips[select::clip(scene, reference)?], 0.0))
}

fn plane(text: &str) -> Result<MirrorPlane, String> {
    let (axis, offset) = text.split_once('=').map_or((text, None), |(axis, offset)| (axis, Some(offset)));
    let axis = MirrorAxis::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(axis.trim()));
    let axis = axis.ok_or("an axis is expected, x, y or z, and where it is crossed as in x=0.5")?;
    let offset = offset.map_or(Ok(0.0), |offset| offset.trim().parse::<f64>());
    match offset {
        Ok(offset) if offset.is_finite() => Ok(MirrorPlane { axis, offset }),
        _ => Err("a finite length is expected behind the =".to_owned()),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (a, b) = text.split_once('=').ok_or("two joints are expected with = between, as in hand.L=hand.R")?;
    Ok((a.to_owned(), b.to_owned()))
}
