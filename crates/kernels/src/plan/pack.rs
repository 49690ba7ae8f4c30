//! Rows of sixteen-bit numbers, in pairs.

use super::rows::Rows;
use super::{Action, Columns, Moving, Placing, Source};
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
pub(super) fn pack(rows: &Rows, actions: &mut [Action]) -> Rows {
    let from: &[f32] = bytemuck::cast_slice(&rows.lines);
    let mut out = vec![Line::ZERO; rows.lines.len()];
    let to: &mut [u32] = bytemuck::cast_slice_mut(&mut out);
    for action in actions {
        let Source::Moving(Moving { rotation, placing }) = &mut action.source else { continue };
        let others: [Option<&mut Columns>; 2] = match placing {
            Placing::Constant { .. } | Placing::ConstantAxes { .. } => [None, None],
            Placing::Columns { at, .. } | Placing::ColumnsConstantAxes { at, .. } => [Some(at), None],
            Placing::ColumnsAxes { at, scale_at } => [Some(at), Some(scale_at)],
        };
        for columns in std::iter::once(rotation).chain(others.into_iter().flatten()) {
            columns.decoding = pack_four(from, to, rows.stride, columns.at as usize);
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
    fn of(rows: &[f32], stride: usize, column: usize) -> Self {
        let column = rows.chunks_exact(stride).map(|row| f64::from(row[column]));
        let (low, high) =
            column.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        Self { middle: f64::midpoint(low, high), half: (high - low) / 2.0 }
    }

    /// From -1 to 1.
    fn part(self, v: f64) -> f64 {
        if self.half > 0.0 { (v - self.middle) / self.half } else { 0.0 }
    }
}

/// Four columns of all rows, each number beside that of the row behind. Returns what makes numbers of them again.
fn pack_four(from: &[f32], to: &mut [u32], stride: usize, at: usize) -> Decoding {
    let ranges: [Range; 4] = std::array::from_fn(|c| Range::of(from, stride, at + c));
    let number = |c: usize, v: f32| (ranges[c].part(v.into()) * ONE).round() as i16;
    // From the last row to the first, since each also holds the next.
    let mut next = None;
    for (from, to) in from.chunks_exact(stride).zip(to.chunks_exact_mut(stride)).rev() {
        let own: [i16; 4] = std::array::from_fn(|c| number(c, from[at + c]));
        let later = next.unwrap_or(own);
        for (c, to) in to[at..at + 4].iter_mut().enumerate() {
            *to = u32::from(later[c] as u16) << 16 | u32::from(own[c] as u16);
        }
        next = Some(own);
    }
    Decoding { scale: ranges.map(|r| (r.half / (ONE * ONE)) as f32), offset: ranges.map(|r| r.middle as f32) }
}
