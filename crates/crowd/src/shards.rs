//! A frame's work in shards, on the caller's threads.
//!
//! A *shard* is a range of neighbouring slots, of which those due are packed and posed at once: their row pairs and places
//! must stay in the first-level cache between the two. However many hide or wait, it has about as many to pose, for
//! each kind of blending in it ends in a group of lanes that is not full. A *job* is some shards in a row, and has a workspace of its own, so that no
//! thread waits for another. There are a few jobs a thread, for those to take over that are done early.

use std::ops::Range;
use std::sync::Arc;

use throng_kernels::{Bounds, Layout, Level, Masks, PaletteJob, Plan, Scratch, Stores, WorldFold, palettes};
use throng_tracks::RowPair;

use crate::detail::Details;
use crate::due::{Due, How, MIXED, POSED, Turns};
use crate::external::Poses;
use crate::extras::{Extras, ExtrasOuts, Outs, SOCKET_FLOATS};
use crate::layers::Layers;
use crate::mixed::Mixed;
use crate::pool::*;
use crate::sharing::Sharing;
use crate::split::{Split, first_shard};

/// Which threads pose a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Threads {
    /// The rayon pool that the caller is in: `pool.install(|| crowd.evaluate())` chooses one,
    /// otherwise it is the global pool. With a pool of one thread, and in a build without the
    /// feature `rayon`, everything runs on the caller's thread.
    #[default]
    Pool,
    /// The caller's thread. No rayon pool is used or started.
    One,
}

impl Threads {
    /// Asks each of `items`, in no order, a thread at least so many; the refusal of the first that refuses.
    pub(crate) fn ask_each<T: Send, E: Send>(
        self,
        items: &mut [T],
        least_a_thread: usize,
        ask: impl Fn(&mut T) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let refused = match self {
            Self::One => items.iter_mut().map(ask).find_map(Result::err),
            Self::Pool => {
                items.par_iter_mut().with_min_len(least_a_thread).map(&ask).find_map_first(Result::err)
            }
        };
        refused.map_or(Ok(()), Err)
    }
}

/// Memory of one job, used again every frame.
#[derive(Default)]
struct Workspace {
    /// Of each level of joints.
    whole: Vec<Whole>,
    mixed: Mixed,
    scratch: Scratch,
}

/// Instances that one pair of rows shows.
#[derive(Default)]
struct Whole {
    pairs: Vec<RowPair>,
    places: Vec<u32>,
}

impl Whole {
    fn push(&mut self, pair: RowPair, place: usize) {
        self.pairs.push(pair);
        self.places.push(place as u32);
    }
}

/// How to run frames, and the memory for it.
pub(crate) struct Shards {
    pub(crate) level: Level,
    pub(crate) threads: Threads,
    /// None: through the caches.
    pub(crate) stores: Option<Stores>,
    /// How many are posed at once; none: by the number of slots and threads.
    pub(crate) shard_slots: Option<usize>,
    workspaces: Vec<Workspace>,
    /// A number a job of what is not asked for.
    nothing: (Vec<f32>, Vec<Bounds>),
}

impl Shards {
    pub(crate) fn new(level: Level) -> Self {
        Self {
            level,
            threads: Threads::Pool,
            stores: None,
            shard_slots: None,
            workspaces: Vec::new(),
            nothing: Default::default(),
        }
    }

    /// Gives back the memory of jobs.
    pub(crate) fn forget_workspaces(&mut self) {
        self.workspaces = Vec::new();
        self.nothing = Default::default();
    }

    /// Poses all of a work. `out` has the palettes of all places, dead ones included, in a layout that was checked.
    pub(crate) fn run(
        &mut self,
        scene: Scene<'_>,
        work: Work<'_>,
        layout: Layout,
        out: &mut [f32],
        extras: &mut Extras,
    ) {
        let Scene { plan, lower, details, layers, masks, poses } = scene;
        if work.due.is_empty() {
            return;
        }
        let threads = match self.threads {
            Threads::One => 1,
            Threads::Pool => current_num_threads(),
        };
        let split = Split::new(work.places, threads, self.shard_slots);
        let stores = self.stores.unwrap_or_default();
        let (stride, out) = (layout.stride(plan.palette_entries()), &mut out[layout.offset()..]);
        let layout = Layout::new(layout.format()).with_stride(stride);
        let (level, shard) = (self.level, split.shard);
        let Extras { sockets, has_sockets, bounds, has_bounds, worlds, fold, .. } = extras;
        let worlds = fold.map(|fold| (worlds.as_slice(), fold));
        let frame =
            Frame { plan, lower, details, level, stores, work, layers, masks, poses, worlds, layout, shard };
        let jobs = work.places.div_ceil(split.job);
        if self.workspaces.len() < jobs {
            self.workspaces.resize_with(jobs, Workspace::default);
        }
        if jobs == 1 {
            let (sockets, bounds) = (sockets.as_mut_slice(), bounds.as_mut_slice());
            let extras =
                ExtrasOuts { sockets: has_sockets.then_some(sockets), bounds: has_bounds.then_some(bounds) };
            frame.job(0, Outs { palettes: out, extras }, &mut self.workspaces[0]);
            return;
        }
        // What is not asked for is one number a job.
        let (no_sockets, no_bounds) = &mut self.nothing;
        no_sockets.resize(jobs, 0.0);
        no_bounds.resize(jobs, Bounds::default());
        let of_job = |wanted: bool, count: usize| if wanted { split.job * count } else { 1 };
        let sockets_of_job = of_job(*has_sockets, SOCKET_FLOATS * plan.socket_count());
        let bounds_of_job = of_job(*has_bounds, 1);
        let sockets = if *has_sockets { sockets } else { no_sockets };
        let bounds = if *has_bounds { bounds } else { no_bounds };
        let (has_sockets, has_bounds) = (*has_sockets, *has_bounds);
        out.par_chunks_mut(split.job * stride)
            .zip(sockets.par_chunks_mut(sockets_of_job))
            .zip(bounds.par_chunks_mut(bounds_of_job))
            .zip(&mut self.workspaces)
            .enumerate()
            .with_max_len(1)
            .for_each(|(job, (((palettes, sockets), bounds), workspace))| {
                let extras = ExtrasOuts {
                    sockets: has_sockets.then_some(sockets),
                    bounds: has_bounds.then_some(bounds),
                };
                frame.job(job * split.job, Outs { palettes, extras }, workspace);
            });
    }
}

/// What there is to pose.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) plan: &'a Plan,
    /// Of the levels of joints behind that of all.
    pub(crate) lower: &'a [Arc<Plan>],
    pub(crate) details: &'a Details,
    pub(crate) layers: &'a Layers,
    pub(crate) masks: Option<&'a Masks>,
    pub(crate) poses: &'a Poses,
}

/// Which of it to pose now, and where that goes.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    /// How many places there are: those of slots, or of poses that are shared.
    pub(crate) places: usize,
    /// The places that are written, ascending.
    pub(crate) due: &'a [u32],
    pub(crate) from: From<'a>,
}

/// Where palettes come from.
#[derive(Clone, Copy)]
pub(crate) enum From<'a> {
    /// What the instances at these slots play.
    Layers,
    /// Poses that are shared.
    Sharing(&'a Sharing),
    /// As each of those due is told to: what its instance plays, a shared pose, or a mix.
    Told(&'a [How], &'a Sharing, &'a Turns),
}

/// What all jobs of a frame share.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) plan: &'a Plan,
    lower: &'a [Arc<Plan>],
    details: &'a Details,
    pub(crate) level: Level,
    pub(crate) stores: Stores,
    work: Work<'a>,
    pub(crate) layers: &'a Layers,
    pub(crate) masks: Option<&'a Masks>,
    pub(crate) poses: &'a Poses,
    /// Of all slots, if they are to be ahead.
    worlds: Option<(&'a [[f32; 12]], WorldFold)>,
    /// Inside of a shard's part of the buffer.
    pub(crate) layout: Layout,
    shard: usize,
}

impl Frame<'_> {
    /// That of a level of joints.
    pub(crate) fn plan_of(&self, level: usize) -> &Plan {
        level.checked_sub(1).map_or(self.plan, |lower| &self.lower[lower])
    }

    /// Rows of some clip that is not additive. Where someone lives there is one.
    pub(crate) fn any_pose(&self) -> RowPair {
        let bank = self.plan.bank();
        let clip = bank.clips().iter().position(|clip| !clip.is_additive());
        clip.map_or_else(RowPair::default, |clip| bank.locate(clip, 0.0))
    }

    /// A job of the slots from `first` on, with all that is asked for besides palettes.
    pub(crate) fn with_extras<'j>(
        &'j self,
        job: PaletteJob<'j>,
        first: usize,
        extras: &'j mut ExtrasOuts<'_>,
    ) -> PaletteJob<'j> {
        let mut job = job.with_stores(self.stores);
        if let Some(sockets) = extras.sockets.as_deref_mut() {
            job = job.with_sockets(sockets).expect("the plan has sockets, and all slots have room");
        }
        if let Some(bounds) = extras.bounds.as_deref_mut() {
            job = job.with_bounds(bounds).expect("the plan has spheres, and all slots have room");
        }
        if let Some((worlds, fold)) = self.worlds {
            job = job
                .with_worlds(&worlds[first..], fold)
                .expect("all slots have a matrix that the format fits");
        }
        job
    }

    /// Poses the slots from `first` on whose palettes make up `out`, shard after shard.
    fn job(&self, mut first: usize, out: Outs<'_>, workspace: &mut Workspace) {
        let Outs { palettes: mut out, mut extras } = out;
        let socket_floats = SOCKET_FLOATS * self.plan.socket_count();
        let (entries, stride) =
            (self.plan.palette_entries(), self.layout.stride(self.plan.palette_entries()));
        let end = first + self.layout.room(entries, out.len());
        let mut due = Due::from(self.work.due, first)..Due::from(self.work.due, end);
        while !due.is_empty() {
            let (count, next) = first_shard(&self.work.due[due.clone()], self.shard, end);
            let behind = due.start + count;
            self.pack(first, due.start..behind, workspace);
            let shard = out.split_off_mut(..((next - first) * stride).min(out.len())).unwrap_or_default();
            self.copy(first, due.start..behind, shard);
            let Workspace { whole, mixed, scratch } = workspace;
            let mut shard = Outs { palettes: shard, extras: extras.take(next - first, socket_floats) };
            for (level, Whole { pairs, places }) in whole.iter().enumerate() {
                if places.is_empty() {
                    continue;
                }
                let job =
                    PaletteJob::with_layout(self.plan_of(level), pairs, places, shard.palettes, self.layout)
                        .expect("the bank located the rows, and the places are inside of the shard");
                palettes(self.level, self.with_extras(job, first, &mut shard.extras), scratch);
            }
            mixed.pose(self, first, &mut shard, scratch);
            (first, due.start) = (next, behind);
        }
    }

    /// Those of a shard that are due, side by side, those of one pair of rows and those of more: groups of lanes have no gaps,
    /// wherever instances died, hide or wait.
    fn pack(&self, first: usize, due: Range<usize>, workspace: &mut Workspace) {
        let Workspace { whole, mixed, .. } = workspace;
        whole.resize_with(1 + self.lower.len(), Whole::default);
        for Whole { pairs, places } in &mut *whole {
            pairs.clear();
            places.clear();
            // For as many as there may be, not those there are: then a shard never grows again.
            pairs.reserve(self.shard);
            places.reserve(self.shard);
        }
        mixed.clear();
        // There may be fewer levels now than when they were chosen.
        let level_of = |level: u8| usize::from(level).min(self.lower.len());
        for at in due {
            let slot = self.work.due[at] as usize;
            let place = slot - first;
            match self.work.from {
                From::Told(how, ..) if how.get(at).is_some_and(|how| *how != POSED) => continue,
                From::Sharing(sharing) => {
                    let (pair, level) = sharing.poses[slot];
                    whole[level_of(level)].push(pair, place);
                    continue;
                }
                _ => {}
            }
            let level = level_of(self.details.level(slot));
            if let Some(playing) = self.layers.whole(slot) {
                whole[level].push(playing.rows(self.plan.bank(), slot), place);
            } else {
                mixed.push(level as u8, self.layers.order(slot), place, self.shard);
            }
        }
    }

    /// Writes the palettes of those due of a shard that are not posed there.
    fn copy(&self, first: usize, due: Range<usize>, out: &mut [f32]) {
        let From::Told(how, sharing, turns) = self.work.from else { return };
        if how.is_empty() {
            return;
        }
        let (entries, format) = (self.plan.palette_entries(), self.layout.format());
        let (stride, floats) = (self.layout.stride(entries), self.layout.size(entries));
        let shared: &[f32] = bytemuck::cast_slice(&sharing.palettes);
        for at in due {
            let slot = self.work.due[at] as usize;
            let to = &mut out[(slot - first) * stride..][..floats];
            match how[at] {
                POSED => {}
                MIXED => turns.between.write(slot, turns.wait(slot), entries, format, to),
                number => to.copy_from_slice(&shared[(number as usize - 1) * floats..][..floats]),
            }
        }
    }
}
