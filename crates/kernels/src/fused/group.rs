//! One group of lanes: some or all actions of the plan.

use super::extras::Kept;
use super::sample::{Sampler, local};
use crate::isa::{Draining, FormatLanes, Isa, Line, PlaceTable};
use crate::math::{Rows, product_row, splat_rows};
use crate::plan::{Action, Similar, Source};
use crate::unroll::{each3, each4};

/// What to stream between the actions of a group.
pub(super) struct StreamBetween<'a, 'b> {
    pub(super) out: &'a mut PlaceTable<'b>,
    pub(super) full: Draining<'a>,
    /// How many lines an action.
    pub(super) lines: usize,
}

/// Actions that write one window, out of all.
pub(super) struct Part<'a> {
    pub(super) actions: &'a [Action],
    /// Their constants, in a plan that has such.
    pub(super) similar: &'a [Similar],
    /// How many come before.
    pub(super) first: usize,
    /// How many there are in all, at least one.
    pub(super) all: usize,
}

/// How the actions of the plan are done for one group of lanes.
pub(super) trait Pass<I: Isa>: Kept + Copy {
    fn pose(
        self,
        isa: I,
        part: &Part<'_>,
        rows: &impl Sampler<I>,
        slots: &mut [[Line; 12]],
        places: &mut FormatLanes<'_>,
        stream: &mut Option<StreamBetween<'_, '_>>,
    );
}

/// By matrices.
#[derive(Clone, Copy)]
pub(super) struct Matrices;

impl Kept for Matrices {
    #[inline(always)]
    fn matrix<I: Isa>(isa: I, lines: &[Line; 12]) -> Rows<I::F> {
        each3!(R => each4!(C => isa.load(&lines[4 * R + C], 0)))
    }
}

impl<I: Isa> Pass<I> for Matrices {
    #[inline(always)]
    fn pose(
        self,
        isa: I,
        part: &Part<'_>,
        rows: &impl Sampler<I>,
        slots: &mut [[Line; 12]],
        places: &mut FormatLanes<'_>,
        stream: &mut Option<StreamBetween<'_, '_>>,
    ) {
        pose_group(isa, part, rows, slots, places, stream);
    }
}

#[inline(always)]
fn pose_group<I: Isa>(
    isa: I,
    part: &Part<'_>,
    rows: &impl Sampler<I>,
    slots: &mut [[Line; 12]],
    places: &mut FormatLanes<'_>,
    stream: &mut Option<StreamBetween<'_, '_>>,
) {
    for (at, action) in part.actions.iter().enumerate() {
        rows.fetch(part.first + at, part.all);
        if let Some(s) = stream {
            s.full.stream(isa, s.out, s.lines);
        }
        let Action { from, to, source, correction, entries } = action;
        let from = kept(*from, slots);
        let own = match (source, from) {
            (Source::Kept, Some(from)) => Matrices::matrix(isa, from),
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
