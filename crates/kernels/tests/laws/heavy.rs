//! Layers of large weights, against the oracle where weights are shares, and finite where they are not.

use std::sync::Arc;

use throng_kernels::{Blend, LAYERS, MAX_MASK, MAX_WEIGHT, Masks, Plan, RowFormat};
use throng_tracks::{ScaleColumns, Skin};

use crate::blend::{Layers, hold, pose, stage};
use crate::random::{Random, bits, classes, levels};
use crate::{figure, skins};

/// The same layers, with averages of any weight, alike or far apart.
fn heavier(random: &mut Random, mut layers: Layers) -> Layers {
    let instances = layers.pairs[0].len();
    for instance in 0..instances {
        let factor = random.pick(&[1.0, 2.0, 255.0, 1000.0, MAX_WEIGHT]);
        for (weights, blend) in layers.weights.iter_mut().zip(&layers.blend) {
            if *blend == Blend::Average {
                weights[instance] *= random.pick(&[factor, factor, 1.0]);
            }
        }
    }
    if layers.blend.iter().all(|blend| *blend == Blend::Average) {
        let joints = layers.masks.joints();
        let weights = (0..layers.masks.count()).filter_map(|mask| layers.masks.weights(mask)).flatten();
        layers.masks = Masks::new(joints, weights.map(|weight| weight * MAX_MASK).collect()).unwrap();
    }
    layers
}

#[test]
fn averages_of_large_weights_are_the_oracles_at_every_level() {
    for case in 0..700 {
        let random = &mut Random::new(60_000 + case);
        let most = random.pick(&[2, 8, 20]);
        let bank = figure::additive_bank(random, most);
        let skin = skins::skin(random, bank.skeleton());
        // Rows of sixteen bits could have a rotation on the other side of the sum than the oracle.
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        let instances = random.pick(&[1, 5, 18]);
        let layers = Layers::any(random, &bank, instances);
        let layers = heavier(random, layers);
        for class in classes() {
            let what = format!("case {case} at {}", class[0]);
            let found = pose(class[0], &plan, &layers.layers());
            hold(&bank, &skin, &layers, RowFormat::F32, &found, &what);
            let staged = stage(class[0], &plan, &layers.layers());
            hold(&bank, &skin, &layers, RowFormat::F32, &staged, &format!("stages of {what}"));
            for level in &class[1..] {
                let others = [pose, stage].map(|pose| bits(&pose(*level, &plan, &layers.layers())));
                assert!(others == [&found, &staged].map(|f| bits(f)), "{what}: {level} returns other bits");
            }
        }
    }
}

#[test]
fn poses_of_the_largest_weights_and_masks_are_finite() {
    let mut held = 0;
    for case in 0..3000 {
        let random = &mut Random::new(70_000 + case);
        let bank = figure::additive_bank(random, 1);
        // Differences of scales are multiplied with each other, and leave what a float holds.
        if bank.columns().iter().any(|columns| columns.scale != ScaleColumns::Constant) {
            continue;
        }
        held += 1;
        let format = random.pick(&[RowFormat::F32, RowFormat::I16]);
        let plan = Plan::with_rows(Arc::clone(&bank), &Skin::model_space(bank.skeleton()), format).unwrap();
        let averages = random.below(LAYERS + 1);
        let layers = Layers::of(random, &bank, 18, averages, |random, blend| {
            let near = MAX_WEIGHT * random.between(0.5, 1.0);
            let weight = random.pick(&[MAX_WEIGHT, MAX_WEIGHT, near, 1.0, 0.0, f32::MIN_POSITIVE]);
            if blend == Blend::Additive && random.percent(50) { -weight } else { weight }
        });
        for level in levels() {
            let found = pose(level, &plan, &layers.layers());
            let staged = stage(level, &plan, &layers.layers());
            for (way, palettes) in [("pass", found), ("stages", staged)] {
                for (instance, palette) in palettes.chunks_exact(plan.palette_floats()).enumerate() {
                    assert!(
                        palette.iter().all(|f| f.is_finite()),
                        "case {case} {format:?} at {level}, {way}: {palette:?} of {:?}",
                        layers.of_instance(instance)
                    );
                }
            }
        }
    }
    assert!(held > 50, "{held} banks");
}
