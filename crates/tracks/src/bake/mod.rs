//! From authored clips to a [`Bank`] of rows, uniform in time.
//!
//! In order: [`rate`] chooses how many rows a second; [`rows`] finds where the clip jumps, and samples the exact clip at
//! each row, twice: first [`columns`] sees over all clips what moves at all and lays out the columns, then it writes the
//! rows; and [`error`] plays the bank against the exact clips and reports the largest difference. The README beside this
//! file tells why.

mod columns;
mod error;
mod rate;
mod report;
mod rows;

use thiserror::Error;

pub use report::{BakeReport, ClipBakeReport, LargestError};

use columns::{Survey, Writer};
use rate::Grid;
use rows::Schedule;

use crate::bank::{Bank, BankClip, Interval, LINE_NUMBERS, Line};
use crate::{Clip, Skeleton};

/// What a caller can choose about a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOptions {
    /// Rows a second for all clips. None takes for each clip the lowest of 24, 25, 30, 48, 50, 60 and 120 Hz on whose
    /// grid all keys lie, else 60.
    pub rate_hz: Option<f32>,
    /// A channel that never leaves its first value by more than this is a constant. For rotations per component, for
    /// scales relative to the largest axis, for translations relative to the skeleton's extent.
    pub constant_tolerance: f32,
    /// The bake refuses clips that would need more rows than this. Beyond 2^30 it makes no difference.
    pub max_rows: usize,
    /// The bake refuses clips whose rows would take more bytes than this.
    pub max_bytes: usize,
}

impl Default for BakeOptions {
    /// The rate by the keys, a constant tolerance of 1e-6, and limits that no sensible bank meets: about 19 hours at
    /// 60 Hz, and 1 GiB.
    fn default() -> Self {
        Self { rate_hz: None, constant_tolerance: 1e-6, max_rows: 1 << 22, max_bytes: 1 << 30 }
    }
}

/// Why clips can't be baked.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The rate asked for is no rate.
    #[error("a bake needs a rate above 0 and finite, but was asked for {rate_hz} Hz")]
    Rate {
        /// The rate asked for.
        rate_hz: f32,
    },
    /// The clip was built for a larger skeleton.
    #[error("clip {clip:?} moves joint {joint}, but the skeleton has {count} joints")]
    Skeleton {
        /// The clip.
        clip: String,
        /// The joint it moves.
        joint: usize,
        /// How many joints there are.
        count: usize,
    },
    /// The clips are too long for the rate.
    #[error(
        "clip {clip:?} of {duration_s} s at {rate_hz} Hz brings the bank to {rows} rows, above the limit of {limit}"
    )]
    TooManyRows {
        /// The clip at which the limit broke.
        clip: String,
        /// Its length.
        duration_s: f32,
        /// Its rate.
        rate_hz: f32,
        /// Rows up to and including this clip.
        rows: usize,
        /// [`BakeOptions::max_rows`].
        limit: usize,
    },
    /// The clips are too long for that many joints.
    #[error("{rows} rows of {row_bytes} bytes each take more than the limit of {limit} bytes")]
    TooManyBytes {
        /// Rows of all clips.
        rows: usize,
        /// Bytes of one.
        row_bytes: usize,
        /// [`BakeOptions::max_bytes`].
        limit: usize,
    },
    /// The curves leave what an `f32` can hold.
    #[error("clip {clip:?} moves joint {joint} ({name:?}) beyond all numbers at {time_s} s")]
    NotFinite {
        /// The clip.
        clip: String,
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// The time.
        time_s: f32,
    },
}

/// Resamples `clips` of one `skeleton` into rows, and measures the result against the exact clips.
///
/// # Errors
/// Any [`BakeError`].
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0],
///     vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// let (bank, report) = bake(&skeleton, &[clip], &BakeOptions::default())?;
/// assert_eq!(bank.clips()[0].rate_hz(), 24.0);
/// assert!(report.largest.error < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bake(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &BakeOptions,
) -> Result<(Bank, BakeReport), BakeError> {
    if let Some(rate_hz) = options.rate_hz
        && !(rate_hz > 0.0 && rate_hz.is_finite())
    {
        return Err(BakeError::Rate { rate_hz });
    }
    let schedules = schedule(skeleton, clips, options)?;
    let mut survey = Survey::new(skeleton, options.constant_tolerance);
    for (clip, schedule) in clips.iter().zip(&schedules) {
        rows::for_each(skeleton, clip, schedule, |_, pose| survey.see(pose))?;
    }
    let layout = survey.lay_out();

    let (row_count, lines_per_row) =
        (schedules.iter().map(|s| s.rows.len()).sum(), layout.width.div_ceil(LINE_NUMBERS));
    let row_bytes = lines_per_row * size_of::<Line>();
    if row_bytes.saturating_mul(row_count) > options.max_bytes {
        return Err(BakeError::TooManyBytes { rows: row_count, row_bytes, limit: options.max_bytes });
    }
    let mut bank = Bank {
        skeleton: skeleton.clone(),
        columns: layout.columns,
        constants: layout.constants,
        lines_per_row,
        lines: vec![Line::default(); lines_per_row * row_count],
        row_count: 0,
        clips: Vec::with_capacity(clips.len()),
        intervals: Vec::new(),
    };
    for (clip, schedule) in clips.iter().zip(&schedules) {
        let rows = &mut bank.lines[bank.row_count * lines_per_row..];
        let mut writer = Writer::new(&bank.columns, &bank.constants);
        rows::for_each(skeleton, clip, schedule, |row, pose| {
            let lines = &mut rows[row * lines_per_row..][..lines_per_row];
            writer.write(pose, bytemuck::cast_slice_mut(lines));
        })?;
        let first = bank.intervals.len();
        let shifted = |i: &Interval| Interval { row: i.row + bank.row_count as u32, ..*i };
        bank.intervals.extend(schedule.intervals.iter().map(shifted));
        bank.row_count += schedule.rows.len();
        bank.clips.push(BankClip {
            name: clip.name().into(),
            duration_s: clip.duration_s(),
            rate_hz: schedule.grid.rate_hz,
            intervals: first..bank.intervals.len(),
        });
    }
    let report = error::measure(&bank, clips, &schedules)?;
    Ok((bank, report))
}

/// Plans each clip's rows, and refuses clips of another skeleton and too long ones.
fn schedule(skeleton: &Skeleton, clips: &[Clip], options: &BakeOptions) -> Result<Vec<Schedule>, BakeError> {
    // Rows are counted in 32 bits, and each interval may take two.
    let limit = options.max_rows.min(1 << 30);
    let count = skeleton.joint_count();
    let mut schedules = Vec::with_capacity(clips.len());
    let mut rows = 0usize;
    for clip in clips {
        if let Some(bound) = clip.tracks().iter().find(|b| b.joint().get() >= count) {
            return Err(BakeError::Skeleton { clip: clip.name().into(), joint: bound.joint().get(), count });
        }
        let grid = Grid::choose(clip, options);
        let fits = |rows: usize| {
            let (duration_s, rate_hz) = (clip.duration_s(), grid.rate_hz);
            let broken =
                BakeError::TooManyRows { clip: clip.name().into(), duration_s, rate_hz, rows, limit };
            if rows > limit { Err(broken) } else { Ok(()) }
        };
        // Once before anything of that size exists, and once with the rows that jumps add.
        fits(rows.saturating_add(grid.intervals).saturating_add(1))?;
        let schedule = rows::schedule(clip, grid);
        rows += schedule.rows.len();
        fits(rows)?;
        schedules.push(schedule);
    }
    Ok(schedules)
}

impl BakeError {
    fn not_finite(skeleton: &Skeleton, clip: &Clip, joint: usize, time_s: f32) -> Self {
        let name = skeleton.names()[joint].clone();
        Self::NotFinite { clip: clip.name().into(), joint, name, time_s }
    }
}
