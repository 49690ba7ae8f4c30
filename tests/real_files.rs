//! The folder of real files that some tests need. Test binaries include this module by its path.

use std::io::Write;
use std::path::PathBuf;

/// Returns the folder that `THRONG_ASSETS` names. Without it, writes to standard error that the
/// calling test skips the real files.
///
/// The test harness shows what `println!` and `eprintln!` print only if the test fails, and a
/// skipped test passes. So the line is written to the stream itself.
pub(crate) fn assets() -> Option<PathBuf> {
    let folder = std::env::var_os("THRONG_ASSETS").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("of an unnamed thread");
        let line = format!("test {test} ... SKIPPED on real files: THRONG_ASSETS is not set\n");
        // A closed stream is no reason to fail: the line has no reader then.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    folder.map(PathBuf::from)
}
