//! Skinned vertices of real files: poses that another evaluator computed in double precision, and rows of the bank, on one
//! side in `f64` and plainly, on the other as a program would do it.

use crate::common;

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DMat4, DVec3};
use throng_gltf::{Import, ImportOptions, MeshPart};
use throng_kernels::oracle::{self, SkinnedVertex, skinned_vertices};
use throng_kernels::{
    Level, MeshBlocks, PaletteJob, Plan, Scratch, SkinnedVertices, SkinningJob, palettes, skin_vertices,
};
use throng_tracks::{BakeOptions, DTransform, bake, model_matrices_f64};

/// How far a vertex may be off, relative to the size of the mesh.
const BOUND: f64 = 1e-5;

/// How far a normal may be off.
const TURNED: f64 = 1e-5;

fn import(file: &str) -> Import {
    let path = common::assets().expect("checked before").join(file);
    let options = ImportOptions { meshes: true, ..ImportOptions::default() };
    throng_gltf::import_with(path, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// How far the kernel's vertices are from the exact ones: places relative to the size of the mesh, and directions.
fn difference(level: Level, part: &MeshPart, palette: &[f32], exact: &[SkinnedVertex]) -> (f64, f64) {
    let (mesh, count) = (MeshBlocks::new(&part.vertices), part.vertices.vertex_count());
    let (mut positions, mut normals) = (vec![[f32::NAN; 3]; count], vec![[f32::NAN; 3]; count]);
    let normals_wanted = mesh.has_normals();
    let out = SkinnedVertices {
        positions: &mut positions,
        normals: normals_wanted.then_some(&mut normals),
        tangents: None,
    };
    skin_vertices(level, SkinningJob::new(&mesh, palette, out).unwrap());
    let double = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let low = exact.iter().fold(DVec3::INFINITY, |low, v| low.min(v.position));
    let high = exact.iter().fold(DVec3::NEG_INFINITY, |high, v| high.max(v.position));
    let size = (high - low).max(low.abs()).max(high.abs()).max_element();
    let mut worst = (0.0f64, 0.0f64);
    for (vertex, exact) in exact.iter().enumerate() {
        let place = (double(positions[vertex]) - exact.position).abs().max_element() / size;
        assert!(place <= BOUND, "vertex {vertex} is off by {place:e} of the size");
        worst.0 = worst.0.max(place);
        if normals_wanted {
            let turned = (double(normals[vertex]) - exact.normal).length();
            assert!(turned <= TURNED, "the normal of vertex {vertex} is off by {turned:e}");
            worst.1 = worst.1.max(turned);
        }
    }
    worst
}

fn floats(palette: &[DAffine3]) -> Vec<f32> {
    palette
        .iter()
        .flat_map(|m| DMat4::from(*m).transpose().as_mat4().to_cols_array().into_iter().take(12))
        .collect()
}

#[test]
fn vertices_in_exact_poses_are_where_another_evaluator_has_them() {
    let mut parts = 0;
    for (file, oracle) in common::oracles() {
        let import = import(&file);
        let mut worst = (0.0f64, 0.0f64);
        for sample in common::samples(&import, &oracle) {
            let joints = import.skeleton.joint_count();
            let (mut pose, mut model) =
                (vec![DTransform::IDENTITY; joints], vec![DAffine3::IDENTITY; joints]);
            import.clips[sample.clip].sample_f64(&import.skeleton, sample.time_s, &mut pose);
            model_matrices_f64(&import.skeleton, &pose, &mut model);
            // The other evaluator's matrices, for the joints it has.
            let mut theirs = model.clone();
            for (joint, matrix) in &sample.joints {
                theirs[*joint] = DAffine3::from_mat4(DMat4::from_cols_array(matrix));
            }
            for part in &import.meshes {
                let skin = &import.skins[part.skin];
                let palette = |model: &[DAffine3]| -> Vec<DAffine3> {
                    let all = skin.joints().iter().zip(skin.inverse_bind());
                    all.map(|(joint, bind)| model[joint.get()] * Affine3A::as_daffine3(bind)).collect()
                };
                let exact = skinned_vertices(&part.vertices, &palette(&theirs));
                for level in [Level::scalar(), Level::detect()] {
                    let found = difference(level, part, &floats(&palette(&model)), &exact);
                    worst = (worst.0.max(found.0), worst.1.max(found.1));
                }
                parts += 1;
            }
        }
        println!(
            "{file:40} {:2} parts, places off by {:.1e} of the size, normals by {:.1e}",
            import.meshes.len(),
            worst.0,
            worst.1
        );
    }
    assert!(parts > 0 || common::assets().is_none(), "there are skinned meshes");
}

#[test]
fn vertices_by_palettes_of_the_fused_pass_are_the_oracles() {
    for (file, oracle) in common::oracles() {
        let import = import(&file);
        let (bank, _) = bake(&import.skeleton, &import.clips, &BakeOptions::default()).unwrap();
        let bank = Arc::new(bank);
        let mut worst = (0.0f64, 0.0f64);
        for part in &import.meshes {
            let skin = &import.skins[part.skin];
            let plan = Plan::new(Arc::clone(&bank), skin).unwrap();
            let mut palette = vec![0.0; plan.palette_floats()];
            for sample in common::samples(&import, &oracle) {
                let pair = bank.locate(sample.clip, sample.time_s);
                let exact = skinned_vertices(&part.vertices, &oracle::palette(&bank, skin, pair));
                for level in Level::available() {
                    let job =
                        PaletteJob::new(&plan, std::slice::from_ref(&pair), &[0], &mut palette).unwrap();
                    palettes(level, job, &mut Scratch::new(&plan));
                    let found = difference(level, part, &palette, &exact);
                    worst = (worst.0.max(found.0), worst.1.max(found.1));
                }
            }
        }
        println!("{file:40} places off by {:.1e} of the size, normals by {:.1e}", worst.0, worst.1);
    }
}
