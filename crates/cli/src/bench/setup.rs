//! Some characters, and the buffer that all variants write.

use rayon::prelude::*;
use throng::kernels::{Line, floor};
use throng::{Level, Stores};

use super::form;
use super::naive::Naive;
use super::players::Players;
use super::random::Random;
use super::shards::Shards;
use super::subject::Subject;
use crate::error::CliError;

/// Pieces of a frame a thread, where a variant has no split of its own.
const PIECES_PER_THREAD: usize = 4;

pub(super) struct Setup<'a> {
    pub(super) subject: &'a Subject,
    pub(super) instances: usize,
    pub(super) random: Random,
    players: Players,
    /// With seeks: the same number that play on, to compare with.
    forward: Option<Players>,
    naive: Naive<'a>,
    shards: Shards,
    out: Vec<Line>,
}

/// Whose palettes are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Players,
    /// By their first layer alone.
    OneLayer,
    Forward,
}

impl<'a> Setup<'a> {
    pub(super) fn new(subject: &'a Subject, instances: u32) -> Result<Self, CliError> {
        let out = subject.buffer(instances)?;
        let (instances, mut random) = (instances as usize, Random(1));
        let players = Players::new(subject, instances, &mut random)?;
        let forward = subject.seek.then(|| Players::new(subject, instances, &mut random)).transpose()?;
        let (naive, shards) = (Naive { subject }, Shards::default());
        Ok(Self { subject, instances, random, players, forward, naive, shards, out })
    }

    /// Moves the clocks on.
    pub(super) fn advance(&mut self, dt: f64) -> Result<(), CliError> {
        self.players.advance(dt)
    }

    /// Makes ready what is not timed: those who seek are sent elsewhere, those who play on move, and variants are told.
    pub(super) fn prepare(&mut self, dt: f64) -> Result<(), CliError> {
        if let Some(forward) = &mut self.forward {
            self.players.seek(&mut self.random)?;
            forward.advance(dt)?;
            forward.tell()?;
        }
        self.players.tell()
    }

    /// Variant: the crowd, or with layers its kernels, at a level.
    pub(super) fn run_ours(&mut self, who: Who, level: Level) -> Result<(), CliError> {
        let Self { subject, players, forward, shards, .. } = self;
        let floats = self.instances * subject.palette_floats();
        let out = &mut bytemuck::cast_slice_mut(&mut self.out)[..floats];
        let players = match (who, forward) {
            (Who::Forward, Some(forward)) => forward,
            _ => players,
        };
        if !subject.is_layered() {
            players.crowd.set_level(level);
            return Ok(players.crowd.evaluate_into(out)?);
        }
        shards.run(subject, level, players, who == Who::OneLayer, out);
        Ok(())
    }

    /// Variant: plain code.
    pub(super) fn run_naive(&mut self) {
        let Self { subject, naive, players, instances, .. } = self;
        let floats = subject.palette_floats();
        let (naive, players, instances) = (&*naive, &*players, *instances);
        let out: &mut [f32] = &mut bytemuck::cast_slice_mut(&mut self.out)[..instances * floats];
        if subject.threads == 1 {
            return naive.palettes(players, 0, &mut naive.scratch(), out);
        }
        let piece = instances.div_ceil(subject.threads * PIECES_PER_THREAD);
        out.par_chunks_mut(piece * floats).enumerate().for_each_init(
            || naive.scratch(),
            |scratch, (i, out)| naive.palettes(players, i * piece, scratch, out),
        );
    }

    /// Variant: only writing.
    pub(super) fn fill(&mut self, level: Level, stores: Stores, value: f32) {
        let threads = self.subject.threads;
        if threads == 1 {
            return floor::fill(level, stores, &mut self.out, value);
        }
        let piece = self.out.len().div_ceil(threads * PIECES_PER_THREAD);
        self.out.par_chunks_mut(piece).for_each(|out| floor::fill(level, stores, out, value));
    }

    /// The matrices of an instance's palette, row after row, as the last variant wrote it.
    pub(super) fn palette(&self, instance: usize) -> impl Iterator<Item = f32> {
        let Subject { format, layout, .. } = self.subject;
        let floats = self.subject.palette_floats();
        let palette: &[f32] = &bytemuck::cast_slice(&self.out)[instance * floats..][..floats];
        palette.chunks_exact(layout.format().floats()).flat_map(|entry| form::read(*format, entry))
    }

    /// How ours is stored.
    pub(super) fn stores(&self) -> Stores {
        self.subject.stores()
    }
}
