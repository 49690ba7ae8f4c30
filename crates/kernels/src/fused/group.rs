//! One group of lanes: some or all actions of the plan.

use super::sample::local;
use crate::isa::{Draining, FormatLanes, Isa, Line, PlaceTable, RowLanes};
use crate::math::{Rows, product_row, splat_rows};
use crate::plan::{Action, Source};
use crate::unroll::{each3, each4};

/// What to stream between the actions of a group.
pub(super) struct StreamBetween<'a, 'b> {
    pub(super) out: &'a mut PlaceTable<'b>,
    pub(super) full: Draining<'a>,
    /// How many lines an action.
    pub(super) lines: usize,
}

/// Actions of the plan, for one group of lanes. The first is number `part` of all `parts`.
#[inline(always)]
pub(super) fn pose_group<I: Isa>(
    isa: I,
    actions: &[Action],
    rows: &RowLanes<'_, I>,
    [part, parts]: [usize; 2],
    slots: &mut [[Line; 12]],
    places: &mut FormatLanes<'_>,
    stream: &mut Option<StreamBetween<'_, '_>>,
) {
    for (at, action) in actions.iter().enumerate() {
        rows.fetch(part + at, parts);
        if let Some(s) = stream {
            s.full.stream(isa, s.out, s.lines);
        }
        let Action { from, to, source, correction, entries } = action;
        let from = kept(*from, slots);
        let own = match (source, from) {
            (Source::Kept, Some(from)) => each3!(R => each4!(C => isa.load(&from[4 * R + C], 0))),
            (source, from) => {
                let own = match source {
                    Source::Moving(moving) => local(isa, moving, rows),
                    Source::Still(constant) => splat_rows(isa, constant),
                    Source::Kept => [[isa.splat(0.0); 4]; 3],
                };
                match from {
                    Some(from) => product(isa, from, &own),
                    None => own,
                }
            }
        };
        keep(isa, *to, &own, slots);
        let palette = match correction {
            Some(constant) => {
                let right = splat_rows(isa, constant);
                each3!(R => product_row(isa, own[R], &right))
            }
            None => own,
        };
        places.store(isa, entries, palette);
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
