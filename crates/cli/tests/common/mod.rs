//! What the tests share: the command as people run it, and where the files are.
#![allow(dead_code, unused_imports, reason = "each test uses its part")]

#[path = "../../../../tests/real_files.rs"]
mod real_files;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

pub(crate) use real_files::assets;

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `throng` with these arguments.
pub(crate) fn throng<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    throng_at_level("", args)
}

/// Runs `throng` where the environment names a level.
pub(crate) fn throng_at_level<S: AsRef<OsStr>>(level: &str, args: impl IntoIterator<Item = S>) -> Run {
    let run = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(args)
        .env("THRONG_LEVEL", level)
        .output()
        .expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: run.status.code(), stdout: text(run.stdout), stderr: text(run.stderr) }
}

/// The words of a command line, and a file at the end.
pub(crate) fn line(words: &str, file: impl Into<PathBuf>) -> Vec<PathBuf> {
    words.split_whitespace().map(PathBuf::from).chain([file.into()]).collect()
}

impl Run {
    /// The one JSON object on stdout of a run without errors.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert_eq!(self.stdout.lines().count(), 1, "one object on one line: {self:?}");
        let value: Value = serde_json::from_str(&self.stdout).expect("stdout is JSON");
        assert!(value.is_object());
        value
    }

    /// The one line on stderr of a run that found bad input.
    pub(crate) fn error(&self) -> &str {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr.lines().count(), 1, "one line: {self:?}");
        self.stderr.trim_end().strip_prefix("error: ").expect("the line says what it is")
    }

    /// What a run says that was used wrongly.
    pub(crate) fn usage_error(&self) -> &str {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "");
        &self.stderr
    }
}

/// The repository's own character.
pub(crate) fn marcher() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "assets", "marcher.glb"].iter().collect()
}

/// The numbers of a JSON list.
pub(crate) fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().unwrap_or_else(|| panic!("{list} is a list"));
    list.iter().map(|v| v.as_f64().unwrap_or_else(|| panic!("{v} is a number"))).collect()
}

/// The largest difference of two lists, which have the same length.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |most, d| if d <= most { most } else { d })
}

/// Bytes within a glTF file.
pub(crate) fn data_uri(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut uri = String::from("data:application/octet-stream;base64,");
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0u32, |n, &b| n << 8 | u32::from(b)) << (8 * (3 - three.len()));
        for digit in 0..4 {
            let six = (number >> (18 - 6 * digit)) as usize & 63;
            uri.push(if digit <= three.len() { char::from(DIGITS[six]) } else { '=' });
        }
    }
    uri
}
