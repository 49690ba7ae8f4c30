//! Instances' own matrices ahead of palettes, sockets and bounds, and several skins, against the oracle.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DMat3, DVec3, Vec3};
use throng_kernels::{
    Bounds, JobError, JointSphere, Layer, Layout, Level, PALETTE_FLOATS, PaletteFormat, PaletteJob, Plan,
    PlanError, PlanOptions, Scratch, Stores, WorldFold, palettes,
};
use throng_tracks::{Bank, JointIndex, RowPair, Skin};

use crate::bound::{Expected, expected};
use crate::figure;
use crate::palettes::STORES;
use crate::random::{Random, bits, classes, levels};
use crate::skins;

fn rows_of(m: &Affine3A) -> [f32; 12] {
    let (c, t) = (m.matrix3, m.translation);
    let row = |r: usize| [c.x_axis[r], c.y_axis[r], c.z_axis[r], t[r]];
    [row(0), row(1), row(2)].concat().try_into().unwrap()
}

/// A place in the world, some of them mirrored or stretched.
fn world(random: &mut Random) -> Affine3A {
    let scale = random.pick(&[Vec3::ONE, Vec3::splat(2.0), Vec3::new(1.0, -0.5, 2.0)]);
    let far = random.pick(&[1.0, 100.0]);
    Affine3A::from_scale_rotation_translation(scale, random.rotation(), random.vector(far))
}

fn double(m: &Affine3A) -> DAffine3 {
    let [x, y, z] = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(|c| c.as_dvec3());
    DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation: m.translation.as_dvec3() }
}

/// Each matrix after that of the world: what was off stays so, and what is far away loses places at each joint on the way.
fn in_world(world: &DAffine3, joints: usize, all: Vec<Expected>) -> Vec<Expected> {
    let size = world.matrix3.to_cols_array().iter().map(|v| v * v).sum::<f64>().sqrt();
    let far = 2.0 * f64::from(f32::EPSILON) * (joints + 2) as f64 * world.translation.length();
    all.into_iter()
        .map(|e| Expected {
            entry: *world * e.entry,
            linear: 2.0 * size * e.linear,
            translation: 2.0 * size * e.translation + far,
        })
        .collect()
}

struct Case {
    bank: Arc<Bank>,
    skin: Skin,
    plan: Plan,
    sockets: Vec<JointIndex>,
    spheres: Vec<JointSphere>,
    pairs: Vec<RowPair>,
    worlds: Vec<Affine3A>,
}

impl Case {
    fn any(random: &mut Random) -> Self {
        let most = random.pick(&[1, 6, 24]);
        let bank = figure::bank(random, most);
        let skin = skins::skin(random, bank.skeleton());
        let count = bank.skeleton().joint_count();
        let joint = |random: &mut Random| JointIndex(random.below(count) as u16);
        let sockets: Vec<_> = (0..1 + random.below(4)).map(|_| joint(random)).collect();
        let sphere =
            |random: &mut Random| JointSphere { joint: joint(random), radius: random.between(0.0, 0.5) };
        let spheres: Vec<_> = (0..1 + random.below(6)).map(|_| sphere(random)).collect();
        let options = PlanOptions { sockets: &sockets, spheres: &spheres, ..PlanOptions::default() };
        let plan = Plan::with_options(Arc::clone(&bank), &skin, &options).unwrap();
        let instances = random.pick(&[1, 5, 19]);
        let pairs = figure::pairs(random, &bank, instances);
        let worlds = (0..instances).map(|_| world(random)).collect();
        Self { bank, skin, plan, sockets, spheres, pairs, worlds }
    }

    fn run(&self, level: Level, stores: Stores, layout: Layout, fold: Option<WorldFold>) -> Written {
        let places: Vec<u32> = (0..self.pairs.len() as u32).collect();
        let worlds: Vec<[f32; 12]> = self.worlds.iter().map(rows_of).collect();
        let count = self.pairs.len();
        let mut written = Written {
            palettes: vec![0.0; count * layout.size(self.plan.palette_entries())],
            sockets: vec![0.0; count * 12 * self.sockets.len()],
            bounds: vec![Bounds::default(); count],
        };
        let job = PaletteJob::with_layout(&self.plan, &self.pairs, &places, &mut written.palettes, layout);
        let job = job.unwrap().with_sockets(&mut written.sockets).unwrap();
        let mut job = job.with_bounds(&mut written.bounds).unwrap().with_stores(stores);
        if let Some(fold) = fold {
            job = job.with_worlds(&worlds, fold).unwrap();
        }
        palettes(level, job, &mut Scratch::new(&self.plan));
        written
    }

    /// Model matrices of `joints`.
    fn models(&self, joints: &[JointIndex], pair: RowPair) -> Vec<Expected> {
        let all = [self.skin.joints(), joints].concat();
        let identities = joints.iter().map(|_| Affine3A::IDENTITY);
        let binds = self.skin.inverse_bind().iter().copied().chain(identities).collect();
        let both = Skin::new("both", self.bank.skeleton(), all, Some(binds)).unwrap();
        expected(&self.bank, &both, pair).split_off(self.skin.joints().len())
    }

    fn hold(&self, found: &Written, fold: WorldFold, what: &str) {
        let joints = self.bank.skeleton().joint_count();
        for (i, (&pair, world)) in self.pairs.iter().zip(&self.worlds).enumerate() {
            let world = double(world);
            let floats = self.skin.joints().len() * PALETTE_FLOATS;
            let mut entries = expected(&self.bank, &self.skin, pair);
            if fold == WorldFold::All {
                entries = in_world(&world, joints, entries);
            }
            let entries = entries.iter().zip(found.palettes[i * floats..].chunks_exact(12));
            for (e, found) in entries {
                e.hold(found, || format!("{what}, entry of {i}"));
            }
            let sockets = in_world(&world, joints, self.models(&self.sockets, pair));
            let sockets = sockets.iter().zip(found.sockets[i * 12 * self.sockets.len()..].chunks_exact(12));
            for (e, found) in sockets {
                e.hold(found, || format!("{what}, socket of {i}"));
            }
            self.hold_bounds(&world, pair, &found.bounds[i], &format!("{what}, bounds of {i}"));
        }
    }

    /// Between the box around all spheres in the world and the image of their box in model space.
    fn hold_bounds(&self, world: &DAffine3, pair: RowPair, found: &Bounds, what: &str) {
        let centres: Vec<JointIndex> = self.spheres.iter().map(|s| s.joint).collect();
        let joints = self.bank.skeleton().joint_count();
        let rows = world.matrix3.transpose();
        let reach = DVec3::new(rows.x_axis.length(), rows.y_axis.length(), rows.z_axis.length());
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (mut low, mut high, mut bound) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0f64);
        let models = self.models(&centres, pair);
        for (sphere, model) in self.spheres.iter().zip(&models) {
            let (at, radius) = (model.entry.translation, f64::from(sphere.radius));
            (low, high) = (low.min(at - radius), high.max(at + radius));
        }
        for (sphere, e) in self.spheres.iter().zip(in_world(world, joints, models)) {
            let (at, radius) = (e.entry.translation, f64::from(sphere.radius) * reach);
            (min, max) = (min.min(at - radius), max.max(at + radius));
            bound = bound.max(e.translation + 1e-6 * (at.abs().max_element() + radius.max_element()));
        }
        let (centre, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let half = DMat3::from_cols(
            world.matrix3.x_axis.abs(),
            world.matrix3.y_axis.abs(),
            world.matrix3.z_axis.abs(),
        ) * half;
        let centre = world.transform_point3(centre);
        bound += 1e-6 * (centre.abs() + half).max_element();
        let [least, most] = [found.min, found.max].map(|v| Vec3::from(v).as_dvec3());
        let inside = |a: DVec3, b: DVec3| (a - b).max_element() <= bound;
        assert!(inside(least, min) && inside(max, most), "{what}: {found:?}, not around {min} to {max}");
        let loose = inside(centre - half, least) && inside(most, centre + half);
        assert!(loose, "{what}: {found:?}, larger than {} to {}", centre - half, centre + half);
    }
}

struct Written {
    palettes: Vec<f32>,
    sockets: Vec<f32>,
    bounds: Vec<Bounds>,
}

impl Written {
    fn bits(&self) -> [Vec<u32>; 3] {
        [bits(&self.palettes), bits(&self.sockets), bits(bytemuck::cast_slice(&self.bounds))]
    }
}

#[test]
fn what_is_in_the_world_is_the_oracles_at_every_level() {
    for case in 0..400 {
        let random = &mut Random::new(110_000 + case);
        let all = Case::any(random);
        for class in classes() {
            for fold in [WorldFold::All, WorldFold::Extras] {
                let mut first = None;
                for (level, stores) in class.iter().flat_map(|level| STORES.map(|stores| (*level, stores))) {
                    let what = format!("case {case}, {fold:?} at {level}, {stores:?}");
                    let found = all.run(level, stores, Layout::default(), Some(fold));
                    all.hold(&found, fold, &what);
                    assert!(*first.get_or_insert(found.bits()) == found.bits(), "{what}");
                }
            }
        }
    }
}

#[test]
fn palettes_stay_in_model_space_in_every_format_if_only_extras_are_moved() {
    for case in 0..100 {
        let random = &mut Random::new(120_000 + case);
        let all = Case::any(random);
        for format in PaletteFormat::ALL {
            if all.plan.check_format(format).is_err() {
                continue;
            }
            for level in levels() {
                let layout = Layout::new(format);
                let [with, without] = [Some(WorldFold::Extras), None]
                    .map(|fold| bits(&all.run(level, Stores::Cached, layout, fold).palettes));
                assert!(with == without, "case {case}, {format:?} at {level}");
            }
        }
    }
}

#[test]
fn layers_are_moved_as_one_pair_is() {
    let random = &mut Random::new(5);
    let all = Case::any(random);
    let worlds: Vec<[f32; 12]> = all.worlds.iter().map(rows_of).collect();
    let (count, weights) = (all.pairs.len(), vec![1.0; all.pairs.len()]);
    let places: Vec<u32> = (0..count as u32).collect();
    let layers = [Layer::new(&all.pairs, &weights)];
    for level in levels() {
        let mut out = vec![0.0; count * all.plan.palette_floats()];
        let job = PaletteJob::layered(&all.plan, &layers, &places, &mut out, Layout::default()).unwrap();
        palettes(level, job.with_worlds(&worlds, WorldFold::All).unwrap(), &mut Scratch::default());
        for (i, out) in out.chunks_exact(all.plan.palette_floats()).enumerate() {
            let entries = expected(&all.bank, &all.skin, all.pairs[i]);
            let joints = all.bank.skeleton().joint_count();
            for (mut e, found) in
                in_world(&double(&all.worlds[i]), joints, entries).into_iter().zip(out.chunks_exact(12))
            {
                (e.linear, e.translation) = (2.0 * e.linear, 2.0 * e.translation);
                e.hold(found, || format!("{i} at {level}"));
            }
        }
    }
}

#[test]
fn matrices_that_cannot_be() {
    let all = Case::any(&mut Random::new(9));
    let (pairs, mut out) = ([all.pairs[0]; 2], vec![0.0; 2 * all.plan.palette_floats()]);
    let job = PaletteJob::new(&all.plan, &pairs, &[0, 1], &mut out).unwrap();
    let error = job.with_worlds(&[[0.0; 12]], WorldFold::Extras).err().unwrap();
    assert_eq!(error, JobError::NoWorld { instance: 1, place: 1, found: 1 });
    assert_eq!(error.to_string(), "instance 1 stands at place 1, but there are 1 world matrices");

    let bank = figure::chain(3, |_| Vec3::ONE, |_| true, 24.0);
    let plan = Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap();
    let job = |fold| {
        let (pairs, mut out) = ([bank.locate(0, 0.0)], vec![0.0; plan.palette_floats()]);
        let layout = Layout::new(PaletteFormat::Similarity);
        let job = PaletteJob::with_layout(&plan, &pairs, &[0], &mut out, layout).unwrap();
        job.with_worlds(&[[0.0; 12]], fold).err()
    };
    assert_eq!((job(WorldFold::All), job(WorldFold::Extras)), (Some(JobError::WorldFormat), None));
}

#[test]
fn palettes_of_several_skins_stand_one_behind_the_other() {
    for case in 0..200 {
        let random = &mut Random::new(130_000 + case);
        let most = random.pick(&[1, 6, 24]);
        let bank = figure::bank(random, most);
        let skins: Vec<Skin> =
            (0..1 + random.below(3)).map(|_| skins::skin(random, bank.skeleton())).collect();
        let plan =
            Plan::with_skins(Arc::clone(&bank), &skins.iter().collect::<Vec<_>>(), &PlanOptions::default());
        let plan = plan.unwrap();
        assert_eq!((plan.skin_count(), plan.skin_entries(skins.len())), (skins.len(), None));
        let pair = figure::pairs(random, &bank, 1);
        for level in levels() {
            let mut out = vec![0.0; plan.palette_floats()];
            palettes(level, PaletteJob::new(&plan, &pair, &[0], &mut out).unwrap(), &mut Scratch::new(&plan));
            // Of entries of all skins the bounds are those of a skin that has all.
            let joints = skins.iter().flat_map(|s| s.joints().to_vec()).collect();
            let binds = skins.iter().flat_map(|s| s.inverse_bind().to_vec()).collect();
            let all = Skin::new("all", bank.skeleton(), joints, Some(binds)).unwrap();
            let mut expected = expected(&bank, &all, pair[0]).into_iter();
            for (k, skin) in skins.iter().enumerate() {
                let entries = plan.skin_entries(k).unwrap();
                assert_eq!(entries.len(), skin.joints().len());
                for entry in entries {
                    let found = &out[entry * PALETTE_FLOATS..][..PALETTE_FLOATS];
                    expected.next().unwrap().hold(found, || format!("case {case}, skin {k} at {level}"));
                }
            }
        }
    }
    let bank = figure::chain(1, |_| Vec3::ONE, |_| true, 24.0);
    let error = Plan::with_skins(bank, &[], &PlanOptions::default()).err().unwrap();
    assert_eq!(error, PlanError::NoSkins);
    assert_eq!(error.to_string(), "there is no skin, so there is no palette to write");
}
