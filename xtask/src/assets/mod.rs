//! `cargo xtask assets`: writes the project's own character to `assets/marcher.glb`, or checks it.
//!
//! [`bones`] is the table that [`skeleton`] turns into a bind pose. [`mesh`] lays tubes around it. [`pose`] and
//! [`gait`] are what [`clips`] are made with. [`glb`] writes all three; [`rounding`] makes the bytes the same
//! on every machine.

mod bones;
mod clips;
mod gait;
mod glb;
mod mesh;
mod pose;
mod rounding;
mod skeleton;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use comfy_table::{Table, presets};
use skeleton::Skeleton;

/// Why the character could not be written or checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssetsError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot describe the character as JSON: {source}")]
    Describe { source: gltf_json::Error },
    #[error(
        "{} differs from what the generator makes, first at byte {at} ({found} bytes found, {expected} expected): \
         run `cargo xtask assets` and commit the file",
        path.display()
    )]
    Stale { path: PathBuf, at: usize, found: usize, expected: usize },
}

/// Where the character lies in the repository.
pub(crate) fn marcher_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("assets").join("marcher.glb")
}

/// A character as made, before it is written.
struct Character {
    bytes: Vec<u8>,
    summary: Table,
}

/// Writes the character to `path` and says on standard output what is in it.
pub(crate) fn write(path: &Path) -> Result<(), AssetsError> {
    let character = make()?;
    replace(path, &character.bytes).map_err(|source| AssetsError::Write { path: path.to_owned(), source })?;
    println!("{}\nwrote {} ({} bytes)", character.summary, path.display(), character.bytes.len());
    Ok(())
}

/// Fails unless the file at `path` is byte for byte what [`write()`] would write.
pub(crate) fn check(path: &Path) -> Result<(), AssetsError> {
    let expected = make()?.bytes;
    let found = std::fs::read(path).map_err(|source| AssetsError::Read { path: path.to_owned(), source })?;
    if found == expected {
        return Ok(());
    }
    let same = found.iter().zip(&expected).take_while(|(a, b)| a == b).count();
    Err(AssetsError::Stale { path: path.to_owned(), at: same, found: found.len(), expected: expected.len() })
}

fn make() -> Result<Character, AssetsError> {
    let skeleton = Skeleton::new();
    let mesh = mesh::build(&skeleton);
    let clips = clips::all(&skeleton);
    let bytes = glb::write(&skeleton, &mesh, &clips).map_err(|source| AssetsError::Describe { source })?;
    let mut summary = Table::new();
    summary.load_style(presets::NOTHING);
    summary.add_row(["joints".to_owned(), skeleton.joints.len().to_string()]);
    summary.add_row(["vertices".to_owned(), mesh.positions.len().to_string()]);
    summary.add_row(["triangles".to_owned(), mesh.triangles.len().to_string()]);
    for clip in &clips {
        let seconds =
            clip.tracks.iter().filter_map(|track| track.times.last()).fold(0.0_f32, |a, &b| a.max(b));
        let keys: usize = clip.tracks.iter().map(|track| track.times.len()).sum();
        summary.add_row([
            format!("clip {}", clip.name),
            format!("{seconds} s, {} Hz, {} tracks, {keys} keys", clip.rate, clip.tracks.len()),
        ]);
    }
    Ok(Character { bytes, summary })
}

/// Writes beside the file and renames, so that nobody ever reads half of it.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_file_is_what_the_generator_makes() {
        check(&marcher_path()).unwrap();
    }

    #[test]
    fn two_runs_write_the_same_bytes() {
        assert!(make().unwrap().bytes == make().unwrap().bytes);
    }

    #[test]
    fn check_names_the_first_byte_that_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("marcher.glb");
        write(&path).unwrap();
        check(&path).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[1000] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(check(&path), Err(AssetsError::Stale { at: 1000, .. })));
    }
}
