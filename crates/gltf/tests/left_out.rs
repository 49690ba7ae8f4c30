//! A clip that can't be built costs only itself; what has an obvious meaning is repaired.

use crate::common::tiny::{Tiny, lines};
use serde_json::{Value, json};
use throng_gltf::{Import, ImportOptions};
use throng_tracks::{Clip, Interpolation, Track};

/// Two nodes in a skin, a third in none, and a good clip of the first.
fn good() -> Tiny {
    let mut tiny =
        Tiny::new(json!([{ "name": "root", "children": [1] }, { "name": "tip" }, { "name": "prop" }]));
    tiny.json["skins"] = json!([{ "joints": [0, 1] }]);
    let (input, output) = (tiny.floats("SCALAR", &[0.0, 1.0]), tiny.floats("VEC3", &[0.0; 6]));
    tiny.channel(0, "translation", input, output);
    tiny.json["animations"][0]["name"] = json!("good");
    tiny
}

/// The good clip, a bad one of the prop, and another good one.
fn with_bad(animation: impl FnOnce(&mut Tiny) -> Value) -> Tiny {
    let mut tiny = good();
    let first = tiny.json["animations"][0].clone();
    let bad = animation(&mut tiny);
    tiny.json["animations"] = json!([first, bad, first]);
    tiny.json["animations"][2]["name"] = json!("last");
    tiny
}

/// An animation of one channel.
fn one(target: Value, sampler: Value) -> Value {
    json!({ "name": "bad", "channels": [{ "sampler": 0, "target": target }], "samplers": [sampler] })
}

/// An accessor to these numbers, which may be none.
fn floats(tiny: &mut Tiny, kind: &str, values: &[f32]) -> usize {
    if !values.is_empty() {
        return tiny.floats(kind, values);
    }
    let accessor = tiny.floats(kind, &[0.0; 4]);
    tiny.json["accessors"][accessor]["count"] = json!(0);
    accessor
}

/// An animation that moves the prop by floats.
fn moved(path: &str, times: &[f32], kind: &str, values: &[f32], interpolation: &str) -> Tiny {
    with_bad(|tiny| {
        let (input, output) = (floats(tiny, "SCALAR", times), floats(tiny, kind, values));
        let sampler = json!({ "input": input, "output": output, "interpolation": interpolation });
        one(json!({ "node": 2, "path": path }), sampler)
    })
}

/// An animation that slides the prop, changed.
fn changed(pointer: &str, value: Value) -> Tiny {
    let mut tiny = moved("translation", &[0.0, 1.0], "VEC3", &[1.0; 6], "LINEAR");
    *tiny.json["animations"][1].pointer_mut(pointer).unwrap() = value;
    tiny
}

/// What each fault is, and what the reason says.
fn faults() -> Vec<(Tiny, &'static str)> {
    const NAN: f32 = f32::NAN;
    let slide = |times: &[f32], values: &[f32]| moved("translation", times, "VEC3", values, "LINEAR");
    let turn = |times: &[f32], values: &[f32]| moved("rotation", times, "VEC4", values, "LINEAR");
    let mut faults = vec![
        (slide(&[1.0, 0.5], &[0.0; 6]), "key 1 is at 0.5 s"),
        (
            slide(&[-1.0, 0.5], &[0.0; 6]),
            "found key 0 of track \"translation of prop\" at -1 s, expected times from 0 on",
        ),
        (slide(&[0.0, NAN], &[0.0; 6]), "the time of key 1 is NaN"),
        (slide(&[NAN, 1.0], &[0.0; 6]), "the time of key 0 is NaN"),
        (slide(&[0.0, f32::INFINITY], &[0.0; 6]), "the time of key 1 is inf"),
        (slide(&[f32::NEG_INFINITY, 0.0], &[0.0; 6]), "the time of key 0 is -inf"),
        (slide(&[], &[]), "has no key"),
        (slide(&[0.0, 1.0], &[0.0, NAN, 0.0, 0.0, 0.0, 0.0]), "value 1 of key 0 is NaN"),
        (slide(&[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, f32::INFINITY, 0.0]), "value 1 of key 1 is inf"),
        (slide(&[0.0, 1.0, 2.0], &[0.0; 6]), "found 2 values, expected 3"),
        (slide(&[0.0], &[0.0; 6]), "found 2 values, expected 1"),
        (slide(&[0.0, 1.0], &[]), "found 0 values, expected 2"),
        (moved("scale", &[0.0, 1.0], "VEC3", &[1.0; 6], "CUBICSPLINE"), "found 2 values, expected 6"),
        (moved("scale", &[0.0, 1.0], "VEC3", &[1.0; 15], "CUBICSPLINE"), "found 5 values, expected 6"),
        (moved("scale", &[0.0, 1.0], "VEC4", &[1.0; 8], "LINEAR"), "found \"VEC4\", expected VEC3"),
        (moved("rotation", &[0.0, 1.0], "VEC3", &[1.0; 6], "STEP"), "found \"VEC3\", expected VEC4"),
        (turn(&[0.0, 1.0], &[0.0, 0.0, NAN, 1.0, 0.0, 0.0, 0.0, 1.0]), "value 2 of key 0 is NaN"),
        (
            moved("weights", &[0.0, 1.0], "SCALAR", &[1.0; 5], "LINEAR"),
            "found 5 weights, expected a multiple of 2",
        ),
        (moved("weights", &[0.0, 1.0], "SCALAR", &[], "LINEAR"), "found 0 weights, expected a multiple of 2"),
        (with_bad(|_| json!(5)), "animations[1]: found 5, expected an object"),
        (with_bad(|_| json!("walk")), "animations[1]: found \"walk\", expected an object"),
    ];
    for (pointer, value, why) in [
        (
            "/channels/0/target/node",
            json!(77),
            "animations[1].channels[0].target.node: found 77, expected an index into nodes",
        ),
        ("/channels/0/target/node", json!(-1), "target.node: found -1, expected a whole number from 0"),
        (
            "/channels/0/target/node",
            json!("tip"),
            "target.node: found \"tip\", expected a whole number from 0",
        ),
        ("/channels/0/target/path", json!(3), "target.path: found 3, expected a text"),
        (
            "/channels/0/sampler",
            json!(1),
            "channels[0].sampler: found 1, expected an index into animations[1].samplers",
        ),
        ("/channels/0/sampler", json!(null), "channels[0].sampler: found nothing"),
        ("/channels", json!({}), "channels: found an object, expected a list"),
        ("/samplers", json!(7), "samplers: found 7, expected a list"),
        ("/samplers/0/input", json!(99), "input: found 99, expected an index into accessors"),
        ("/samplers/0/output", json!(99), "output: found 99, expected an index into accessors"),
        ("/samplers/0/input", json!(null), "input: found nothing"),
        ("/samplers/0/output", json!(null), "output: found nothing"),
        ("/samplers/0/output", json!(1.5), "output: found 1.5, expected a whole number"),
    ] {
        faults.push((changed(pointer, value), why));
    }
    let accessor = |key: &str, value: Value| {
        let mut tiny = changed("/name", json!("bad"));
        let output = tiny.json["animations"][1]["samplers"][0]["output"].as_u64().unwrap() as usize;
        tiny.json["accessors"][output][key] = value;
        tiny
    };
    faults.push((accessor("bufferView", json!(99)), "bufferView: found 99, expected an index"));
    faults.push((accessor("byteOffset", json!(1 << 30)), "bytes of bufferViews["));
    faults.push((accessor("type", json!("BONE")), "found \"BONE\", expected an accessor type"));
    faults.push((accessor("count", json!(1u64 << 62)), "values, expected 2"));
    faults
}

fn names(clips: &[Clip]) -> Vec<&str> {
    clips.iter().map(Clip::name).collect()
}

#[test]
fn a_clip_that_can_not_be_built_costs_only_itself() {
    for (tiny, why) in faults() {
        let import = tiny.import();
        assert_eq!(names(&import.clips), ["good", "last"], "{why}");
        assert_eq!(import.clip_sources, [0, 2], "{why}");
        // Nothing but the clip moves the prop, so that it is no joint.
        assert_eq!(import.skeleton.names(), ["root", "tip"], "{why}");
        let name = tiny.json["animations"][1]["name"].as_str().unwrap_or_default();
        let [left_out] = &import.left_out[..] else { panic!("{why}: {:?}", import.left_out) };
        assert_eq!((left_out.source, left_out.name.as_str()), (1, name));
        assert!(left_out.why.contains(why), "{why} in {}", left_out.why);
        let line = format!(
            "skip: animations[1]: clip {name:?} is left out: {} (with `strict`, an error)",
            left_out.why
        );
        assert!(lines(&import).contains(&line), "{line} in {:?}", lines(&import));

        let strict = ImportOptions { strict: true, ..ImportOptions::default() };
        assert_eq!(tiny.import_with(&strict).unwrap_err().to_string(), left_out.why);
    }
}

#[test]
fn what_a_left_out_clip_shares_with_others_stays() {
    // The key times of the bad clip are those of the good one.
    let mut tiny = with_bad(|tiny| {
        let output = tiny.floats("VEC3", &[f32::NAN; 6]);
        one(json!({ "node": 0, "path": "translation" }), json!({ "input": 0, "output": output }))
    });
    let import = tiny.import();
    assert_eq!((names(&import.clips), import.clip_sources), (vec!["good", "last"], vec![0, 2]));
    // Two bad ones side by side.
    let bad = tiny.json["animations"][1].clone();
    tiny.json["animations"].as_array_mut().unwrap().insert(0, bad);
    assert_eq!(tiny.import().clip_sources, [1, 3]);
    // A fault that the skin has too is one of the file.
    tiny.json["skins"][0]["joints"][1] = json!(77);
    assert!(tiny.error().starts_with("skins[0].joints[1]: found 77"));
}

#[test]
fn a_file_with_nothing_but_a_bad_clip_is_an_error() {
    let mut tiny = changed("/channels/0/target/node", json!(77));
    tiny.json["skins"] = json!([]);
    tiny.json["animations"].as_array_mut().unwrap().retain(|animation| animation["name"] == "bad");
    assert!(tiny.error().starts_with("animations[0].channels[0].target.node: found 77"));
    // A skin has a pose without clips.
    tiny.json["skins"] = json!([{ "joints": [0] }]);
    assert_eq!((tiny.import().clips.len(), tiny.import().left_out.len()), (0, 1));
}

#[test]
fn interpolations_that_are_none_are_linear() {
    for (value, found) in [
        (json!(0), "0"),
        (json!(null), "null"),
        (json!(true), "true"),
        (json!([]), "a list of 0"),
        (json!({}), "an object"),
        (json!(""), "\"\""),
        (json!("step"), "\"step\""),
        (json!("Linear"), "\"Linear\""),
        (json!("ZIGZAG"), "\"ZIGZAG\""),
    ] {
        let import = changed("/samplers/0/interpolation", value).import();
        assert_eq!(import.clips[1].tracks()[0].track().interpolation(), Interpolation::Linear);
        let expected = format!(
            "repair: animations[1].samplers[0]: interpolation {found}, expected LINEAR, STEP or CUBICSPLINE; LINEAR was taken"
        );
        assert_eq!(lines(&import), [expected]);
    }
}

/// The rotations of the prop.
fn rotations(tiny: &Tiny) -> (Import, Track) {
    let import = tiny.import();
    let track = import.clips[1].tracks()[0].track().clone();
    (import, track)
}

#[test]
fn keys_of_zero_quaternions_are_dropped() {
    let q = |x: f32| [x, 0.0, 0.0, 1.0];
    let zero = [0.0, -0.0, 0.0, 0.0];
    for (keys, kept) in [
        ([q(0.0), zero, q(0.002)], vec![0usize, 2]),
        ([zero, q(0.001), q(0.002)], vec![1, 2]),
        ([q(0.0), q(0.001), zero], vec![0, 1]),
        ([zero, zero, q(0.002)], vec![2]),
    ] {
        for (interpolation, each) in [("LINEAR", 1), ("STEP", 1), ("CUBICSPLINE", 3)] {
            let tangent = |key: usize| [key as f32; 4];
            let values: Vec<f32> = (0..3)
                .flat_map(|key| {
                    if each == 3 {
                        [tangent(key), keys[key], tangent(key)].concat()
                    } else {
                        keys[key].to_vec()
                    }
                })
                .collect();
            let times = [0.0, 1.0, 2.0];
            let (import, track) = rotations(&moved("rotation", &times, "VEC4", &values, interpolation));
            let expected: Vec<f32> =
                kept.iter().flat_map(|&key| values[4 * each * key..][..4 * each].to_vec()).collect();
            assert_eq!(track.values(), expected, "{interpolation}");
            assert_eq!(track.times()[..], kept.iter().map(|&key| times[key]).collect::<Vec<_>>());
            let what = format!(
                "repair: animations[1].channels[0]: {} of 3 quaternions have length 0; their keys were dropped",
                3 - kept.len()
            );
            assert_eq!(lines(&import), [what]);
        }
    }
    for times in [vec![0.5], vec![0.0, 1.0, 2.0]] {
        for (interpolation, each) in [("LINEAR", 1), ("STEP", 1), ("CUBICSPLINE", 3)] {
            let mut values = vec![0.0; 4 * each * times.len()];
            if each == 3 {
                values[0] = 9.0;
            }
            let (import, track) = rotations(&moved("rotation", &times, "VEC4", &values, interpolation));
            assert_eq!(track.times()[..], times);
            (0..times.len()).for_each(|key| assert_eq!(track.value(key), [0.0, 0.0, 0.0, 1.0]));
            let mut shown = [0.0; 4];
            track.sample(0.7, &mut shown);
            assert_eq!(shown, [0.0, 0.0, 0.0, 1.0], "no tangent is left");
            assert!(lines(&import)[0].ends_with("quaternions have length 0; the identity was taken"));
        }
    }
    // A zero is no zero where a number of it is none.
    let nan = moved("rotation", &[0.0], "VEC4", &[0.0, 0.0, 0.0, f32::NAN], "LINEAR");
    assert_eq!(nan.import().left_out.len(), 1);
}

#[test]
fn clips_are_shifted_and_trimmed_to_start_at_zero() {
    let clip = |first: f32| {
        let mut tiny = moved("translation", &[first, first + 2.0], "VEC3", &[1.0; 6], "LINEAR");
        let (input, output) = (tiny.floats("SCALAR", &[first + 1.0]), tiny.floats("VEC3", &[2.0; 3]));
        let animation = &mut tiny.json["animations"][1];
        animation["samplers"].as_array_mut().unwrap().push(json!({ "input": input, "output": output }));
        let scale = json!({ "sampler": 1, "target": { "node": 2, "path": "scale" } });
        animation["channels"].as_array_mut().unwrap().push(scale);
        animation["extras"] = json!({ "markers": [{ "time": first + 0.5 }] });
        tiny
    };
    let none = ImportOptions::default();
    let shift = ImportOptions { shift_negative_times: true, ..none.clone() };
    let trim = ImportOptions { trim_start: true, ..none.clone() };
    for (first, options, kept, line) in [
        (-4.0, &shift, Some(0.0), "repair: animations[1]: starts at -4 s; shifted to start at 0"),
        (-4.0, &trim, Some(0.0), "repair: animations[1]: starts at -4 s; shifted to start at 0"),
        (-4.0, &none, None, "skip: animations[1]: clip \"bad\" is left out: "),
        (
            4096.0,
            &trim,
            Some(0.0),
            "remark: animations[1]: its first key is at 4096 s; trimmed to start at 0",
        ),
        (4096.0, &shift, Some(4096.0), ""),
        (4096.0, &none, Some(4096.0), ""),
        (0.0, &trim, Some(0.0), ""),
    ] {
        let import = clip(first).import_with(options).unwrap();
        let found = lines(&import);
        assert!(
            if line.is_empty() { found.is_empty() } else { found.len() == 1 && found[0].starts_with(line) },
            "{found:?}"
        );
        let Some(start) = kept else {
            assert_eq!(names(&import.clips), ["good", "last"]);
            assert!(found[0].contains("`--shift-negative-times`"), "{found:?}");
            continue;
        };
        let times: Vec<f32> = import.clips[1].key_times();
        assert_eq!(times, [start, start + 1.0, start + 2.0]);
        assert_eq!(import.clips[1].markers()[0].time_s, start + 0.5);
    }
}

#[test]
fn late_keys_cost_nothing() {
    for late in [1e30, 1e38, f32::MAX] {
        let tiny = moved("translation", &[0.0, late], "VEC3", &[1.0; 6], "LINEAR");
        assert_eq!(tiny.import().clips[1].duration_s(), late);
        let tiny = moved("translation", &[late], "VEC3", &[1.0; 3], "LINEAR");
        let trim = ImportOptions { trim_start: true, ..ImportOptions::default() };
        assert_eq!(tiny.import_with(&trim).unwrap().clips[1].duration_s(), 0.0);
    }
}

#[test]
fn jumps_between_hemispheres_are_reported_and_can_be_kept() {
    let (a, b, still) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -0.6, -0.8], [0.0; 4]);
    let values = [still, a, still, still, b, still, still, a, still].concat();
    let tiny = moved("rotation", &[0.0, 1.0, 2.0], "VEC4", &values, "CUBICSPLINE");
    let (import, track) = rotations(&tiny);
    assert_eq!(track.value(1), [0.0, 0.0, 0.6, 0.8]);
    let begins = "repair: animations[1].channels[0]: 2 jumps of a cubic track between hemispheres, the first to key 1 at 1 s; \
                  keys were negated";
    assert!(lines(&import)[0].starts_with(begins), "{:?}", lines(&import));
    assert!(lines(&import)[0].contains("`--raw-cubic-keys`"));

    let raw = ImportOptions { raw_cubic_keys: true, ..ImportOptions::default() };
    let import = tiny.import_with(&raw).unwrap();
    assert_eq!(import.clips[1].tracks()[0].track().values(), values);
    assert!(lines(&import)[0].ends_with("at 1 s; the raw keys were kept"), "{:?}", lines(&import));

    // Between lines it makes no difference, and without a jump there is nothing to say.
    let line = moved("rotation", &[0.0, 1.0], "VEC4", &[a, b].concat(), "LINEAR");
    assert!(line.import().report.is_empty());
    let flat = [still, a, still, still, a, still].concat();
    assert!(moved("rotation", &[0.0, 1.0], "VEC4", &flat, "CUBICSPLINE").import().report.is_empty());
}
