//! Skinning allocates nothing. A program of its own rather than a test: the threads of a test harness would be counted too.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};
use throng_kernels::{Level, MeshBlocks, SkinnedVertices, SkinningJob, skin_vertices};
use throng_tracks::{Influence, Influences, MeshSource, SkinnedMesh, WeightRule};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "the counter counts");

    // Two whole blocks and a part of one.
    let (offsets, list) = ((0..=37).collect::<Vec<u32>>(), vec![Influence { joint: 1, weight: 1.0 }; 37]);
    let source = MeshSource {
        positions: &[[1.0; 3]; 37],
        normals: Some(&[[1.0; 3]; 37]),
        tangents: Some(&[[1.0; 4]; 37]),
        influences: Influences::Lists { offsets: &offsets, list: &list },
    };
    let (mesh, _) = SkinnedMesh::new(source, 2, WeightRule::Normalise).unwrap();
    let mesh = MeshBlocks::new(&mesh);
    let palettes = vec![0.5; 3 * mesh.palette_floats()];
    let (mut positions, mut normals) = (vec![[0.0; 3]; 3 * 37], vec![[0.0; 3]; 3 * 37]);
    let mut tangents = vec![[0.0; 4]; 3 * 37];
    for level in Level::available() {
        let region = Region::new(ALLOCATOR);
        for _ in 0..10 {
            let (normals, tangents) = (Some(&mut normals[..]), Some(&mut tangents[..]));
            let out = SkinnedVertices { positions: &mut positions, normals, tangents };
            skin_vertices(level, SkinningJob::new(&mesh, &palettes, out).unwrap());
        }
        assert_eq!(region.change(), Stats::default(), "{level}");
        assert_eq!(positions[110], [2.0; 3], "{level}");
        println!("ten frames of three palettes at {level}: no allocation");
    }
}
