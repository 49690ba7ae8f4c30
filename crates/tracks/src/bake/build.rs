//! The bank itself, by a schedule for each clip.

use super::columns::{Survey, Writer};
use super::rows::{self, Schedule};
use super::{BakeError, BakeOptions};
use crate::bank::{Bank, BankClip, Interval, LINE_NUMBERS, Line};
use crate::{Clip, Skeleton};

/// Samples all clips twice, to see what moves and to write it: so no more is in memory than the bank.
pub(super) fn build(
    skeleton: &Skeleton,
    clips: &[Clip],
    schedules: &[Schedule],
    options: &BakeOptions,
) -> Result<Bank, BakeError> {
    let mut survey = Survey::new(skeleton, options.constant_tolerance);
    for (clip, schedule) in clips.iter().zip(schedules) {
        rows::for_each(skeleton, clip, schedule, |_, pose| survey.see(pose))?;
    }
    survey.make_posable(skeleton, &options.posable);
    let layout = survey.lay_out(clips.iter().any(Clip::is_additive));

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
        motion_joint: None,
    };
    for (clip, schedule) in clips.iter().zip(schedules) {
        let rows = &mut bank.lines[bank.row_count * lines_per_row..];
        let mut writer = Writer::new(&bank.columns, &bank.constants, clip.is_additive());
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
            additive: clip.is_additive(),
            duration_s: clip.duration_s(),
            rate_hz: schedule.grid.rate_hz,
            intervals: first..bank.intervals.len(),
            motion: None,
            markers: clip.markers().to_vec(),
            key_times: clip.key_times().into(),
        });
    }
    Ok(bank)
}
