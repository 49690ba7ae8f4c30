//! The instances of a shard that more than one pair of rows shows.
//!
//! A kernel's job blends as many averages and as many additive layers for all its instances. So those of a shard are sorted
//! by level of joints and by shape, and each of these is a job.

use throng_kernels::PaletteJob;
use throng_kernels::{Blend, LAYERS, Layer, LayerMask, Scratch, palettes};
use throng_tracks::RowPair;

use crate::extras::Outs;
use crate::layers::Order;
use crate::shards::Frame;

/// Memory for it, used again every frame.
#[derive(Default)]
pub(crate) struct Mixed {
    instances: Vec<Instance>,
    places: Vec<u32>,
    /// What those of a job show of one layer.
    times_s: Vec<f32>,
    layers: [Columns; LAYERS],
}

/// Level, shape, place and order of an instance, from the highest bits on: sorted by these, those alike stand side by side
/// and ascend.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Instance(u64);

impl Instance {
    fn new(level: u8, order: Order, place: usize) -> Self {
        let [shape, places] = order.bits().to_be_bytes();
        Self(
            u64::from(level) << 48
                | u64::from(shape) << 40
                | (place as u64 & 0xffff_ffff) << 8
                | u64::from(places),
        )
    }

    fn level(self) -> usize {
        (self.0 >> 48) as usize
    }

    fn place(self) -> u32 {
        (self.0 >> 8) as u32
    }

    fn order(self) -> Order {
        Order::from_bits(u16::from_be_bytes([(self.0 >> 40) as u8, self.0 as u8]))
    }

    /// Whether they can share a job.
    fn is_like(&self, other: &Self) -> bool {
        self.0 >> 40 == other.0 >> 40
    }
}

/// One layer of each instance of a job.
#[derive(Default)]
struct Columns {
    pairs: Vec<RowPair>,
    weights: Vec<f32>,
    masks: Vec<u16>,
}

impl Columns {
    fn clear(&mut self) {
        self.pairs.clear();
        self.weights.clear();
        self.masks.clear();
    }

    /// What those alike blend as number `layer`, given poses or clips. Column by column, in loops so short that many
    /// instances wait for memory at once.
    fn fill(
        &mut self,
        frame: &Frame<'_>,
        first: usize,
        alike: &[Instance],
        (layer, external): (usize, bool),
        times_s: &mut Vec<f32>,
    ) {
        let playing = |instance: &Instance| {
            let slot = first + instance.place() as usize;
            (frame.layers.at(instance.order().place(layer)), slot)
        };
        let all = || alike.iter().map(playing);
        self.weights.extend(all().map(|(playing, slot)| playing.shown_weight(slot)));
        if external {
            self.pairs.extend(all().map(|(_, slot)| frame.poses.pair(slot)));
        } else {
            let bank = frame.plan.bank();
            times_s.clear();
            times_s.extend(all().map(|(playing, slot)| playing.shown_s(slot)));
            let timed = all().zip(&*times_s);
            self.pairs
                .extend(timed.map(|((playing, slot), time_s)| bank.locate(playing.clip(slot), *time_s)));
        }
        if alike[0].order().shape.is_masked() {
            self.masks.extend(all().map(|(playing, slot)| playing.masks[slot]));
        }
    }
}

impl Mixed {
    pub(crate) fn clear(&mut self) {
        self.instances.clear();
    }

    /// One more instance of a level of joints, at a place of the shard.
    pub(crate) fn push(&mut self, level: u8, order: Order, place: usize, shard: usize) {
        if self.instances.capacity() < shard {
            self.reserve(shard);
        }
        self.instances.push(Instance::new(level, order, place));
    }

    /// For all instances that a shard may have, so that it grows once.
    fn reserve(&mut self, shard: usize) {
        self.instances.reserve(shard);
        self.places.reserve(shard);
        self.times_s.reserve(shard);
        for layer in &mut self.layers {
            layer.pairs.reserve(shard);
            layer.weights.reserve(shard);
            layer.masks.reserve(shard);
        }
    }

    /// Poses them. Place 0 of `out` is that of slot `first`.
    pub(crate) fn pose(
        &mut self,
        frame: &Frame<'_>,
        first: usize,
        out: &mut Outs<'_>,
        scratch: &mut Scratch,
    ) {
        self.instances.sort_unstable();
        let Self { instances, places, times_s, layers } = self;
        for alike in instances.chunk_by(Instance::is_like) {
            let (level, shape) = (alike[0].level(), alike[0].order().shape);
            let (clips, external, additive) = (shape.averages(), shape.external(), shape.additive());
            let count = clips + external + additive;
            places.clear();
            places.extend(alike.iter().map(|instance| instance.place()));
            layers.iter_mut().for_each(Columns::clear);
            for (number, columns) in layers[..count].iter_mut().enumerate() {
                let external = (clips..clips + external).contains(&number);
                columns.fill(frame, first, alike, (number, external), times_s);
            }
            // Whoever plays nothing shows the rest pose: nothing of some pose.
            let nothing = count == 0;
            if nothing {
                layers[0].pairs.resize(alike.len(), frame.any_pose());
                layers[0].weights.resize(alike.len(), 0.0);
            }
            let clips = clips.max(nothing.into());
            let averages = clips + external;
            let masks = frame.masks.filter(|_| shape.is_masked());
            let mut number = 0..;
            let layers = layers.each_ref().map(|columns| {
                let number = number.next().unwrap_or(LAYERS);
                Layer {
                    pairs: &columns.pairs,
                    weights: &columns.weights,
                    blend: if number < averages { Blend::Average } else { Blend::Additive },
                    mask: masks.map(|masks| LayerMask { masks, choice: &columns.masks }),
                    external: frame.poses.rows().filter(|_| (clips..averages).contains(&number)),
                }
            });
            let layers = &layers[..averages + additive];
            let Outs { palettes: out, extras } = &mut *out;
            let job = PaletteJob::layered(frame.plan_of(level), layers, places, out, frame.layout).expect(
                "the bank located the rows; weights, masks and kinds of clips were checked when they came",
            );
            palettes(frame.level, frame.with_extras(job, first, extras), scratch);
        }
    }
}
