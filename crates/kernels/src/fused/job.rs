//! What a pass is to do, checked before it begins.

use thiserror::Error;
use throng_tracks::RowPair;

use crate::isa::PlaceTable;
use crate::layout::Layout;
use crate::plan::{Bounds, NotSimilar, Plan};
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
    /// Palettes would overlap.
    #[error("palettes begin {stride} floats apart, but one takes {floats}")]
    Stride {
        /// How many floats apart.
        stride: usize,
        /// Floats of one palette.
        floats: usize,
    },
    /// Palettes cannot be written in that format.
    #[error(transparent)]
    NotSimilar(#[from] NotSimilar),
    /// The plan was made without.
    #[error("{what} are asked for, but the plan's options have no {options}")]
    NotPlanned {
        /// What a buffer was given for.
        what: &'static str,
        /// What the options lack.
        options: &'static str,
    },
    /// Sockets or bounds have fewer places than palettes.
    #[error("instance {instance} writes {what} at place {place}, but their buffer has room for {room}")]
    NoRoom {
        /// What the buffer is for.
        what: &'static str,
        /// Which instance.
        instance: usize,
        /// Its place.
        place: u32,
        /// How many instances have room.
        room: usize,
    },
}

/// Which instances to pose and where their palettes go, checked.
pub struct PaletteJob<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pairs: &'a [RowPair],
    pub(super) places: &'a [u32],
    pub(super) layout: Layout,
    /// None where the buffer has no room for a palette: then there is no instance either.
    pub(super) out: Option<PlaceTable<'a>>,
    pub(super) sockets: Option<PlaceTable<'a>>,
    pub(super) bounds: Option<&'a mut [Bounds]>,
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
        Self::with_layout(plan, pairs, places, out, Layout::default())
    }

    /// As [`new`](Self::new), in a form and at places of the caller's choice. `out` is only ever written, and only where
    /// palettes are, so it may be a mapped buffer of a graphics card.
    ///
    /// # Errors
    /// If the slices differ in length, a row or place does not exist, palettes would overlap, or the plan cannot write that format.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_kernels::{Layout, Level, PaletteFormat, PaletteJob, Plan, Scratch, palettes};
    /// use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let plan = Plan::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let pairs = [plan.bank().locate(0, 0.25), plan.bank().locate(0, 0.5)];
    /// // Behind a header of four floats, column after column, each instance's palette ahead of four floats of its own.
    /// let layout = Layout::new(PaletteFormat::Matrix).with_offset(4).with_stride(16 + 4);
    /// let mut out = vec![0.0; 4 + 2 * 20];
    /// let job = PaletteJob::with_layout(&plan, &pairs, &[0, 1], &mut out, layout)?;
    /// palettes(Level::detect(), job, &mut Scratch::new(&plan));
    /// assert_eq!(out[4 + 20 + 12..][..4], [2.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_layout(
        plan: &'a Plan,
        pairs: &'a [RowPair],
        places: &'a [u32],
        out: &'a mut [f32],
        layout: Layout,
    ) -> Result<Self, JobError> {
        if pairs.len() != places.len() {
            return Err(JobError::Count { pairs: pairs.len(), places: places.len() });
        }
        let rows = plan.bank().row_count();
        if let Some(instance) = pairs.iter().position(|p| p.row as usize + 2 > rows) {
            return Err(JobError::NoSuchRow { instance, row: pairs[instance].row, rows });
        }
        plan.check_format(layout.format())?;
        let entries = plan.palette_entries();
        let (floats, stride) = (layout.size(entries), layout.stride(entries));
        if stride < floats {
            return Err(JobError::Stride { stride, floats });
        }
        let room = layout.room(entries, out.len());
        if let Some(instance) = places.iter().position(|&p| p as usize >= room) {
            return Err(JobError::NoSuchPlace { instance, place: places[instance], room, floats });
        }
        let stores = Stores::for_bytes(size_of_val(out));
        let out = PlaceTable::new(out, layout, entries);
        Ok(Self { plan, pairs, places, layout, out, sockets: None, bounds: None, stores })
    }

    /// Writes the model matrices of the plan's [sockets](crate::PlanOptions::sockets) too: those of an instance at `places[i]`
    /// begin `places[i] * 12 * plan.socket_count()` floats into `out`, for each socket three rows of four floats, whatever the
    /// format of palettes.
    ///
    /// # Errors
    /// If the plan has no sockets, or `out` no room for a place.
    pub fn with_sockets(self, out: &'a mut [f32]) -> Result<Self, JobError> {
        let (what, count) = ("sockets", self.plan.socket_count());
        if count == 0 {
            return Err(JobError::NotPlanned { what, options: "sockets" });
        }
        let layout = Layout::default();
        self.check_room(what, layout.room(count, out.len()))?;
        Ok(Self { sockets: PlaceTable::new(out, layout, count), ..self })
    }

    /// Writes the box that encloses the plan's [spheres](crate::PlanOptions::spheres) too: that of an instance to
    /// `out[places[i]]`, in its model space.
    ///
    /// # Errors
    /// If the plan has no spheres, or `out` no room for a place.
    pub fn with_bounds(self, out: &'a mut [Bounds]) -> Result<Self, JobError> {
        let what = "bounds";
        if self.plan.sphere_count() == 0 {
            return Err(JobError::NotPlanned { what, options: "spheres" });
        }
        self.check_room(what, out.len())?;
        Ok(Self { bounds: Some(out), ..self })
    }

    fn check_room(&self, what: &'static str, room: usize) -> Result<(), JobError> {
        match self.places.iter().position(|&place| place as usize >= room) {
            Some(instance) => Err(JobError::NoRoom { what, instance, place: self.places[instance], room }),
            None => Ok(()),
        }
    }

    /// Chooses how palettes reach memory, rather than by the size of `out`.
    #[must_use]
    pub fn with_stores(self, stores: Stores) -> Self {
        Self { stores, ..self }
    }
}
