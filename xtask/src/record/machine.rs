//! Where a record was made, and of what.

use std::path::Path;
use std::process::Command;

use super::{RecordError, said};

pub(super) struct Machine {
    /// The processor, as the system calls it.
    pub(super) cpu: String,
    pub(super) threads: usize,
    /// Year, month and day, UTC.
    pub(super) date: String,
    pub(super) rustc: String,
    /// Of the sources, with a remark if they were changed since.
    pub(super) commit: String,
}

impl Machine {
    pub(super) fn here(root: &Path) -> Result<Self, RecordError> {
        let ask = |program: &str, words: &[&str]| {
            said(Command::new(program).args(words).current_dir(root).env("LC_ALL", "C"))
        };
        let commit = ask("git", &["rev-parse", "--short=12", "HEAD"])?;
        let changed = !ask("git", &["status", "--porcelain", "--untracked-files=no"])?.is_empty();
        Ok(Self {
            cpu: model_name(&ask("lscpu", &[])?),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            date: ask("date", &["-u", "+%Y-%m-%d"])?,
            rustc: ask("rustc", &["--version"])?,
            commit: if changed { commit + ", with changes" } else { commit },
        })
    }

    /// The processor, as part of a file's name.
    pub(super) fn slug(&self) -> String {
        let lower = self.cpu.to_lowercase();
        let parts = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    }
}

/// What lscpu calls the model.
fn model_name(lscpu: &str) -> String {
    let mut lines = lscpu.lines().filter_map(|line| line.split_once(':'));
    let model = lines.find(|(name, _)| name.trim() == "Model name").map(|(_, model)| model.trim());
    model.filter(|model| !model.is_empty() && *model != "-").unwrap_or("unknown processor").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_becomes_part_of_a_name() {
        let lscpu = "Architecture:   x86_64\nModel name:   AMD EPYC 9R14 (Zen 4)\n  Model: 17\n";
        let machine = Machine {
            cpu: model_name(lscpu),
            threads: 2,
            date: String::new(),
            rustc: String::new(),
            commit: String::new(),
        };
        assert_eq!(machine.cpu, "AMD EPYC 9R14 (Zen 4)");
        assert_eq!(machine.slug(), "amd-epyc-9r14-zen-4");
        assert_eq!(model_name("Model name: -\n"), "unknown processor");
        assert_eq!(model_name(""), "unknown processor");
    }
}
