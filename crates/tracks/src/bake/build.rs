//! The bank itself, by a schedule for each clip.

use super::BakeOptions;
use super::columns::{Survey, Writer};
use super::entry::{Entry, Refused};
use super::left_out::{Shorten, WhyLeftOut};
use super::rows;
use crate::Skeleton;
use crate::bank::{Bank, BankClip, Interval, LINE_NUMBERS, Line};

/// Samples all clips twice, to see what moves and to write it: so no more is in memory than the bank. The error is all
/// entries that the bank can't hold.
pub(super) fn build(
    skeleton: &Skeleton,
    entries: &[Entry<'_>],
    options: &BakeOptions,
) -> Result<Bank, Vec<Refused>> {
    let additive = entries.iter().any(|entry| entry.clip.is_additive());
    let mut survey = Survey::new(skeleton, options.constant_tolerance, additive);
    let mut refused = Vec::new();
    for (index, Entry { clip, schedule, .. }) in entries.iter().enumerate() {
        let seen = rows::for_each(skeleton, clip, schedule, |_, pose| survey.see(pose, clip.is_additive()));
        refused.extend(seen.err().map(|why| (index, why)));
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    survey.make_posable(skeleton, &options.posable);
    let layout = survey.lay_out();

    let row_count: usize = entries.iter().map(|entry| entry.schedule.rows.len()).sum();
    let lines_per_row = layout.width.div_ceil(LINE_NUMBERS);
    let refused = too_large(entries, lines_per_row * size_of::<Line>(), options);
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut bank = Bank {
        skeleton: skeleton.clone(),
        columns: layout.columns.clone(),
        varying: layout.varying.clone(),
        constants: layout.constants.clone(),
        lines_per_row,
        lines: vec![Line::default(); lines_per_row * row_count],
        row_count: 0,
        clips: Vec::with_capacity(entries.len()),
        intervals: Vec::new(),
        motion_joint: None,
    };
    for (index, Entry { clip, schedule, motion, .. }) in entries.iter().enumerate() {
        let rows = &mut bank.lines[bank.row_count * lines_per_row..];
        let mut writer = Writer::new(&layout, clip.is_additive());
        rows::for_each(skeleton, clip, schedule, |row, pose| {
            let lines = &mut rows[row * lines_per_row..][..lines_per_row];
            writer.write(pose, bytemuck::cast_slice_mut(lines));
        })
        .map_err(|why| vec![(index, why)])?;
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
            motion: motion.as_ref().map(|(curve, _)| curve.clone()),
            markers: clip.markers().to_vec(),
            key_times: clip.key_times().into(),
        });
    }
    Ok(bank)
}

/// The entries that leave the limit of bytes, each beside those before it that keep it.
fn too_large(entries: &[Entry<'_>], row_bytes: usize, options: &BakeOptions) -> Vec<Refused> {
    let limit = options.max_bytes;
    let mut free = limit;
    let mut refused = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let rows = entry.schedule.rows.len();
        match free.checked_sub(rows.saturating_mul(row_bytes)) {
            Some(left) => free = left,
            None => {
                let help = Shorten::for_clip(&entry.clip, options, free / row_bytes);
                refused.push((index, WhyLeftOut::TooManyBytes { rows, row_bytes, free, limit, help }));
            }
        }
    }
    refused
}
