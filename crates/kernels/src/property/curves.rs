//! The curves of tracks over lanes, one expression tree each.

use super::Batch;
use crate::isa::{BLOCK, Isa, KeyTable, Line, ValueTable};
use crate::lookup::search;
use crate::math::{length_squared, normalize};
use crate::rotate::{dot, nlerp_lanes, slerp_lanes};
use crate::unroll::each4;

/// How values come about. One type each, so that every curve is a kernel of its own: no jump among lanes.
pub(super) trait Curve {
    /// Writes the values at `place`, a line a component.
    fn write<I: Isa>(isa: I, tables: Tables<'_>, place: Place<I>, part: usize, out: &mut [Line]);
}

/// What lanes read of a track.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) keys: KeyTable<'a>,
    /// The times once more, to gather from.
    pub(super) key_times: ValueTable<'a>,
    pub(super) values: ValueTable<'a>,
    pub(super) components: usize,
}

/// The values at a batch of times, see [`sample_track`](super::sample_track).
#[inline(always)]
pub(super) fn sample_lanes<I: Isa, C: Curve>(
    isa: I,
    tables: Tables<'_>,
    slopes: &[[f32; 2]],
    batch: &Batch,
    out: &mut [Line],
) {
    // There is a component, or there would be no values; a chunk of none would be a panic among the lanes.
    let lines = tables.components.max(1);
    let blocks = batch.times.iter().zip(&batch.beyond).zip(out.chunks_mut(lines));
    for ((times, beyond), out) in blocks {
        for part in 0..BLOCK / I::LANES {
            let t = isa.load(times, part);
            let place = isa.key_finish(&tables.keys, search(isa, tables.keys, t), t);
            C::write(isa, tables, place, part, out);
            // Lanes that are not beyond the keys keep what they have.
            let beyond = isa.load(beyond, part);
            let zero = isa.splat(0.0);
            for (line, [before, after]) in out.iter_mut().zip(slopes) {
                let slope = isa.select_greater(beyond, zero, isa.splat(*after), isa.splat(*before));
                let value = isa.load(line, part);
                let gone_on = isa.mul_add(slope, beyond, value);
                let value = isa.select_greater(beyond * beyond, zero, gone_on, value);
                isa.store(value, line, part);
            }
        }
    }
}

/// A key, and the way from it to the next.
pub(super) type Place<I> = (<I as Isa>::I, <I as Isa>::F);

/// The key's own value until the next.
pub(super) struct Hold;

impl Curve for Hold {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, (key, _): Place<I>, part: usize, out: &mut [Line]) {
        for (component, line) in out.iter_mut().enumerate() {
            isa.store(isa.gather(&tables.values, key, 0, component), line, part);
        }
    }
}

/// Straight from key to key.
pub(super) struct Straight;

impl Curve for Straight {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, (key, u): Place<I>, part: usize, out: &mut [Line]) {
        for (component, line) in out.iter_mut().enumerate() {
            let a = isa.gather(&tables.values, key, 0, component);
            let b = isa.gather(&tables.values, key, 1, component);
            isa.store(isa.mul_add(b - a, u, a), line, part);
        }
    }
}

/// Hermite weights: of the difference of the values, and of the tangents, which are per second.
#[inline(always)]
fn hermite<I: Isa>(isa: I, tables: Tables<'_>, (key, u): Place<I>) -> [I::F; 3] {
    let span = isa.gather(&tables.key_times, key, 1, 0) - isa.gather(&tables.key_times, key, 0, 0);
    let v = isa.splat(1.0) - u;
    let (u2, along) = (u * u, span * u * v);
    [u2 * isa.neg_mul_add(isa.splat(2.0), u, isa.splat(3.0)), along * v, along * u]
}

/// One component of a cubic spline, whose rows hold `n` in-tangents, `n` values and `n` out-tangents.
#[inline(always)]
fn cubic_component<I: Isa>(
    isa: I,
    tables: Tables<'_>,
    key: I::I,
    [w, v0, v1]: [I::F; 3],
    component: usize,
) -> I::F {
    let (value, leaves) = (tables.components + component, 2 * tables.components + component);
    let a = isa.gather(&tables.values, key, 0, value);
    let b = isa.gather(&tables.values, key, 1, value);
    let m0 = isa.gather(&tables.values, key, 0, leaves);
    let m1 = isa.gather(&tables.values, key, 1, component);
    let bent = isa.neg_mul_add(v1, m1, v0 * m0);
    isa.mul_add(b - a, w, a) + bent
}

/// A cubic spline, component by component.
pub(super) struct Cubic;

impl Curve for Cubic {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, place: Place<I>, part: usize, out: &mut [Line]) {
        let weights = hermite(isa, tables, place);
        for (component, line) in out.iter_mut().enumerate() {
            isa.store(cubic_component(isa, tables, place.0, weights, component), line, part);
        }
    }
}

/// A cubic spline of quaternions, normalised.
pub(super) struct CubicRotation;

impl Curve for CubicRotation {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, place: Place<I>, part: usize, out: &mut [Line]) {
        let weights = hermite(isa, tables, place);
        let q = each4!(C => cubic_component(isa, tables, place.0, weights, C));
        let key = four(isa, tables, place.0, 0, 4);
        // Shorter than this the direction is noise, and squares leave f32.
        let (length, least) = (length_squared(isa, q), isa.splat(1e-30));
        store4(isa, normalize(isa, each4!(C => isa.select_greater(length, least, q[C], key[C]))), part, out);
    }
}

/// The key's own quaternion, normalised.
pub(super) struct HoldRotation;

impl Curve for HoldRotation {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, (key, _): Place<I>, part: usize, out: &mut [Line]) {
        store4(isa, normalize(isa, four(isa, tables, key, 0, 0)), part, out);
    }
}

/// nlerp. Keys were brought into one hemisphere when the track was built: nothing is aligned here, nor below.
pub(super) struct Nlerp;

impl Curve for Nlerp {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, (key, u): Place<I>, part: usize, out: &mut [Line]) {
        let (a, b) = (four(isa, tables, key, 0, 0), four(isa, tables, key, 1, 0));
        store4(isa, nlerp_lanes(isa, a, b, u), part, out);
    }
}

/// slerp.
pub(super) struct Slerp;

impl Curve for Slerp {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, (key, u): Place<I>, part: usize, out: &mut [Line]) {
        let (a, b) = (four(isa, tables, key, 0, 0), four(isa, tables, key, 1, 0));
        store4(isa, slerp_lanes(isa, a, b, u), part, out);
    }
}

/// nlerp at a corrected way, as [`throng_tracks::quasi_slerp`].
pub(super) struct QuasiSlerp;

impl Curve for QuasiSlerp {
    #[inline(always)]
    fn write<I: Isa>(isa: I, tables: Tables<'_>, (key, u): Place<I>, part: usize, out: &mut [Line]) {
        let (a, b) = (four(isa, tables, key, 0, 0), four(isa, tables, key, 1, 0));
        let factor = isa.neg_mul_add(isa.splat(0.787_808_8), dot(isa, a, b), isa.splat(1.0));
        let k = isa.splat(0.506_926_9) * factor * factor;
        let bend = k * u * isa.mul_add(isa.splat(2.0), u, isa.splat(-3.0));
        store4(isa, nlerp_lanes(isa, a, b, u * (isa.splat(1.0) + k + bend)), part, out);
    }
}

#[inline(always)]
fn four<I: Isa>(isa: I, tables: Tables<'_>, key: I::I, ahead: i32, column: usize) -> [I::F; 4] {
    each4!(C => isa.gather(&tables.values, key, ahead, column + C))
}

#[inline(always)]
fn store4<I: Isa>(isa: I, q: [I::F; 4], part: usize, out: &mut [Line]) {
    if let [x, y, z, w] = out {
        isa.store(q[0], x, part);
        isa.store(q[1], y, part);
        isa.store(q[2], z, part);
        isa.store(q[3], w, part);
    }
}
