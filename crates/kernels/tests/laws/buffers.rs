//! Where palettes go: into their places and nowhere else, the same bits at every level of a class, by any kind of
//! store, in any order and any grouping.

use std::sync::Arc;

use glam::Vec3;
use throng_kernels::{
    BLOCK, Layout, Level, Line, PALETTE_FLOATS, PaletteFormat, PaletteJob, Plan, Scratch, Stores, palettes,
};
use throng_tracks::{RowPair, Skin};

use crate::figure;
use crate::palettes::{STORES, pose};
use crate::random::{Random, bits, cases, classes, levels};
use crate::similarity;
use crate::skins;

/// What stands in a buffer where nothing was written.
const UNTOUCHED: f32 = -1234.5;

/// Floats that begin so many floats behind a cache line.
struct Buffer {
    lines: Vec<Line>,
    offset: usize,
    length: usize,
}

impl Buffer {
    fn new(offset: usize, length: usize) -> Self {
        let lines = vec![Line([UNTOUCHED; BLOCK]); (offset + length).div_ceil(BLOCK) + 1];
        Self { lines, offset, length }
    }

    fn all(&self) -> &[f32] {
        bytemuck::cast_slice(&self.lines)
    }

    fn floats(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[self.offset..][..self.length]
    }
}

/// Instances, and where each goes.
struct Crowd {
    plan: Plan,
    pairs: Vec<RowPair>,
    places: Vec<u32>,
    room: usize,
    layout: Layout,
}

impl Crowd {
    fn new(random: &mut Random, count: usize) -> Self {
        let bank = figure::bank(random, 9);
        let plan = Plan::new(Arc::clone(&bank), &skins::skin(random, bank.skeleton())).unwrap();
        let mut pairs = figure::pairs(random, &bank, count);
        let gaps = random.pick(&[0, 0, 20]);
        let mut places: Vec<u32> = Vec::new();
        let mut room = 0;
        for _ in 0..count {
            room += usize::from(random.percent(gaps));
            places.push(room as u32);
            room += 1;
        }
        match random.below(4) {
            0 => places.reverse(),
            1 => (1..count).for_each(|i| places.swap(i, random.below(i + 1))),
            _ => {}
        }
        // The same instance at the same place once more.
        for i in 1..count {
            if random.percent(gaps / 2) {
                let from = random.below(i);
                (pairs[i], places[i]) = (pairs[from], places[from]);
            }
        }
        let layout = layout(random, &plan);
        Self { plan, pairs, places, room, layout }
    }

    /// Floats of a buffer with so many beyond the last palette.
    fn floats(&self, beyond: usize) -> usize {
        let entries = self.plan.palette_entries();
        self.layout.floats(entries, self.room) + beyond
    }

    /// The whole buffer as it has to be, in bits.
    fn expected(&self, level: Level, buffer: &Buffer) -> Vec<u32> {
        let stride = self.layout.stride(self.plan.palette_entries());
        let mut all = bits(buffer.all());
        for (place, &pair) in self.places.iter().zip(&self.pairs) {
            let to = buffer.offset + self.layout.offset() + *place as usize * stride;
            let palette = match self.layout.format() {
                PaletteFormat::Similarity => {
                    bits(similarity::pose(level, &self.plan, &[pair]).as_flattened())
                }
                format => in_format(format, &pose(level, Stores::Cached, &self.plan, &[pair])),
            };
            all[to..to + palette.len()].copy_from_slice(&palette);
        }
        all
    }

    fn run(
        &self,
        level: Level,
        stores: Stores,
        scratch: &mut Scratch,
        buffer: &mut Buffer,
        grouping: &[usize],
    ) {
        let mut start = 0;
        for &count in grouping {
            let (pairs, places) = (&self.pairs[start..start + count], &self.places[start..start + count]);
            let job =
                PaletteJob::with_layout(&self.plan, pairs, places, buffer.floats(), self.layout).unwrap();
            palettes(level, job.with_stores(stores), scratch);
            start += count;
        }
        assert_eq!(start, self.pairs.len(), "a grouping of all instances");
    }
}

/// One after the other as often as not, in any format.
fn layout(random: &mut Random, plan: &Plan) -> Layout {
    let format = random.pick(&PaletteFormat::ALL);
    let layout = Layout::new(if plan.check_format(format).is_ok() { format } else { PaletteFormat::Half });
    let size = layout.size(plan.palette_entries());
    match random.below(4) {
        0 => layout.with_offset(random.below(40)).with_stride(size + random.below(40)),
        1 => layout.with_offset(random.below(40)).with_stride(size),
        _ => layout,
    }
}

/// What stands in a buffer for a palette of rows, in bits.
fn in_format(format: PaletteFormat, palette: &[f32]) -> Vec<u32> {
    let mut out = Vec::new();
    for rows in palette.chunks_exact(PALETTE_FLOATS) {
        match format {
            PaletteFormat::Affine => out.extend(bits(rows)),
            PaletteFormat::Matrix => {
                let number = |column: usize, row: usize| rows.get(4 * row + column).copied();
                let columns = (0..16).map(|i| number(i / 4, i % 4).unwrap_or(f32::from(u8::from(i == 15))));
                out.extend(columns.map(f32::to_bits));
            }
            PaletteFormat::Half => {
                let halves: Vec<half::f16> = rows.iter().map(|&v| half::f16::from_f32(v)).collect();
                let two = |h: &[half::f16]| u32::from(h[0].to_bits()) | u32::from(h[1].to_bits()) << 16;
                out.extend(halves.chunks_exact(2).map(two));
            }
            _ => unreachable!("{format:?}"),
        }
    }
    out
}

fn grouping(random: &mut Random, mut count: usize) -> Vec<usize> {
    if random.percent(40) {
        return vec![count];
    }
    let mut parts = vec![0];
    while count > 0 {
        let most = random.pick(&[1, 7, 16, 40]);
        parts.push((1 + random.below(most)).min(count));
        count -= parts[parts.len() - 1];
    }
    parts
}

fn hold(random: &mut Random, crowd: &Crowd, scratch: &mut Scratch, what: &str) {
    let tail = random.below(crowd.plan.palette_floats());
    for class in classes() {
        for &level in &class {
            for stores in STORES {
                let offset = random.below(BLOCK);
                let mut buffer = Buffer::new(offset, crowd.floats(tail));
                let expected = crowd.expected(class[0], &buffer);
                let grouping = grouping(random, crowd.pairs.len());
                crowd.run(level, stores, scratch, &mut buffer, &grouping);
                let found = bits(buffer.all());
                let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
                assert_eq!(
                    differs, None,
                    "{what} at {level}, {stores:?}, {:?}, offset {offset}, groups {grouping:?}: first float that differs",
                    crowd.layout
                );
            }
        }
    }
}

#[test]
fn every_instance_gets_its_palette_and_nothing_else_is_written() {
    // One scratch for all plans, small after large and large after small.
    let scratch = &mut Scratch::default();
    for case in 0..cases(246) {
        let random = &mut Random::new(1000 + case as u64);
        let crowd = Crowd::new(random, 17 * case % 41);
        hold(random, &crowd, scratch, &format!("case {case}"));
    }
}

#[test]
fn a_thousand_instances_too() {
    let random = &mut Random::new(7);
    let crowd = Crowd::new(random, 1000);
    hold(random, &crowd, &mut Scratch::default(), "a thousand");
}

/// Rows of a large bank are fetched ahead.
#[test]
fn a_bank_larger_than_the_caches() {
    let random = &mut Random::new(8);
    let bank = figure::chain(40, |_| Vec3::ONE, |_| true, 2400.0);
    assert!(size_of_val(bank.rows()) > 256 << 10, "of {} rows", bank.row_count());
    let plan = Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap();
    let pairs = figure::pairs(random, &bank, 100);
    let crowd = Crowd { plan, pairs, places: (0..100).rev().collect(), room: 100, layout: Layout::default() };
    hold(random, &crowd, &mut Scratch::default(), "a large bank");
}

#[test]
fn of_two_instances_at_one_place_one_is_there_whole() {
    for case in 0..cases(40) {
        let random = &mut Random::new(5000 + case as u64);
        let Crowd { plan, pairs, .. } = Crowd::new(random, 37);
        let places: Vec<u32> = pairs.iter().map(|_| random.below(5) as u32).collect();
        for level in levels() {
            for stores in STORES {
                let size = plan.palette_floats();
                let mut out = vec![UNTOUCHED; 5 * size];
                let job = PaletteJob::new(&plan, &pairs, &places, &mut out).unwrap().with_stores(stores);
                palettes(level, job, &mut Scratch::new(&plan));
                for (place, found) in out.chunks_exact(size).enumerate() {
                    let mut rivals =
                        pairs.iter().zip(&places).filter(|(_, p)| **p as usize == place).peekable();
                    let whole = match rivals.peek() {
                        Some(_) => {
                            rivals.any(|(pair, _)| pose(level, Stores::Cached, &plan, &[*pair]) == found)
                        }
                        None => found.iter().all(|&v| v == UNTOUCHED),
                    };
                    assert!(whole, "place {place} of case {case} at {level}, {stores:?}");
                }
            }
        }
    }
}

#[test]
fn scratch_takes_what_the_plan_needs_and_keeps_it() {
    let random = &mut Random::new(3);
    let (small, large) = (Crowd::new(random, 1).plan, Crowd::new(random, 1).plan);
    let [small_bytes, large_bytes] = [&small, &large].map(|plan| Scratch::new(plan).bytes());
    let mut scratch = Scratch::default();
    assert_eq!(scratch.bytes(), 0);
    scratch.fit(&small);
    scratch.fit(&large);
    let both = scratch.bytes();
    assert!(both >= small_bytes.max(large_bytes));
    scratch.fit(&small);
    assert_eq!(scratch.bytes(), both);
}

/// Small enough to leave a first-level cache to what passes through it, stage included.
#[test]
fn scratch_is_small_for_a_hundred_joints() {
    for moving in [1, 2, 100] {
        let bank = figure::chain(100, |_| Vec3::ONE, |j| j % moving == 0, 24.0);
        let plan = Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap();
        let bytes = Scratch::new(&plan).bytes();
        assert!(bytes < 32 << 10, "{bytes} bytes, one of {moving} joints moving");
    }
}
