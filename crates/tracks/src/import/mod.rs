//! What an import returns, whatever the format: the contents, a report of what was odd, or an error.
//!
//! Importers are crates of their own, which read files. The types here are the ones that all of them return,
//! so that a program treats glTF and motion capture alike.

mod contents;
mod detect;
mod error;
mod file;
mod options;
mod report;
mod text;
mod unit;

pub use contents::{EndSite, Format, Import, LeftOutClip, MeshPart, Morph};
pub use detect::Content;
pub use error::{ImportError, Problem};
pub use file::read_file;
pub use options::ImportOptions;
pub use report::{Report, ReportKind, ReportLine};
pub use text::decode_text;
