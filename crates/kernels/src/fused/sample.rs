//! The local matrix of a moving joint, in palette space.

use crate::isa::{Isa, RowLanes};
use crate::math::{Rows, rotation, scale_axes, turn_about};
use crate::plan::{Columns, Moving, Placing};
use crate::unroll::{each3, each4};

/// The matrix of a moving joint, between its rows, after its parent's.
#[inline(always)]
pub(super) fn local<I: Isa>(isa: I, m: &Moving, rows: &RowLanes<'_, I>) -> Rows<I::F> {
    let q = columns(isa, rows, &m.rotation);
    match m.placing {
        Placing::Constant { t, s, twice, p } => {
            let r = rotation(isa, q, isa.splat(s), isa.splat(twice));
            turn_about(isa, r, each3!(A => isa.splat(t[A])), each3!(A => isa.splat(p[A])))
        }
        Placing::Columns { at, p } => {
            let [x, y, z, s] = columns(isa, rows, &at);
            turn_about(isa, rotation(isa, q, s, s + s), [x, y, z], each3!(A => isa.splat(p[A])))
        }
        Placing::ConstantAxes { t, s } => {
            let s = each3!(A => isa.splat(s[A]));
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, each3!(A => isa.splat(t[A])))
        }
        Placing::ColumnsConstantAxes { at, s } => {
            let [x, y, z, _] = columns(isa, rows, &at);
            let s = each3!(A => isa.splat(s[A]));
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, [x, y, z])
        }
        Placing::ColumnsAxes { at, scale_at } => {
            let [x, y, z, _] = columns(isa, rows, &at);
            let [sx, sy, sz, _] = columns(isa, rows, &scale_at);
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), [sx, sy, sz], [x, y, z])
        }
    }
}

/// Four numbers between two rows.
#[inline(always)]
pub(super) fn columns<I: Isa>(isa: I, rows: &RowLanes<'_, I>, columns: &Columns) -> [I::F; 4] {
    let at = columns.at as usize;
    if !rows.packed() {
        return isa.between_rows(rows, at);
    }
    let (sums, decoding) = (isa.between_pairs(rows, at), &columns.decoding);
    each4!(C => isa.mul_add(sums[C], isa.splat(decoding.scale[C]), isa.splat(decoding.offset[C])))
}
