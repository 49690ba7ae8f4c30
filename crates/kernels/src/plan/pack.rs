//! Rows of sixteen-bit numbers, in pairs.

use super::compile::Compiled;
use super::rows::Rows;
use super::{Columns, Moving, Placing, Source};
use crate::isa::Line;

/// The largest number that a row holds, and the sum of a pair's weights.
const ONE: f64 = 32767.0;

/// Scales and offsets of four columns: a number is `sum * scale + offset`, with the weighted sum of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Decoding {
    pub(crate) scale: [f32; 4],
    pub(crate) offset: [f32; 4],
}

/// Packs `rows`, and tells the actions how to read them.
pub(super) fn pack(rows: &Rows, additive: &[bool], compiled: &mut Compiled) -> Rows {
    let from: &[f32] = bytemuck::cast_slice(&rows.lines);
    let mut out = vec![Line::ZERO; rows.lines.len()];
    let to: &mut [u32] = bytemuck::cast_slice_mut(&mut out);
    for action in &mut compiled.actions {
        let Source::Moving(Moving { joint, rotation, placing }) = &mut action.source else { continue };
        let (at, axes): (Option<&mut Columns>, Option<&mut Columns>) = match placing {
            Placing::Constant { .. } | Placing::ConstantAxes { .. } => (None, None),
            Placing::Columns { at, .. } | Placing::ColumnsConstantAxes { at, .. } => (Some(at), None),
            Placing::ColumnsAxes { at, scale_at } => (Some(at), Some(scale_at)),
        };
        let blending = &mut compiled.blending[*joint as usize];
        for (columns, blend) in [Some(rotation), at, axes].into_iter().zip(blending) {
            let Some(columns) = columns else { continue };
            let at = columns.at as usize;
            [columns.decoding, blend.difference] = pack_four(from, to, rows.stride, additive, at);
        }
    }
    Rows { lines: out, stride: rows.stride, packed: true }
}

/// What a column moves through.
#[derive(Clone, Copy)]
struct Range {
    middle: f64,
    half: f64,
}

impl Range {
    /// Of one column of those rows that are additive, or are not.
    fn of(rows: &[f32], stride: usize, which: impl Fn(usize) -> bool, column: usize) -> Self {
        let rows = rows.chunks_exact(stride).enumerate().filter(|(row, _)| which(*row));
        let (low, high) = rows
            .map(|(_, row)| f64::from(row[column]))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            return Self { middle: 0.0, half: 0.0 };
        }
        Self { middle: f64::midpoint(low, high), half: (high - low) / 2.0 }
    }

    /// From -1 to 1.
    fn part(self, v: f64) -> f64 {
        if self.half > 0.0 { (v - self.middle) / self.half } else { 0.0 }
    }
}

/// Four columns of all rows, each number beside that of the row behind. Returns what makes numbers of them again, in rows
/// of poses and in those of differences.
fn pack_four(from: &[f32], to: &mut [u32], stride: usize, additive: &[bool], at: usize) -> [Decoding; 2] {
    let is_additive = |row: usize| additive.get(row).copied().unwrap_or_default();
    let ranges: [[Range; 4]; 2] = [false, true]
        .map(|kind| std::array::from_fn(|c| Range::of(from, stride, |row| is_additive(row) == kind, at + c)));
    // From the last row to the first, since each also holds the next. That of another kind is never read.
    let mut next = None;
    for (row, (from, to)) in from.chunks_exact(stride).zip(to.chunks_exact_mut(stride)).enumerate().rev() {
        let ranges = &ranges[usize::from(is_additive(row))];
        let own: [i16; 4] =
            std::array::from_fn(|c| (ranges[c].part(from[at + c].into()) * ONE).round() as i16);
        let later = next.unwrap_or(own);
        for (c, to) in to[at..at + 4].iter_mut().enumerate() {
            *to = u32::from(later[c] as u16) << 16 | u32::from(own[c] as u16);
        }
        next = Some(own);
    }
    ranges.map(|ranges| Decoding {
        scale: ranges.map(|r| (r.half / (ONE * ONE)) as f32),
        offset: ranges.map(|r| r.middle as f32),
    })
}
