//! Lanes that are vertices.

use std::arch::aarch64::*;

use super::{F4, Neon, transpose};
use crate::isa::{BLOCK, Isa, Line, Matrices, MatrixTable};
use crate::unroll::{each3, each4};

impl<const FUSED: bool> Matrices for Neon<FUSED> {
    #[inline(always)]
    fn weighted_matrices(
        self,
        table: MatrixTable<'_>,
        weights: &[Line],
        indices: &[[u16; BLOCK]],
        part: usize,
    ) -> [[F4; 4]; 3] {
        let first = part % 4 * 4;
        // Row `R` of lane `K` is `sum[R][K]`.
        let mut sum = [[self.splat(0.0); 4]; 3];
        for (weights, indices) in weights.iter().zip(indices) {
            each4!(K => {
                let weight = self.splat(weights.0[first + K]);
                let from = table.matrix(indices[first + K]);
                each3!(R => {
                    // SAFETY: every aarch64 target has NEON; `MatrixTable` vouches for twelve floats from there on.
                    let row = F4(unsafe { vld1q_f32(from.add(4 * R)) });
                    sum[R][K] = self.mul_add(weight, row, sum[R][K]);
                });
            });
        }
        each3!(R => {
            let [a, b, c, d] = transpose(each4!(K => sum[R][K].0));
            [F4(a), F4(b), F4(c), F4(d)]
        })
    }

    #[inline(always)]
    fn store_threes(self, v: [F4; 3], to: &mut [[f32; 3]; BLOCK], part: usize) {
        let to = to.as_flattened_mut().as_mut_ptr();
        // SAFETY: every aarch64 target has NEON; a block is 48 floats, of which this writes one quarter.
        unsafe { vst3q_f32(to.add(part % 4 * 12), float32x4x3_t(v[0].0, v[1].0, v[2].0)) }
    }

    #[inline(always)]
    fn store_fours(self, v: [F4; 4], to: &mut [[f32; 4]; BLOCK], part: usize) {
        let to = to.as_flattened_mut().as_mut_ptr();
        // SAFETY: every aarch64 target has NEON; a block is 64 floats, of which this writes one quarter.
        unsafe { vst4q_f32(to.add(part % 4 * 16), float32x4x4_t(v[0].0, v[1].0, v[2].0, v[3].0)) }
    }
}
