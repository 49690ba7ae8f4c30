//! `throng pose`: one character at one time, as matrices.

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use glam::DAffine3;
use serde::Serialize;
use throng::kernels::{Level, PaletteJob, Scratch, palettes};
use throng::tracks::{Bank, DTransform, Skin, WrapMode, model_matrices_f64, wrap};

use crate::error::CliError;
use crate::import_args::ImportArgs;
use crate::load::{Scene, load};
use crate::matrix::{self, Columns, Rows};
use crate::{output, select};

/// Pose one character at one time of a clip, and print its matrices as JSON.
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
    /// The time in seconds; beyond the ends of the clip it clamps.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    time: f32,
    /// By which way the pose is computed.
    #[arg(long, value_enum, default_value = "exact")]
    path: Path,
    /// The kernel's level, for --path bank: scalar, scalar-fused, portable, avx2 or avx512; -unfused after the last two for
    /// portable rounding. By default what `THRONG_LEVEL` names, else the fastest.
    #[arg(long)]
    level: Option<Level>,
    /// How the level rounds, for --path bank; by default as its name says.
    #[arg(long, value_enum)]
    rounding: Option<select::Rounding>,
    /// The skin that --palette is of: its index, by default 0. The palette of a file without skins is its model matrices.
    #[arg(long, value_name = "INDEX")]
    skin: Option<usize>,
    /// Add the skinning palette to the joints of the skin.
    #[arg(long)]
    palette: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Path {
    /// The authored keys, one character.
    Exact,
    /// The baked rows, by the kernels that crowds use.
    Bank,
}

const JSON: &str = "\
The output is always one JSON object, with or without --json:

  clip, clip_index   the clip's name and index
  time               seconds; the time asked for, clamped to the clip
  path               \"exact\" or \"bank\"
  level              for the bank path: the kernel's level
  error_reported     for the bank path: the largest error of this clip that the bake reported, as the length by
                     which a column of a model matrix is off, in the file's unit
  skin               with --palette, if the file has skins: the skin's index
  joints             a list, parents before children:
    index            the joint
    node             its node in the file
    name             its name
    parent           the index of its parent, or null
    model            model matrix, from joint to scene: 16 numbers, column by column
    palette          with --palette, for joints of the skin: model * inverse bind, 12 numbers, three rows of four

The numbers of matrices are f64 and written with all their digits. The exact path computes in f64; the bank path's
numbers are f32, and the f64 written are the same.";

fn seconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(time) if time.is_nan() => Err("NaN is no time".to_owned()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    clip: &'a str,
    clip_index: usize,
    time: f32,
    path: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_reported: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skin: Option<usize>,
    joints: Vec<JointAnswer<'a>>,
}

#[derive(Serialize)]
struct JointAnswer<'a> {
    index: usize,
    node: usize,
    name: &'a str,
    parent: Option<u16>,
    model: Columns,
    #[serde(skip_serializing_if = "Option::is_none")]
    palette: Option<Rows>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let scene = load(&args.file, args.import)?;
    let clip = select::clip(&scene, &args.clip)?;
    let skin = match (args.palette, args.skin) {
        (false, None) => None,
        (_, wanted) => Some(select::skin(&scene, wanted)?),
    };
    let skin = skin.as_deref().filter(|_| args.palette);
    let time = wrap(args.time, scene.clips[clip].duration_s(), WrapMode::Clamp);

    let (path, level, error_reported, posed) = match args.path {
        Path::Exact => {
            if args.level.is_some() || args.rounding.is_some() {
                output::remark(
                    "remark: the exact path has no levels; --level and --rounding are for --path bank",
                );
            }
            ("exact", None, None, exact(&scene, clip, time, skin))
        }
        Path::Bank => {
            let level = select::level(args.level, args.rounding)?;
            let (bank, report) = select::bank(&scene, &scene.clips)?;
            let baked_clip = select::bank_clip(&scene, &report, clip)?;
            let posed = baked(&scene, bank, level, baked_clip, time, skin)?;
            ("bank", Some(level.name()), Some(report.clips[baked_clip].largest.error), posed)
        }
    };
    check(&scene, clip, time, &posed)?;
    let skin = skin.and((!scene.skins.is_empty()).then_some(args.skin.unwrap_or(0)));
    let clip_index = clip;
    let clip = scene.clips[clip].name();
    let joints = joints(&scene, posed);
    output::json(&Answer { clip, clip_index, time, path, level, error_reported, skin, joints })
}

/// A joint's model matrix, and its entry of the palette if it has one.
type Posed = (Rows, Option<Rows>);

/// By the authored keys.
fn exact(scene: &Scene, clip: usize, time: f32, skin: Option<&Skin>) -> Vec<Posed> {
    let joints = scene.skeleton.joint_count();
    let mut pose = vec![DTransform::IDENTITY; joints];
    let mut model = vec![DAffine3::IDENTITY; joints];
    scene.clips[clip].sample_f64(&scene.skeleton, time, &mut pose);
    model_matrices_f64(&scene.skeleton, &pose, &mut model);
    let mut posed: Vec<Posed> = model.iter().map(|m| (matrix::rows(m), None)).collect();
    if let Some(skin) = skin {
        for (joint, bind) in skin.joints().iter().zip(skin.inverse_bind()) {
            posed[joint.get()].1.get_or_insert(matrix::rows(&(model[joint.get()] * bind.as_daffine3())));
        }
    }
    posed
}

/// By the baked rows and the fused kernel.
fn baked(
    scene: &Scene,
    bank: Arc<Bank>,
    level: Level,
    clip: usize,
    time: f32,
    skin: Option<&Skin>,
) -> Result<Vec<Posed>, CliError> {
    let palette = |skin: &Skin| -> Result<Vec<Rows>, CliError> {
        let plan = select::plan(scene, &bank, skin, select::Rows::F32)?;
        let mut out = vec![0.0; plan.palette_floats()];
        let pairs = [bank.locate(clip, time)];
        let job = PaletteJob::new(&plan, &pairs, &[0], &mut out)
            .map_err(|source| CliError::Job { file: scene.file.clone(), source })?;
        palettes(level, job, &mut Scratch::new(&plan));
        let rows = out.as_chunks().0.iter();
        Ok(rows.map(|row: &[f32; 12]| row.map(f64::from)).collect())
    };
    let models = match scene.skeleton.joint_count() {
        0 => Vec::new(),
        _ => palette(&Skin::model_space(&scene.skeleton))?,
    };
    let mut posed: Vec<Posed> = models.into_iter().map(|model| (model, None)).collect();
    if let Some(skin) = skin {
        for (joint, entry) in skin.joints().iter().zip(palette(skin)?) {
            posed[joint.get()].1.get_or_insert(entry);
        }
    }
    Ok(posed)
}

/// JSON has no word for infinity: a pose that overflows is an error.
fn check(scene: &Scene, clip: usize, time_s: f32, posed: &[Posed]) -> Result<(), CliError> {
    let finite = |rows: &Rows| rows.iter().all(|v| v.is_finite());
    let bad = posed.iter().position(|(model, palette)| !finite(model) || !palette.iter().all(finite));
    let Some(joint) = bad else { return Ok(()) };
    let (clip, name) = (scene.clips[clip].name().to_owned(), scene.skeleton.names()[joint].clone());
    Err(CliError::NotFinite { file: scene.file.clone(), clip, time_s, joint, name })
}

fn joints(scene: &Scene, posed: Vec<Posed>) -> Vec<JointAnswer<'_>> {
    let joints = scene.skeleton.joints().zip(scene.skeleton.parents()).zip(posed);
    joints
        .map(|((joint, parent), (model, palette))| JointAnswer {
            index: joint.get(),
            node: scene.node(joint),
            name: scene.skeleton.name(joint),
            parent: parent.map(|p| p.0),
            model: matrix::columns(&model),
            palette,
        })
        .collect()
}
