//! Sixteen lanes: AVX-512.
//!
//! Four floats of a lane are a quarter of a register. A register holds those of lanes `k`, `k + 4`, `k + 8` and
//! `k + 12`, so that one 4x4 transpose inside each quarter turns four registers of rows into four of lanes, and back.

use std::arch::x86_64::*;

use super::frame::align_stack_frame;
use super::memory::whole_lines;
use super::outputs::x86;
use super::picks::{gather_16, gather_two_16, pick_16};
use super::{BLOCK, Buckets, Floats, Isa, KeyTable, Line, PlaceLanes, RowLanes, ValueTable, lane_arithmetic};
use crate::unroll::{each3, each4};

/// Proof of AVX-512 F, VL, BW and DQ, and of AVX2, FMA and F16C; `FUSED` chooses how a multiply-add rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512<const FUSED: bool>(());

impl<const FUSED: bool> Avx512<FUSED> {
    /// The proof, if the processor has all of them.
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        has.then_some(Self(()))
    }

    /// The same proof for lanes that round so.
    pub(super) fn rounded<const OTHER: bool>(self) -> Avx512<OTHER> {
        Avx512(())
    }
}

/// Sixteen floats.
#[derive(Clone, Copy)]
pub(crate) struct F16(pub(super) __m512);

/// Sixteen integers.
#[derive(Clone, Copy)]
pub(crate) struct I16(__m512i);

lane_arithmetic!(F16, Add add _mm512_add_ps, Sub sub _mm512_sub_ps, Mul mul _mm512_mul_ps, Div div _mm512_div_ps);

impl Floats for F16 {}

/// The 4x4 transpose in each quarter.
#[inline(always)]
pub(super) fn transpose<const FUSED: bool>(_: Avx512<FUSED>, [a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: the token proves AVX-512 F.
    unsafe {
        let (ab_low, ab_high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
        [
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

/// Four floats from each of four addresses.
///
/// # Safety
/// The processor must have AVX-512 F and DQ, and four floats must be readable at each address.
#[inline(always)]
pub(super) unsafe fn load4(from: [*const f32; 4]) -> __m512 {
    // SAFETY: by contract of this function.
    unsafe {
        let low =
            _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(_mm_loadu_ps(from[0])), _mm_loadu_ps(from[1]));
        let high =
            _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(_mm_loadu_ps(from[2])), _mm_loadu_ps(from[3]));
        _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high)
    }
}

/// The lower and the upper eight lanes of a matrix.
#[inline(always)]
fn eights<const FUSED: bool>(_: Avx512<FUSED>, m: [[F16; 4]; 3]) -> [[[__m256; 4]; 3]; 2] {
    // SAFETY: the token proves AVX-512 F and DQ.
    unsafe {
        [
            each3!(R => each4!(C => _mm512_castps512_ps256(m[R][C].0))),
            each3!(R => each4!(C => _mm512_extractf32x8_ps::<1>(m[R][C].0))),
        ]
    }
}

/// Copies up to sixteen floats through the caches.
///
/// # Safety
/// The processor must have AVX-512 F, and `count` floats must be readable and writable.
#[inline(always)]
unsafe fn copy_masked(from: *const f32, to: *mut f32, count: usize) {
    let mask = ((1u32 << count.min(BLOCK)) - 1) as __mmask16;
    // SAFETY: by contract of this function: the mask keeps all but the first `count` floats from being touched.
    unsafe { _mm512_mask_storeu_ps(to, mask, _mm512_maskz_loadu_ps(mask, from)) }
}

impl<const FUSED: bool> Isa for Avx512<FUSED> {
    const LANES: usize = 16;
    const FUSED: bool = FUSED;
    type F = F16;
    type I = I16;
    /// Those of lanes `k`, `k + 4`, `k + 8` and `k + 12`, four times each.
    type Fractions = [__m512; 4];

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,f16c")]
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
        #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,f16c")]
        #[inline(never)]
        fn inner<const FUSED: bool, R>(f: impl FnOnce() -> R) -> R {
            align_stack_frame();
            f()
        }
        // SAFETY: the token proves these features.
        unsafe { inner::<FUSED, R>(f) }
    }

    #[inline(always)]
    fn splat(self, v: f32) -> F16 {
        // SAFETY: the token proves AVX-512 F.
        F16(unsafe { _mm512_set1_ps(v) })
    }

    #[inline(always)]
    fn load(self, line: &Line, _part: usize) -> F16 {
        // SAFETY: the token proves AVX-512 F; a line is 16 floats on a 64-byte boundary.
        F16(unsafe { _mm512_load_ps(line.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, v: F16, line: &mut Line, _part: usize) {
        // SAFETY: the token proves AVX-512 F; a line is 16 floats on a 64-byte boundary.
        unsafe { _mm512_store_ps(line.0.as_mut_ptr(), v.0) }
    }

    #[inline(always)]
    fn mul_add(self, a: F16, b: F16, c: F16) -> F16 {
        // SAFETY: the token proves AVX-512 F.
        if FUSED { F16(unsafe { _mm512_fmadd_ps(a.0, b.0, c.0) }) } else { a * b + c }
    }

    #[inline(always)]
    fn neg_mul_add(self, a: F16, b: F16, c: F16) -> F16 {
        // SAFETY: the token proves AVX-512 F.
        if FUSED { F16(unsafe { _mm512_fnmadd_ps(a.0, b.0, c.0) }) } else { c - a * b }
    }

    #[inline(always)]
    fn sqrt(self, v: F16) -> F16 {
        // SAFETY: the token proves AVX-512 F.
        F16(unsafe { _mm512_sqrt_ps(v.0) })
    }

    #[inline(always)]
    fn negate_where_negative(self, a: F16, b: F16) -> F16 {
        // SAFETY: the token proves AVX-512 F and DQ.
        F16(unsafe {
            let negative = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a.0, _mm512_setzero_ps());
            _mm512_mask_xor_ps(b.0, negative, b.0, _mm512_set1_ps(-0.0))
        })
    }

    #[inline(always)]
    fn select_greater(self, m: F16, limit: F16, a: F16, b: F16) -> F16 {
        // SAFETY: the token proves AVX-512 F.
        F16(unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(m.0, limit.0), b.0, a.0) })
    }

    #[inline(always)]
    fn fractions(self, f: &[f32; BLOCK]) -> [__m512; 4] {
        each4!(K => {
            let all = each4!(Q => [f[K + 4 * Q]; 4]);
            // SAFETY: the token proves AVX-512 F; the array is sixteen floats.
            unsafe { _mm512_loadu_ps(all.as_ptr().cast()) }
        })
    }

    #[inline(always)]
    fn between_rows(self, rows: &RowLanes<'_, Self>, column: usize) -> [F16; 4] {
        let column = rows.clamp(column);
        let [x, y, z, w] = transpose(
            self,
            each4!(K => {
                let a = each4!(Q => rows.first[K + 4 * Q].wrapping_add(column));
                let b = each4!(Q => a[Q].wrapping_add(rows.stride));
                // SAFETY: the token proves AVX-512 F and DQ. `RowLanes` vouches for two rows from `first` on in all sixteen
                // lanes, and the column is clamped to end in them.
                unsafe {
                    let (a, b) = (load4(a), load4(b));
                    self.mul_add(F16(_mm512_sub_ps(b, a)), F16(rows.fractions[K]), F16(a)).0
                }
            }),
        );
        [F16(x), F16(y), F16(z), F16(w)]
    }

    #[inline(always)]
    fn between_pairs(self, rows: &RowLanes<'_, Self>, column: usize) -> [F16; 4] {
        let column = rows.clamp(column);
        let [x, y, z, w] = transpose(
            self,
            each4!(K => {
                let pairs = each4!(Q => rows.first[K + 4 * Q].wrapping_add(column));
                // SAFETY: the token proves AVX-512 F, BW and DQ. `RowLanes` vouches for two rows from `first` on in all
                // sixteen lanes, and the column is clamped to end in the first of them.
                unsafe {
                    let pairs = _mm512_castps_si512(load4(pairs));
                    let weights = _mm512_castps_si512(rows.weights[K]);
                    _mm512_cvtepi32_ps(_mm512_madd_epi16(pairs, weights))
                }
            }),
        );
        [F16(x), F16(y), F16(z), F16(w)]
    }

    #[inline(always)]
    fn store_matrix(self, places: &mut PlaceLanes<'_>, entries: &[u32], m: [[F16; 4]; 3]) {
        let [low, high] = eights(self, m);
        // SAFETY: the token proves AVX2. `PlaceLanes` borrows the places mutably and vouches for them in all sixteen lanes.
        unsafe {
            x86::store_matrices::<0>(places, entries, low);
            x86::store_matrices::<8>(places, entries, high);
        }
    }

    #[inline(always)]
    fn store_columns(self, places: &mut PlaceLanes<'_, 16>, entries: &[u32], m: [[F16; 4]; 3]) {
        let [low, high] = eights(self, m);
        // SAFETY: as in `store_matrix`.
        unsafe {
            x86::store_columns::<0>(places, entries, low);
            x86::store_columns::<8>(places, entries, high);
        }
    }

    #[inline(always)]
    fn store_halves(self, places: &mut PlaceLanes<'_, 6>, entries: &[u32], m: [[F16; 4]; 3]) {
        let [low, high] = eights(self, m);
        // SAFETY: as in `store_matrix`; the token proves F16C too.
        unsafe {
            x86::store_halves::<0>(places, entries, low);
            x86::store_halves::<8>(places, entries, high);
        }
    }

    #[inline(always)]
    fn store_eights(self, places: &mut PlaceLanes<'_, 8>, entries: &[u32], v: [[F16; 4]; 2]) {
        let [low, high] = eights(self, [v[0], v[1], v[1]]);
        // SAFETY: as in `store_matrix`.
        unsafe {
            x86::store_eights::<0>(places, entries, [low[0], low[1]]);
            x86::store_eights::<8>(places, entries, [high[0], high[1]]);
        }
    }

    #[inline(always)]
    fn key_zero(self) -> I16 {
        // SAFETY: the token proves AVX-512 F.
        I16(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    fn key_start(self, buckets: &Buckets, t: F16) -> I16 {
        let (lowest, scale) = buckets.grid();
        // SAFETY: the token proves AVX-512 F; the indices that the gather reads are those of buckets, NaN becoming the
        // first.
        I16(unsafe {
            let at = _mm512_mul_ps(_mm512_sub_ps(t.0, _mm512_set1_ps(lowest)), _mm512_set1_ps(scale));
            let at = _mm512_max_ps(at, _mm512_setzero_ps());
            let at = _mm512_cvttps_epi32(_mm512_min_ps(at, _mm512_set1_ps(Buckets::LAST)));
            _mm512_castps_si512(pick_16(buckets.as_ptr().cast(), at))
        })
    }

    #[inline(always)]
    fn key_step(self, keys: &KeyTable<'_>, at: I16, step: usize, t: F16) -> I16 {
        // SAFETY: the token proves AVX-512 F; the indices that the gather reads are clamped to the keys there are.
        unsafe {
            let next = _mm512_add_epi32(at.0, _mm512_set1_epi32(step as i32));
            let before = _mm512_sub_epi32(next, _mm512_set1_epi32(1));
            let passed = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(gather_16(keys, before), t.0);
            I16(_mm512_mask_mov_epi32(at.0, passed, next))
        }
    }

    #[inline(always)]
    fn key_finish(self, keys: &KeyTable<'_>, at: I16, t: F16) -> (I16, F16) {
        // SAFETY: the token proves AVX-512 F; the indices that the gathers read are clamped so that a key and the next
        // are there, and with a single key there is nothing between.
        unsafe {
            let at = _mm512_min_epi32(at.0, _mm512_set1_epi32(keys.last() + 1));
            let key = _mm512_sub_epi32(at, _mm512_set1_epi32(1));
            if keys.last() == 0 {
                return (I16(key), F16(_mm512_setzero_ps()));
            }
            let [t0, t1] = gather_two_16(keys, key);
            let started = _mm512_cmpgt_epi32_mask(at, _mm512_setzero_si512());
            let ended = _mm512_cmpgt_epi32_mask(at, _mm512_set1_epi32(keys.last()));
            let (way, span) = (_mm512_sub_ps(t.0, t0), _mm512_sub_ps(t1, t0));
            (I16(key), F16(_mm512_maskz_div_ps(started & !ended, way, span)))
        }
    }

    #[inline(always)]
    fn key_store(self, i: I16, to: &mut [i32; BLOCK], _: usize) {
        // SAFETY: the token proves AVX-512 F; the array has room for sixteen.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), i.0) }
    }

    #[inline(always)]
    fn indices(self, from: &[i32; BLOCK]) -> I16 {
        // SAFETY: the token proves AVX-512 F; the array has sixteen.
        I16(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn gather(self, values: &ValueTable<'_>, row: I16, ahead: i32, column: usize) -> F16 {
        // SAFETY: the token proves AVX-512 F. The row is clamped to those that `ValueTable` vouches for, and the column to
        // those of a row; the products fit, as the count of all values does.
        F16(unsafe {
            let row = _mm512_add_epi32(row.0, _mm512_set1_epi32(ahead));
            let row = _mm512_max_epi32(row, _mm512_setzero_si512());
            let row = _mm512_min_epi32(row, _mm512_set1_epi32(values.last_row()));
            let at = _mm512_mullo_epi32(row, _mm512_set1_epi32(values.stride()));
            let at = _mm512_add_epi32(at, _mm512_set1_epi32(values.column(column)));
            pick_16(values.as_ptr(), at)
        })
    }

    #[inline(always)]
    fn stream_copy(self, from: &[f32], to: &mut [f32]) {
        let length = to.len().min(from.len());
        let (head, lines) = whole_lines(to.as_ptr(), length);
        let tail = head + lines * BLOCK;
        // SAFETY: the token proves AVX-512 F; both slices have `length` floats.
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
            // SAFETY: the token proves AVX-512 F; `whole_lines` found that these sixteen floats are in both slices, and that
            // they begin on a 64-byte boundary of `to`.
            unsafe {
                let (from, to) = (from.as_ptr().add(at), to.as_mut_ptr().add(at));
                _mm512_stream_ps(to, _mm512_loadu_ps(from));
            }
        }
    }

    #[inline(always)]
    fn stream_fill(self, to: &mut [Line], v: f32) {
        // SAFETY: the token proves AVX-512 F; each line is 64 writable bytes on a 64-byte boundary.
        unsafe {
            let v = _mm512_set1_ps(v);
            for line in to {
                let to = line.0.as_mut_ptr();
                _mm512_stream_ps(to, v);
            }
        }
    }

    #[inline(always)]
    fn stream_end(self) {
        // SAFETY: every x86-64 processor has SSE.
        unsafe { _mm_sfence() }
    }
}
