//! Real files, where `THRONG_ASSETS` names their folder: joint places against those that another program computed.

#[path = "../../../tests/real_files.rs"]
mod real_files;

use glam::{DAffine3, DVec3};
use serde_json::Value;
use throng_bvh::Import;
use throng_tracks::{DTransform, model_matrices_f64};

/// How far a joint may be off, relative to the extent of the pose.
const BOUND: f64 = 1e-4;

/// Each oracle, and the file it is of.
const FILES: [(&str, &str); 4] = [
    ("cmu_12_01_walk.json", "bvh_cmu_12_01_walk.bvh"),
    ("rotation_first_root.json", "bvh_rotation_first_root.bvh"),
    ("test_anim_sword_attack.json", "bvh_sword_attack.bvh"),
    ("test_simple.json", "bvh_simple_2joint.bvh"),
];

/// The joints' places in a row.
fn places(import: &Import, row: usize) -> Vec<DVec3> {
    let clip = import.clips.first().expect("the file has rows");
    let time = (row as f64 * import.frame_time_s.expect("the file has a motion")) as f32;
    let joints = import.skeleton.joint_count();
    let mut pose = vec![DTransform::IDENTITY; joints];
    let mut model = vec![DAffine3::IDENTITY; joints];
    clip.sample_f64(&import.skeleton, time, &mut pose);
    model_matrices_f64(&import.skeleton, &pose, &mut model);
    model.iter().map(|m| m.translation).collect()
}

fn extent(places: &[DVec3]) -> f64 {
    let low = places.iter().copied().reduce(DVec3::min).unwrap();
    let high = places.iter().copied().reduce(DVec3::max).unwrap();
    (high - low).max_element()
}

#[test]
fn joints_stand_where_the_oracle_says() {
    let Some(folder) = real_files::assets() else { return };
    let mut failed = Vec::new();
    println!(
        "{:30} {:>6} {:>6} {:>6} {:>12} {:>12}",
        "file", "joints", "rows", "asked", "off, extent", "of bound"
    );
    for (oracle, file) in FILES {
        let text = std::fs::read_to_string(folder.join("bvh_oracle").join(oracle)).unwrap();
        let oracle: Value = serde_json::from_str(&text).unwrap();
        let import = throng_bvh::import(folder.join(file)).unwrap_or_else(|e| panic!("{e}"));
        assert!(import.report.is_empty(), "{}", import.report);
        let rows = oracle["frames"].as_object().unwrap();
        assert!(rows.len() >= 2);
        let mut worst = 0.0;
        for (row, expected) in rows {
            let found = places(&import, row.parse().unwrap());
            let expected = expected.as_object().unwrap();
            assert_eq!(expected.len(), found.len(), "the oracle has every joint");
            let extent = extent(&found);
            for (name, place) in expected {
                let place: Vec<f64> = place.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
                let joint = import.skeleton.find(name).unwrap_or_else(|| panic!("{name} is a joint"));
                let off = (found[joint.get()] - DVec3::from_slice(&place)).abs().max_element() / extent;
                // Unlike `f64::max`, this keeps a NaN.
                worst = if off <= worst { worst } else { off };
            }
        }
        let keys = import.clips[0].timelines()[0].len();
        let joints = import.skeleton.joint_count();
        println!("{file:30} {joints:6} {keys:6} {:6} {worst:12.2e} {:12.4}", rows.len(), worst / BOUND);
        if !(worst <= BOUND) {
            failed.push(file);
        }
    }
    assert!(failed.is_empty(), "beyond the bound: {failed:?}");
}

#[test]
fn without_the_folder_the_skip_is_seen() {
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "joints_stand_where_the_oracle_says"])
        .env_remove("THRONG_ASSETS")
        .output()
        .unwrap();
    assert!(run.status.success());
    let seen = String::from_utf8_lossy(&run.stderr);
    assert!(seen.contains("SKIPPED on real files: THRONG_ASSETS is not set"), "{seen:?}");
}
