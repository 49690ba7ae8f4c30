//! Rotations between two keys, over lanes.

use crate::blocks::QuatBlock;
use crate::isa::{BLOCK, Isa, Level, Line, dispatch};
use crate::math::normalize;
use crate::unroll::each4;

/// Normalised linear interpolation on the short arc, sixteen instances a block: `normalize(a + (b' - a) u)`, `b'` being
/// `b` negated where `a . b < 0`.
///
/// The result has unit length; `a` and `b` may have any length but zero, though nothing is sensible if theirs differ.
/// On the short arc the sum never vanishes while `u` lies in `[0, 1]`.
///
/// # Panics
/// If the slices differ in length.
pub fn nlerp(level: Level, a: &[QuatBlock], b: &[QuatBlock], u: &[Line], out: &mut [QuatBlock]) {
    check(a, b, u, out);
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || between(isa, a, b, u, out, nlerp_lanes)));
}

/// Spherical linear interpolation on the short arc, sixteen instances a block; nlerp where `a . b' > 0.9995`.
///
/// `a sin((1-u) w) / sin w + b' sin(u w) / sin w`, `cos w = a . b'`, as in [`throng_tracks::slerp`], with sine and arc
/// cosine as polynomials, so that every level of a rounding class returns the same bits. Largest error of a component
/// against exact arithmetic: 1e-6. `a` and `b` must have unit length, `u` lie in `[0, 1]`.
///
/// # Panics
/// If the slices differ in length.
pub fn slerp(level: Level, a: &[QuatBlock], b: &[QuatBlock], u: &[Line], out: &mut [QuatBlock]) {
    check(a, b, u, out);
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || between(isa, a, b, u, out, slerp_lanes)));
}

fn check(a: &[QuatBlock], b: &[QuatBlock], u: &[Line], out: &[QuatBlock]) {
    assert!(
        a.len() == b.len() && a.len() == u.len() && a.len() == out.len(),
        "one block of each a block of results"
    );
}

#[inline(always)]
fn between<I: Isa>(
    isa: I,
    a: &[QuatBlock],
    b: &[QuatBlock],
    u: &[Line],
    out: &mut [QuatBlock],
    formula: impl Fn(I, [I::F; 4], [I::F; 4], I::F) -> [I::F; 4],
) {
    for (((a, b), u), out) in a.iter().zip(b).zip(u).zip(out) {
        for part in 0..BLOCK / I::LANES {
            let a = each4!(C => isa.load(&a[C], part));
            let b = each4!(C => isa.load(&b[C], part));
            // Both on the short arc.
            let cos = dot(isa, a, b);
            let b = each4!(C => isa.negate_where_negative(cos, b[C]));
            let q = formula(isa, a, b, isa.load(u, part));
            each4!(C => isa.store(q[C], &mut out[C], part));
        }
    }
}

#[inline(always)]
pub(crate) fn dot<I: Isa>(isa: I, a: [I::F; 4], b: [I::F; 4]) -> I::F {
    let sum = isa.mul_add(a[2], b[2], a[3] * b[3]);
    let sum = isa.mul_add(a[1], b[1], sum);
    isa.mul_add(a[0], b[0], sum)
}

#[inline(always)]
pub(crate) fn nlerp_lanes<I: Isa>(isa: I, a: [I::F; 4], b: [I::F; 4], u: I::F) -> [I::F; 4] {
    normalize(isa, each4!(C => isa.mul_add(b[C] - a[C], u, a[C])))
}

#[inline(always)]
pub(crate) fn slerp_lanes<I: Isa>(isa: I, a: [I::F; 4], b: [I::F; 4], u: I::F) -> [I::F; 4] {
    let one = isa.splat(1.0);
    let cos = dot(isa, a, b);
    // Beyond the limit the weights below are not used; held at it they are harmless.
    let limit = isa.splat(0.9995);
    let angle = arc_cosine(isa, isa.select_greater(cos, limit, limit, cos));
    let v = one - u;
    let (wa, wb) = (sine(isa, v * angle), sine(isa, u * angle));
    let wa = isa.select_greater(cos, limit, v, wa);
    let wb = isa.select_greater(cos, limit, u, wb);
    // Normalising divides by sin w along the way.
    normalize(isa, each4!(C => isa.mul_add(b[C], wb, a[C] * wa)))
}

/// Arc cosine of `x` in `[0, 1)`: `sqrt(1 - x)` times a polynomial of degree seven (Abramowitz and Stegun, "Handbook of
/// Mathematical Functions", 4.4.46; error at most 2e-8).
#[inline(always)]
fn arc_cosine<I: Isa>(isa: I, x: I::F) -> I::F {
    const P: [f32; 8] = [
        -0.001_262_491,
        0.006_670_09,
        -0.017_088_126,
        0.030_891_88,
        -0.050_174_303,
        0.088_978_99,
        -0.214_598_8,
        std::f32::consts::FRAC_PI_2,
    ];
    isa.sqrt(isa.splat(1.0) - x) * polynomial(isa, x, P)
}

/// Sine of `x` in `[0, pi/2]`: the Taylor series to the eleventh power; error at most 6e-8.
#[inline(always)]
fn sine<I: Isa>(isa: I, x: I::F) -> I::F {
    const P: [f32; 6] = [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0];
    x * polynomial(isa, x * x, P)
}

/// Horner's rule, highest power first.
#[inline(always)]
fn polynomial<I: Isa, const N: usize>(isa: I, x: I::F, coefficients: [f32; N]) -> I::F {
    let mut sum = isa.splat(0.0);
    for c in coefficients {
        sum = isa.mul_add(sum, x, isa.splat(c));
    }
    sum
}
