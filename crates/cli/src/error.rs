use std::path::PathBuf;

use thiserror::Error;
use throng::gltf::export::ExportError;
use throng::kernels::{JobError, NotSimilar};
use throng::tracks::LeftOut;
use throng::{BakeError, CrowdError, ImportError, LevelError, PlanError};

/// Why a subcommand has no answer. Displays as one line: the file, what in it, what was found.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("{}: no clip is named {wanted:?}; {known}", file.display())]
    NoSuchClip { file: PathBuf, wanted: String, known: String },
    #[error("{}: no clip has index {wanted}; {known}", file.display())]
    NoSuchClipIndex { file: PathBuf, wanted: usize, known: String },
    #[error("{}: no joint is named {wanted:?}, nor has that index", file.display())]
    NoSuchJoint { file: PathBuf, wanted: String },
    #[error("{}: no skin has index {wanted}; the file has {count}", file.display())]
    NoSuchSkin { file: PathBuf, wanted: usize, count: usize },
    #[error("{}: skin {skin} has no joints, so there is no palette", file.display())]
    EmptySkin { file: PathBuf, skin: usize },
    #[error("{}: no joints, so there is nothing to pose", file.display())]
    NoJoints { file: PathBuf },
    #[error("{}: clip {clip:?} at {time_s} s moves joint {joint} ({name:?}) beyond all numbers", file.display())]
    NotFinite { file: PathBuf, clip: String, time_s: f32, joint: usize, name: String },
    #[error("{}: {source}", file.display())]
    Bake { file: PathBuf, source: BakeError },
    #[error("{}: {left_out}", file.display())]
    LeftOut { file: PathBuf, left_out: Box<LeftOut> },
    #[error("{}: {source}", file.display())]
    Plan { file: PathBuf, source: PlanError },
    #[error("{}: {source}", file.display())]
    Job { file: PathBuf, source: JobError },
    #[error("{}: no palettes in format similarity: {source}", file.display())]
    NotSimilar { file: PathBuf, source: NotSimilar },
    #[error("{}: no clips, so there is nothing to play", file.display())]
    NoClips { file: PathBuf },
    #[error(
        "{instances} palettes of {joints} joints take {bytes} bytes; at most {limit}, and what memory has, is allowed"
    )]
    OutputTooLarge { instances: u32, joints: usize, bytes: u64, limit: u64 },
    #[error("--layers and --additive: {found} layers, but at most {limit} are blended")]
    TooManyLayers { found: usize, limit: usize },
    #[error("{threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error(
        "{}: instance {instance}: {what} and plain code differ by {difference}, above {tolerance}; the times are worth nothing",
        file.display()
    )]
    Differ { file: PathBuf, what: &'static str, instance: usize, difference: f32, tolerance: f32 },
    #[error(
        "{}: the rest pose goes beyond all numbers, {extent} across and coordinates up to {largest_coordinate}",
        file.display()
    )]
    Endless { file: PathBuf, extent: f32, largest_coordinate: f32 },
    #[error("{}: {source}", file.display())]
    Clip { file: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{}: clip {clip:?} holds nothing that glTF can hold, so no file is written", file.display())]
    NothingWritten { file: PathBuf, clip: String },
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("crowd: {0}")]
    Crowd(#[from] CrowdError),
    #[error("THRONG_LEVEL: {0}")]
    Level(#[from] LevelError),
    #[error("stdout: {source}")]
    Output { source: std::io::Error },
}
