//! The vertices of one mesh by one palette, four influences each: every level beside a plain loop with glam. Nanoseconds a
//! vertex are the reciprocal of what criterion prints.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use throng::glam::{Affine3A, Mat3A, Vec3A};
use throng::kernels::{Level, MeshBlocks, SkinnedVertices, SkinningJob, skin_vertices};
use throng::tracks::{Influence, Influences, MeshSource, SkinnedMesh, WeightRule};
use throng_benches::random;

const VERTICES: usize = 4_000;
const JOINTS: usize = 64;

/// Neighbours follow nearly the same joints, as they do in meshes.
fn mesh() -> SkinnedMesh {
    let mut random = random();
    let mut vector = || [random() - 0.5, random() - 0.5, random() - 0.5];
    let (positions, normals): (Vec<_>, Vec<_>) = (0..VERTICES).map(|_| (vector(), vector())).unzip();
    let tangents: Vec<_> = normals.iter().map(|&[x, y, z]| [y, z, x, 1.0]).collect();
    let offsets: Vec<u32> = (0..=VERTICES as u32).map(|vertex| 4 * vertex).collect();
    let joint = |vertex: usize, i: usize| ((vertex * JOINTS / VERTICES + i) % JOINTS) as u16;
    let list: Vec<_> = (0..4 * VERTICES)
        .map(|i| Influence { joint: joint(i / 4, i % 4), weight: [0.4, 0.3, 0.2, 0.1][i % 4] })
        .collect();
    let source = MeshSource {
        positions: &positions,
        normals: Some(&normals),
        tangents: Some(&tangents),
        influences: Influences::Lists { offsets: &offsets, list: &list },
    };
    SkinnedMesh::new(source, JOINTS, WeightRule::Normalise).expect("a valid mesh").0
}

/// What one would write first: positions and normals.
fn naive(mesh: &SkinnedMesh, palette: &[Affine3A], positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
    let bind = mesh.positions().iter().zip(mesh.normals().unwrap_or_default());
    let out = positions.iter_mut().zip(normals);
    for (vertex, ((&p, &n), (position, normal))) in bind.zip(out).enumerate() {
        let (mut linear, mut translation) = (Mat3A::ZERO, Vec3A::ZERO);
        for influence in mesh.influences(vertex) {
            let matrix = &palette[usize::from(influence.joint)];
            linear += matrix.matrix3 * influence.weight;
            translation += matrix.translation * influence.weight;
        }
        *position = (linear * Vec3A::from_array(p) + translation).to_array();
        let turned = linear.inverse().transpose() * Vec3A::from_array(n);
        *normal = turned.normalize_or_zero().to_array();
    }
}

fn skinning(c: &mut Criterion) {
    let mesh = mesh();
    let blocks = MeshBlocks::new(&mesh);
    let matrix = |j: usize| Affine3A::from_rotation_z(j as f32 * 0.01) * Affine3A::from_rotation_x(0.3);
    let palette: Vec<Affine3A> = (0..JOINTS).map(matrix).collect();
    let row = |m: &Affine3A, r: usize| {
        [m.matrix3.x_axis[r], m.matrix3.y_axis[r], m.matrix3.z_axis[r], m.translation[r]]
    };
    let rows: Vec<f32> = palette.iter().flat_map(|m| [0, 1, 2].map(|r| row(m, r))).flatten().collect();
    let (mut positions, mut normals) = (vec![[0.0; 3]; VERTICES], vec![[0.0; 3]; VERTICES]);
    let mut tangents = vec![[0.0; 4]; VERTICES];

    for name in ["positions", "with normals", "with normals and tangents"] {
        let mut group = c.benchmark_group(format!("skinning/{name}"));
        group.throughput(Throughput::Elements(VERTICES as u64));
        if name == "with normals" {
            group.bench_function("glam", |b| {
                b.iter(|| naive(&mesh, black_box(&palette), &mut positions, &mut normals));
            });
        }
        for level in Level::available().into_iter().filter(|level| level.name() != "scalar-fused") {
            group.bench_function(BenchmarkId::from_parameter(level), |b| {
                b.iter(|| {
                    let out = SkinnedVertices {
                        positions: &mut positions,
                        normals: (name != "positions").then_some(&mut normals),
                        tangents: name.ends_with("tangents").then_some(&mut tangents),
                    };
                    SkinningJob::new(&blocks, black_box(&rows), out).map(|job| skin_vertices(level, job))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, skinning);
criterion_main!(benches);
