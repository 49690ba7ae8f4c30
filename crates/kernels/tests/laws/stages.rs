//! The stages one by one: against the oracle, and bit for bit at any mixture of levels of a class.

use std::sync::Arc;

use glam::Affine3A;
use throng_kernels::{
    Level, Line, ModelBlocks, PALETTE_FLOATS, Plan, PoseBlocks, model_to_palette, oracle, pose_to_model,
    sample,
};
use throng_tracks::{RowPair, Skin, Transform};

use crate::figure;
use crate::palettes::hold;
use crate::random::{Random, bits, cases, classes};
use crate::skins;

/// What the three stages return.
struct Staged {
    poses: PoseBlocks,
    models: ModelBlocks,
    palettes: Vec<f32>,
}

fn stage(levels: [Level; 3], plan: &Plan, pairs: &[RowPair]) -> Staged {
    let joints = plan.bank().skeleton().joint_count();
    let mut poses = PoseBlocks::new(joints, pairs.len());
    let mut models = ModelBlocks::new(joints, pairs.len());
    // More room than there are instances, and no whole number of palettes.
    let used = pairs.len() * plan.palette_floats();
    let mut palettes = vec![0.5; used + 2 * plan.palette_floats() + 1];
    sample(levels[0], plan, pairs, &mut poses).unwrap();
    pose_to_model(levels[1], plan, &poses, &mut models);
    model_to_palette(levels[2], plan, &models, &mut palettes).unwrap();
    let rest = palettes.split_off(used);
    assert!(rest.iter().all(|&v| v == 0.5), "what stands behind the palettes is left alone");
    Staged { poses, models, palettes }
}

fn line_bits<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<u32> {
    lines.flat_map(|line| bits(&line.0)).collect()
}

#[test]
fn stages_are_the_oracles_at_any_mixture_of_levels() {
    let classes = classes();
    for case in 0..cases(1200) as u64 {
        let random = &mut Random::new(10_000 + case);
        let most = random.pick(&[3, 12, 40, 120]);
        let bank = figure::bank(random, most);
        let skin = skins::skin(random, bank.skeleton());
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        let count = random.pick(&[1, 5, 16, 23]);
        let pairs = figure::pairs(random, &bank, count);
        for class in &classes {
            let first = stage([class[0]; 3], &plan, &pairs);
            hold(&bank, &skin, &pairs, &first.palettes, &format!("case {case} at {}", class[0]));
            hold_poses(&plan, &pairs, &first.poses, case);
            hold_models(&plan, &pairs, &first.models, case);
            for _ in 0..4 {
                let levels = std::array::from_fn(|_| random.pick(class));
                let mixed = stage(levels, &plan, &pairs);
                let poses = |s: &Staged| line_bits(s.poses.groups().flatten().flatten());
                let models = |s: &Staged| line_bits(s.models.groups().flatten().flatten());
                assert!(poses(&first) == poses(&mixed), "poses of case {case} at {levels:?}");
                assert!(models(&first) == models(&mixed), "models of case {case} at {levels:?}");
                assert!(
                    bits(&first.palettes) == bits(&mixed.palettes),
                    "palettes of case {case} at {levels:?}"
                );
            }
        }
    }
}

fn hold_poses(plan: &Plan, pairs: &[RowPair], poses: &PoseBlocks, case: u64) {
    let mut exact = vec![Transform::IDENTITY; plan.bank().skeleton().joint_count()];
    for (instance, &pair) in pairs.iter().enumerate() {
        plan.bank().sample(pair, &mut exact);
        for (joint, exact) in plan.bank().skeleton().joints().zip(&exact) {
            let found = poses.transform(instance, joint);
            let size = exact.translation.abs().max_element().max(1.0);
            let near = (found.translation - exact.translation).abs().max_element() <= 1e-4 * size
                && (found.scale - exact.scale).abs().max_element() <= 5e-7
                && (found.rotation - exact.rotation).to_array().iter().all(|d| d.abs() <= 5e-7);
            assert!(near, "joint {joint} of instance {instance} of case {case}: {found:?}, not {exact:?}");
        }
    }
}

/// As a palette of identity matrices.
fn hold_models(plan: &Plan, pairs: &[RowPair], models: &ModelBlocks, case: u64) {
    let bank = plan.bank();
    let rows: Vec<f32> = (0..pairs.len())
        .flat_map(|instance| bank.skeleton().joints().map(move |joint| models.matrix(instance, joint)))
        .flat_map(rows_of)
        .collect();
    hold(bank, &Skin::model_space(bank.skeleton()), pairs, &rows, &format!("models of case {case}"));
}

fn rows_of(m: Affine3A) -> [f32; PALETTE_FLOATS] {
    let [x, y, z] = [0, 1, 2].map(|r| m.matrix3.row(r).extend(m.translation[r]).to_array());
    [x, y, z].concat().try_into().unwrap()
}

#[test]
fn the_oracle_multiplies_model_and_bind() {
    let random = &mut Random::new(1);
    let bank = figure::bank(random, 20);
    let skin = skins::skin(random, bank.skeleton());
    for pair in figure::pairs(random, &bank, 20) {
        let mut pose = vec![Transform::IDENTITY; bank.skeleton().joint_count()];
        bank.sample(pair, &mut pose);
        let mut models = vec![Affine3A::IDENTITY; pose.len()];
        throng_tracks::model_matrices(bank.skeleton(), &pose, &mut models);
        let palette = oracle::palette(&bank, &skin, pair);
        for (entry, (joint, bind)) in palette.iter().zip(skin.joints().iter().zip(skin.inverse_bind())) {
            let single = models[joint.get()] * *bind;
            let size = 1.0 + single.to_cols_array().iter().fold(0.0f32, |m, v| m.max(v.abs()));
            assert!(single.abs_diff_eq(entry.as_affine3a(), 1e-4 * size), "{single} is not {entry}");
        }
    }
}

#[test]
fn blocks_hold_joints_and_instances() {
    let blocks = PoseBlocks::new(3, 17);
    assert_eq!((blocks.joints(), blocks.instances()), (3, 17));
    let groups: Vec<usize> = blocks.groups().map(<[_]>::len).collect();
    assert_eq!(groups, [3, 3]);
    assert_eq!(ModelBlocks::new(0, 5).groups().count(), 0);
    assert_eq!(ModelBlocks::new(2, 0).groups().count(), 0);
}
