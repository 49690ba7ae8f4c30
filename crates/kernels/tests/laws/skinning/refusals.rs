//! What jobs are refused, and in which words; and those of nothing, which are not.

use throng_kernels::{Level, MeshBlocks, SkinnedVertices, SkinningError, SkinningJob, skin_vertices};
use throng_tracks::{Influence, Influences, MeshSource, SkinnedMesh, WeightRule};

use crate::random::levels;

/// Vertices without normals and tangents.
fn plain(vertices: usize, joints: usize) -> SkinnedMesh {
    let offsets: Vec<u32> = (0..=vertices as u32).collect();
    let list = vec![Influence { joint: 0, weight: 1.0 }; vertices];
    let source = MeshSource {
        positions: &vec![[1.0, 2.0, 3.0]; vertices],
        normals: None,
        tangents: None,
        influences: Influences::Lists { offsets: &offsets, list: &list },
    };
    SkinnedMesh::new(source, joints, WeightRule::Keep).unwrap().0
}

fn only(positions: &mut [[f32; 3]]) -> SkinnedVertices<'_> {
    SkinnedVertices { positions, normals: None, tangents: None }
}

fn words<T>(result: Result<T, SkinningError>) -> String {
    result.err().map_or_else(String::new, |e| e.to_string())
}

#[test]
fn jobs_that_cannot_be() {
    let blocks = MeshBlocks::new(&plain(4, 2));
    let room = &mut [[0.0; 3]; 8];
    assert_eq!(words(SkinningJob::new(&blocks, &[0.0; 48], only(room))), "");
    assert_eq!(
        words(SkinningJob::new(&blocks, &[0.0; 30], only(room))),
        "30 floats of palettes, expected a multiple of the 24 of one"
    );
    assert_eq!(
        words(SkinningJob::new(&blocks, &[0.0; 24], only(room))),
        "room for 8 positions, expected 4: 1 palettes of 4 vertices"
    );
    assert_eq!(
        words(SkinningJob::of_vertices(&blocks, 2..5, &[0.0; 24], only(&mut room[..3]))),
        "vertices 2..5, expected a range within the mesh's 4"
    );
    #[allow(clippy::reversed_empty_ranges, reason = "the point of it")]
    let reversed = 3..2;
    assert!(SkinningJob::of_vertices(&blocks, reversed, &[0.0; 24], only(&mut [])).is_err());
    assert_eq!(
        words(SkinningJob::of_vertices(&blocks, 1..4, &[0.0; 48], only(room))),
        "room for 8 positions, expected 6: 2 palettes of 3 vertices"
    );
    let (normals, tangents) = (&mut [[0.0; 3]; 8][..], &mut [[0.0; 4]; 8][..]);
    let out = SkinnedVertices { normals: Some(normals), ..only(room) };
    assert_eq!(words(SkinningJob::new(&blocks, &[0.0; 48], out)), "room for normals, but the mesh has none");
    let out = SkinnedVertices { tangents: Some(tangents), ..only(room) };
    assert_eq!(words(SkinningJob::new(&blocks, &[0.0; 48], out)), "room for tangents, but the mesh has none");
}

#[test]
fn nothing_to_do_is_no_fault() {
    for level in levels() {
        for (mesh, palettes) in [(plain(0, 0), 0), (plain(0, 3), 36), (plain(5, 3), 0)] {
            let blocks = MeshBlocks::new(&mesh);
            let palettes = vec![1.0; palettes];
            skin_vertices(level, SkinningJob::new(&blocks, &palettes, only(&mut [])).unwrap());
        }
        let blocks = MeshBlocks::new(&plain(5, 1));
        let job = SkinningJob::of_vertices(&blocks, 5..5, &[1.0; 12], only(&mut [])).unwrap();
        skin_vertices(level, job);
    }
    let blocks = MeshBlocks::new(&plain(0, 0));
    let out = SkinnedVertices { positions: &mut [], normals: Some(&mut []), tangents: Some(&mut []) };
    skin_vertices(Level::detect(), SkinningJob::new(&blocks, &[], out).unwrap());
    assert!(SkinningJob::new(&blocks, &[0.0], only(&mut [])).is_err());
}
