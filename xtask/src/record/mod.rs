//! Figures of this machine: `throng bench` over the files, sizes, formats and layers that matter, as one page.
//!
//! [`machine`] says where and of what; [`runs`] says what is measured; [`page`] makes tables of the answers. Times of two machines,
//! or of two days, tell little beside each other: ratios do, and each is of one run.

mod machine;
mod page;
mod runs;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use thiserror::Error;

use machine::Machine;
use page::Section;

/// Levels worth a table, where the processor has them.
const LEVELS: [&str; 3] = ["avx2", "avx512", "neon"];

/// Why there is no record.
#[derive(Debug, Error)]
pub(crate) enum RecordError {
    #[error("{command}: {source}")]
    Start { command: String, source: std::io::Error },
    #[error("{command}: {status}, and it says: {said}")]
    Failed { command: String, status: std::process::ExitStatus, said: String },
    #[error("{command}: the answer is not what bench --help tells: {source}")]
    Answer { command: String, source: serde_json::Error },
    #[error("{}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{}: no such file; --assets names the folder that has it", path.display())]
    NoFile { path: PathBuf },
}

/// Measures everything and writes the page into the folder. Returns where.
pub(crate) fn run(assets: Option<&Path>, frames: u32, into: &Path) -> Result<PathBuf, RecordError> {
    let root = root();
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let throng = root.join("target").join("record");
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--release", "--package", "throng-cli", "--target-dir"]).arg(&throng);
    // What users build.
    build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    said(build.current_dir(&root))?;
    let throng = throng.join("release").join("throng");

    let machine = Machine::here(&root)?;
    let mut sections = Vec::new();
    for figure in runs::figures(&root, assets)? {
        for level in levels(&throng, &figure)? {
            let runs = runs::of(&figure, level, frames);
            let rows = runs.into_iter().map(|run| {
                eprintln!("{}", run.shown());
                let answers = match answers(run.command(&throng, &root)) {
                    Err(RecordError::Failed { .. }) if run.may_refuse => Vec::new(),
                    answers => answers?,
                };
                Ok((run, answers))
            });
            let rows = rows.collect::<Result<Vec<_>, RecordError>>()?;
            sections.push(Section { figure: figure.name, level, rows });
        }
    }
    let path = free(into, &machine);
    let written = std::fs::create_dir_all(into)
        .and_then(|()| std::fs::write(&path, page::page(&machine, assets.is_some(), frames, &sections)));
    written.map_err(|source| RecordError::Write { path: path.clone(), source })?;
    Ok(path)
}

/// Where records are kept.
pub(crate) fn folder() -> PathBuf {
    root().join("benches").join("records")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The levels that this processor has; without any of them, the portable one.
fn levels(throng: &Path, figure: &runs::Figure) -> Result<Vec<&'static str>, RecordError> {
    let mut levels = Vec::new();
    for level in LEVELS {
        let mut command = Command::new(throng);
        command.args(["bench", "--json", "-n", "1", "--frames", "1", "--level", level]).arg(&figure.path);
        // Other faults show in the first run that counts.
        if started(&mut command)?.status.success() {
            levels.push(level);
        }
    }
    if levels.is_empty() {
        levels.push("portable");
    }
    Ok(levels)
}

/// A name that no record has yet: of a day's second run the number follows.
fn free(into: &Path, machine: &Machine) -> PathBuf {
    let stem = format!("{}-{}", machine.date, machine.slug());
    let more = (2..).map(|n| format!("{stem}-{n}"));
    let mut names = std::iter::once(stem.clone()).chain(more).map(|name| into.join(name + ".md"));
    names.find(|path| !path.exists()).unwrap_or_else(|| into.join(stem + ".md"))
}

/// The answers of a bench: one, or those of several sizes.
fn answers(mut command: Command) -> Result<Vec<Value>, RecordError> {
    let said = said(&mut command)?;
    match serde_json::from_str(&said) {
        Ok(Value::Array(answers)) => Ok(answers),
        Ok(answer) => Ok(vec![answer]),
        Err(source) => Err(RecordError::Answer { command: words(&command), source }),
    }
}

/// What a command that succeeds says.
fn said(command: &mut Command) -> Result<String, RecordError> {
    let output = started(command)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(RecordError::Failed { command: words(command), status: output.status, said });
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

fn started(command: &mut Command) -> Result<std::process::Output, RecordError> {
    command.output().map_err(|source| RecordError::Start { command: words(command), source })
}

fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
