//! `throng clip --mirror`: what it tells, and what it refuses.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, assets, line, throng};
use serde_json::{Value, json};

/// Hips with an arm on either side, of these lengths and names, and a tool in the right hand. Bones lie along x, and left
/// and right apart along z, as in much motion capture.
fn capture(folder: &Path, [left, right]: [&str; 2], lengths: [f32; 2]) -> PathBuf {
    let arm = |name: &str, side: f32, length: f32, tool: &str| {
        format!(
            "JOINT {name} {{ OFFSET 0 0 {side} CHANNELS 3 Zrotation Yrotation Xrotation
               JOINT {name}End {{ OFFSET {length} 0 0 CHANNELS 3 Zrotation Yrotation Xrotation {tool}
                 End Site {{ OFFSET 1 0 0 }} }} }}\n"
        )
    };
    let tool =
        "JOINT hammer { OFFSET 2 1 0 CHANNELS 3 Zrotation Yrotation Xrotation End Site { OFFSET 1 0 0 } }";
    let text = format!(
        "HIERARCHY
         ROOT Hips {{ OFFSET 0 0 0
           CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
           {}{} }}
         MOTION
         Frames: 2
         Frame Time: 0.1
         5 90 0 90 0 10  170 5 0 -20 0 0 160 0 9 0 0 0 0 0 40
         6 90 3 90 0 20  160 0 0 -60 0 0 180 0 0 9 0 0 0 0 50\n",
        arm(left, 10.0, lengths[0], ""),
        arm(right, -10.0, lengths[1], tool),
    );
    let file = folder.join("capture.bvh");
    fs::write(&file, text).unwrap();
    file
}

fn mirrored(folder: &Path, file: &Path, options: &str) -> (Run, PathBuf) {
    let out = folder.join("out.glb");
    let mut args = line(&format!("clip --json --clip 0 --mirror {options} -o"), &out);
    args.push(file.to_owned());
    (throng(args), out)
}

/// Where joints are, by name.
fn origins(file: &Path, time: &str) -> Vec<(String, [f64; 3])> {
    let answer = throng(line(&format!("pose --json --clip 0 --time {time}"), file)).json();
    let joints = answer["joints"].as_array().unwrap().clone();
    let at = |joint: &Value| [12, 13, 14].map(|i| joint["model"][i].as_f64().unwrap());
    joints.iter().map(|joint| (joint["name"].as_str().unwrap().to_owned(), at(joint))).collect()
}

fn told(run: &Run) -> String {
    run.json()["report"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["what"].as_str().unwrap().to_owned() + "\n")
        .collect()
}

#[test]
fn motion_capture_is_reflected_and_the_report_says_how_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = capture(folder.path(), ["LeftArm", "RightArm"], [30.0; 2]);
    for (options, axis, offset) in [
        ("", 2, 0.0),
        ("--mirror-plane x", 0, 0.0),
        ("--mirror-plane Z=2.5", 2, 2.5),
        ("--mirror-reference 0@0.05 --force", 2, 0.0),
    ] {
        let (run, out) = mirrored(folder.path(), &file, options);
        let told = told(&run);
        assert!(told.contains("\"hammer\"") && told.contains("of the size"), "{told}");
        let mirror = &run.json()["mirror"];
        assert_eq!((&mirror["pairs"], &mirror["offset"]), (&json!(2), &json!(offset)));
        assert_eq!(mirror["axis"], ["x", "y", "z"][axis]);
        if options.contains("reference") {
            continue;
        }
        assert!(mirror["distance"].as_f64().unwrap() < 1e-4 * mirror["size"].as_f64().unwrap(), "{mirror}");
        for time in ["0", "0.03", "0.1"] {
            let [source, found] = [&file, &out].map(|file| origins(file, time));
            for (a, b) in [("LeftArm", "RightArm"), ("RightArmEnd", "LeftArmEnd"), ("Hips", "Hips")] {
                let of = |joints: &[(String, [f64; 3])], name: &str| {
                    joints.iter().find(|j| j.0 == name).unwrap().1
                };
                let mut expected = of(&source, a);
                expected[axis] = 2.0 * offset - expected[axis];
                let found = of(&found, b);
                assert!(
                    expected.iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-3),
                    "{expected:?} {found:?}"
                );
            }
        }
    }
}

#[test]
fn sides_that_differ_are_refused_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = capture(folder.path(), ["LeftArm", "RightArm"], [30.0, 45.0]);
    let (run, out) = mirrored(folder.path(), &file, "");
    assert!(run.error().contains("capture.bvh") && run.error().contains("ArmEnd"), "{run:?}");
    assert!(!out.exists());
    let (run, out) = mirrored(folder.path(), &file, "--force");
    assert!(run.json()["mirror"]["distance"].as_f64().unwrap() > 10.0, "{run:?}");
    assert!(out.exists());
}

#[test]
fn pairs_can_be_given_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let file = capture(folder.path(), ["port", "starboard"], [30.0; 2]);
    let (run, _) = mirrored(folder.path(), &file, "");
    assert!(run.error().contains("pairs"), "{run:?}");
    for pairs in ["--pair port=starboard --pair portEnd=starboardEnd", "--pair #1=#3 --pair 4=2"] {
        let (run, _) = mirrored(folder.path(), &file, pairs);
        assert_eq!(run.json()["mirror"]["pairs"], json!(2));
    }
    let (run, _) = mirrored(folder.path(), &file, "--pair port=larboard");
    assert!(run.error().contains("no joint is named \"larboard\""), "{run:?}");
    let (run, _) = mirrored(folder.path(), &file, "--pair port=starboard --pair port=Hips");
    assert!(run.error().contains("in two pairs"), "{run:?}");
    for (options, said) in
        [("--pair port", "= between"), ("--mirror-plane w", "x, y or z"), ("--mirror-plane x=nan", "finite")]
    {
        let (run, _) = mirrored(folder.path(), &file, options);
        assert!(run.usage_error().contains(said), "{run:?}");
    }
    let (run, _) = mirrored(folder.path(), &file, "--mirror-reference wlak@2");
    assert!(run.error().contains("no clip is named \"wlak\""), "{run:?}");
}

#[test]
fn real_files_with_pairs_are_mirrored() {
    let Some(assets) = assets() else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "khronos_fox.glb",
        "fox_gltfpack_meshopt.glb",
        "bvh_cmu_12_01_walk.bvh",
        "bvh_sword_attack.bvh",
        "blender42_velociraptor_cubic.glb",
        "quaternius_velociraptor_fbx2gltf.glb",
        "quaternius_knight_character.glb",
        "quaternius_robot_expressive.glb",
        "kaykit_knight.glb",
        "kaykit_med_combat_melee.glb",
        "ozz_pab.glb",
    ] {
        let (run, _) = mirrored(folder.path(), &assets.join(name), "");
        let mirror = &run.json()["mirror"];
        assert!(mirror["pairs"].as_u64().unwrap() >= 7, "{name}: {mirror}");
        assert!(told(&run).contains("of the size"), "{name}");
    }
    // Nobody can tell which nameless joint is left.
    let (run, _) = mirrored(folder.path(), &assets.join("khronos_cesium_man.gltf"), "");
    assert!(run.error().contains("the pairs"), "{run:?}");
}
