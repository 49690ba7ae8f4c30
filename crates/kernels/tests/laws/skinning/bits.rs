//! What must not change a bit.

use throng_kernels::{BLOCK, Level, MeshBlocks, SkinnedVertices, SkinningJob, skin_vertices};
use throng_tracks::{Influence, SkinnedMesh, WeightRule};

use crate::random::{Random, cases, classes, levels};
use crate::skinned::{Parts, Skinned, any_matrix, floats, skin};

fn palettes(random: &mut Random, joints: usize, count: usize) -> Vec<f32> {
    let matrices: Vec<_> = (0..joints * count).map(|_| any_matrix(random)).collect();
    let mut floats = floats(&matrices);
    // Zeros of either sign, as exact quarter turns and mirrors have, and numbers that vanish when they are weighed.
    for x in &mut floats {
        *x = if random.percent(15) { random.pick(&[0.0, -0.0, -1e-41, 1e-41]) } else { *x };
    }
    floats
}

/// Some weights so small that products with them vanish.
fn with_small_weights(random: &mut Random, parts: &mut Parts) {
    for influence in parts.influences.iter_mut().flatten() {
        influence.weight = if random.percent(10) { 1e-6 } else { influence.weight };
    }
}

#[test]
fn levels_of_a_class_return_the_same_bits() {
    for case in 0..cases(200) as u64 {
        let random = &mut Random::new(20_000 + case);
        let mut parts = Parts::random(random, case as usize % 50, 9, 7);
        with_small_weights(random, &mut parts);
        let mesh = parts.mesh(WeightRule::Normalise);
        let palettes = palettes(random, 9, 3);
        for class in classes() {
            let first = skin(class[0], &mesh, &palettes).bits();
            for &level in &class {
                let found = skin(level, &mesh, &palettes).bits();
                let differs = found.iter().zip(&first).position(|(a, b)| a != b);
                assert_eq!(differs, None, "case {case}: {level} differs from {}", class[0]);
            }
        }
    }
}

#[test]
fn the_order_of_vertices_is_nothing_to_them() {
    for case in 0..cases(200) as u64 {
        let random = &mut Random::new(30_000 + case);
        let mut parts = Parts::random(random, 1 + case as usize % 60, 5, 9);
        with_small_weights(random, &mut parts);
        let mut order: Vec<usize> = (0..parts.positions.len()).collect();
        (1..order.len()).for_each(|i| order.swap(i, random.below(i + 1)));
        let palettes = palettes(random, 5, 1);
        for level in levels() {
            let there = skin(level, &parts.mesh(WeightRule::Normalise), &palettes);
            let moved = skin(level, &parts.reordered(&order).mesh(WeightRule::Normalise), &palettes);
            let expected = Skinned {
                positions: order.iter().map(|&v| there.positions[v]).collect(),
                normals: order.iter().map(|&v| there.normals[v]).collect(),
                tangents: order.iter().map(|&v| there.tangents[v]).collect(),
            };
            assert_eq!(moved.bits(), expected.bits(), "case {case} at {level}");
        }
    }
}

/// The whole, put together from parts: cut anywhere, by vertices and by palettes.
fn in_parts(random: &mut Random, level: Level, mesh: &SkinnedMesh, palettes: &[f32]) -> Skinned {
    let (blocks, count) = (MeshBlocks::new(mesh), mesh.vertex_count());
    let instances = palettes.len() / blocks.palette_floats();
    let mut whole = Skinned {
        positions: vec![[f32::NAN; 3]; count * instances],
        normals: vec![[f32::NAN; 3]; count * instances],
        tangents: vec![[f32::NAN; 4]; count * instances],
    };
    let mut start = 0;
    while start < count {
        let step = random.pick(&[1, 7, BLOCK, 2 * BLOCK, 40]);
        let end = count.min(start + 1 + random.below(step));
        let mut first = 0;
        while first < instances {
            let last = instances.min(first + 1 + random.below(2));
            let (some, floats) = (last - first, blocks.palette_floats());
            let mut part = Skinned {
                positions: vec![[f32::NAN; 3]; some * (end - start)],
                normals: vec![[f32::NAN; 3]; some * (end - start)],
                tangents: vec![[f32::NAN; 4]; some * (end - start)],
            };
            let out = SkinnedVertices {
                positions: &mut part.positions,
                normals: Some(&mut part.normals),
                tangents: Some(&mut part.tangents),
            };
            let some_palettes = &palettes[first * floats..last * floats];
            skin_vertices(level, SkinningJob::of_vertices(&blocks, start..end, some_palettes, out).unwrap());
            for i in 0..some {
                let to = (first + i) * count + start..(first + i) * count + end;
                let from = i * (end - start)..(i + 1) * (end - start);
                whole.positions[to.clone()].copy_from_slice(&part.positions[from.clone()]);
                whole.normals[to.clone()].copy_from_slice(&part.normals[from.clone()]);
                whole.tangents[to].copy_from_slice(&part.tangents[from]);
            }
            first = last;
        }
        start = end;
    }
    whole
}

#[test]
fn any_split_gives_the_same_bits() {
    for case in 0..cases(150) as u64 {
        let random = &mut Random::new(40_000 + case);
        let mesh = Parts::random(random, case as usize, 6, 5).mesh(WeightRule::Normalise);
        let palettes = palettes(random, 6, 3);
        for level in levels() {
            let (whole, parts) = (skin(level, &mesh, &palettes), in_parts(random, level, &mesh, &palettes));
            assert_eq!(whole.bits(), parts.bits(), "case {case} at {level}");
        }
    }
}

#[test]
fn what_is_not_asked_for_is_nothing_to_the_rest() {
    let random = &mut Random::new(5);
    let mesh = Parts::random(random, 53, 6, 5).mesh(WeightRule::Normalise);
    let (blocks, palettes) = (MeshBlocks::new(&mesh), palettes(random, 6, 2));
    for level in levels() {
        let all = skin(level, &mesh, &palettes);
        for wanted in 0..4 {
            let mut some = Skinned {
                positions: vec![[f32::NAN; 3]; 106],
                normals: vec![[f32::NAN; 3]; 106],
                tangents: vec![[f32::NAN; 4]; 106],
            };
            let out = SkinnedVertices {
                positions: &mut some.positions,
                normals: (wanted & 1 != 0).then_some(&mut some.normals),
                tangents: (wanted & 2 != 0).then_some(&mut some.tangents),
            };
            skin_vertices(level, SkinningJob::new(&blocks, &palettes, out).unwrap());
            assert_eq!(some.positions, all.positions, "{level}");
            assert!(if wanted & 1 != 0 { some.normals == all.normals } else { some.normals[0][0].is_nan() });
            assert!(if wanted & 2 != 0 {
                some.tangents == all.tangents
            } else {
                some.tangents[0][0].is_nan()
            });
        }
    }
}

#[test]
fn twice_the_weights_is_twice_as_far() {
    for case in 0..cases(100) as u64 {
        let random = &mut Random::new(50_000 + case);
        let parts = Parts::random(random, 40, 6, 5);
        let mut twice = parts.clone();
        twice.influences.iter_mut().flatten().for_each(|i: &mut Influence| i.weight *= 2.0);
        let matrices: Vec<_> = (0..6).map(|_| any_matrix(random)).collect();
        let palette = floats(&matrices);
        for level in levels() {
            let [one, two] = [&parts, &twice].map(|p| skin(level, &p.mesh(WeightRule::Keep), &palette));
            let doubled: Vec<_> = one.positions.iter().map(|p| p.map(|x| 2.0 * x)).collect();
            assert_eq!(two.positions, doubled, "case {case} at {level}");
            assert_eq!((two.normals, two.tangents), (one.normals, one.tangents), "case {case} at {level}");
        }
    }
}

#[test]
fn what_is_no_number_spoils_the_vertices_that_follow_it_and_no_others() {
    for case in 0..cases(100) as u64 {
        let random = &mut Random::new(60_000 + case);
        let parts = Parts::random(random, 50, 8, 6);
        let mesh = parts.mesh(WeightRule::Normalise);
        let mut spoilt = palettes(random, 8, 1);
        let good = spoilt.clone();
        let (joint, what) = (random.below(8), random.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]));
        spoilt[joint * 12..][..12].fill(what);
        for level in levels() {
            let (good, spoilt) = (skin(level, &mesh, &good), skin(level, &mesh, &spoilt));
            for vertex in 0..mesh.vertex_count() {
                if mesh.influences(vertex).iter().any(|i| usize::from(i.joint) == joint) {
                    assert!(!spoilt.positions[vertex][0].is_finite(), "case {case} at {level}: {vertex}");
                } else {
                    assert_eq!(spoilt.positions[vertex], good.positions[vertex], "case {case} at {level}");
                    assert_eq!(spoilt.normals[vertex], good.normals[vertex], "case {case} at {level}");
                    assert_eq!(spoilt.tangents[vertex], good.tangents[vertex], "case {case} at {level}");
                }
            }
        }
    }
}

/// A fused sum may vanish to -0, and a neighbour with more influences must not make 0 of it.
#[test]
fn neighbours_are_nothing_to_the_sign_of_zero() {
    // Of the smallest numbers there are -1 and 0.6: -0.4 of the smallest number, which rounds to -0.
    let few = vec![Influence { joint: 0, weight: 1.0 }, Influence { joint: 1, weight: 0.3 }];
    let parts = Parts {
        positions: vec![[1.0; 3]; 2],
        normals: vec![[1.0; 3]; 2],
        tangents: vec![[1.0; 4]; 2],
        influences: vec![few.clone(), few.repeat(3)],
        joints: 2,
    };
    let smallest = f32::from_bits(1);
    let palette: Vec<f32> = [[-smallest; 12], [2.0 * smallest; 12]].concat();
    for level in levels() {
        let both = skin(level, &parts.mesh(WeightRule::Keep), &palette);
        let alone = skin(level, &parts.reordered(&[0]).mesh(WeightRule::Keep), &palette);
        let [both, alone] = [both, alone].map(|found| found.positions[0].map(f32::to_bits));
        assert_eq!(both, alone, "{level}");
    }
}
