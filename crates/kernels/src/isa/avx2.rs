//! Eight lanes: AVX2 with FMA and F16C.
//!
//! Four floats of a lane are half a register. A register holds those of lanes `k` and `k + 4`, so that one 4x4
//! transpose inside each half turns four registers of rows into four of lanes `0 1 2 3 | 4 5 6 7`, and back.

use std::arch::x86_64::*;

use super::frame::align_stack_frame;
use super::memory::whole_lines;
use super::outputs::x86;
use super::picks::{gather_8, gather_two_8, pick_8};
use super::{BLOCK, Buckets, Floats, Isa, KeyTable, Line, PlaceLanes, RowLanes, ValueTable, lane_arithmetic};
use crate::unroll::{each3, each4};

/// Proof of AVX2, FMA and F16C; `FUSED` chooses how a multiply-add rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2<const FUSED: bool>(());

impl<const FUSED: bool> Avx2<FUSED> {
    /// The proof, if the processor has all three.
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        has.then_some(Self(()))
    }

    /// The same proof for lanes that round so.
    pub(super) fn rounded<const OTHER: bool>(self) -> Avx2<OTHER> {
        Avx2(())
    }
}

/// Eight floats.
#[derive(Clone, Copy)]
pub(crate) struct F8(pub(super) __m256);

/// Eight integers.
#[derive(Clone, Copy)]
pub(crate) struct I8(__m256i);

lane_arithmetic!(F8, Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps, Div div _mm256_div_ps);

impl Floats for F8 {}

/// The 4x4 transpose in each half.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
pub(super) unsafe fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: by contract of this function.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

/// Copies up to sixteen floats through the caches.
///
/// # Safety
/// The processor must have AVX2, and `count` floats must be readable and writable.
#[inline(always)]
unsafe fn copy_masked(from: *const f32, to: *mut f32, count: usize) {
    // SAFETY: by contract of this function: a mask keeps all but the first `count` floats from being touched.
    unsafe {
        let count = _mm256_set1_epi32(count.min(BLOCK) as i32);
        for half in 0..2 {
            let first = half * 8;
            let index = _mm256_setr_epi32(
                first,
                first + 1,
                first + 2,
                first + 3,
                first + 4,
                first + 5,
                first + 6,
                first + 7,
            );
            let mask = _mm256_cmpgt_epi32(count, index);
            let (from, to) = (from.wrapping_add(first as usize), to.wrapping_add(first as usize));
            _mm256_maskstore_ps(to, mask, _mm256_maskload_ps(from, mask));
        }
    }
}

impl<const FUSED: bool> Isa for Avx2<FUSED> {
    const LANES: usize = 8;
    const FUSED: bool = FUSED;
    type F = F8;
    type I = I8;
    /// Those of lanes `k` and `k + 4`, four times each.
    type Fractions = [__m256; 4];

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        fn inner<const FUSED: bool, R>(f: impl FnOnce() -> R) -> R {
            align_stack_frame();
            f()
        }
        // SAFETY: the token proves these features.
        unsafe { inner::<FUSED, R>(f) }
    }

    #[inline(always)]
    fn vectorize_apart<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline(never)]
        fn inner<const FUSED: bool, R>(f: impl FnOnce() -> R) -> R {
            align_stack_frame();
            f()
        }
        // SAFETY: the token proves these features.
        unsafe { inner::<FUSED, R>(f) }
    }

    #[inline(always)]
    fn splat(self, v: f32) -> F8 {
        // SAFETY: the token proves AVX.
        F8(unsafe { _mm256_set1_ps(v) })
    }

    #[inline(always)]
    fn load(self, line: &Line, part: usize) -> F8 {
        // SAFETY: the token proves AVX; a line is 16 floats on a 64-byte boundary, of which this reads one half.
        F8(unsafe { _mm256_load_ps(line.0.as_ptr().add(part % 2 * 8)) })
    }

    #[inline(always)]
    fn store(self, v: F8, line: &mut Line, part: usize) {
        // SAFETY: the token proves AVX; a line is 16 floats on a 64-byte boundary, of which this writes one half.
        unsafe { _mm256_store_ps(line.0.as_mut_ptr().add(part % 2 * 8), v.0) }
    }

    #[inline(always)]
    fn mul_add(self, a: F8, b: F8, c: F8) -> F8 {
        // SAFETY: the token proves FMA.
        if FUSED { F8(unsafe { _mm256_fmadd_ps(a.0, b.0, c.0) }) } else { a * b + c }
    }

    #[inline(always)]
    fn neg_mul_add(self, a: F8, b: F8, c: F8) -> F8 {
        // SAFETY: the token proves FMA.
        if FUSED { F8(unsafe { _mm256_fnmadd_ps(a.0, b.0, c.0) }) } else { c - a * b }
    }

    #[inline(always)]
    fn sqrt(self, v: F8) -> F8 {
        // SAFETY: the token proves AVX.
        F8(unsafe { _mm256_sqrt_ps(v.0) })
    }

    #[inline(always)]
    fn negate_where_negative(self, a: F8, b: F8) -> F8 {
        // SAFETY: the token proves AVX.
        F8(unsafe {
            let negative = _mm256_cmp_ps::<_CMP_LT_OQ>(a.0, _mm256_setzero_ps());
            _mm256_xor_ps(b.0, _mm256_and_ps(negative, _mm256_set1_ps(-0.0)))
        })
    }

    #[inline(always)]
    fn select_greater(self, m: F8, limit: F8, a: F8, b: F8) -> F8 {
        // SAFETY: the token proves AVX.
        F8(unsafe { _mm256_blendv_ps(b.0, a.0, _mm256_cmp_ps::<_CMP_GT_OQ>(m.0, limit.0)) })
    }

    #[inline(always)]
    fn fractions(self, f: &[f32; BLOCK]) -> [__m256; 4] {
        // SAFETY: the token proves AVX.
        unsafe { each4!(K => _mm256_set_m128(_mm_set1_ps(f[K + 4]), _mm_set1_ps(f[K]))) }
    }

    #[inline(always)]
    fn between_rows(self, rows: &RowLanes<'_, Self>, column: usize) -> [F8; 4] {
        let column = rows.clamp(column);
        // SAFETY: the token proves AVX2 and FMA. `RowLanes` vouches for two rows from `first` on in all eight lanes, and
        // the column is clamped to end in them.
        let [x, y, z, w] = unsafe {
            transpose(each4!(K => {
                let (low, high) = (rows.first[K].wrapping_add(column), rows.first[K + 4].wrapping_add(column));
                let a = _mm256_loadu2_m128(high, low);
                let b = _mm256_loadu2_m128(high.add(rows.stride), low.add(rows.stride));
                self.mul_add(F8(_mm256_sub_ps(b, a)), F8(rows.fractions[K]), F8(a)).0
            }))
        };
        [F8(x), F8(y), F8(z), F8(w)]
    }

    #[inline(always)]
    fn between_pairs(self, rows: &RowLanes<'_, Self>, column: usize) -> [F8; 4] {
        let column = rows.clamp(column);
        // SAFETY: the token proves AVX2. `RowLanes` vouches for two rows from `first` on in all eight lanes, and the column
        // is clamped to end in the first of them.
        let [x, y, z, w] = unsafe {
            transpose(each4!(K => {
                let (low, high) = (rows.first[K].wrapping_add(column), rows.first[K + 4].wrapping_add(column));
                let pairs = _mm256_loadu2_m128i(high.cast(), low.cast());
                _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, _mm256_castps_si256(rows.weights[K])))
            }))
        };
        [F8(x), F8(y), F8(z), F8(w)]
    }

    #[inline(always)]
    fn store_matrix(self, places: &mut PlaceLanes<'_>, entries: &[u32], m: [[F8; 4]; 3]) {
        // SAFETY: the token proves AVX2. `PlaceLanes` borrows the places mutably and vouches for them in all eight lanes.
        unsafe { x86::store_matrices::<0>(places, entries, each3!(R => each4!(C => m[R][C].0))) }
    }

    #[inline(always)]
    fn store_columns(self, places: &mut PlaceLanes<'_, 16>, entries: &[u32], m: [[F8; 4]; 3]) {
        // SAFETY: as in `store_matrix`.
        unsafe { x86::store_columns::<0>(places, entries, each3!(R => each4!(C => m[R][C].0))) }
    }

    #[inline(always)]
    fn store_halves(self, places: &mut PlaceLanes<'_, 6>, entries: &[u32], m: [[F8; 4]; 3]) {
        // SAFETY: as in `store_matrix`; the token proves F16C too.
        unsafe { x86::store_halves::<0>(places, entries, each3!(R => each4!(C => m[R][C].0))) }
    }

    #[inline(always)]
    fn store_eights(self, places: &mut PlaceLanes<'_, 8>, entries: &[u32], v: [[F8; 4]; 2]) {
        let v = [each4!(C => v[0][C].0), each4!(C => v[1][C].0)];
        // SAFETY: as in `store_matrix`.
        unsafe { x86::store_eights::<0>(places, entries, v) }
    }

    #[inline(always)]
    fn key_zero(self) -> I8 {
        // SAFETY: the token proves AVX.
        I8(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    fn key_start(self, buckets: &Buckets, t: F8) -> I8 {
        let (lowest, scale) = buckets.grid();
        // SAFETY: the token proves AVX2; the indices that the gather reads are those of buckets, NaN becoming the first.
        I8(unsafe {
            let at = _mm256_mul_ps(_mm256_sub_ps(t.0, _mm256_set1_ps(lowest)), _mm256_set1_ps(scale));
            let at = _mm256_max_ps(at, _mm256_setzero_ps());
            let at = _mm256_cvttps_epi32(_mm256_min_ps(at, _mm256_set1_ps(Buckets::LAST)));
            _mm256_castps_si256(pick_8(buckets.as_ptr().cast(), at))
        })
    }

    #[inline(always)]
    fn key_step(self, keys: &KeyTable<'_>, at: I8, step: usize, t: F8) -> I8 {
        // SAFETY: the token proves AVX2; the indices that the gather reads are clamped to the keys there are.
        unsafe {
            let next = _mm256_add_epi32(at.0, _mm256_set1_epi32(step as i32));
            let before = _mm256_sub_epi32(next, _mm256_set1_epi32(1));
            let key = gather_8(keys, before);
            let passed = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LE_OQ>(key, t.0));
            I8(_mm256_blendv_epi8(at.0, next, passed))
        }
    }

    #[inline(always)]
    fn key_finish(self, keys: &KeyTable<'_>, at: I8, t: F8) -> (I8, F8) {
        // SAFETY: the token proves AVX2; the indices that the gathers read are clamped so that a key and the next are
        // there, and with a single key there is nothing between.
        unsafe {
            let at = _mm256_min_epi32(at.0, _mm256_set1_epi32(keys.last() + 1));
            let key = _mm256_sub_epi32(at, _mm256_set1_epi32(1));
            if keys.last() == 0 {
                return (I8(key), F8(_mm256_setzero_ps()));
            }
            let [t0, t1] = gather_two_8(keys, key);
            let fraction = _mm256_div_ps(_mm256_sub_ps(t.0, t0), _mm256_sub_ps(t1, t0));
            let started = _mm256_cmpgt_epi32(at, _mm256_setzero_si256());
            let ended = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(keys.last()));
            let between = _mm256_castsi256_ps(_mm256_andnot_si256(ended, started));
            (I8(key), F8(_mm256_and_ps(fraction, between)))
        }
    }

    #[inline(always)]
    fn key_store(self, i: I8, to: &mut [i32; BLOCK], part: usize) {
        // SAFETY: the token proves AVX; the array has room for sixteen, of which this writes one half.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().add(part % 2 * 8).cast(), i.0) }
    }

    #[inline(always)]
    fn indices(self, from: &[i32; BLOCK]) -> I8 {
        // SAFETY: the token proves AVX; the array has sixteen, of which this reads eight.
        I8(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn gather(self, values: &ValueTable<'_>, row: I8, ahead: i32, column: usize) -> F8 {
        // SAFETY: the token proves AVX2. The row is clamped to those that `ValueTable` vouches for, and the column to those
        // of a row; the products fit, as the count of all values does.
        F8(unsafe {
            let row = _mm256_add_epi32(row.0, _mm256_set1_epi32(ahead));
            let row = _mm256_max_epi32(row, _mm256_setzero_si256());
            let row = _mm256_min_epi32(row, _mm256_set1_epi32(values.last_row()));
            let at = _mm256_mullo_epi32(row, _mm256_set1_epi32(values.stride()));
            let at = _mm256_add_epi32(at, _mm256_set1_epi32(values.column(column)));
            pick_8(values.as_ptr(), at)
        })
    }

    #[inline(always)]
    fn stream_copy(self, from: &[f32], to: &mut [f32]) {
        let length = to.len().min(from.len());
        let (head, lines) = whole_lines(to.as_ptr(), length);
        let tail = head + lines * BLOCK;
        // SAFETY: the token proves AVX2; both slices have `length` floats.
        unsafe {
            // A store that masks all out still asks for its line, which is on its way to memory.
            if head > 0 {
                copy_masked(from.as_ptr(), to.as_mut_ptr(), head);
            }
            if length > tail {
                copy_masked(from.as_ptr().add(tail), to.as_mut_ptr().add(tail), length - tail);
            }
        }
        for line in 0..lines {
            let at = head + line * BLOCK;
            // SAFETY: the token proves AVX; `whole_lines` found that these sixteen floats are in both slices, and that
            // they begin on a 64-byte boundary of `to`.
            unsafe {
                let (from, to) = (from.as_ptr().add(at), to.as_mut_ptr().add(at));
                _mm256_stream_ps(to, _mm256_loadu_ps(from));
                _mm256_stream_ps(to.add(8), _mm256_loadu_ps(from.add(8)));
            }
        }
    }

    #[inline(always)]
    fn stream_fill(self, to: &mut [Line], v: f32) {
        // SAFETY: the token proves AVX; each line is 64 writable bytes on a 64-byte boundary.
        unsafe {
            let v = _mm256_set1_ps(v);
            for line in to {
                let to = line.0.as_mut_ptr();
                _mm256_stream_ps(to, v);
                _mm256_stream_ps(to.add(8), v);
            }
        }
    }

    #[inline(always)]
    fn stream_end(self) {
        // SAFETY: every x86-64 processor has SSE.
        unsafe { _mm_sfence() }
    }
}
