//! Every format of rows and palettes, at any offset and stride: the bits of one instance at a time, and nothing between.

use std::sync::Arc;

use throng_crowd::{Crowd, CrowdError, InstanceId, Playback, Threads};
use throng_kernels::{
    Layout, Level, PaletteFormat, PaletteJob, PlanOptions, RowFormat, Scratch, Stores, palettes,
};
use throng_tracks::Skin;

use crate::make::{bank, bits, plan_of, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];
const ROWS: [RowFormat; 2] = [RowFormat::F32, RowFormat::I16];
const UNTOUCHED: f32 = -123.5;

/// A crowd with gaps.
fn filled(level: Level, rows: RowFormat, slots: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = Crowd::with_plan(plan_of(bank(&DURATIONS_S), rows), level);
    let mut ids: Vec<_> = (0..slots).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    for gone in ids.extract_if(.., |id| id.slot() % 5 == 1) {
        crowd.despawn(gone).unwrap();
    }
    crowd.advance(0.123).unwrap();
    (crowd, ids)
}

fn one_by_one(crowd: &Crowd, ids: &[InstanceId], layout: Layout) -> Vec<u32> {
    let plan = crowd.plan();
    let entries = plan.palette_entries();
    let floats = layout.offset() + crowd.slot_count() * layout.stride(entries) + 5;
    let (mut out, mut scratch) = (vec![UNTOUCHED; floats], Scratch::new(plan));
    for &id in ids {
        let clip = crowd.playback(id).unwrap().clip;
        let pair = [plan.bank().locate(clip, crowd.shown_s(id).unwrap())];
        let place = [id.slot() as u32];
        let job = PaletteJob::with_layout(plan, &pair, &place, &mut out, layout).unwrap();
        palettes(crowd.level(), job, &mut scratch);
    }
    bits(&out)
}

#[test]
fn the_same_bits_in_every_format_and_layout() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for level in Level::available() {
        for rows in ROWS {
            let (mut crowd, ids) = filled(level, rows, 100);
            for format in PaletteFormat::ALL {
                for layout in [
                    Layout::new(format),
                    Layout::new(format).with_offset(7),
                    Layout::new(format).with_offset(16).with_stride(64),
                    Layout::new(format).with_stride(2 * format.floats() + 1),
                ] {
                    let expected = one_by_one(&crowd, &ids, layout);
                    crowd.set_layout(layout).unwrap();
                    for (threads, shard, stores) in [
                        (Threads::One, None, Stores::Cached),
                        (Threads::Pool, Some(16), Stores::Streaming),
                        (Threads::Pool, Some(48), Stores::Cached),
                    ] {
                        crowd.set_threads(threads);
                        crowd.set_shard_slots(shard);
                        crowd.set_stores(Some(stores));
                        let mut out = vec![UNTOUCHED; expected.len()];
                        pool.install(|| crowd.evaluate_into(&mut out)).unwrap();
                        assert_eq!(bits(&out), expected, "{level}, {rows:?}, {layout:?}, {threads:?}");
                        // Of the own buffer, which has neither offset nor gaps.
                        pool.install(|| crowd.evaluate().len());
                        let (entries, floats) = (crowd.plan().palette_entries(), crowd.palette_floats());
                        for id in &ids {
                            let at = layout.offset() + id.slot() * layout.stride(entries);
                            assert_eq!(bits(crowd.palette(*id).unwrap()), expected[at..][..floats], "{id}");
                        }
                    }
                }
            }
        }
        println!("level {level}: ran");
    }
}

#[test]
fn a_buffer_is_long_enough_with_its_last_palette() {
    let (mut crowd, _) = filled(Level::detect(), RowFormat::F32, 4);
    // Two entries: 16 floats of quaternions a palette.
    crowd.set_layout(Layout::new(PaletteFormat::Similarity).with_offset(3).with_stride(20)).unwrap();
    assert_eq!((crowd.palette_floats(), crowd.output_floats()), (16, 3 + 3 * 20 + 16));
    let mut out = vec![UNTOUCHED; crowd.output_floats() - 1];
    let said = crowd.evaluate_into(&mut out).unwrap_err().to_string();
    assert_eq!(said, "the buffer has 78 floats, but 4 slots need 79");
    assert!(out.iter().all(|f| *f == UNTOUCHED));
    crowd.evaluate_into(&mut vec![0.0; 79]).unwrap();
}

#[test]
fn layouts_that_no_buffer_can_have_are_refused() {
    let (mut crowd, _) = filled(Level::detect(), RowFormat::F32, 4);
    let (most, before) = (isize::MAX as usize / size_of::<f32>(), crowd.layout());
    let layouts = [
        (usize::MAX, 24),
        (most, 24),
        (0, usize::MAX),
        (usize::MAX, usize::MAX),
        (0, usize::MAX / 3 + 1),
        (0, most / 3),
        (usize::MAX - 3 * 24 - 10, 24),
    ];
    for (offset, stride) in layouts {
        let said = crowd.set_layout(Layout::default().with_offset(offset).with_stride(stride));
        assert_eq!(said, Err(CrowdError::LayoutTooLarge { offset, stride, palettes: 4 }));
        assert_eq!(crowd.layout(), before);
    }
    let said = crowd.set_layout(Layout::default().with_offset(most)).unwrap_err().to_string();
    let words = "the layout needs a buffer of more floats than memory can have: it begins";
    assert_eq!(said, format!("{words} {most} floats into it, and has 4 palettes 24 floats apart"));
    // One that four palettes fit into, and five do not.
    crowd.set_layout(Layout::default().with_stride(most / 3 - 100)).unwrap();
    // The first spawn takes the slot that `filled` left free.
    crowd.spawn(Playback::default()).unwrap();
    crowd.spawn(Playback::default()).unwrap();
    let refused = crowd.evaluate_into(&mut [0.0; 9]);
    assert!(matches!(refused, Err(CrowdError::BufferTooShort { needed, slots: 5, .. }) if needed > most));
}

#[test]
fn layouts_that_cannot_be_change_nothing() {
    let (mut crowd, ids) = filled(Level::detect(), RowFormat::F32, 4);
    crowd.evaluate();
    let layout = Layout::new(PaletteFormat::Matrix).with_stride(31);
    let said = crowd.set_layout(layout).unwrap_err().to_string();
    assert_eq!(said, "the layout begins palettes 31 floats apart, but one takes 32");
    assert_eq!(crowd.layout(), Layout::default());
    assert_eq!(crowd.palette(ids[0]).unwrap().len(), 24);
    let bank = bank(&DURATIONS_S);
    let mut shear = glam::Affine3A::IDENTITY;
    shear.matrix3.x_axis.y = 1.0;
    let joints = Skin::model_space(bank.skeleton()).joints().to_vec();
    let skin = Skin::new("sheared", bank.skeleton(), joints, Some(vec![shear; 2])).unwrap();
    let mut crowd = Crowd::new(bank, &skin).unwrap();
    let said = crowd.set_layout(Layout::new(PaletteFormat::Similarity)).unwrap_err().to_string();
    assert!(said.contains("is no rotation, translation and uniform scale"), "{said}");
}

#[test]
fn another_format_forgets_the_palettes_of_the_one_before() {
    let (mut crowd, ids) = filled(Level::detect(), RowFormat::F32, 4);
    crowd.evaluate();
    crowd.set_layout(Layout::default().with_offset(9)).unwrap();
    crowd.palette(ids[0]).unwrap();
    crowd.set_visible(ids[0], false).unwrap();
    crowd.set_layout(Layout::new(PaletteFormat::Half)).unwrap();
    assert!(crowd.palettes().is_empty());
    for &id in &ids {
        assert_eq!(crowd.palette(id), Err(CrowdError::NotEvaluated { id }));
    }
    crowd.evaluate();
    assert_eq!(crowd.palette(ids[0]), Err(CrowdError::NotEvaluated { id: ids[0] }));
    assert_eq!(crowd.palette(ids[1]).unwrap().len(), 12);
}

#[test]
fn options_reach_the_plan() {
    let bank = bank(&DURATIONS_S);
    let skin = Skin::model_space(bank.skeleton());
    for rows in ROWS {
        let options = PlanOptions { rows, ..PlanOptions::default() };
        let mut crowd = Crowd::with_options(Arc::clone(&bank), &skin, &options).unwrap();
        assert_eq!(crowd.plan().row_format(), rows);
        let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() }).unwrap();
        crowd.evaluate();
        assert!((crowd.palette(id).unwrap()[3] - 0.5).abs() < 2.1 / 65_000.0);
    }
}
