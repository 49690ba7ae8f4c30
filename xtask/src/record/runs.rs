//! What is measured: which characters, and how.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::RecordError;

/// A character and the clips it plays.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    clips: &'static str,
}

/// What the repository has not, by file and clips; no clips are all of them.
const FOREIGN: [(&str, &str, &str); 2] =
    [("ozz_pab", "ozz_pab.glb", "walk,jog,run"), ("kaykit_knight", "kaykit_knight.glb", "")];

/// The repository's own character, and those of the folder.
pub(super) fn figures(root: &Path, assets: Option<&Path>) -> Result<Vec<Figure>, RecordError> {
    let own = root.join("assets").join("marcher.glb");
    let mut figures = vec![Figure { name: "marcher", path: own, clips: "" }];
    if let Some(folder) = assets {
        for (name, file, clips) in FOREIGN {
            figures.push(Figure { name, path: folder.join(file), clips });
        }
    }
    match figures.iter().find(|figure| !figure.path.is_file()) {
        Some(figure) => Err(RecordError::NoFile { path: figure.path.clone() }),
        None => Ok(figures),
    }
}

/// Each with a word for its rows.
const RUNS: [(&str, &str); 16] = [
    ("sizes", "--sizes 100,1000,10000,100000"),
    ("rows of 32 bits", "--rows f32"),
    ("seek", "--seek"),
    ("two layers", "--layers 2"),
    ("four layers", "--layers 4"),
    ("one layer and a difference", "--layers 1 --additive"),
    ("two layers, masked", "--layers 2 --mask"),
    ("affine", "--format affine --output cached"),
    ("affine", "--format affine --output stream"),
    ("matrix", "--format matrix --output cached"),
    ("matrix", "--format matrix --output stream"),
    ("half", "--format half --output cached"),
    ("half", "--format half --output stream"),
    ("similarity", "--format similarity --output cached"),
    ("similarity", "--format similarity --output stream"),
    ("two threads", "--threads 2"),
];

/// One call of `throng bench`.
pub(super) struct Run {
    pub(super) what: &'static str,
    words: Vec<String>,
    path: PathBuf,
    /// Whether a file may be such that there is no answer.
    pub(super) may_refuse: bool,
}

/// All of a figure at a level.
pub(super) fn of(figure: &Figure, level: &'static str, frames: u32) -> Vec<Run> {
    let run = |(what, words): (&'static str, &str)| {
        let mut all = format!("--level {level} --frames {frames} {words}");
        if !figure.clips.is_empty() {
            all = format!("--clips {} {all}", figure.clips);
        }
        let words = all.split_whitespace().map(str::to_owned).collect();
        Run { what, words, path: figure.path.clone(), may_refuse: what == "similarity" }
    };
    RUNS.map(run).into_iter().collect()
}

impl Run {
    /// The command, as a reader would type it: the file without its folder.
    pub(super) fn shown(&self) -> String {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("throng bench --json {file} {}", self.words.join(" "))
    }

    pub(super) fn command(&self, throng: &Path, root: &Path) -> Command {
        let mut command = Command::new(throng);
        command.current_dir(root).args(["bench", "--json"]).arg(&self.path).args(&self.words);
        // What the words say is all that counts.
        command.env_remove("THRONG_LEVEL");
        command
    }
}
