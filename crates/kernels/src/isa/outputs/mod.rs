//! Matrices on their way to memory, in the forms that take more than a transpose.
//!
//! What stands here serves every level, number by number; [`x86`] has the same for whole registers.

mod half;
#[cfg(target_arch = "x86_64")]
pub(super) mod x86;

use super::{BLOCK, Isa, Line, PlaceLanes};
use crate::unroll::{each3, each4};

pub(crate) use half::half_bits;

/// The first three rows of an affine matrix of each lane.
pub(super) type Matrix<I> = [[<I as Isa>::F; 4]; 3];

/// See [`Isa::store_columns`].
#[inline(always)]
pub(super) fn store_columns<I: Isa>(isa: I, places: &mut PlaceLanes<'_, 16>, entries: &[u32], m: Matrix<I>) {
    let lines = lines(isa, m);
    for lane in 0..I::LANES.min(BLOCK) {
        let columns = each4!(C => {
            let [x, y, z] = each3!(R => lines[R][C].0[lane]);
            [x, y, z, if C == 3 { 1.0 } else { 0.0 }]
        });
        for &entry in entries {
            let to = places.first[lane].wrapping_add(places.offset(entry));
            // SAFETY: `PlaceLanes` borrows the places mutably and vouches for them in all lanes of the level; the offset is
            // clamped so that an entry of 16 floats ends in them.
            unsafe { to.cast::<[[f32; 4]; 4]>().write_unaligned(columns) }
        }
    }
}

/// See [`Isa::store_halves`].
#[inline(always)]
pub(super) fn store_halves<I: Isa>(isa: I, places: &mut PlaceLanes<'_, 6>, entries: &[u32], m: Matrix<I>) {
    let lines = lines(isa, m);
    for lane in 0..I::LANES.min(BLOCK) {
        let rows = each3!(R => each4!(C => half_bits(lines[R][C].0[lane])));
        for &entry in entries {
            let to = places.first[lane].wrapping_add(places.offset(entry));
            // SAFETY: `PlaceLanes` borrows the places mutably and vouches for them in all lanes of the level; the offset is
            // clamped so that an entry of 6 floats, twelve halves, ends in them.
            unsafe { to.cast::<[[u16; 4]; 3]>().write_unaligned(rows) }
        }
    }
}

/// See [`Isa::store_eights`].
#[inline(always)]
pub(super) fn store_eights<I: Isa>(
    isa: I,
    places: &mut PlaceLanes<'_, 8>,
    entries: &[u32],
    v: [[I::F; 4]; 2],
) {
    let lines = lines(isa, [v[0], v[1], v[1]]);
    for lane in 0..I::LANES.min(BLOCK) {
        let fours = [each4!(C => lines[0][C].0[lane]), each4!(C => lines[1][C].0[lane])];
        for &entry in entries {
            let to = places.first[lane].wrapping_add(places.offset(entry));
            // SAFETY: `PlaceLanes` borrows the places mutably and vouches for them in all lanes of the level; the offset is
            // clamped so that an entry of 8 floats ends in them.
            unsafe { to.cast::<[[f32; 4]; 2]>().write_unaligned(fours) }
        }
    }
}

#[inline(always)]
fn lines<I: Isa>(isa: I, m: Matrix<I>) -> [[Line; 4]; 3] {
    let mut lines = [[Line::ZERO; 4]; 3];
    each3!(R => each4!(C => isa.store(m[R][C], &mut lines[R][C], 0)));
    lines
}
