//! The formulas over lanes of vertices, one expression tree each.

use super::blocks::BlockRange;
use super::out::OutBlocks;
use crate::isa::{BLOCK, Line, Matrices, MatrixTable};
use crate::math::Rows;
use crate::unroll::{each3, each4};

/// All blocks of `mesh`, as many as there is room for.
#[inline(always)]
pub(super) fn skin_blocks<I: Matrices>(
    isa: I,
    mesh: BlockRange<'_>,
    palette: MatrixTable<'_>,
    out: OutBlocks<'_>,
) {
    let OutBlocks { positions: out, normals: out_normals, tangents: out_tangents } = out;
    for (block, ((p, out), offsets)) in
        mesh.positions.iter().zip(out).zip(mesh.offsets.windows(2)).enumerate()
    {
        let &[start, end] = offsets else { return };
        let lines = start as usize..end as usize;
        let (Some(weights), Some(joints)) = (mesh.weights.get(lines.clone()), mesh.joints.get(lines)) else {
            return;
        };
        let mut normals = mesh.normals.get(block).zip(out_normals.get_mut(block));
        let mut tangents = mesh.tangents.get(block).zip(out_tangents.get_mut(block));
        for part in 0..BLOCK / I::LANES {
            let m = blended(isa, palette, weights, joints, part);
            isa.store_threes(moved(isa, &m, each3!(C => isa.load(&p[C], part))), out, part);
            if normals.is_none() && tangents.is_none() {
                continue;
            }
            let cofactors = cofactors(isa, &m);
            // Below 0 where the matrix mirrors.
            let determinant = dot(isa, each3!(C => m[0][C]), cofactors[0]);
            if let Some((n, out)) = &mut normals {
                let n = turned(isa, cofactors, each3!(C => isa.load(&n[C], part)));
                let n = each3!(C => isa.negate_where_negative(determinant, n[C]));
                isa.store_threes(unit(isa, n), out, part);
            }
            if let Some((t, out)) = &mut tangents {
                let linear = each3!(R => each3!(C => m[R][C]));
                let [x, y, z] = unit(isa, turned(isa, linear, each3!(C => isa.load(&t[C], part))));
                let w = isa.negate_where_negative(determinant, isa.load(&t[3], part));
                isa.store_fours([x, y, z, w], out, part);
            }
        }
    }
}

/// The weighted sum of each lane's matrices.
#[inline(always)]
fn blended<I: Matrices>(
    isa: I,
    palette: MatrixTable<'_>,
    weights: &[Line],
    joints: &[[u16; BLOCK]],
    part: usize,
) -> Rows<I::F> {
    let m = isa.weighted_matrices(palette, weights, joints, part);
    // A sum that vanished to -0 would become 0 by weights of 0, of which a vertex has as many as its neighbours need. So
    // all such sums are 0.
    let zero = isa.splat(0.0);
    each3!(R => each4!(C => m[R][C] + zero))
}

/// `M * p`.
#[inline(always)]
fn moved<I: Matrices>(isa: I, m: &Rows<I::F>, [x, y, z]: [I::F; 3]) -> [I::F; 3] {
    each3!(R => isa.mul_add(m[R][0], x, isa.mul_add(m[R][1], y, isa.mul_add(m[R][2], z, m[R][3]))))
}

/// A 3x3 matrix times a vector.
#[inline(always)]
fn turned<I: Matrices>(isa: I, m: [[I::F; 3]; 3], v: [I::F; 3]) -> [I::F; 3] {
    each3!(R => dot(isa, m[R], v))
}

#[inline(always)]
fn dot<I: Matrices>(isa: I, a: [I::F; 3], b: [I::F; 3]) -> I::F {
    isa.mul_add(a[0], b[0], isa.mul_add(a[1], b[1], a[2] * b[2]))
}

#[inline(always)]
fn cross<I: Matrices>(isa: I, a: [I::F; 3], b: [I::F; 3]) -> [I::F; 3] {
    [
        isa.neg_mul_add(a[2], b[1], a[1] * b[2]),
        isa.neg_mul_add(a[0], b[2], a[2] * b[0]),
        isa.neg_mul_add(a[1], b[0], a[0] * b[1]),
    ]
}

/// The cofactors of the 3x3 part: its determinant times its inverse transpose, without a division, and so for matrices that
/// have no inverse too.
#[inline(always)]
fn cofactors<I: Matrices>(isa: I, m: &Rows<I::F>) -> [[I::F; 3]; 3] {
    let rows = each3!(R => each3!(C => m[R][C]));
    [cross(isa, rows[1], rows[2]), cross(isa, rows[2], rows[0]), cross(isa, rows[0], rows[1])]
}

/// `v / |v|`; 0 where that is no number.
#[inline(always)]
fn unit<I: Matrices>(isa: I, v: [I::F; 3]) -> [I::F; 3] {
    let (zero, length_squared) = (isa.splat(0.0), dot(isa, v, v));
    let scale = isa.splat(1.0) / isa.sqrt(length_squared);
    each3!(C => isa.select_greater(length_squared, zero, v[C] * scale, zero))
}
