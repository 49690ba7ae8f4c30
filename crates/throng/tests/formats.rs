//! Files of every format, by their content alone.

use std::path::{Path, PathBuf};

use throng::{Asset, AssetError, Format, Problem, import, import_slice};

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");

const BVH: &str = "# by hand\nHIERARCHY\nROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\nMOTION\n\
                   Frames: 2\nFrame Time: 0.5\n0\n90\n";

const GLTF: &str = r#"{
    "asset": { "version": "2.0" },
    "nodes": [{ "name": "hips", "children": [1] }, { "name": "spine", "translation": [0, 1, 0] }],
    "skins": [{ "joints": [0, 1] }]
}"#;

/// A file of that name and content, in a folder of the test's own: tests run side by side.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().expect("a test runs in a thread of its name");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats").join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn error(name: &str, content: &[u8]) -> String {
    let path = file(name, content);
    let error = import(&path).unwrap_err().to_string();
    let Some(said) = error.strip_prefix(&format!("{}: ", path.display())) else {
        panic!("{error} does not name the file");
    };
    assert!(said.contains("found ") && said.contains(", expected "), "{said}");
    said.to_owned()
}

#[test]
fn the_content_chooses_the_format_and_not_the_name() {
    let glb = std::fs::read(OURS).unwrap();
    for name in ["walk", "walk.txt", "walk.glb", "walk.BVH"] {
        let gltf = import(file(name, GLTF.as_bytes())).unwrap();
        assert_eq!((gltf.format, gltf.skeleton.joint_count()), (Format::Gltf, 2), "{name}");
        assert_eq!(import(file(name, &glb)).unwrap().format, Format::Glb, "{name}");
    }
    let remark = import(file("walk.bvh", GLTF.as_bytes())).unwrap().report.to_string();
    assert!(remark.contains("the content is glTF, although the name of the file says otherwise"), "{remark}");
}

#[test]
#[cfg(feature = "bvh")]
fn motion_capture_is_an_asset_like_any_other() {
    for name in ["walk", "walk.bvh", "walk.glb"] {
        let asset = Asset::load(file(name, BVH.as_bytes())).unwrap();
        assert_eq!((asset.import.format, asset.clip("walk").unwrap()), (Format::Bvh, 0), "{name}");
        assert_eq!(asset.crowd(0).unwrap().plan().palette_entries(), 1);
    }
    assert_eq!(import_slice(BVH.as_bytes(), None).unwrap().clips[0].name(), "motion");
    assert_eq!(import_slice(BVH.as_bytes(), Some(Path::new("a/run.x"))).unwrap().clips[0].name(), "run");
}

#[test]
#[cfg(not(feature = "bvh"))]
fn a_format_that_the_build_leaves_out_names_the_feature() {
    let said = error("walk.bvh", BVH.as_bytes());
    assert_eq!(said, "found BVH, expected a build of throng with the feature `bvh`");
}

#[test]
fn another_format_is_named() {
    let expected = "expected glTF, GLB or BVH";
    let fbx = error("walk.glb", b"Kaydara FBX Binary  \0\x1a\0");
    assert_eq!(fbx, format!("found FBX (binary), {expected}; export it as .glb, for example from Blender"));
    for (content, found) in [
        (&b""[..], "an empty file"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"\n<html><head>", "a web page (HTML)"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"v 1 2 3", "Wavefront OBJ"),
        (b"what \xff", "content that begins with \"what \\xff\""),
    ] {
        assert_eq!(error("walk", content), format!("found {found}, {expected}"));
        assert!(matches!(*import_slice(content, None).unwrap_err().problem, Problem::Format { .. }));
    }
    let version = error("old.gltf", br#"{ "asset": { "version": "1.0" } }"#);
    assert!(version.contains("found version") && version.contains("1.0"), "{version}");
    let broken = error("broken.gltf", b"asset: 2.0");
    assert!(broken.starts_with("line 1, column 1: found no JSON"), "{broken}");
}

#[test]
fn what_is_no_plain_file_is_not_opened_and_errors_keep_their_source() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let error = import(folder).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: can't be read: no plain file", folder.display()));
    let missing = Asset::load(folder.join("none.glb")).unwrap_err();
    assert!(matches!(missing, AssetError::Import(_)));
    let source = std::error::Error::source(&missing).expect("the error of the system");
    let io = source.downcast_ref::<std::io::Error>().expect("an io error");
    assert_eq!(io.kind(), std::io::ErrorKind::NotFound);
}
