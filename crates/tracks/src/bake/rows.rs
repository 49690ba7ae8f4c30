//! Which rows a clip gets, and the exact clip's pose at each.

use super::BakeError;
use super::rate::Grid;
use crate::bank::Interval;
use crate::time::{Located, locate};
use crate::{BoundTrack, Channel, Clip, Interpolation, Skeleton, Transform};

/// Which limit of the curves a row shows, where they jump at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Coming from earlier times.
    Before,
    /// The value at the time itself.
    At,
}

/// The rows of a clip, and the intervals between them.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) grid: Grid,
    /// Place on the grid and side of each row.
    pub(super) rows: Vec<(u32, Side)>,
    pub(super) intervals: Vec<Interval>,
    /// When each place on the grid shows.
    times: Vec<f32>,
}

/// One row at each place on the grid, and where the clip jumps one more: the end of the interval before the jump.
pub(super) fn schedule(clip: &Clip, grid: Grid) -> Schedule {
    let (times, jumps) = key_times(clip, &grid);
    let (mut rows, mut intervals) =
        (Vec::with_capacity(grid.intervals + 2), Vec::with_capacity(grid.intervals));
    for place in 0..grid.intervals {
        intervals.push(Interval { row: rows.len() as u32, start_s: times[place], end_s: times[place + 1] });
        rows.push((place as u32, Side::At));
        if jumps[place + 1] || place + 1 == grid.intervals {
            rows.push((place as u32 + 1, Side::Before));
        }
    }
    // Where the clip jumps at its very end, or has no length, that last instant is an interval of its own.
    if jumps[grid.intervals] || grid.intervals == 0 {
        let end = clip.duration_s();
        intervals.push(Interval { row: rows.len() as u32, start_s: end, end_s: end });
        rows.extend([(grid.intervals as u32, Side::At); 2]);
    }
    Schedule { grid, rows, intervals, times }
}

/// For each place on the grid when it shows, and whether a curve jumps there.
fn key_times(clip: &Clip, grid: &Grid) -> (Vec<f32>, Vec<bool>) {
    let mut times: Vec<f32> = (0..=grid.intervals).map(|row| grid.time(row)).collect();
    let mut jumps = vec![false; times.len()];
    for &time in clip.timelines().iter().flat_map(|times| times.iter()) {
        if let Some(row) = grid.row_at(time) {
            times[row] = time;
        }
    }
    for time in clip.tracks().iter().flat_map(|bound| jump_times(bound, grid)) {
        if let Some(row) = grid.row_at(time) {
            times[row] = if jumps[row] { time.min(times[row]) } else { time };
            jumps[row] = true;
        }
    }
    times[grid.intervals] = clip.duration_s();
    times[0] = 0.0;
    (times, jumps)
}

/// Whether a track is part of the pose, and so of the rows.
pub(super) fn in_pose(bound: &BoundTrack) -> bool {
    !matches!(bound.track().channel(), Channel::Weights(_))
}

/// The times at which a track's curve is not continuous, or climbs between two keys at one row.
fn jump_times<'a>(bound: &'a BoundTrack, grid: &'a Grid) -> impl Iterator<Item = f32> + 'a {
    let track = bound.track();
    let times = track.times();
    let breaks = move |key: usize| {
        track.interpolation() == Interpolation::Step
            || times[key] == times[key - 1]
            || (grid.row_at(times[key]).is_some() && grid.place(times[key]) == grid.place(times[key - 1]))
    };
    (1..if in_pose(bound) { times.len() } else { 0 })
        .filter(move |&key| breaks(key) && track.value(key) != track.value(key - 1))
        .map(move |key| times[key])
}

/// Shows `visit` the pose at each row of the schedule, in order.
pub(super) fn for_each(
    skeleton: &Skeleton,
    clip: &Clip,
    schedule: &Schedule,
    mut visit: impl FnMut(usize, &[Transform]),
) -> Result<(), BakeError> {
    let mut pose = vec![Transform::IDENTITY; skeleton.joint_count()];
    for (index, &(row, side)) in schedule.rows.iter().enumerate() {
        let time_s = schedule.times[row as usize];
        let place = schedule.grid.row_place(row as usize);
        clip.sample_located(skeleton, &mut pose, |times| {
            locate_on_grid(times, &schedule.grid, place, time_s, side)
        });
        if let Some(joint) = pose.iter().position(|t| !t.is_finite()) {
            return Err(BakeError::not_finite(skeleton, clip, joint, time_s));
        }
        visit(index, &pose);
    }
    Ok(())
}

/// [`locate`], but keys at the same place as the row are at its time: the two may round differently.
fn locate_on_grid(times: &[f32], grid: &Grid, place: f64, time_s: f32, side: Side) -> Located {
    let at_key = |key| Located { key, next: key, fraction: 0.0 };
    let first = times.partition_point(|&key| grid.place(key) < place);
    let beyond = times.partition_point(|&key| grid.place(key) <= place);
    match side {
        _ if first == beyond => locate(times, time_s),
        Side::At => at_key(beyond - 1),
        Side::Before if first == 0 => at_key(0),
        Side::Before => Located { key: first - 1, next: first, fraction: 1.0 },
    }
}
