//! Each rule of the import, on a small file that needs it.

mod common;

use common::{EVERYTHING, import, one, report};
use glam::{Affine3A, DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use throng_bvh::{Format, Import, import_slice};
use throng_tracks::import::Content;
use throng_tracks::{Channel, DTransform, JointIndex, Transform, model_matrices};

/// The pose at a time.
fn pose(import: &Import, time_s: f32) -> Vec<DTransform> {
    let mut pose = vec![DTransform::IDENTITY; import.skeleton.joint_count()];
    import.clips.first().expect("the file has rows").sample_f64(&import.skeleton, time_s, &mut pose);
    pose
}

#[test]
fn joints_keep_the_order_of_the_file() {
    let import = import(EVERYTHING);
    assert_eq!(import.skeleton.names(), ["hips", "left leg", "spine", "prop"]);
    let hips = Some(JointIndex(0));
    assert_eq!(import.skeleton.parents(), [None, hips, hips, None]);
    let rest: Vec<_> = import.skeleton.rest().iter().map(|t| t.translation.to_array()).collect();
    assert_eq!(rest, [[0.0, 1.0, -0.5], [0.5, -1.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 0.0]]);
    let ends: Vec<_> = import.end_sites.iter().map(|end| (end.joint.0, end.offset.to_array())).collect();
    assert_eq!(ends, [(1, [0.0, -1.0, 0.0]), (3, [1.0, 1.0, 1.0])]);
    assert_eq!(import.frame_time_s, Some(0.04));
    assert_eq!(report(&import), ["skip: line 1: comment; 1 line"]);
}

#[test]
fn tracks_are_of_the_channels_there_are_and_share_one_timeline() {
    let clip = import(EVERYTHING).clips.remove(0);
    assert_eq!(clip.name(), "clip");
    assert_eq!(clip.timelines().len(), 1);
    assert_eq!(clip.timelines()[0][..], [0.0, 0.04, 0.08]);
    let moved: Vec<_> = clip.tracks().iter().map(|t| (t.joint().0, t.track().channel().name())).collect();
    let (place, turn) = (Channel::Translation.name(), Channel::Rotation.name());
    assert_eq!(moved, [(0, place), (0, turn), (1, turn), (2, place), (2, turn)]);
}

#[test]
fn the_skin_inverts_the_rest() {
    let import = import(EVERYTHING);
    let joints: Vec<_> = import.skeleton.joints().collect();
    assert_eq!(import.skins[0].joints(), joints);
    let mut model = vec![Affine3A::IDENTITY; joints.len()];
    model_matrices(&import.skeleton, import.skeleton.rest(), &mut model);
    assert_eq!(model[1].translation.to_array(), [0.5, 0.0, -0.5]);
    for (model, inverse) in model.iter().zip(import.skins[0].inverse_bind()) {
        assert_eq!(*model * *inverse, Affine3A::IDENTITY);
    }
}

#[test]
fn positions_replace_the_offset_of_their_axes_alone() {
    let places =
        |channels: &str, row: &str| pose(&import(&one(channels, &[row])), 0.0)[0].translation.to_array();
    assert_eq!(places("Xposition Yposition Zposition", "7 8 9"), [7.0, 8.0, 9.0]);
    assert_eq!(places("Zposition Xposition", "7 8"), [8.0, 2.0, 7.0]);
    assert_eq!(places("Zrotation Yposition", "7 8"), [1.0, 8.0, 3.0]);
    assert_eq!(places("Zrotation", "7"), [1.0, 2.0, 3.0]);
}

#[test]
fn rotations_compose_in_the_order_listed() {
    let import = import(&one("Zrotation Xrotation", &["90 90"]));
    // First about x, then about z: y goes to z and stays; z goes to -y, and that to x.
    let turned = pose(&import, 0.0)[0].rotation;
    assert!(turned.mul_vec3(DVec3::Y).abs_diff_eq(DVec3::Z, 1e-6));
    assert!(turned.mul_vec3(DVec3::Z).abs_diff_eq(DVec3::X, 1e-6));
}

#[test]
fn rows_are_keys_and_what_lies_between_is_slerp() {
    let import = import(&one("Yrotation Xposition", &["0 0", "90 4", "1e2 5"]));
    let angle = |t| pose(&import, t)[0].rotation.to_axis_angle().1.to_degrees();
    assert!((angle(0.5) - 90.0).abs() < 1e-4);
    assert!((angle(0.125) - 22.5).abs() < 1e-4);
    assert!((angle(99.0) - 100.0).abs() < 1e-4);
    assert_eq!(pose(&import, 0.25)[0].translation.x, 2.0);
    assert_eq!(import.clips[0].duration_s(), 1.0);
}

#[test]
fn times_are_counted_from_the_row_not_added_up() {
    let rows = vec!["0"; 100_001];
    let text = one("Xrotation", &rows).replace("Frame Time: 0.5", "Frame Time: .0083333");
    let clip = import(&text).clips.remove(0);
    assert_eq!(clip.timelines()[0][1], 0.0083333);
    assert_eq!(clip.duration_s(), 833.33);
}

#[test]
fn white_space_and_line_ends_do_not_matter() {
    let plain = import(EVERYTHING);
    let ends =
        [EVERYTHING.replace('\n', "\r\n"), EVERYTHING.replace('\n', "\r"), EVERYTHING.trim_end().to_owned()];
    let spaces = [
        EVERYTHING.replace(' ', "  ").replace("left  leg", "left leg"),
        EVERYTHING.replace('\n', "\n \t\n").replace("left leg\n", "left leg \t\n"),
        EVERYTHING.replace(" 2 3", "\t2\t3"),
        format!("\u{feff}{EVERYTHING}\n\n"),
        EVERYTHING.replace("Frames: 3\nFrame Time: .04", "frame  time:4e-2 \nFRAMES:3"),
        EVERYTHING
            .replace("HIERARCHY", "hierarchy")
            .replace("JOINT", "Joint")
            .replace("rotation", "ROTATION"),
        EVERYTHING.replace("leg\n\t{", "leg {").replace("OFFSET 0.0 1e0", "OFFSET\n0.0\n+1.0"),
    ];
    for text in ends.iter().chain(&spaces) {
        let other = import(text);
        assert_eq!((&other.skeleton, &other.clips), (&plain.skeleton, &plain.clips), "{text:?}");
        assert_eq!(report(&other).len(), 1, "{}", other.report);
    }
}

#[test]
fn the_rows_there_are_count() {
    let text = one("Xrotation", &["0", "90"]);
    for told in ["0", "1", "3", "18446744073709551615"] {
        let import = import(&text.replace("Frames: 2", &format!("Frames: {told}")));
        let line = format!("repair: line 8: Frames: tells {told} rows, but there are 2; these are used");
        assert_eq!(report(&import), [line]);
        assert_eq!(import.clips[0].timelines()[0].len(), 2);
    }
}

#[test]
fn a_file_without_rows_or_channels_has_a_skeleton_and_no_clip() {
    let none = |text: &str| {
        let import = import(text);
        assert!(import.clips.is_empty());
        assert_eq!(import.skins[0].joints().len(), import.skeleton.joint_count());
        report(&import)
    };
    assert_eq!(none(&one("Xrotation", &[])), ["remark: no rows, so no clip"]);
    assert_eq!(none(&one("", &[])), ["remark: no joint has channels, so no clip"]);
    assert_eq!(none("HIERARCHY ROOT a\n{ OFFSET 0 0 0 }"), ["remark: no MOTION, so no clip"]);
    let told = none(&one("Xrotation", &[]).replace("Frames: 0", "Frames: 9"));
    assert!(told[0].starts_with("repair: line 8: Frames: tells 9 rows, but there are 0"), "{told:?}");
}

#[test]
fn names_are_free() {
    let import = import(&EVERYTHING.replace("spine", "").replace("End Site\n", "End Site toe\n"));
    assert_eq!(import.skeleton.names()[2], "");
    assert_eq!(report(&import)[0], "remark: line 16: joint 2 has no name");
    let bytes = EVERYTHING.replace("spine", "\u{1}").into_bytes();
    let bytes: Vec<u8> = bytes.into_iter().map(|b| if b == 1 { 0xe9 } else { b }).collect();
    let import = import_slice(&bytes, "").unwrap();
    assert_eq!(import.skeleton.names()[2], "\u{fffd}");
    assert!(report(&import)[0].starts_with("repair: the text is not all UTF-8"));
}

#[test]
fn deep_nesting_takes_no_stack() {
    let deep = |count: usize| {
        let open: String = (0..count)
            .map(|i| format!("{} j\n{{ OFFSET 0 1 0\n", if i == 0 { "ROOT" } else { "JOINT" }))
            .collect();
        format!("HIERARCHY\n{open}{}", "}".repeat(count))
    };
    let import = import(&deep(65_535));
    assert_eq!(import.skeleton.joint_count(), 65_535);
    assert_eq!(import.skins[0].inverse_bind()[65_534].translation, Vec3::new(0.0, -65_535.0, 0.0).into());
    let error = common::error(&deep(100_000));
    assert_eq!(error, "line 131072: found joint number 65536, expected at most 65535 joints");
}

#[test]
fn a_clip_is_named_for_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Walk Slowly.v2.BVH");
    std::fs::write(&path, EVERYTHING).unwrap();
    assert_eq!(throng_bvh::import(&path).unwrap().clips[0].name(), "Walk Slowly.v2");
    let error = throng_bvh::import(folder.path().join("none.bvh")).unwrap_err().to_string();
    assert!(error.contains("none.bvh: can't be read: "), "{error}");
    std::fs::write(&path, "HIERARCHY\nROOT a\n(").unwrap();
    let error = throng_bvh::import(&path).unwrap_err().to_string();
    assert!(error.ends_with("Walk Slowly.v2.BVH: line 3: found \"(\", expected an opening brace"), "{error}");
}

#[test]
fn content_tells_the_format() {
    let is_bvh = |text: &str| Content::of(text.as_bytes()) == Content::Known(Format::Bvh);
    for yes in ["HIERARCHY", "\u{feff}\r\n# by hand\r\n  Hierarchy{", EVERYTHING] {
        assert!(is_bvh(yes), "{yes:?}");
    }
    for no in ["", "glTF\u{2}", "{\"HIERARCHY\":1}", "HIERARCHYS", "# HIERARCHY"] {
        assert!(!is_bvh(no), "{no:?}");
    }
}

proptest! {
    /// Matrices of the textbook, multiplied in the order of the channels.
    #[test]
    fn any_order_of_channels_is_the_product_of_the_matrices(
        turns in prop::collection::vec((0usize..3, -400.0f64..400.0), 1..7),
    ) {
        let channels: Vec<_> = turns.iter().map(|t| ["Xrotation", "Yrotation", "Zrotation"][t.0]).collect();
        let row: Vec<_> = turns.iter().map(|t| t.1.to_string()).collect();
        let import = import(&one(&channels.join(" "), &[&row.join(" ")]));
        let expected = turns.iter().fold(DMat3::IDENTITY, |m, &(axis, degrees)| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            m * match axis {
                0 => DMat3::from_cols_array(&[1.0, 0.0, 0.0, 0.0, cos, sin, 0.0, -sin, cos]),
                1 => DMat3::from_cols_array(&[cos, 0.0, -sin, 0.0, 1.0, 0.0, sin, 0.0, cos]),
                _ => DMat3::from_cols_array(&[cos, sin, 0.0, -sin, cos, 0.0, 0.0, 0.0, 1.0]),
            }
        });
        let found: DQuat = pose(&import, 0.0)[0].rotation;
        prop_assert!(DMat3::from_quat(found).abs_diff_eq(expected, 1e-6), "{found} for {expected}");
        prop_assert_eq!(import.skeleton.rest()[0], Transform { translation: Vec3::new(1.0, 2.0, 3.0), ..Transform::IDENTITY });
    }
}

#[test]
fn a_text_in_utf_16_or_utf_32_is_read() {
    let plain = import(EVERYTHING);
    let wide: Vec<u16> = EVERYTHING.encode_utf16().collect();
    let wider: Vec<u32> = EVERYTHING.chars().map(u32::from).collect();
    let files: [(&[u8], Vec<u8>, &str); 4] = [
        (b"\xFF\xFE", wide.iter().flat_map(|unit| unit.to_le_bytes()).collect(), "UTF-16 (little-endian)"),
        (b"\xFE\xFF", wide.iter().flat_map(|unit| unit.to_be_bytes()).collect(), "UTF-16 (big-endian)"),
        (
            b"\xFF\xFE\0\0",
            wider.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
            "UTF-32 (little-endian)",
        ),
        (b"\0\0\xFE\xFF", wider.iter().flat_map(|unit| unit.to_be_bytes()).collect(), "UTF-32 (big-endian)"),
    ];
    for (mark, content, name) in files {
        for bytes in [content.clone(), [mark, &content].concat()] {
            let import = import_slice(&bytes, "clip").unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(import.skeleton.names(), plain.skeleton.names());
            assert_eq!(import.clips[0].timelines(), plain.clips[0].timelines());
            let said = format!("repair: the text is {name}, not UTF-8; it was converted");
            assert_eq!(report(&import)[0], said);
        }
    }
}

#[test]
fn a_frame_time_above_a_second_is_remarked_on() {
    let of =
        |time: &str| import(&one("Xrotation", &["0", "1"]).replace("Time: 0.5", &format!("Time: {time}")));
    assert!(of("1").report.is_empty());
    let long = of("2.5");
    assert_eq!(long.clips[0].duration_s(), 2.5);
    let line = &report(&long)[0];
    assert!(
        line.starts_with("remark: line 9: Frame Time is 2.5 s from row to row, taken as it is"),
        "{line}"
    );
    assert!(line.contains("0.4000000") && line.contains("0.0025000"), "{line}");
}
