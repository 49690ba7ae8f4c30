//! Plans in which some joints stand still: the oracle's pose in which a mask takes all motion from them, and elsewhere the bits
//! of the plan they come from.

use std::sync::Arc;

use throng_kernels::oracle::BlendLayer;
use throng_kernels::{
    JointSphere, Layer, Layout, Level, PaletteFormat, PaletteJob, Plan, PlanOptions, RowFormat, Scratch,
    Stores, palettes,
};
use throng_tracks::{JointIndex, RowPair, Skeleton};

use crate::bound::expected_blend;
use crate::palettes::STORES;
use crate::random::{Random, bits, cases, levels};
use crate::{figure, skins};

/// Those and all below them.
fn all_still(skeleton: &Skeleton, joints: &[JointIndex]) -> Vec<bool> {
    let below = |joint: JointIndex| {
        let mut up = Some(joint);
        while let Some(at) = up {
            if joints.contains(&at) {
                return true;
            }
            up = skeleton.parents()[at.get()];
        }
        false
    };
    skeleton.joints().map(below).collect()
}

fn pose(
    level: Level,
    stores: Stores,
    layout: Layout,
    plan: &Plan,
    pairs: &[RowPair],
    layers: usize,
) -> Vec<f32> {
    let places: Vec<u32> = (0..pairs.len() as u32).collect();
    let mut out = vec![f32::NAN; pairs.len() * layout.size(plan.palette_entries())];
    let weights = vec![0.5; pairs.len()];
    let layers = vec![Layer::new(pairs, &weights); layers];
    let job = match layers.len() {
        0 => PaletteJob::with_layout(plan, pairs, &places, &mut out, layout),
        _ => PaletteJob::layered(plan, &layers, &places, &mut out, layout),
    };
    palettes(level, job.unwrap().with_stores(stores), &mut Scratch::new(plan));
    out
}

#[test]
fn still_joints_rest_and_the_others_keep_their_bits() {
    let levels = levels();
    let (mut stood, mut moved) = (0, 0);
    for case in 0..cases(600) as u64 {
        let random = &mut Random::new(case);
        let most = random.pick(&[3, 12, 40, 120]);
        let bank = figure::bank(random, most);
        let skeleton = bank.skeleton();
        let skin = skins::skin(random, skeleton);
        let rows = random.pick(&[RowFormat::F32, RowFormat::I16]);
        let joint = |random: &mut Random| JointIndex(random.below(skeleton.joint_count()) as u16);
        let some = [joint(random), joint(random)];
        let spheres = some.map(|joint| JointSphere { joint, radius: 0.5 });
        let options = PlanOptions { rows, sockets: &some, spheres: &spheres };
        let plan = Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap();
        let joints: Vec<_> = (0..random.below(5)).map(|_| joint(random)).collect();
        let far = plan.with_still(&joints).unwrap();
        // Nothing is lost on the way.
        let rest: Vec<_> = skeleton.joints().collect();
        let far = plan
            .with_still(&rest)
            .unwrap()
            .with_still(&joints)
            .map(|again| if case % 2 == 0 { again } else { far })
            .unwrap();
        assert_eq!((far.row_format(), far.socket_count(), far.sphere_count()), (rows, 2, 2));
        let still = all_still(skeleton, &joints);
        let mask: Vec<f32> = still.iter().map(|still| f32::from(!still)).collect();
        let count = random.pick(&[1, 3, 17]);
        let pairs = figure::pairs(random, &bank, count);
        for &level in &levels {
            for (stores, layers) in STORES.into_iter().zip([0, 2]) {
                let run = |plan| pose(level, stores, Layout::default(), plan, &pairs, layers);
                let (near, found) = (run(&plan), run(&far));
                let instances = pairs.iter().zip(near.chunks_exact(plan.palette_floats()));
                for ((i, (&pair, near)), found) in
                    instances.enumerate().zip(found.chunks_exact(plan.palette_floats()))
                {
                    let layer = BlendLayer { pair, weight: 1.0, additive: false, mask: Some(&mask) };
                    let expected = expected_blend(&bank, &skin, &[layer], rows);
                    let entries = near.chunks_exact(12).zip(found.chunks_exact(12)).zip(expected);
                    for (joint, ((near, found), expected)) in skin.joints().iter().zip(entries) {
                        let what = || {
                            format!("case {case} at {level}, instance {i}, joint {joint}, still {joints:?}")
                        };
                        expected.hold(found, what);
                        if still[joint.get()] {
                            stood += 1;
                        } else {
                            moved += 1;
                            assert_eq!(bits(near), bits(found), "{}", what());
                        }
                    }
                }
            }
        }
    }
    println!("{stood} entries stood still, {moved} moved");
    assert!(stood > 1000 && moved > 1000);
}

#[test]
fn sockets_of_still_joints_are_their_entries() {
    for case in 0..cases(300) as u64 {
        let random = &mut Random::new(case);
        let bank = figure::bank(random, 12);
        let skeleton = bank.skeleton();
        // Model matrices, so that a socket is an entry.
        let skin = throng_tracks::Skin::model_space(skeleton);
        let sockets: Vec<_> = skeleton.joints().collect();
        let options = PlanOptions { sockets: &sockets, ..PlanOptions::default() };
        let plan = Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap();
        let joint = JointIndex(random.below(skeleton.joint_count()) as u16);
        let far = plan.with_still(&[joint]).unwrap();
        let pairs = figure::pairs(random, &bank, 3);
        for level in Level::available() {
            let mut out = vec![0.0; 3 * plan.palette_floats()];
            let mut sockets = out.clone();
            let job = PaletteJob::new(&far, &pairs, &[0, 1, 2], &mut out).unwrap();
            palettes(level, job.with_sockets(&mut sockets).unwrap(), &mut Scratch::new(&far));
            let size = out.iter().fold(1.0, |size: f32, v| size.max(v.abs()));
            for (palette, socket) in out.iter().zip(&sockets) {
                assert!((palette - socket).abs() <= 1e-5 * size, "case {case}: {palette}, {socket}");
            }
        }
    }
}

#[test]
fn formats_are_as_before_and_joints_that_are_none_are_named() {
    let bank = figure::chain(4, |_| glam::Vec3::ONE, |_| true, 30.0);
    let skin = throng_tracks::Skin::model_space(bank.skeleton());
    let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
    let far = plan.with_still(&[JointIndex(2)]).unwrap();
    let pairs = [bank.locate(0, 0.1)];
    for format in PaletteFormat::ALL {
        far.check_format(format).unwrap();
        for level in Level::available() {
            let run = |plan| pose(level, Stores::Cached, Layout::new(format), plan, &pairs, 0);
            let (near, found) = (run(&plan), run(&far));
            let kept = 2 * format.floats();
            assert_eq!(bits(&near[..kept]), bits(&found[..kept]), "{format:?}");
            assert_ne!(bits(&near[kept..]), bits(&found[kept..]), "{format:?}");
        }
    }
    let said = plan.with_still(&[JointIndex(3), JointIndex(4)]).unwrap_err().to_string();
    assert_eq!(said, "joint 4, at place 1, is to stand still, but the bank's skeleton has 4 joints");
}
