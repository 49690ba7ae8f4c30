//! What is written and read back poses the same, to the bit where the file can say it.

use std::path::Path;

use glam::{Affine3A, DAffine3};
use throng_gltf::export::{Export, ExportError, glb, write_glb};
use throng_gltf::{Import, import, import_slice};
use throng_tracks::{
    Channel, Clip, DTransform, Interpolation, Joint, JointIndex, Rest, Skeleton, Skin, Track, Transform,
    model_matrices_f64,
};

fn marcher() -> Import {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/marcher.glb");
    import(path).expect("the repository's own character imports")
}

fn export(import: &Import) -> Export<'_> {
    Export { skeleton: &import.skeleton, skins: &import.skins, clips: &import.clips, morphs: &[] }
}

fn models(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<DAffine3> {
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    let mut models = vec![DAffine3::IDENTITY; skeleton.joint_count()];
    clip.sample_f64(skeleton, t, &mut pose);
    model_matrices_f64(skeleton, &pose, &mut models);
    models
}

/// The written file's poses are those of the original, joint by joint.
fn same_poses(original: &Import) {
    let (bytes, _) = glb(&export(original)).expect("it can be written");
    let back = import_slice(&bytes, None).expect("what is written imports");
    assert!(back.report.is_empty(), "{}", back.report);
    assert_eq!(back.skins.len(), original.skins.len());
    assert_eq!(back.clips.len(), original.clips.len());
    for (a, b) in original.clips.iter().zip(&back.clips) {
        assert_eq!((a.name(), a.duration_s()), (b.name(), b.duration_s()));
        for step in 0..=20 {
            let t = a.duration_s() * step as f32 / 20.0;
            let (a, b) = (models(&original.skeleton, a, t), models(&back.skeleton, b, t));
            for (joint, &node) in back.nodes.iter().enumerate() {
                // A joint's index is its node's in the file that was written.
                assert!(a[node].abs_diff_eq(b[joint], 1e-12), "joint {node} at {t} s");
            }
        }
    }
    for (a, b) in original.skins.iter().zip(&back.skins) {
        assert_eq!(a.inverse_bind(), b.inverse_bind());
        let nodes: Vec<usize> = b.joints().iter().map(|j| back.nodes[j.get()]).collect();
        assert_eq!(nodes, a.joints().iter().map(|j| j.get()).collect::<Vec<_>>());
    }
}

#[test]
fn our_character_comes_back() {
    same_poses(&marcher());
}

#[test]
fn real_files_come_back() {
    let Some(assets) = crate::common::assets() else { return };
    for name in
        ["khronos_fox.glb", "blender42_velociraptor_cubic.glb", "kaykit_med_combat_melee.glb", "ozz_pab.glb"]
    {
        let original = import(Path::new(&assets).join(name)).expect(name);
        same_poses(&original);
    }
}

fn joint(parent: Option<usize>, rest: Rest) -> Joint<JointIndex> {
    Joint { name: "j".into(), parent: parent.map(|p| JointIndex(p as u16)), rest }
}

#[test]
fn a_sheared_joint_stays_a_matrix() {
    let mut shear = Affine3A::IDENTITY;
    shear.matrix3.x_axis.y = 0.5;
    let skeleton =
        Skeleton::new([joint(None, Rest::Trs(Transform::IDENTITY)), joint(Some(0), Rest::Matrix(shear))])
            .expect("it is a skeleton");
    let skin = Skin::model_space(&skeleton);
    let (bytes, _) = glb(&Export { skeleton: &skeleton, skins: &[skin], clips: &[], morphs: &[] })
        .expect("it can be written");
    let back = import_slice(&bytes, None).expect("it imports");
    assert_eq!(back.skeleton.fixed_matrix(JointIndex(1)), Some(shear));
}

#[test]
fn catmull_rom_becomes_the_cubic_spline_it_is() {
    let skeleton = Skeleton::new([joint(None, Rest::Trs(Transform::IDENTITY))]).expect("it is a skeleton");
    // Start tangent, four points, end tangent.
    let values = [1.0, 0.0, 2.0, 1.0, 5.0, -1.0].iter().flat_map(|&x| [x, 2.0 * x, -x]).collect();
    let track =
        Track::new("slide", Channel::Translation, Interpolation::CatmullRom, [0.0, 0.5, 2.0, 2.25], values);
    let clip = Clip::new("slide", &skeleton, [(JointIndex(0), track.expect("the keys are right"))]);
    let clip = clip.expect("it is a clip");
    let written = Export { skeleton: &skeleton, skins: &[], clips: std::slice::from_ref(&clip), morphs: &[] };
    let back = import_slice(&glb(&written).expect("it can be written").0, None).expect("it imports");
    assert_eq!(back.clips[0].tracks()[0].track().interpolation(), Interpolation::CubicSpline);
    for step in 0..=90 {
        let t = step as f32 * 0.025;
        let (a, b) = (models(&skeleton, &clip, t), models(&back.skeleton, &back.clips[0], t));
        assert!(a[0].abs_diff_eq(b[0], 1e-5), "at {t} s: {} and {}", a[0], b[0]);
    }
}

#[test]
fn what_gltf_cannot_say_is_a_line_of_the_report() {
    let skeleton = Skeleton::new([joint(None, Rest::Trs(Transform::IDENTITY))]).expect("it is a skeleton");
    let empty = Clip::new("empty", &skeleton, []).expect("it is a clip");
    let names = Track::from_frames("mouth", ["shut", "open"], 1.0).expect("the keys are right");
    let named = empty.clone().with_properties(&skeleton, [("mouth", names)]).expect("it is a clip");
    let none =
        Track::new("none", Channel::Weights(0), Interpolation::Step, [0.0], vec![]).expect("no number");
    let none = Clip::new("none", &skeleton, [(JointIndex(0), none)]).expect("it is a clip");
    let clips = [empty, named, none];
    let (bytes, report) = glb(&Export { skeleton: &skeleton, skins: &[], clips: &clips, morphs: &[] })
        .expect("it can be written");
    let lines: Vec<String> = report.lines().iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "skip: animations[0]: clip \"empty\" has no track that glTF can hold",
            "skip: animations[1].properties[0]: the names of a discrete track, for which glTF has no place",
            "skip: animations[1]: clip \"empty\" has no track that glTF can hold",
            "skip: animations[2].tracks[0]: weights of no morph target",
            "skip: animations[2]: clip \"none\" has no track that glTF can hold",
        ]
    );
    assert!(import_slice(&bytes, None).expect("it imports").clips.is_empty());
}

#[test]
fn a_clip_of_another_skeleton_is_an_error() {
    let marcher = marcher();
    let small = Skeleton::new([joint(None, Rest::Trs(Transform::IDENTITY))]).expect("it is a skeleton");
    let error = glb(&Export { skeleton: &small, skins: &[], clips: &marcher.clips, morphs: &[] })
        .expect_err("62 joints are not 1");
    assert!(matches!(error, ExportError::NoSuchJoint { .. }), "{error}");
    assert!(error.to_string().starts_with("animations[0] names joint "), "{error}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error_and_nothing_is_left() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("nowhere").join("out.glb");
    let error = write_glb(&path, &export(&marcher())).expect_err("there is no such folder");
    assert!(error.to_string().contains("out.glb"), "{error}");
    let path = folder.path().join("out.glb");
    write_glb(&path, &export(&marcher())).expect("here it can be written");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
}
