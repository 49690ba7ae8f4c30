//! Four lanes by `wide`: SSE2, NEON and wasm simd128, whatever the build's target has.
//!
//! Never fused, on any target: `wide`'s own `mul_add` would be, where the build's flags allow, and then return other
//! bits.

use std::ops::{Add, Div, Mul, Sub};

use wide::{f32x4, i16x8};

use super::frame::own_function;
use super::{BLOCK, Buckets, Floats, Isa, KeyTable, Line, PlaceLanes, RowLanes, ValueTable};
use crate::unroll::{each3, each4};

/// Every target of the build has these lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Portable(());

impl Portable {
    pub(super) const TOKEN: Self = Self(());
}

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct F4(pub(super) f32x4);

macro_rules! arithmetic {
    ($($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for F4 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    )*};
}
arithmetic!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Floats for F4 {}

impl Isa for Portable {
    const LANES: usize = 4;
    const FUSED: bool = false;
    type F = F4;
    type I = [i32; 4];
    type Fractions = [f32x4; 4];

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        own_function(f)
    }

    #[inline(always)]
    fn splat(self, v: f32) -> F4 {
        F4(f32x4::splat(v))
    }

    #[inline(always)]
    fn load(self, line: &Line, part: usize) -> F4 {
        let at = part % 4 * 4;
        F4(f32x4::new([line.0[at], line.0[at + 1], line.0[at + 2], line.0[at + 3]]))
    }

    #[inline(always)]
    fn store(self, v: F4, line: &mut Line, part: usize) {
        let at = part % 4 * 4;
        line.0[at..at + 4].copy_from_slice(v.0.as_array());
    }

    #[inline(always)]
    fn mul_add(self, a: F4, b: F4, c: F4) -> F4 {
        a * b + c
    }

    #[inline(always)]
    fn neg_mul_add(self, a: F4, b: F4, c: F4) -> F4 {
        c - a * b
    }

    #[inline(always)]
    fn sqrt(self, v: F4) -> F4 {
        F4(v.0.sqrt())
    }

    #[inline(always)]
    fn negate_where_negative(self, a: F4, b: F4) -> F4 {
        F4(a.0.simd_lt(f32x4::ZERO).select(-b.0, b.0))
    }

    #[inline(always)]
    fn select_greater(self, m: F4, limit: F4, a: F4, b: F4) -> F4 {
        F4(m.0.simd_gt(limit.0).select(a.0, b.0))
    }

    #[inline(always)]
    fn fractions(self, fractions: &[f32; BLOCK]) -> [f32x4; 4] {
        each4!(K => f32x4::splat(fractions[K]))
    }

    #[inline(always)]
    fn between_rows(self, rows: &RowLanes<'_, Self>, column: usize) -> [F4; 4] {
        let column = rows.clamp(column);
        let [x, y, z, w] = f32x4::transpose(each4!(K => {
            let a = rows.first[K].wrapping_add(column);
            let b = a.wrapping_add(rows.stride);
            // SAFETY: `RowLanes` vouches for two rows from `first` on, and the column is clamped to end in them.
            let (a, b) =
                unsafe { (a.cast::<[f32; 4]>().read_unaligned(), b.cast::<[f32; 4]>().read_unaligned()) };
            let (a, b) = (f32x4::new(a), f32x4::new(b));
            (b - a) * rows.fractions[K] + a
        }));
        [F4(x), F4(y), F4(z), F4(w)]
    }

    #[inline(always)]
    fn between_pairs(self, rows: &RowLanes<'_, Self>, column: usize) -> [F4; 4] {
        let column = rows.clamp(column);
        let [x, y, z, w] = f32x4::transpose(each4!(K => {
            let pairs = rows.first[K].wrapping_add(column);
            // SAFETY: `RowLanes` vouches for two rows from `first` on, and the column is clamped to end in the first.
            let pairs = unsafe { pairs.cast::<[i16; 8]>().read_unaligned() };
            let weights: i16x8 = bytemuck::cast(rows.weights[K]);
            i16x8::new(pairs).dot(weights).round_float()
        }));
        [F4(x), F4(y), F4(z), F4(w)]
    }

    #[inline(always)]
    fn store_matrix(self, places: &mut PlaceLanes<'_>, entries: &[u32], m: [[F4; 4]; 3]) {
        let rows = each3!(R => f32x4::transpose(each4!(C => m[R][C].0)));
        for &entry in entries {
            let at = places.offset(entry);
            each3!(R => each4!(K => {
                let to = places.first[K].wrapping_add(at + 4 * R);
                // SAFETY: `PlaceLanes` borrows the places mutably and vouches for their size; the offset is clamped to
                // end in them.
                unsafe { to.cast::<[f32; 4]>().write_unaligned(rows[R][K].to_array()) }
            }));
        }
    }

    #[inline(always)]
    fn key_zero(self) -> [i32; 4] {
        [0; 4]
    }

    #[inline(always)]
    fn key_start(self, buckets: &Buckets, t: F4) -> [i32; 4] {
        let t = t.0.to_array();
        each4!(K => buckets.start(t[K]))
    }

    #[inline(always)]
    fn key_step(self, keys: &KeyTable<'_>, at: [i32; 4], step: usize, t: F4) -> [i32; 4] {
        let t = t.0.to_array();
        each4!(K => {
            let next = at[K] + step as i32;
            if keys.time(next - 1) <= t[K] { next } else { at[K] }
        })
    }

    #[inline(always)]
    fn key_finish(self, keys: &KeyTable<'_>, at: [i32; 4], t: F4) -> ([i32; 4], F4) {
        let t = t.0.to_array();
        let at = each4!(K => at[K].min(keys.last() + 1));
        let fraction = each4!(K => {
            let (t0, t1) = (keys.time(at[K] - 1), keys.time(at[K]));
            if at[K] > 0 && at[K] <= keys.last() { (t[K] - t0) / (t1 - t0) } else { 0.0 }
        });
        (each4!(K => at[K] - 1), F4(f32x4::new(fraction)))
    }

    #[inline(always)]
    fn key_store(self, i: [i32; 4], to: &mut [i32; BLOCK], part: usize) {
        each4!(K => to[part % 4 * 4 + K] = i[K]);
    }

    #[inline(always)]
    fn indices(self, from: &[i32; BLOCK]) -> [i32; 4] {
        each4!(K => from[K])
    }

    #[inline(always)]
    fn gather(self, values: &ValueTable<'_>, row: [i32; 4], ahead: i32, column: usize) -> F4 {
        F4(f32x4::new(each4!(K => values.value(row[K], ahead, column))))
    }
}
