//! What skinning keeps, and which way things point afterwards.

use glam::{Affine3A, Vec3, Vec3A, Vec4};
use throng_tracks::{Influence, WeightRule};

use crate::random::{Random, cases, levels};
use crate::skinned::{Parts, alike, any_matrix, floats, rigid_matrix, skin};

fn vec(v: [f32; 3]) -> Vec3 {
    Vec3::from_array(v)
}

#[test]
fn the_identity_gives_the_mesh_back() {
    let random = &mut Random::new(1);
    let parts = Parts::random(random, 200, 7, 9);
    let mesh = parts.mesh(WeightRule::Normalise);
    for level in levels() {
        let found = skin(level, &mesh, &floats(&[Affine3A::IDENTITY; 7]));
        for vertex in 0..200 {
            let (bind, position) = (mesh.positions()[vertex], found.positions[vertex]);
            if mesh.influences(vertex).len() == 1 {
                assert_eq!(position, bind, "{level}: {vertex}");
            }
            assert!(
                (vec(position) - vec(bind)).abs().max_element() <= 5e-7,
                "{level}: {position:?}, {bind:?}"
            );
            let normal = vec(parts.normals[vertex]).normalize_or_zero();
            assert!((vec(found.normals[vertex]) - normal).length() <= 5e-7, "{level}: {vertex}");
            let tangent = Vec4::from_array(found.tangents[vertex]) - Vec4::from_array(parts.tangents[vertex]);
            assert!(tangent.length() <= 5e-7, "{level}: {vertex}");
        }
    }
}

#[test]
fn rigid_palettes_keep_lengths() {
    for case in 0..cases(100) as u64 {
        let random = &mut Random::new(70_000 + case);
        let parts = Parts::random(random, 40, 5, 4);
        let mesh = parts.mesh(WeightRule::Normalise);
        // All joints alike: whatever the weights, the mesh moves as one.
        let palette = [rigid_matrix(random); 5];
        for level in levels() {
            let found = skin(level, &mesh, &floats(&palette));
            for (a, b) in (0..40).zip(1..40) {
                let bind = vec(mesh.positions()[a]).distance(vec(mesh.positions()[b]));
                let moved = vec(found.positions[a]).distance(vec(found.positions[b]));
                assert!((bind - moved).abs() <= 1e-5, "case {case} at {level}: {bind} became {moved}");
            }
            for vertex in 0..40 {
                let (normal, tangent) = (vec(found.normals[vertex]), found.tangents[vertex]);
                let expected = if parts.normals[vertex] == [0.0; 3] { 0.0 } else { 1.0 };
                assert!((normal.length() - expected).abs() <= 3e-7, "case {case} at {level}: {normal}");
                assert!(
                    normal.dot(vec([tangent[0], tangent[1], tangent[2]])).abs() <= 1e-6,
                    "still at right angles"
                );
                assert_eq!(tangent[3], parts.tangents[vertex][3], "nothing mirrors");
            }
        }
    }
}

#[test]
fn vertices_are_linear_in_their_weights() {
    for case in 0..cases(100) as u64 {
        let random = &mut Random::new(80_000 + case);
        let parts = Parts::random(random, 40, 6, 3);
        let mut other = parts.clone();
        for influence in other.influences.iter_mut().flatten() {
            *influence = Influence { joint: random.below(6) as u16, weight: random.between(0.1, 1.0) };
        }
        let way = random.between(0.0, 1.0);
        let mut between = parts.clone();
        for (own, other) in between.influences.iter_mut().zip(&other.influences) {
            own.iter_mut().for_each(|i| i.weight *= 1.0 - way);
            own.extend(other.iter().map(|i| Influence { weight: i.weight * way, ..*i }));
        }
        let matrices: Vec<_> = (0..6).map(|_| rigid_matrix(random)).collect();
        let palette = floats(&matrices);
        for level in levels() {
            let [a, b, found] = [&parts, &other, &between]
                .map(|p| skin(level, &p.mesh(WeightRule::Keep), &palette).positions);
            for vertex in 0..40 {
                let expected = vec(a[vertex]).lerp(vec(b[vertex]), way);
                assert!((vec(found[vertex]) - expected).length() <= 2e-5, "case {case} at {level}: {vertex}");
            }
        }
    }
}

/// Triangles with their true normals: they must stay true, and outside, under any scale, shear or mirror.
#[test]
fn normals_stay_at_right_angles_to_the_surface_and_on_its_outside() {
    for case in 0..cases(400) as u64 {
        let random = &mut Random::new(90_000 + case);
        let corners: [Vec3; 3] = std::array::from_fn(|_| random.vector(1.0));
        let true_normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
        let normal = true_normal(corners);
        if normal.length() < 0.2 {
            continue;
        }
        let matrix = any_matrix(random);
        let tangent = (corners[1] - corners[0]).normalize();
        let sign = random.pick(&[1.0, -1.0]);
        let parts = Parts {
            positions: corners.map(|c| c.to_array()).to_vec(),
            normals: vec![normal.to_array(); 3],
            tangents: vec![tangent.extend(sign).to_array(); 3],
            influences: vec![vec![Influence { joint: 0, weight: 1.0 }]; 3],
            joints: 1,
        };
        for level in levels() {
            let found = skin(level, &parts.mesh(WeightRule::Keep), &floats(&[matrix]));
            let mirrored = matrix.matrix3.determinant() < 0.0;
            // A mirror turns the order of the corners round, as seen from outside.
            let corners = [0, 1, 2].map(|i| vec(found.positions[i]));
            let outside = true_normal(corners).normalize() * if mirrored { -1.0 } else { 1.0 };
            assert!(vec(found.normals[0]).dot(outside) > 0.999, "case {case} at {level}: {matrix:?}");
            // The bitangent that a shader makes of it is on the side where the matrix takes the old one.
            let [x, y, z, w] = found.tangents[0];
            let bitangent = vec(found.normals[0]).cross(vec([x, y, z])) * w;
            let old = normal.normalize().cross(tangent) * sign;
            let moved = Vec3::from(matrix.matrix3 * Vec3A::from(old));
            assert!(bitangent.dot(moved) > 0.0, "case {case} at {level}: {matrix:?}");
            assert_eq!(w, if mirrored { -sign } else { sign }, "case {case} at {level}");
        }
    }
}

#[test]
fn zero_stays_zero_and_flat_is_no_harm() {
    let influences = vec![vec![Influence { joint: 0, weight: 1.0 }]; 3];
    let parts = Parts {
        positions: vec![[1.0, 2.0, 3.0]; 3],
        normals: vec![[0.0, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0; 3]],
        tangents: vec![[0.0, 0.0, 1.0, 1.0], [3.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, 1.0]],
        influences,
        joints: 1,
    };
    let mesh = parts.mesh(WeightRule::Keep);
    for level in levels() {
        // Onto the plane z = 0: a normal along z stays, one in the plane belongs to what has become a line.
        let flat = skin(level, &mesh, &floats(&[Affine3A::from_scale(Vec3::new(2.0, 2.0, 0.0))]));
        assert_eq!(flat.positions, [[2.0, 4.0, 0.0]; 3], "{level}");
        assert_eq!(flat.normals, [[0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]], "{level}");
        assert_eq!(flat.tangents[0], [0.0, 0.0, 0.0, 1.0], "{level}");
        assert_eq!(flat.tangents[1], [1.0, 0.0, 0.0, -1.0], "{level}");
        let gone = skin(level, &mesh, &[0.0; 12]);
        assert_eq!((gone.positions, gone.normals), (vec![[0.0; 3]; 3], vec![[0.0; 3]; 3]), "{level}");
        assert!(gone.tangents.iter().all(|t| t[..3] == [0.0; 3]), "{level}");
    }
}

#[test]
fn scales_within_what_is_promised_leave_directions_alone() {
    let random = &mut Random::new(6);
    let mesh = Parts::random(random, 64, 4, 4).mesh(WeightRule::Normalise);
    let matrices = alike(random, 4);
    for level in levels() {
        let plain = skin(level, &mesh, &floats(&matrices));
        for scale in [1e-7, 1e-3, 1e3, 1e7] {
            let scaled: Vec<_> =
                matrices.iter().map(|m| Affine3A::from_scale(Vec3::splat(scale)) * *m).collect();
            let found = skin(level, &mesh, &floats(&scaled));
            for vertex in 0..64 {
                let off = (vec(found.normals[vertex]) - vec(plain.normals[vertex])).length();
                assert!(off <= 2e-5, "{level}: scale {scale} turns normal {vertex} by {off}");
            }
        }
    }
}
