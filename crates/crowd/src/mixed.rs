//! The instances of a shard that more than one pair of rows shows.
//!
//! A kernel's job blends as many averages and as many additive layers for all its instances. So those of a shard are sorted
//! by level of joints and by shape, and each of these is a job.

use throng_kernels::PaletteJob;
use throng_kernels::{Blend, LAYERS, Layer, LayerMask, Scratch, palettes};
use throng_tracks::RowPair;

use crate::extras::Outs;
use crate::layers::Shape;
use crate::shards::Frame;

/// Memory for it, used again every frame.
#[derive(Default)]
pub(crate) struct Mixed {
    /// Level, shape and place of each instance.
    instances: Vec<u64>,
    places: Vec<u32>,
    layers: [Columns; LAYERS],
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

    fn push(&mut self, pair: RowPair, weight: f32, mask: u16) {
        self.pairs.push(pair);
        self.weights.push(weight);
        self.masks.push(mask);
    }
}

impl Mixed {
    pub(crate) fn clear(&mut self) {
        self.instances.clear();
    }

    /// One more instance of a level of joints, at a place of the shard.
    pub(crate) fn push(&mut self, level: u8, shape: Shape, place: usize, shard: usize) {
        if self.instances.capacity() < shard {
            self.reserve(shard);
        }
        let Shape { averages, external, additive, masked } = shape;
        let averages = averages | external << 4;
        let shape = u64::from(u32::from_be_bytes([level, averages, additive, masked.into()]));
        self.instances.push(shape << 32 | place as u64);
    }

    /// For all slots of a shard, so that it grows once.
    fn reserve(&mut self, shard: usize) {
        self.instances.reserve(shard);
        self.places.reserve(shard);
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
        let Self { instances, places, layers } = self;
        for alike in instances.chunk_by(|a, b| a >> 32 == b >> 32) {
            let [level, averages, additive, masked] = ((alike[0] >> 32) as u32).to_be_bytes();
            let (averages, external) = (averages & 15, averages >> 4);
            let nothing = averages + external + additive == 0;
            places.clear();
            layers.iter_mut().for_each(Columns::clear);
            for instance in alike {
                let place = *instance as u32;
                places.push(place);
                let slot = first + place as usize;
                for (columns, playing) in layers.iter_mut().zip(frame.layers.blended(slot)) {
                    let pair = if playing.kinds[slot].is_external() {
                        frame.poses.pair(slot)
                    } else {
                        playing.rows(frame.plan.bank(), slot)
                    };
                    columns.push(pair, playing.shown_weight(slot), playing.masks[slot]);
                }
                if nothing {
                    layers[0].push(frame.any_pose(), 0.0, 0);
                }
            }
            // Whoever plays nothing shows the rest pose: nothing of some pose.
            let clips = if nothing { 1 } else { usize::from(averages) };
            let averages = clips + usize::from(external);
            let masks = frame.masks.filter(|_| masked != 0);
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
            let layers = &layers[..averages + usize::from(additive)];
            let Outs { palettes: out, extras } = &mut *out;
            let job = PaletteJob::layered(frame.plan_of(level.into()), layers, places, out, frame.layout).expect(
                "the bank located the rows; weights, masks and kinds of clips were checked when they came",
            );
            palettes(frame.level, frame.with_extras(job, first, extras), scratch);
        }
    }
}
