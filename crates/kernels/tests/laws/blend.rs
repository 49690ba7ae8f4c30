//! Layers, against the oracle and against each other.

use std::sync::Arc;

use throng_kernels::oracle::BlendLayer;
use throng_kernels::{
    Blend, JobError, LAYERS, Layer, LayerMask, Layout, Level, MAX_MASK, Masks, ModelBlocks, PALETTE_FLOATS,
    PaletteJob, Plan, PoseBlocks, RowFormat, Scratch, model_to_palette, palettes, pose_to_model,
    sample_layers,
};
use throng_tracks::{Bank, RowPair, Skin};

use crate::bound::expected_blend;
use crate::random::{Random, bits, classes, levels};
use crate::{figure, skins};

/// Layers of some instances, owned.
pub(crate) struct Layers {
    pub(crate) pairs: Vec<Vec<RowPair>>,
    pub(crate) weights: Vec<Vec<f32>>,
    pub(crate) blend: Vec<Blend>,
    choices: Vec<Option<Vec<u16>>>,
    pub(crate) masks: Masks,
}

impl Layers {
    pub(crate) fn any(random: &mut Random, bank: &Bank, instances: usize) -> Self {
        let count = 1 + random.below(4);
        let additive = random.below(count.min(3));
        let joints = bank.skeleton().joint_count();
        let masks = (0..3 * joints).map(|_| random.pick(&[0.0, 1.0, 1.0, 0.5, 0.25])).collect();
        let masked = random.percent(40);
        let blend: Vec<Blend> = (0..count)
            .map(|layer| if layer >= count - additive { Blend::Additive } else { Blend::Average })
            .collect();
        let full = random.percent(50);
        let mut weights: Vec<Vec<f32>> = blend
            .iter()
            .map(|blend| {
                let high = if *blend == Blend::Additive { 1.5 } else { 1.0 };
                let low = if *blend == Blend::Additive { -0.5 } else { 0.0 };
                (0..instances)
                    .map(|_| {
                        let any = random.between(low, high);
                        random.pick(&[0.0, 1.0, any])
                    })
                    .collect()
            })
            .collect();
        if full {
            // Sums of 1, or near.
            for instance in 0..instances {
                let averages = count - additive;
                let sum: f32 = weights[..averages].iter().map(|w| w[instance]).sum();
                weights[..averages].iter_mut().for_each(|w| w[instance] /= sum.max(1e-3));
            }
        }
        Self {
            pairs: blend.iter().map(|blend| pairs(random, bank, *blend, instances)).collect(),
            weights,
            choices: blend
                .iter()
                .map(|_| {
                    (masked && random.percent(70))
                        .then(|| (0..instances).map(|_| random.below(3) as u16).collect())
                })
                .collect(),
            blend,
            masks: Masks::new(joints, masks).unwrap(),
        }
    }

    /// As many as can be, first so many averages, in masks of the largest weights and others.
    pub(crate) fn of(
        random: &mut Random,
        bank: &Bank,
        instances: usize,
        averages: usize,
        mut weight: impl FnMut(&mut Random, Blend) -> f32,
    ) -> Self {
        let kind = |layer| if layer < averages { Blend::Average } else { Blend::Additive };
        let blend: Vec<Blend> = (0..LAYERS).map(kind).collect();
        let joints = bank.skeleton().joint_count();
        let masks =
            (0..3 * joints).map(|_| random.pick(&[MAX_MASK, MAX_MASK, 0.9 * MAX_MASK, 0.0])).collect();
        let mut masked =
            || random.percent(80).then(|| (0..instances).map(|_| random.below(3) as u16).collect());
        Self {
            choices: blend.iter().map(|_| masked()).collect(),
            pairs: blend.iter().map(|blend| pairs(random, bank, *blend, instances)).collect(),
            weights: blend
                .iter()
                .map(|blend| (0..instances).map(|_| weight(random, *blend)).collect())
                .collect(),
            blend,
            masks: Masks::new(joints, masks).unwrap(),
        }
    }

    pub(crate) fn layers(&self) -> Vec<Layer<'_>> {
        (0..self.blend.len())
            .map(|k| Layer {
                pairs: &self.pairs[k],
                weights: &self.weights[k],
                blend: self.blend[k],
                mask: self.choices[k].as_ref().map(|choice| LayerMask { masks: &self.masks, choice }),
                external: None,
            })
            .collect()
    }

    pub(crate) fn of_instance(&self, instance: usize) -> Vec<BlendLayer<'_>> {
        (0..self.blend.len())
            .map(|k| BlendLayer {
                pair: self.pairs[k][instance],
                weight: self.weights[k][instance],
                additive: self.blend[k] == Blend::Additive,
                mask: self.choices[k]
                    .as_ref()
                    .map(|choice| self.masks.weights(usize::from(choice[instance])).unwrap()),
            })
            .collect()
    }
}

/// Places in clips of the kind.
fn pairs(random: &mut Random, bank: &Bank, blend: Blend, count: usize) -> Vec<RowPair> {
    let kind: Vec<usize> = (0..bank.clips().len())
        .filter(|&clip| bank.clips()[clip].is_additive() == (blend == Blend::Additive))
        .collect();
    (0..count)
        .map(|_| {
            let clip = random.pick(&kind);
            bank.locate(clip, random.between(-0.1, 1.1) * bank.clips()[clip].duration_s())
        })
        .collect()
}

pub(crate) fn pose(level: Level, plan: &Plan, layers: &[Layer<'_>]) -> Vec<f32> {
    let count = layers[0].pairs.len();
    let places: Vec<u32> = (0..count as u32).collect();
    let mut out = vec![f32::NAN; count * plan.palette_floats()];
    palettes(
        level,
        PaletteJob::layered(plan, layers, &places, &mut out, Layout::default()).unwrap(),
        &mut Scratch::new(plan),
    );
    out
}

pub(crate) fn hold(
    bank: &Bank,
    skin: &Skin,
    layers: &Layers,
    format: RowFormat,
    found: &[f32],
    what: &str,
) -> f64 {
    let mut largest = 0.0f64;
    for (instance, found) in found.chunks_exact(skin.joints().len() * PALETTE_FLOATS).enumerate() {
        let of_instance = layers.of_instance(instance);
        let expected = expected_blend(bank, skin, &of_instance, format);
        for (entry, (expected, found)) in
            expected.into_iter().zip(found.chunks_exact(PALETTE_FLOATS)).enumerate()
        {
            let what = || format!("{what}: entry {entry} of instance {instance}; {of_instance:?}");
            largest = largest.max(expected.hold(found, what));
        }
    }
    largest
}

#[test]
fn layers_are_the_oracles_at_every_level() {
    for format in [RowFormat::F32, RowFormat::I16] {
        let mut largest = 0.0f64;
        for case in 0..1500 {
            let random = &mut Random::new(case);
            let most = random.pick(&[2, 8, 20]);
            let bank = figure::additive_bank(random, most);
            let skin = skins::skin(random, bank.skeleton());
            let plan = Plan::with_rows(Arc::clone(&bank), &skin, format).unwrap();
            let instances = random.pick(&[1, 5, 18]);
            let layers = Layers::any(random, &bank, instances);
            for class in classes() {
                let found = pose(class[0], &plan, &layers.layers());
                let what = format!("case {case} {format:?} at {}", class[0]);
                largest = largest.max(hold(&bank, &skin, &layers, format, &found, &what));
                for level in &class[1..] {
                    let other = pose(*level, &plan, &layers.layers());
                    assert!(bits(&found) == bits(&other), "{what}: {level} returns other bits");
                }
            }
        }
        println!("largest error, {format:?}: {largest} of the bound");
    }
}

/// Palettes by way of local poses and model matrices.
pub(crate) fn stage(level: Level, plan: &Plan, layers: &[Layer<'_>]) -> Vec<f32> {
    let (joints, count) = (plan.bank().skeleton().joint_count(), layers[0].pairs.len());
    let (mut poses, mut models) = (PoseBlocks::new(joints, count), ModelBlocks::new(joints, count));
    sample_layers(level, plan, layers, &mut poses).unwrap();
    for block in poses.groups().flatten().flatten() {
        assert!(block.0.iter().all(|v| v.is_finite()), "blocks are full at {level}");
    }
    pose_to_model(level, plan, &poses, &mut models);
    let mut out = vec![f32::NAN; count * plan.palette_floats()];
    model_to_palette(level, plan, &models, &mut out).unwrap();
    out
}

#[test]
fn local_poses_of_layers_are_the_oracles_at_every_level() {
    let mut largest = 0.0f64;
    for case in 0..700 {
        let random = &mut Random::new(50_000 + case);
        let most = random.pick(&[2, 8, 20]);
        let bank = figure::additive_bank(random, most);
        let skin = skins::skin(random, bank.skeleton());
        // The rows of the plan have no part in it.
        let format = random.pick(&[RowFormat::F32, RowFormat::I16]);
        let plan = Plan::with_rows(Arc::clone(&bank), &skin, format).unwrap();
        let instances = random.pick(&[1, 5, 18]);
        let layers = Layers::any(random, &bank, instances);
        for class in classes() {
            let found = stage(class[0], &plan, &layers.layers());
            let what = format!("case {case} at {}", class[0]);
            largest = largest.max(hold(&bank, &skin, &layers, RowFormat::F32, &found, &what));
            for level in &class[1..] {
                let other = stage(*level, &plan, &layers.layers());
                assert!(bits(&found) == bits(&other), "{what}: {level} returns other bits");
            }
        }
    }
    println!("largest error: {largest} of the bound");
}

#[test]
fn local_poses_of_wrong_layers_are_errors() {
    let bank = figure::additive_bank(&mut Random::new(3), 8);
    let plan = Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap();
    let pairs = pairs(&mut Random::new(3), &bank, Blend::Average, 2);
    let mut poses = PoseBlocks::new(bank.skeleton().joint_count(), 2);
    let before = poses.clone();
    let mut sample = |layers: &[Layer<'_>]| sample_layers(Level::detect(), &plan, layers, &mut poses);
    let layer = |weights| Layer::new(&pairs, weights);
    assert!(matches!(sample(&[]), Err(JobError::LayerCount { found: 0 })));
    assert!(matches!(sample(&[layer(&[1.0])]), Err(JobError::LayerLength { found: 1, places: 2, .. })));
    assert!(matches!(sample(&[layer(&[1.0, f32::NAN])]), Err(JobError::Weight { instance: 1, .. })));
    let additive = Layer { blend: Blend::Additive, ..layer(&[1.0, 1.0]) };
    assert!(matches!(sample(&[additive]), Err(JobError::RowKind { instance: 0, .. })));
    assert_eq!(poses, before);
}

#[test]
fn one_layer_in_full_is_the_clip_and_none_is_the_rest() {
    for case in 0..300 {
        let random = &mut Random::new(case);
        let bank = figure::additive_bank(random, 20);
        let skin = Skin::model_space(bank.skeleton());
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        let pairs = pairs(random, &bank, Blend::Average, 7);
        for level in levels() {
            for weight in [1.0, 2.5, 0.0] {
                let weights = [weight; 7];
                let layer = Layer::new(&pairs, &weights);
                let found = pose(level, &plan, &[layer]);
                let one = |pair: &RowPair| BlendLayer { pair: *pair, weight, additive: false, mask: None };
                for (pair, found) in pairs.iter().zip(found.chunks_exact(plan.palette_floats())) {
                    let expected = expected_blend(&bank, &skin, &[one(pair)], RowFormat::F32);
                    for (expected, found) in expected.iter().zip(found.chunks_exact(PALETTE_FLOATS)) {
                        expected.hold(found, || format!("case {case} at {level}, weight {weight}"));
                    }
                }
            }
        }
    }
}

/// Lanes never influence each other: neither does what they are grouped with.
#[test]
fn any_grouping_gives_the_same_bits() {
    for case in 0..200 {
        let random = &mut Random::new(case);
        let bank = figure::additive_bank(random, 12);
        let skin = skins::skin(random, bank.skeleton());
        let plan = Plan::with_rows(Arc::clone(&bank), &skin, random.pick(&[RowFormat::F32, RowFormat::I16]));
        let plan = plan.unwrap();
        let layers = Layers::any(random, &bank, 19);
        for level in levels() {
            let all = pose(level, &plan, &layers.layers());
            for (instance, all) in all.chunks_exact(plan.palette_floats()).enumerate() {
                let one = instance..instance + 1;
                let alone: Vec<Layer<'_>> = layers
                    .layers()
                    .iter()
                    .map(|l| Layer {
                        pairs: &l.pairs[one.clone()],
                        weights: &l.weights[one.clone()],
                        mask: l.mask.map(|mask| LayerMask { choice: &mask.choice[one.clone()], ..mask }),
                        ..*l
                    })
                    .collect();
                assert!(bits(all) == bits(&pose(level, &plan, &alone)), "case {case}, {instance} at {level}");
            }
        }
    }
}

#[test]
fn jobs_of_layers_that_cannot_be() {
    let bank = figure::additive_bank(&mut Random::new(4), 6);
    let plan = Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap();
    let joints = bank.skeleton().joint_count();
    let masks = Masks::new(joints, vec![1.0; joints]).unwrap();
    let other = Masks::new(joints + 1, vec![1.0; joints + 1]).unwrap();
    let additive = bank.clips().iter().position(|clip| clip.is_additive()).unwrap();
    let (own, difference) = ([bank.locate(0, 0.0)], [bank.locate(additive, 0.0)]);
    let good = Layer::new(&own, &[1.0]);
    let mask = |masks, choice| Some(LayerMask { masks, choice });
    let message = |layers: &[Layer<'_>]| -> String {
        let mut out = vec![0.0; plan.palette_floats()];
        let error: JobError =
            PaletteJob::layered(&plan, layers, &[0], &mut out, Layout::default()).err().unwrap();
        error.to_string()
    };
    let cases: [(Vec<Layer<'_>>, &str); 13] = [
        (vec![], "0 layers, but a job blends 1 to 4"),
        (vec![good; 5], "5 layers, but a job blends 1 to 4"),
        (vec![good, Layer { weights: &[], ..good }], "layer 1 has 0 weights, but there are 1 places"),
        (vec![Layer { pairs: &[], ..good }], "layer 0 has 0 row pairs, but there are 1 places"),
        (vec![Layer { mask: mask(&masks, &[0, 0]), ..good }], "layer 0 has 2 masks, but there are 1 places"),
        (vec![Layer { mask: mask(&masks, &[1]), ..good }], "instance 0 wants mask 1 of layer 0, which has 1"),
        (vec![Layer { mask: mask(&other, &[0]), ..good }], "but the skeleton has"),
        (vec![Layer { weights: &[f32::NAN], ..good }], "instance 0 has the weight NaN in layer 0"),
        (vec![Layer { weights: &[f32::INFINITY], ..good }], "instance 0 has the weight inf in layer 0"),
        (vec![Layer { weights: &[1e6 + 1.0], ..good }], "instance 0 has the weight 1000001 in layer 0"),
        (vec![Layer { weights: &[-0.5], ..good }], "instance 0 has the weight -0.5 in layer 0"),
        (vec![Layer { pairs: &difference, ..good }], "which is of an additive clip"),
        (vec![Layer { blend: Blend::Additive, ..good }], "which is not of an additive clip"),
    ];
    for (layers, part) in cases {
        assert!(message(&layers).contains(part), "{}, not {part}", message(&layers));
    }
    let mut out = vec![0.0; plan.palette_floats()];
    let error = PaletteJob::new(&plan, &difference, &[0], &mut out).err().unwrap();
    assert!(error.to_string().contains("which is of an additive clip"), "{error}");
    for (joints, weights, part) in [
        (3, vec![1.0; 4], "4 weights are no whole number of masks"),
        (0, vec![], "0 weights are no"),
        (2, vec![1.0, -1.0], "mask 0 has -1 for joint 1"),
        (2, vec![1.0, 8.5], "mask 0 has 8.5 for joint 1, but a weight is a number from 0 to 8"),
        (2, vec![1.0, 1.0, f32::NAN, 1.0], "mask 1 has NaN for joint 0"),
    ] {
        let error = Masks::new(joints, weights).unwrap_err().to_string();
        assert!(error.contains(part), "{error}, not {part}");
    }
}
