//! What a pass is to do, checked before it begins.

use thiserror::Error;
use throng_tracks::RowPair;

use super::layers::{LAYERS, Layer, Layers, MAX_WEIGHT, check, check_rows};
use crate::isa::PlaceTable;
use crate::layout::{Layout, PaletteFormat};
use crate::plan::{Bounds, NotSimilar, Plan};
use crate::stores::Stores;

/// What is wrong with the arguments of a kernel.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JobError {
    /// An instance has one layer at least, and four at most.
    #[error("{found} layers, but a job blends 1 to {LAYERS}")]
    LayerCount {
        /// Layers given.
        found: usize,
    },
    /// A layer has one of everything for each instance.
    #[error("layer {layer} has {found} {what}, but there are {places} places")]
    LayerLength {
        /// Which layer.
        layer: usize,
        /// Of what.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many instances there are.
        places: usize,
    },
    /// A weight is a number up to [`MAX_WEIGHT`], and an average has no negative parts.
    #[error(
        "instance {instance} has the weight {weight} in layer {layer}; weights are no farther from 0 than {MAX_WEIGHT}, and \
         0 or more unless the layer is additive"
    )]
    Weight {
        /// Which layer.
        layer: usize,
        /// Which instance.
        instance: usize,
        /// What was given.
        weight: f32,
    },
    /// Masks were made for another skeleton.
    #[error("layer {layer} has masks of {found} joints, but the skeleton has {joints}")]
    MaskJoints {
        /// Which layer.
        layer: usize,
        /// Joints of the masks.
        found: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// There are not so many masks.
    #[error("instance {instance} wants mask {mask} of layer {layer}, which has {count}")]
    NoSuchMask {
        /// Which layer.
        layer: usize,
        /// Which instance.
        instance: usize,
        /// The mask it wants.
        mask: u16,
        /// How many there are.
        count: usize,
    },
    /// Differences are no poses, and poses no differences.
    #[error("instance {instance} reads row {row}, which is {} an additive clip", if *additive { "not of" } else { "of" })]
    RowKind {
        /// Which instance.
        instance: usize,
        /// The row it wants.
        row: u32,
        /// Whether the layer is additive, and the row is not; or the other way round.
        additive: bool,
    },
    /// Rows of poses were made for a plan whose rows are others.
    #[error("the external poses of layer {layer} were made for another plan")]
    OtherRows {
        /// Which layer.
        layer: usize,
    },
    /// The rows of such poses are for palettes alone.
    #[error("layer {layer} has external poses, which can't be sampled as local ones")]
    ExternalLayer {
        /// Which layer.
        layer: usize,
    },
    /// Poses from elsewhere are no differences.
    #[error("layer {layer} has external poses, so it can't be additive")]
    AdditivePose {
        /// Which layer.
        layer: usize,
    },
    /// There is no such pose.
    #[error(
        "instance {instance} reads rows {row} and {row} + 1 of layer {layer}, which has {poses} external poses of two rows"
    )]
    NoSuchPose {
        /// Which layer.
        layer: usize,
        /// Which instance.
        instance: usize,
        /// The earlier row it wants.
        row: u32,
        /// How many poses there are.
        poses: usize,
    },
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
    /// An instance has no matrix of its own.
    #[error("instance {instance} stands at place {place}, but there are {found} world matrices")]
    NoWorld {
        /// Which instance.
        instance: usize,
        /// Its place.
        place: u32,
        /// How many matrices there are.
        found: usize,
    },
    /// Not every matrix is a similarity.
    #[error(
        "palettes of the format Similarity can't be in the world: fold the matrices into sockets and bounds alone"
    )]
    WorldFormat,
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

/// What of an instance is in the world where its matrix is given, rather than in its model space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum WorldFold {
    /// Palettes, sockets and bounds. It costs a product a root, not one a joint.
    #[default]
    All,
    /// Sockets and bounds: for shaders that read an instance's matrix besides its palette.
    Extras,
}

/// Matrices of instances, by place.
#[derive(Clone, Copy)]
pub(super) struct Worlds<'a> {
    pub(super) matrices: &'a [[f32; 12]],
    pub(super) fold: WorldFold,
}

/// What instances read.
#[derive(Clone, Copy)]
pub(super) enum Sampling<'a> {
    One(&'a [RowPair]),
    Layers(Layers<'a>),
}

/// Which instances to pose and where their palettes go, checked.
pub struct PaletteJob<'a> {
    pub(super) plan: &'a Plan,
    pub(super) sampling: Sampling<'a>,
    pub(super) places: &'a [u32],
    pub(super) layout: Layout,
    /// None where the buffer has no room for a palette: then there is no instance either.
    pub(super) out: Option<PlaceTable<'a>>,
    pub(super) sockets: Option<PlaceTable<'a>>,
    pub(super) bounds: Option<&'a mut [Bounds]>,
    pub(super) worlds: Option<Worlds<'a>>,
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
        check_rows(plan, pairs, false)?;
        Self::with_sampling(plan, Sampling::One(pairs), places, out, layout)
    }

    /// As [`with_layout`](Self::with_layout), with several layers an instance: they are blended joint by joint, before
    /// forward kinematics and without a pose in memory.
    ///
    /// Rotations are averaged by their weighted sum, each on the side of the sum before it; translations and scales by
    /// theirs. What the weights leave of 1, the rest pose takes. Then additive layers follow in their order, each a
    /// `nlerp` from nothing to its difference on the local side: `rotation * d`, `translation + d`, `scale * d`. The order
    /// of averages changes nothing but rounding.
    ///
    /// # Errors
    /// If there is no layer or more than [`LAYERS`], if its slices differ in length, if a row, a place or a mask does not
    /// exist or is of the wrong kind, a weight is not finite, or negative in a layer that is not additive, or palettes
    /// would overlap.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_kernels::{Layer, Layout, Level, PaletteJob, Plan, Scratch, palettes};
    /// use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let plan = Plan::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let (start, end) = ([plan.bank().locate(0, 0.0)], [plan.bank().locate(0, 1.0)]);
    /// let layers = [(&start, [0.75]), (&end, [0.25])];
    /// let layers = layers.each_ref().map(|(pairs, weights)| {
    ///     Layer::new(*pairs, weights)
    /// });
    /// let mut out = vec![0.0; plan.palette_floats()];
    /// let job = PaletteJob::layered(&plan, &layers, &[0], &mut out, Layout::default())?;
    /// palettes(Level::detect(), job, &mut Scratch::new(&plan));
    /// assert_eq!(out[3], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layered(
        plan: &'a Plan,
        layers: &'a [Layer<'a>],
        places: &'a [u32],
        out: &'a mut [f32],
        layout: Layout,
    ) -> Result<Self, JobError> {
        let layers = check(plan, layers, places.len())?;
        Self::with_sampling(plan, Sampling::Layers(layers), places, out, layout)
    }

    fn with_sampling(
        plan: &'a Plan,
        sampling: Sampling<'a>,
        places: &'a [u32],
        out: &'a mut [f32],
        layout: Layout,
    ) -> Result<Self, JobError> {
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
        let stores = Stores::default();
        let out = PlaceTable::new(out, layout, entries);
        Ok(Self { plan, sampling, places, layout, out, sockets: None, bounds: None, worlds: None, stores })
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

    /// Puts each instance where its matrix `worlds[places[i]]` says, three rows of four floats: `world * model` in the place of
    /// `model`, in what `fold` says. Bounds then lie along the axes of the world, and a sphere is what the matrix makes of it.
    ///
    /// Far from the origin an `f32` has few places left behind the point, and half precision none: there give matrices relative
    /// to the camera.
    ///
    /// # Errors
    /// If there is none for a place, or palettes are to be in the world and their format is
    /// [`Similarity`](crate::PaletteFormat::Similarity), which not every matrix fits.
    pub fn with_worlds(self, worlds: &'a [[f32; 12]], fold: WorldFold) -> Result<Self, JobError> {
        if fold == WorldFold::All && self.layout.format() == PaletteFormat::Similarity {
            return Err(JobError::WorldFormat);
        }
        let found = worlds.len();
        if let Some(instance) = self.places.iter().position(|&place| place as usize >= found) {
            return Err(JobError::NoWorld { instance, place: self.places[instance], found });
        }
        Ok(Self { worlds: Some(Worlds { matrices: worlds, fold }), ..self })
    }

    fn check_room(&self, what: &'static str, room: usize) -> Result<(), JobError> {
        match self.places.iter().position(|&place| place as usize >= room) {
            Some(instance) => Err(JobError::NoRoom { what, instance, place: self.places[instance], room }),
            None => Ok(()),
        }
    }

    /// Chooses how palettes reach memory, rather than through the caches.
    #[must_use]
    pub fn with_stores(self, stores: Stores) -> Self {
        Self { stores, ..self }
    }
}
