//! How many rows, and whether they are too many.

use super::BakeOptions;
use super::entry::Entry;
use super::error::Measured;
use super::rows::Schedule;
use crate::{Bank, Clip, Skeleton, extent, largest_coordinate, model_matrices};

/// Into how many steps an interval is divided at most.
const MOST_STEPS: u32 = 32;
/// Rows are counted in 32 bits, and each interval may take two.
const MOST_ROWS: usize = 1 << 30;

/// The most rows that a bank may have.
pub(super) fn most_rows(options: &BakeOptions) -> usize {
    options.max_rows.min(MOST_ROWS)
}

/// A schedule with more rows in those intervals whose error is above the bound, or none if there are none.
pub(super) fn divided(
    skeleton: &Skeleton,
    clip: &Clip,
    schedule: &Schedule,
    measured: &Measured,
    options: &BakeOptions,
) -> Option<Schedule> {
    let bound = options.error_bound * size(skeleton);
    let bound = (bound - measured.rounding).max(bound / 2.0);
    let mut steps = schedule.steps();
    let mut finer = false;
    for (steps, &error) in steps.iter_mut().zip(&measured.intervals) {
        if error > bound && *steps < MOST_STEPS {
            // The error of a smooth curve falls with the square of the steps.
            let times = (error / bound).sqrt().clamp(2.0, MOST_STEPS as f32).ceil() as u32;
            *steps = (*steps * times.next_power_of_two()).min(MOST_STEPS);
            finer = true;
        }
    }
    finer.then(|| Schedule::new(clip, schedule.grid, &steps))
}

/// Whether the bank still keeps its limits with one clip's rows divided. A clip that has no room for more rows stays as
/// the rate alone has it, and its error is reported.
pub(super) fn fits(
    bank: &Bank,
    entries: &[Entry<'_>],
    index: usize,
    divided: &Schedule,
    options: &BakeOptions,
) -> bool {
    let rows: usize = entries.iter().map(|entry| entry.schedule.rows.len()).sum();
    let rows = rows - entries[index].schedule.rows.len() + divided.rows.len();
    let row_bytes = size_of::<f32>() * bank.row_stride().max(1);
    rows <= most_rows(options) && rows <= options.max_bytes / row_bytes
}

/// What errors are relative to, in the asset's unit; 1 for a skeleton without size.
fn size(skeleton: &Skeleton) -> f32 {
    let mut rest = vec![Default::default(); skeleton.joint_count()];
    model_matrices(skeleton, skeleton.rest(), &mut rest);
    let size = extent(&rest).max(largest_coordinate(&rest));
    if size > 0.0 { size } else { 1.0 }
}
