//! Lanes: the only room with `unsafe` code.
//!
//! [`Isa`] is what a kernel is generic over: a token that proves the processor can do something, and the operations on
//! that token's lanes. Kernels are written once, `#[inline(always)]`, and made into machine code once a level by
//! [`Isa::vectorize`], the only place with `#[target_feature]`.
//!
//! What makes the lanes sound:
//!
//! * A token has a private field and is only made by [`Level`], after asking the processor.
//! * A lane value is only made by a method of a token. It is not `Pod`, `Zeroable` or `Default`: there is no other way
//!   to one, so the arithmetic on lane values may rely on the processor.
//! * Memory is reached through tables ([`RowTable`], [`PlaceTable`], [`KeyTable`], [`ValueTable`],
//!   [`MatrixTable`]) that were checked when
//!   made, with indices that are clamped into them. A wrong index reads or writes a wrong number, never foreign memory; and
//!   there is no branch to a panic in a kernel.
//!
//! Rounding: only exact operations (add, subtract, multiply, divide, fused multiply-add, square root). A level is
//! *fused* if `mul_add` rounds once. All fused levels return the same bits, and all unfused levels do.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod buckets;
mod doubles;
mod frame;
mod kind;
mod level;
mod matrices;
mod memory;
#[cfg(target_arch = "aarch64")]
mod neon;
mod outputs;
#[cfg(target_arch = "x86_64")]
mod picks;
mod places;
mod portable;
mod scalar;
mod stream;
#[cfg(test)]
mod tests;

use std::ops::{Add, Div, Mul, Sub};

pub(crate) use buckets::Buckets;
pub(crate) use doubles::Doubles;
pub(crate) use kind::{Exact, Kind, dispatch};
pub use level::{Level, LevelError, Rounding};
pub(crate) use matrices::{Matrices, MatrixTable};
pub(crate) use memory::{KeyTable, RowLanes, RowTable, ValueTable};
pub(crate) use outputs::half_bits;
pub(crate) use places::{FormatLanes, PlaceLanes, PlaceTable};
pub(crate) use scalar::Scalar;
pub(crate) use stream::{Draining, Progress, STAGE_LINES, Stage, WINDOW, Window};

/// Instances a block holds, and the most lanes a level has; every level's lane count divides it.
pub const BLOCK: usize = 16;

/// One number of each instance of a block, on one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Line(pub [f32; BLOCK]);

impl Line {
    /// Sixteen zeros.
    pub const ZERO: Self = Self([0.0; BLOCK]);
}

/// One float a lane.
pub(crate) trait Floats:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

/// Proof that the processor has some lanes, and the operations on them.
pub(crate) trait Isa: Copy + Send + Sync {
    /// How many lanes; divides [`BLOCK`].
    const LANES: usize;
    /// Whether [`mul_add`](Self::mul_add) rounds once.
    const FUSED: bool;
    /// One float a lane.
    type F: Floats;
    /// One integer a lane.
    type I: Copy;
    /// The fractions of a group of row pairs, in the form that [`between_rows`](Self::between_rows) wants.
    type Fractions: Copy;

    /// Runs `f` compiled for these lanes. All of `f` must be inlined into it.
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R;
    /// As [`vectorize`](Self::vectorize), in a function of its own even where that of the caller is vectorised too: `f` takes no
    /// registers from it.
    #[inline(always)]
    fn vectorize_apart<R>(self, f: impl FnOnce() -> R) -> R {
        self.vectorize(f)
    }

    /// The same float in all lanes.
    fn splat(self, v: f32) -> Self::F;
    /// Lanes `part * LANES ..` of a line.
    fn load(self, line: &Line, part: usize) -> Self::F;
    /// Into lanes `part * LANES ..` of a line.
    fn store(self, v: Self::F, line: &mut Line, part: usize);

    /// `a * b + c`, rounded once or twice, see [`FUSED`](Self::FUSED).
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `c - a * b`, rounded like [`mul_add`](Self::mul_add).
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// Square root, correctly rounded.
    fn sqrt(self, v: Self::F) -> Self::F;
    /// `b` with its sign flipped where `a < 0`; a NaN or zero flips nothing.
    fn negate_where_negative(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where `m > limit`, else `b`; `b` where `m` is NaN.
    fn select_greater(self, m: Self::F, limit: Self::F, a: Self::F, b: Self::F) -> Self::F;

    /// Brings the fractions of a group into the form of [`between_rows`](Self::between_rows).
    fn fractions(self, fractions: &[f32; BLOCK]) -> Self::Fractions;
    /// Four columns from `column` on, each lane between the two rows of its pair: `a + (b - a) * fraction`.
    fn between_rows(self, rows: &RowLanes<'_, Self>, column: usize) -> [Self::F; 4];
    /// As [`between_rows`](Self::between_rows), of rows that are pairs of `i16`: `earlier * (32767 - w) + later * w` with
    /// `w` the fraction times 32767, rounded. All of it is exact but the last step, from `i32` to `f32`.
    fn between_pairs(self, rows: &RowLanes<'_, Self>, column: usize) -> [Self::F; 4];
    /// A matrix, row after row, as each of the entries in the place of each lane.
    fn store_matrix(self, places: &mut PlaceLanes<'_>, entries: &[u32], m: [[Self::F; 4]; 3]);
    /// The same by columns, with a last row of `0 0 0 1`.
    #[inline(always)]
    fn store_columns(self, places: &mut PlaceLanes<'_, 16>, entries: &[u32], m: [[Self::F; 4]; 3]) {
        outputs::store_columns(self, places, entries, m);
    }
    /// The same in half precision, rounded to the nearest, to the even one of two as near.
    #[inline(always)]
    fn store_halves(self, places: &mut PlaceLanes<'_, 6>, entries: &[u32], m: [[Self::F; 4]; 3]) {
        outputs::store_halves(self, places, entries, m);
    }
    /// Eight floats of each lane, one after the other, as each of the entries in the place of each lane.
    #[inline(always)]
    fn store_eights(self, places: &mut PlaceLanes<'_, 8>, entries: &[u32], v: [[Self::F; 4]; 2]) {
        outputs::store_eights(self, places, entries, v);
    }

    /// Key look-up, start: zero in all lanes.
    fn key_zero(self) -> Self::I;
    /// Key look-up, start: how many keys lie in the buckets before that of `t`. The answer is at most
    /// [`Buckets::most`] more.
    fn key_start(self, buckets: &Buckets, t: Self::F) -> Self::I;
    /// Key look-up, one step: `at + step` where `keys[at + step - 1] <= t`, else `at`.
    fn key_step(self, keys: &KeyTable<'_>, at: Self::I, step: usize, t: Self::F) -> Self::I;
    /// Key look-up, end: with `at` counting the keys at or before `t`, or more than there are, the index `at - 1` and the fraction of the way
    /// from that key to the next; 0 before the first and from the last key on.
    fn key_finish(self, keys: &KeyTable<'_>, at: Self::I, t: Self::F) -> (Self::I, Self::F);
    /// Into lanes `part * LANES ..` of `to`.
    fn key_store(self, i: Self::I, to: &mut [i32; BLOCK], part: usize);
    /// The first [`LANES`](Self::LANES) of `from`, one a lane.
    fn indices(self, from: &[i32; BLOCK]) -> Self::I;
    /// In each lane the number in `column` of the row `ahead` of `row`, both clamped to those there are.
    fn gather(self, values: &ValueTable<'_>, row: Self::I, ahead: i32, column: usize) -> Self::F;

    /// Copies as many floats as both have, past the caches where the level can: whole lines at once, what is left at
    /// either end through the caches. [`stream_end`](Self::stream_end) must follow.
    #[inline(always)]
    fn stream_copy(self, from: &[f32], to: &mut [f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
    }
    /// Fills `to` with `v`, past the caches where the level can. [`stream_end`](Self::stream_end) must follow.
    #[inline(always)]
    fn stream_fill(self, to: &mut [Line], v: f32) {
        to.fill(Line([v; BLOCK]));
    }
    /// Makes what was streamed visible before anything that follows.
    #[inline(always)]
    fn stream_end(self) {}
}

/// `std::ops` for a lane newtype, by intrinsics that take the inner value.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! lane_arithmetic {
    ($type:ident, $($trait:ident $method:ident $intrinsic:ident),* $(,)?) => {$(
        impl std::ops::$trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a lane value exists only where its token does, so the processor has this instruction.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use lane_arithmetic;
