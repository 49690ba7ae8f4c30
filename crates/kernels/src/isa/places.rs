//! Where lanes write: a caller's buffer cut into places, and the place of each lane.

use std::marker::PhantomData;

use super::{BLOCK, Isa, Line, outputs};
use crate::layout::{Layout, PaletteFormat};

/// A buffer cut into places of equal size, at least one, for at least one entry each.
pub(crate) struct PlaceTable<'a> {
    /// Where the first place begins.
    base: *mut f32,
    pub(super) format: PaletteFormat,
    /// Entries, and floats, of a place.
    entries: usize,
    pub(super) size: usize,
    /// From one place to the next.
    pub(super) stride: usize,
    last_place: usize,
    buffer: PhantomData<&'a mut [f32]>,
}

impl<'a> PlaceTable<'a> {
    /// Places of so many entries; none if the buffer has no room for one.
    pub(crate) fn new(buffer: &'a mut [f32], layout: Layout, entries: usize) -> Option<Self> {
        let last_place = layout.room(entries, buffer.len()).checked_sub(1)?;
        (entries > 0).then_some(Self {
            // A place is in the buffer, so this is too.
            base: buffer.as_mut_ptr().wrapping_add(layout.offset()),
            format: layout.format(),
            entries,
            size: layout.size(entries),
            stride: layout.stride(entries),
            last_place,
            buffer: PhantomData,
        })
    }

    /// One place a lane; the last of `places` takes the lanes that are left.
    #[inline(always)]
    pub(crate) fn lanes<I: Isa>(&mut self, isa: I, places: &[u32]) -> FormatLanes<'_> {
        self.lanes_before(isa, places, &[])
    }

    /// As [`lanes`](Self::lanes), of a group that another with the places `next` follows. The lines that it will write
    /// are fetched meanwhile; otherwise every group would wait for its own.
    #[inline(always)]
    pub(crate) fn lanes_before<I: Isa>(&mut self, _: I, places: &[u32], next: &[u32]) -> FormatLanes<'_> {
        let first = self.starts::<I>(places);
        // Where everything is fetched that is written: nothing, if nobody follows.
        let next = if next.is_empty() { None } else { Some(self.starts::<I>(next)) };
        FormatLanes::new(self.format, first, [0, self.entries], next)
    }

    /// Where the place of each lane begins.
    #[inline(always)]
    fn starts<I: Isa>(&self, places: &[u32]) -> [*mut f32; BLOCK] {
        let mut starts = [self.base; BLOCK];
        let mut to = 0;
        for (lane, start) in starts.iter_mut().enumerate().take(I::LANES) {
            if let Some(&place) = places.get(lane) {
                to = self.start(place);
            }
            *start = self.base.wrapping_add(to);
        }
        starts
    }

    /// Where a place begins; the last if there is none such.
    #[inline(always)]
    pub(super) fn start(&self, place: u32) -> usize {
        (place as usize).min(self.last_place) * self.stride
    }

    /// How many floats ahead of `at` its line began.
    #[inline(always)]
    pub(super) fn past_line(&self, at: usize) -> usize {
        self.base.wrapping_add(at).addr() % size_of::<Line>() / size_of::<f32>()
    }

    /// How many floats behind `at` the next line begins, none if one does there.
    #[inline(always)]
    pub(super) fn to_line(&self, at: usize) -> usize {
        (BLOCK - self.past_line(at)) % BLOCK
    }

    /// `length` floats from `to` on, if they are in the buffer.
    #[inline(always)]
    pub(super) fn target(&mut self, to: usize, length: usize) -> Option<&mut [f32]> {
        if to.checked_add(length)? > self.last_place * self.stride + self.size {
            return None;
        }
        // SAFETY: `new` made sure that all places up to the last are in the buffer, which is borrowed mutably; the floats end
        // in them.
        Some(unsafe { std::slice::from_raw_parts_mut(self.base.add(to), length) })
    }
}

/// Where each lane writes entries of so many floats. Places of two lanes may be the same.
pub(crate) struct PlaceLanes<'a, const FLOATS: usize = 12> {
    /// Of as many lanes as the level has, all entries up to the last can be written from here.
    pub(super) first: [*mut f32; BLOCK],
    /// The entry that stands there.
    from: u32,
    last_entry: usize,
    /// The same of the group that follows, if there is one: where to fetch lines for writing. Its places may be anywhere.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "only there can lines be fetched ahead")
    )]
    pub(super) next: Option<[*mut f32; BLOCK]>,
    buffer: PhantomData<&'a mut [f32]>,
}

impl<const FLOATS: usize> PlaceLanes<'_, FLOATS> {
    /// Where an entry begins in every place; the last if there is none such.
    #[inline(always)]
    pub(super) fn offset(&self, entry: u32) -> usize {
        (entry.wrapping_sub(self.from) as usize).min(self.last_entry) * FLOATS
    }
}

/// Where each lane writes, and in what form.
pub(crate) enum FormatLanes<'a> {
    Affine(PlaceLanes<'a>),
    Matrix(PlaceLanes<'a, 16>),
    Half(PlaceLanes<'a, 6>),
    Similarity(PlaceLanes<'a, 8>),
}

impl FormatLanes<'_> {
    /// From each address on, `count` entries of that form, of which `from` is the first, must be writable for as long as
    /// these lanes live.
    #[inline(always)]
    pub(super) fn new(
        format: PaletteFormat,
        first: [*mut f32; BLOCK],
        [from, count]: [usize; 2],
        next: Option<[*mut f32; BLOCK]>,
    ) -> Self {
        let (from, last_entry, buffer) = (from as u32, count.wrapping_sub(1), PhantomData);
        match format {
            PaletteFormat::Affine => Self::Affine(PlaceLanes { first, from, last_entry, next, buffer }),
            PaletteFormat::Matrix => Self::Matrix(PlaceLanes { first, from, last_entry, next, buffer }),
            PaletteFormat::Half => Self::Half(PlaceLanes { first, from, last_entry, next, buffer }),
            PaletteFormat::Similarity => {
                Self::Similarity(PlaceLanes { first, from, last_entry, next, buffer })
            }
        }
    }

    /// A matrix as each of the entries in the place of each lane; nothing if they are to be similarities.
    #[inline(always)]
    pub(crate) fn store<I: Isa>(&mut self, isa: I, entries: &[u32], m: outputs::Matrix<I>) {
        match self {
            Self::Affine(places) => isa.store_matrix(places, entries, m),
            Self::Matrix(places) => isa.store_columns(places, entries, m),
            Self::Half(places) => isa.store_halves(places, entries, m),
            Self::Similarity(_) => {}
        }
    }

    /// As [`store`](Self::store), where that is three rows of four floats; nothing elsewhere.
    #[inline(always)]
    pub(crate) fn store_affine<I: Isa>(&mut self, isa: I, entries: &[u32], m: outputs::Matrix<I>) {
        if let Self::Affine(places) = self {
            isa.store_matrix(places, entries, m);
        }
    }

    /// A quaternion, a translation and a scale as each of the entries in the place of each lane; nothing if they are to be
    /// matrices.
    #[inline(always)]
    pub(crate) fn store_similarity<I: Isa>(&mut self, isa: I, entries: &[u32], v: [[I::F; 4]; 2]) {
        if let Self::Similarity(places) = self {
            isa.store_eights(places, entries, v);
        }
    }
}
