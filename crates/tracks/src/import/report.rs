//! What an import repaired, left out, or found worth a remark.

use std::fmt;

/// What became of something odd in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReportKind {
    /// The file is at fault, and what was meant has been put in its place.
    Repair,
    /// Something was left out.
    Skip,
    /// Taken as it is; worth knowing.
    Remark,
}

impl ReportKind {
    /// The word printed for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Repair => "repair",
            Self::Skip => "skip",
            Self::Remark => "remark",
        }
    }
}

/// One repair, skip or remark. Displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportLine {
    /// What became of it.
    pub kind: ReportKind,
    /// Where in the file, such as `animations[3].channels[7]` or `line 12`; empty for the file as a whole.
    pub place: String,
    /// What was found and done.
    pub what: String,
}

impl fmt::Display for ReportLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.place.is_empty() { "" } else { ": " };
        write!(f, "{}: {}{colon}{}", self.kind.name(), self.place, self.what)
    }
}

/// Every repair, skip and remark of an import, in the order they were met. Displays one a line.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    lines: Vec<ReportLine>,
}

impl Report {
    /// The lines, in order.
    #[must_use]
    pub fn lines(&self) -> &[ReportLine] {
        &self.lines
    }

    /// Adds the lines of another report behind its own.
    pub fn append(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// Whether there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a line: the file is at fault at `place`, and what was meant has been put there.
    pub fn repair(&mut self, place: impl fmt::Display, what: impl Into<String>) {
        self.push(ReportKind::Repair, place, what);
    }

    /// Adds a line: something at `place` was left out.
    pub fn skip(&mut self, place: impl fmt::Display, what: impl Into<String>) {
        self.push(ReportKind::Skip, place, what);
    }

    /// Adds a line: something at `place` was taken as it is, and is worth knowing.
    pub fn remark(&mut self, place: impl fmt::Display, what: impl Into<String>) {
        self.push(ReportKind::Remark, place, what);
    }

    fn push(&mut self, kind: ReportKind, place: impl fmt::Display, what: impl Into<String>) {
        self.lines.push(ReportLine { kind, place: place.to_string(), what: what.into() });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
