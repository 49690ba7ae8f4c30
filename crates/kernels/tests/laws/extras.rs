//! Sockets and bounds against the oracle, beside palettes that they don't change.

use std::sync::Arc;

use glam::{Affine3A, DVec3, Vec3};
use throng_kernels::{
    Bounds, JobError, JointSphere, Layout, Level, PaletteFormat, PaletteJob, Plan, PlanError, PlanOptions,
    RowFormat, Scratch, Stores, palettes,
};
use throng_tracks::{Bank, JointIndex, RowPair, Skin};

use crate::bound::{Expected, expected};
use crate::figure;
use crate::palettes::STORES;
use crate::random::{Random, bits, cases, levels};
use crate::skins;

const UNTOUCHED: f32 = -1234.5;

/// What a job of all pairs in turn wrote, each at every other place.
struct Written {
    palettes: Vec<f32>,
    sockets: Vec<f32>,
    bounds: Vec<Bounds>,
}

/// Which of both are asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    sockets: bool,
    bounds: bool,
}

fn run(
    level: Level,
    stores: Stores,
    layout: Layout,
    plan: &Plan,
    pairs: &[RowPair],
    asked: Asked,
) -> Written {
    let places: Vec<u32> = (0..pairs.len() as u32).map(|i| 2 * i + 1).collect();
    let room = 2 * pairs.len();
    let mut written = Written {
        palettes: vec![UNTOUCHED; room * layout.size(plan.palette_entries())],
        sockets: vec![UNTOUCHED; room * 12 * plan.socket_count()],
        bounds: vec![Bounds { min: [UNTOUCHED; 3], max: [UNTOUCHED; 3] }; room],
    };
    let mut job = PaletteJob::with_layout(plan, pairs, &places, &mut written.palettes, layout).unwrap();
    if asked.sockets {
        job = job.with_sockets(&mut written.sockets).unwrap();
    }
    if asked.bounds {
        job = job.with_bounds(&mut written.bounds).unwrap();
    }
    palettes(level, job.with_stores(stores), &mut Scratch::new(plan));
    written
}

/// Model matrices of `joints`, with bounds that know of the skin's bind matrices.
fn models(bank: &Bank, skin: &Skin, joints: &[JointIndex], pair: RowPair) -> Vec<Expected> {
    let all = [skin.joints(), joints].concat();
    let binds =
        skin.inverse_bind().iter().copied().chain(joints.iter().map(|_| Affine3A::IDENTITY)).collect();
    let both = Skin::new("both", bank.skeleton(), all, Some(binds)).unwrap();
    expected(bank, &both, pair).split_off(skin.joints().len())
}

fn hold_sockets(expected: &[Expected], found: &[f32], what: &str) {
    for (socket, (expected, found)) in expected.iter().zip(found.chunks_exact(12)).enumerate() {
        expected.hold(found, || format!("{what}: socket {socket}"));
    }
}

fn hold_bounds(spheres: &[JointSphere], centres: &[Expected], found: &Bounds, what: &str) {
    let (mut min, mut max, mut bound) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0f64);
    for (sphere, centre) in spheres.iter().zip(centres) {
        let (at, radius) = (centre.entry.translation, f64::from(sphere.radius));
        min = min.min(at - radius);
        max = max.max(at + radius);
        bound = bound.max(centre.translation + f64::from(f32::EPSILON) * (at.abs().max_element() + radius));
    }
    let off = |found: [f32; 3], exact: DVec3| (Vec3::from(found).as_dvec3() - exact).abs().max_element();
    let error = off(found.min, min).max(off(found.max, max));
    assert!(error <= bound, "{what}: {found:?}, exactly {min} to {max}; bound {bound:e}");
}

fn check(random: &mut Random, levels: &[Level], what: &str) -> bool {
    let most = random.pick(&[3, 12, 40]);
    let bank = figure::bank(random, most);
    let skin = skins::skin(random, bank.skeleton());
    let count = bank.skeleton().joint_count();
    let joint = |random: &mut Random| JointIndex(random.below(count) as u16);
    let sockets: Vec<_> = (0..1 + random.below(4)).map(|_| joint(random)).collect();
    let sphere = |random: &mut Random| JointSphere { joint: joint(random), radius: random.between(0.0, 0.5) };
    let spheres: Vec<_> = (0..1 + random.below(12)).map(|_| sphere(random)).collect();
    let options = PlanOptions { sockets: &sockets, spheres: &spheres, ..PlanOptions::default() };
    let plan = Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap();
    let format = random.pick(&PaletteFormat::ALL);
    let similar = format == PaletteFormat::Similarity;
    if plan.check_format(format).is_err() {
        return false;
    }
    let layout = Layout::new(format);
    let instances = random.pick(&[1, 3, 17]);
    let pairs = figure::pairs(random, &bank, instances);
    let centres: Vec<JointIndex> = spheres.iter().map(|s| s.joint).collect();
    for &level in levels {
        for stores in STORES {
            let what = format!("{what} at {level}, {stores:?}, {format:?}");
            let all = run(level, stores, layout, &plan, &pairs, Asked { sockets: true, bounds: true });
            for (i, &pair) in pairs.iter().enumerate() {
                let what = format!("{what}, instance {i}");
                // What counts as a similarity may be off by 1e-5, where rounding is 2.4e-7.
                let wider = |mut expected: Vec<Expected>| {
                    for e in expected.iter_mut().filter(|_| similar) {
                        (e.linear, e.translation) = (50.0 * e.linear, 50.0 * e.translation);
                    }
                    expected
                };
                let [before, found] =
                    [0, 1].map(|k| &all.sockets[(2 * i + k) * 12 * sockets.len()..][..12 * sockets.len()]);
                assert!(before.iter().all(|&v| v == UNTOUCHED), "{what}");
                hold_sockets(&wider(models(&bank, &skin, &sockets, pair)), found, &what);
                assert_eq!(all.bounds[2 * i].min, [UNTOUCHED; 3], "{what}");
                hold_bounds(
                    &spheres,
                    &wider(models(&bank, &skin, &centres, pair)),
                    &all.bounds[2 * i + 1],
                    &what,
                );
            }
            for asked in [(false, false), (true, false), (false, true)] {
                let asked = Asked { sockets: asked.0, bounds: asked.1 };
                let some = run(level, stores, layout, &plan, &pairs, asked);
                assert_eq!(bits(&some.palettes), bits(&all.palettes), "{what}, {asked:?}");
                if asked.sockets {
                    assert_eq!(bits(&some.sockets), bits(&all.sockets), "{what}");
                } else {
                    assert!(some.sockets.iter().all(|&v| v == UNTOUCHED), "{what}");
                }
                let floats = |bounds: &[Bounds]| bits(bytemuck::cast_slice(bounds));
                if asked.bounds {
                    assert_eq!(floats(&some.bounds), floats(&all.bounds), "{what}");
                } else {
                    assert!(some.bounds.iter().all(|b| b.min == [UNTOUCHED; 3]), "{what}");
                }
            }
        }
    }
    true
}

#[test]
fn sockets_and_bounds_are_the_oracles_at_every_level() {
    let levels = levels();
    let cases = cases(1500);
    let checked = (0..cases).filter(|&case| {
        let random = &mut Random::new(90_000 + case as u64);
        check(random, &levels, &format!("case {case}"))
    });
    let count = checked.count();
    assert!(count > cases / 2, "{count} of {cases}");
}

#[test]
fn levels_of_a_class_return_the_same_bits() {
    let random = &mut Random::new(17);
    let bank = figure::bank(random, 20);
    let skin = skins::skin(random, bank.skeleton());
    let all: Vec<JointIndex> = bank.skeleton().joints().collect();
    let spheres: Vec<_> = all.iter().map(|&joint| JointSphere { joint, radius: 0.1 }).collect();
    for rows in [RowFormat::F32, RowFormat::I16] {
        let options = PlanOptions { rows, sockets: &all, spheres: &spheres };
        let plan = Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap();
        let pairs = figure::pairs(random, &bank, 37);
        for class in crate::random::classes() {
            let of = |level: Level| {
                let asked = Asked { sockets: true, bounds: true };
                let w = run(level, Stores::Cached, Layout::default(), &plan, &pairs, asked);
                [bits(&w.sockets), bits(bytemuck::cast_slice(&w.bounds))]
            };
            let first = of(class[0]);
            for &level in &class {
                assert!(of(level) == first, "{level}");
            }
        }
    }
}

#[test]
fn spheres_that_nothing_moves() {
    let bank = figure::chain(3, |_| Vec3::ONE, |_| false, 24.0);
    let skin = Skin::model_space(bank.skeleton());
    let sphere = |joint, radius| JointSphere { joint: JointIndex(joint), radius };
    let options = PlanOptions { spheres: &[sphere(0, 0.25), sphere(2, 0.5)], ..PlanOptions::default() };
    let plan = Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap();
    for level in levels() {
        let mut out = vec![0.0; plan.palette_floats()];
        let mut bounds = [Bounds::default()];
        let pairs = [bank.locate(0, 0.0)];
        let job = PaletteJob::new(&plan, &pairs, &[0], &mut out).unwrap().with_bounds(&mut bounds).unwrap();
        palettes(level, job, &mut Scratch::new(&plan));
        assert_eq!(bounds, [Bounds { min: [0.25, -0.5, -0.5], max: [2.0, 0.5, 0.5] }], "{level}");
    }
}

#[test]
fn options_that_cannot_be() {
    let bank = figure::chain(3, |_| Vec3::ONE, |_| true, 24.0);
    let skin = Skin::model_space(bank.skeleton());
    let error = |sockets: &[JointIndex], spheres: &[JointSphere]| {
        let options = PlanOptions { sockets, spheres, ..PlanOptions::default() };
        Plan::with_options(Arc::clone(&bank), &skin, &options).map(drop)
    };
    let sphere = |joint, radius| JointSphere { joint: JointIndex(joint), radius };
    assert_eq!(error(&[JointIndex(2)], &[sphere(2, 0.0)]), Ok(()));
    let (place, joint, count) = (1, JointIndex(3), 3);
    let none = PlanError::NoSuchSocket { place, joint, count };
    assert_eq!(none.to_string(), "socket 1 is joint 3, but the bank's skeleton has 3 joints");
    assert_eq!(error(&[JointIndex(0), JointIndex(3)], &[]), Err(none));
    let none = PlanError::NoSuchCentre { place, joint, count };
    assert_eq!(none.to_string(), "sphere 1 is around joint 3, but the bank's skeleton has 3 joints");
    assert_eq!(error(&[], &[sphere(0, 1.0), sphere(3, 1.0)]), Err(none));
    for radius in [-1.0, -1e-45, f32::INFINITY, f32::NAN] {
        let message = error(&[], &[sphere(1, radius)]).unwrap_err().to_string();
        let expected =
            format!("sphere 0, around joint 1, has the radius {radius}; a radius is finite, and 0 or more");
        assert_eq!(message, expected);
    }
}

#[test]
fn jobs_without_room_or_plan() {
    let bank = figure::chain(3, |_| Vec3::ONE, |_| true, 24.0);
    let skin = Skin::model_space(bank.skeleton());
    let sphere = JointSphere { joint: JointIndex(0), radius: 1.0 };
    let options = PlanOptions { sockets: &[JointIndex(1); 2], spheres: &[sphere], ..PlanOptions::default() };
    let [bare, full] = [PlanOptions::default(), options]
        .map(|options| Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap());
    let error = |plan: &Plan, sockets: Option<usize>, bounds: Option<usize>| {
        let mut out = vec![0.0; 2 * plan.palette_floats()];
        let (pairs, mut floats) = ([bank.locate(0, 0.0); 2], vec![0.0; sockets.unwrap_or(0)]);
        let mut boxes = vec![Bounds::default(); bounds.unwrap_or(0)];
        let job = PaletteJob::new(plan, &pairs, &[0, 1], &mut out).unwrap();
        let job = if sockets.is_some() { job.with_sockets(&mut floats) } else { job.with_bounds(&mut boxes) };
        job.err()
    };
    assert_eq!((error(&full, Some(48), None), error(&full, None, Some(2))), (None, None));
    let room = |what| JobError::NoRoom { what, instance: 1, place: 1, room: 1 };
    assert_eq!(error(&full, Some(47), None), Some(room("sockets")));
    assert_eq!(error(&full, None, Some(1)), Some(room("bounds")));
    let message = "instance 1 writes bounds at place 1, but their buffer has room for 1";
    assert_eq!(room("bounds").to_string(), message);
    let none = error(&bare, Some(48), None).unwrap().to_string();
    assert_eq!(none, "sockets are asked for, but the plan's options have no sockets");
    let none = error(&bare, None, Some(2)).unwrap().to_string();
    assert_eq!(none, "bounds are asked for, but the plan's options have no spheres");
}
