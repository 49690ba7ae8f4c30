//! A frame of layers straight from the kernels: shards of neighbours, as a crowd has them.

use rayon::prelude::*;
use throng::kernels::{LAYERS, PaletteJob, Scratch, palettes};
use throng::tracks::RowPair;
use throng::{Level, Stores};

use super::players::Players;
use super::subject::Subject;

/// Whole groups of lanes at every level.
const STEP: usize = 16;

/// Row pairs of a shard, those of all its layers, stay in the first-level cache.
const LARGEST_SHARD: usize = 1024;

/// Jobs a thread, where there are several.
const JOBS_PER_THREAD: usize = 8;

/// Memory of one job, used again every frame.
#[derive(Default)]
struct Workspace {
    /// Layer after layer.
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
    /// Poses all players and writes all palettes to `out`, which has room for these and no more. With `one_layer`, the first
    /// is all that is shown, as it is: without weight or mask.
    pub(super) fn run(
        &mut self,
        subject: &Subject,
        level: Level,
        players: &Players,
        one_layer: bool,
        out: &mut [f32],
    ) {
        let blended = subject.is_layered() && !one_layer;
        let layers = if blended { subject.layer_count() } else { 1 };
        let instances = players.instances;
        let threads = subject.threads;
        let jobs = if threads == 1 { 1 } else { threads * JOBS_PER_THREAD };
        let job = instances.div_ceil(jobs);
        let shard = job.div_ceil(job.div_ceil(LARGEST_SHARD / layers)).next_multiple_of(STEP);
        let job = instances.div_ceil(shard).div_ceil(jobs) * shard;
        let frame = Frame { subject, level, stores: subject.stores(), shard, players, layers, blended };
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
    players: &'a Players,
    layers: usize,
    /// Whether the one layer has a weight and a mask, or there are several.
    blended: bool,
}

impl Frame<'_> {
    fn job(&self, first: usize, out: &mut [f32], workspace: &mut Workspace) {
        let Subject { plan, layout, .. } = self.subject;
        let floats = self.subject.palette_floats();
        let Workspace { pairs, places, scratch } = workspace;
        for (shard, out) in out.chunks_mut(self.shard * floats).enumerate() {
            let count = out.len() / floats;
            let shard = first + shard * self.shard..first + shard * self.shard + count;
            pairs.clear();
            for layer in 0..self.layers {
                let playing = &self.players.layer(layer).playing[shard.clone()];
                pairs.extend(playing.iter().map(|p| plan.bank().locate(p.clip, p.time_s)));
            }
            places.clear();
            places.extend(0..count as u32);
            let by_layers: [_; LAYERS];
            let job = if self.blended {
                by_layers = std::array::from_fn(|layer| {
                    let layer = layer.min(self.layers - 1);
                    let pairs = &pairs[layer * count..][..count];
                    self.players.layer(layer).kernel_layer(self.subject, layer, shard.clone(), pairs)
                });
                PaletteJob::layered(plan, &by_layers[..self.layers], places, out, *layout)
            } else {
                PaletteJob::with_layout(plan, pairs, places, out, *layout)
            };
            let job = job.expect(
                "the bank located the rows, places are inside of the shard, and format, weights and masks were checked",
            );
            palettes(self.level, job.with_stores(self.stores), scratch);
        }
    }
}
