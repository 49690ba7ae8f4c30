//! The pass for similarities: rotation, translation and uniform scale all the way, and no matrix.
//!
//! As in [`group`](super::group) a joint comes after its parent in palette space, `P[j] = P[parent] * D[j]`, with
//! `D[j]: x -> s (r (x - p)) + t`. Of quaternions only the product has to be of unit length, so that what lies between two
//! rows is not normalised on the way to it; and then nothing adds up along a chain.

use super::extras::Kept;
use super::group::Pass;
use super::sample::Sampler;
use crate::isa::{FormatLanes, Isa, Line};
use crate::math::{Rows, hamilton, normalize, rotation};
use crate::plan::{Action, Moving, NO_CHANGE, Placing, Similar, Similarity, Source};
use crate::unroll::{each3, each4};

/// A unit quaternion `xyzw`, a translation, a scale.
#[derive(Clone, Copy)]
struct Turned<F> {
    q: [F; 4],
    t: [F; 3],
    s: F,
}

/// By similarities, in a plan in which all are. Of a slot eight lines are used.
#[derive(Clone, Copy)]
pub(super) struct Similarities;

impl Kept for Similarities {
    #[inline(always)]
    fn matrix<I: Isa>(isa: I, lines: &[Line; 12]) -> Rows<I::F> {
        let Turned { q, t, s } = load(isa, lines);
        let r = rotation(isa, q, s, s + s);
        each3!(R => [r[R][0], r[R][1], r[R][2], t[R]])
    }
}

impl<I: Isa> Pass<I> for Similarities {
    #[inline(always)]
    fn act(
        self,
        isa: I,
        action: &Action,
        similar: Option<&Similar>,
        rows: &impl Sampler<I>,
        slots: &mut [[Line; 12]],
        places: &mut FormatLanes<'_>,
    ) {
        let Some(similar) = similar else { return };
        let from = action.from.and_then(|slot| slots.get(slot as usize)).map(|from| load(isa, from));
        let own = match (action.source, from) {
            (Source::Kept, Some(from)) => from,
            (source, from) => {
                let (local, p) = match source {
                    Source::Moving(moving) => between(isa, &moving, rows),
                    _ => (constant(isa, &similar.source), [isa.splat(0.0); 3]),
                };
                after(isa, from, local, p)
            }
        };
        if let Some(lines) = action.to.and_then(|slot| slots.get_mut(slot as usize)) {
            each4!(C => isa.store(own.q[C], &mut lines[C], 0));
            each3!(A => isa.store(own.t[A], &mut lines[4 + A], 0));
            isa.store(own.s, &mut lines[7], 0);
        }
        let entry = match &similar.correction {
            Some(right) => after(isa, Some(own), constant(isa, right), [isa.splat(0.0); 3]),
            None => own,
        };
        let [x, y, z] = entry.t;
        places.store_similarity(isa, &action.entries, [entry.q, [x, y, z, entry.s]]);
    }
}

#[inline(always)]
fn load<I: Isa>(isa: I, from: &[Line; 12]) -> Turned<I::F> {
    Turned {
        q: each4!(C => isa.load(&from[C], 0)),
        t: each3!(A => isa.load(&from[4 + A], 0)),
        s: isa.load(&from[7], 0),
    }
}

#[inline(always)]
fn constant<I: Isa>(isa: I, [x, y, z, w, tx, ty, tz, s]: &Similarity) -> Turned<I::F> {
    Turned {
        q: [isa.splat(*x), isa.splat(*y), isa.splat(*z), isa.splat(*w)],
        t: [isa.splat(*tx), isa.splat(*ty), isa.splat(*tz)],
        s: isa.splat(*s),
    }
}

/// A moving joint after its parent, whose quaternion is of any length, and the point that it turns about. A plan whose
/// joints have axes of different scale has no constants for this pass.
#[inline(always)]
fn between<I: Isa>(isa: I, m: &Moving, from: &impl Sampler<I>) -> (Turned<I::F>, [I::F; 3]) {
    let blend = from.joint(isa, m.joint);
    let q = from.rotation(isa, &m.rotation, blend);
    match m.placing {
        Placing::Constant { t, s, p, .. } => {
            let t = each3!(A => isa.splat(t[A]));
            (Turned { q, t, s: isa.splat(s) }, each3!(A => isa.splat(p[A])))
        }
        Placing::Columns { at, p } => {
            let [x, y, z, s] = from.placing(isa, &at, blend);
            (Turned { q, t: [x, y, z], s }, each3!(A => isa.splat(p[A])))
        }
        // Scales that are alike.
        Placing::ConstantAxes { t, s } => {
            (Turned { q, t: each3!(A => isa.splat(t[A])), s: isa.splat(s[0]) }, [isa.splat(0.0); 3])
        }
        Placing::ColumnsConstantAxes { at, s } => {
            let [x, y, z, _] = from.placing(isa, &at, blend);
            (Turned { q, t: [x, y, z], s: isa.splat(s[0]) }, [isa.splat(0.0); 3])
        }
        Placing::ColumnsAxes { .. } => (constant(isa, &NO_CHANGE), [isa.splat(0.0); 3]),
    }
}

/// `local` after `above`, turning about `p`: with `q` and `s` those of the product,
/// `t = above.t + above.s * (above.q t) - s * (q p)`.
#[inline(always)]
fn after<I: Isa>(isa: I, above: Option<Turned<I::F>>, local: Turned<I::F>, p: [I::F; 3]) -> Turned<I::F> {
    let (q, t, s) = match above {
        Some(a) => {
            let t = rotate(isa, a.q, local.t);
            let t = each3!(A => isa.mul_add(a.s, t[A], a.t[A]));
            (hamilton(isa, a.q, local.q), t, a.s * local.s)
        }
        None => (local.q, local.t, local.s),
    };
    let q = normalize(isa, q);
    let p = rotate(isa, q, p);
    Turned { q, t: each3!(A => isa.neg_mul_add(s, p[A], t[A])), s }
}

/// `v` turned by a unit quaternion: `v + w c + u x c` with `c = 2 u x v`.
#[inline(always)]
fn rotate<I: Isa>(isa: I, [x, y, z, w]: [I::F; 4], v: [I::F; 3]) -> [I::F; 3] {
    let c = [
        isa.neg_mul_add(z, v[1], y * v[2]),
        isa.neg_mul_add(x, v[2], z * v[0]),
        isa.neg_mul_add(y, v[0], x * v[1]),
    ];
    let c = each3!(A => c[A] + c[A]);
    [
        isa.neg_mul_add(z, c[1], isa.mul_add(y, c[2], isa.mul_add(w, c[0], v[0]))),
        isa.neg_mul_add(x, c[2], isa.mul_add(z, c[0], isa.mul_add(w, c[1], v[1]))),
        isa.neg_mul_add(y, c[0], isa.mul_add(x, c[1], isa.mul_add(w, c[2], v[2]))),
    ]
}
