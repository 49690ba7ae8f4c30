//! One lane, in plain floats: the second opinion on every wider level, bit for bit.

use std::ops::{Add, Div, Mul, Sub};

use super::frame::own_function;
use super::{BLOCK, Buckets, Floats, Isa, KeyTable, Line, PlaceLanes, RowLanes, ValueTable};
use crate::unroll::{each3, each4};

/// One lane; `FUSED` chooses how a multiply-add rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar<const FUSED: bool>(());

impl<const FUSED: bool> Scalar<FUSED> {
    pub(crate) const TOKEN: Self = Self(());
}

/// The one float of a lane.
#[derive(Clone, Copy)]
pub(crate) struct F1(pub(super) f32);

macro_rules! arithmetic {
    ($($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for F1 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    )*};
}
arithmetic!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Floats for F1 {}

impl<const FUSED: bool> Isa for Scalar<FUSED> {
    const LANES: usize = 1;
    const FUSED: bool = FUSED;
    type F = F1;
    type I = i32;
    type Fractions = f32;

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        own_function(f)
    }

    #[inline(always)]
    fn splat(self, v: f32) -> F1 {
        F1(v)
    }

    #[inline(always)]
    fn load(self, line: &Line, part: usize) -> F1 {
        F1(line.0[part % BLOCK])
    }

    #[inline(always)]
    fn store(self, v: F1, line: &mut Line, part: usize) {
        line.0[part % BLOCK] = v.0;
    }

    #[inline(always)]
    #[allow(
        clippy::disallowed_methods,
        reason = "this level exists to say what a fused multiply-add returns"
    )]
    fn mul_add(self, a: F1, b: F1, c: F1) -> F1 {
        F1(if FUSED { a.0.mul_add(b.0, c.0) } else { a.0 * b.0 + c.0 })
    }

    #[inline(always)]
    #[allow(
        clippy::disallowed_methods,
        reason = "this level exists to say what a fused multiply-add returns"
    )]
    fn neg_mul_add(self, a: F1, b: F1, c: F1) -> F1 {
        F1(if FUSED { (-a.0).mul_add(b.0, c.0) } else { c.0 - a.0 * b.0 })
    }

    #[inline(always)]
    fn sqrt(self, v: F1) -> F1 {
        F1(v.0.sqrt())
    }

    #[inline(always)]
    fn negate_where_negative(self, a: F1, b: F1) -> F1 {
        F1(if a.0 < 0.0 { -b.0 } else { b.0 })
    }

    #[inline(always)]
    fn select_greater(self, m: F1, limit: F1, a: F1, b: F1) -> F1 {
        if m.0 > limit.0 { a } else { b }
    }

    #[inline(always)]
    fn fractions(self, fractions: &[f32; BLOCK]) -> f32 {
        fractions[0]
    }

    #[inline(always)]
    fn between_rows(self, rows: &RowLanes<'_, Self>, column: usize) -> [F1; 4] {
        let a = rows.first[0].wrapping_add(rows.clamp(column));
        let b = a.wrapping_add(rows.stride);
        // SAFETY: `RowLanes` vouches for two rows from `first` on, and the column is clamped to end in them.
        let (a, b) =
            unsafe { (a.cast::<[f32; 4]>().read_unaligned(), b.cast::<[f32; 4]>().read_unaligned()) };
        each4!(K => self.mul_add(F1(b[K] - a[K]), F1(rows.fractions), F1(a[K])))
    }

    #[inline(always)]
    fn between_pairs(self, rows: &RowLanes<'_, Self>, column: usize) -> [F1; 4] {
        let pairs = rows.first[0].wrapping_add(rows.clamp(column));
        // SAFETY: `RowLanes` vouches for two rows from `first` on, and the column is clamped to end in the first of them.
        let pairs = unsafe { pairs.cast::<[u32; 4]>().read_unaligned() };
        let halves = |pair: u32| [pair as i16, (pair >> 16) as i16].map(i32::from);
        let [earlier, later] = halves(rows.weights.to_bits());
        each4!(K => {
            let [a, b] = halves(pairs[K]);
            F1((a * earlier + b * later) as f32)
        })
    }

    #[inline(always)]
    fn store_matrix(self, places: &mut PlaceLanes<'_>, entries: &[u32], m: [[F1; 4]; 3]) {
        for &entry in entries {
            let to = places.first[0].wrapping_add(places.offset(entry));
            // SAFETY: `PlaceLanes` borrows the place mutably and vouches for its size; the offset is clamped to end in it.
            unsafe { to.cast::<[[f32; 4]; 3]>().write_unaligned(each3!(R => each4!(C => m[R][C].0))) }
        }
    }

    #[inline(always)]
    fn key_zero(self) -> i32 {
        0
    }

    #[inline(always)]
    fn key_start(self, buckets: &Buckets, t: F1) -> i32 {
        buckets.start(t.0)
    }

    #[inline(always)]
    fn key_step(self, keys: &KeyTable<'_>, at: i32, step: usize, t: F1) -> i32 {
        let next = at + step as i32;
        if keys.time(next - 1) <= t.0 { next } else { at }
    }

    #[inline(always)]
    fn key_finish(self, keys: &KeyTable<'_>, at: i32, t: F1) -> (i32, F1) {
        let at = at.min(keys.last() + 1);
        let (t0, t1) = (keys.time(at - 1), keys.time(at));
        let between = at > 0 && at <= keys.last();
        (at - 1, F1(if between { (t.0 - t0) / (t1 - t0) } else { 0.0 }))
    }

    #[inline(always)]
    fn key_store(self, i: i32, to: &mut [i32; BLOCK], part: usize) {
        to[part % BLOCK] = i;
    }

    #[inline(always)]
    fn indices(self, from: &[i32; BLOCK]) -> i32 {
        from[0]
    }

    #[inline(always)]
    fn gather(self, values: &ValueTable<'_>, row: i32, ahead: i32, column: usize) -> F1 {
        F1(values.value(row, ahead, column))
    }
}
