//! Each error, and that it names the line, what was found and what was expected.

mod common;

use common::{error, one};
use throng_bvh::{ImportOptions, import_slice_with};

/// A file of one joint, with this in the place of a good block.
fn block(block: &str) -> String {
    error(&format!("HIERARCHY\nROOT hips\n{block}\nMOTION\nFrames: 0\nFrame Time: 1\n"))
}

/// A file of one joint that turns about two axes, with this in the place of good rows.
fn rows(rows: &[&str]) -> String {
    error(&one("Xrotation Yrotation", rows))
}

/// A good file with one thing replaced.
fn replaced(from: &str, to: &str) -> String {
    let text = one("Xrotation", &["0", "1"]);
    assert!(text.contains(from));
    error(&text.replace(from, to))
}

#[test]
fn what_is_no_bvh_file() {
    assert_eq!(error(""), "line 0: found the end of the file, expected HIERARCHY");
    assert_eq!(error("\n\nglTF"), "line 3: found \"glTF\", expected HIERARCHY");
    assert_eq!(error("HIERARCHY\n"), "line 1: found the end of the file, expected ROOT");
    assert_eq!(error("HIERARCHY\nMOTION"), "line 2: found \"MOTION\", expected ROOT");
    let long = error(&"x\u{e9}".repeat(1 << 20));
    assert!(long.len() < 200 && long.contains("...,"), "{long}");
    assert_eq!(error("a\u{1b}[2J\u{7f}"), "line 1: found \"a\\u{1b}[2J\\u{7f}\", expected HIERARCHY");
}

#[test]
fn blocks_that_do_not_fit() {
    assert_eq!(block("OFFSET 0 0 0"), "line 3: found \"OFFSET\", expected an opening brace");
    assert_eq!(block("{ OFFSET 0 0 0 } }"), "line 3: found \"}\", expected ROOT or MOTION");
    let inside = "expected OFFSET, CHANNELS, JOINT, End Site or a closing brace";
    assert_eq!(block("{ OFFSET 0 0 0"), format!("line 4: found \"MOTION\", {inside}"));
    assert_eq!(block("{ ROOT b\n{ OFFSET 0 0 0 } }"), format!("line 3: found \"ROOT\", {inside}"));
    assert_eq!(error("HIERARCHY\nROOT a\n{\n"), format!("line 3: found the end of the file, {inside}"));
    let end_site = block("{ OFFSET 0 0 0 End Site\n{ OFFSET 0 0 0 JOINT a { } } }");
    assert_eq!(end_site, "line 4: found \"JOINT\", expected OFFSET or a closing brace");
}

#[test]
fn offsets() {
    assert_eq!(
        block("{ }"),
        "line 3: found no OFFSET in the block of \"hips\", expected one ahead of this line"
    );
    assert!(
        block("{\nJOINT a\n{ OFFSET 0 0 0 } }")
            .starts_with("line 4: found no OFFSET in the block of \"hips\"")
    );
    assert!(block("{ OFFSET 0 0 0 End Site { } }").contains("in the block of the End Site of \"hips\""));
    assert_eq!(block("{ OFFSET 0 0 0\nOFFSET 0 0 0 }"), "line 4: found OFFSET again, expected it once");
    let finite = "expected a finite number in the range of 32 bits";
    for bad in ["}", "nan", "-inf", "1e39", "1e999", "0x10", "--1"] {
        assert_eq!(block(&format!("{{ OFFSET 0\n0 {bad}")), format!("line 4: found \"{bad}\", {finite}"));
    }
    let sum = "{ OFFSET 3e38 0 0 JOINT a\n{ OFFSET 3e38 0 0 } }";
    assert_eq!(block(sum), "HIERARCHY: inverse bind matrix 1 of skin \"rest\" is not finite");
}

#[test]
fn channels() {
    let named = "expected Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation";
    let channels = |channels: &str| block(&format!("{{ OFFSET 0 0 0\nCHANNELS {channels} }}"));
    assert_eq!(channels("2 Xrotation"), format!("line 4: found \"}}\", {named}"));
    assert_eq!(channels("18446744073709551615 Xrotation"), format!("line 4: found \"}}\", {named}"));
    for bad in ["Wrotation", "Xscale", "X", "éposition", "Xrotations"] {
        assert_eq!(channels(&format!("1 {bad}")), format!("line 4: found \"{bad}\", {named}"));
    }
    assert!(
        channels("1 Xrotation Yrotation")
            .starts_with("line 4: found \"Yrotation\", expected OFFSET, CHANNELS,")
    );
    for bad in ["Xrotation", "-1", "1.5", "18446744073709551616"] {
        assert_eq!(channels(bad), format!("line 4: found \"{bad}\", expected the number of channels"));
    }
    assert_eq!(channels("2 Yposition\nyposition"), "line 5: found Yposition again, expected it once");
    assert_eq!(channels("0\nCHANNELS 0"), "line 5: found CHANNELS again, expected it once");
    let late = block("{ OFFSET 0 0 0 End Site\n{ OFFSET 0 0 0 }\nCHANNELS 0 }");
    assert_eq!(late, "line 5: found \"CHANNELS\", expected it ahead of the children of its joint");
    let end_site = block("{ OFFSET 0 0 0 End Site\n{ OFFSET 0 0 0 CHANNELS 1 Xrotation } }");
    assert_eq!(end_site, "line 4: found CHANNELS 1 in an End Site, expected 0");
}

#[test]
fn the_head_of_the_motion() {
    assert_eq!(replaced("Frames: 2\n", ""), "line 9: found \"0\", expected Frames:");
    assert_eq!(replaced("Frame Time: 0.5\n", ""), "line 9: found \"0\", expected Frame Time:");
    assert_eq!(
        replaced("Frame Time: 0.5\n0\n1\n", ""),
        "line 8: found the end of the file, expected Frame Time:"
    );
    assert_eq!(
        replaced("Frame Time", "Frame Rate"),
        "line 9: found \"Frame Rate: 0.5\", expected Frame Time:"
    );
    assert_eq!(replaced("Frame Time", "Frames"), "line 9: found \"0.5\", expected the number of rows");
    assert_eq!(replaced("Frame Time: 0.5", "Frames: 2"), "line 9: found Frames: again, expected it once");
    assert_eq!(replaced("Frames: 2", "Frame Time: 1"), "line 9: found Frame Time: again, expected it once");
    for bad in ["", "-1", "2.0", "many", "99999999999999999999"] {
        let expected = format!("line 8: found \"{bad}\", expected the number of rows");
        assert_eq!(replaced("Frames: 2", &format!("Frames: {bad}")), expected);
    }
    for bad in ["0", "-0.5", "1e-99", "-0"] {
        let expected = format!("line 9: found \"{bad}\", expected seconds above 0");
        assert_eq!(replaced("Time: 0.5", &format!("Time: {bad}")), expected);
    }
    for bad in ["NaN", "-NaN", "inf", "1e39", "0.5 0.5"] {
        let expected = format!("line 9: found \"{bad}\", expected a finite number in the range of 32 bits");
        assert_eq!(replaced("Time: 0.5", &format!("Time: {bad}")), expected);
    }
}

#[test]
fn a_frame_time_that_is_a_rate_or_milliseconds() {
    for (value, period, from_ms) in [
        ("30", "0.0333333", "0.0300000"),
        ("60.0", "0.0166667", "0.0600000"),
        ("1.2e2", "0.0083333", "0.1200000"),
        ("10", "0.1000000", "0.0100000"),
        ("33.333", "0.0300003", "0.0333330"),
    ] {
        let expected = format!(
            "line 9: found Frame Time: {value}, expected the seconds from row to row, below 10; it is probably \
             a rate in rows a second, to be written as {period}, or milliseconds, to be written as {from_ms}"
        );
        assert_eq!(replaced("Time: 0.5", &format!("Time: {value}")), expected);
    }
    let late = replaced("Time: 0.5", "Time: 3e38");
    assert!(late.starts_with("line 9: found Frame Time: 3e38, expected the seconds"), "{late}");
}

#[test]
fn a_decimal_comma_is_named_wherever_numbers_stand() {
    let finite = "expected a finite number in the range of 32 bits";
    let decimal = "with a decimal point; the comma is probably a decimal comma";
    for bad in ["1,5", "-0,5", ",5", "1,", "1,5e3"] {
        let begins = |line: usize| format!("line {line}: found \"{bad}\", {finite} {decimal}");
        let offset = block(&format!("{{ OFFSET 0\n0 {bad} 0 }}"));
        assert!(offset.starts_with(&begins(4)), "{offset}");
        let time = replaced("Time: 0.5", &format!("Time: {bad}"));
        assert!(time.starts_with(&begins(9)), "{time}");
        let row = rows(&["1 2", &format!("1 {bad}")]);
        assert!(row.starts_with(&begins(11)), "{row}");
    }
    for bad in ["1.5,2.5", "1,2,3", "1,000.5", ","] {
        let expected =
            format!("line 10: found \"{bad}\", {finite} without a comma; numbers are separated by spaces");
        assert_eq!(rows(&[&format!("{bad} 2")]), expected);
    }
}

#[test]
fn a_file_of_another_format_is_named() {
    let expected = "expected BVH, which begins with HIERARCHY";
    assert_eq!(error("; FBX 7.7.0 project file"), format!("found FBX (text), {expected}"));
    assert_eq!(error("{\"asset\": {}}"), format!("found glTF, {expected}"));
    assert_eq!(error("glTF\u{2}"), format!("found GLB, {expected}"));
}

#[test]
fn more_numbers_than_are_allowed() {
    let options = ImportOptions { max_numbers: 3, ..ImportOptions::default() };
    let read =
        |rows: &[&str]| import_slice_with(one("Xrotation Yrotation", rows).as_bytes(), "clip", &options);
    assert!(read(&["1 2"]).is_ok());
    let said = read(&["1 2", "3 4"]).unwrap_err().to_string();
    assert_eq!(said, "line 11: found 4 numbers in all up to here, expected at most 3 (`max_numbers`)");
}

#[test]
fn rows_that_do_not_fit() {
    let expected = "expected 2, one a channel";
    assert_eq!(rows(&["1 2", "1"]), format!("line 11: found 1 numbers in row 1, {expected}"));
    assert_eq!(rows(&["1 2", "", "1 2 3 4"]), format!("line 12: found 4 numbers in row 1, {expected}"));
    let none = error(&one("", &["1"]));
    assert_eq!(none, "line 10: found 1 numbers in row 0, expected 0, one a channel");
    for bad in ["nan", "INF", "-infinity", "1e39", "1.#IND", "MOTION"] {
        let expected = format!("line 11: found \"{bad}\", expected a finite number in the range of 32 bits");
        assert_eq!(rows(&["1 2", &format!("1 {bad}")]), expected);
    }
}
