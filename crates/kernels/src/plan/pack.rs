//! Rows of sixteen-bit numbers, in pairs.

use throng_tracks::Bank;

use super::compile::{Compiled, Rewrite};
use super::ranges::{Range, Steps};
use super::rows::Rows;
use super::{Action, Moving, Placing, Source};
use crate::isa::Line;

/// The largest number that a row holds, and the sum of a pair's weights.
pub(super) const ONE: f64 = 32767.0;

/// Scales and offsets of four columns: a number is `sum * scale + offset`, with the weighted sum of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Decoding {
    pub(crate) scale: [f32; 4],
    pub(crate) offset: [f32; 4],
}

/// How four columns of the rows are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// Whether as pairs of sixteen bits, rather than as floats.
    pub(super) packed: bool,
    /// What makes numbers of pairs again, in rows of poses and in those of differences.
    pub(super) decodings: [Decoding; 2],
}

/// Packs `rows`, but for the columns that sixteen bits are [too few](Steps) for. Returns how each four are stored.
pub(super) fn pack(rows: &Rows, additive: &[bool], bank: &Bank, rewrites: &[Rewrite]) -> (Rows, Vec<Group>) {
    let from: &[f32] = bytemuck::cast_slice(&rows.lines);
    let mut out = vec![Line::ZERO; rows.lines.len()];
    let to: &mut [u32] = bytemuck::cast_slice_mut(&mut out);
    let steps = Steps::new(bank);
    let mut groups = vec![Group { packed: false, decodings: Default::default() }; rows.stride / 4];
    for rewrite in rewrites {
        for (columns, lever) in steps.levers(rewrite) {
            let ranges: [[Range; 4]; 2] = [false, true].map(|kind| {
                let of_kind = |row: usize| additive.get(row).copied().unwrap_or_default() == kind;
                std::array::from_fn(|c| Range::of(from, rows.stride, of_kind, columns + c))
            });
            groups[columns / 4] = if ranges.iter().all(|ranges| steps.suffice(ranges, lever)) {
                pack_four(from, to, rows.stride, additive, (columns, &ranges))
            } else {
                for (from, to) in from.chunks_exact(rows.stride).zip(to.chunks_exact_mut(rows.stride)) {
                    (columns..columns + 4).for_each(|c| to[c] = from[c].to_bits());
                }
                Group { packed: false, decodings: Default::default() }
            };
        }
    }
    (Rows { lines: out, stride: rows.stride, packed: true }, groups)
}

/// Tells actions how their columns are stored. Without groups nothing changes.
pub(super) fn decode(actions: &mut [Action], groups: &[Group]) {
    for action in actions {
        let Source::Moving(Moving { rotation, placing, .. }) = &mut action.source else { continue };
        let [at, axes] = match placing {
            Placing::Constant { .. } | Placing::ConstantAxes { .. } => [None, None],
            Placing::Columns { at, .. } | Placing::ColumnsConstantAxes { at, .. } => [Some(at), None],
            Placing::ColumnsAxes { at, scale_at } => [Some(at), Some(scale_at)],
        };
        for columns in [Some(rotation), at, axes].into_iter().flatten() {
            if let Some(group) = groups.get(columns.at as usize / 4) {
                (columns.packed, columns.decoding) = (group.packed, group.decodings[0]);
            }
        }
    }
}

/// Tells blends how the columns of differences are stored. Without groups nothing changes.
pub(super) fn decode_differences(compiled: &mut Compiled, groups: &[Group]) {
    for rewrite in &compiled.rewrites {
        let blending = &mut compiled.blending[rewrite.joint];
        let columns = [Some(rewrite.rotation_to), rewrite.translation_to, rewrite.axes_to];
        for (blend, at) in blending.iter_mut().zip(columns) {
            if let Some(group) = at.and_then(|at| groups.get(at / 4)) {
                blend.difference = group.decodings[1];
            }
        }
    }
}

/// Four columns of all rows, each number beside that of the row behind.
fn pack_four(
    from: &[f32],
    to: &mut [u32],
    stride: usize,
    additive: &[bool],
    (at, ranges): (usize, &[[Range; 4]; 2]),
) -> Group {
    // From the last row to the first, since each also holds the next. That of another kind is never read.
    let mut next = None;
    for (row, (from, to)) in from.chunks_exact(stride).zip(to.chunks_exact_mut(stride)).enumerate().rev() {
        let ranges = &ranges[usize::from(additive.get(row).copied().unwrap_or_default())];
        let own: [i16; 4] =
            std::array::from_fn(|c| (ranges[c].part(from[at + c].into()) * ONE).round() as i16);
        let later = next.unwrap_or(own);
        for (c, to) in to[at..at + 4].iter_mut().enumerate() {
            *to = u32::from(later[c] as u16) << 16 | u32::from(own[c] as u16);
        }
        next = Some(own);
    }
    let decodings = ranges.map(|ranges| Decoding {
        scale: ranges.map(|r| (r.half / (ONE * ONE)) as f32),
        offset: ranges.map(|r| r.middle as f32),
    });
    Group { packed: true, decodings }
}
