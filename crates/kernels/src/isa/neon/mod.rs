//! Four lanes: NEON, which every aarch64 processor has.
//!
//! Four floats of a lane are a register, so a 4x4 transpose turns four registers of rows into four of lanes, and back.
//! There are no gathers: look-ups go to memory lane by lane, and only their arithmetic is wide.

mod vertices;

use std::arch::aarch64::*;

use super::frame::own_function;
use super::{
    BLOCK, Buckets, Doubles, Floats, Isa, KeyTable, Line, PlaceLanes, RowLanes, ValueTable, lane_arithmetic,
};
use crate::unroll::{each3, each4};

/// Every aarch64 target has NEON; `FUSED` chooses how a multiply-add rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neon<const FUSED: bool>(());

impl<const FUSED: bool> Neon<FUSED> {
    pub(super) const TOKEN: Self = Self(());
}

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct F4(float32x4_t);

/// Four integers.
#[derive(Clone, Copy)]
pub(crate) struct I4(int32x4_t);

/// Two doubles.
#[derive(Clone, Copy)]
pub(crate) struct D2(float64x2_t);

lane_arithmetic!(F4, Add add vaddq_f32, Sub sub vsubq_f32, Mul mul vmulq_f32, Div div vdivq_f32);
lane_arithmetic!(D2, Add add vaddq_f64, Sub sub vsubq_f64, Mul mul vmulq_f64, Div div vdivq_f64);

impl Floats for F4 {}

#[inline(always)]
fn transpose([a, b, c, d]: [float32x4_t; 4]) -> [float32x4_t; 4] {
    // SAFETY: every aarch64 target has NEON.
    unsafe {
        let ab = [vtrn1q_f32(a, b), vtrn2q_f32(a, b)];
        let cd = [vtrn1q_f32(c, d), vtrn2q_f32(c, d)];
        let [even_ab, odd_ab] = [vreinterpretq_f64_f32(ab[0]), vreinterpretq_f64_f32(ab[1])];
        let [even_cd, odd_cd] = [vreinterpretq_f64_f32(cd[0]), vreinterpretq_f64_f32(cd[1])];
        [
            vreinterpretq_f32_f64(vtrn1q_f64(even_ab, even_cd)),
            vreinterpretq_f32_f64(vtrn1q_f64(odd_ab, odd_cd)),
            vreinterpretq_f32_f64(vtrn2q_f64(even_ab, even_cd)),
            vreinterpretq_f32_f64(vtrn2q_f64(odd_ab, odd_cd)),
        ]
    }
}

#[inline(always)]
fn from_array(v: [f32; 4]) -> float32x4_t {
    // SAFETY: every aarch64 target has NEON; the array is four floats.
    unsafe { vld1q_f32(v.as_ptr()) }
}

#[inline(always)]
fn to_array(v: int32x4_t) -> [i32; 4] {
    let mut to = [0; 4];
    // SAFETY: every aarch64 target has NEON; the array has room for four.
    unsafe { vst1q_s32(to.as_mut_ptr(), v) }
    to
}

impl<const FUSED: bool> Isa for Neon<FUSED> {
    const LANES: usize = 4;
    const FUSED: bool = FUSED;
    type F = F4;
    type I = I4;
    type Fractions = [float32x4_t; 4];

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        own_function(f)
    }

    #[inline(always)]
    fn splat(self, v: f32) -> F4 {
        // SAFETY: every aarch64 target has NEON.
        F4(unsafe { vdupq_n_f32(v) })
    }

    #[inline(always)]
    fn load(self, line: &Line, part: usize) -> F4 {
        // SAFETY: every aarch64 target has NEON; a line is 16 floats, of which this reads one quarter.
        F4(unsafe { vld1q_f32(line.0.as_ptr().add(part % 4 * 4)) })
    }

    #[inline(always)]
    fn store(self, v: F4, line: &mut Line, part: usize) {
        // SAFETY: every aarch64 target has NEON; a line is 16 floats, of which this writes one quarter.
        unsafe { vst1q_f32(line.0.as_mut_ptr().add(part % 4 * 4), v.0) }
    }

    #[inline(always)]
    fn mul_add(self, a: F4, b: F4, c: F4) -> F4 {
        // SAFETY: every aarch64 target has NEON.
        if FUSED { F4(unsafe { vfmaq_f32(c.0, a.0, b.0) }) } else { a * b + c }
    }

    #[inline(always)]
    fn neg_mul_add(self, a: F4, b: F4, c: F4) -> F4 {
        // SAFETY: every aarch64 target has NEON.
        if FUSED { F4(unsafe { vfmsq_f32(c.0, a.0, b.0) }) } else { c - a * b }
    }

    #[inline(always)]
    fn sqrt(self, v: F4) -> F4 {
        // SAFETY: every aarch64 target has NEON.
        F4(unsafe { vsqrtq_f32(v.0) })
    }

    #[inline(always)]
    fn negate_where_negative(self, a: F4, b: F4) -> F4 {
        // SAFETY: every aarch64 target has NEON.
        F4(unsafe {
            let sign = vandq_u32(vcltzq_f32(a.0), vdupq_n_u32(1 << 31));
            vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(b.0), sign))
        })
    }

    #[inline(always)]
    fn select_greater(self, m: F4, limit: F4, a: F4, b: F4) -> F4 {
        // SAFETY: every aarch64 target has NEON.
        F4(unsafe { vbslq_f32(vcgtq_f32(m.0, limit.0), a.0, b.0) })
    }

    #[inline(always)]
    fn fractions(self, fractions: &[f32; BLOCK]) -> [float32x4_t; 4] {
        each4!(K => self.splat(fractions[K]).0)
    }

    #[inline(always)]
    fn between_rows(self, rows: &RowLanes<'_, Self>, column: usize) -> [F4; 4] {
        let column = rows.clamp(column);
        let [x, y, z, w] = transpose(each4!(K => {
            let from = rows.first[K].wrapping_add(column);
            // SAFETY: every aarch64 target has NEON. `RowLanes` vouches for two rows from `first` on in all four lanes, and
            // the column is clamped to end in them.
            let (a, b) = unsafe { (F4(vld1q_f32(from)), F4(vld1q_f32(from.add(rows.stride)))) };
            self.mul_add(b - a, F4(rows.fractions[K]), a).0
        }));
        [F4(x), F4(y), F4(z), F4(w)]
    }

    #[inline(always)]
    fn between_pairs(self, rows: &RowLanes<'_, Self>, column: usize) -> [F4; 4] {
        let column = rows.clamp(column);
        let [x, y, z, w] = transpose(each4!(K => {
            let pairs = rows.first[K].wrapping_add(column);
            // SAFETY: every aarch64 target has NEON. `RowLanes` vouches for two rows from `first` on in all four lanes, and
            // the column is clamped to end in the first.
            unsafe {
                let pairs = vreinterpretq_s16_f32(vld1q_f32(pairs));
                let weights = vreinterpretq_s16_f32(rows.weights[K]);
                let low = vmull_s16(vget_low_s16(pairs), vget_low_s16(weights));
                vcvtq_f32_s32(vpaddq_s32(low, vmull_high_s16(pairs, weights)))
            }
        }));
        [F4(x), F4(y), F4(z), F4(w)]
    }

    #[inline(always)]
    fn store_matrix(self, places: &mut PlaceLanes<'_>, entries: &[u32], m: [[F4; 4]; 3]) {
        let rows = each3!(R => transpose(each4!(C => m[R][C].0)));
        for &entry in entries {
            let at = places.offset(entry);
            each4!(K => {
                let to = places.first[K].wrapping_add(at);
                // SAFETY: every aarch64 target has NEON. `PlaceLanes` borrows the places mutably and vouches for their size
                // in all four lanes; the offset is clamped so that a matrix ends in them.
                each3!(R => unsafe { vst1q_f32(to.add(4 * R), rows[R][K]) });
            });
        }
    }

    #[inline(always)]
    fn key_zero(self) -> I4 {
        // SAFETY: every aarch64 target has NEON.
        I4(unsafe { vdupq_n_s32(0) })
    }

    #[inline(always)]
    fn key_start(self, buckets: &Buckets, t: F4) -> I4 {
        let mut times = [0.0; 4];
        // SAFETY: every aarch64 target has NEON; the array has room for four.
        unsafe { vst1q_f32(times.as_mut_ptr(), t.0) }
        let counts = each4!(K => buckets.start(times[K]));
        // SAFETY: every aarch64 target has NEON; the array is four integers.
        I4(unsafe { vld1q_s32(counts.as_ptr()) })
    }

    #[inline(always)]
    fn key_step(self, keys: &KeyTable<'_>, at: I4, step: usize, t: F4) -> I4 {
        // SAFETY: every aarch64 target has NEON.
        I4(unsafe {
            let next = vaddq_s32(at.0, vdupq_n_s32(step as i32));
            let before = vsubq_s32(next, vdupq_n_s32(1));
            vbslq_s32(vcleq_f32(times(keys, before), t.0), next, at.0)
        })
    }

    #[inline(always)]
    fn key_finish(self, keys: &KeyTable<'_>, at: I4, t: F4) -> (I4, F4) {
        // SAFETY: every aarch64 target has NEON.
        unsafe {
            let at = vminq_s32(at.0, vdupq_n_s32(keys.last() + 1));
            let key = vsubq_s32(at, vdupq_n_s32(1));
            let (t0, t1) = (F4(times(keys, key)), F4(times(keys, at)));
            let fraction = (t - t0) / (t1 - t0);
            let between = vandq_u32(vcgtzq_s32(at), vcleq_s32(at, vdupq_n_s32(keys.last())));
            let fraction = vandq_u32(vreinterpretq_u32_f32(fraction.0), between);
            (I4(key), F4(vreinterpretq_f32_u32(fraction)))
        }
    }

    #[inline(always)]
    fn key_store(self, i: I4, to: &mut [i32; BLOCK], part: usize) {
        // SAFETY: every aarch64 target has NEON; the array has room for sixteen, of which this writes one quarter.
        unsafe { vst1q_s32(to.as_mut_ptr().add(part % 4 * 4), i.0) }
    }

    #[inline(always)]
    fn indices(self, from: &[i32; BLOCK]) -> I4 {
        // SAFETY: every aarch64 target has NEON; the array has sixteen, of which this reads four.
        I4(unsafe { vld1q_s32(from.as_ptr()) })
    }

    #[inline(always)]
    fn gather(self, values: &ValueTable<'_>, row: I4, ahead: i32, column: usize) -> F4 {
        let row = to_array(row.0);
        F4(from_array(each4!(K => values.value(row[K], ahead, column))))
    }
}

/// The times at `index`, clamped.
#[inline(always)]
fn times(keys: &KeyTable<'_>, index: int32x4_t) -> float32x4_t {
    let index = to_array(index);
    from_array(each4!(K => keys.time(index[K])))
}

impl<const FUSED: bool> Doubles for Neon<FUSED> {
    const DOUBLES: usize = 2;
    type D = D2;

    #[inline(always)]
    fn splat_double(self, v: f64) -> D2 {
        // SAFETY: every aarch64 target has NEON.
        D2(unsafe { vdupq_n_f64(v) })
    }

    #[inline(always)]
    fn load_doubles(self, block: &[f64; BLOCK], part: usize) -> D2 {
        // SAFETY: every aarch64 target has NEON; a block is 16 doubles, of which this reads two.
        D2(unsafe { vld1q_f64(block.as_ptr().add(part % 8 * 2)) })
    }

    #[inline(always)]
    fn widen(self, block: &[f32; BLOCK], part: usize) -> D2 {
        // SAFETY: every aarch64 target has NEON; a block is 16 floats, of which this reads two.
        D2(unsafe { vcvt_f64_f32(vld1_f32(block.as_ptr().add(part % 8 * 2))) })
    }

    #[inline(always)]
    fn store_doubles(self, v: D2, block: &mut [f64; BLOCK], part: usize) {
        // SAFETY: every aarch64 target has NEON; a block is 16 doubles, of which this writes two.
        unsafe { vst1q_f64(block.as_mut_ptr().add(part % 8 * 2), v.0) }
    }

    #[inline(always)]
    fn select_at_least(self, m: D2, limit: D2, a: D2, b: D2) -> D2 {
        // SAFETY: every aarch64 target has NEON.
        D2(unsafe { vbslq_f64(vcgeq_f64(m.0, limit.0), a.0, b.0) })
    }
}
