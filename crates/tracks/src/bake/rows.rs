//! The exact clip, sampled at each row.

use super::BakeError;
use super::rate::Grid;
use crate::time::{Located, locate};
use crate::{BoundTrack, Clip, Interpolation, Skeleton, Transform};

/// Which limit of the curves a row shows, where they jump at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Coming from earlier times.
    Before,
    /// The value at the time itself.
    At,
}

/// What rows a clip gets.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) grid: Grid,
    /// Time and side of each row.
    pub(super) rows: Vec<(f32, Side)>,
    /// The earlier row of each interval; the later one stands behind it.
    pub(super) first_rows: Vec<u32>,
}

/// One row at each step, and where the clip jumps one more: its end of the interval before the jump.
pub(super) fn schedule(clip: &Clip, grid: Grid) -> Schedule {
    let jumps = jumps(clip, &grid);
    let time = |row| grid.time(row, clip.duration_s());
    let mut rows = Vec::with_capacity(grid.intervals + 1);
    let mut first_rows = Vec::with_capacity(grid.intervals);
    for interval in 0..grid.intervals {
        first_rows.push(rows.len() as u32);
        rows.push((time(interval), Side::At));
        if jumps[interval + 1] || interval + 1 == grid.intervals {
            rows.push((time(interval + 1), Side::Before));
        }
    }
    // Where the clip jumps at its very end, that last instant is an interval of its own.
    if jumps[grid.intervals] {
        first_rows.push(rows.len() as u32);
        rows.extend([(clip.duration_s(), Side::At); 2]);
    }
    Schedule { grid, rows, first_rows }
}

/// For each row of the grid, whether a curve jumps there.
fn jumps(clip: &Clip, grid: &Grid) -> Vec<bool> {
    let mut jumps = vec![false; grid.intervals + 1];
    for bound in clip.tracks() {
        for time in jump_times(bound) {
            let row = if grid.step_s > 0.0 { (f64::from(time) / grid.step_s).round() as usize } else { 0 };
            let near = (grid.time(row, clip.duration_s()) - time).abs() <= grid.tolerance_s();
            if near && let Some(jump) = jumps.get_mut(row) {
                *jump = true;
            }
        }
    }
    jumps
}

/// The times at which a track's curve is not continuous.
pub(super) fn jump_times(bound: &BoundTrack) -> impl Iterator<Item = f32> + '_ {
    let track = bound.track();
    let times = track.times();
    (1..times.len()).filter_map(move |key| {
        let breaks = track.interpolation() == Interpolation::Step || times[key] == times[key - 1];
        (breaks && track.value(key) != track.value(key - 1)).then_some(times[key])
    })
}

/// The pose at each row of the schedule: rows times joints transforms.
pub(super) fn sample(
    skeleton: &Skeleton,
    clip: &Clip,
    schedule: &Schedule,
) -> Result<Vec<Transform>, BakeError> {
    let joints = skeleton.joint_count();
    let tolerance = schedule.grid.tolerance_s();
    let mut poses = vec![Transform::IDENTITY; schedule.rows.len() * joints];
    for (row, &(time_s, side)) in schedule.rows.iter().enumerate() {
        let pose = &mut poses[row * joints..][..joints];
        clip.sample_located(skeleton, pose, |times| locate_snapped(times, time_s, side, tolerance));
        if let Some(joint) = pose.iter().position(|t| !t.is_finite()) {
            let name = skeleton.names()[joint].clone();
            return Err(BakeError::NotFinite { clip: clip.name().into(), joint, name, time_s });
        }
    }
    Ok(poses)
}

/// [`locate`], but a key within `tolerance` of `t` is at `t`: a row's time and the key's may round differently.
fn locate_snapped(times: &[f32], t: f32, side: Side, tolerance: f32) -> Located {
    let at_key = |key| Located { key, next: key, fraction: 0.0 };
    // First key that is at `t` or later, and first that is surely later.
    let first = times.partition_point(|&key| key < t - tolerance);
    let beyond = times.partition_point(|&key| key <= t + tolerance);
    match side {
        _ if first == beyond => locate(times, t),
        Side::At => at_key(beyond - 1),
        Side::Before if first == 0 => at_key(0),
        Side::Before => Located { key: first - 1, next: first, fraction: 1.0 },
    }
}
