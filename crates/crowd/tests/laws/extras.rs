//! Sockets, bounds, world matrices and several skins, against palettes that are model matrices.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use throng_crowd::{Crowd, CrowdError, Detail, InstanceId, Playback, Threads};
use throng_kernels::{JointSphere, Layout, Level, PaletteFormat, Plan, PlanError, PlanOptions, WorldFold};
use throng_tracks::{JointIndex, Skin};

use crate::make::{bank, bits, playback};

const ROOT: JointIndex = JointIndex(0);
const ARM: JointIndex = JointIndex(1);

fn crowd(slots: usize, level: Level) -> (Crowd, Vec<InstanceId>) {
    let bank = bank(&[0.9, 2.1]);
    let spheres = [JointSphere { joint: ROOT, radius: 0.5 }, JointSphere { joint: ARM, radius: 0.25 }];
    let options = PlanOptions { sockets: &[ARM, ROOT], spheres: &spheres, ..PlanOptions::default() };
    let skin = Skin::model_space(bank.skeleton());
    let mut crowd = Crowd::with_plan(Arc::new(Plan::with_options(bank, &skin, &options).unwrap()), level);
    let ids = (0..slots).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    (crowd, ids)
}

fn place(i: usize) -> Affine3A {
    let at = Vec3::new(10.0 * i as f32, 1.0, -2.0);
    Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_y(i as f32), at)
}

fn matrix(rows: &[f32]) -> Affine3A {
    let column = |c: usize| Vec3::new(rows[c], rows[4 + c], rows[8 + c]);
    Affine3A::from_mat3_translation(glam::Mat3::from_cols(column(0), column(1), column(2)), column(3))
}

#[test]
fn sockets_bounds_and_worlds_are_of_each_instance_on_any_threads() {
    let pools = [1, 2, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for level in Level::available() {
        println!("level {level}");
        for (slots, shard) in [(1, None), (40, Some(16)), (700, Some(32)), (700, None)] {
            for fold in [None, Some(WorldFold::All), Some(WorldFold::Extras)] {
                let (mut plain, ids) = crowd(slots, level);
                // Some are blended, some hide.
                let second = Playback { weight: 0.5, ..Playback::default() };
                let layer = |crowd: &mut Crowd| {
                    for id in ids.iter().step_by(3) {
                        crowd.play(*id, second).unwrap();
                    }
                    crowd.set_visible_many(&ids[slots / 2..slots / 2 + slots / 7], false).unwrap();
                };
                layer(&mut plain);
                plain.evaluate();
                let mut first = None;
                for (at, pool) in pools.iter().enumerate() {
                    let (mut crowd, _) = crowd(slots, level);
                    layer(&mut crowd);
                    crowd.keep_sockets(true).unwrap();
                    crowd.keep_bounds(true).unwrap();
                    crowd.fold_worlds(fold).unwrap();
                    let places: Vec<Affine3A> = (0..slots).map(place).collect();
                    crowd.set_worlds(&ids, &places).unwrap();
                    crowd.set_shard_slots(shard);
                    crowd.set_threads(if at == 0 { Threads::One } else { Threads::Pool });
                    pool.install(|| crowd.evaluate().len());
                    for (i, &id) in ids.iter().enumerate() {
                        if !crowd.is_visible(id).unwrap() {
                            assert_eq!(
                                crowd.socket(id, ARM),
                                Err(CrowdError::NotWritten { id, what: "sockets" })
                            );
                            assert_eq!(
                                crowd.bounds_of(id),
                                Err(CrowdError::NotWritten { id, what: "bounds" })
                            );
                            continue;
                        }
                        hold(&plain, &crowd, id, fold.map(|fold| (place(i), fold)));
                    }
                    let all = [
                        bits(crowd.palettes()),
                        bits(crowd.sockets()),
                        bits(bytemuck::cast_slice(crowd.bounds())),
                    ];
                    assert!(*first.get_or_insert(all.clone()) == all, "{slots} slots, {fold:?}");
                }
            }
        }
    }
}

fn hold(plain: &Crowd, crowd: &Crowd, id: InstanceId, world: Option<(Affine3A, WorldFold)>) {
    let near = |a: Affine3A, b: Affine3A| assert!(a.abs_diff_eq(b, 2e-3), "{id}: {a}, not {b}");
    let model = |joint: JointIndex| matrix(&plain.palette(id).unwrap()[12 * joint.get()..]);
    let outer = world.map_or(Affine3A::IDENTITY, |(world, _)| world);
    let palettes_move = world.is_some_and(|(_, fold)| fold == WorldFold::All);
    for joint in [ROOT, ARM] {
        let expected = if palettes_move { outer * model(joint) } else { model(joint) };
        near(matrix(&crowd.palette(id).unwrap()[12 * joint.get()..]), expected);
        near(crowd.socket(id, joint).unwrap(), outer * model(joint));
    }
    // The scale is uniform.
    let scale = outer.matrix3.x_axis.length();
    let sphere = |joint, radius: f32| (Vec3::from((outer * model(joint)).translation), scale * radius);
    let spheres = [sphere(ROOT, 0.5), sphere(ARM, 0.25)];
    let min = spheres.map(|(at, radius)| at - radius).into_iter().reduce(Vec3::min).unwrap();
    let max = spheres.map(|(at, radius)| at + radius).into_iter().reduce(Vec3::max).unwrap();
    let found = crowd.bounds_of(id).unwrap();
    assert!(Vec3::from(found.min).abs_diff_eq(min, 2e-3), "{id}: {found:?}, not {min}");
    assert!(Vec3::from(found.max).abs_diff_eq(max, 2e-3), "{id}: {found:?}, not {max}");
}

#[test]
fn slots_that_are_used_again_stand_at_the_origin_and_have_no_sockets_yet() {
    let (mut crowd, ids) = crowd(3, Level::detect());
    crowd.keep_sockets(true).unwrap();
    crowd.fold_worlds(Some(WorldFold::All)).unwrap();
    crowd.set_world(ids[1], place(5)).unwrap();
    assert_eq!(crowd.world(ids[1]), Ok(place(5)));
    crowd.evaluate();
    crowd.despawn(ids[1]).unwrap();
    let again = crowd.spawn(Playback::default()).unwrap();
    assert_eq!((again.slot(), crowd.world(again)), (ids[1].slot(), Ok(Affine3A::IDENTITY)));
    assert_eq!(crowd.socket(again, ARM), Err(CrowdError::NotWritten { id: again, what: "sockets" }));
    assert!(crowd.socket(ids[1], ARM).is_err() && crowd.world(ids[1]).is_err());
    crowd.evaluate();
    assert_eq!(crowd.socket(again, ROOT).unwrap().translation.x, 0.0);
    // Into the caller's buffer they are written as well.
    crowd.update(&[again], |_, playback| Playback { time_s: 0.25, ..playback }).unwrap();
    let mut out = vec![0.0; crowd.output_floats()];
    crowd.evaluate_into(&mut out).unwrap();
    assert_eq!(crowd.socket(again, ROOT).unwrap().translation.x, 0.25);
}

#[test]
fn what_is_an_instances_own_is_never_another_instances() {
    let (mut crowd, ids) = crowd(8, Level::detect());
    let same = Playback { time_s: 0.5, speed: 0.0, ..Playback::default() };
    crowd.update(&ids, |_, _| same).unwrap();
    for id in &ids {
        crowd.set_detail(*id, Detail { share_s: 0.1, ..Detail::default() }).unwrap();
    }
    crowd.evaluate();
    assert!(crowd.report().shared > 0);
    crowd.fold_worlds(Some(WorldFold::All)).unwrap();
    let places: Vec<Affine3A> = (0..8).map(place).collect();
    crowd.set_worlds(&ids, &places).unwrap();
    crowd.evaluate();
    assert_eq!(crowd.report().shared, 0);
    for (i, id) in ids.iter().enumerate() {
        let expected = place(i) * Affine3A::from_translation(Vec3::new(0.5, 0.0, 0.0));
        assert!(matrix(crowd.palette(*id).unwrap()).abs_diff_eq(expected, 1e-4), "{id}");
    }
}

#[test]
fn what_is_not_kept_is_named_with_the_call_that_keeps_it() {
    let (mut crowd, ids) = crowd(2, Level::detect());
    let id = ids[1];
    let words = |crowd: &Crowd| {
        [
            crowd.socket(id, ARM).err().map(|error| error.to_string()),
            crowd.bounds_of(id).err().map(|error| error.to_string()),
            crowd.previous_palette(id).err().map(|error| error.to_string()),
        ]
    };
    let not_kept = ["sockets", "bounds", "previous palettes"].map(|what| {
        let by = what.split(' ').next().unwrap();
        Some(format!("{what} are not kept: ask for them by keep_{by}"))
    });
    let not_written = ["sockets", "bounds"].map(|what| {
        Some(format!(
            "instance 1v1 has no {what} yet: no evaluation posed it since it was spawned or they were asked for"
        ))
    });
    // Before a frame and after it.
    assert_eq!(words(&crowd)[..2], not_kept[..2]);
    crowd.evaluate();
    assert_eq!(words(&crowd), not_kept);
    crowd.keep_sockets(true).unwrap();
    assert_eq!(words(&crowd)[..2], [not_written[0].clone(), not_kept[1].clone()]);
    crowd.evaluate();
    assert_eq!(words(&crowd)[..2], [None, not_kept[1].clone()]);
    crowd.keep_bounds(true).unwrap();
    assert_eq!(words(&crowd)[1], not_written[1]);
    crowd.keep_previous(true);
    crowd.evaluate();
    assert_eq!(words(&crowd), [const { None }; 3]);
    crowd.keep_sockets(false).unwrap();
    crowd.keep_bounds(false).unwrap();
    crowd.keep_previous(false);
    crowd.evaluate();
    assert_eq!(words(&crowd), not_kept);
}

#[test]
fn extras_that_cannot_be() {
    let (mut all, ids) = crowd(2, Level::detect());
    let mut bare = crate::make::crowd(&[1.0]);
    let error = bare.keep_sockets(true).unwrap_err();
    assert_eq!(error.to_string(), "the plan has no sockets: its options name none");
    let error = bare.keep_bounds(true).unwrap_err();
    assert_eq!(error.to_string(), "the plan has no spheres: its options name none");
    assert_eq!((bare.keep_sockets(false), bare.sockets().len()), (Ok(()), 0));
    all.keep_sockets(true).unwrap();
    all.evaluate();
    let error = all.socket(ids[0], JointIndex(7)).unwrap_err();
    assert_eq!(error.to_string(), "joint 7 is none of the plan's sockets");
    let wrong = Affine3A::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
    let error = all.set_worlds(&ids, &[place(1), wrong]).unwrap_err();
    assert_eq!(error.to_string(), "the world matrix of instance 1v1 is not finite");
    let error = all.set_worlds(&ids, &[place(1)]).unwrap_err();
    assert_eq!(error.to_string(), "1 world matrices for instances that need 2");
    assert_eq!(all.world(ids[0]), Ok(Affine3A::IDENTITY));
    let similar = Layout::new(PaletteFormat::Similarity);
    all.fold_worlds(Some(WorldFold::All)).unwrap();
    assert_eq!(all.set_layout(similar), Err(CrowdError::WorldFormat));
    all.fold_worlds(Some(WorldFold::Extras)).unwrap();
    all.set_layout(similar).unwrap();
    assert_eq!(all.fold_worlds(Some(WorldFold::All)), Err(CrowdError::WorldFormat));
    all.evaluate();
}

#[test]
fn palettes_of_several_skins_are_those_of_crowds_of_their_own() {
    let bank = bank(&[0.9, 2.1]);
    let body = Skin::model_space(bank.skeleton());
    let bind = Affine3A::from_translation(Vec3::new(0.0, -1.0, 0.0));
    let glove = Skin::new("glove", bank.skeleton(), vec![ARM], Some(vec![bind])).unwrap();
    let options = PlanOptions::default();
    for format in [PaletteFormat::Affine, PaletteFormat::Half] {
        let mut both = Crowd::with_skins(Arc::clone(&bank), &[&body, &glove], &options).unwrap();
        let mut alone = [&body, &glove].map(|skin| Crowd::new(Arc::clone(&bank), skin).unwrap());
        let mut ids = Vec::new();
        for crowd in alone.iter_mut().chain([&mut both]) {
            crowd.set_layout(Layout::new(format)).unwrap();
            ids = (0..20).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
            crowd.evaluate();
        }
        for id in ids {
            for (skin, alone) in alone.iter().enumerate() {
                let (found, expected) = (both.palette_of(id, skin).unwrap(), alone.palette(id).unwrap());
                // An entry of a joint that has two may be rounded once more.
                let same = format == PaletteFormat::Half && found.len() == expected.len();
                let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
                assert!(same || near, "{id}, skin {skin}: {found:?}, not {expected:?}");
            }
        }
        let error = both.skin_floats(2).unwrap_err();
        assert_eq!(error.to_string(), "there is no skin 2: the plan has 2, counted from 0");
    }
    let error = Crowd::with_skins(bank, &[], &options).err().unwrap();
    assert_eq!(error, CrowdError::Plan(PlanError::NoSkins));
}
