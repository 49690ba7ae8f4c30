//! Every real file imports, and those made from one another pose alike.

use crate::common;

use std::path::{Path, PathBuf};

use glam::{Affine3A, Vec3};
use throng_gltf::Import;
use throng_tracks::{Transform, model_matrices};

fn gltf_files(folder: &Path, skip: &[&str], into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if skip.contains(&name.as_ref()) {
            continue;
        }
        if path.is_dir() {
            gltf_files(&path, skip, into);
        } else if path.extension().is_some_and(|e| e == "gltf" || e == "glb") {
            into.push(path);
        }
    }
}

#[test]
fn every_file_imports() {
    let Some(assets) = common::assets() else { return };
    let mut files = Vec::new();
    gltf_files(&assets, &["bad_khronos_validator"], &mut files);
    files.sort();
    assert!(files.len() >= 61, "{} files", files.len());
    for path in files {
        let import = throng_gltf::import(&path).unwrap_or_else(|e| panic!("{e}"));
        let keys: usize = import.clips.iter().map(|c| c.key_count()).sum();
        let (joints, skins, clips) = (import.skeleton.joint_count(), import.skins.len(), import.clips.len());
        let name = path.strip_prefix(&assets).unwrap().display().to_string();
        println!("{name:70} {joints:3} joints, {skins} skins, {clips:2} clips, {keys:5} keys");
        for line in import.report.lines() {
            println!("    {line}");
        }
    }
}

/// Times of a clip: its ends, beyond them, and between.
fn times(duration_s: f32) -> impl Iterator<Item = f32> {
    (-1..=22).map(move |i| duration_s * i as f32 / 21.0)
}

fn model(import: &Import, clip: usize, t: f32) -> Vec<Affine3A> {
    let joints = import.skeleton.joint_count();
    let mut pose = vec![Transform::IDENTITY; joints];
    import.clips[clip].sample(&import.skeleton, t, &mut pose);
    let mut model = vec![Affine3A::IDENTITY; joints];
    model_matrices(&import.skeleton, &pose, &mut model);
    model
}

#[test]
fn sparse_outputs_pose_as_plain_ones() {
    if common::assets().is_none() {
        return;
    }
    let (fox, sparse) = (common::import("khronos_fox.glb"), common::import("fox_sparse_out.glb"));
    assert_eq!(fox.clips.len(), 3);
    assert_eq!(fox.nodes, sparse.nodes);
    for (clip, exact) in fox.clips.iter().enumerate() {
        for t in times(exact.duration_s()) {
            assert_eq!(model(&fox, clip, t), model(&sparse, clip, t), "clip {clip} at {t} s");
        }
    }
}

#[test]
fn compressed_keys_are_the_plain_ones() {
    if common::assets().is_none() {
        return;
    }
    let (plain, packed) = (common::import("fox_gltfpack.glb"), common::import("fox_gltfpack_meshopt.glb"));
    assert_eq!(plain.skeleton, packed.skeleton);
    assert_eq!(plain.clips.len(), packed.clips.len());
    for (plain, packed) in plain.clips.iter().zip(&packed.clips) {
        assert_eq!(plain.tracks().len(), packed.tracks().len());
        for (plain, packed) in plain.tracks().iter().zip(packed.tracks()) {
            assert_eq!((plain.joint(), plain.track().times()), (packed.joint(), packed.track().times()));
            // The packer wrote the plain file with what the compressed one unpacks to.
            assert_eq!(plain.track().values(), packed.track().values());
        }
    }
}

#[test]
fn a_sheared_armature_moves_the_fox_as_a_whole() {
    if common::assets().is_none() {
        return;
    }
    let (fox, sheared) = (common::import("khronos_fox.glb"), common::import("fox_mirror_shear.glb"));
    // The joints of the one are joints of the other, below the armature.
    let joint = |name: &str| sheared.skeleton.find(name).unwrap_or_else(|| panic!("{name}")).get();
    let top = joint(fox.skeleton.name(fox.skins[0].joints()[0]));
    let root = sheared.skeleton.parents()[top].expect("an armature").get();
    for (clip, exact) in fox.clips.iter().enumerate() {
        for t in times(exact.duration_s()) {
            let (plain, moved) = (model(&fox, clip, t), model(&sheared, clip, t));
            for &j in fox.skins[0].joints() {
                let expected = moved[root] * plain[j.get()];
                let found = moved[joint(fox.skeleton.name(j))];
                let size = expected.translation.abs().max_element().max(100.0);
                assert!(found.abs_diff_eq(expected, 1e-5 * size), "clip {clip} at {t} s, joint {j}");
            }
        }
    }
    let axes = moved_axes(&sheared, root);
    assert!(axes.iter().any(|a| *a < 0.99), "the armature shears or scales");
}

fn moved_axes(import: &Import, joint: usize) -> [f32; 3] {
    let m = model(import, 0, 0.0)[joint].matrix3;
    Vec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length()).to_array()
}
