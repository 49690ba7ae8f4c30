//! One group of lanes: all actions of the plan.

use super::sample::local;
use crate::isa::{Drain, Isa, Line, PlaceLanes, PlaceTable, RowLanes};
use crate::math::{Rows, product_row, splat_rows};
use crate::plan::{Action, Plan, Source};
use crate::unroll::{each3, each4};

/// What to stream between the actions of a group.
pub(super) struct StreamBetween<'a, 'b> {
    pub(super) out: &'a mut PlaceTable<'b>,
    pub(super) full: &'a [f32],
    pub(super) drain: &'a mut Drain,
    /// How many lines an action.
    pub(super) lines: usize,
}

/// All actions of the plan, for one group of lanes.
#[inline(always)]
pub(super) fn pose_group<I: Isa>(
    isa: I,
    plan: &Plan,
    rows: &RowLanes<'_, I>,
    slots: &mut [[Line; 12]],
    places: &mut PlaceLanes<'_>,
    mut stream: Option<StreamBetween<'_, '_>>,
) {
    for (part, action) in plan.actions.iter().enumerate() {
        rows.fetch(part, plan.actions.len());
        if let Some(s) = &mut stream {
            s.out.stream(isa, s.full, s.drain, s.lines);
        }
        let Action { from, to, source, correction, entries } = action;
        let own = match source {
            Source::Moving(moving) => local(isa, moving, rows),
            Source::Still(constant) => splat_rows(isa, constant),
        };
        let own = match kept(*from, slots) {
            Some(from) => product(isa, from, &own),
            None => own,
        };
        keep(isa, *to, &own, slots);
        let palette = match correction {
            Some(constant) => {
                let right = splat_rows(isa, constant);
                each3!(R => product_row(isa, own[R], &right))
            }
            None => own,
        };
        isa.store_matrix(places, entries, palette);
    }
}

/// A matrix that is kept.
#[inline(always)]
fn kept(slot: Option<u32>, slots: &[[Line; 12]]) -> Option<&[Line; 12]> {
    slots.get(slot? as usize)
}

#[inline(always)]
fn product<I: Isa>(isa: I, left: &[Line; 12], right: &Rows<I::F>) -> Rows<I::F> {
    each3!(R => product_row(isa, each4!(C => isa.load(&left[4 * R + C], 0)), right))
}

#[inline(always)]
fn keep<I: Isa>(isa: I, slot: Option<u32>, m: &Rows<I::F>, slots: &mut [[Line; 12]]) {
    if let Some(lines) = slot.and_then(|slot| slots.get_mut(slot as usize)) {
        each3!(R => each4!(C => isa.store(m[R][C], &mut lines[4 * R + C], 0)));
    }
}
