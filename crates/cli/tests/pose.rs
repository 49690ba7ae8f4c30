//! `throng pose`, as people and programs run it.

use crate::common;

use common::{difference, line, marcher, numbers, throng, throng_at_level};
use serde_json::{Value, json};

fn pose(words: &str) -> Value {
    throng(line(&format!("pose {words}"), marcher())).json()
}

/// The largest difference of any joint's matrices by this name.
fn apart(a: &Value, b: &Value, matrix: &str) -> f64 {
    let (a, b) = (a["joints"].as_array().unwrap(), b["joints"].as_array().unwrap());
    assert_eq!(a.len(), b.len());
    let both = a.iter().zip(b).filter(|(a, _)| a.get(matrix).is_some());
    let all: Vec<f64> = both.map(|(a, b)| difference(&numbers(&a[matrix]), &numbers(&b[matrix]))).collect();
    assert!(!all.is_empty(), "joints have a {matrix}");
    all.into_iter().fold(0.0, |most, d| if d <= most { most } else { d })
}

#[test]
fn joints_are_told_in_order_with_model_matrices() {
    let pose = pose("--clip walk --time 0.25");
    assert_eq!(
        (&pose["clip"], &pose["clip_index"], &pose["time"]),
        (&json!("walk"), &json!(0), &json!(0.25))
    );
    assert_eq!(pose["path"], "exact");
    let joints = pose["joints"].as_array().unwrap();
    assert_eq!(joints.len(), 63);
    for (index, joint) in joints.iter().enumerate() {
        assert_eq!(joint["index"], index);
        assert!(joint["parent"].as_u64().is_none_or(|parent| parent < index as u64));
        assert!(joint["node"].is_u64() && joint["name"].is_string());
        let model = numbers(&joint["model"]);
        assert_eq!((model.len(), model[3], model[7], model[11], model[15]), (16, 0.0, 0.0, 0.0, 1.0));
        assert!(joint.get("palette").is_none());
    }
    let head = joints.iter().find(|j| j["name"] == "head").unwrap();
    let height = numbers(&head["model"])[13];
    assert!((1.3..1.8).contains(&height), "a head is high up: {height}");
}

#[test]
fn the_bank_is_as_close_as_it_reports() {
    for clip in ["walk", "run", "idle", "wave"] {
        let exact = pose(&format!("--clip {clip} --time 0.333 --palette"));
        let bank = pose(&format!("--clip {clip} --time 0.333 --palette --path bank"));
        assert_eq!(bank["path"], "bank");
        let reported = bank["error_reported"].as_f64().unwrap();
        assert!(reported > 0.0 && reported < 1e-3);
        let off = apart(&exact, &bank, "model");
        assert!(off <= reported, "{clip} is off by {off}, reported {reported}");
        let off = apart(&exact, &bank, "palette");
        // An inverse bind matrix turns an error of the rotation into one of up to its own length, here under 2.
        assert!(off <= 5.0 * reported, "{clip}'s palette is off by {off}, reported {reported}");
    }
}

#[test]
fn levels_are_named_and_close() {
    let scalar = pose("--clip run --time 0.1 --path bank --level scalar");
    let portable = pose("--clip run --time 0.1 --path bank --level portable");
    let fused = pose("--clip run --time 0.1 --path bank --level scalar-fused");
    assert_eq!((&scalar["level"], &portable["level"]), (&json!("scalar"), &json!("portable")));
    assert_eq!(scalar["joints"], portable["joints"], "unfused levels give the same bits");
    assert!(apart(&scalar, &fused, "model") < 1e-5);
    let rounded = |words: &str| pose(&format!("--clip run --time 0.1 --path bank {words}"));
    assert_eq!(rounded("--rounding portable")["joints"], scalar["joints"], "whatever the processor has");
    assert_eq!(rounded("--level scalar-fused --rounding portable")["level"], "scalar");
    assert_eq!(rounded("--level scalar-fused --rounding fastest")["level"], "scalar-fused");
}

#[test]
fn the_environment_names_the_default_level() {
    let walk = || line("pose --clip walk --time 0 --path bank", marcher());
    assert_eq!(throng_at_level("portable", walk()).json()["level"], "portable");
    let run = throng_at_level("sse", walk());
    assert!(run.error().starts_with("THRONG_LEVEL: there is no level \"sse\""), "{run:?}");
}

#[test]
fn the_palette_is_of_the_skin() {
    let pose = pose("--clip walk --time 0 --palette --skin 0");
    assert_eq!(pose["skin"], 0);
    let joints = pose["joints"].as_array().unwrap();
    let with: Vec<_> = joints.iter().filter(|j| j.get("palette").is_some()).collect();
    assert_eq!(with.len(), 62);
    assert!(joints[0].get("palette").is_none(), "the armature is not of the skin");
    assert!(with.iter().all(|j| numbers(&j["palette"]).len() == 12));
}

#[test]
fn without_a_skin_the_palette_is_the_model_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("node.gltf");
    // One channel with one key, from an accessor without bytes: zeros.
    let node = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "rotation": [0, 0, 1, 0] }],
        "accessors": [
            { "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0] },
            { "componentType": 5126, "type": "VEC3", "count": 1 },
        ],
        "animations": [{
            "samplers": [{ "input": 0, "output": 1 }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        }],
    });
    std::fs::write(&file, node.to_string()).unwrap();
    for path in ["exact", "bank"] {
        let pose = throng(line(&format!("pose --clip 0 --time 0 --palette --path {path}"), &file)).json();
        assert!(pose.get("skin").is_none());
        let half_turn = [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0].map(f64::from);
        assert!(difference(&numbers(&pose["joints"][0]["palette"]), &half_turn) < 1e-6);
        let model = numbers(&pose["joints"][0]["model"]);
        assert_eq!((model[0], model[5], model[10]), (-1.0, -1.0, 1.0));
    }
    let run = throng(line("pose --clip 0 --time 0 --palette --skin 1", &file));
    assert!(run.error().contains("no skin has index 1; the file has 0"), "{run:?}");
}

#[test]
fn times_beyond_the_ends_clamp() {
    for path in ["exact", "bank"] {
        let at = |time: &str| pose(&format!("--clip wave --path {path} --time {time}"));
        let (start, end) = (at("0"), at("2.6"));
        assert_eq!(at("-3"), start);
        assert_eq!(at("-inf"), start);
        assert_eq!(at("1e9"), end);
        assert_eq!(at("inf"), end);
        assert_eq!((&start["time"], &end["time"]), (&json!(0.0), &json!(2.6)));
        assert!(apart(&start, &at("1.3"), "model") > 0.1, "the wave moves");
    }
}

#[test]
fn clips_go_by_name_or_index() {
    assert_eq!(pose("--clip idle --time 1"), pose("--clip 2 --time 1"));
    let run = throng(line("pose --clip Idle --time 1", marcher()));
    let error = run.error();
    assert!(error.contains("marcher.glb: no clip is named \"Idle\""), "{error}");
    assert!(error.ends_with("the file has 4 clips: \"walk\", \"run\", \"idle\", \"wave\""), "{error}");
    let run = throng(line("pose --clip 4 --time 1", marcher()));
    assert!(run.error().contains("no clip has index 4; the file has 4 clips"), "{run:?}");
}

#[test]
fn wrong_usage_is_told() {
    let usage = |words: &str| throng(line(&format!("pose --clip walk {words}"), marcher()));
    let level = usage("--time 0 --path bank --level sse");
    for name in ["scalar", "scalar-fused", "portable", "avx2", "avx512"] {
        assert!(level.usage_error().contains(name), "{level:?}");
    }
    assert!(usage("--time nan").usage_error().contains("NaN is no time"));
    usage("--time soon").usage_error();
    usage("").usage_error();
    usage("--time 0 --path rows").usage_error();
    assert!(usage("--time 0 --skin 1").error().contains("no skin has index 1; the file has 1"));
}
