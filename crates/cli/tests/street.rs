//! `throng bench --scenario street`. What times are, no test can say; what is timed, it can.

use crate::common;

use common::{assets, line, marcher, throng};
use serde_json::{Value, json};

const STREET: &str = "bench --scenario street";

fn street(words: &str) -> Value {
    throng(line(&format!("{STREET} --json {words}"), marcher())).json()
}

fn number(answer: &Value, name: &str) -> f64 {
    answer[name].as_f64().unwrap_or_else(|| panic!("{name} in {answer}"))
}

fn check(answer: &Value) {
    let instances = number(answer, "instances");
    let (evaluated, held, hidden) =
        (number(answer, "evaluated"), number(answer, "held"), number(answer, "hidden"));
    assert!((evaluated + held + hidden - instances).abs() < 0.01, "everyone is posed, held or hidden");
    assert!((hidden / instances - 0.3).abs() < 0.1, "{hidden} of {instances}");
    assert!((1.0..=4.0).contains(&number(answer, "layers_per_lane")), "{answer}");
    let mut stages = 0.0;
    for stage in ["control_ms", "advance_ms", "root_motion_ms", "evaluate_ms", "events_ms"] {
        let (min, median) =
            (answer[stage]["min"].as_f64().unwrap(), answer[stage]["median"].as_f64().unwrap());
        assert!(0.0 <= min && min <= median, "{stage} of {answer}");
        stages += min;
    }
    // To a thousandth of a millisecond each.
    assert!(answer["total_ms"]["median"].as_f64().unwrap() + 0.006 >= stages, "{answer}");
    for name in ["advance_ns_per_instance", "plain_ns_per_joint", "evaluate_ns_per_joint", "total_over_plain"]
    {
        assert!(number(answer, name) > 0.0, "{name} in {answer}");
    }
}

#[test]
fn json_tells_what_a_frame_did() {
    let answer = street("-n 1000 --frames 6 --level portable");
    assert_eq!(answer["clips"], json!(["walk", "run", "idle"]));
    assert_eq!((&answer["scenario"], &answer["root_motion"]), (&json!("street"), &json!("root")));
    assert_eq!((&answer["joints"], &answer["crossfades"]), (&json!(62), &json!(10.0)));
    assert_eq!((&answer["level"], &answer["threads"]), (&json!("portable"), &json!(1)));
    assert!(number(&answer, "layers_per_lane") > 2.0, "a walk and a run, and crossfades: {answer}");
    assert!(number(&answer, "markers") > 0.0, "feet come down: {answer}");
    check(&answer);
}

/// Times are no part of what a frame does: the same for any number of threads.
#[test]
fn threads_do_the_same() {
    let counts = |threads| {
        let answer = street(&format!("-n 700 --frames 4 --threads {threads} --rows f32"));
        ["evaluated", "held", "hidden", "layers_per_lane", "markers"].map(|name| number(&answer, name))
    };
    assert_eq!(counts(1), counts(2));
}

#[test]
fn a_few_will_do_and_any_real_file() {
    street("-n 1 --frames 1 --threads 2");
    let Some(folder) = assets() else { return };
    for file in ["ozz_pab.glb", "kaykit_knight.glb", "khronos_fox.glb", "bvh_cmu_12_01_walk.bvh"] {
        check(&throng(line(&format!("{STREET} --json -n 300 --frames 2"), folder.join(file))).json());
    }
}

#[test]
fn people_get_a_table() {
    let run = throng(line(&format!("{STREET} -n 200 --frames 2"), marcher()));
    assert_eq!(run.code, Some(0), "{run:?}");
    for word in ["200 walkers of 62 joints", "controls", "root motion", "crossfade", "ns an instance"] {
        assert!(run.stdout.contains(word), "{word} in {}", run.stdout);
    }
}

#[test]
fn what_belongs_to_other_measurements_is_refused() {
    for words in ["--sizes 10", "--layers 2", "--additive", "--mask", "--seek"] {
        let run = throng(line(&format!("{STREET} {words}"), marcher()));
        assert!(run.usage_error().contains("cannot be used with"), "{run:?}");
    }
    let run = throng(line("bench --scenario road", marcher()));
    assert!(run.usage_error().contains("street"), "{run:?}");
    let run = throng(line(&format!("{STREET} -n 4000000000"), marcher()));
    assert!(run.stderr.contains("4000000000 palettes of 62 joints"), "{run:?}");
}
