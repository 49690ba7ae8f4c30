//! What the pass writes besides palettes, if asked: sockets and bounds.
//!
//! They are made of matrices that the plan keeps for them until a group of lanes is done, and in a function of their own: so
//! they take no register from the pass.

use super::group::{Matrices, gather, product};
use super::job::{WorldFold, Worlds};
use crate::isa::{BLOCK, Isa, Line, PlaceTable};
use crate::math::{Rows, product_row, splat_rows};
use crate::plan::{Bounds, IDENTITY, Program, Schedule};
use crate::unroll::{each3, each4};

/// Where sockets and bounds go, of all instances.
pub(super) struct ExtrasOut<'a> {
    pub(super) sockets: Option<PlaceTable<'a>>,
    pub(super) bounds: Option<&'a mut [Bounds]>,
    /// The instances' own matrices, if any are to be ahead.
    pub(super) worlds: Option<Worlds<'a>>,
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
    program: &Program,
    schedule: &Schedule,
    slots: &[[Line; 12]],
    places: &[u32],
    out: &mut ExtrasOut<'_>,
) {
    isa.vectorize_apart(
        #[inline(always)]
        || extras::<I, K>(isa, program, schedule, slots, places, out),
    );
}

/// How matrices are kept in slots.
pub(super) trait Kept {
    fn matrix<I: Isa>(isa: I, lines: &[Line; 12]) -> Rows<I::F>;
}

#[inline(always)]
fn extras<I: Isa, K: Kept>(
    isa: I,
    program: &Program,
    schedule: &Schedule,
    slots: &[[Line; 12]],
    places: &[u32],
    out: &mut ExtrasOut<'_>,
) {
    let mut sockets = out.sockets.as_mut().map(|sockets| sockets.lanes(isa, places));
    let mut lines = [Line::ZERO; 12];
    if let Some(worlds) = &out.worlds {
        gather(isa, worlds.matrices, places, &mut lines);
    }
    #[expect(clippy::manual_map, reason = "no closures around lanes")]
    let world = match &out.worlds {
        Some(worlds) => Some((Matrices::matrix(isa, &lines), worlds.fold == WorldFold::All)),
        None => None,
    };
    let mut ends = match &world {
        Some((world, _)) => still_ends(isa, program, world),
        None => program.still_bounds.map(|ends| each3!(A => isa.splat(ends[A]))),
    };
    for extra in &schedule.extras {
        #[expect(clippy::manual_map, reason = "no closures around lanes")]
        let kept = match extra.from.and_then(|slot| slots.get(slot as usize)) {
            Some(lines) => Some(K::matrix(isa, lines)),
            None => None,
        };
        let own = match (kept, &world) {
            // Those kept have it ahead already.
            (Some(kept), Some((_, true))) | (Some(kept), None) => kept,
            (Some(kept), Some((world, false))) => product(isa, world, &kept),
            (None, Some((world, _))) => *world,
            (None, None) => splat_rows(isa, &IDENTITY),
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
            let reach = match &world {
                Some((world, _)) => each3!(A => radius * length(isa, world[A])),
                None => [radius; 3],
            };
            each3!(A => {
                let [a, b, c, d] = own[A];
                let at = isa.mul_add(a, x, isa.mul_add(b, y, isa.mul_add(c, z, d)));
                let (low, high) = (at - reach[A], at + reach[A]);
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

/// How far a sphere of radius 1 reaches along an axis, once the matrix that has this row moved it.
#[inline(always)]
fn length<I: Isa>(isa: I, [x, y, z, _]: [I::F; 4]) -> I::F {
    isa.sqrt(isa.mul_add(x, x, isa.mul_add(y, y, z * z)))
}

/// The box around the spheres that nothing moves but an instance's own matrix: that of the box in model space.
#[inline(always)]
fn still_ends<I: Isa>(isa: I, program: &Program, world: &Rows<I::F>) -> [[I::F; 3]; 2] {
    let [low, high] = program.still_bounds;
    if low[0] > high[0] {
        return program.still_bounds.map(|ends| each3!(A => isa.splat(ends[A])));
    }
    let zero = isa.splat(0.0);
    let mut ends = [each3!(A => world[A][3]); 2];
    each3!(A => each3!(C => {
        let (at_low, at_high) = (world[A][C] * isa.splat(low[C]), world[A][C] * isa.splat(high[C]));
        let positive = isa.select_greater(world[A][C], zero, at_low, at_high);
        let negative = isa.select_greater(world[A][C], zero, at_high, at_low);
        ends[0][A] = ends[0][A] + positive;
        ends[1][A] = ends[1][A] + negative;
    }));
    ends
}
