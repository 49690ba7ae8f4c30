//! Which clip and which skin of a scene is meant.

use std::borrow::Cow;
use std::sync::Arc;

use clap::ValueEnum;
use throng::Stores;
use throng::kernels::{self, Level, PaletteFormat, Plan, RowFormat};
use throng::tracks::{BakeOptions, BakeReport, Bank, Clip, LeftOut, Skin, bake};

use crate::error::CliError;
use crate::load::Scene;
use crate::output;

/// How many clips an error names.
const LISTED: usize = 20;

/// How an argument names a clip, for the help of each that does.
pub(crate) const CLIPS: &str = "\
A clip is named by its name, the first clip if several have that name, or by its index: 2, or #2 where a clip's name is 2
itself. A name that is # and a number is written with one more #: ##2 is the clip named #2.";

/// Returns the index of a clip: `#2` is index 2; all else is a name, or where no clip has it, an index.
pub(crate) fn clip(scene: &Scene, wanted: &str) -> Result<usize, CliError> {
    let index = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<usize>().ok())?;
    let named = |name: &str| scene.clips.iter().position(|c| c.name() == name);
    let behind = wanted.strip_prefix('#');
    let by_index = behind.and_then(index);
    if by_index.is_none()
        && let Some(found) = named(wanted).or_else(|| behind.and_then(named))
    {
        return Ok(found);
    }
    let (file, known) = (scene.file.clone(), known(scene));
    match by_index.or_else(|| index(wanted)) {
        Some(index) if index < scene.clips.len() => Ok(index),
        Some(index) => Err(CliError::NoSuchClipIndex { file, wanted: index, known }),
        None => Err(CliError::NoSuchClip { file, wanted: wanted.to_owned(), known }),
    }
}

/// The clips of these names or indices.
pub(crate) fn clips(scene: &Scene, wanted: &[String]) -> Result<Vec<Clip>, CliError> {
    wanted.iter().map(|wanted| clip(scene, wanted).map(|index| scene.clips[index].clone())).collect()
}

/// The clips there are, in a few words.
fn known(scene: &Scene) -> String {
    let count = scene.clips.len();
    if count == 0 {
        return format!("the file has no clips{}", left_out_clips(scene));
    }
    let names: Vec<String> = scene.clips.iter().take(LISTED).map(|c| format!("{:?}", c.name())).collect();
    let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
    let clips = if count == 1 { "clip" } else { "clips" };
    format!("the file has {count} {clips}: {}{more}{}", names.join(", "), left_out_clips(scene))
}

/// The clips that the import left out, each with its reason.
fn left_out_clips(scene: &Scene) -> String {
    let clips = scene.left_out.iter().take(LISTED);
    clips.map(|clip| format!("; {:?} is left out: {}", clip.name, clip.why)).collect()
}

/// The skin whose palette is meant: by index, by default the first. A file without skins has one palette: its model
/// matrices.
pub(crate) fn skin(scene: &Scene, wanted: Option<usize>) -> Result<Cow<'_, Skin>, CliError> {
    let (index, count) = (wanted.unwrap_or(0), scene.skins.len());
    let file = || scene.file.clone();
    let skin = match scene.skins.get(index) {
        Some(skin) => Cow::Borrowed(skin),
        None if index == 0 => Cow::Owned(Skin::model_space(&scene.skeleton)),
        None => return Err(CliError::NoSuchSkin { file: file(), wanted: index, count }),
    };
    match skin.joints().len() {
        0 if count == 0 => Err(CliError::NoJoints { file: file() }),
        0 => Err(CliError::EmptySkin { file: file(), skin: index }),
        _ => Ok(skin),
    }
}

/// [`kernels::Rounding`], as a word of the command line.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Rounding {
    /// Multiply-adds round once where the processor has them: the bits differ between machines.
    Fastest,
    /// Every product and sum rounds by itself: the same bits at every level on every machine.
    Portable,
}

/// [`RowFormat`], as a word of the command line.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// Numbers as the bake gives them.
    F32,
    /// Sixteen bits a number, each beside that of the row behind it.
    #[default]
    I16,
}

impl Rows {
    pub(crate) fn format(self) -> RowFormat {
        match self {
            Self::F32 => RowFormat::F32,
            Self::I16 => RowFormat::I16,
        }
    }
}

/// [`PaletteFormat`], as a word of the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Three rows of an affine matrix: 48 bytes a joint.
    #[default]
    Affine,
    /// A 4x4 matrix, column after column: 64 bytes.
    Matrix,
    /// Three rows in half precision: 24 bytes.
    Half,
    /// Rotation, translation and uniform scale: 32 bytes. Not every file's palettes are that.
    Similarity,
}

impl Format {
    pub(crate) fn format(self) -> PaletteFormat {
        match self {
            Self::Affine => PaletteFormat::Affine,
            Self::Matrix => PaletteFormat::Matrix,
            Self::Half => PaletteFormat::Half,
            Self::Similarity => PaletteFormat::Similarity,
        }
    }
}

/// [`Stores`], as a word of the command line.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Output {
    /// Through the caches.
    Cached,
    /// Past the caches, in whole lines.
    #[value(alias = "streaming")]
    Stream,
}

impl Output {
    pub(crate) fn stores(self) -> Stores {
        match self {
            Self::Cached => Stores::Cached,
            Self::Stream => Stores::Streaming,
        }
    }
}

/// The word for a chosen value, as it is typed.
pub(crate) fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The level asked for, else that of the environment, else the fastest; its rounding as it is unless asked for.
pub(crate) fn level(wanted: Option<Level>, rounding: Option<Rounding>) -> Result<Level, CliError> {
    let level = wanted.map_or_else(Level::from_env, Ok)?;
    Ok(match rounding {
        None => level,
        Some(Rounding::Fastest) => level.with_rounding(kernels::Rounding::Fastest),
        Some(Rounding::Portable) => level.with_rounding(kernels::Rounding::Portable),
    })
}

/// Clips as rows, the way every subcommand bakes them.
pub(crate) fn bank(scene: &Scene, clips: &[Clip]) -> Result<(Arc<Bank>, BakeReport), CliError> {
    let (bank, report) = bake(&scene.skeleton, clips, &BakeOptions::default())
        .map_err(|source| CliError::Bake { file: scene.file.clone(), source })?;
    if let Some(left_out) = report.left_out.first().filter(|_| scene.strict) {
        return Err(CliError::LeftOut { file: scene.file.clone(), left_out: Box::new(left_out.clone()) });
    }
    Ok((Arc::new(bank), report))
}

/// The clip of the bank that a clip of the scene became.
///
/// # Errors
/// If the bank can't hold it.
pub(crate) fn bank_clip(scene: &Scene, report: &BakeReport, clip: usize) -> Result<usize, CliError> {
    report.bank_clip(clip).ok_or_else(|| {
        let left_out = report.left_out.iter().find(|left_out| left_out.clip == clip);
        let left_out = left_out.expect("a clip is in the bank or left out").clone();
        CliError::LeftOut { file: scene.file.clone(), left_out: Box::new(left_out) }
    })
}

/// Removes clips that a bank can't hold from a list, each with a remark.
///
/// # Errors
/// If none is left, only clips behind the list are at fault, or nothing is to be left out.
pub(crate) fn leave_out<T>(scene: &Scene, clips: &mut Vec<T>, left_out: &[LeftOut]) -> Result<(), CliError> {
    let listed = left_out.iter().take_while(|left_out| left_out.clip < clips.len()).count();
    if let Some(first) = left_out.first().filter(|_| scene.strict || listed == 0 || listed == clips.len()) {
        return Err(CliError::LeftOut { file: scene.file.clone(), left_out: Box::new(first.clone()) });
    }
    for left_out in left_out[..listed].iter().rev() {
        clips.remove(left_out.clip);
        output::remark(&format!("remark: {}: {left_out}", scene.file.display()));
    }
    Ok(())
}

/// What the kernels do for the bank and a skin.
pub(crate) fn plan(scene: &Scene, bank: &Arc<Bank>, skin: &Skin, rows: Rows) -> Result<Plan, CliError> {
    Plan::with_rows(Arc::clone(bank), skin, rows.format())
        .map_err(|source| CliError::Plan { file: scene.file.clone(), source })
}

/// The same, if palettes can be had in the format.
pub(crate) fn plan_writing(
    scene: &Scene,
    bank: &Arc<Bank>,
    skin: &Skin,
    rows: Rows,
    format: PaletteFormat,
) -> Result<Plan, CliError> {
    let plan = plan(scene, bank, skin, rows)?;
    plan.check_format(format).map_err(|source| CliError::NotSimilar { file: scene.file.clone(), source })?;
    Ok(plan)
}
