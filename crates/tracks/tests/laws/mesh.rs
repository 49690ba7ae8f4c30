//! Meshes: what is refused, and what becomes of weights.

use glam::{Affine3A, Quat, Vec3};
use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{
    Influence, InfluenceSet, Influences, Joint, JointIndex, MeshError, MeshSource, Rest, Skeleton, Skin,
    SkinnedMesh, Transform, WeightReport, WeightRule, joint_radii, model_matrices,
};

const fn influence(joint: u16, weight: f32) -> Influence {
    Influence { joint, weight }
}

const POSITIONS: [[f32; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

fn lists<'a>(offsets: &'a [u32], list: &'a [Influence]) -> MeshSource<'a> {
    let influences = Influences::Lists { offsets, list };
    MeshSource { positions: &POSITIONS, normals: None, tangents: None, influences }
}

fn sets<'a>(sets: &'a [InfluenceSet<'a>]) -> MeshSource<'a> {
    MeshSource { positions: &POSITIONS, normals: None, tangents: None, influences: Influences::Sets(sets) }
}

fn words(source: MeshSource<'_>, joints: usize) -> String {
    SkinnedMesh::new(source, joints, WeightRule::Normalise).map_or_else(|e| e.to_string(), |_| String::new())
}

#[test]
fn what_is_refused() {
    let good = [influence(0, 1.0), influence(1, 0.25), influence(0, 0.75)];
    assert_eq!(words(lists(&[0, 1, 3], &good), 2), "");
    assert_eq!(words(lists(&[0, 1, 3], &good), 1), "vertex 1 follows joint 1, expected one of the skin's 1");
    assert_eq!(words(lists(&[0, 3], &good), 2), "2 offsets of influences, expected 3 for 2 vertices");
    assert_eq!(
        words(lists(&[0, 1, 4], &good), 2),
        "the influences of vertex 1 are 1..4 of 3, expected a range within them"
    );
    assert_eq!(
        words(lists(&[3, 1, 3], &good), 2),
        "the influences of vertex 0 are 3..1 of 3, expected a range within them"
    );
    assert_eq!(words(lists(&[0, 3, 3], &good), 2), "vertex 1 has no influences, expected one or more");
    for weight in [-0.5, f32::NAN, f32::INFINITY] {
        let bad = [influence(0, 1.0), influence(1, weight)];
        let expected = format!("vertex 1 follows joint 1 by {weight}, expected a weight from 0 on");
        assert_eq!(words(lists(&[0, 1, 2], &bad), 2), expected);
    }
    let three = [[0; 4]; 3];
    let set = InfluenceSet { joints: &three, weights: &[[1.0, 0.0, 0.0, 0.0]; 2] };
    assert_eq!(words(sets(&[set]), 2), "3 joints of a set, expected 2 for 2 vertices");
    let set = InfluenceSet { joints: &three[..2], weights: &[[1.0, 0.0, 0.0, 0.0]; 1] };
    assert_eq!(words(sets(&[set]), 2), "1 weights of a set, expected 2 for 2 vertices");
    assert_eq!(words(sets(&[]), 2), "vertex 0 has no influences, expected one or more");
}

#[test]
fn every_number_is_finite_and_every_vertex_has_its_own() {
    let list = [influence(0, 1.0), influence(0, 1.0)];
    let good = lists(&[0, 1, 2], &list);
    let (mut positions, normals, tangents) = (POSITIONS, [[0.0, 1.0, 0.0]; 3], [[0.0, 1.0, 0.0, 1.0]; 3]);
    positions[1][2] = f32::NAN;
    let bad = MeshSource { positions: &positions, ..good };
    assert_eq!(words(bad, 1), "the position of vertex 1 has NaN, expected finite numbers");
    let bad = MeshSource { normals: Some(&[[0.0; 3], [f32::INFINITY, 0.0, 0.0]]), ..good };
    assert_eq!(words(bad, 1), "the normal of vertex 1 has inf, expected finite numbers");
    let bad = MeshSource { tangents: Some(&[[0.0, 0.0, 0.0, f32::NAN]; 2]), ..good };
    assert_eq!(words(bad, 1), "the tangent of vertex 0 has NaN, expected finite numbers");
    let bad = MeshSource { normals: Some(&normals), ..good };
    assert_eq!(words(bad, 1), "3 normals, expected 2 for 2 vertices");
    let bad = MeshSource { tangents: Some(&tangents), ..good };
    assert_eq!(words(bad, 1), "3 tangents, expected 2 for 2 vertices");
    let all = MeshSource { normals: Some(&normals[..2]), tangents: Some(&tangents[..2]), ..good };
    let (mesh, _) = SkinnedMesh::new(all, 1, WeightRule::Keep).unwrap();
    assert_eq!((mesh.normals().unwrap().len(), mesh.tangents().unwrap().len()), (2, 2));
}

fn made(source: MeshSource<'_>, rule: WeightRule) -> (Vec<Vec<Influence>>, WeightReport) {
    let (mesh, report) = SkinnedMesh::new(source, 2, rule).unwrap();
    assert_eq!(mesh.influences(2), []);
    let lists: Vec<_> = (0..2).map(|vertex| mesh.influences(vertex).to_vec()).collect();
    assert_eq!(mesh.influence_count(), lists.iter().map(Vec::len).sum::<usize>());
    (lists, report)
}

#[test]
fn weights_are_normalised_or_kept_and_told_of() {
    let list = [influence(0, 1.0), influence(1, 1.0), influence(1, 0.5)];
    let source = lists(&[0, 2, 3], &list);
    let report = WeightReport { off: 2, weightless: 0, largest: 1.0 };
    let normalised = vec![vec![influence(0, 0.5), influence(1, 0.5)], vec![influence(1, 1.0)]];
    assert_eq!(made(source, WeightRule::Normalise), (normalised, report));
    let kept = vec![list[..2].to_vec(), list[2..].to_vec()];
    assert_eq!(made(source, WeightRule::Keep), (kept, report));
    // The largest and the smallest weights there are.
    let list = [influence(0, f32::MAX), influence(1, f32::MAX), influence(1, 1e-45)];
    let (lists, _) = made(lists(&[0, 2, 3], &list), WeightRule::Normalise);
    assert_eq!(lists, [vec![influence(0, 0.5), influence(1, 0.5)], vec![influence(1, 1.0)]]);
}

#[test]
fn sets_become_lists_without_what_counts_nothing() {
    let first = InfluenceSet {
        joints: &[[0, 1, 7, 9], [1, 0, 0, 0]],
        weights: &[[0.25, 0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
    };
    // A set of weight 0 may name joints that don't exist.
    let second =
        InfluenceSet { joints: &[[1, 99, 0, 0], [65535; 4]], weights: &[[0.5, 0.0, -0.0, 0.0], [0.0; 4]] };
    let (lists, report) = made(sets(&[first, second]), WeightRule::Normalise);
    let expected = [vec![influence(0, 0.25), influence(1, 0.25), influence(1, 0.5)], vec![influence(1, 1.0)]];
    assert_eq!(lists, expected);
    assert_eq!(report, WeightReport::default());
}

#[test]
fn a_vertex_without_weight_goes_to_its_first_joint() {
    let set = InfluenceSet { joints: &[[1, 0, 0, 0], [0; 4]], weights: &[[0.0; 4], [1.0, 0.0, 0.0, 0.0]] };
    let (lists, report) = made(sets(&[set]), WeightRule::Normalise);
    assert_eq!(lists[0], [influence(1, 1.0)]);
    assert_eq!(report, WeightReport { off: 1, weightless: 1, largest: 1.0 });
    assert_eq!(made(sets(&[set]), WeightRule::Keep).0[0], [influence(1, 0.0)]);
    let set = InfluenceSet { joints: &[[5, 0, 0, 0], [0; 4]], ..set };
    let error = SkinnedMesh::new(sets(&[set]), 2, WeightRule::Normalise).unwrap_err();
    assert_eq!(error, MeshError::NoSuchJoint { vertex: 0, joint: 5, joint_count: 2 });
}

/// A chain of joints of this length, scaled at its root, and a mesh whose vertices follow two joints each.
fn limb(bone: f32, scale: f32, weights: &[f32], used: &[u16]) -> (Skeleton, Skin, SkinnedMesh) {
    let skeleton = Skeleton::new((0..4u16).map(|j| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform {
            translation: [0.0, bone, 0.0].into(),
            scale: Vec3::splat(if j == 0 { scale } else { 1.0 }),
            ..Transform::IDENTITY
        }),
    }))
    .unwrap();
    let mut models = vec![Affine3A::IDENTITY; 4];
    model_matrices(&skeleton, skeleton.rest(), &mut models);
    let inverse = models.iter().map(|model| model.inverse()).collect();
    let skin = Skin::new("limb", &skeleton, skeleton.joints().collect(), Some(inverse)).unwrap();
    let vertex = |i: usize| (used[i % used.len()], used[(i + 1) % used.len()]);
    let positions: Vec<[f32; 3]> =
        (0..weights.len()).map(|i| [(i as f32).sin(), i as f32 * 0.3 * bone, (i as f32).cos()]).collect();
    let joints: Vec<[u16; 4]> = (0..weights.len()).map(|i| [vertex(i).0, vertex(i).1, 0, 3]).collect();
    let weights: Vec<[f32; 4]> = weights.iter().map(|&w| [w, 1.0 - w, 0.0, 0.0]).collect();
    let sets = [InfluenceSet { joints: &joints, weights: &weights }];
    let source = MeshSource {
        positions: &positions,
        normals: None,
        tangents: None,
        influences: Influences::Sets(&sets),
    };
    let (mesh, _) = SkinnedMesh::new(source, 4, WeightRule::Normalise).unwrap();
    (skeleton, skin, mesh)
}

/// Where linear blend skinning takes a vertex.
fn skinned(mesh: &SkinnedMesh, skin: &Skin, models: &[Affine3A], vertex: usize) -> Vec3 {
    let position = Vec3::from(mesh.positions()[vertex]);
    let moved = |influence: &Influence| {
        let entry = usize::from(influence.joint);
        let palette = models[skin.joints()[entry].get()] * skin.inverse_bind()[entry];
        influence.weight * palette.transform_point3(position)
    };
    mesh.influences(vertex).iter().map(moved).sum()
}

proptest! {
    #[test]
    fn a_box_around_the_spheres_holds_the_mesh_in_every_pose(
        bone in 0.1f32..3.0, scale in 0.01f32..2.0, weights in vec(0.0f32..=1.0, 1..40),
        turns in vec((-3.0f32..3.0, -3.0f32..3.0, -3.0f32..3.0), 4),
    ) {
        let (skeleton, skin, mesh) = limb(bone, scale, &weights, &[0, 1, 2, 3]);
        let radii = joint_radii([&mesh], &skeleton, &skin);
        let mut pose = skeleton.rest().to_vec();
        for (joint, (x, y, z)) in pose.iter_mut().zip(&turns) {
            joint.rotation = Quat::from_euler(glam::EulerRot::XYZ, *x, *y, *z);
        }
        let mut models = vec![Affine3A::IDENTITY; 4];
        model_matrices(&skeleton, &pose, &mut models);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (joint, radius) in &radii {
            let centre = Vec3::from(models[joint.get()].translation);
            (low, high) = (low.min(centre - *radius), high.max(centre + *radius));
        }
        // What f32 loses along the chain.
        let slack = Vec3::splat(1e-5 * (high - low).max_element().max(high.abs().max_element()).max(low.abs().max_element()));
        for vertex in 0..mesh.vertex_count() {
            let at = skinned(&mesh, &skin, &models, vertex);
            prop_assert!((at + slack).cmpge(low).all() && (at - slack).cmple(high).all(), "{} in {}..{}", at, low, high);
        }
    }

    #[test]
    fn a_pruned_palette_skins_the_same(
        weights in vec(0.0f32..=1.0, 1..40), used in proptest::sample::subsequence(vec![0u16, 1, 2, 3], 1..=4),
    ) {
        let (skeleton, skin, mesh) = limb(1.0, 0.5, &weights, &used);
        let marked = mesh.used_joints();
        let (pruned, remap) = skin.pruned(&marked);
        let smaller = mesh.remapped(&remap).unwrap();
        prop_assert_eq!(remap.kept(), marked.iter().filter(|used| **used).count());
        prop_assert_eq!((pruned.joints().len(), smaller.joint_count()), (remap.kept(), remap.kept()));
        prop_assert_eq!(remap.is_identity(), remap.kept() == 4);
        let mut models = vec![Affine3A::IDENTITY; 4];
        model_matrices(&skeleton, skeleton.rest(), &mut models);
        for vertex in 0..mesh.vertex_count() {
            prop_assert_eq!(skinned(&mesh, &skin, &models, vertex), skinned(&smaller, &pruned, &models, vertex));
            // A buffer of the caller's own names the same.
            let mut joints: Vec<u16> = mesh.influences(vertex).iter().map(|i| i.joint).collect();
            prop_assert_eq!(remap.rewrite(&mut joints), 0);
            let expected: Vec<u16> = smaller.influences(vertex).iter().map(|i| i.joint).collect();
            prop_assert_eq!(joints, expected);
        }
        if let Some(unused) = marked.iter().position(|used| !used) {
            prop_assert_eq!(remap.entry(unused as u16), None);
            prop_assert!(remap.entries().len() == 4 && remap.entry(4).is_none());
        }
    }
}

#[test]
fn what_is_used_by_nothing_keeps_its_palette() {
    let (_, skin, mesh) = limb(1.0, 1.0, &[0.5], &[1, 2]);
    for used in [vec![false; 4], vec![], vec![true; 4]] {
        let (pruned, remap) = skin.pruned(&used);
        assert_eq!((&pruned, remap.is_identity()), (&skin, true));
    }
    let (_, remap) = skin.pruned(&[true, false, false, true]);
    assert_eq!(mesh.remapped(&remap), None);
    // A weight of 0 is no use.
    let (_, _, still) = limb(1.0, 1.0, &[1.0], &[2, 3]);
    assert_eq!(still.used_joints(), [false, false, true, false]);
}
