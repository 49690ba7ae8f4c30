//! The crowd, its plain twin, and the buffer that all variants write.

use std::sync::Arc;

use rayon::prelude::*;
use throng::kernels::{Line, floor};
use throng::{Crowd, InstanceId, Level, Playback, Skin, Stores, Threads};

use super::Args;
use super::naive::{Naive, Playing};
use crate::error::CliError;
use crate::load::Scene;
use crate::select;

/// More palettes than this are a slip of the finger.
const LARGEST_OUTPUT: u64 = 4 << 30;

/// Pieces of a frame a thread, where a variant has no split of its own.
const PIECES_PER_THREAD: usize = 4;

pub(super) struct Setup {
    pub(super) crowd: Crowd,
    pub(super) ids: Vec<InstanceId>,
    pub(super) level: Level,
    pub(super) random: Random,
    /// Larger of the rest pose's extent and its largest coordinate.
    pub(super) size: f32,
    naive: Naive,
    /// What the crowd plays, as the naive variant reads it.
    playing: Vec<Playing>,
    out: Vec<Line>,
    threads: usize,
}

impl Setup {
    pub(super) fn new(scene: &Scene, args: &Args) -> Result<Self, CliError> {
        if scene.clips.is_empty() {
            return Err(CliError::NoClips { file: scene.file.clone() });
        }
        let skin = select::skin(scene, args.skin)?;
        let level = select::level(args.level, args.rounding)?;
        let out = buffer(args.instances, &skin)?;
        let (bank, report) = select::bank(scene)?;
        let threads = args.threads as usize;
        let mut setup = Self {
            crowd: Crowd::with_plan(Arc::new(select::plan(scene, &bank, &skin, args.rows)?), level),
            ids: Vec::new(),
            level,
            random: Random(1),
            size: report.extent.max(report.largest_coordinate),
            naive: Naive::new(&bank, &skin),
            playing: Vec::new(),
            out,
            threads,
        };
        setup.crowd.set_threads(if threads == 1 { Threads::One } else { Threads::Pool });
        setup.spawn(args.instances as usize)?;
        Ok(setup)
    }

    /// Instances that play the clips in turn, each from a time of its own.
    fn spawn(&mut self, instances: usize) -> Result<(), CliError> {
        self.crowd.reserve(instances);
        for instance in 0..instances {
            let clip = instance % self.crowd.bank().clips().len();
            let time_s = self.random_time_s(clip);
            self.ids.push(self.crowd.spawn(Playback { clip, time_s, ..Playback::default() })?);
            self.playing.push(Playing { clip, time_s: 0.0 });
        }
        Ok(())
    }

    /// Runs `work` where rayon has as many threads as were asked for.
    pub(super) fn on_threads<R: Send>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<R, CliError> + Send,
    ) -> Result<R, CliError> {
        if self.threads == 1 {
            return work(self);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|source| CliError::Threads { threads: self.threads, source })?;
        pool.install(|| work(self))
    }

    /// Sends each instance to a random time of its clip.
    pub(super) fn seek(&mut self) -> Result<(), CliError> {
        for instance in 0..self.ids.len() {
            let time_s = self.random_time_s(self.playing[instance].clip);
            self.crowd.set_time(self.ids[instance], time_s)?;
        }
        Ok(())
    }

    fn random_time_s(&mut self, clip: usize) -> f64 {
        self.random.unit() * f64::from(self.crowd.bank().clips()[clip].duration_s())
    }

    /// Tells the naive variant what the crowd plays now.
    pub(super) fn tell_naive(&mut self) -> Result<(), CliError> {
        for (playing, &id) in self.playing.iter_mut().zip(&self.ids) {
            playing.time_s = self.crowd.shown_s(id)?;
        }
        Ok(())
    }

    /// Variant: the crowd, at a level.
    pub(super) fn run_crowd(&mut self, level: Level) -> Result<(), CliError> {
        self.crowd.set_level(level);
        Ok(self.crowd.evaluate_into(bytemuck::cast_slice_mut(&mut self.out))?)
    }

    /// Variant: plain code.
    pub(super) fn run_naive(&mut self) {
        let floats = self.crowd.plan().palette_floats();
        let Self { naive, playing, out, .. } = self;
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        if self.threads == 1 {
            return naive.palettes(playing, &mut naive.scratch(), out);
        }
        let piece = playing.len().div_ceil(self.threads * PIECES_PER_THREAD);
        let pieces = playing.par_chunks(piece).zip(out.par_chunks_mut(piece * floats));
        pieces
            .for_each_init(|| naive.scratch(), |models, (playing, out)| naive.palettes(playing, models, out));
    }

    /// Variant: only writing.
    pub(super) fn fill(&mut self, level: Level, stores: Stores, value: f32) {
        if self.threads == 1 {
            return floor::fill(level, stores, &mut self.out, value);
        }
        let piece = self.out.len().div_ceil(self.threads * PIECES_PER_THREAD);
        self.out.par_chunks_mut(piece).for_each(|out| floor::fill(level, stores, out, value));
    }

    /// The palette of an instance, as the last variant wrote it.
    pub(super) fn palette(&self, instance: usize) -> &[f32] {
        let floats = self.crowd.plan().palette_floats();
        &bytemuck::cast_slice(&self.out)[instance * floats..][..floats]
    }
}

/// Room for all palettes. A size that memory has no room for is an error rather than the end of the process.
fn buffer(instances: u32, skin: &Skin) -> Result<Vec<Line>, CliError> {
    let joints = skin.joints().len();
    let bytes = u64::from(instances) * (joints * 12 * size_of::<f32>()) as u64;
    let too_large = || CliError::OutputTooLarge { instances, joints, bytes, limit: LARGEST_OUTPUT };
    let lines = usize::try_from(bytes.div_ceil(size_of::<Line>() as u64)).map_err(|_| too_large())?;
    let mut out = Vec::new();
    if bytes > LARGEST_OUTPUT || out.try_reserve_exact(lines).is_err() {
        return Err(too_large());
    }
    out.resize(lines, Line::ZERO);
    Ok(out)
}

/// Numbers that look random and are the same in each run: splitmix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
pub(super) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Any order, all alike likely (but for the modulus): Fisher and Yates.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, (self.next() % (end as u64 + 1)) as usize);
        }
    }

    /// In `[0, 1)`.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_times_spread_over_the_unit() {
        let mut random = Random(1);
        let mut tenths = [0; 10];
        for _ in 0..10_000 {
            tenths[(random.unit() * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|count| (850..1150).contains(count)), "{tenths:?}");
    }
}
