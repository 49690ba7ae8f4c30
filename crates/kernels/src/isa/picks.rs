//! Numbers at indices, for the look-up and for tables: what the instructions named gather are for, and do slowly.

use std::arch::x86_64::*;

use super::KeyTable;

/// The times at `index`, clamped.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
pub(super) unsafe fn gather_8(keys: &KeyTable<'_>, index: __m256i) -> __m256 {
    // SAFETY: AVX2 by contract of this function; a key table has a key, and the clamp keeps the index on one.
    unsafe {
        let index = _mm256_max_epi32(index, _mm256_setzero_si256());
        let index = _mm256_min_epi32(index, _mm256_set1_epi32(keys.last()));
        pick_8(keys.as_ptr(), index)
    }
}

/// The times at `index` and behind it, clamped: both with one load a lane.
///
/// # Safety
/// The processor must have AVX2, and there must be two keys.
#[inline(always)]
pub(super) unsafe fn gather_two_8(keys: &KeyTable<'_>, index: __m256i) -> [__m256; 2] {
    // SAFETY: by contract of this function; the clamp keeps the index ahead of the last key.
    unsafe {
        let index = _mm256_max_epi32(index, _mm256_setzero_si256());
        let index = _mm256_min_epi32(index, _mm256_set1_epi32(keys.last() - 1));
        pick_two_8(keys.as_ptr(), index)
    }
}

/// The eight indices, in memory.
///
/// # Safety
/// The processor must have AVX.
#[inline(always)]
unsafe fn indices(index: __m256i) -> [i32; 8] {
    let mut at = [0; 8];
    // SAFETY: by contract of this function; the array has room for eight.
    unsafe { _mm256_storeu_si256(at.as_mut_ptr().cast(), index) };
    at
}

/// The number at each index. Eight loads: the instruction for it takes no fewer, and many times as long on processors
/// that must not look ahead in it. The indices are read as volatile lest the compiler makes it that instruction.
///
/// # Safety
/// The processor must have AVX, and there must be a number at each index.
#[inline(always)]
pub(super) unsafe fn pick_8(from: *const f32, index: __m256i) -> __m256 {
    // SAFETY: by contract of this function.
    unsafe {
        let at = indices(index);
        let n = |k: usize| *from.add(std::ptr::read_volatile(&at[k]) as usize);
        _mm256_setr_ps(n(0), n(1), n(2), n(3), n(4), n(5), n(6), n(7))
    }
}

/// The numbers at each index and behind it: eight loads of two.
///
/// # Safety
/// The processor must have AVX, and there must be two numbers at each index.
#[inline(always)]
pub(super) unsafe fn pick_two_8(from: *const f32, index: __m256i) -> [__m256; 2] {
    // SAFETY: by contract of this function.
    unsafe {
        let at = indices(index);
        let two = |k: usize, l: usize| {
            let pair = _mm_load_sd(from.add(at[k] as usize).cast());
            _mm_castpd_ps(_mm_loadh_pd(pair, from.add(at[l] as usize).cast()))
        };
        let low = _mm256_set_m128(two(4, 5), two(0, 1));
        let high = _mm256_set_m128(two(6, 7), two(2, 3));
        [_mm256_shuffle_ps::<0b10_00_10_00>(low, high), _mm256_shuffle_ps::<0b11_01_11_01>(low, high)]
    }
}

/// The times at `index`, clamped.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
pub(super) unsafe fn gather_16(keys: &KeyTable<'_>, index: __m512i) -> __m512 {
    // SAFETY: AVX-512 F by contract of this function; a key table has a key, and the clamp keeps the index on one.
    unsafe {
        let index = _mm512_max_epi32(index, _mm512_setzero_si512());
        let index = _mm512_min_epi32(index, _mm512_set1_epi32(keys.last()));
        pick_16(keys.as_ptr(), index)
    }
}

/// The times at `index` and behind it, clamped: both with one load a lane.
///
/// # Safety
/// The processor must have AVX-512 F, and there must be two keys.
#[inline(always)]
pub(super) unsafe fn gather_two_16(keys: &KeyTable<'_>, index: __m512i) -> [__m512; 2] {
    // SAFETY: by contract of this function; the clamp keeps the index ahead of the last key.
    unsafe {
        let index = _mm512_max_epi32(index, _mm512_setzero_si512());
        let index = _mm512_min_epi32(index, _mm512_set1_epi32(keys.last() - 1));
        let (low, high) = halves(index);
        let (low, high) = (pick_two_8(keys.as_ptr(), low), pick_two_8(keys.as_ptr(), high));
        [join(low[0], high[0]), join(low[1], high[1])]
    }
}

/// Both halves.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn halves(v: __m512i) -> (__m256i, __m256i) {
    // SAFETY: by contract of this function.
    unsafe { (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)) }
}

/// One of two halves.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn join(low: __m256, high: __m256) -> __m512 {
    // SAFETY: by contract of this function.
    unsafe {
        let low = _mm512_castps_pd(_mm512_castps256_ps512(low));
        _mm512_castpd_ps(_mm512_insertf64x4::<1>(low, _mm256_castps_pd(high)))
    }
}

/// The number at each index; see [`pick_8`].
///
/// # Safety
/// The processor must have AVX-512 F, and there must be a number at each index.
#[inline(always)]
pub(super) unsafe fn pick_16(from: *const f32, index: __m512i) -> __m512 {
    // SAFETY: by contract of this function.
    unsafe {
        let (low, high) = halves(index);
        join(pick_8(from, low), pick_8(from, high))
    }
}
