//! Each rule of the import about containers, buffers and accessors, on a small document that needs it.

use crate::common;

use common::tiny::{Tiny, lines};
use serde_json::{Value, json};
use throng_gltf::{Import, ImportOptions, Problem, import, import_slice};

/// A node whose rotation has one key, of these bytes.
fn rotation(bytes: &[u8], component: u32, rest: &[(&str, Value)]) -> Tiny {
    let mut tiny = Tiny::new(json!([{}]));
    let input = tiny.floats("SCALAR", &[0.0]);
    let view = tiny.view(bytes);
    let mut accessor = json!({ "bufferView": view, "componentType": component, "type": "VEC4", "count": 1 });
    rest.iter().for_each(|(key, value)| accessor[*key] = value.clone());
    let output = tiny.accessor(accessor);
    tiny.channel(0, "rotation", input, output);
    tiny
}

/// A node whose scale has these keys' values, by accessor 1, with times of zero.
fn scales(accessor: Value, count: usize) -> Tiny {
    let mut tiny = Tiny::new(json!([{}]));
    let input = tiny
        .accessor(json!({ "componentType": 5126, "type": "SCALAR", "count": count, "min": [0], "max": [0] }));
    let output = tiny.accessor(accessor);
    tiny.channel(0, "scale", input, output);
    tiny
}

fn values(import: &Import) -> &[f32] {
    import.clips[0].tracks()[0].track().values()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn normalised_integers_become_fractions() {
    let half = 0.5f32.sqrt();
    let shorts: Vec<u8> = [0i16, -32768, 0, 32767].iter().flat_map(|v| v.to_le_bytes()).collect();
    let words: Vec<u8> = [0u16, 65535, 0, 65535].iter().flat_map(|v| v.to_le_bytes()).collect();
    for (bytes, component, expected) in [
        (vec![0, 0x80, 0, 127], 5120, [0.0, -half, 0.0, half]),
        (vec![0, 255, 0, 255], 5121, [0.0, half, 0.0, half]),
        (shorts, 5122, [0.0, -half, 0.0, half]),
        (words, 5123, [0.0, half, 0.0, half]),
    ] {
        let import = rotation(&bytes, component, &[("normalized", json!(true))]).import();
        assert_eq!(values(&import), expected, "{component}");
        assert_eq!(lines(&import).len(), 1, "{component}: the length is the root of 2");
    }
    // What rounding does to a length is undone, and nobody needs to hear of it.
    let import = rotation(&[90, 0xa6, 0, 0], 5120, &[("normalized", json!(true))]).import();
    assert_eq!(values(&import), [half, -half, 0.0, 0.0]);
    assert_eq!(lines(&import), [""; 0]);
    let import = rotation(&[0, 0, 0, 1], 5121, &[]).import();
    assert_eq!(values(&import), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(lines(&import), ["remark: accessors[1]: integers that are not normalised, for rotation"]);
}

#[test]
fn strides_and_offsets_are_kept() {
    let mut tiny = scales(
        json!({ "bufferView": 0, "byteOffset": 4, "componentType": 5126, "type": "VEC3", "count": 2 }),
        2,
    );
    tiny.view(&floats(&[9.0, 1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0]));
    tiny.json["bufferViews"][0]["byteStride"] = json!(16);
    assert_eq!(values(&tiny.import()), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    tiny.json["bufferViews"][0]["byteStride"] = json!(20);
    assert_eq!(tiny.error(), "accessors[1]: found 32 bytes of bufferViews[0], expected 36");
    tiny.json["bufferViews"][0]["byteStride"] = json!(8);
    assert_eq!(
        tiny.error(),
        "bufferViews[0].byteStride: found 8, expected at least the 12 bytes of an element of accessors[1]"
    );
}

#[test]
fn sparse_elements_replace_plain_ones_and_zeros() {
    let sparse = json!({
        "count": 1,
        "indices": { "bufferView": 0, "componentType": 5123 },
        "values": { "bufferView": 1, "byteOffset": 4 }
    });
    let mut tiny = scales(json!({ "componentType": 5126, "type": "VEC3", "count": 2, "sparse": sparse }), 2);
    tiny.view(&[1, 0]);
    tiny.view(&floats(&[9.0, 1.0, 2.0, 3.0]));
    assert_eq!(values(&tiny.import()), [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let base = tiny.view(&floats(&[7.0; 6]));
    tiny.json["accessors"][1]["bufferView"] = json!(base);
    assert_eq!(values(&tiny.import()), [7.0, 7.0, 7.0, 1.0, 2.0, 3.0]);

    let sparse = |path: &str, value: Value| {
        let mut broken = Tiny { json: tiny.json.clone(), bytes: tiny.bytes.clone() };
        *broken.json.pointer_mut(&format!("/accessors/1/sparse/{path}")).unwrap() = value;
        broken
    };
    assert_eq!(
        sparse("indices/bufferView", json!(9)).error(),
        "accessors[1].sparse.indices.bufferView: found 9, expected an index into bufferViews of length 3"
    );
    assert!(sparse("indices/componentType", json!(5126)).error().contains("expected an unsigned type"));
    assert!(sparse("count", json!(3)).error().contains("expected at most the accessor's count, 2"));
    tiny.bytes[0] = 2;
    assert_eq!(
        tiny.error(),
        "accessors[1].sparse.indices: found 2 at 0, expected an index below the accessor's count, 2"
    );
}

#[test]
fn huge_counts_are_refused_before_memory_is_taken() {
    for count in [json!(u64::MAX), json!(1u64 << 62), json!(4_000_000_000u64)] {
        let mut tiny = rotation(&[0; 16], 5126, &[]);
        tiny.json["accessors"][0]["count"] = count.clone();
        assert!(matches!(*tiny.try_import().unwrap_err().problem, Problem::Bounds { .. }));
        let view = tiny.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        assert_eq!(view, Some(json!(0)));
        assert!(matches!(*tiny.try_import().unwrap_err().problem, Problem::TooMuch { .. }));
    }
    let mut tiny = rotation(&[0; 16], 5126, &[]);
    tiny.json["bufferViews"][1]["byteOffset"] = json!(u64::MAX);
    assert!(
        tiny.error()
            .starts_with("bufferViews[1]: found 20 bytes of buffers[0], expected 18446744073709551615")
    );
    let options = ImportOptions { max_numbers: 4, ..ImportOptions::default() };
    let error = rotation(&floats(&[0.0, 0.0, 0.0, 1.0]), 5126, &[]).import_with(&options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "accessors[1]: found 5 numbers in all up to here, expected at most 4 (`max_numbers`)"
    );
}

fn plain() -> Tiny {
    rotation(&floats(&[0.0, 0.0, 0.0, 1.0]), 5126, &[])
}

#[test]
fn buffers_come_from_data_uris() {
    let buffer = |uri: &str, length: usize| {
        let mut tiny = plain();
        tiny.json["buffers"] = json!([{ "byteLength": length, "uri": uri }]);
        tiny
    };
    let good = "AAAAAAAAAAAAAAAAAAAAAAAAgD8";
    for uri in [
        format!("data:application/octet-stream;base64,{good}"),
        format!("data:;base64,{good}="),
        format!("DATA:x/y;charset=z;BASE64,{good}%3D"),
        format!("data:x/y;base64,AAAA\n{}", &good[4..]),
        format!("data:x/y,{}%80%3F", "%00".repeat(18)),
    ] {
        let import = buffer(&uri, 20).import();
        assert_eq!(values(&import), [0.0, 0.0, 0.0, 1.0], "{uri}");
        assert!(import.report.is_empty(), "{uri}");
    }
    assert!(
        lines(&buffer(&format!("data:;base64,{good}"), 24).import())[0].contains("buffers[0].byteLength")
    );
    assert!(
        buffer("data:;base64,*", 20)
            .error()
            .starts_with("buffers[0].uri: found a data URI that is no base64")
    );
    assert!(buffer("data:;base64", 20).error().contains("without a comma"));
    assert!(
        buffer("a.bin", 20)
            .error()
            .starts_with("buffers[0].uri: found URI \"a.bin\", expected a data URI or")
    );
}

#[test]
fn buffers_come_from_files_in_the_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("box.gltf");
    let mut tiny = plain();
    std::fs::create_dir(folder.path().join("my data")).unwrap();
    std::fs::write(folder.path().join("my data/box.bin"), &tiny.bytes).unwrap();
    let mut outcome = |uri: &str| {
        tiny.json["buffers"] = json!([{ "byteLength": 20, "uri": uri }]);
        std::fs::write(&file, tiny.json.to_string()).unwrap();
        import(&file)
    };
    assert_eq!(values(&outcome("my%20data/box.bin").unwrap()), [0.0, 0.0, 0.0, 1.0]);
    for (uri, expected) in [
        ("../box.bin", "a path inside the file's folder"),
        ("my data", "the URI of a plain file"),
        ("none.bin", "a file that can be read"),
        ("http://example.com/box.bin", "a path inside the file's folder"),
    ] {
        let error = outcome(uri).unwrap_err();
        assert_eq!(error.file.as_deref(), Some(file.as_path()));
        let text = error.to_string();
        assert!(text.contains("box.gltf: buffers[0].uri: found URI") && text.contains(expected), "{text}");
    }
    let error = import(folder.path().join("none.glb")).unwrap_err().to_string();
    assert!(error.contains("none.glb: can't be read"), "{error}");
}

#[test]
fn what_is_no_plain_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let error = import(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: can't be read: no plain file", folder.path().display()));
    #[cfg(unix)]
    for endless in ["/dev/null", "/dev/zero"] {
        let error = import(endless).unwrap_err();
        assert!(matches!(*error.problem, Problem::Read { .. }), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn links_stay_in_the_folder() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut tiny = plain();
    tiny.json["buffers"] = json!([{ "byteLength": 20, "uri": "link.bin" }]);
    let (file, link) = (folder.path().join("box.gltf"), folder.path().join("link.bin"));
    std::fs::write(&file, tiny.json.to_string()).unwrap();
    std::fs::write(folder.path().join("box.bin"), &tiny.bytes).unwrap();
    std::fs::write(outside.path().join("box.bin"), &tiny.bytes).unwrap();

    symlink("box.bin", &link).unwrap();
    assert_eq!(values(&import(&file).unwrap()), [0.0, 0.0, 0.0, 1.0]);
    // A folder that is reached by a link is a folder like any other.
    let way_in = outside.path().join("in");
    symlink(folder.path(), &way_in).unwrap();
    assert_eq!(values(&import(way_in.join("box.gltf")).unwrap()), [0.0, 0.0, 0.0, 1.0]);

    std::fs::remove_file(&link).unwrap();
    symlink(outside.path().join("box.bin"), &link).unwrap();
    let error = import(&file).unwrap_err().to_string();
    assert!(
        error.contains("found URI \"link.bin\", a link out of the file's folder, expected a path"),
        "{error}"
    );
}

#[test]
fn only_buffers_that_are_needed_must_be_there() {
    let mut tiny = plain();
    tiny.json["buffers"] = json!([{ "byteLength": 20 }]);
    assert_eq!(tiny.error(), "buffers[0]: found no URI and no binary chunk, expected bytes");
    tiny.json.as_object_mut().unwrap().remove("animations");
    tiny.import();
}

/// Adds to the length that the header of a `.glb` tells.
fn lengthen(glb: &mut [u8], by: u32) {
    let length = u32::from_le_bytes(glb[8..12].try_into().unwrap());
    glb[8..12].copy_from_slice(&(length + by).to_le_bytes());
}

#[test]
fn faults_of_the_frame_that_leave_the_content_are_reported() {
    let good = plain().glb();
    assert!(import_slice(&good, None).unwrap().report.is_empty());
    let outcome = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut glb = good.clone();
        change(&mut glb);
        import_slice(&glb, None).map(|import| lines(&import).join("|")).map_err(|e| e.to_string())
    };
    let json = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let ok = |line: &str| Ok::<_, String>(line.to_owned());
    assert_eq!(outcome(&|g| g.extend([1, 2, 3])), ok("skip: header: 3 bytes behind the end that it tells"));
    let longer = outcome(&|g| lengthen(g, 1)).unwrap();
    assert!(longer.starts_with("repair: header: it tells"), "{longer}");
    let unknown = outcome(&|g| {
        g.splice(12..12, [4, 0, 0, 0, b'X', b'Y', b'Z', 0, 1, 2, 3, 4]);
        lengthen(g, 12);
    });
    assert_eq!(unknown, ok("skip: chunk 0: a chunk of kind \"XYZ\\x00\""));
    let cut = outcome(&|g| g.truncate(g.len() - 4)).unwrap_err();
    assert_eq!(cut, "bufferViews[1]: found 16 bytes of buffers[0], expected 20");
    let cut = outcome(&|g| g.truncate(20 + json - 1)).unwrap_err();
    assert!(cut.starts_with("chunk 0: found"), "{cut}");
    assert_eq!(
        outcome(&|g| g[4] = 1).unwrap_err(),
        "header: found binary glTF version 1, expected version 2"
    );
    assert_eq!(
        outcome(&|g| g.truncate(11)).unwrap_err(),
        "header: found 11 bytes, expected 12 bytes or more"
    );
    assert_eq!(
        outcome(&|g| g[16] = b'j').unwrap_err(),
        "header: found 2 chunks, none of JSON, expected a JSON chunk"
    );
}

#[test]
fn text_is_taken_as_viewers_take_it() {
    let good = plain().gltf();
    let with = |front: &[u8], back: &[u8]| {
        let import = import_slice(&[front, &good, back].concat(), None);
        import.map(|import| lines(&import).join("|")).map_err(|e| e.to_string())
    };
    assert_eq!(with(b"", b"\n ").as_deref(), Ok(""));
    assert_eq!(
        with(b"\xEF\xBB\xBF", b"").as_deref(),
        Ok("repair: a byte order mark ahead of the JSON; passed over")
    );
    assert_eq!(with(b"", b"\0\0").as_deref(), Ok("repair: zero bytes behind the JSON; passed over"));
    assert!(with(b"[", b"").unwrap_err().starts_with("line 1, column "));
    assert_eq!(
        import_slice(b"", None).unwrap_err().to_string(),
        "JSON: found nothing, expected glTF JSON or binary glTF"
    );
    let latin = String::from_utf8(good.clone()).unwrap().replacen("{", "{\"extras\":\"?\",", 1).into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|b| if b == b'?' { 0xE4 } else { b }).collect();
    assert!(lines(&import_slice(&latin, None).unwrap())[0].contains("not all UTF-8"));
    let deep = [b"[".repeat(1_000_000), b"]".repeat(1_000_000)].concat();
    assert!(import_slice(&deep, None).unwrap_err().to_string().contains("recursion limit"));
}
