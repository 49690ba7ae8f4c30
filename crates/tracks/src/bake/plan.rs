//! How many rows, and whether they are too many.

use super::error::Measured;
use super::rate::Grid;
use super::rows::Schedule;
use super::{BakeError, BakeOptions};
use crate::{Bank, Clip, Skeleton, extent, largest_coordinate, model_matrices};

/// Into how many steps an interval is divided at most.
const MOST_STEPS: u32 = 32;
/// Rows are counted in 32 bits, and each interval may take two.
const MOST_ROWS: usize = 1 << 30;

/// Plans each clip's rows on the grid of its rate, and refuses clips of another skeleton and too long ones.
pub(super) fn schedules(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &BakeOptions,
) -> Result<Vec<Schedule>, BakeError> {
    let count = skeleton.joint_count();
    let mut schedules = Vec::with_capacity(clips.len());
    let mut rows = 0usize;
    for clip in clips {
        if let Some(bound) = clip.tracks().iter().find(|b| b.joint().get() >= count) {
            return Err(BakeError::Skeleton { clip: clip.name().into(), joint: bound.joint().get(), count });
        }
        let grid = Grid::choose(clip, options.rate_hz);
        // Before anything of that size exists.
        rows = rows.saturating_add(grid.intervals).saturating_add(1);
        check(clip, &grid, rows, options)?;
        schedules.push(Schedule::new(clip, grid, &vec![1; grid.intervals]));
    }
    check_rows(clips, &schedules, options)?;
    Ok(schedules)
}

/// Refuses too many rows, counted with those that jumps add.
fn check_rows(clips: &[Clip], schedules: &[Schedule], options: &BakeOptions) -> Result<(), BakeError> {
    let mut rows = 0;
    for (clip, schedule) in clips.iter().zip(schedules) {
        rows += schedule.rows.len();
        check(clip, &schedule.grid, rows, options)?;
    }
    Ok(())
}

fn check(clip: &Clip, grid: &Grid, rows: usize, options: &BakeOptions) -> Result<(), BakeError> {
    let limit = options.max_rows.min(MOST_ROWS);
    if rows <= limit {
        return Ok(());
    }
    let (clip, duration_s, rate_hz) = (clip.name().into(), clip.duration_s(), grid.rate_hz);
    Err(BakeError::TooManyRows { clip, duration_s, rate_hz, rows, limit })
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
    schedules: &[Schedule],
    index: usize,
    divided: &Schedule,
    options: &BakeOptions,
) -> bool {
    let rows: usize = schedules.iter().map(|s| s.rows.len()).sum();
    let rows = rows - schedules[index].rows.len() + divided.rows.len();
    let row_bytes = size_of::<f32>() * bank.row_stride().max(1);
    rows <= options.max_rows.min(MOST_ROWS) && rows <= options.max_bytes / row_bytes
}

/// What errors are relative to, in the asset's unit; 1 for a skeleton without size.
fn size(skeleton: &Skeleton) -> f32 {
    let mut rest = vec![Default::default(); skeleton.joint_count()];
    model_matrices(skeleton, skeleton.rest(), &mut rest);
    let size = extent(&rest).max(largest_coordinate(&rest));
    if size > 0.0 { size } else { 1.0 }
}
