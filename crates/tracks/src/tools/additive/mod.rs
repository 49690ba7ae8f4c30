//! Clips as differences, to be added to whatever a character does.
//!
//! `make` turns a clip into its difference to a reference pose. `apply` samples differences, and adds them to a pose.

mod apply;
mod make;

pub(crate) use apply::added_to;
pub use apply::{apply_additive, sample_additive};
pub use make::{AdditiveError, make_additive};
