//! What a pass is to do, checked before it begins.

use thiserror::Error;
use throng_tracks::RowPair;

use crate::isa::PlaceTable;
use crate::plan::Plan;
use crate::stores::Stores;

/// What is wrong with the arguments of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JobError {
    /// Each instance has one pair of rows and one place.
    #[error("{pairs} row pairs but {places} places")]
    Count {
        /// Row pairs given.
        pairs: usize,
        /// Places given.
        places: usize,
    },
    /// A pair's rows are not in the bank.
    #[error("instance {instance} reads rows {row} and {row} + 1, but the bank has {rows} rows")]
    NoSuchRow {
        /// Which instance.
        instance: usize,
        /// The earlier row it wants.
        row: u32,
        /// How many rows there are.
        rows: usize,
    },
    /// A place is not in the buffer.
    #[error(
        "instance {instance} writes palette {place}, but the buffer has room for {room} of {floats} floats"
    )]
    NoSuchPlace {
        /// Which instance.
        instance: usize,
        /// The place it wants.
        place: u32,
        /// How many palettes fit.
        room: usize,
        /// Floats of one palette.
        floats: usize,
    },
}

/// Which instances to pose and where their palettes go, checked.
pub struct PaletteJob<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pairs: &'a [RowPair],
    pub(super) places: &'a [u32],
    /// None where the buffer has no room for a palette: then there is no instance either.
    pub(super) out: Option<PlaceTable<'a>>,
    pub(super) stores: Stores,
}

impl<'a> PaletteJob<'a> {
    /// Instance `i` reads the rows of `pairs[i]` and writes the palette at `places[i]`, which begins
    /// `places[i] * plan.palette_floats()` floats into `out`: for each entry three rows of four floats. What stands in
    /// `out` between those places is left alone. If two instances share a place, one of them wins.
    ///
    /// # Errors
    /// If the slices differ in length, or a row or place does not exist.
    pub fn new(
        plan: &'a Plan,
        pairs: &'a [RowPair],
        places: &'a [u32],
        out: &'a mut [f32],
    ) -> Result<Self, JobError> {
        if pairs.len() != places.len() {
            return Err(JobError::Count { pairs: pairs.len(), places: places.len() });
        }
        let (rows, floats) = (plan.bank().row_count(), plan.palette_floats());
        if let Some(instance) = pairs.iter().position(|p| p.row as usize + 2 > rows) {
            return Err(JobError::NoSuchRow { instance, row: pairs[instance].row, rows });
        }
        let room = out.len() / floats;
        if let Some(instance) = places.iter().position(|&p| p as usize >= room) {
            return Err(JobError::NoSuchPlace { instance, place: places[instance], room, floats });
        }
        let stores = Stores::for_bytes(size_of_val(out));
        Ok(Self { plan, pairs, places, out: PlaceTable::new(out, floats), stores })
    }

    /// Chooses how palettes reach memory, rather than by the size of `out`.
    #[must_use]
    pub fn with_stores(self, stores: Stores) -> Self {
        Self { stores, ..self }
    }
}
