//! Skinned vertices against the oracle, and the laws of skinning.

mod bits;
mod geometry;
mod refusals;

use glam::{DAffine3, DVec3};
use throng_kernels::oracle::skinned_vertices;
use throng_tracks::{SkinnedMesh, WeightRule};

use crate::random::{Random, cases, levels};
use crate::skinned::{Parts, Skinned, alike, any_matrix, doubles, floats, skin};

const EPSILON: f64 = f32::EPSILON as f64;

/// The largest difference from the oracle, as a part of what rounding may come to.
fn hold(mesh: &SkinnedMesh, palette: &[DAffine3], found: &Skinned, what: &str) -> f64 {
    let mut largest = 0.0f64;
    for (vertex, exact) in skinned_vertices(mesh, palette).into_iter().enumerate() {
        let bind = DVec3::from_array(mesh.positions()[vertex].map(f64::from));
        // How large the numbers are that are summed, and of them the largest coefficient of the blended matrix.
        let (mut size, mut linear) = (0.0, 0.0);
        for influence in mesh.influences(vertex) {
            let (m, weight) = (palette[usize::from(influence.joint)], f64::from(influence.weight));
            let axes = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(DVec3::length);
            linear += weight * axes.into_iter().fold(0.0, f64::max);
            size += weight * (m.translation.length() + axes.into_iter().sum::<f64>() * bind.length());
        }
        let steps = mesh.influences(vertex).len() as f64 + 4.0;
        let mut check = |name: &str, found: [f32; 3], exact: DVec3, bound: f64| {
            let error = (DVec3::from_array(found.map(f64::from)) - exact).abs().max_element();
            assert!(
                error <= bound,
                "{what}: {name} of vertex {vertex} is {found:?}, exactly {exact}; bound {bound:e}"
            );
            largest = largest.max(error / bound);
        };
        check("position", found.positions[vertex], exact.position, steps * EPSILON * size);
        // A direction is as good as what it is scaled up from: cofactors are products of two coefficients.
        let blended = blended(mesh, palette, vertex);
        let normal = DVec3::from_array(mesh.normals().unwrap()[vertex].map(f64::from));
        let length = (blended.determinant() * (blended.inverse().transpose() * normal)).length();
        let bound = if length > 0.0 {
            4.0 * steps * EPSILON * linear * linear * normal.length() / length
        } else {
            0.0
        };
        check("normal", found.normals[vertex], exact.normal, bound);
        let [x, y, z, w] = mesh.tangents().unwrap()[vertex];
        let tangent = DVec3::from_array([x, y, z].map(f64::from));
        let length = (blended * tangent).length();
        let bound =
            if length > 0.0 { 4.0 * steps * EPSILON * linear * tangent.length() / length } else { 0.0 };
        let [x, y, z, sign] = found.tangents[vertex];
        check("tangent", [x, y, z], exact.tangent.truncate(), bound);
        // Where a determinant is lost in rounding, so is its sign.
        if blended.determinant().abs() > 8.0 * steps * EPSILON * linear.powi(3) {
            assert_eq!(f64::from(sign), exact.tangent.w, "{what}: sign of vertex {vertex}, from {w}");
        }
    }
    largest
}

fn blended(mesh: &SkinnedMesh, palette: &[DAffine3], vertex: usize) -> glam::DMat3 {
    let matrices = mesh.influences(vertex).iter();
    matrices.map(|i| palette[usize::from(i.joint)].matrix3 * f64::from(i.weight)).sum()
}

#[test]
fn vertices_are_the_oracles_at_every_level() {
    let levels = levels();
    let mut largest = 0.0f64;
    for case in 0..cases(1500) as u64 {
        let random = &mut Random::new(case);
        let (vertices, joints) = (random.below(70), 1 + random.below(40));
        let most = random.pick(&[1, 4, 4, 8, 21]);
        let parts = Parts::random(random, vertices, joints, most);
        let mesh = parts.mesh(random.pick(&[WeightRule::Normalise, WeightRule::Keep]));
        // Blends of matrices that have nothing to do with each other can be as good as flat, with any normal.
        let palette = if random.percent(50) || most > 1 {
            alike(random, joints)
        } else {
            (0..joints).map(|_| any_matrix(random)).collect()
        };
        for &level in &levels {
            let found = skin(level, &mesh, &floats(&palette));
            largest =
                largest.max(hold(&mesh, &doubles(&palette), &found, &format!("case {case} at {level}")));
        }
    }
    println!("largest error: {largest} of the bound");
}

#[test]
fn positions_are_the_oracles_for_matrices_that_have_nothing_in_common() {
    for case in 0..cases(300) as u64 {
        let random = &mut Random::new(10_000 + case);
        let parts = Parts::random(random, 33, 12, 6);
        let mesh = parts.mesh(WeightRule::Normalise);
        let palette: Vec<_> = (0..12).map(|_| any_matrix(random)).collect();
        let exact = skinned_vertices(&mesh, &doubles(&palette));
        let size = 3.0 + 100.0 * 2.0 * 3f64.sqrt();
        for level in levels() {
            let found = skin(level, &mesh, &floats(&palette));
            for (found, exact) in found.positions.iter().zip(&exact) {
                let error = (DVec3::from_array(found.map(f64::from)) - exact.position).abs().max_element();
                assert!(error <= 8.0 * EPSILON * size, "case {case} at {level}: {found:?} for {exact:?}");
            }
        }
    }
}
