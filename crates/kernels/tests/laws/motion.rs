//! Root motion in lanes against that of curves, one by one and in `f64`.

use std::sync::LazyLock;

use glam::{DQuat, DVec3, Quat};
use proptest::prelude::*;
use throng_kernels::{
    BLOCK, Level, Line, MotionBlock, MotionLayer, MotionSums, MotionTable, add_motion, finish_motion,
};
use throng_tracks::tools::RootMotion;
use throng_tracks::{
    Axis, BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, Placement, Rest, Skeleton,
    Track, Transform, bake,
};

fn bank(axis: Axis) -> Bank {
    let skeleton =
        Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])
            .unwrap();
    let clip = |name: &str, seconds: f32, turn: f32, way: f32| {
        let times: Vec<f32> = (0..=40u8).map(|i| f32::from(i) / 40.0 * seconds).collect();
        let unit = [glam::Vec3::X, glam::Vec3::Y, glam::Vec3::Z][axis.index()];
        let places = times.iter().flat_map(|t| [way * t, 0.3 * (3.0 * t).sin(), way * t * t - 0.5]).collect();
        let turns = times.iter().flat_map(|t| Quat::from_axis_angle(unit, turn * t * t).to_array()).collect();
        let linear = Interpolation::Linear;
        let place = Track::new("place", Channel::Translation, linear, times.clone(), places).unwrap();
        let turn = Track::new("turn", Channel::Rotation, linear, times, turns).unwrap();
        Clip::new(name, &skeleton, [(JointIndex(0), place), (JointIndex(0), turn)]).unwrap()
    };
    let still = Clip::new("still", &skeleton, []).unwrap();
    let clips = [clip("walk", 1.1, 0.5, 1.4), clip("spin", 0.7, -5.0, 0.2), still];
    let root_motion = RootMotion { yaw: Some(axis), translation: [true; 3], ..RootMotion::of("hips") };
    let options = BakeOptions { root_motion: Some(root_motion), ..BakeOptions::default() };
    bake(&skeleton, &clips, &options).unwrap().0
}

static BANKS: LazyLock<[Bank; 3]> = LazyLock::new(|| [Axis::X, Axis::Y, Axis::Z].map(bank));

/// One playback of an instance: a clip, two times of it, a weight on the way, and how much of all it was.
#[derive(Clone, Copy, Debug)]
struct Way {
    clip: usize,
    times_s: [f64; 2],
    weight: f32,
}

fn ways() -> impl Strategy<Value = Vec<Vec<Way>>> {
    let weight = prop_oneof![Just(0.0f32), Just(1.0f32), 0.0f32..1.5];
    let way = (0usize..2, -0.2f64..1.4, -0.2f64..1.4, weight).prop_map(|(clip, from, to, weight)| Way {
        clip,
        times_s: [from, to],
        weight,
    });
    let near = (0usize..2, 0.0f64..0.7, 0.0f64..0.02, 0.0f32..1.0).prop_map(|(clip, from, on, weight)| Way {
        clip,
        times_s: [from, from + on],
        weight,
    });
    let way = prop_oneof![way, near];
    prop::collection::vec(prop::collection::vec(way, 2 * BLOCK), 1..4)
}

/// The same for one instance.
fn expected(bank: &Bank, ways: &[Way]) -> (DQuat, DVec3) {
    let (mut turn, mut place, mut share) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO, 0.0);
    for way in ways {
        let [from, to] = way.times_s.map(|t| bank.clips()[way.clip].motion().unwrap().at(t));
        let back = from.rotation.as_dquat().normalize().inverse();
        let step = (back * to.rotation.as_dquat().normalize()).normalize();
        let step = if step.w < 0.0 { -step } else { step };
        let weight = f64::from(way.weight);
        let side = if turn.dot(step) < 0.0 { -1.0 } else { 1.0 };
        turn += step * (side * weight);
        place += back * (to.translation.as_dvec3() - from.translation.as_dvec3()) * weight;
        share += weight;
    }
    let rest = (1.0 - share).max(0.0);
    ((turn + DQuat::IDENTITY * rest).normalize(), place / share.max(1.0))
}

fn run(level: Level, table: &MotionTable, layers: &[Vec<Way>]) -> Vec<MotionBlock> {
    let (mut sums, mut shares) = ([MotionSums::ZERO; 2], [Line::ZERO; 2]);
    for ways in layers {
        let clips: Vec<_> = ways.iter().map(|way| way.clip as u32).collect();
        let from_s: Vec<_> = ways.iter().map(|way| way.times_s[0]).collect();
        let to_s: Vec<_> = ways.iter().map(|way| way.times_s[1]).collect();
        let mut weights = [Line::ZERO; 2];
        for (slot, way) in ways.iter().enumerate() {
            weights[slot / BLOCK].0[slot % BLOCK] = way.weight;
            shares[slot / BLOCK].0[slot % BLOCK] += way.weight;
        }
        let layer = MotionLayer {
            clips: clips.as_chunks().0,
            from_s: from_s.as_chunks().0,
            to_s: to_s.as_chunks().0,
            weights: &weights,
        };
        add_motion(level, table, layer, &mut sums);
    }
    let mut out = vec![MotionBlock::STILL; 2];
    finish_motion(level, &sums, &shares, &mut out);
    out
}

proptest! {
    #[test]
    fn steps_in_lanes_are_those_of_curves(layers in ways(), bank in 0usize..3) {
        let bank = &BANKS[bank];
        let table = MotionTable::new(bank).unwrap();
        let first = run(Level::available()[0], &table, &layers);
        for level in Level::available() {
            prop_assert!(run(level, &table, &layers) == first, "{level}: other bits");
        }
        for slot in 0..2 * BLOCK {
            let ways: Vec<_> = layers.iter().map(|ways| ways[slot]).collect();
            let (turn, place) = expected(bank, &ways);
            let step = first[slot / BLOCK].step(slot % BLOCK, table.axis()).unwrap_or_default();
            let off = (step.translation.as_dvec3() - place).length();
            prop_assert!(off < 2e-6, "{ways:?}: {place} and {step:?}");
            let off = 1.0 - step.rotation.as_dquat().dot(turn).abs();
            prop_assert!(off < 1e-6, "{ways:?}: {turn} and {step:?}");
        }
    }

    #[test]
    fn a_way_that_is_added_alone_has_the_bits_of_lanes(layers in ways()) {
        let table = MotionTable::new(&BANKS[1]).unwrap();
        let lanes = run(Level::detect(), &table, &layers);
        let (mut sums, mut shares) = ([MotionSums::ZERO; 2], [Line::ZERO; 2]);
        for ways in &layers {
            for (slot, way) in ways.iter().enumerate() {
                let (block, lane) = (slot / BLOCK, slot % BLOCK);
                sums[block].add_way(lane, &table, way.clip as u32, way.times_s, way.weight);
                shares[block].0[lane] += way.weight;
            }
        }
        let mut alone = vec![MotionBlock::STILL; 2];
        finish_motion(Level::detect(), &sums, &shares, &mut alone);
        prop_assert_eq!(lanes, alone);
    }

    #[test]
    fn a_step_that_is_added_alone_is_that_of_lanes(layers in ways()) {
        let table = MotionTable::new(&BANKS[1]).unwrap();
        let lanes = run(Level::detect(), &table, &layers[..1]);
        let mut sums = [MotionSums::ZERO; 2];
        let mut shares = [Line::ZERO; 2];
        for (slot, way) in layers[0].iter().enumerate() {
            let [from_s, to_s] = way.times_s;
            let step = BANKS[1].clips()[way.clip].motion().unwrap().step(from_s, to_s);
            sums[slot / BLOCK].add(slot % BLOCK, table.axis(), &step, way.weight);
            shares[slot / BLOCK].0[slot % BLOCK] = way.weight;
        }
        let mut alone = [MotionBlock::STILL; 2];
        finish_motion(Level::detect(), &sums, &shares, &mut alone);
        for slot in 0..2 * BLOCK {
            let [a, b] = [&lanes, &alone.to_vec()]
                .map(|blocks: &Vec<MotionBlock>| blocks[slot / BLOCK].step(slot % BLOCK, table.axis()).unwrap_or_default());
            prop_assert!(a.translation.abs_diff_eq(b.translation, 1e-6) && a.rotation.dot(b.rotation) > 1.0 - 1e-6);
        }
    }
}

#[test]
fn who_stands_still_stays_exactly() {
    let table = MotionTable::new(&BANKS[1]).unwrap();
    let ways: Vec<Way> = (0..2 * BLOCK)
        .map(|i| Way { clip: i % 2, times_s: [i as f64 * 0.02; 2], weight: i as f32 * 0.07 })
        .collect();
    for level in Level::available() {
        let blocks = run(level, &table, &[ways.clone(), ways.clone()]);
        for slot in 0..2 * BLOCK {
            assert_eq!(blocks[slot / BLOCK].step(slot % BLOCK, Axis::Y), None, "{level}: {slot}");
        }
    }
    // Clips that lead nowhere, or are none.
    let nowhere = [2, 9].map(|clip| vec![Way { clip, times_s: [0.1, 0.6], weight: 0.7 }; 2 * BLOCK]);
    let blocks = run(Level::detect(), &table, &nowhere);
    assert!((0..BLOCK).all(|lane| blocks[0].step(lane, Axis::Y).is_none()));
    let mut block =
        run(Level::detect(), &table, &[vec![Way { clip: 0, times_s: [0.0, 1.0], weight: 1.0 }; 2 * BLOCK]])
            [0];
    block.stay(3);
    assert_eq!(block.step(3, Axis::Y), None);
    assert_ne!(block.step(4, Axis::Y), None);
    assert_eq!(Placement::IDENTITY.about_axis(Axis::Y), ([0.0, 1.0], [0.0; 3]));
}
