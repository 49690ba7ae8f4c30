//! The bytes of a file.

use std::io;
use std::path::Path;

/// Returns the content of a plain file.
///
/// # Errors
/// That of the system. A folder, a device or a pipe is an error and is not opened: a device or a pipe
/// may never end.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no plain file"));
    }
    std::fs::read(path)
}
