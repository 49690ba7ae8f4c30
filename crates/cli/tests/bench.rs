//! `throng bench`, as people and programs run it. What times are, no test can say; what is timed, it can.

use crate::common;

use std::f32::consts::TAU;

use common::{assets, data_uri, line, marcher, throng};
use serde_json::{Value, json};

fn bench(words: &str) -> Value {
    throng(line(&format!("bench --json {words}"), marcher())).json()
}

fn check_times(answer: &Value) {
    let median = |name: &str| {
        let (min, median) = (answer[name]["min"].as_f64().unwrap(), answer[name]["median"].as_f64().unwrap());
        assert!(min > 0.0 && min <= median, "{name}: {min}, {median}");
        median
    };
    let (ours, naive) = (median("ns_per_joint"), median("naive_ns_per_joint"));
    median("scalar_ns_per_joint");
    let fill = median("fill_ns_per_joint");
    assert!(answer["advance_ns_per_instance"]["median"].as_f64().unwrap() >= 0.0);
    assert!((answer["naive_over_ours"].as_f64().unwrap() / (naive / ours) - 1.0).abs() < 0.05);
    assert!((answer["ours_over_fill"].as_f64().unwrap() / (ours / fill) - 1.0).abs() < 0.05);
    assert!(answer["max_difference"].as_f64().unwrap() <= answer["tolerance"].as_f64().unwrap());
}

#[test]
fn json_tells_what_was_measured() {
    let answer = bench("-n 70 --frames 4 --level portable");
    assert_eq!(answer["clips"], json!(["walk", "run", "idle", "wave"]));
    assert_eq!((&answer["instances"], &answer["joints"]), (&json!(70), &json!(62)));
    assert_eq!((&answer["threads"], &answer["frames"]), (&json!(1), &json!(4)));
    assert_eq!(
        (&answer["level"], &answer["skin"], &answer["seek"]),
        (&json!("portable"), &json!(0), &json!(false))
    );
    assert!(["cached", "streaming"].contains(&answer["fill_stores"].as_str().unwrap()));
    check_times(&answer);
    let packed = answer["rows_error"].as_f64().unwrap();
    let exact = bench("-n 70 --frames 4 --level portable --rows f32")["rows_error"].as_f64().unwrap();
    assert!(exact < 1e-5 && exact < packed && packed < 2e-4, "{exact} and {packed}");
}

#[test]
fn threads_seeks_and_clips_are_what_was_asked() {
    let answer = bench("-n 333 --frames 3 --threads 3 --seek --clips idle,0");
    assert_eq!(answer["clips"], json!(["idle", "walk"]));
    assert_eq!((&answer["threads"], &answer["seek"]), (&json!(3), &json!(true)));
    check_times(&answer);
}

#[test]
fn one_of_everything_will_do() {
    check_times(&bench("-n 1 --frames 1 --threads 2 --level scalar"));
}

#[test]
fn a_large_output_streams_and_is_the_same() {
    check_times(&bench("-n 3000 --frames 1"));
}

#[test]
fn without_json_there_is_a_table_and_no_bar_in_a_pipe() {
    let run = throng(line("bench -n 20 --frames 2", marcher()));
    assert_eq!(run.code, Some(0));
    for word in
        ["20 characters of 62 joints", "naive", "scalar", "filling the output", "walk, run, idle, wave"]
    {
        assert!(run.stdout.contains(word), "{word} in {}", run.stdout);
    }
    assert!(run.stderr.lines().all(|line| line.starts_with("remark: ")), "{run:?}");
}

#[test]
fn every_format_and_store_is_written_and_agrees() {
    for (format, bytes) in [("affine", 48), ("matrix", 64), ("half", 24), ("similarity", 32)] {
        for (output, stores) in [("cached", "cached"), ("stream", "streaming")] {
            for more in ["--level portable", "--threads 2", "--rows f32 --seek"] {
                let answer = bench(&format!("-n 83 --frames 1 --format {format} --output {output} {more}"));
                assert_eq!((&answer["format"], &answer["stores"]), (&json!(format), &json!(stores)));
                assert_eq!(answer["bytes_per_joint"], json!(bytes));
                check_times(&answer);
            }
        }
    }
}

#[test]
fn without_a_choice_no_size_of_output_streams() {
    // 62 joints, 140 MiB.
    let answer = bench("-n 50000 --frames 1 --level portable");
    assert_eq!(answer["stores"], json!("cached"));
}

#[test]
fn layers_are_blended_and_held_against_one() {
    for words in [
        "--layers 2",
        "--layers 4",
        "--layers 1 --additive",
        "--layers 3 --additive --mask",
        "--layers 1 --mask",
        "--layers 2 --mask --format half --output stream",
        "--layers 2 --rows f32 --additive --format matrix --seek",
        "--layers 4 --format similarity",
    ] {
        for more in ["--level portable", "--threads 2"] {
            let answer = bench(&format!("-n 131 --frames 1 {words} {more}"));
            check_times(&answer);
            let median = |name: &str| answer[name]["median"].as_f64().unwrap();
            let quotient = median("ns_per_joint") / median("one_layer_ns_per_joint");
            assert!((answer["over_one_layer"].as_f64().unwrap() / quotient - 1.0).abs() < 0.05);
            assert_eq!(answer["additive"], json!(words.contains("--additive")));
            assert_eq!(answer["mask"], json!(words.contains("--mask")));
            assert_eq!(answer["seek_over_forward"].is_null(), !words.contains("--seek"));
        }
    }
    let one = bench("-n 5 --frames 1 --layers 1");
    assert!(one["over_one_layer"].is_null() && one["one_layer_ns_per_joint"].is_null());
    assert_eq!(one["layers"], json!(1));
}

#[test]
fn layers_are_told_in_text() {
    let run = throng(line("bench -n 20 --frames 2 --layers 2 --additive --mask", marcher()));
    for word in
        ["layers 2, and one that is additive, each of half of the body", "ours, one layer", "The layers take"]
    {
        assert!(run.stdout.contains(word), "{word:?} in {}", run.stdout);
    }
    let run = throng(line("bench --sizes 3,20 --frames 2 --layers 2", marcher()));
    assert!(run.stdout.contains("ours / one layer"), "{}", run.stdout);
}

#[test]
fn seeks_are_held_against_playing_on() {
    let answer = bench("-n 50 --frames 3 --seek");
    let median = |name: &str| answer[name]["median"].as_f64().unwrap();
    let quotient = median("ns_per_joint") / median("forward_ns_per_joint");
    assert!((answer["seek_over_forward"].as_f64().unwrap() / quotient - 1.0).abs() < 0.05);
    let answer = bench("-n 50 --frames 1");
    assert!(answer["seek_over_forward"].is_null() && answer["forward_ns_per_joint"].is_null());
    let run = throng(line("bench -n 20 --frames 2 --seek", marcher()));
    assert!(run.stdout.contains("Seeking takes"), "{}", run.stdout);
}

#[test]
fn several_sizes_are_one_table_and_one_array() {
    let run = throng(line("bench --json --frames 1 --threads 2 --sizes 40,7,100", marcher()));
    let answers: Value = serde_json::from_str(&run.stdout).expect("stdout is JSON");
    let answers = answers.as_array().expect("an array");
    let sizes: Vec<&Value> = answers.iter().map(|answer| &answer["instances"]).collect();
    assert_eq!(sizes, [&json!(40), &json!(7), &json!(100)]);
    answers.iter().for_each(check_times);

    let run = throng(line("bench --frames 1 --seek --sizes 40,7", marcher()));
    for word in
        ["characters", "ours / fill", "ours / playing on", "62 joints", "\n         40", "\n          7"]
    {
        assert!(run.stdout.contains(word), "{word:?} in {}", run.stdout);
    }
    let one: Value =
        serde_json::from_str(&throng(line("bench --json --frames 1 --sizes 5", marcher())).stdout)
            .expect("stdout is JSON");
    assert_eq!(one.as_array().map(Vec::len), Some(1));
}

#[test]
fn senseless_choices_are_refused() {
    for (words, expected) in [
        ("--format f16", "affine, matrix, half, similarity"),
        ("--output disk", "cached, stream"),
        ("--layers 0", "0 is not in 1..=4"),
        ("--layers 5", "5 is not in 1..=4"),
        ("--rows i8", "f32, i16"),
        ("--sizes 10,0", "0 is not in 1.."),
        ("--sizes 10,many", "invalid digit"),
        ("--sizes", "--sizes"),
        ("--sizes 10 -n 10", "cannot be used with"),
    ] {
        let words = if words == "--sizes" { "--sizes=".to_owned() } else { words.to_owned() };
        let run = throng(line(&format!("bench {words}"), marcher()));
        assert!(run.usage_error().contains(expected), "{expected:?} in {run:?}");
    }
    let run = throng(line("bench --layers 4 --additive", marcher()));
    assert!(run.stderr.contains("5 layers, but at most 4"), "{run:?}");
    let run = throng(line("bench --sizes 10,4000000000", marcher()));
    assert!(run.stderr.contains("4000000000 palettes of 62 joints"), "{run:?}");
}

#[test]
fn a_file_whose_palettes_are_no_similarities_is_told_where() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flat.gltf");
    let flat = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "flat", "scale": [1, 2, 1] }],
        "skins": [{ "joints": [0] }],
        "animations": [{ "channels": [], "samplers": [] }],
    });
    std::fs::write(&file, flat.to_string()).unwrap();
    let run = throng(line("bench -n 1 --frames 1 --format similarity", &file));
    let error = run.stderr.lines().last().unwrap();
    assert!(run.code == Some(1), "{run:?}");
    for word in ["flat.gltf: ", "similarity", "joint 0 \"flat\"", "scale"] {
        assert!(error.contains(word), "{word:?} in {error}");
    }
}

#[test]
fn senseless_sizes_are_refused() {
    for words in
        ["-n 0", "--frames 0", "--threads 0", "-n 4294967296", "-n -1", "-n many", "--threads 100000"]
    {
        throng(line(&format!("bench {words}"), marcher())).usage_error();
    }
    let run = throng(line("bench --json -n 4000000000", marcher()));
    let error = run.stderr.lines().last().unwrap();
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(
        error.starts_with("error: 4000000000 palettes of 62 joints take 11904000000000 bytes"),
        "{error}"
    );
}

#[test]
fn bad_input_is_told() {
    let told = |words: &str, file| {
        let run = throng(line(&format!("bench {words}"), file));
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
        run.stderr.lines().last().unwrap().to_owned()
    };
    assert!(told("--clips walk,fly", marcher()).contains("no clip is named \"fly\""));
    assert!(told("--skin 2", marcher()).contains("no skin has index 2"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("still.gltf");
    let still = json!({ "asset": { "version": "2.0" }, "nodes": [{}], "skins": [{ "joints": [0] }] });
    std::fs::write(&file, still.to_string()).unwrap();
    assert!(told("", file).ends_with("still.gltf: no clips, so there is nothing to play"));
}

#[test]
fn all_variants_agree_on_real_files() {
    let Some(folder) = assets() else { return };
    for file in [
        "ozz_pab.glb",
        "kaykit_knight.glb",
        "quaternius_robot_expressive.glb",
        "quaternius_velociraptor_fbx2gltf.glb",
        "fox_mirror_shear.glb",
        "khronos_interpolation_test.gltf",
    ] {
        for level in ["scalar", "scalar-fused", "portable"] {
            for layers in ["", "--layers 3 --additive --mask"] {
                let words = format!("bench --json -n 100 --frames 1 --seek --level {level} {layers}");
                check_times(&throng(line(&words, folder.join(file))).json());
            }
        }
    }
}

/// A skin of one chain of joints, each turned like all others, so that what rounds at each adds up.
fn chain(joints: usize) -> Value {
    let times: Vec<f32> = (0..9).map(|key| key as f32 / 8.0).collect();
    let keys = times.iter().flat_map(|t| {
        let half = (TAU * t + 0.4).sin();
        [0.0, 0.0, half.sin(), half.cos()]
    });
    let numbers: Vec<f32> = times.iter().copied().chain(keys).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
    let node = |i: usize| match i {
        i if i + 1 < joints => json!({ "translation": [0, 1, 0], "children": [i + 1] }),
        _ => json!({ "translation": [0, 1, 0] }),
    };
    let channel = |i: usize| json!({ "sampler": 0, "target": { "node": i, "path": "rotation" } });
    json!({
        "asset": { "version": "2.0" },
        "nodes": (0..joints).map(node).collect::<Vec<_>>(),
        "skins": [{ "joints": (0..joints).collect::<Vec<_>>() }],
        "animations": [{
            "name": "sway",
            "channels": (0..joints).map(channel).collect::<Vec<_>>(),
            "samplers": [{ "input": 0, "output": 1 }],
        }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 9, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 1, "componentType": 5126, "count": 9, "type": "VEC4" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 144 },
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": data_uri(&bytes) }],
    })
}

#[test]
fn long_chains_agree_as_far_as_their_length_allows() {
    let folder = tempfile::tempdir().unwrap();
    let tolerance = |joints: usize| {
        let file = folder.path().join("chain.gltf");
        std::fs::write(&file, chain(joints).to_string()).unwrap();
        let mut tolerance = 0.0;
        for rows in ["f32", "i16"] {
            let answer = throng(line(&format!("bench --json -n 40 --frames 2 --rows {rows}"), &file)).json();
            assert!(answer["max_difference"].as_f64().unwrap() <= answer["tolerance"].as_f64().unwrap());
            tolerance = answer["tolerance"].as_f64().unwrap();
        }
        tolerance / joints as f64
    };
    // Of the size, which is that of the chain, as much is allowed for short chains, and for long ones in proportion.
    let short = tolerance(8);
    assert!((0.5..2.0).contains(&(tolerance(16) / short)));
    assert!((50.0..200.0).contains(&(tolerance(1500) / short)));
}

#[test]
fn what_no_number_can_tell_is_told_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("far.gltf");
    let far = serde_json::json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "translation": [3e38, 0, 0], "children": [1] }, { "translation": [3e38, 0, 0] }],
        "skins": [{ "joints": [0, 1] }],
        "animations": [{ "channels": [], "samplers": [] }],
    });
    std::fs::write(&file, far.to_string()).unwrap();
    let run = throng(line("bench -n 1 --frames 1", &file));
    let error = run.stderr.lines().last().unwrap();
    assert!(run.code == Some(1) && error.contains("far.gltf: "), "{run:?}");
}

#[test]
fn corpses_are_as_many_as_asked_and_left_out() {
    for (words, instances, frozen) in
        [("--corpses 50 -n 400", 400, 200), ("--corpses 10 -n 300 --threads 2", 300, 30)]
    {
        let answer = bench(&format!("{words} --frames 4 --level portable"));
        let counts = [&answer["instances"], &answer["frozen"], &answer["evaluated"]];
        assert_eq!(counts, [&json!(instances), &json!(frozen), &json!(instances - frozen)]);
        for cost in [&answer["active_ns"], &answer["frozen_ns"]] {
            let sum = cost["advance"].as_f64().unwrap() + cost["evaluate"].as_f64().unwrap();
            assert!((cost["total"].as_f64().unwrap() - sum).abs() < 0.01, "{answer}");
        }
    }
    let run = throng(line("bench --corpses 50 -n 100 --frames 2", marcher()));
    for word in ["50 of them frozen", "that plays on", "that does not change", "ns an instance"] {
        assert!(run.stdout.contains(word), "{word} in {}", run.stdout);
    }
}

#[test]
fn corpses_stand_by_themselves() {
    for words in ["--sizes 10", "--layers 2", "--seek", "--scenario street"] {
        let run = throng(line(&format!("bench --corpses 50 {words}"), marcher()));
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
    }
}
