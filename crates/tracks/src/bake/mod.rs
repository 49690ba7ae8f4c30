//! From authored clips to a [`Bank`] of rows, uniform in time.
//!
//! In order: [`rate`] chooses how many rows a second and finds where the clip jumps; [`rows`] samples the exact clip at
//! each row; [`columns`] sees over all clips what moves at all and lays out the columns; the rows are written; and
//! [`error`] plays the bank against the exact clips, densely, and reports the largest difference.

mod columns;
mod error;
mod rate;
mod rows;

use thiserror::Error;

pub use error::{BakeReport, ClipBakeReport, LargestError};

use crate::bank::{Bank, BankClip, Line};
use crate::{Clip, Skeleton};

/// What a caller can choose about a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOptions {
    /// Rows a second for all clips. None takes for each clip the lowest of 24, 25, 30, 48, 50, 60 and 120 Hz on whose
    /// grid all keys lie, else 60.
    pub rate_hz: Option<f32>,
    /// A channel that never leaves its first value by more than this is a constant. For rotations per component, for
    /// scales relative to 1, for translations relative to the skeleton's extent.
    pub constant_tolerance: f32,
    /// The bake refuses clips that would need more rows than this.
    pub max_rows: usize,
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self { rate_hz: None, constant_tolerance: 1e-6, max_rows: 1 << 22 }
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
    let count = skeleton.joint_count();
    let mut schedules = Vec::with_capacity(clips.len());
    let mut total = 0usize;
    for clip in clips {
        if let Some(bound) = clip.tracks().iter().find(|b| b.joint().get() >= count) {
            return Err(BakeError::Skeleton { clip: clip.name().into(), joint: bound.joint().get(), count });
        }
        let grid = rate::choose(clip, options);
        total = total.saturating_add(grid.intervals).saturating_add(2);
        if total > options.max_rows {
            return Err(BakeError::TooManyRows {
                clip: clip.name().into(),
                duration_s: clip.duration_s(),
                rate_hz: grid.rate_hz,
                rows: total,
                limit: options.max_rows,
            });
        }
        schedules.push(rows::schedule(clip, grid));
    }
    let mut samples = Vec::with_capacity(clips.len());
    for (clip, schedule) in clips.iter().zip(&schedules) {
        samples.push(rows::sample(skeleton, clip, schedule)?);
    }

    let layout = columns::lay_out(skeleton, &samples, options.constant_tolerance);
    let mut bank = Bank {
        skeleton: skeleton.clone(),
        columns: layout.columns,
        constants: layout.constants,
        lines_per_row: layout.width.div_ceil(16),
        lines: Vec::new(),
        row_count: 0,
        clips: Vec::new(),
        interval_rows: Vec::new(),
    };
    for ((clip, schedule), poses) in clips.iter().zip(&schedules).zip(&samples) {
        bank.clips.push(BankClip {
            name: clip.name().into(),
            duration_s: clip.duration_s(),
            rate_hz: schedule.grid.rate_hz,
            intervals_per_s: schedule.grid.intervals_per_s(clip.duration_s()),
            first_interval: bank.interval_rows.len() as u32,
            intervals: schedule.first_rows.len() as u32,
        });
        bank.interval_rows.extend(schedule.first_rows.iter().map(|row| bank.row_count as u32 + row));
        bank.row_count += schedule.rows.len();
        let mut lines = vec![Line([0.0; 16]); bank.lines_per_row * schedule.rows.len()];
        columns::write_rows(&bank.columns, &bank.constants, poses, bytemuck::cast_slice_mut(&mut lines));
        bank.lines.extend(lines);
    }
    let report = error::measure(&bank, clips, &schedules);
    Ok((bank, report))
}
