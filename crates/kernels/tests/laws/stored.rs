//! What rows of sixteen bits cost a clip, whatever other clips of its bank do.

use std::sync::Arc;

use glam::{DAffine3, Quat, Vec3};
use throng_kernels::oracle::{ClipLayer, clip_model_matrices};
use throng_kernels::{Blend, Layer, Level, PALETTE_FLOATS, Plan, RowFormat, Stores};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, Rest, Skeleton, Skin, Track,
    Transform, bake,
};

use crate::blend;
use crate::palettes::pose;
use crate::random::{Random, bits, classes, levels};

/// A chain of 1.8 m.
fn skeleton() -> Skeleton {
    let joint = |j: u16| {
        let translation = if j == 0 { Vec3::ZERO } else { 0.3 * Vec3::Y };
        let rest = Rest::Trs(Transform { translation, ..Transform::IDENTITY });
        Joint { name: format!("joint {j}"), parent: j.checked_sub(1).map(JointIndex), rest }
    };
    Skeleton::new((0..7).map(joint)).unwrap()
}

fn track(channel: Channel, values: &[f32]) -> Track {
    let times: Vec<f32> = (0..values.len() / channel.components()).map(|key| key as f32 / 4.0).collect();
    Track::new("t", channel, Interpolation::Linear, times, values.to_vec()).unwrap()
}

/// A walk of 1 m that turns every joint a little.
fn quiet(skeleton: &Skeleton, seed: u64) -> Clip {
    let random = &mut Random::new(seed);
    let mut tracks = vec![(JointIndex(0), track(Channel::Translation, &[-0.5, 0.0, 0.0, 0.5, 0.0, 0.0]))];
    for joint in skeleton.joints() {
        let turns: Vec<f32> =
            (0..3).flat_map(|_| Quat::from_scaled_axis(random.vector(0.05)).to_array()).collect();
        tracks.push((joint, track(Channel::Rotation, &turns)));
    }
    Clip::new("quiet", skeleton, tracks).unwrap()
}

fn of(skeleton: &Skeleton, name: &str, joint: u16, channel: Channel, values: &[f32]) -> Clip {
    Clip::new(name, skeleton, [(JointIndex(joint), track(channel, values))]).unwrap()
}

/// Clips that need far larger numbers than the quiet one, and columns that are floats for them.
fn loud(skeleton: &Skeleton) -> Vec<(&'static str, Vec<Clip>)> {
    let far = [0.0, 0.0, 0.0, 1e4, 0.0, 0.0];
    let spin: Vec<f32> = (0..9)
        .flat_map(|k| Quat::from_rotation_y(k as f32 * std::f32::consts::FRAC_PI_4).to_array())
        .collect();
    vec![
        ("10 km", vec![of(skeleton, "far", 0, Channel::Translation, &far)]),
        ("10 km back", vec![of(skeleton, "far", 0, Channel::Translation, &far.map(|v| -v))]),
        ("10 km from the middle", vec![of(skeleton, "far", 3, Channel::Translation, &far)]),
        (
            "1,000 times as large",
            vec![of(skeleton, "large", 2, Channel::Scale, &[1.0, 1.0, 1.0, 1e3, 1e3, 1e3])],
        ),
        (
            "1,000 times as long",
            vec![of(skeleton, "long", 2, Channel::Scale, &[1.0, 1.0, 1.0, 1.0, 1e3, 1.0])],
        ),
        ("a difference", vec![of(skeleton, "add", 0, Channel::Translation, &far).with_additive(true)]),
        ("a turn all the way round", vec![of(skeleton, "spin", 0, Channel::Rotation, &spin)]),
        (
            "75 others",
            (0..74)
                .map(|k| quiet(skeleton, 100 + k))
                .chain([of(skeleton, "far", 0, Channel::Translation, &far)])
                .collect(),
        ),
    ]
}

fn plan(skeleton: &Skeleton, clips: &[Clip], rows: RowFormat) -> Plan {
    let bank = Arc::new(bake(skeleton, clips, &BakeOptions::default()).unwrap().0);
    Plan::with_rows(bank, &Skin::model_space(skeleton), rows).unwrap()
}

/// The farthest that a joint of clip 0 is off, in model space, by the clip itself.
fn farthest(level: Level, plan: &Plan, clip: &Clip) -> f64 {
    let times: Vec<f32> = (0..40).map(|k| k as f32 / 40.0 * clip.duration_s()).collect();
    let pairs: Vec<_> = times.iter().map(|t| plan.bank().locate(0, *t)).collect();
    let found = pose(level, Stores::Cached, plan, &pairs);
    let mut largest = 0.0f64;
    for (time_s, found) in times.iter().zip(found.chunks(plan.palette_floats())) {
        let layer = ClipLayer { clip, time_s: *time_s, weight: 1.0, mask: None };
        let exact = clip_model_matrices(plan.bank().skeleton(), &[layer]);
        largest = largest.max(off(&exact, found));
    }
    largest
}

/// The farthest that a joint's origin is from where it should be.
fn off(exact: &[DAffine3], found: &[f32]) -> f64 {
    let moved = |(exact, found): (&DAffine3, &[f32])| {
        let found = glam::DVec3::new(found[3].into(), found[7].into(), found[11].into());
        exact.translation.distance(found)
    };
    exact.iter().zip(found.chunks(PALETTE_FLOATS)).map(moved).fold(0.0, f64::max)
}

#[test]
fn a_clip_is_as_good_beside_any_other_as_in_a_bank_of_its_own() {
    let skeleton = skeleton();
    let clip = quiet(&skeleton, 1);
    let alone = plan(&skeleton, std::slice::from_ref(&clip), RowFormat::I16);
    let stored = alone.row_error();
    assert_eq!(stored.float_columns, 0, "sixteen bits are enough for it");
    for (what, others) in loud(&skeleton) {
        let clips: Vec<Clip> = [clip.clone()].into_iter().chain(others).collect();
        let beside = plan(&skeleton, &clips, RowFormat::I16);
        let found = beside.row_error();
        assert!(found.float_columns > 0 && found.packed_columns >= 24, "{what}: {found:?}");
        for class in classes() {
            let own = farthest(class[0], &alone, &clip);
            let error = farthest(class[0], &beside, &clip);
            // The bake keeps an f32's precision.
            assert!(
                error <= own.max(2e-5) && error < 3e-5,
                "{what} at {}: {error:e}, alone {own:e}",
                class[0]
            );
            let pairs: Vec<_> =
                (0..40).map(|k| beside.bank().locate(k % clips.len(), k as f32 / 40.0)).collect();
            let pairs: Vec<_> = pairs
                .into_iter()
                .enumerate()
                .filter(|(k, _)| !clips[k % clips.len()].is_additive())
                .map(|(_, pair)| pair)
                .collect();
            let expected = pose(class[0], Stores::Cached, &beside, &pairs);
            for level in &class[1..] {
                let found = pose(*level, Stores::Streaming, &beside, &pairs);
                assert!(bits(&expected) == bits(&found), "{what}: {level} returns other bits");
            }
        }
    }
}

/// In blends, averages and differences too.
#[test]
fn blends_of_rows_of_both_kinds_are_those_of_the_clips() {
    let skeleton = skeleton();
    let far = of(&skeleton, "far", 0, Channel::Translation, &[0.0, 0.0, 0.0, 1e3, 0.0, 0.0]);
    let clips = [quiet(&skeleton, 1), far.clone(), far.with_additive(true)];
    let plan = plan(&skeleton, &clips, RowFormat::I16);
    let pair = |clip, time_s| [plan.bank().locate(clip, time_s)];
    let (a, b, d) = (pair(0, 0.1), pair(1, 0.1), pair(2, 0.05));
    let (wa, wb, wd) = ([0.5], [0.25], [-0.5]);
    let difference = Layer { blend: Blend::Additive, ..Layer::new(&d, &wd) };
    let layers = [Layer::new(&a, &wa), Layer::new(&b, &wb), difference];
    let of_clips = [(0, 0.1, 0.5), (1, 0.1, 0.25), (2, 0.05, -0.5)].map(|(clip, time_s, weight)| ClipLayer {
        clip: &clips[clip],
        time_s,
        weight,
        mask: None,
    });
    let exact = clip_model_matrices(&skeleton, &of_clips);
    for level in levels() {
        let error = off(&exact, &blend::pose(level, &plan, &layers));
        assert!(error < 5e-5, "at {level}: {error:e}");
    }
}

/// The error told is the error there is: at no time more, and at the time told about as much.
#[test]
fn the_error_told_is_that_of_the_rows_as_stored() {
    let skeleton = skeleton();
    for rows in [RowFormat::F32, RowFormat::I16] {
        for (what, others) in loud(&skeleton) {
            let clips: Vec<Clip> = [quiet(&skeleton, 1)].into_iter().chain(others).collect();
            let plan = plan(&skeleton, &clips, rows);
            let told = plan.row_error();
            assert_eq!(told.clips.len(), clips.len());
            assert_eq!(told.largest, told.clips[told.clip.unwrap()], "{what}");
            assert_eq!(told.packed_columns == 0, rows == RowFormat::F32);
            let bank = plan.bank();
            for (index, told) in told.clips.iter().enumerate().take(3) {
                if bank.clips()[index].is_additive() {
                    continue;
                }
                let end = bank.clips()[index].duration_s();
                let worst = (0..200)
                    .map(|k| measured(&plan, bank, index, k as f32 / 199.0 * end))
                    .fold((0.0f64, 0.0f64), |a, b| (a.0.max(b.0), a.1.max(b.1)));
                // What the kernel itself rounds comes on top.
                let rounding = worst.1 * 40.0 * f64::from(f32::EPSILON);
                let most = f64::from(told.error) * 1.01 + rounding;
                assert!(worst.0 <= most, "{what}, {rows:?}, clip {index}: {:e} above {most:e}", worst.0);
                let there = measured(&plan, bank, index, told.time_s).0;
                let least = f64::from(told.error) * 0.3 - rounding;
                assert!(
                    there >= least,
                    "{what}, {rows:?}, clip {index}: {there:e} at the time told, {told:?}"
                );
            }
        }
    }
}

/// The farthest that a joint's column is off by the bank's rows, and the largest number of all.
fn measured(plan: &Plan, bank: &Bank, clip: usize, time_s: f32) -> (f64, f64) {
    let pair = bank.locate(clip, time_s);
    let exact = throng_kernels::oracle::model_matrices(bank, pair);
    let found = pose(Level::detect(), Stores::Cached, plan, &[pair]);
    let mut worst = (0.0f64, 0.0f64);
    for (exact, found) in exact.iter().zip(found.chunks(PALETTE_FLOATS)) {
        let columns = exact.to_cols_array_2d();
        for (column, exact) in columns.iter().enumerate() {
            let off = (0..3).map(|row| f64::from(found[4 * row + column]) - exact[row]);
            worst.0 = worst.0.max(off.map(|v| v * v).sum::<f64>().sqrt());
            worst.1 = exact.iter().fold(worst.1, |a, b| a.max(b.abs()));
        }
    }
    worst
}
