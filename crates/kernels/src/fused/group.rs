//! One group of lanes: some or all actions of the plan.

use super::extras::Kept;
use super::sample::{Sampler, local};
use crate::isa::{Draining, FormatLanes, Isa, Line, PlaceTable};
use crate::math::{Rows, product_row, splat_rows};
use crate::plan::{Action, IDENTITY, Similar, Source};
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

/// How the actions of the plan are done.
pub(super) trait Pass<I: Isa>: Kept + Copy {
    /// Before a group of lanes.
    #[inline(always)]
    fn begin(self, _: I, _: &mut [[Line; 12]], _: &[u32]) {}

    /// One action, for one group of lanes, with its constants in a plan that has such.
    fn act(
        self,
        isa: I,
        action: &Action,
        similar: Option<&Similar>,
        rows: &impl Sampler<I>,
        slots: &mut [[Line; 12]],
        places: &mut FormatLanes<'_>,
    );
}

/// The actions of a part, for one group of lanes.
#[inline(always)]
pub(super) fn pose_group<I: Isa>(
    isa: I,
    pass: impl Pass<I>,
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
        pass.act(isa, action, part.similar.get(at), rows, slots, places);
    }
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
    fn act(
        self,
        isa: I,
        action: &Action,
        _: Option<&Similar>,
        rows: &impl Sampler<I>,
        slots: &mut [[Line; 12]],
        places: &mut FormatLanes<'_>,
    ) {
        act(isa, action, action.from, rows, slots, places);
    }
}

/// By matrices, with each instance's own matrix ahead of all: what comes after nothing comes after that.
#[derive(Clone, Copy)]
pub(super) struct InWorld<'a> {
    pub(super) worlds: &'a [[f32; 12]],
    /// Which slot a group's matrices are kept in.
    pub(super) slot: u32,
}

impl Kept for InWorld<'_> {
    #[inline(always)]
    fn matrix<I: Isa>(isa: I, lines: &[Line; 12]) -> Rows<I::F> {
        Matrices::matrix(isa, lines)
    }
}

impl<I: Isa> Pass<I> for InWorld<'_> {
    #[inline(always)]
    fn begin(self, isa: I, slots: &mut [[Line; 12]], places: &[u32]) {
        if let Some(lines) = slots.get_mut(self.slot as usize) {
            gather(isa, self.worlds, places, lines);
        }
    }

    #[inline(always)]
    fn act(
        self,
        isa: I,
        action: &Action,
        _: Option<&Similar>,
        rows: &impl Sampler<I>,
        slots: &mut [[Line; 12]],
        places: &mut FormatLanes<'_>,
    ) {
        let above = match action.from {
            Some(slot) => slot,
            None => self.slot,
        };
        act(isa, action, Some(above), rows, slots, places);
    }
}

/// The matrices at the places of a group, one a lane. The last takes the lanes that are left, as its place does.
#[inline(always)]
pub(super) fn gather<I: Isa>(_: I, worlds: &[[f32; 12]], places: &[u32], lines: &mut [Line; 12]) {
    let mut world = &IDENTITY;
    for lane in 0..I::LANES {
        if let Some(own) = places.get(lane).and_then(|place| worlds.get(*place as usize)) {
            world = own;
        }
        for (line, v) in lines.iter_mut().zip(world) {
            line.0[lane] = *v;
        }
    }
}

/// One action, whose matrix comes after that in the slot `above`.
#[inline(always)]
fn act<I: Isa>(
    isa: I,
    action: &Action,
    above: Option<u32>,
    rows: &impl Sampler<I>,
    slots: &mut [[Line; 12]],
    places: &mut FormatLanes<'_>,
) {
    let Action { to, source, correction, entries, .. } = action;
    let from = above.and_then(|slot| slots.get(slot as usize));
    let own = match (source, from) {
        (Source::Kept, Some(from)) => Matrices::matrix(isa, from),
        (source, from) => {
            let own = match source {
                Source::Moving(moving) => local(isa, moving, rows),
                Source::Still(constant) => splat_rows(isa, constant),
                Source::Kept => [[isa.splat(0.0); 4]; 3],
            };
            match from {
                Some(from) => product(isa, &Matrices::matrix(isa, from), &own),
                None => own,
            }
        }
    };
    if let Some(lines) = to.and_then(|slot| slots.get_mut(slot as usize)) {
        each3!(R => each4!(C => isa.store(own[R][C], &mut lines[4 * R + C], 0)));
    }
    let palette = match correction {
        Some(constant) => product(isa, &own, &splat_rows(isa, constant)),
        None => own,
    };
    places.store(isa, entries, palette);
}

#[inline(always)]
pub(super) fn product<I: Isa>(isa: I, left: &Rows<I::F>, right: &Rows<I::F>) -> Rows<I::F> {
    each3!(R => product_row(isa, left[R], right))
}
