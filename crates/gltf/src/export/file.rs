//! Bytes into a file, all or none.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::ExportError;

/// Writes a file: to a temporary one beside it first, so that there is never half a file.
///
/// A new file has the permissions that the system gives new files, one that was there keeps its own. A link stays, and what
/// it leads to is written.
///
/// # Errors
/// [`ExportError::Write`], whatever the file system says; and if something stands in the file's place that is no plain file
/// (a folder, a device, a pipe), or may not be written.
pub fn write(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), ExportError> {
    let path = path.as_ref();
    replace(path, bytes).map_err(|source| ExportError::Write { path: path.to_owned(), source })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (path, before) = match fs::symlink_metadata(path) {
        // Where a link leads to, and an error if that is nothing.
        Ok(_) => (fs::canonicalize(path)?, Some(fs::metadata(path)?)),
        Err(error) if error.kind() == ErrorKind::NotFound => (PathBuf::from(path), None),
        Err(error) => return Err(error),
    };
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "no plain file"));
    }
    if before.as_ref().is_some_and(|before| before.permissions().readonly()) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file there is read-only"));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    // Without the name of a temporary file that nobody asked for.
    let mut file = builder().tempfile_in(folder).map_err(|e| io::Error::from(e.kind()))?;
    file.write_all(bytes)?;
    if let Some(before) = before {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|e| e.error)?;
    Ok(())
}

/// For files that everyone may read whom the system lets, not only their owner, as is fit for files that are only temporary.
fn builder() -> tempfile::Builder<'static, 'static> {
    #[allow(unused_mut, reason = "only Unix knows such permissions")]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}
