//! What the pass writes besides palettes, if asked: sockets and bounds.

use crate::isa::{FormatLanes, Isa, Line, PlaceTable};
use crate::math::Rows;
use crate::plan::{Action, Bounds};
use crate::unroll::{each3, each4};

/// Where sockets and bounds go, of all instances.
pub(super) struct ExtrasOut<'a> {
    pub(super) sockets: Option<PlaceTable<'a>>,
    pub(super) bounds: Option<&'a mut [Bounds]>,
}

impl ExtrasOut<'_> {
    /// Begins a group of lanes; none if nothing was asked for. `still` are the ends of what nothing
    /// moves.
    #[inline(always)]
    pub(super) fn begin<'b, I: Isa>(
        &'b mut self,
        isa: I,
        places: &[u32],
        still: &[[f32; 3]; 2],
        lines: &'b mut [Line; 6],
    ) -> Option<Extras<'b>> {
        if self.sockets.is_none() && self.bounds.is_none() {
            return None;
        }
        each3!(A => {
            isa.store(isa.splat(still[0][A]), &mut lines[A], 0);
            isa.store(isa.splat(still[1][A]), &mut lines[3 + A], 0);
        });
        let sockets = self.sockets.as_mut().map(|sockets| sockets.lanes(isa, places));
        Some(Extras { sockets, lines, bounds: self.bounds.as_deref_mut() })
    }
}

/// Where those of a group of lanes go.
pub(super) struct Extras<'a> {
    sockets: Option<FormatLanes<'a>>,
    /// The lowest and the highest coordinates so far.
    lines: &'a mut [Line; 6],
    bounds: Option<&'a mut [Bounds]>,
}

impl Extras<'_> {
    /// Those of an action: `own` is its matrix, `entry` what it writes to the palette.
    #[inline(always)]
    pub(super) fn add<I: Isa>(&mut self, isa: I, action: &Action, own: &Rows<I::F>, entry: &Rows<I::F>) {
        if let (Some(sockets), false) = (&mut self.sockets, action.sockets.is_empty()) {
            sockets.store_affine(isa, &action.sockets, *entry);
        }
        if self.bounds.is_none() {
            return;
        }
        for sphere in &action.spheres {
            let [x, y, z, radius] = each4!(C => isa.splat(sphere[C]));
            each3!(A => {
                let [a, b, c, d] = own[A];
                let at = isa.mul_add(a, x, isa.mul_add(b, y, isa.mul_add(c, z, d)));
                let (low, high) = (isa.load(&self.lines[A], 0), isa.load(&self.lines[3 + A], 0));
                let (from, to) = (at - radius, at + radius);
                isa.store(isa.select_greater(low, from, from, low), &mut self.lines[A], 0);
                isa.store(isa.select_greater(to, high, to, high), &mut self.lines[3 + A], 0);
            });
        }
    }

    /// Writes the bounds of a group.
    #[inline(always)]
    pub(super) fn end(self, places: &[u32]) {
        let Some(bounds) = self.bounds else { return };
        for (lane, &place) in places.iter().enumerate().take(crate::isa::BLOCK) {
            if let Some(to) = bounds.get_mut(place as usize) {
                let [min, max] = [0, 3].map(|first| each3!(A => self.lines[first + A].0[lane]));
                *to = Bounds { min, max };
            }
        }
    }
}
