//! Small files for the tests.
#![allow(dead_code, reason = "each test uses its part")]

use throng_bvh::{Import, import_slice};

pub(crate) fn import(text: &str) -> Import {
    import_slice(text.as_bytes(), "clip").unwrap_or_else(|e| panic!("{e}"))
}

/// The line that tells what is wrong.
pub(crate) fn error(text: &str) -> String {
    let error = import_slice(text.as_bytes(), "clip").expect_err(text).to_string();
    assert!(!error.contains('\n'), "one line: {error}");
    error
}

/// The lines of the report.
pub(crate) fn report(import: &Import) -> Vec<String> {
    import.report.lines().iter().map(ToString::to_string).collect()
}

/// A file of one joint with these channels and rows, half a second apart. The rows begin on line 10.
pub(crate) fn one(channels: &str, rows: &[&str]) -> String {
    let (count, frames) = (channels.split_whitespace().count(), rows.len());
    format!(
        "HIERARCHY\nROOT hips\n{{\nOFFSET 1 2 3\nCHANNELS {count} {channels}\n}}\nMOTION\n\
         Frames: {frames}\nFrame Time: 0.5\n{}\n",
        rows.join("\n")
    )
}

/// A bit of everything that is read.
pub(crate) const EVERYTHING: &str = "\
# made by hand
HIERARCHY
ROOT hips
{
\tOFFSET 0.0 1e0 -.5
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT left leg
\t{
\t\tOFFSET 0.5 -1 0
\t\tCHANNELS 3 Xrotation Yrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -1 0
\t\t}
\t}
\tJOINT spine
\t{
\t\tOFFSET 0 1 0
\t\tCHANNELS 2 Zrotation yPosition
\t}
}
ROOT prop { OFFSET 3 0 0 CHANNELS 0 End Site { OFFSET 1 1 1 } }
MOTION
Frames: 3
Frame Time: .04

0 1 0 10 20 30 1 2 3 90 1.5
1 1 1 11 21 31 2 3 4 180 1.25
2 1 2 12 22 32 3 4 5 270 1
";
