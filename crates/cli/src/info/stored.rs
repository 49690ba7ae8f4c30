//! What sixteen-bit rows of a bake cost.

use std::sync::Arc;

use serde::Serialize;
use throng::kernels::RowError;
use throng::tracks::{BakeReport, Skin};
use throng::{Bank, Plan, RowFormat};

use super::ErrorAnswer;
use crate::load::Scene;

#[derive(Serialize)]
pub(super) struct StoredAnswer<'a> {
    packed_columns: usize,
    float_columns: usize,
    largest_error: Option<StoredError<'a>>,
    clips: Vec<ErrorAnswer<'a>>,
}

#[derive(Serialize)]
struct StoredError<'a> {
    clip: &'a str,
    clip_index: usize,
    #[serde(flatten)]
    largest: ErrorAnswer<'a>,
}

/// The error of a bank's rows in sixteen bits; none where there is no joint.
pub(super) fn measured(bank: Arc<Bank>) -> Option<RowError> {
    let skin = Skin::model_space(bank.skeleton());
    Plan::with_rows(bank, &skin, RowFormat::I16).ok().map(|plan| plan.row_error())
}

impl<'a> StoredAnswer<'a> {
    pub(super) fn new(scene: &'a Scene, report: &'a BakeReport, stored: &RowError) -> Self {
        Self {
            packed_columns: stored.packed_columns,
            float_columns: stored.float_columns,
            largest_error: stored.clip.map(|clip| &report.clips[clip]).map(|clip| StoredError {
                clip: &clip.name,
                clip_index: clip.source,
                largest: ErrorAnswer::new(scene, stored.largest),
            }),
            clips: stored.clips.iter().map(|error| ErrorAnswer::new(scene, *error)).collect(),
        }
    }

    /// A line; none where no clip has rows.
    pub(super) fn text(&self) -> Option<String> {
        let StoredError { clip, largest, .. } = self.largest_error.as_ref()?;
        let floats = match self.float_columns {
            0 => String::new(),
            count => format!("; {count} of {} columns stay floats", count + self.packed_columns),
        };
        let of = largest.name.map_or(String::new(), |joint| format!(", joint {joint:?}"));
        let (error, time) = (largest.error, largest.time);
        Some(format!("Rows of sixteen bits add {error:.2e}, clip {clip:?} at {time:.3} s{of}{floats}"))
    }
}
