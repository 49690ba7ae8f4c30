//! What an import returns, whatever the format: the contents, a report of what was odd, or an error.
//!
//! Importers are crates of their own, which read files. The types here are the ones that all of them return,
//! so that a program treats glTF and motion capture alike.

mod contents;
mod error;
mod options;
mod report;

pub use contents::{EndSite, Format, Import, MeshPart, Morph};
pub use error::{ImportError, Problem};
pub use options::ImportOptions;
pub use report::{Report, ReportKind, ReportLine};
