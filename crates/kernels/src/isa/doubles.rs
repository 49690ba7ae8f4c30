//! Lanes of doubles: what counts over hours, as clocks do, is too long for a float.
//!
//! [`Doubles`] is to doubles what [`Isa`] is to floats, for the same tokens and on the same terms. Only operations that are
//! exact or rounded once, and no fused ones, so that every level, fused or not, returns the same bits.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

use wide::f64x2;

use super::portable::Portable;
use super::scalar::Scalar;
use super::{BLOCK, Isa};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512, lane_arithmetic};

/// Operations on lanes of doubles.
pub(crate) trait Doubles: Isa {
    /// How many lanes; divides [`BLOCK`].
    const DOUBLES: usize;
    /// One double a lane.
    type D: Copy
        + Add<Output = Self::D>
        + Sub<Output = Self::D>
        + Mul<Output = Self::D>
        + Div<Output = Self::D>;

    /// The same double in all lanes.
    fn splat_double(self, v: f64) -> Self::D;
    /// Lanes `part * DOUBLES ..` of a block.
    fn load_doubles(self, block: &[f64; BLOCK], part: usize) -> Self::D;
    /// Lanes `part * DOUBLES ..` of a block of floats, as doubles.
    fn widen(self, block: &[f32; BLOCK], part: usize) -> Self::D;
    /// Into lanes `part * DOUBLES ..` of a block.
    fn store_doubles(self, v: Self::D, block: &mut [f64; BLOCK], part: usize);
    /// `a` where `m >= limit`, else `b`; `b` where either is NaN.
    fn select_at_least(self, m: Self::D, limit: Self::D, a: Self::D, b: Self::D) -> Self::D;
}

macro_rules! arithmetic {
    ($type:ident, $($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    )*};
}

/// The one double of a lane.
#[derive(Clone, Copy)]
pub(crate) struct D1(f64);

arithmetic!(D1, Add add +, Sub sub -, Mul mul *, Div div /);

impl<const FUSED: bool> Doubles for Scalar<FUSED> {
    const DOUBLES: usize = 1;
    type D = D1;

    #[inline(always)]
    fn splat_double(self, v: f64) -> D1 {
        D1(v)
    }

    #[inline(always)]
    fn load_doubles(self, block: &[f64; BLOCK], part: usize) -> D1 {
        D1(block[part % BLOCK])
    }

    #[inline(always)]
    fn widen(self, block: &[f32; BLOCK], part: usize) -> D1 {
        D1(f64::from(block[part % BLOCK]))
    }

    #[inline(always)]
    fn store_doubles(self, v: D1, block: &mut [f64; BLOCK], part: usize) {
        block[part % BLOCK] = v.0;
    }

    #[inline(always)]
    fn select_at_least(self, m: D1, limit: D1, a: D1, b: D1) -> D1 {
        if m.0 >= limit.0 { a } else { b }
    }
}

/// Two doubles, by `wide`.
#[derive(Clone, Copy)]
pub(crate) struct D2(f64x2);

arithmetic!(D2, Add add +, Sub sub -, Mul mul *, Div div /);

impl Doubles for Portable {
    const DOUBLES: usize = 2;
    type D = D2;

    #[inline(always)]
    fn splat_double(self, v: f64) -> D2 {
        D2(f64x2::splat(v))
    }

    #[inline(always)]
    fn load_doubles(self, block: &[f64; BLOCK], part: usize) -> D2 {
        let at = part % 8 * 2;
        D2(f64x2::new([block[at], block[at + 1]]))
    }

    #[inline(always)]
    fn widen(self, block: &[f32; BLOCK], part: usize) -> D2 {
        let at = part % 8 * 2;
        D2(f64x2::new([f64::from(block[at]), f64::from(block[at + 1])]))
    }

    #[inline(always)]
    fn store_doubles(self, v: D2, block: &mut [f64; BLOCK], part: usize) {
        let at = part % 8 * 2;
        block[at..at + 2].copy_from_slice(v.0.as_array());
    }

    #[inline(always)]
    fn select_at_least(self, m: D2, limit: D2, a: D2, b: D2) -> D2 {
        D2(m.0.simd_ge(limit.0).select(a.0, b.0))
    }
}

/// Four doubles.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct D4(__m256d);

#[cfg(target_arch = "x86_64")]
lane_arithmetic!(D4, Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);

#[cfg(target_arch = "x86_64")]
impl<const FUSED: bool> Doubles for Avx2<FUSED> {
    const DOUBLES: usize = 4;
    type D = D4;

    #[inline(always)]
    fn splat_double(self, v: f64) -> D4 {
        // SAFETY: the token proves AVX.
        D4(unsafe { _mm256_set1_pd(v) })
    }

    #[inline(always)]
    fn load_doubles(self, block: &[f64; BLOCK], part: usize) -> D4 {
        // SAFETY: the token proves AVX; a block is 16 doubles, of which this reads one quarter.
        D4(unsafe { _mm256_loadu_pd(block.as_ptr().add(part % 4 * 4)) })
    }

    #[inline(always)]
    fn widen(self, block: &[f32; BLOCK], part: usize) -> D4 {
        // SAFETY: the token proves AVX; a block is 16 floats, of which this reads one quarter.
        D4(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(block.as_ptr().add(part % 4 * 4))) })
    }

    #[inline(always)]
    fn store_doubles(self, v: D4, block: &mut [f64; BLOCK], part: usize) {
        // SAFETY: the token proves AVX; a block is 16 doubles, of which this writes one quarter.
        unsafe { _mm256_storeu_pd(block.as_mut_ptr().add(part % 4 * 4), v.0) }
    }

    #[inline(always)]
    fn select_at_least(self, m: D4, limit: D4, a: D4, b: D4) -> D4 {
        // SAFETY: the token proves AVX.
        D4(unsafe { _mm256_blendv_pd(b.0, a.0, _mm256_cmp_pd::<_CMP_GE_OQ>(m.0, limit.0)) })
    }
}

/// Eight doubles.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct D8(__m512d);

#[cfg(target_arch = "x86_64")]
lane_arithmetic!(D8, Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);

#[cfg(target_arch = "x86_64")]
impl<const FUSED: bool> Doubles for Avx512<FUSED> {
    const DOUBLES: usize = 8;
    type D = D8;

    #[inline(always)]
    fn splat_double(self, v: f64) -> D8 {
        // SAFETY: the token proves AVX-512 F.
        D8(unsafe { _mm512_set1_pd(v) })
    }

    #[inline(always)]
    fn load_doubles(self, block: &[f64; BLOCK], part: usize) -> D8 {
        // SAFETY: the token proves AVX-512 F; a block is 16 doubles, of which this reads one half.
        D8(unsafe { _mm512_loadu_pd(block.as_ptr().add(part % 2 * 8)) })
    }

    #[inline(always)]
    fn widen(self, block: &[f32; BLOCK], part: usize) -> D8 {
        // SAFETY: the token proves AVX-512 F and AVX; a block is 16 floats, of which this reads one half.
        D8(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(block.as_ptr().add(part % 2 * 8))) })
    }

    #[inline(always)]
    fn store_doubles(self, v: D8, block: &mut [f64; BLOCK], part: usize) {
        // SAFETY: the token proves AVX-512 F; a block is 16 doubles, of which this writes one half.
        unsafe { _mm512_storeu_pd(block.as_mut_ptr().add(part % 2 * 8), v.0) }
    }

    #[inline(always)]
    fn select_at_least(self, m: D8, limit: D8, a: D8, b: D8) -> D8 {
        // SAFETY: the token proves AVX-512 F.
        D8(unsafe { _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_GE_OQ>(m.0, limit.0), b.0, a.0) })
    }
}
