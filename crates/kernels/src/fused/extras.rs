//! What the pass writes besides palettes, if asked: sockets and bounds.
//!
//! They are made of matrices that the plan keeps for them until a group of lanes is done, and in a function of their own: so
//! they take no register from the pass.

use crate::isa::{BLOCK, Isa, Line, PlaceTable};
use crate::math::{Rows, product_row, splat_rows};
use crate::plan::{Bounds, IDENTITY, Plan, Schedule};
use crate::unroll::{each3, each4};

/// Where sockets and bounds go, of all instances.
pub(super) struct ExtrasOut<'a> {
    pub(super) sockets: Option<PlaceTable<'a>>,
    pub(super) bounds: Option<&'a mut [Bounds]>,
}

impl ExtrasOut<'_> {
    #[inline(always)]
    pub(super) fn is_wanted(&self) -> bool {
        self.sockets.is_some() || self.bounds.is_some()
    }
}

/// Writes those of a group of lanes that is posed. `matrix` reads one that is kept.
#[inline(always)]
pub(super) fn write<I: Isa, K: Kept>(
    isa: I,
    _: K,
    plan: &Plan,
    schedule: &Schedule,
    slots: &[[Line; 12]],
    places: &[u32],
    out: &mut ExtrasOut<'_>,
) {
    isa.vectorize_apart(
        #[inline(always)]
        || extras::<I, K>(isa, plan, schedule, slots, places, out),
    );
}

/// How matrices are kept in slots.
pub(super) trait Kept {
    fn matrix<I: Isa>(isa: I, lines: &[Line; 12]) -> Rows<I::F>;
}

#[inline(always)]
fn extras<I: Isa, K: Kept>(
    isa: I,
    plan: &Plan,
    schedule: &Schedule,
    slots: &[[Line; 12]],
    places: &[u32],
    out: &mut ExtrasOut<'_>,
) {
    let mut sockets = out.sockets.as_mut().map(|sockets| sockets.lanes(isa, places));
    let mut ends = plan.still_bounds.map(|ends| each3!(A => isa.splat(ends[A])));
    for extra in &schedule.extras {
        let kept = extra.from.and_then(|slot| slots.get(slot as usize));
        let own = match kept {
            Some(lines) => K::matrix(isa, lines),
            None => splat_rows(isa, &IDENTITY),
        };
        if let Some(sockets) = &mut sockets {
            for (socket, behind) in &extra.sockets {
                let behind = splat_rows(isa, behind);
                let model = each3!(R => product_row(isa, own[R], &behind));
                sockets.store_affine(isa, &[*socket], model);
            }
        }
        for sphere in &extra.spheres {
            let [x, y, z, radius] = each4!(C => isa.splat(sphere[C]));
            each3!(A => {
                let [a, b, c, d] = own[A];
                let at = isa.mul_add(a, x, isa.mul_add(b, y, isa.mul_add(c, z, d)));
                let (low, high) = (at - radius, at + radius);
                ends[0][A] = isa.select_greater(ends[0][A], low, low, ends[0][A]);
                ends[1][A] = isa.select_greater(high, ends[1][A], high, ends[1][A]);
            });
        }
    }
    let Some(bounds) = &mut out.bounds else { return };
    let mut lines = [[Line::ZERO; 3]; 2];
    each3!(A => {
        isa.store(ends[0][A], &mut lines[0][A], 0);
        isa.store(ends[1][A], &mut lines[1][A], 0);
    });
    for (lane, &place) in places.iter().enumerate().take(BLOCK) {
        if let Some(to) = bounds.get_mut(place as usize) {
            *to = Bounds { min: each3!(A => lines[0][A].0[lane]), max: each3!(A => lines[1][A].0[lane]) };
        }
    }
}
