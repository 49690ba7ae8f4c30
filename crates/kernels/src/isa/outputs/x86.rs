//! Matrices of eight lanes to memory; sixteen lanes are twice eight.
//!
//! [`transpose`] leaves what belongs to lanes `k` and `k + 4` in the halves of a register. Two such registers hold eight
//! floats of a lane, and go out in one store, which halves the stores and needs no lane crossing to memory. The lines that
//! the next group writes are fetched meanwhile.

use std::arch::x86_64::*;

use super::super::BLOCK;
use super::super::avx2::transpose;
use super::super::memory::prefetch;
use super::super::places::PlaceLanes;
use crate::unroll::{each3, each4};

/// Where lanes 0 to 3 and 4 to 7 of eight write.
type Eight = [[*mut f32; 4]; 2];

/// Those of the lanes from `FROM` on, 0 or 8.
#[inline(always)]
fn eight<const FROM: usize>(all: &[*mut f32; BLOCK]) -> Eight {
    [each4!(K => all[FROM + K]), each4!(K => all[FROM + 4 + K])]
}

/// Where an entry goes in each of eight places, whose lines of the next group are fetched.
///
/// # Safety
/// The lanes must be among those that `places` vouches for.
#[inline(always)]
unsafe fn addresses<const FLOATS: usize, const FROM: usize>(
    places: &PlaceLanes<'_, FLOATS>,
    entry: u32,
) -> Eight {
    let at = places.offset(entry);
    let [low, high] = eight::<FROM>(&places.first);
    // SAFETY: by contract of this function; offsets are clamped so that an entry ends in its place.
    let (low, high) = unsafe { (each4!(K => low[K].add(at)), each4!(K => high[K].add(at))) };
    if let Some(next) = &places.next {
        let [low, high] = eight::<FROM>(next);
        each4!(K => {
            prefetch(low[K].wrapping_add(at));
            prefetch(high[K].wrapping_add(at));
        });
    }
    [low, high]
}

/// What lanes `k` and `k + 4` have in two registers: eight floats each.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn two_lanes(a: __m256, b: __m256) -> [__m256; 2] {
    // SAFETY: by contract of this function.
    unsafe { [_mm256_permute2f128_ps::<0x20>(a, b), _mm256_permute2f128_ps::<0x31>(a, b)] }
}

/// Three rows of four.
///
/// # Safety
/// The processor must have AVX2, and the lanes must be among those that `places` vouches for.
#[inline(always)]
pub(in super::super) unsafe fn store_matrices<const FROM: usize>(
    places: &mut PlaceLanes<'_>,
    entries: &[u32],
    m: [[__m256; 4]; 3],
) {
    // SAFETY: by contract of this function; an entry is twelve floats.
    unsafe {
        let rows = each3!(R => transpose(m[R]));
        for &entry in entries {
            let [low, high] = addresses::<_, FROM>(places, entry);
            each4!(K => {
                let [a, b, c] = each3!(R => rows[R][K]);
                let [first, second] = two_lanes(a, b);
                _mm256_storeu_ps(low[K], first);
                _mm256_storeu_ps(high[K], second);
                _mm256_storeu2_m128(high[K].add(8), low[K].add(8), c);
            });
        }
    }
}

/// Four columns of four.
///
/// # Safety
/// The processor must have AVX2, and the lanes must be among those that `places` vouches for.
#[inline(always)]
pub(in super::super) unsafe fn store_columns<const FROM: usize>(
    places: &mut PlaceLanes<'_, 16>,
    entries: &[u32],
    m: [[__m256; 4]; 3],
) {
    // SAFETY: by contract of this function; an entry is sixteen floats.
    unsafe {
        let last_row = [_mm256_setzero_ps(), _mm256_set1_ps(1.0)];
        let columns = each4!(C => transpose([m[0][C], m[1][C], m[2][C], last_row[C / 3]]));
        for &entry in entries {
            let [low, high] = addresses::<_, FROM>(places, entry);
            each4!(K => {
                let [a, b, c, d] = each4!(C => columns[C][K]);
                let [first, second] = two_lanes(a, b);
                _mm256_storeu_ps(low[K], first);
                _mm256_storeu_ps(high[K], second);
                let [first, second] = two_lanes(c, d);
                _mm256_storeu_ps(low[K].add(8), first);
                _mm256_storeu_ps(high[K].add(8), second);
            });
        }
    }
}

/// Three rows of four halves.
///
/// # Safety
/// The processor must have AVX2 and F16C, and the lanes must be among those that `places` vouches for.
#[inline(always)]
pub(in super::super) unsafe fn store_halves<const FROM: usize>(
    places: &mut PlaceLanes<'_, 6>,
    entries: &[u32],
    m: [[__m256; 4]; 3],
) {
    // SAFETY: by contract of this function; an entry is twelve halves, of which four or eight are stored at once.
    unsafe {
        let rows = each3!(R => transpose(m[R]));
        let halves = each4!(K => {
            let [first, second] = two_lanes(rows[0][K], rows[1][K]);
            [first, second, rows[2][K]]
        });
        let halves = each4!(K => each3!(R => _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(halves[K][R])));
        for &entry in entries {
            let [low, high] = addresses::<_, FROM>(places, entry);
            each4!(K => {
                let [first, second, last] = halves[K];
                _mm_storeu_si128(low[K].cast(), first);
                _mm_storeu_si128(high[K].cast(), second);
                _mm_storel_epi64(low[K].add(4).cast(), last);
                _mm_storeh_pd(high[K].add(4).cast(), _mm_castsi128_pd(last));
            });
        }
    }
}

/// Two rows of four.
///
/// # Safety
/// The processor must have AVX2, and the lanes must be among those that `places` vouches for.
#[inline(always)]
pub(in super::super) unsafe fn store_eights<const FROM: usize>(
    places: &mut PlaceLanes<'_, 8>,
    entries: &[u32],
    v: [[__m256; 4]; 2],
) {
    // SAFETY: by contract of this function; an entry is eight floats.
    unsafe {
        let (a, b) = (transpose(v[0]), transpose(v[1]));
        for &entry in entries {
            let [low, high] = addresses::<_, FROM>(places, entry);
            each4!(K => {
                let [first, second] = two_lanes(a[K], b[K]);
                _mm256_storeu_ps(low[K], first);
                _mm256_storeu_ps(high[K], second);
            });
        }
    }
}
