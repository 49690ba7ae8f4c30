//! The formulas of the kernels, one expression tree each.
//!
//! The order of every operation is fixed here, so that all levels of a rounding class return the same bits.

use crate::isa::Isa;
use crate::unroll::{each3, each4};

/// The first three rows of an affine matrix.
pub(crate) type Rows<F> = [[F; 4]; 3];

/// `q . q`.
#[inline(always)]
pub(crate) fn length_squared<I: Isa>(isa: I, [x, y, z, w]: [I::F; 4]) -> I::F {
    let n = isa.mul_add(z, z, w * w);
    let n = isa.mul_add(y, y, n);
    isa.mul_add(x, x, n)
}

/// `q / |q|`: square root and division rather than an estimate of their quotient, which would differ by processor.
#[inline(always)]
pub(crate) fn normalize<I: Isa>(isa: I, q: [I::F; 4]) -> [I::F; 4] {
    let scale = isa.splat(1.0) / isa.sqrt(length_squared(isa, q));
    each4!(C => q[C] * scale)
}

/// The 3x3 matrix of `s` times the rotation along `q`, of any length but zero. `twice` is `2 s`.
///
/// With `k = 2 s / |q|^2` every product of two components carries the normalisation: `m00 = s - k (yy + zz)`,
/// `m01 = k (xy - wz)`, and so on. So a sum of two keys needs no square root on its way to a matrix.
#[inline(always)]
pub(crate) fn rotation<I: Isa>(isa: I, q: [I::F; 4], s: I::F, twice: I::F) -> [[I::F; 3]; 3] {
    let [x, y, z, w] = q;
    let k = twice / length_squared(isa, q);
    let (kx, ky, kz) = (x * k, y * k, z * k);
    let (xy, xz, yz) = (x * ky, x * kz, y * kz);
    [
        [
            isa.neg_mul_add(y, ky, isa.neg_mul_add(z, kz, s)),
            isa.neg_mul_add(w, kz, xy),
            isa.mul_add(w, ky, xz),
        ],
        [
            isa.mul_add(w, kz, xy),
            isa.neg_mul_add(x, kx, isa.neg_mul_add(z, kz, s)),
            isa.neg_mul_add(w, kx, yz),
        ],
        [
            isa.neg_mul_add(w, ky, xz),
            isa.mul_add(w, kx, yz),
            isa.neg_mul_add(x, kx, isa.neg_mul_add(y, ky, s)),
        ],
    ]
}

/// `T * R * S` from its parts: a rotation, scales of its columns, a translation.
#[inline(always)]
pub(crate) fn scale_axes<I: Isa>(_: I, r: [[I::F; 3]; 3], s: [I::F; 3], t: [I::F; 3]) -> Rows<I::F> {
    each3!(R => [r[R][0] * s[0], r[R][1] * s[1], r[R][2] * s[2], t[R]])
}

/// `x -> r (x - p) + t`: a rotation and scale about `p`, that takes `p` to `t`.
#[inline(always)]
pub(crate) fn turn_about<I: Isa>(isa: I, r: [[I::F; 3]; 3], t: [I::F; 3], p: [I::F; 3]) -> Rows<I::F> {
    each3!(R => {
        let moved = isa.neg_mul_add(r[R][2], p[2], t[R]);
        let moved = isa.neg_mul_add(r[R][1], p[1], moved);
        [r[R][0], r[R][1], r[R][2], isa.neg_mul_add(r[R][0], p[0], moved)]
    })
}

/// One row of the product of two affine matrices, from the same row of the left one.
#[inline(always)]
pub(crate) fn product_row<I: Isa>(isa: I, [a, b, c, d]: [I::F; 4], right: &Rows<I::F>) -> [I::F; 4] {
    let [x, y, z] = each3!(C => isa.mul_add(c, right[2][C], isa.mul_add(b, right[1][C], a * right[0][C])));
    let moved = isa.mul_add(b, right[1][3], isa.mul_add(c, right[2][3], d));
    [x, y, z, isa.mul_add(a, right[0][3], moved)]
}

/// The same matrix in all lanes.
#[inline(always)]
pub(crate) fn splat_rows<I: Isa>(isa: I, m: &[f32; 12]) -> Rows<I::F> {
    each3!(R => each4!(C => isa.splat(m[4 * R + C])))
}

/// The product of two quaternions: `b`, then `a`.
#[inline(always)]
pub(crate) fn hamilton<I: Isa>(isa: I, a: [I::F; 4], b: [I::F; 4]) -> [I::F; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    let x = isa.neg_mul_add(az, by, isa.mul_add(ay, bz, isa.mul_add(ax, bw, aw * bx)));
    let y = isa.neg_mul_add(ax, bz, isa.mul_add(az, bx, isa.mul_add(ay, bw, aw * by)));
    let z = isa.neg_mul_add(ay, bx, isa.mul_add(ax, by, isa.mul_add(az, bw, aw * bz)));
    let w = isa.neg_mul_add(az, bz, isa.neg_mul_add(ay, by, isa.neg_mul_add(ax, bx, aw * bw)));
    [x, y, z, w]
}
