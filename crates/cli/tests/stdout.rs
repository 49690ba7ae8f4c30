//! Where stdout leads nowhere.
#![cfg(unix)]

use crate::common;

use std::io::Read;
use std::process::{Command, Output, Stdio};

use common::marcher;

/// A shell runs the command, whose arguments and redirection stand in `words`; `$0` is the command, `$1` the file.
fn shell(words: &str) -> Output {
    Command::new("sh")
        .args(["-c", words, env!("CARGO_BIN_EXE_throng")])
        .arg(marcher())
        .output()
        .expect("there is a shell")
}

#[test]
fn a_closed_stdout_is_an_error() {
    for words in ["pose \"$1\" --clip walk --time 0", "info \"$1\"", "info --json \"$1\""] {
        let run = shell(&format!("\"$0\" {words} >&-"));
        assert_eq!(run.status.code(), Some(1), "{words}");
        let error = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(error.starts_with("error: stdout: it is closed"), "{error}");
    }
}

#[test]
fn stdout_that_is_not_wanted_is_none() {
    for redirection in [">/dev/null", "1<>/dev/null", "<&- >/dev/null"] {
        let run = shell(&format!("\"$0\" info \"$1\" {redirection}"));
        assert!(run.status.success(), "{redirection}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(["pose", "--clip", "walk", "--time", "0"])
        .arg(marcher())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let mut told = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut told).expect("text");
    assert_eq!((child.wait().expect("it ends").code(), told.as_str()), (Some(0), ""));
}
