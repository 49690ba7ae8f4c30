//! The fused pass: rows to palettes, one group of lanes at a time.

use thiserror::Error;
use throng_tracks::RowPair;

use crate::isa::{BLOCK, Drain, Isa, Level, Line, PlaceLanes, PlaceTable, RowLanes, RowTable, dispatch};
use crate::math::{Rows, product_row, rotation, scale_axes, splat_rows, turn_about};
use crate::plan::{Action, Move, PALETTE_FLOATS, Placing, Plan};
use crate::stores::Stores;
use crate::unroll::{each3, each4};

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

/// Memory for the model matrices that a pass still needs; one a thread, reused, never shared.
#[derive(Debug, Default)]
pub struct Scratch {
    slots: Vec<[Line; 12]>,
    /// The palettes of two groups of lanes, on their way past the caches.
    stages: Vec<Line>,
}

impl Scratch {
    /// Scratch that fits `plan` (and any plan that needs less).
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut scratch = Self::default();
        scratch.fit(plan);
        scratch
    }

    /// Makes room for `plan`, if there is not enough yet.
    pub fn fit(&mut self, plan: &Plan) {
        if self.slots.len() < plan.slots {
            self.slots.resize(plan.slots, [Line::ZERO; 12]);
        }
        // A line holds one float for each of sixteen lanes.
        if self.stages.len() < 2 * plan.palette_floats() {
            self.stages.resize(2 * plan.palette_floats(), Line::ZERO);
        }
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice()) + size_of_val(self.stages.as_slice())
    }
}

/// Which instances to pose and where their palettes go, checked.
pub struct PaletteJob<'a> {
    plan: &'a Plan,
    pairs: &'a [RowPair],
    places: &'a [u32],
    /// None where the buffer has no room for a palette: then there is no instance either.
    out: Option<PlaceTable<'a>>,
    stores: Stores,
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

/// Poses all instances of the job and writes their palettes, at the given level.
///
/// `palette[i] = model[joint i] * inverse_bind[i]`, written as three rows of four floats. Rotations between rows are
/// nlerp. A pair that [`Bank::locate`](throng_tracks::Bank::locate) returns gives a finite palette unless numbers
/// overflow; the rows of two clips, or a fraction that is none, may not. Lanes never influence each other.
///
/// ```
/// use std::sync::Arc;
/// use throng_kernels::{Level, PaletteJob, Plan, Scratch, palettes};
/// use throng_tracks::*;
/// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
/// let plan = Plan::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
/// let pairs = [plan.bank().locate(0, 0.25), plan.bank().locate(0, 0.5)];
/// let mut out = vec![0.0; 2 * plan.palette_floats()];
/// palettes(Level::detect(), PaletteJob::new(&plan, &pairs, &[0, 1], &mut out)?, &mut Scratch::new(&plan));
/// assert_eq!((out[3], out[12 + 3]), (1.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn palettes(level: Level, job: PaletteJob<'_>, scratch: &mut Scratch) {
    scratch.fit(job.plan);
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || fused_palettes(isa, job, scratch)));
}

#[inline(always)]
fn fused_palettes<I: Isa>(isa: I, job: PaletteJob<'_>, scratch: &mut Scratch) {
    let Some(mut out) = job.out else { return };
    let (rows, stride) = job.plan.rows();
    let table = RowTable::new(rows, stride);
    let slots = scratch.slots.as_mut_slice();
    let next_pairs = job.pairs.chunks(I::LANES).skip(1).chain([[].as_slice()]);
    let next_places = job.places.chunks(I::LANES).skip(1).chain([[].as_slice()]);
    let groups = job.pairs.chunks(I::LANES).zip(next_pairs).zip(job.places.chunks(I::LANES));
    if job.stores == Stores::Cached {
        for (((pairs, next), places), next_places) in groups.zip(next_places) {
            let rows = RowLanes::before(isa, table, pairs, next);
            pose_group(isa, job.plan, &rows, slots, &mut out.lanes_before(isa, places, next_places), None);
        }
        return;
    }
    // While one group is posed into a stage, the group before it streams from the other, a few lines an action: so the
    // arithmetic of the one hides behind the stores of the other.
    let stages: &mut [f32] = bytemuck::cast_slice_mut(&mut scratch.stages);
    let (mut stage, mut full) = stages.split_at_mut(stages.len() / 2);
    let size = job.plan.palette_floats();
    let lines = (size * I::LANES).div_ceil(BLOCK * job.plan.actions.len().max(1)) + 1;
    let mut drain = Drain::EMPTY;
    for ((pairs, next), places) in groups {
        let rows = RowLanes::before(isa, table, pairs, next);
        let Some(mut staged) = PlaceTable::new(stage, size) else { return };
        let stream = Some(StreamBetween { out: &mut out, full, drain: &mut drain, lines });
        pose_group(isa, job.plan, &rows, slots, &mut staged.lanes(isa, &FIRST_PLACES), stream);
        out.stream(isa, full, &mut drain, usize::MAX / BLOCK);
        out.note(places, &mut drain);
        std::mem::swap(&mut stage, &mut full);
    }
    out.stream(isa, full, &mut drain, usize::MAX / BLOCK);
    isa.stream_end();
}

/// What to stream between the actions of a group.
struct StreamBetween<'a, 'b> {
    out: &'a mut PlaceTable<'b>,
    full: &'a [f32],
    drain: &'a mut Drain,
    /// How many lines an action.
    lines: usize,
}

/// Each lane's own place in a stage.
const FIRST_PLACES: [u32; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// All actions of the plan, for one group of lanes.
#[inline(always)]
fn pose_group<I: Isa>(
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
        match action {
            Action::Move(m) => {
                let own = step(isa, m, rows);
                let own = match kept(m.from, slots) {
                    Some(from) => product(isa, from, &own),
                    None => own,
                };
                keep(isa, m.to, &own, slots);
                match &m.emit {
                    Some((entry, None)) => isa.store_matrix(places, offset(*entry), own),
                    Some((entry, Some(constant))) => {
                        let right = splat_rows(isa, constant);
                        let palette = each3!(R => product_row(isa, own[R], &right));
                        isa.store_matrix(places, offset(*entry), palette);
                    }
                    None => {}
                }
            }
            Action::Keep { from, to, constant } => {
                let right = splat_rows(isa, constant);
                let own = match kept(*from, slots) {
                    Some(from) => product(isa, from, &right),
                    None => right,
                };
                keep(isa, Some(*to), &own, slots);
            }
            Action::Emit { from, entry, constant } => {
                let palette = match (kept(*from, slots), constant) {
                    (Some(from), Some(constant)) => product(isa, from, &splat_rows(isa, constant)),
                    (Some(from), None) => each3!(R => each4!(C => isa.load(&from[4 * R + C], 0))),
                    (None, Some(constant)) => splat_rows(isa, constant),
                    (None, None) => splat_rows(isa, &IDENTITY),
                };
                isa.store_matrix(places, offset(*entry), palette);
            }
        }
    }
}

const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

#[inline(always)]
fn offset(entry: u32) -> usize {
    entry as usize * PALETTE_FLOATS
}

/// The matrix of a moving joint, between its rows, after its parent's.
#[inline(always)]
fn step<I: Isa>(isa: I, m: &Move, rows: &RowLanes<'_, I>) -> Rows<I::F> {
    let q = isa.between_rows(rows, m.rotation as usize);
    match m.placing {
        Placing::Constant { t, s, twice, p } => {
            let r = rotation(isa, q, isa.splat(s), isa.splat(twice));
            turn_about(isa, r, each3!(A => isa.splat(t[A])), each3!(A => isa.splat(p[A])))
        }
        Placing::Columns { at, p } => {
            let [x, y, z, s] = isa.between_rows(rows, at as usize);
            turn_about(isa, rotation(isa, q, s, s + s), [x, y, z], each3!(A => isa.splat(p[A])))
        }
        Placing::ConstantAxes { t, s } => {
            let s = each3!(A => isa.splat(s[A]));
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, each3!(A => isa.splat(t[A])))
        }
        Placing::ColumnsConstantAxes { at, s } => {
            let [x, y, z, _] = isa.between_rows(rows, at as usize);
            let s = each3!(A => isa.splat(s[A]));
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, [x, y, z])
        }
        Placing::ColumnsAxes { at, scale_at } => {
            let [x, y, z, _] = isa.between_rows(rows, at as usize);
            let [sx, sy, sz, _] = isa.between_rows(rows, scale_at as usize);
            scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), [sx, sy, sz], [x, y, z])
        }
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
