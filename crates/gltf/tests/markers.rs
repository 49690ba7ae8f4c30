//! Markers in an animation's extras: read, told of where they can't be, written back.

use crate::common;

use common::tiny::Tiny;
use serde_json::{Value, json};
use throng_gltf::export::{Export, glb};
use throng_gltf::{Import, ImportOptions, import_slice};
use throng_tracks::Marker;

/// A clip of two seconds with these extras.
fn tiny(start_s: f32, extras: Value) -> Tiny {
    let mut tiny = Tiny::new(json!([{ "name": "root" }]));
    let times = tiny.floats("SCALAR", &[start_s, start_s + 2.0]);
    let values = tiny.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    tiny.channel(0, "translation", times, values);
    tiny.json["animations"][0]["extras"] = extras;
    tiny
}

fn mark(time_s: f32, name: &str, payload: u32) -> Marker {
    Marker { time_s, name: name.into(), payload }
}

fn lines(import: &Import) -> Vec<String> {
    import.report.lines().iter().map(ToString::to_string).collect()
}

#[test]
fn markers_are_read_in_order_of_time_and_written_back() {
    let extras = json!({ "markers": [
        { "time": 1.5, "name": "foot_right", "payload": 7 },
        { "time": 0.25, "name": "foot_left" },
        { "time": 2.0 },
        { "time": 0, "payload": 4294967295u32, "colour": "red" },
    ] });
    let import = tiny(0.0, extras).import();
    let expected =
        [mark(0.0, "", u32::MAX), mark(0.25, "foot_left", 0), mark(1.5, "foot_right", 7), mark(2.0, "", 0)];
    assert_eq!(import.clips[0].markers(), expected);
    assert!(import.report.is_empty(), "{}", import.report);

    let export = Export { skeleton: &import.skeleton, skins: &[], clips: &import.clips, morphs: &[] };
    let (bytes, _) = glb(&export).unwrap();
    assert_eq!(import_slice(&bytes, None).unwrap().clips[0].markers(), expected);
}

#[test]
fn what_is_no_marker_is_a_line_of_the_report() {
    let extras = json!({ "markers": [
        { "time": "soon" }, { "name": "when" }, 7, { "time": 2.5 }, { "time": -0.5 },
        { "time": 1, "name": 5 }, { "time": 1, "payload": -1 }, { "time": 1, "payload": 4294967296u64 },
        { "time": 1e300 }, { "time": 1, "name": "fine" },
    ] });
    let import = tiny(0.0, extras).import();
    assert_eq!(import.clips[0].markers(), [mark(1.0, "fine", 0)]);
    let place = |i: usize| {
        format!(
            "skip: animations[0].extras.markers[{i}]: a marker that can't be read (animations[0].extras.markers[{i}]"
        )
    };
    let expected = [
        format!("{}.time: found \"soon\", expected a number within f32)", place(0)),
        format!("{}.time: found nothing, expected a number of seconds)", place(1)),
        format!("{}.time: found nothing, expected a number of seconds)", place(2)),
        "skip: animations[0].extras.markers[3]: a marker at 2.5 s; the clip lasts from 0 to 2 s".to_owned(),
        "skip: animations[0].extras.markers[4]: a marker at -0.5 s; the clip lasts from 0 to 2 s".to_owned(),
        format!("{}.name: found 5, expected a text)", place(5)),
        format!("{}.payload: found -1, expected a whole number from 0)", place(6)),
        format!("{}.payload: found 4294967296, expected a whole number below 2^32)", place(7)),
        format!("{}.time: found 1e+300, expected a number within f32)", place(8)),
    ];
    assert_eq!(lines(&import), expected);

    let import = tiny(0.0, json!({ "markers": "none" })).import();
    assert_eq!(
        lines(&import),
        [
            "skip: animations[0]: markers that can't be read (animations[0].extras.markers: found \"none\", expected a list)"
        ]
    );
    // Extras are anybody's.
    for extras in [json!(7), json!([1, 2]), json!({ "author": "me" }), json!(null)] {
        assert!(tiny(0.0, extras).import().report.is_empty());
    }
}

#[test]
fn markers_are_shifted_with_the_keys() {
    let options = ImportOptions { shift_negative_times: true, ..ImportOptions::default() };
    let import = tiny(-0.5, json!({ "markers": [{ "time": -0.25, "name": "foot" }] }));
    let import = import.import_with(&options).unwrap();
    assert_eq!(import.clips[0].markers(), [mark(0.25, "foot", 0)]);
}
