//! Layers against the clips that the bank was made of: channels that all clips hold off the rest rest too.

use std::sync::Arc;

use glam::{DAffine3, Quat, Vec3};
use throng_kernels::oracle::{ClipLayer, clip_model_matrices};
use throng_kernels::{Blend, LAYERS, Layer, Level, PALETTE_FLOATS, Plan, RowFormat};
use throng_tracks::{
    BakeOptions, Channel, Clip, Interpolation, Joint, JointIndex, Rest, Skeleton, Skin, Track, Transform,
    bake,
};

use crate::blend::{Layers, pose, stage};
use crate::figure::{self, Held};
use crate::random::{Random, levels};
use crate::skins;

fn track(channel: Channel, values: &[f32]) -> Track {
    let times: Vec<f32> = (0..values.len() / channel.components()).map(|key| key as f32).collect();
    Track::new("held", channel, Interpolation::Linear, times, values.to_vec()).unwrap()
}

fn skeleton(rest: Transform) -> Skeleton {
    let joint = |parent| Joint { name: String::new(), parent, rest: Rest::Trs(rest) };
    Skeleton::new([joint(None), joint(Some(JointIndex(0)))]).unwrap()
}

/// The second joint's model matrix under one layer of one clip.
fn shown(clips: &[Clip], skeleton: &Skeleton, weight: f32, rows: RowFormat) -> Vec<f32> {
    let bank = Arc::new(bake(skeleton, clips, &BakeOptions::default()).unwrap().0);
    let plan = Plan::with_rows(Arc::clone(&bank), &Skin::model_space(skeleton), rows).unwrap();
    let (pairs, weights) = ([bank.locate(0, 0.5)], [weight]);
    let found = levels().map_or_all(|level| pose(level, &plan, &[Layer::new(&pairs, &weights)]));
    found[PALETTE_FLOATS..].to_vec()
}

trait Levels {
    /// What all levels return, which is nearly the same.
    fn map_or_all(self, f: impl FnMut(Level) -> Vec<f32>) -> Vec<f32>;
}

impl<T: IntoIterator<Item = Level>> Levels for T {
    fn map_or_all(self, f: impl FnMut(Level) -> Vec<f32>) -> Vec<f32> {
        let all: Vec<Vec<f32>> = self.into_iter().map(f).collect();
        for other in &all[1..] {
            assert!(
                all[0].iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-4),
                "{:?}, not {other:?}",
                all[0]
            );
        }
        all.into_iter().next().unwrap()
    }
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() < 1e-4
}

#[test]
fn an_arm_held_at_5_is_half_way_to_its_rest_at_half_the_weight() {
    let skeleton = skeleton(Transform::IDENTITY);
    let clip = |x: f32| {
        Clip::new("c", &skeleton, [(JointIndex(1), track(Channel::Translation, &[x, 0.0, 0.0, x, 0.0, 0.0]))])
    };
    // Once, twice, and beside a difference that adds nothing, or one that does.
    let held = || clip(5.0).unwrap();
    let sets = [
        vec![held()],
        vec![held(), held()],
        vec![held(), clip(0.0).unwrap().with_additive(true)],
        vec![held(), clip(5.0).unwrap().with_additive(true)],
    ];
    for (clips, rows) in sets.iter().flat_map(|clips| [(clips, RowFormat::F32), (clips, RowFormat::I16)]) {
        for (weight, x) in [(0.0, 0.0), (0.25, 1.25), (0.5, 2.5), (1.0, 5.0), (3.0, 5.0)] {
            let found = shown(clips, &skeleton, weight, rows)[3];
            assert!(near(found, x), "{} clips, {rows:?}, weight {weight}: {found}, not {x}", clips.len());
        }
    }
}

#[test]
fn rotations_and_scales_that_are_held_rest_too() {
    let turn = Quat::from_rotation_z(1.0);
    let half = Quat::from_rotation_z(0.5).to_array();
    let stretched = Transform { scale: Vec3::new(1.0, 2.0, 1.0), ..Transform::IDENTITY };
    for (rest, channel, value, element, expected) in [
        (Transform::IDENTITY, Channel::Rotation, turn.to_array().to_vec(), 0, [1.0, half_turn(half), 0.5403]),
        (Transform::IDENTITY, Channel::Scale, vec![3.0; 3], 0, [1.0, 2.0, 3.0]),
        (Transform::IDENTITY, Channel::Scale, vec![3.0, 1.0, 1.0], 0, [1.0, 2.0, 3.0]),
        (Transform::IDENTITY, Channel::Scale, vec![0.0; 3], 0, [1.0, 0.5, 0.0]),
        // The parent is stretched by 2 as well.
        (stretched, Channel::Scale, vec![1.0; 3], 5, [4.0, 3.0, 2.0]),
    ] {
        let skeleton = skeleton(rest);
        let values = [value.clone(), value].concat();
        let clip = Clip::new("c", &skeleton, [(JointIndex(1), track(channel, &values))]).unwrap();
        for (weight, expected) in [0.0, 0.5, 1.0].into_iter().zip(expected) {
            let found = shown(std::slice::from_ref(&clip), &skeleton, weight, RowFormat::F32)[element];
            assert!(near(found, expected), "{channel:?} at {weight}: {found}, not {expected}");
        }
    }
}

/// The first number of the matrix of a rotation about `z`.
fn half_turn([.., z, w]: [f32; 4]) -> f32 {
    w * w - z * z
}

/// Of two clips that hold one value and move something else, a single pair of rows and a layer in full show the same.
#[test]
fn layers_are_those_of_the_clips_at_every_level() {
    let (mut held, mut folded) = (0, 0);
    for case in 0..500 {
        let random = &mut Random::new(90_000 + case);
        let most = random.pick(&[2, 8, 20]);
        let additive = random.percent(40);
        let Held { bank, clips } = figure::held(random, most, additive);
        held += usize::from(bank.columns() != bank.varying_columns());
        folded += bank.varying_columns().iter().filter(|columns| columns.rotation.is_none()).count();
        let skin = skins::skin(random, bank.skeleton());
        let rows = random.pick(&[RowFormat::F32, RowFormat::F32, RowFormat::I16]);
        let plan = Plan::with_rows(Arc::clone(&bank), &skin, rows).unwrap();
        let mut layers = if additive {
            Layers::any(random, &bank, 5)
        } else {
            Layers::of(random, &bank, 5, LAYERS, |random, _| random.pick(&[0.0, 0.01, 0.1, 1.0]))
        };
        let mut times_s = Vec::new();
        for (layer, pairs) in layers.pairs.iter_mut().enumerate() {
            let of_kind: Vec<usize> = (0..clips.len())
                .filter(|&clip| clips[clip].is_additive() == (layers.blend[layer] == Blend::Additive))
                .collect();
            // At rows, which are the poses of the clip themselves. The bake chooses the rate of each clip.
            let shown = pairs.iter_mut().map(|pair| {
                let clip = random.pick(&of_kind);
                let time_s = random.below(9) as f32 / bank.clips()[clip].rate_hz();
                *pair = bank.locate(clip, time_s);
                (clip, time_s)
            });
            times_s.push(shown.collect::<Vec<_>>());
        }
        for level in levels() {
            let found = pose(level, &plan, &layers.layers());
            let staged = stage(level, &plan, &layers.layers());
            for (instance, (found, staged)) in
                found.chunks(plan.palette_floats()).zip(staged.chunks(plan.palette_floats())).enumerate()
            {
                let of_instance = layers.of_instance(instance);
                let of_clips: Vec<ClipLayer<'_>> = of_instance
                    .iter()
                    .zip(&times_s)
                    .map(|(layer, shown)| ClipLayer {
                        clip: &clips[shown[instance].0],
                        time_s: shown[instance].1,
                        weight: layer.weight,
                        mask: layer.mask,
                    })
                    .collect();
                let models = clip_model_matrices(bank.skeleton(), &of_clips);
                let what = format!("case {case}, {rows:?} at {level}, instance {instance}");
                hold(&models, &skin, found, if rows == RowFormat::F32 { 1e-4 } else { 1e-2 }, &what);
                hold(&models, &skin, staged, 1e-4, &format!("{what}, in stages"));
            }
        }
    }
    assert!(held > 300 && folded > 300, "{held} banks and {folded} joints hold something");
}

/// Palettes within a part of the largest number on the way.
fn hold(models: &[DAffine3], skin: &Skin, found: &[f32], part: f64, what: &str) {
    let size = |m: &DAffine3| m.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    let largest = models.iter().map(size).fold(1.0, f64::max);
    for (entry, (joint, bind)) in skin.joints().iter().zip(skin.inverse_bind()).enumerate() {
        let bind = bind.as_daffine3();
        let expected = models[joint.get()] * bind;
        let allowed = part * largest * size(&bind).max(1.0) * models.len() as f64;
        for (at, found) in found[PALETTE_FLOATS * entry..][..PALETTE_FLOATS].iter().enumerate() {
            let exact = expected.to_cols_array()[at % 4 * 3 + at / 4];
            let error = (f64::from(*found) - exact).abs();
            assert!(error <= allowed, "{what}, entry {entry}: {found}, exactly {exact}; allowed {allowed:e}");
        }
    }
}
