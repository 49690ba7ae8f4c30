//! The bank's rows, brought to palette space.

use glam::{DQuat, DVec3};
use throng_tracks::{Bank, ScaleColumns, Transform};

use super::compile::{Compiled, Rewrite};
use super::{BlendColumns, Blending, Decoding};
use crate::isa::{BLOCK, Line};

/// Rows in palette space.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) lines: Vec<Line>,
    /// How many floats, or pairs of `i16`, a row takes.
    pub(super) stride: usize,
    /// Whether they are pairs of `i16`.
    pub(super) packed: bool,
}

/// A copy of the rows with only the columns that the actions read.
pub(super) fn rewrite(bank: &Bank, compiled: &Compiled, additive: &[bool]) -> Rows {
    let lines = compiled.width.div_ceil(BLOCK);
    let (from_stride, to_stride) = (bank.row_stride(), lines * BLOCK);
    let mut out = vec![Line::ZERO; lines * bank.row_count()];
    if lines > 0 {
        let to: &mut [f32] = bytemuck::cast_slice_mut(&mut out);
        let rows = bank.rows().chunks_exact(from_stride).zip(to.chunks_exact_mut(to_stride));
        for (row, (from, to)) in rows.enumerate() {
            for rewrite in &compiled.rewrites {
                if additive.get(row).copied().unwrap_or_default() {
                    rewrite_difference(bank, rewrite, from, to);
                } else {
                    rewrite_joint(bank, rewrite, from, to);
                }
            }
        }
    }
    Rows { lines: out, stride: to_stride, packed: false }
}

/// Which rows are of additive clips; empty if none is.
pub(super) fn additive(bank: &Bank) -> Vec<bool> {
    let mut additive = Vec::new();
    for (clip, _) in bank.clips().iter().enumerate().filter(|(_, clip)| clip.is_additive()) {
        additive.resize(bank.row_count(), false);
        additive[bank.clip_rows(clip)].fill(true);
    }
    additive
}

/// What blends of the bank's own rows need: what each channel is at rest.
pub(super) fn local_blending(bank: &Bank) -> Vec<Blending> {
    let at_rest = |rest: &Transform| {
        let (t, s) = (rest.translation, rest.scale);
        [rest.rotation.to_array(), [t.x, t.y, t.z, s.x], [s.x, s.y, s.z, 0.0]]
            .map(|rest| BlendColumns { difference: Decoding::default(), rest })
    };
    bank.skeleton().rest().iter().map(at_rest).collect()
}

/// The image of a difference: what, added to the image of a pose, gives that of the pose with the difference.
///
/// With `q' = left * q * right`, `left * (q * d) * right = q' * (right^-1 * d * right)`. Translations are added, so the
/// parent frame's own translation is left out; scales are multiplied, and stay.
fn rewrite_difference(bank: &Bank, r: &Rewrite, from: &[f32], to: &mut [f32]) {
    let columns = &bank.columns()[r.joint];
    let four = |at: u32| -> [f64; 4] { std::array::from_fn(|i| f64::from(from[at as usize + i])) };
    let mut put = |at: usize, v: [f64; 4]| to[at..at + 4].copy_from_slice(&v.map(|v| v as f32));
    if let Some(at) = columns.rotation {
        put(r.rotation_to, (r.right.inverse() * DQuat::from_array(four(at)) * r.right).to_array());
    }
    if let (Some(at), Some(translation_to)) = (columns.translation, r.translation_to) {
        let [x, y, z, s] = four(at);
        let moved = r.parent.scale * (r.parent.rotation * DVec3::new(x, y, z));
        put(translation_to, moved.extend(s).to_array());
    }
    if let (ScaleColumns::Axes(at), Some(axes_to)) = (columns.scale, r.axes_to) {
        put(axes_to, four(at));
    }
}

fn rewrite_joint(bank: &Bank, r: &Rewrite, from: &[f32], to: &mut [f32]) {
    let columns = &bank.columns()[r.joint];
    let four = |at: u32| -> [f64; 4] { std::array::from_fn(|i| f64::from(from[at as usize + i])) };
    let axes = if let ScaleColumns::Axes(at) = columns.scale { Some(four(at)) } else { None };
    rewrite_numbers(r, columns.rotation.map(four), columns.translation.map(four), axes, to);
}

/// A joint's numbers, as they stand in a bank's row, in palette space: those that it has columns for.
pub(super) fn rewrite_numbers(
    r: &Rewrite,
    rotation: Option<[f64; 4]>,
    translation: Option<[f64; 4]>,
    axes: Option<[f64; 4]>,
    to: &mut [f32],
) {
    let mut put = |at: usize, v: [f64; 4]| to[at..at + 4].copy_from_slice(&v.map(|v| v as f32));
    if let Some(q) = rotation {
        put(r.rotation_to, (r.left * DQuat::from_array(q) * r.right).to_array());
    }
    if let (Some([x, y, z, s]), Some(translation_to)) = (translation, r.translation_to) {
        put(translation_to, r.parent.point(DVec3::new(x, y, z)).extend(s * r.scale).to_array());
    }
    if let (Some(axes), Some(axes_to)) = (axes, r.axes_to) {
        put(axes_to, axes.map(|s| s * r.parent.scale));
    }
}
