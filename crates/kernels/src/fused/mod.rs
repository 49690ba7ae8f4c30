//! The fused pass: rows to palettes, one group of lanes at a time.
//!
//! [`job`] checks what is to be done, and [`layers`] what is to be blended; [`group`] walks the plan's actions for as many
//! instances as there are lanes, with [`sample`] making a joint's local matrix, of one pair of rows a lane or of several that
//! [`blend`] mixes. [`similarity`] does the same where no matrix is wanted, and
//! [`extras`] adds sockets and bounds; [`scratch`] has what later joints need.

mod blend;
mod extras;
mod group;
mod job;
mod layers;
mod sample;
mod scratch;
mod similarity;

use crate::isa::{BLOCK, Isa, Level, RowLanes, Stage, WINDOW, Window, dispatch};
use crate::layout::PaletteFormat;
use crate::plan::Plan;
use crate::stores::Stores;
pub(crate) use blend::BlendLanes;
use extras::ExtrasOut;
use group::{InWorld, Matrices, Part, Pass, StreamBetween, pose_group};
use job::Sampling;
pub use job::{JobError, PaletteJob, WorldFold};
pub use layers::{Blend, LAYERS, Layer, LayerMask, MAX_MASK, MAX_WEIGHT, MaskError, Masks};
pub(crate) use layers::{Layers, check as check_layers};
pub(crate) use sample::Sampler;
pub use scratch::Scratch;
use similarity::Similarities;
use throng_tracks::RowPair;

/// Poses all instances of the job and writes their palettes, at the given level.
///
/// `palette[i] = model[joint i] * inverse_bind[i]`, written in the form of the job's [`Layout`](crate::Layout). Rotations between rows are
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
    // Each is a function by itself: side by side in one they would take registers from each other.
    let worlds = job.worlds.filter(|worlds| worlds.fold == WorldFold::All).map(|worlds| worlds.matrices);
    if let Some(worlds) = worlds {
        let pass = InWorld { worlds, slot: scratch::world_slot(job.plan) as u32 };
        return match job.sampling {
            Sampling::One(pairs) => one_in_world(level, pass, job, pairs, scratch),
            Sampling::Layers(layers) => layered_in_world(level, pass, job, layers, scratch),
        };
    }
    match (job.sampling, job.layout.format()) {
        (Sampling::One(pairs), PaletteFormat::Similarity) => one_similar(level, job, pairs, scratch),
        (Sampling::One(pairs), _) => one(level, job, pairs, scratch),
        (Sampling::Layers(layers), PaletteFormat::Similarity) => layered_similar(level, job, layers, scratch),
        (Sampling::Layers(layers), _) => layered(level, job, layers, scratch),
    }
}

fn one(level: Level, job: PaletteJob<'_>, pairs: &[RowPair], scratch: &mut Scratch) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        fused_palettes(isa, Matrices, job, One(pairs), scratch);
    }));
}

fn one_in_world(
    level: Level,
    pass: InWorld<'_>,
    job: PaletteJob<'_>,
    pairs: &[RowPair],
    scratch: &mut Scratch,
) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        fused_palettes(isa, pass, job, One(pairs), scratch);
    }));
}

fn layered_in_world(
    level: Level,
    pass: InWorld<'_>,
    job: PaletteJob<'_>,
    layers: Layers<'_>,
    scratch: &mut Scratch,
) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        fused_palettes(isa, pass, job, layers, scratch);
    }));
}

fn one_similar(level: Level, job: PaletteJob<'_>, pairs: &[RowPair], scratch: &mut Scratch) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        fused_palettes(isa, Similarities, job, One(pairs), scratch);
    }));
}

fn layered(level: Level, job: PaletteJob<'_>, layers: Layers<'_>, scratch: &mut Scratch) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        fused_palettes(isa, Matrices, job, layers, scratch);
    }));
}

fn layered_similar(level: Level, job: PaletteJob<'_>, layers: Layers<'_>, scratch: &mut Scratch) {
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        fused_palettes(isa, Similarities, job, layers, scratch);
    }));
}

/// What groups of lanes are made of.
trait Source<'a, I: Isa> {
    type Lanes: Sampler<I>;
    /// The instances from `first` on; those behind the group are to be fetched meanwhile.
    fn lanes(&self, isa: I, plan: &'a Plan, first: usize) -> Self::Lanes;
}

/// One pair of rows an instance.
struct One<'a>(&'a [RowPair]);

impl<'a, I: Isa> Source<'a, I> for One<'a> {
    type Lanes = RowLanes<'a, I>;

    #[inline(always)]
    fn lanes(&self, isa: I, plan: &'a Plan, first: usize) -> RowLanes<'a, I> {
        let next = self.0.get(first + I::LANES..).unwrap_or_default();
        RowLanes::before(isa, plan.rows(), self.0.get(first..).unwrap_or_default(), next)
    }
}

impl<'a, I: Isa> Source<'a, I> for Layers<'a> {
    type Lanes = BlendLanes<'a, I>;

    #[inline(always)]
    fn lanes(&self, isa: I, plan: &'a Plan, first: usize) -> BlendLanes<'a, I> {
        BlendLanes::new(isa, plan, self, first)
    }
}

#[inline(always)]
fn fused_palettes<'a, I: Isa>(
    isa: I,
    pass: impl Pass<I>,
    job: PaletteJob<'a>,
    source: impl Source<'a, I>,
    scratch: &mut Scratch,
) {
    let Some(mut out) = job.out else { return };
    let mut extras_out = ExtrasOut { sockets: job.sockets, bounds: job.bounds, worlds: job.worlds };
    let slots = scratch.slots.as_mut_slice();
    let format = job.layout.format();
    let program = match job.sampling {
        Sampling::One(_) => &*job.plan.single,
        Sampling::Layers(_) => &*job.plan.layered,
    };
    let (mut stage, schedule) = match job.stores {
        Stores::Cached => (None, &program.at_once),
        Stores::Streaming => {
            (Stage::new(&mut scratch.stage, format, &mut scratch.progress), &program.in_windows)
        }
    };
    let next_places = job.places.chunks(I::LANES).skip(1).chain([[].as_slice()]);
    let groups = job.places.chunks(I::LANES).enumerate();
    for ((group, places), next_places) in groups.zip(next_places) {
        let rows = source.lanes(isa, job.plan, group * I::LANES);
        if let Some(stage) = &mut stage {
            stage.begin(&out, places);
        }
        pass.begin(isa, slots, places);
        let mut actions = schedule.actions.as_slice();
        for (count, window) in &schedule.windows {
            let (now, behind) = actions.split_at_checked(*count).unwrap_or_default();
            let (all, first) = (schedule.actions.len(), schedule.actions.len() - actions.len());
            let similar = schedule.similar.get(first..).unwrap_or_default();
            let part = Part { actions: now, similar, first, all: all.max(1) };
            actions = behind;
            // While a window is gathered, the one before it streams, a few lines an action: so the arithmetic of the one
            // hides behind the stores of the other.
            let (mut lanes, mut stream) = match &mut stage {
                None => (out.lanes_before(isa, places, next_places), None),
                Some(stage) => {
                    let (lanes, full) = stage.split(isa, format, window);
                    let lines = places.len() * (WINDOW * format.floats() / BLOCK + 1) / now.len().max(1) + 1;
                    (lanes, Some(StreamBetween { out: &mut out, full, lines }))
                }
            };
            pose_group(isa, pass, &part, &rows, slots, &mut lanes, &mut stream);
            if let Some(StreamBetween { out, mut full, .. }) = stream {
                full.stream(isa, out, usize::MAX);
            }
            if let Some(stage) = &mut stage {
                stage.turn(&out, window, places.len());
            }
        }
        if extras_out.is_wanted() {
            extras::write(isa, pass, program, schedule, slots, places, &mut extras_out);
        }
    }
    if let Some(stage) = &mut stage {
        stage.split(isa, format, &Window::default()).1.stream(isa, &mut out, usize::MAX);
        isa.stream_end();
    }
}
