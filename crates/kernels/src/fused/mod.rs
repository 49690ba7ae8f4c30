//! The fused pass: rows to palettes, one group of lanes at a time.
//!
//! [`job`] checks what is to be done; [`group`] walks the plan's actions for as many instances as there are lanes, with
//! [`sample`] making a joint's local matrix; [`scratch`] has the matrices that later joints need.

mod group;
mod job;
mod sample;
mod scratch;

use crate::isa::{BLOCK, Drain, Isa, Level, PlaceTable, RowLanes, dispatch};
use crate::stores::Stores;
use group::{StreamBetween, pose_group};
pub use job::{JobError, PaletteJob};
pub use scratch::Scratch;

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
    let table = job.plan.rows();
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

/// Each lane's own place in a stage.
const FIRST_PLACES: [u32; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
