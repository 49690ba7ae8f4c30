//! What several playbacks show: the bits of the kernels' own blend, however instances are packed; masks, ends, refusals.

use throng_crowd::{Crossfade, Crowd, CrowdError, InstanceId, Playback, Threads};
use throng_kernels::{
    Blend, Layer, LayerMask, Layout, Level, Masks, PaletteFormat, PaletteJob, RowFormat, Scratch, Stores,
    palettes,
};
use throng_tracks::WrapMode;

use crate::make::{bank_with_additive, bits, crowd, plan, plan_of, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];
const MASKS: [[f32; 2]; 2] = [[0.0, 1.0], [0.5, 0.25]];

/// Instances with every number of layers, averages and additive ones, with masks and without.
fn mixed(level: Level, rows: RowFormat, slots: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = Crowd::with_plan(plan_of(bank_with_additive(&DURATIONS_S), rows), level);
    let masks = MASKS.map(|mask| crowd.add_mask(&mask).unwrap());
    let mut ids = Vec::new();
    for i in 0..slots {
        let id = crowd.spawn(playback(i, 2)).unwrap();
        for layer in 0..i % 4 {
            let additive = (i / 4 + layer) % 3 == 0;
            let clip = (i + layer) % 2 + 2 * usize::from(additive);
            let mask = (i % 5 == layer).then_some(masks[i % 2]);
            let weight = [0.3, 1.0, 0.0][(i + layer) % 3];
            crowd.play(id, Playback { clip, weight, mask, additive, ..playback(i + layer, 1) }).unwrap();
        }
        if i % 7 == 3 {
            crowd.stop(id).unwrap();
        }
        ids.push(id);
    }
    for gone in ids.extract_if(.., |id| id.slot() % 11 == 5) {
        crowd.despawn(gone).unwrap();
    }
    crowd.advance(0.123).unwrap();
    (crowd, ids)
}

/// The palette of each, alone in a job of the kernels.
fn one_by_one(crowd: &Crowd, ids: &[InstanceId], layout: Layout) -> Vec<Vec<u32>> {
    let plan = crowd.plan();
    let mut scratch = Scratch::new(plan);
    let masks = Masks::new(2, [[1.0; 2], MASKS[0], MASKS[1]].concat()).unwrap();
    let palette = |id: &InstanceId| {
        let mut out = vec![0.0; crowd.palette_floats()];
        let mut layers: Vec<_> = crowd.playbacks(*id).unwrap().collect();
        layers.sort_by_key(|layer| (crowd.playback(*layer).unwrap().additive, *layer));
        let layers: Vec<_> =
            layers.into_iter().map(|layer| (crowd.playback(layer).unwrap(), layer)).collect();
        let pair = |(playback, layer): &(Playback, _)| {
            [plan.bank().locate(playback.clip, crowd.shown_s(*layer).unwrap())]
        };
        let mut pairs: Vec<_> = layers.iter().map(pair).collect();
        let mut weights: Vec<_> = layers.iter().map(|(playback, _)| [playback.weight]).collect();
        let mut choices: Vec<_> =
            layers.iter().map(|(p, _)| [p.mask.map_or(0, |m| m.index() as u16 + 1)]).collect();
        if layers.is_empty() {
            pairs.push([plan.bank().locate(0, 0.0)]);
            weights.push([0.0]);
            choices.push([0]);
        }
        if let [(Playback { weight: 1.0, mask: None, additive: false, .. }, _)] = layers[..] {
            let job = PaletteJob::with_layout(plan, &pairs[0], &[0], &mut out, layout).unwrap();
            palettes(crowd.level(), job, &mut scratch);
        } else {
            let masked = choices.iter().any(|choice| choice[0] > 0);
            let layers: Vec<_> = (0..pairs.len())
                .map(|k| Layer {
                    pairs: &pairs[k],
                    weights: &weights[k],
                    blend: if layers.get(k).is_some_and(|l| l.0.additive) {
                        Blend::Additive
                    } else {
                        Blend::Average
                    },
                    mask: masked.then_some(LayerMask { masks: &masks, choice: &choices[k] }),
                    external: None,
                })
                .collect();
            let job = PaletteJob::layered(plan, &layers, &[0], &mut out, layout).unwrap();
            palettes(crowd.level(), job, &mut scratch);
        }
        bits(&out)
    };
    ids.iter().map(palette).collect()
}

#[test]
fn the_same_bits_however_instances_are_packed() {
    let pools = [1, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    for level in Level::available() {
        for rows in [RowFormat::F32, RowFormat::I16] {
            let (mut crowd, ids) = mixed(level, rows, 150);
            for format in PaletteFormat::ALL {
                crowd.set_layout(Layout::new(format)).unwrap();
                let expected = one_by_one(&crowd, &ids, Layout::new(format));
                for (threads, shard, stores) in [
                    (Threads::One, None, Stores::Cached),
                    (Threads::Pool, Some(16), Stores::Streaming),
                    (Threads::Pool, Some(64), Stores::Cached),
                ] {
                    crowd.set_threads(threads);
                    crowd.set_shard_slots(shard);
                    crowd.set_stores(Some(stores));
                    for pool in &pools {
                        pool.install(|| crowd.evaluate().len());
                        for (id, expected) in ids.iter().zip(&expected) {
                            let found = bits(crowd.palette(*id).unwrap());
                            assert_eq!(found, *expected, "{level}, {rows:?}, {format:?}, {shard:?}, {id}");
                        }
                    }
                }
            }
        }
        println!("level {level}: ran");
    }
}

/// Where the root is, which is the time that the clips show.
fn x(crowd: &mut Crowd, id: InstanceId) -> f32 {
    crowd.evaluate();
    crowd.palette(id).unwrap()[3]
}

#[test]
fn weights_masks_and_additive_clips_are_blended() {
    let mut crowd = Crowd::with_plan(plan(bank_with_additive(&[2.0])), Level::detect());
    let still = |time_s| Playback { time_s, speed: 0.0, ..Playback::default() };
    let id = crowd.spawn(still(1.0)).unwrap();
    let other = crowd.play(id, Playback { weight: 3.0, ..still(2.0_f64.next_down()) }).unwrap();
    assert!((x(&mut crowd, id) - 1.75).abs() < 1e-5);
    let none = crowd.add_mask(&[0.0, 1.0]).unwrap();
    crowd.set_mask(other, Some(none)).unwrap();
    assert!((x(&mut crowd, id) - 1.0).abs() < 1e-5);
    assert_eq!(crowd.playback(other).unwrap().mask, Some(none));
    crowd.set_mask(other, None).unwrap();
    crowd.stop(id).unwrap();
    assert!((x(&mut crowd, id) - 2.0).abs() < 1e-5);
    let more = Playback { clip: 1, additive: true, weight: -0.5, ..still(1.0) };
    let more = crowd.play(id, more).unwrap();
    assert!((x(&mut crowd, id) - 1.5).abs() < 1e-5);
    crowd.stop(other).unwrap();
    crowd.stop(more).unwrap();
    assert_eq!(x(&mut crowd, id), 0.0);
}

#[test]
fn a_synced_crossfade_keeps_the_part_of_the_way() {
    let mut crowd = crowd(&[1.0, 4.0]);
    let synced = Crossfade { synced: true, ..Crossfade::default() };
    for (wrap, time_s, expected) in [(WrapMode::Loop, 0.25, 1.0), (WrapMode::PingPong, 1.75, 7.0)] {
        let id = crowd.spawn(Playback { time_s, wrap, ..Playback::default() }).unwrap();
        crowd.crossfade(id, Playback { clip: 1, wrap, ..Playback::default() }, synced).unwrap();
        assert_eq!(crowd.playback(id).unwrap().time_s, expected);
        // On the way back of a ping-pong it is where it is, not where it goes.
        crowd.crossfade(id, Playback { clip: 0, ..Playback::default() }, synced).unwrap();
        assert_eq!(crowd.playback(id).unwrap().time_s, 0.25);
        crowd.stop(id).unwrap();
        crowd.crossfade(id, Playback { clip: 1, time_s: 2.0, ..Playback::default() }, synced).unwrap();
        assert_eq!(crowd.playback(id).unwrap().time_s, 2.0);
    }
}

#[test]
fn what_cannot_be_played_is_named_and_changes_nothing() {
    let mut crowd = Crowd::with_plan(plan(bank_with_additive(&[2.0])), Level::detect());
    let mut elsewhere = crate::make::crowd(&[2.0]);
    elsewhere.add_mask(&[1.0, 1.0]).unwrap();
    let strange = elsewhere.add_mask(&[1.0, 1.0]).unwrap();
    let fine = Playback::default();
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let additive = Playback { clip: 1, additive: true, ..fine };
    let id = crowd.spawn(fine).unwrap();
    let says = |found: Result<(), CrowdError>, words: &str| assert_eq!(found.unwrap_err().to_string(), words);
    says(crowd.add_mask(&[1.0]).map(drop), "the mask has 1 weights, but the skeleton has 2 joints");
    says(
        crowd.add_mask(&[1.0, nan]).map(drop),
        "the mask has NaN for joint 1, but a weight is a number from 0 to 8",
    );
    for (playback, words) in [
        (Playback { weight: nan, ..fine }, "weight must be finite, but is NaN"),
        (Playback { weight: -0.5, ..fine }, "weight must not be negative, but is -0.5"),
        (Playback { weight: inf, ..additive }, "weight must be finite, but is inf"),
        (Playback { clip: 2, ..fine }, "there is no clip 2: the bank has 2, counted from 0"),
        (Playback { clip: 1, ..fine }, "clip 1 is an additive clip, so it can't be played as a pose"),
        (Playback { clip: 0, ..additive }, "clip 0 is not an additive clip, so it can't be played as one"),
        (Playback { mask: Some(strange), ..fine }, "there is no mask 1: the crowd has 0, counted from 0"),
        (Playback { time_s: f64::NAN, ..fine }, "time_s must be finite, but is NaN"),
    ] {
        says(crowd.play(id, playback).map(drop), words);
        if !playback.additive {
            says(crowd.crossfade(id, playback, 0.0).map(drop), words);
            says(crowd.spawn(playback).map(drop), words);
        }
    }
    let words = "clip 1 is to be additive, which only playbacks beside the main one can be: see Crowd::play";
    says(crowd.spawn(additive).map(drop), words);
    says(crowd.crossfade(id, additive, 0.5).map(drop), words);
    says(crowd.set_clip(id, 1), "clip 1 is an additive clip, so it can't be played as a pose");
    says(crowd.crossfade(id, fine, -1.0).map(drop), "seconds must not be negative, but is -1");
    says(crowd.fade_in(id, fine, nan).map(drop), "seconds must be finite, but is NaN");
    says(crowd.fade_out(id, inf), "seconds must be finite, but is inf");
    says(crowd.fade(id, 0.5, nan), "seconds must be finite, but is NaN");
    says(crowd.set_weight(id, -1.0), "weight must not be negative, but is -1");
    says(crowd.set_mask(id, Some(strange)), "there is no mask 1: the crowd has 0, counted from 0");
    assert_eq!((crowd.playback(id), crowd.playbacks(id).unwrap().count(), crowd.len()), (Ok(fine), 1, 1));
    for _ in 0..3 {
        crowd.play(id, additive).unwrap();
    }
    for found in [crowd.play(id, fine), crowd.crossfade(id, fine, 0.3)] {
        says(found.map(drop), "instance 0v1 plays 4 clips already");
    }
    // Cut rather than faded, the old one makes room.
    crowd.crossfade(id, fine, 0.0).unwrap();
}
