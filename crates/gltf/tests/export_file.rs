//! Where a file is written to, and what is in the way.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

use throng_gltf::export::write;

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_is_no_plain_file_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let link = folder.path().join("link");
    symlink(&pipe, &link).unwrap();
    for path in [&pipe, &link, &folder.path().to_owned()] {
        let error = write(path, b"bytes").unwrap_err().to_string();
        assert_eq!(error, format!("cannot write {}: no plain file", path.display()));
    }
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("deep").join("file"), folder.path().join("link"));
    fs::create_dir(folder.path().join("deep")).unwrap();
    fs::write(&file, "before").unwrap();
    symlink("deep/file", &link).unwrap();
    write(&link, b"after").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"after");
    fs::remove_file(&file).unwrap();
    assert!(write(&link, b"nowhere").unwrap_err().to_string().contains("link: No such file"));
}

#[test]
fn permissions_are_those_of_new_files_or_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (new, ours) = (folder.path().join("new"), folder.path().join("ours"));
    // What the system gives, whatever the mask is.
    fs::write(folder.path().join("any"), "").unwrap();
    write(&new, b"").unwrap();
    assert_eq!(mode(&new), mode(&folder.path().join("any")));
    fs::write(&ours, "").unwrap();
    fs::set_permissions(&ours, Permissions::from_mode(0o640)).unwrap();
    write(&ours, b"after").unwrap();
    assert_eq!((mode(&ours), fs::read(&ours).unwrap()), (0o640, b"after".to_vec()));
    fs::set_permissions(&ours, Permissions::from_mode(0o440)).unwrap();
    let error = write(&ours, b"again").unwrap_err().to_string();
    assert!(error.ends_with("ours: the file there is read-only"), "{error}");
    assert_eq!(fs::read(&ours).unwrap(), b"after");
}

#[test]
fn no_temporary_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere").join("out.glb");
    let error = write(&path, b"").unwrap_err().to_string();
    assert_eq!(error, format!("cannot write {}: No such file or directory (os error 2)", path.display()));
}
