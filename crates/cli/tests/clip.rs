//! `throng clip` writes files that pose as they should when read back.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn marcher() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/marcher.glb")
}

fn throng(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_throng")).args(args).output().expect("the command runs")
}

fn json(args: &[&str]) -> Value {
    let output = throng(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// The model matrices by joint name.
fn pose(file: &Path, clip: &str, time: f32) -> Vec<(String, Vec<f64>)> {
    let time = time.to_string();
    let file = file.to_str().expect("a plain path");
    let answer = json(&["pose", file, "--clip", clip, "--time", &time]);
    let joints = answer["joints"].as_array().expect("a list");
    let model = |j: &Value| {
        j["model"].as_array().expect("a list").iter().map(|v| v.as_f64().expect("a number")).collect()
    };
    joints.iter().map(|j| (j["name"].as_str().expect("a name").to_owned(), model(j))).collect()
}

fn same(a: &[(String, Vec<f64>)], b: &[(String, Vec<f64>)]) {
    assert_eq!(a.len(), b.len());
    for (name, a) in a {
        let (_, b) = b.iter().find(|(other, _)| other == name).expect("the joint is there");
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-5, "{name}: {a} and {b}");
        }
    }
}

fn changed(options: &[&str], check: impl Fn(&Path, &Value)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.glb");
    let (file, out_text) = (marcher(), out.to_str().expect("a plain path").to_owned());
    let base = ["clip", file.to_str().expect("a plain path"), "-o", &out_text, "--json"];
    let answer = json(&[base.as_slice(), options].concat());
    check(&out, &answer);
}

#[test]
fn a_clip_comes_back_as_it_was() {
    changed(&["--clip", "idle"], |out, answer| {
        assert_eq!(answer["report"].as_array().map(Vec::len), Some(0));
        for t in [0.0, 0.7, 1.9, 4.0] {
            same(&pose(&marcher(), "idle", t), &pose(out, "idle", t));
        }
    });
}

#[test]
fn a_part_shows_what_the_whole_showed() {
    changed(&["--clip", "idle", "--subclip", "0.33:2.5"], |out, answer| {
        assert!((answer["seconds"].as_f64().expect("a number") - 2.17).abs() < 1e-6);
        for t in [0.0, 0.4, 1.11, 2.17] {
            same(&pose(&marcher(), "idle", 0.33 + t), &pose(out, "idle", t));
        }
    });
}

#[test]
fn a_part_may_lack_an_end_and_may_be_counted_in_frames() {
    for (stretch, start, seconds) in [
        (":1.5", 0.0, 1.5),
        ("1.5:", 1.5, 2.5),
        (":", 0.0, 4.0),
        ("12:36@24", 0.5, 1.0),
        ("24:@24", 1.0, 3.0),
    ] {
        changed(&["--clip", "idle", "--subclip", stretch], |out, answer| {
            let found = answer["seconds"].as_f64().expect("a number");
            assert!((found - seconds).abs() < 1e-6, "{stretch}: {found}");
            same(&pose(&marcher(), "idle", start + 0.4), &pose(out, "idle", 0.4));
        });
    }
}

#[test]
fn a_part_takes_a_name() {
    for (options, name) in [
        (vec!["--subclip", "0.5:1", "--name", "step"], "step"),
        (vec!["--name", "-"], "-"),
        (vec!["--subclip", "0.5:1"], "idle"),
    ] {
        changed(&[["--clip", "idle"].as_slice(), &options].concat(), |out, answer| {
            assert_eq!(answer["clip"], name);
            assert_eq!(pose(out, name, 0.2).len(), pose(&marcher(), "idle", 0.2).len());
        });
    }
}

#[test]
fn resampled_keys_show_the_curve() {
    changed(&["--clip", "idle", "--resample", "24"], |out, _| {
        for frame in [0, 7, 48, 96] {
            let t = frame as f32 / 24.0;
            same(&pose(&marcher(), "idle", t), &pose(out, "idle", t));
        }
    });
}

#[test]
fn fewer_keys_stay_within_the_tolerance() {
    changed(&["--clip", "run", "--reduce", "0.5"], |out, answer| {
        assert!(answer["keys"].as_u64().expect("a number") < 1000, "{answer}");
        for t in [0.0, 0.13, 0.36, 0.61] {
            for ((name, a), (_, b)) in pose(&marcher(), "run", t).iter().zip(&pose(out, "run", t)) {
                let off = (12..15).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
                assert!(off < 0.006, "{name} is off by {off} m at {t} s");
            }
        }
    });
}

#[test]
fn in_a_mirror_left_is_right() {
    changed(&["--clip", "walk", "--mirror"], |out, _| {
        let (whole, mirrored) = (pose(&marcher(), "walk", 0.4), pose(out, "walk", 0.4));
        let origin = |pose: &[(String, Vec<f64>)], name: &str| {
            let (_, m) = pose.iter().find(|(other, _)| other == name).expect("the joint is there");
            [m[12], m[13], m[14]]
        };
        for (left, right) in [("hand_l", "hand_r"), ("foot_l", "foot_r"), ("head", "head")] {
            let ([x, y, z], [mx, my, mz]) = (origin(&whole, left), origin(&mirrored, right));
            assert!((x + mx).abs() < 1e-4 && (y - my).abs() < 1e-4 && (z - mz).abs() < 1e-4, "{left}");
        }
    });
}

#[test]
fn backwards_is_backwards() {
    changed(&["--clip", "run", "--reverse"], |out, _| {
        for t in [0.0, 0.1, 0.35, 0.7] {
            same(&pose(&marcher(), "run", 0.7 - t), &pose(out, "run", t));
        }
    });
}

#[test]
fn a_clip_differs_from_its_own_first_pose_by_nothing_at_first() {
    changed(&["--clip", "walk", "--additive", "walk"], |out, _| {
        let bone = |file: &Path, t: f32| {
            let answer = pose(file, "walk", t);
            answer.into_iter().find(|(name, _)| name == "root").expect("the joint is there").1
        };
        // Nothing turns at time 0: the root stands in the axes of the armature above it.
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        for (found, expected) in bone(out, 0.0).iter().zip(identity) {
            assert!((found - expected).abs() < 1e-5, "{found} and {expected}");
        }
        assert_ne!(pose(out, "walk", 0.0), pose(out, "walk", 0.6));
    });
}

#[test]
fn what_cannot_be_done_is_told_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.glb");
    let (file, out_text) = (marcher(), out.to_str().expect("a plain path").to_owned());
    let base = ["clip", file.to_str().expect("a plain path"), "-o", &out_text, "--clip"];
    for (options, code, said) in [
        (vec!["wlak"], 1, "no clip is named \"wlak\""),
        (vec!["walk", "--subclip", "2:1"], 1, "start <= end"),
        (vec!["walk", "--subclip", "2"], 2, "colon"),
        (vec!["walk", "--subclip", "1:2@"], 2, "behind the @"),
        (vec!["walk", "--subclip", "0.5:2@24"], 2, "\"0.5\""),
        (vec!["walk", "--subclip", "1:2@0"], 1, "rate"),
        (vec!["walk", "--subclip", "3:2@24"], 1, "frame"),
        (vec!["walk", "--resample", "0"], 1, "rate"),
    ] {
        let output = throng(&[base.as_slice(), &options].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
        assert!(!out.exists());
    }
}
