//! Lanes that each weigh matrices of their own, as vertices do, and write vectors side by side.
//!
//! [`Matrices`] is for vertices what [`Isa`] is for instances, for the same tokens and on the same terms. Matrices are read
//! and summed row by row as they stand in memory, and transposed once, when the sum is there.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use wide::f32x4;

#[cfg(target_arch = "x86_64")]
use super::avx2::{self, Avx2, F8};
#[cfg(target_arch = "x86_64")]
use super::avx512::{self, Avx512, F16};
use super::portable::{F4, Portable};
use super::scalar::{F1, Scalar};
use super::{BLOCK, Isa, Line};
use crate::unroll::{each3, each4};

/// Matrices of three rows of four floats, one after the other, at least one.
#[derive(Clone, Copy)]
pub(crate) struct MatrixTable<'a> {
    floats: &'a [f32],
    last: usize,
}

impl<'a> MatrixTable<'a> {
    /// None if there is no whole matrix.
    pub(crate) fn new(floats: &'a [f32]) -> Option<Self> {
        let last = (floats.len() / 12).checked_sub(1)?;
        Some(Self { floats, last })
    }

    /// Where twelve floats of a matrix can be read, the nearest to `index` that there is.
    #[inline(always)]
    pub(super) fn matrix(self, index: u16) -> *const f32 {
        // The matrix is in the table, so the offset is inside of it and can't wrap.
        self.floats.as_ptr().wrapping_add(usize::from(index).min(self.last) * 12)
    }
}

/// Operations on lanes that are vertices.
pub(crate) trait Matrices: Isa {
    /// The sum of `weight * matrix` over all influences of lanes `part * LANES ..`, from 0 on in the order of the lines: for
    /// each a line of weights, and of indices into the table.
    fn weighted_matrices(
        self,
        table: MatrixTable<'_>,
        weights: &[Line],
        indices: &[[u16; BLOCK]],
        part: usize,
    ) -> [[Self::F; 4]; 3];
    /// Into lanes `part * LANES ..` of a block.
    fn store_threes(self, v: [Self::F; 3], to: &mut [[f32; 3]; BLOCK], part: usize);
    /// Into lanes `part * LANES ..` of a block.
    fn store_fours(self, v: [Self::F; 4], to: &mut [[f32; 4]; BLOCK], part: usize);
}

impl<const FUSED: bool> Matrices for Scalar<FUSED> {
    #[inline(always)]
    fn weighted_matrices(
        self,
        table: MatrixTable<'_>,
        weights: &[Line],
        indices: &[[u16; BLOCK]],
        part: usize,
    ) -> [[F1; 4]; 3] {
        let lane = part % BLOCK;
        let mut sum = [[F1(0.0); 4]; 3];
        for (weights, indices) in weights.iter().zip(indices) {
            let from = table.matrix(indices[lane]);
            // SAFETY: `MatrixTable` vouches for twelve floats from there on.
            let m = unsafe { from.cast::<[[f32; 4]; 3]>().read_unaligned() };
            each3!(R => each4!(C => {
                sum[R][C] = self.mul_add(F1(weights.0[lane]), F1(m[R][C]), sum[R][C]);
            }));
        }
        sum
    }

    #[inline(always)]
    fn store_threes(self, v: [F1; 3], to: &mut [[f32; 3]; BLOCK], part: usize) {
        to[part % BLOCK] = each3!(C => v[C].0);
    }

    #[inline(always)]
    fn store_fours(self, v: [F1; 4], to: &mut [[f32; 4]; BLOCK], part: usize) {
        to[part % BLOCK] = each4!(C => v[C].0);
    }
}

impl Matrices for Portable {
    #[inline(always)]
    fn weighted_matrices(
        self,
        table: MatrixTable<'_>,
        weights: &[Line],
        indices: &[[u16; BLOCK]],
        part: usize,
    ) -> [[F4; 4]; 3] {
        let first = part % 4 * 4;
        let mut sum = [[f32x4::ZERO; 4]; 3];
        for (weights, indices) in weights.iter().zip(indices) {
            each4!(K => {
                let weight = f32x4::splat(weights.0[first + K]);
                let from = table.matrix(indices[first + K]);
                // SAFETY: `MatrixTable` vouches for twelve floats from there on.
                let m = unsafe { from.cast::<[[f32; 4]; 3]>().read_unaligned() };
                each3!(R => sum[R][K] = weight * f32x4::new(m[R]) + sum[R][K]);
            });
        }
        each3!(R => {
            let [a, b, c, d] = f32x4::transpose(sum[R]);
            [F4(a), F4(b), F4(c), F4(d)]
        })
    }

    #[inline(always)]
    fn store_threes(self, v: [F4; 3], to: &mut [[f32; 3]; BLOCK], part: usize) {
        let v = each3!(C => v[C].0.to_array());
        each4!(K => to[part % 4 * 4 + K] = each3!(C => v[C][K]));
    }

    #[inline(always)]
    fn store_fours(self, v: [F4; 4], to: &mut [[f32; 4]; BLOCK], part: usize) {
        let lanes = f32x4::transpose(each4!(C => v[C].0));
        each4!(K => to[part % 4 * 4 + K] = lanes[K].to_array());
    }
}

#[cfg(target_arch = "x86_64")]
impl<const FUSED: bool> Matrices for Avx2<FUSED> {
    #[inline(always)]
    fn weighted_matrices(
        self,
        table: MatrixTable<'_>,
        weights: &[Line],
        indices: &[[u16; BLOCK]],
        part: usize,
    ) -> [[F8; 4]; 3] {
        let first = part % 2 * 8;
        // Row `R` of lanes `K` and `K + 4` is `sum[R][K]`.
        let mut sum = [[self.splat(0.0); 4]; 3];
        for (weights, indices) in weights.iter().zip(indices) {
            let weights = self.load(weights, part).0;
            // SAFETY: the token proves AVX.
            let weights =
                unsafe { each4!(K => F8(_mm256_permute_ps::<{ K as i32 * 0b01_01_01_01 }>(weights))) };
            each4!(K => {
                let (low, high) = (table.matrix(indices[first + K]), table.matrix(indices[first + K + 4]));
                each3!(R => {
                    // SAFETY: the token proves AVX; `MatrixTable` vouches for twelve floats from either address on.
                    let rows = F8(unsafe { _mm256_loadu2_m128(high.add(4 * R), low.add(4 * R)) });
                    sum[R][K] = self.mul_add(weights[K], rows, sum[R][K]);
                });
            });
        }
        each3!(R => {
            // SAFETY: the token proves AVX2.
            let [a, b, c, d] = unsafe { avx2::transpose(each4!(K => sum[R][K].0)) };
            [F8(a), F8(b), F8(c), F8(d)]
        })
    }

    #[inline(always)]
    fn store_threes(self, v: [F8; 3], to: &mut [[f32; 3]; BLOCK], part: usize) {
        let to = to.as_flattened_mut().as_mut_ptr();
        let [x, y, z] = each3!(C => v[C].0);
        // SAFETY: the token proves AVX2; a block is 48 floats, of which this writes one half.
        unsafe {
            // In each half: x0 x2 y0 y2, y1 y3 z1 z3, z0 z2 x1 x3.
            let xy = _mm256_shuffle_ps::<0b10_00_10_00>(x, y);
            let yz = _mm256_shuffle_ps::<0b11_01_11_01>(y, z);
            let zx = _mm256_shuffle_ps::<0b11_01_10_00>(z, x);
            // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3.
            let a = _mm256_shuffle_ps::<0b10_00_10_00>(xy, zx);
            let b = _mm256_shuffle_ps::<0b11_01_10_00>(yz, xy);
            let c = _mm256_shuffle_ps::<0b11_01_11_01>(zx, yz);
            let to = to.add(part % 2 * 24);
            _mm256_storeu_ps(to, _mm256_permute2f128_ps::<0x20>(a, b));
            _mm256_storeu_ps(to.add(8), _mm256_permute2f128_ps::<0x30>(c, a));
            _mm256_storeu_ps(to.add(16), _mm256_permute2f128_ps::<0x31>(b, c));
        }
    }

    #[inline(always)]
    fn store_fours(self, v: [F8; 4], to: &mut [[f32; 4]; BLOCK], part: usize) {
        let to = to.as_flattened_mut().as_mut_ptr();
        // SAFETY: the token proves AVX2; a block is 64 floats, of which this writes one half.
        unsafe { store_eight_fours(to.add(part % 2 * 32), each4!(C => v[C].0)) }
    }
}

/// Four floats of each of eight lanes.
///
/// # Safety
/// The processor must have AVX2, and 32 floats must be writable.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn store_eight_fours(to: *mut f32, v: [__m256; 4]) {
    // SAFETY: by contract of this function.
    unsafe {
        let [a, b, c, d] = avx2::transpose(v);
        _mm256_storeu_ps(to, _mm256_permute2f128_ps::<0x20>(a, b));
        _mm256_storeu_ps(to.add(8), _mm256_permute2f128_ps::<0x20>(c, d));
        _mm256_storeu_ps(to.add(16), _mm256_permute2f128_ps::<0x31>(a, b));
        _mm256_storeu_ps(to.add(24), _mm256_permute2f128_ps::<0x31>(c, d));
    }
}

#[cfg(target_arch = "x86_64")]
impl<const FUSED: bool> Matrices for Avx512<FUSED> {
    #[inline(always)]
    fn weighted_matrices(
        self,
        table: MatrixTable<'_>,
        weights: &[Line],
        indices: &[[u16; BLOCK]],
        _part: usize,
    ) -> [[F16; 4]; 3] {
        // Row `R` of lanes `K`, `K + 4`, `K + 8` and `K + 12` is `sum[R][K]`.
        let mut sum = [[self.splat(0.0); 4]; 3];
        for (weights, indices) in weights.iter().zip(indices) {
            let weights = self.load(weights, 0).0;
            // SAFETY: the token proves AVX-512 F.
            let weights =
                unsafe { each4!(K => F16(_mm512_permute_ps::<{ K as i32 * 0b01_01_01_01 }>(weights))) };
            each4!(K => {
                let from = each4!(Q => table.matrix(indices[K + 4 * Q]));
                each3!(R => {
                    // SAFETY: the token proves AVX-512 F and DQ; `MatrixTable` vouches for twelve floats from each address on.
                    let rows = F16(unsafe { avx512::load4(each4!(Q => from[Q].add(4 * R))) });
                    sum[R][K] = self.mul_add(weights[K], rows, sum[R][K]);
                });
            });
        }
        each3!(R => {
            let [a, b, c, d] = avx512::transpose(self, each4!(K => sum[R][K].0));
            [F16(a), F16(b), F16(c), F16(d)]
        })
    }

    #[inline(always)]
    fn store_threes(self, v: [F16; 3], to: &mut [[f32; 3]; BLOCK], _part: usize) {
        let to = to.as_flattened_mut().as_mut_ptr();
        let [x, y, z] = each3!(C => v[C].0);
        each3!(L => {
            const TAKE: [[i32; 16]; 2] = take(L);
            // SAFETY: the token proves AVX-512 F; either array is sixteen integers, and a block is 48 floats.
            unsafe {
                let [xy_at, z_at] =
                    [_mm512_loadu_si512(TAKE[0].as_ptr().cast()), _mm512_loadu_si512(TAKE[1].as_ptr().cast())];
                let xy = _mm512_permutex2var_ps(x, xy_at, y);
                _mm512_storeu_ps(to.add(16 * L), _mm512_permutex2var_ps(xy, z_at, z));
            }
        });
    }

    #[inline(always)]
    fn store_fours(self, v: [F16; 4], to: &mut [[f32; 4]; BLOCK], _part: usize) {
        let to = to.as_flattened_mut().as_mut_ptr();
        // SAFETY: the token proves AVX-512 F and DQ, and AVX2; a block is 64 floats.
        unsafe {
            store_eight_fours(to, each4!(C => _mm512_castps512_ps256(v[C].0)));
            store_eight_fours(to.add(32), each4!(C => _mm512_extractf32x8_ps::<1>(v[C].0)));
        }
    }
}

/// Which lanes make up line `line` of sixteen `x y z`: first of `x` and, from 16 on, of `y`; then of those and, from 16 on,
/// of `z`.
#[cfg(target_arch = "x86_64")]
const fn take(line: usize) -> [[i32; 16]; 2] {
    let mut take = [[0; 16]; 2];
    let mut at = 0;
    while at < 16 {
        let (lane, component) = ((16 * line + at) / 3, (16 * line + at) % 3);
        take[0][at] = match component {
            0 => lane as i32,
            1 => 16 + lane as i32,
            _ => 0,
        };
        take[1][at] = if component == 2 { 16 + lane as i32 } else { at as i32 };
        at += 1;
    }
    take
}
