//! Which rows a clip gets, and the exact clip's pose at each.

use super::left_out::WhyLeftOut;
use super::rate::Grid;
use crate::bank::Interval;
use crate::time::{Located, locate};
use crate::{BoundTrack, Clip, DTransform, Interpolation, Skeleton, Transform};

/// Which limit of the curves a row shows, where they jump at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Coming from earlier times.
    Before,
    /// The value at the time itself.
    At,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Row {
    /// At a place on the grid.
    On(u32, Side),
    /// At this time, between two places.
    Between(f32),
}

/// The rows of a clip, and the intervals between them.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) grid: Grid,
    pub(super) rows: Vec<Row>,
    pub(super) intervals: Vec<Interval>,
    /// When each place on the grid shows.
    times: Vec<f32>,
}

impl Schedule {
    /// One row at each place on the grid, and where the clip jumps one more: the end of the interval before the jump.
    /// The intervals of the grid are divided into `steps`.
    pub(super) fn new(clip: &Clip, grid: Grid, steps: &[u32]) -> Self {
        let (times, jumps) = key_times(clip, &grid);
        let mut rows = Vec::with_capacity(grid.intervals + 2);
        let mut intervals = Vec::with_capacity(grid.intervals + 1);
        for (place, &steps) in steps.iter().enumerate() {
            let (start_s, end_s) = (times[place], times[place + 1]);
            intervals.push(Interval { row: rows.len() as u32, steps, start_s, end_s });
            rows.push(Row::On(place as u32, Side::At));
            rows.extend((1..steps).map(|step| {
                let way = f64::from(step) / f64::from(steps);
                let (start, end) = (f64::from(start_s), f64::from(end_s));
                Row::Between((start + (end - start) * way) as f32)
            }));
            if jumps[place + 1] || place + 1 == grid.intervals {
                rows.push(Row::On(place as u32 + 1, Side::Before));
            }
        }
        // Where the clip jumps at its very end, or has no length, that last instant is an interval of its own.
        if jumps[grid.intervals] || grid.intervals == 0 {
            let end = clip.duration_s();
            intervals.push(Interval { row: rows.len() as u32, steps: 1, start_s: end, end_s: end });
            rows.extend([Row::On(grid.intervals as u32, Side::At); 2]);
        }
        Self { grid, rows, intervals, times }
    }

    /// When each row shows, unsorted.
    pub(super) fn times(&self) -> Vec<f32> {
        self.rows.iter().map(|&row| self.time(row)).collect()
    }

    fn time(&self, row: Row) -> f32 {
        match row {
            Row::On(place, _) => self.times[place as usize],
            Row::Between(time_s) => time_s,
        }
    }

    /// Into how many steps each interval of the grid is divided.
    pub(super) fn steps(&self) -> Vec<u32> {
        self.intervals.iter().take(self.grid.intervals).map(|interval| interval.steps).collect()
    }
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
    let outside = |bound: &BoundTrack| bound.track().jumps_outside(clip.duration_s());
    let outside = clip.tracks().iter().filter(|bound| in_pose(bound)).flat_map(outside);
    for time in clip.tracks().iter().flat_map(|bound| jump_times(bound, grid)).chain(outside) {
        if let Some(row) = grid.row_at(time) {
            (times[row], jumps[row]) = (time, true);
        }
    }
    times[grid.intervals] = clip.duration_s();
    (times, jumps)
}

/// Whether a track is part of the pose, and so of the rows.
pub(super) fn in_pose(bound: &BoundTrack) -> bool {
    bound.track().channel().is_in_pose()
}

/// The times at which a track's curve is not continuous, or climbs between two keys at one place of the grid.
fn jump_times<'a>(bound: &'a BoundTrack, grid: &'a Grid) -> impl Iterator<Item = f32> + 'a {
    let track = bound.track();
    let times = track.times();
    let breaks = move |key: usize| {
        track.interpolation() == Interpolation::Step || grid.place(times[key]) == grid.place(times[key - 1])
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
) -> Result<(), WhyLeftOut> {
    let joints = skeleton.joint_count();
    let (mut exact, mut pose) = (vec![DTransform::IDENTITY; joints], vec![Transform::IDENTITY; joints]);
    for (index, &row) in schedule.rows.iter().enumerate() {
        let time_s = schedule.time(row);
        // For tracks that are outside of their keys.
        let shown_s = if matches!(row, Row::On(_, Side::Before)) { time_s.next_down() } else { time_s };
        clip.sample_located(skeleton, &mut exact, shown_s, |times| match row {
            Row::On(place, side) => {
                locate_on_grid(times, &schedule.grid, schedule.grid.row_place(place as usize), time_s, side)
            }
            Row::Between(time_s) => locate(times, time_s),
        });
        for (joint, exact) in pose.iter_mut().zip(&exact) {
            *joint = exact.as_transform();
        }
        if let Some(joint) = pose.iter().position(|t| !t.is_finite()) {
            return Err(WhyLeftOut::not_finite(skeleton, joint, time_s));
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
