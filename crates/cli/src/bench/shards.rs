//! A frame straight from the kernels, for what a crowd does not offer: shards of neighbours, as a crowd has them.

use rayon::prelude::*;
use throng::kernels::{PaletteJob, Scratch, palettes};
use throng::tracks::RowPair;
use throng::{Level, Stores};

use super::players::Playing;
use super::subject::Subject;

/// Whole groups of lanes at every level.
const STEP: usize = 16;

/// Row pairs of a shard stay in the first-level cache.
const LARGEST_SHARD: usize = 1024;

/// Jobs a thread, where there are several.
const JOBS_PER_THREAD: usize = 8;

/// Memory of one job, used again every frame.
#[derive(Default)]
struct Workspace {
    pairs: Vec<RowPair>,
    places: Vec<u32>,
    scratch: Scratch,
}

/// The memory of frames.
#[derive(Default)]
pub(super) struct Shards {
    workspaces: Vec<Workspace>,
}

impl Shards {
    /// Poses what plays, and writes all palettes to `out`, which has room for these and no more.
    pub(super) fn run(&mut self, subject: &Subject, level: Level, playing: &[Playing], out: &mut [f32]) {
        let instances = playing.len();
        let threads = subject.threads;
        let jobs = if threads == 1 { 1 } else { threads * JOBS_PER_THREAD };
        let job = instances.div_ceil(jobs);
        let shard = job.div_ceil(job.div_ceil(LARGEST_SHARD)).next_multiple_of(STEP);
        let job = instances.div_ceil(shard).div_ceil(jobs) * shard;
        let frame = Frame { subject, level, stores: subject.stores_for(size_of_val(out)), shard, playing };
        self.workspaces.resize_with(instances.div_ceil(job), Workspace::default);
        if let [workspace] = &mut self.workspaces[..] {
            return frame.job(0, out, workspace);
        }
        out.par_chunks_mut(job * subject.palette_floats())
            .zip(&mut self.workspaces)
            .enumerate()
            .with_max_len(1)
            .for_each(|(i, (out, workspace))| frame.job(i * job, out, workspace));
    }
}

/// What all jobs of a frame share.
struct Frame<'a> {
    subject: &'a Subject,
    level: Level,
    stores: Stores,
    shard: usize,
    playing: &'a [Playing],
}

impl Frame<'_> {
    fn job(&self, first: usize, out: &mut [f32], workspace: &mut Workspace) {
        let Subject { plan, layout, .. } = self.subject;
        let floats = self.subject.palette_floats();
        let Workspace { pairs, places, scratch } = workspace;
        for (shard, out) in out.chunks_mut(self.shard * floats).enumerate() {
            let playing = &self.playing[first + shard * self.shard..][..out.len() / floats];
            pairs.clear();
            pairs.extend(playing.iter().map(|playing| plan.bank().locate(playing.clip, playing.time_s)));
            places.clear();
            places.extend(0..playing.len() as u32);
            let job = PaletteJob::with_layout(plan, pairs, places, out, *layout).expect(
                "the bank located the rows, places are inside of the shard, and the format was checked",
            );
            palettes(self.level, job.with_stores(self.stores), scratch);
        }
    }
}
