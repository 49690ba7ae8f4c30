//! The format of a file, from its content.

use super::{Format, Report, decode_text};

/// How much of a text is looked at.
const HEAD: usize = 1 << 20;

/// Formats that are not read, by bytes at an offset.
const MAGIC: [(usize, &[u8], &str); 44] = [
    (0, b"Kaydara FBX Binary", "FBX (binary)"),
    (0, b"BLENDER", "a Blender file"),
    (0, b"PXR-USDC", "USD (binary)"),
    (0, b"ozz-", "an ozz archive"),
    (1, b"ozz-", "an ozz archive"),
    (0, b"Ogawa", "Alembic"),
    (0, b"\x89HDF", "HDF5, such as Alembic"),
    (0, b"FOR4", "an IFF file, such as Maya binary"),
    (0, b"FOR8", "an IFF file, such as Maya binary"),
    (0, b"FORM", "an IFF file, such as LightWave"),
    (0, b"xof 03", "a DirectX .x file"),
    (0, b"QC4DC4D6", "a Cinema 4D file"),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an OLE document, such as a 3ds Max scene"),
    (0, b"PMX ", "MikuMikuDance PMX"),
    (0, b"Pmd", "MikuMikuDance PMD"),
    (0, b"Vocaloid Motion Data", "MikuMikuDance motion (VMD)"),
    (0, b"INTERQUAKEMODEL", "an IQM model"),
    (0, b"IDP2", "a Quake 2 model"),
    (0, b"IDP3", "a Quake 3 model"),
    (0, b"IDST", "a GoldSrc or Source model"),
    (0, b"Draco", "a bare Draco mesh"),
    (0, b"RSRC", "a Godot resource"),
    (0, b"\xC1\x83\x2A\x9E", "an Unreal asset"),
    (0, b"UnityFS", "a Unity asset bundle"),
    (0, b"\x89PNG", "a PNG picture"),
    (0, b"\xFF\xD8\xFF", "a JPEG picture"),
    (0, b"GIF8", "a GIF picture"),
    (8, b"WEBP", "a WebP picture"),
    (0, b"DDS ", "a DDS texture"),
    (0, b"\xABKTX ", "a KTX texture"),
    (0, b"8BPS", "a Photoshop file"),
    (0, b"\x76\x2F\x31\x01", "an OpenEXR picture"),
    (4, b"ftyp", "a video or audio file"),
    (0, b"OggS", "an Ogg file"),
    (8, b"WAVE", "a WAVE file"),
    (0, b"%PDF", "a PDF document"),
    (0, b"\x1F\x8B", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xFD7zXZ", "an xz archive"),
    (0, b"\x28\xB5\x2F\xFD", "Zstandard data, as Blender files are compressed"),
    (0, b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (0, b"Rar!", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"version https://git-lfs", "a Git LFS pointer, not the file itself (`git lfs pull` fetches it)"),
];

/// Formats that are not read, by the beginning of a text, in lower case.
const TEXT: [(&str, &str); 28] = [
    ("; fbx", "FBX (text)"),
    ("//maya", "Maya text"),
    ("#usda", "USD (text)"),
    ("#vrml", "VRML"),
    ("#x3d", "X3D"),
    ("<!doctype html", "a web page (HTML)"),
    ("<html", "a web page (HTML)"),
    ("<svg", "an SVG picture"),
    ("<collada", "COLLADA"),
    ("<x3d", "X3D"),
    ("<mesh", "an OGRE mesh"),
    ("<skeleton", "an OGRE skeleton"),
    ("md5version", "Doom 3 MD5"),
    ("# inter-quake", "an IQE model"),
    ("%yaml", "YAML, such as a Unity scene"),
    ("[gd_", "a Godot scene or resource"),
    ("[remap]", "a Godot import file"),
    ("fileformatversion", "a Unity meta file"),
    ("ply\n", "PLY"),
    ("ply\r", "PLY"),
    ("solid ", "STL"),
    ("version 1\nnodes", "Source SMD"),
    ("pathfiletype", "TRC motion capture"),
    (":version", "Acclaim ASF"),
    (":fully-specified", "Acclaim AMC"),
    ("/annex/objects/", "a git-annex pointer, not the file itself"),
    (".git/annex/", "a git-annex pointer, not the file itself"),
    ("mtllib", "Wavefront OBJ"),
];

/// First words of a Wavefront OBJ file.
const OBJ: [&str; 8] = ["v", "vn", "vt", "o", "g", "mtllib", "usemtl", "vp"];

/// What a file is, as far as its content shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// A format that is read.
    Known(Format),
    /// A format that is not read: its name, for messages.
    Foreign(&'static str),
    /// No format that is known here.
    Unknown,
}

impl Content {
    /// Detects the format of a file from its content. Only the beginning of the file is needed; names
    /// play no part.
    ///
    /// ```
    /// use throng_tracks::import::{Content, Format};
    /// assert_eq!(Content::of(b"glTF\x02\0\0\0"), Content::Known(Format::Glb));
    /// assert_eq!(Content::of(b" {\"asset\": {}}"), Content::Known(Format::Gltf));
    /// assert_eq!(Content::of(b"# walk\r\nHIERARCHY\r\nROOT hips"), Content::Known(Format::Bvh));
    /// assert_eq!(Content::of(b"Kaydara FBX Binary  \0"), Content::Foreign("FBX (binary)"));
    /// assert_eq!(Content::of(b"hello"), Content::Unknown);
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(HEAD)];
        if bytes.is_empty() {
            return Self::Foreign("an empty file");
        }
        if bytes.starts_with(b"glTF") {
            return Self::Known(Format::Glb);
        }
        let text = decode_text(bytes, &mut Report::default());
        if first_word(&text).eq_ignore_ascii_case("HIERARCHY") {
            return Self::Known(Format::Bvh);
        }
        match archive(bytes).or_else(|| magic(bytes)) {
            Some(name) => Self::Foreign(name),
            None => of_text(&text),
        }
    }
}

fn magic(bytes: &[u8]) -> Option<&'static str> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Some("nothing but zero bytes");
    }
    let is_at = |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|b| b.starts_with(magic));
    MAGIC.iter().find(|(offset, magic, _)| is_at(*offset, magic)).map(|(.., name)| *name)
}

/// The name of a zip archive, which is USD if its first file is: the name of that file is at byte 30.
fn archive(bytes: &[u8]) -> Option<&'static str> {
    if !bytes.starts_with(b"PK\x03\x04") && !bytes.starts_with(b"PK\x05\x06") {
        return None;
    }
    let length = bytes.get(26..28).map_or(0, |b| usize::from(u16::from_le_bytes([b[0], b[1]])));
    let first = bytes.get(30..).map_or(&[][..], |rest| &rest[..length.min(rest.len())]);
    let is_usd = [&b".usdc"[..], b".usda", b".usd"].iter().any(|end| first.ends_with(end));
    Some(if is_usd { "a USDZ archive" } else { "a zip archive" })
}

/// The first line that is neither blank nor a comment, which comes first in files of several formats.
fn first_line(text: &str) -> &str {
    let is_comment = |line: &&str| line.is_empty() || line.starts_with('#') || line.starts_with("//");
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    lines.find(|line| !is_comment(line)).unwrap_or_default()
}

fn first_word(text: &str) -> &str {
    let end = |c: char| c.is_whitespace() || c == '{' || c == '}';
    first_line(text).split(end).next().unwrap_or_default()
}

fn of_text(text: &str) -> Content {
    let start = text.trim_start();
    if start.starts_with('{') {
        return Content::Known(Format::Gltf);
    }
    let known = foreign_start(start).or_else(|| foreign_start(first_line(text)));
    if let Some(name) = known {
        return Content::Foreign(name);
    }
    if OBJ.contains(&first_word(text)) {
        return Content::Foreign("Wavefront OBJ");
    }
    if start.starts_with("<?xml") || start.starts_with("<!--") {
        return Content::Foreign(xml(start));
    }
    Content::Unknown
}

fn foreign_start(text: &str) -> Option<&'static str> {
    let begins = |start: &str| {
        let head = text.get(..start.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    TEXT.iter().find(|(start, _)| begins(start)).map(|(_, name)| *name)
}

/// The name of an XML document, from the first element that is known.
fn xml(text: &str) -> &'static str {
    let mut elements = text.match_indices('<').map(|(at, _)| &text[at..]);
    elements.find_map(foreign_start).unwrap_or("an XML document")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_are_read_are_known_whatever_comes_first() {
        let bvh = [
            "HIERARCHY\nROOT a",
            "\n\n  hierarchy",
            "# by hand\n// twice\r\rHIERARCHY",
            "\u{feff}HIERARCHY{",
        ];
        for text in bvh {
            assert_eq!(Content::of(text.as_bytes()), Content::Known(Format::Bvh), "{text:?}");
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!(Content::of(&wide), Content::Known(Format::Bvh), "{text:?} in UTF-16");
        }
        for text in ["{}", "\u{feff}{\"asset\"", "\r\n\t {"] {
            assert_eq!(Content::of(text.as_bytes()), Content::Known(Format::Gltf), "{text:?}");
        }
        assert_eq!(Content::of(b"glTF"), Content::Known(Format::Glb));
    }

    #[test]
    fn other_formats_are_named() {
        let usdz = [&b"PK\x03\x04"[..], &[0; 22], &[9, 0, 0, 0], b"walk.usdc", b"PXR-USDC"].concat();
        let zip = [&b"PK\x03\x04"[..], &[0; 22], &[9, 0, 0, 0], b"walk.gltf", b"{}"].concat();
        let cases: [(&[u8], &str); 16] = [
            (b"", "an empty file"),
            (&[0; 64], "nothing but zero bytes"),
            (&usdz, "a USDZ archive"),
            (&zip, "a zip archive"),
            (b"PK\x03\x04", "a zip archive"),
            (b"\x01ozz-animation\0", "an ozz archive"),
            (b"; FBX 7.4.0 project file", "FBX (text)"),
            (b"\n<!DOCTYPE html><html>{}", "a web page (HTML)"),
            (b"<?xml version=\"1.0\"?>\n<!-- c -->\n<COLLADA xmlns", "COLLADA"),
            (b"<?xml version=\"1.0\"?><note>", "an XML document"),
            (b"# Blender\n# www\nmtllib a.mtl\nv 0 0 0", "Wavefront OBJ"),
            (b"# comment\r\nv 0 0 0", "Wavefront OBJ"),
            (b"# AST/ASF file\n:version 1.10\n", "Acclaim ASF"),
            (b"//Maya ASCII 2020 scene\n", "Maya text"),
            (b"\x1F\x8B\x08\0", "a gzip archive"),
            (b"\x89PNG\r\n\x1A\n", "a PNG picture"),
        ];
        for (bytes, name) in cases {
            assert_eq!(Content::of(bytes), Content::Foreign(name), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn what_is_nothing_known_is_unknown() {
        for bytes in [
            &b"hello"[..],
            b"\xFF",
            b"HIERARCHYS",
            b"# only a comment",
            b"1 2 3",
            b"[1]",
            b"PK",
            "é<".as_bytes(),
        ] {
            assert_eq!(Content::of(bytes), Content::Unknown, "{}", bytes.escape_ascii());
        }
    }
}
