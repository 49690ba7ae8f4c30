//! The local matrix of a moving joint, in palette space.

use crate::isa::{Isa, RowLanes};
use crate::math::{Rows, rotation, scale_axes, turn_about};
use crate::plan::{Columns, Decoding, Moving, Placing};
use crate::unroll::{each3, each4};

/// Where the numbers of a group's joints come from: one pair of rows a lane, or several that are blended.
pub(crate) trait Sampler<I: Isa> {
    /// How a joint's numbers are mixed.
    type Blend: Copy;
    fn joint(&self, isa: I, joint: u32) -> Self::Blend;
    /// A rotation, of some length.
    fn rotation(&self, isa: I, columns: &Columns, blend: Self::Blend) -> [I::F; 4];
    /// A translation and a uniform scale.
    fn placing(&self, isa: I, columns: &Columns, blend: Self::Blend) -> [I::F; 4];
    /// Three scales.
    fn axes(&self, isa: I, columns: &Columns, blend: Self::Blend) -> [I::F; 4];
    /// Part `part` of `parts` of fetching what the group that follows reads.
    fn fetch(&self, part: usize, parts: usize);
}

/// The matrix of a moving joint, between its rows, after its parent's.
#[inline(always)]
pub(super) fn local<I: Isa, S: Sampler<I>>(isa: I, m: &Moving, from: &S) -> Rows<I::F> {
    let blend = from.joint(isa, m.joint);
    let q = from.rotation(isa, &m.rotation, blend);
    match &m.placing {
        Placing::Constant { t, s, twice, p } => {
            let r = rotation(isa, q, isa.splat(*s), isa.splat(*twice));
            turn_about(isa, r, each3!(A => isa.splat(t[A])), each3!(A => isa.splat(p[A])))
        }
        Placing::Columns { at, p } => {
            let [x, y, z, s] = from.placing(isa, at, blend);
            turn_about(isa, rotation(isa, q, s, s + s), [x, y, z], each3!(A => isa.splat(p[A])))
        }
        Placing::ConstantAxes { t, s } => {
            let s = each3!(A => isa.splat(s[A]));
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, each3!(A => isa.splat(t[A])))
        }
        Placing::ColumnsConstantAxes { at, s } => {
            let [x, y, z, _] = from.placing(isa, at, blend);
            let s = each3!(A => isa.splat(s[A]));
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, [x, y, z])
        }
        Placing::ColumnsAxes { at, scale_at } => {
            let [x, y, z, _] = from.placing(isa, at, blend);
            let [sx, sy, sz, _] = from.axes(isa, scale_at, blend);
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), [sx, sy, sz], [x, y, z])
        }
    }
}

impl<I: Isa> Sampler<I> for RowLanes<'_, I> {
    type Blend = ();

    #[inline(always)]
    fn joint(&self, _: I, _: u32) {}

    #[inline(always)]
    fn rotation(&self, isa: I, columns: &Columns, (): ()) -> [I::F; 4] {
        between(isa, self, columns, &columns.decoding)
    }

    #[inline(always)]
    fn placing(&self, isa: I, columns: &Columns, (): ()) -> [I::F; 4] {
        between(isa, self, columns, &columns.decoding)
    }

    #[inline(always)]
    fn axes(&self, isa: I, columns: &Columns, (): ()) -> [I::F; 4] {
        between(isa, self, columns, &columns.decoding)
    }

    #[inline(always)]
    fn fetch(&self, part: usize, parts: usize) {
        self.fetch_next(part, parts);
    }
}

/// Four numbers between two rows.
#[inline(always)]
pub(super) fn between<I: Isa>(
    isa: I,
    rows: &RowLanes<'_, I>,
    columns: &Columns,
    decoding: &Decoding,
) -> [I::F; 4] {
    let at = columns.at as usize;
    if !(rows.packed() && columns.packed) {
        return isa.between_rows(rows, at);
    }
    let sums = isa.between_pairs(rows, at);
    each4!(C => isa.mul_add(sums[C], isa.splat(decoding.scale[C]), isa.splat(decoding.offset[C])))
}
