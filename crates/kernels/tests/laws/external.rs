//! Poses from outside of the bank, against the oracle, which finds them in the rows of another bank.

use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_kernels::oracle::BlendLayer;
use throng_kernels::{
    Blend, ExternalError, ExternalRows, JobError, Layer, Layout, Level, PALETTE_FLOATS, PaletteJob, Plan,
    PoseBlocks, RowFormat, Scratch, palettes, sample_layers,
};
use throng_tracks::{
    BakeOptions, Bank, Joint, JointIndex, Posable, Rest, RowPair, Skeleton, Skin, Transform, bake,
};

use crate::bound::expected_blend;
use crate::figure::{self, Posed};
use crate::palettes::STORES;
use crate::random::{Random, bits, classes, levels};
use crate::skins;

/// What an instance shows: in the bank with external rows, and in that which has the poses as a clip.
#[derive(Clone, Copy, Debug)]
struct Shown {
    own: RowPair,
    oracles: RowPair,
}

/// A place in a clip.
fn playing(random: &mut Random, bank: &Bank) -> Shown {
    let clip = random.below(bank.clips().len());
    let pair = bank.locate(clip, random.between(0.0, 1.0) * bank.clips()[clip].duration_s());
    Shown { own: pair, oracles: pair }
}

/// Something between two poses, of which one may be set alone.
fn posing(random: &mut Random, posed: &Posed, rows: &mut ExternalRows) -> Shown {
    let Posed { bank, with_poses, poses } = posed;
    let (pose, first) = (rows.push().unwrap(), random.below(poses.len() - 1));
    let fraction = if random.percent(50) { 0.0 } else { random.between(0.0, 1.0) };
    match random.below(3) {
        0 if fraction == 0.0 => rows.set(pose, &poses[first]).unwrap(),
        1 => {
            rows.set(pose, &poses[first]).unwrap();
            rows.advance(pose, &poses[first + 1]).unwrap();
        }
        _ => rows.set_both(pose, &poses[first], &poses[first + 1]).unwrap(),
    }
    let of_poses = with_poses.clip_rows(bank.clips().len());
    assert_eq!(of_poses.len(), poses.len());
    let oracles = RowPair { row: (of_poses.start + first) as u32, fraction };
    Shown { own: rows.pair(pose, fraction).unwrap(), oracles }
}

#[test]
fn external_poses_are_the_oracles_at_every_level_and_blend_like_clips() {
    let mut largest = 0.0f64;
    for case in 0..600 {
        let random = &mut Random::new(70_000 + case);
        let most = random.pick(&[1, 6, 24]);
        let posed = figure::posed(random, most);
        let skin = skins::skin(random, posed.bank.skeleton());
        let plan = Arc::new(Plan::new(Arc::clone(&posed.bank), &skin).unwrap());
        let mut rows = ExternalRows::new(Arc::clone(&plan)).unwrap();
        let (instances, layers) = (random.pick(&[1, 7, 19]), 1 + random.below(4));
        let alone = layers == 1 && random.percent(50);
        let external: Vec<bool> = (0..layers).map(|_| random.percent(60)).collect();
        let shown: Vec<Vec<Shown>> = external
            .iter()
            .map(|external| {
                (0..instances)
                    .map(|_| {
                        if *external {
                            posing(random, &posed, &mut rows)
                        } else {
                            playing(random, &posed.bank)
                        }
                    })
                    .collect()
            })
            .collect();
        let pairs: Vec<Vec<RowPair>> = shown.iter().map(|s| s.iter().map(|s| s.own).collect()).collect();
        let mut weight = || if alone { 1.0 } else { random.between(0.0, 1.0) };
        let weights: Vec<Vec<f32>> =
            (0..layers).map(|_| (0..instances).map(|_| weight()).collect()).collect();
        let job: Vec<Layer<'_>> = (0..layers)
            .map(|k| Layer { external: external[k].then_some(&rows), ..Layer::new(&pairs[k], &weights[k]) })
            .collect();
        let places: Vec<u32> = (0..instances as u32).collect();
        let layers_of = |i: usize| -> Vec<BlendLayer<'_>> {
            let layer = |k: usize| BlendLayer {
                pair: shown[k][i].oracles,
                weight: weights[k][i],
                additive: false,
                mask: None,
            };
            (0..layers).map(layer).collect()
        };
        for class in classes() {
            let mut first: Option<Vec<f32>> = None;
            for (level, stores) in class.iter().flat_map(|level| STORES.map(|stores| (*level, stores))) {
                let mut out = vec![f32::NAN; instances * plan.palette_floats()];
                let job = PaletteJob::layered(&plan, &job, &places, &mut out, Layout::default()).unwrap();
                palettes(level, job.with_stores(stores), &mut Scratch::new(&plan));
                let what = format!("case {case} at {level}, {stores:?}");
                for (i, found) in out.chunks_exact(plan.palette_floats()).enumerate() {
                    let expected = expected_blend(&posed.with_poses, &skin, &layers_of(i), RowFormat::F32);
                    for (expected, found) in expected.iter().zip(found.chunks_exact(PALETTE_FLOATS)) {
                        largest = largest.max(expected.hold(found, || what.clone()));
                    }
                }
                assert!(bits(first.get_or_insert(out.clone())) == bits(&out), "{what}");
            }
        }
    }
    println!("largest error: {largest} of the bound");
}

/// Three joints in a row, of which no clip moves any.
fn chain(posable: Posable) -> Arc<Bank> {
    let joint = |j: u16| Joint {
        name: String::new(),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform { translation: Vec3::X, ..Transform::IDENTITY }),
    };
    let skeleton = Skeleton::new((0..3).map(joint)).unwrap();
    Arc::new(bake(&skeleton, &[], &BakeOptions { posable, ..BakeOptions::default() }).unwrap().0)
}

#[test]
fn only_what_is_posable_is_posed() {
    let turned = Transform {
        translation: Vec3::new(2.0, 0.0, 0.0),
        rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        scale: Vec3::ONE,
    };
    // The translations of the last joint: all of the pose, its rotations alone, the middle joint's, none.
    let cases = [
        (Posable::All, [0.0, 2.0]),
        (Posable::Rotations, [0.0, 1.0]),
        (Posable::Joints(vec![JointIndex(1)]), [3.0, 1.0]),
        (Posable::Moved, [3.0, 0.0]),
    ];
    for level in levels() {
        for (posable, expected) in &cases {
            let bank = chain(posable.clone());
            let plan = Arc::new(Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap());
            let mut rows = ExternalRows::new(Arc::clone(&plan)).unwrap();
            let pose = rows.push().unwrap();
            rows.set(pose, &[turned; 3]).unwrap();
            let mut out = vec![0.0; plan.palette_floats()];
            let pairs = [rows.pair(pose, 0.0).unwrap()];
            let layers = [Layer { external: Some(&rows), ..Layer::new(&pairs, &[1.0]) }];
            let job = PaletteJob::layered(&plan, &layers, &[0], &mut out, Layout::default()).unwrap();
            palettes(level, job, &mut Scratch::default());
            let last = &out[2 * PALETTE_FLOATS..];
            let found = [last[3], last[7]];
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
                "{posable:?} at {level}: {found:?}, not {expected:?}"
            );
        }
    }
}

#[test]
fn poses_that_cannot_be() {
    let bank = chain(Posable::All);
    let skin = Skin::model_space(bank.skeleton());
    let plan = |format| Arc::new(Plan::with_rows(Arc::clone(&bank), &skin, format).unwrap());
    let error = ExternalRows::new(plan(RowFormat::I16)).unwrap_err();
    assert_eq!(error, ExternalError::RowFormat);
    assert!(error.to_string().starts_with("the plan's rows are I16, but external poses need rows of F32"));

    let mut rows = ExternalRows::new(plan(RowFormat::F32)).unwrap();
    assert_eq!((rows.is_empty(), rows.push(), rows.len()), (true, Ok(0), 1));
    let good = [Transform::IDENTITY; 3];
    let mut change = |act: &dyn Fn(&mut Transform)| {
        let mut pose = good;
        act(&mut pose[1]);
        let before = rows.clone();
        let errors = [rows.set(0, &pose), rows.set_both(0, &good, &pose), rows.advance(0, &pose)];
        assert_eq!(format!("{rows:?}"), format!("{before:?}"));
        assert!(errors[0] == errors[1] && errors[1] == errors[2], "{errors:?}");
        errors[0].clone().unwrap_err().to_string()
    };
    let said = "the pose has a translation for joint 1 that is not finite";
    assert_eq!(change(&|t| t.translation.y = f32::NAN), said);
    assert_eq!(change(&|t| t.scale.z = f32::INFINITY), said.replace("translation", "scale"));
    let said = "the pose has a rotation for joint 1 that is not finite, or of length 0";
    assert_eq!(change(&|t| t.rotation.x = f32::NAN), said);
    assert_eq!(change(&|t| t.rotation = Quat::from_array([0.0; 4])), said);
    let short = rows.set(0, &good[..2]).unwrap_err();
    assert_eq!(short.to_string(), "the pose has 2 transforms, but the skeleton has 3 joints");
    let none = ExternalError::NoSuchPose { pose: 1, poses: 1 };
    assert_eq!(none.to_string(), "there is no external pose 1: there are 1, counted from 0");
    assert_eq!((rows.set(1, &good), rows.pair(1, 0.0).map(drop)), (Err(none.clone()), Err(none)));
}

#[test]
fn layers_of_poses_that_cannot_be() {
    let bank = chain(Posable::All);
    let skin = Skin::model_space(bank.skeleton());
    let plan = || Arc::new(Plan::new(Arc::clone(&bank), &skin).unwrap());
    let (own, other) = (plan(), plan());
    let mut rows = ExternalRows::new(Arc::clone(&own)).unwrap();
    rows.push().unwrap();
    let job = |plan: &Plan, row: u32, blend: Blend| {
        let (pairs, mut out) = ([RowPair { row, fraction: 0.0 }], vec![0.0; plan.palette_floats()]);
        let layers = [Layer { external: Some(&rows), blend, ..Layer::new(&pairs, &[1.0]) }];
        PaletteJob::layered(plan, &layers, &[0], &mut out, Layout::default()).err()
    };
    assert_eq!(job(&own, 0, Blend::Average), None);
    let none = |row| JobError::NoSuchPose { layer: 0, instance: 0, row, poses: 1 };
    for row in [1, 2, u32::MAX] {
        assert_eq!(job(&own, row, Blend::Average), Some(none(row)));
    }
    let message = "instance 0 reads rows 2 and 2 + 1 of layer 0, which has 1 external poses of two rows";
    assert_eq!(none(2).to_string(), message);
    let error = job(&other, 0, Blend::Average).unwrap();
    assert_eq!(error, JobError::OtherRows { layer: 0 });
    assert_eq!(error.to_string(), "the external poses of layer 0 were made for another plan");
    let error = job(&own, 0, Blend::Additive).unwrap();
    assert_eq!(error, JobError::AdditivePose { layer: 0 });
    assert_eq!(error.to_string(), "layer 0 has external poses, so it can't be additive");

    let (pairs, mut poses) = ([RowPair::default()], PoseBlocks::new(3, 1));
    let layers = [Layer { external: Some(&rows), ..Layer::new(&pairs, &[1.0]) }];
    let error = sample_layers(Level::scalar(), &own, &layers, &mut poses).unwrap_err();
    assert_eq!(error, JobError::ExternalLayer { layer: 0 });
    assert_eq!(error.to_string(), "layer 0 has external poses, which can't be sampled as local ones");
}
