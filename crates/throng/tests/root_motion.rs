//! Root motion of real files: the motion and what is left are the clip, exactly and baked.

#[path = "../../../tests/real_files.rs"]
mod real_files;

use std::path::{Path, PathBuf};

use throng::glam::{DAffine3, DMat3, DQuat, DVec3};
use throng::tracks::tools::{RootMotion, extract_root_motion};
use throng::tracks::{Axis, DTransform, Placement, model_matrices_f64};
use throng::{BakeOptions, Clip, JointIndex, Skeleton, Transform, bake, import};

/// A file's skeleton and clips.
fn load(path: &Path) -> (Skeleton, Vec<Clip>) {
    if path.extension().is_some_and(|e| e == "bvh") {
        let import = throng_bvh::import(path).unwrap();
        return (import.skeleton, import.clips);
    }
    let import = import(path).unwrap();
    (import.skeleton, import.clips)
}

/// Files, and the joints that their characters go with; and whether they go anywhere.
fn files() -> Vec<(PathBuf, &'static str, bool)> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");
    let mut files = vec![(ours.into(), "hips", false)];
    if let Some(folder) = real_files::assets() {
        files.extend(
            [
                ("ozz_pab.glb", "Hips", true),
                ("bvh_cmu_12_01_walk.bvh", "Hips", true),
                ("kaykit_med_combat_melee.glb", "hips", false),
                ("khronos_fox.glb", "b_Hip_01", false),
            ]
            .map(|(file, joint, goes)| (Path::new(&folder).join(file), joint, goes)),
        );
    }
    files
}

fn models(skeleton: &Skeleton, pose: &[DTransform]) -> Vec<DAffine3> {
    let mut model = vec![DAffine3::IDENTITY; pose.len()];
    model_matrices_f64(skeleton, pose, &mut model);
    model
}

fn exact(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<DAffine3> {
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    clip.sample_f64(skeleton, t, &mut pose);
    models(skeleton, &pose)
}

fn affine(place: &Placement) -> DAffine3 {
    DAffine3::from_rotation_translation(place.rotation.as_dquat().normalize(), place.translation.as_dvec3())
}

fn below(skeleton: &Skeleton, root: JointIndex) -> Vec<usize> {
    let mut inside = vec![false; skeleton.joint_count()];
    for joint in skeleton.joints() {
        let parent = skeleton.parents()[joint.get()];
        inside[joint.get()] = joint == root || parent.is_some_and(|p| inside[p.get()]);
    }
    (0..inside.len()).filter(|joint| inside[*joint]).collect()
}

/// The largest difference of two matrices, and the largest number in them.
fn off(a: &DAffine3, b: &DAffine3) -> (f64, f64) {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    (largest(&mut a.iter().zip(&b).map(|(a, b)| (a - b).abs())), largest(&mut a.iter().map(|v| v.abs())))
}

#[test]
fn the_motion_and_what_is_left_are_the_clip() {
    for (path, name, goes) in files() {
        let (skeleton, clips) = load(&path);
        let choice = RootMotion::of(name);
        let joint = choice.find_joint(&skeleton).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let options = BakeOptions { root_motion: Some(choice.clone()), ..BakeOptions::default() };
        let (bank, report) = bake(&skeleton, &clips, &options).unwrap();
        let joints = below(&skeleton, joint);
        let (mut worst, mut baked, mut farthest) = (0.0f64, 0.0f64, 0.0f32);
        for (index, clip) in clips.iter().enumerate() {
            let taken = extract_root_motion(clip, &skeleton, &choice).unwrap();
            assert_eq!(taken.clip.duration_s(), clip.duration_s());
            let bound = f64::from(report.clips[index].largest.error);
            for i in 0..=197u16 {
                let t = clip.duration_s() * f32::from(i) / 197.0;
                let whole = exact(&skeleton, clip, t);
                let motion = affine(&taken.motion.at(t.into()));
                let left = exact(&skeleton, &taken.clip, t);
                let mut pose = vec![Transform::IDENTITY; skeleton.joint_count()];
                bank.sample(bank.locate(index, t), &mut pose);
                let pose: Vec<DTransform> = pose.iter().map(Transform::as_dtransform).collect();
                let rows = models(&skeleton, &pose);
                for &joint in &joints {
                    let (difference, size) = off(&whole[joint], &(motion * left[joint]));
                    worst = worst.max(difference / size.max(1.0));
                    let (difference, size) = off(&whole[joint], &(motion * rows[joint]));
                    baked = baked.max(difference / (bound + 4e-6 * size.max(1.0)));
                }
            }
            if let Some(motion) = bank.clips()[index].motion() {
                farthest = farthest.max(motion.step(0.0, motion.duration_s().into()).translation.length());
            }
        }
        println!(
            "{:30} {} clips, off by {worst:.2e}, baked {baked:.2} of what is reported, {farthest} at most in one pass",
            path.file_name().unwrap_or_default().display(),
            clips.len()
        );
        assert!(worst < 4e-6 && baked <= 1.0, "off by {worst}, baked by {baked} of the bound");
        assert!(!goes || farthest > 0.1 * report.extent, "nobody goes anywhere in {}", path.display());
    }
}

#[test]
fn characters_go_where_the_joint_goes() {
    for (path, name, _) in files() {
        let (skeleton, clips) = load(&path);
        let joint = RootMotion::of(name).find_joint(&skeleton).unwrap().get();
        let mut rest: Vec<DTransform> = skeleton.rest().iter().map(Transform::as_dtransform).collect();
        rest = rest.into_iter().map(|t| DTransform { rotation: t.rotation.normalize(), ..t }).collect();
        let rest = models(&skeleton, &rest)[joint];
        for clip in &clips {
            let taken = extract_root_motion(clip, &skeleton, &RootMotion::of(name)).unwrap().motion;
            let flat = RootMotion { yaw: None, ..RootMotion::of(name) };
            let flat = extract_root_motion(clip, &skeleton, &flat).unwrap().motion;
            let samples = taken.sample_count() as u16;
            for i in (0..samples).step_by(usize::from(samples / 50).max(1)) {
                let t = (f64::from(i) / f64::from(taken.rate_hz())).min(clip.duration_s().into());
                let there = exact(&skeleton, clip, t as f32)[joint];
                let way = there.translation - rest.translation;
                let way = DVec3::new(way.x, 0.0, way.z);
                let size = there.translation.abs().max_element().max(1.0);
                let found = flat.at(t).translation.as_dvec3();
                assert!((found - way).length() < 1e-5 * size, "{}: {found} {way}", clip.name());
                // The turn about y that leaves no twist, by the angle that brings the rest nearest: of all turns about y, it has
                // the largest dot product with the joint's rotation since rest.
                let turned = |m: &DAffine3| {
                    let size = m.matrix3.determinant().abs().cbrt();
                    m.matrix3 * (1.0 / size)
                };
                let since: DMat3 = turned(&there) * turned(&rest).transpose();
                let since = DQuat::from_mat3(&since).normalize();
                let found = taken.at(t).rotation.as_dquat();
                let near = |q: DQuat| q.dot(since).abs();
                if since.y.hypot(since.w) > 0.1 {
                    for by in [-1e-2, 1e-2] {
                        let other = DQuat::from_rotation_y(by) * found;
                        assert!(near(other) < near(found) + 1e-9, "{} at {t}", clip.name());
                    }
                }
            }
        }
    }
}

#[test]
fn an_upright_axis_of_choice() {
    let (path, name, _) = files().remove(0);
    let (skeleton, clips) = load(&path);
    let choice = RootMotion { translation: [false; 3], yaw: Some(Axis::Z), ..RootMotion::of(name) };
    let taken = extract_root_motion(&clips[0], &skeleton, &choice).unwrap();
    let step = taken.motion.step(0.0, 0.3);
    assert_eq!((step.rotation.x, step.rotation.y), (0.0, 0.0));
}
