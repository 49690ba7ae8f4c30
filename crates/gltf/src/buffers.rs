//! The bytes behind buffers and buffer views, fetched when they are first needed.
//!
//! Most buffers of a file hold meshes and pictures. One that is missing or broken is no error as long as no skin and no
//! animation needs it.
//!
//! A view that is compressed by meshopt is unpacked, once, and kept. Where that can't be done and the file has the plain
//! data beside it, the plain data is taken.
//!
//! External buffers are read only from the folder of the file and folders below it: what a stranger's file names must
//! not reach other places. Viewers in a browser allow `../`; here it is an error unless the path stays inside, and so is a
//! symbolic link that leads out.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::json::{At, List, quote};
use crate::meshopt::{self, Layout};
use crate::{Problem, Report};

pub(crate) struct Buffers<'a> {
    buffers: List<'a>,
    views: List<'a>,
    loaded: Vec<Option<Cow<'a, [u8]>>>,
    unpacked: Vec<Unpacked>,
    /// Bytes that views were unpacked to.
    taken: usize,
    /// The most that views may be unpacked to.
    limit: usize,
    bin: Option<&'a [u8]>,
    base: Option<&'a Path>,
    /// Whether the file says that compressed views can't be read by any other way.
    must_decompress: bool,
}

/// What became of a compressed view.
enum Unpacked {
    NotYet,
    Bytes(Vec<u8>),
    /// It can't be read, and its plain data was taken.
    Plain,
}

/// What a buffer view shows.
pub(crate) struct View<'v> {
    pub(crate) bytes: &'v [u8],
    /// Bytes from element to element, where the file tells.
    pub(crate) stride: Option<usize>,
}

impl<'a> Buffers<'a> {
    /// Compressed views may come to `max_numbers` times 4 bytes.
    pub(crate) fn new(
        root: At<'a>,
        bin: Option<&'a [u8]>,
        base: Option<&'a Path>,
        max_numbers: usize,
    ) -> Result<Self, Problem> {
        let (buffers, views) = (root.list("buffers")?, root.list("bufferViews")?);
        let required = root.list("extensionsRequired")?;
        let must_decompress =
            required.iter().any(|e| e.text().is_ok_and(|name| meshopt::NAMES.contains(&name)));
        let loaded = vec![None; buffers.len()];
        let unpacked = (0..views.len()).map(|_| Unpacked::NotYet).collect();
        let limit = max_numbers.saturating_mul(4);
        Ok(Self { buffers, views, loaded, unpacked, taken: 0, limit, bin, base, must_decompress })
    }

    /// The bytes of the view that the number at `index` names.
    pub(crate) fn view(&mut self, index: At<'a>, report: &mut Report) -> Result<View<'_>, Problem> {
        let (index, view) = index.index_into(self.views)?;
        let stride = view.whole_or_zero("byteStride")?;
        let stride = (stride > 0).then_some(stride);
        if let (Some(extension), Unpacked::NotYet) = (meshopt::extension(view), &self.unpacked[index]) {
            self.unpacked[index] = match self.unpack(view, extension, report) {
                Ok(bytes) => Unpacked::Bytes(bytes),
                Err(problem) if !self.must_decompress && self.has_data(view) => {
                    let told = format!("can't be unpacked ({problem}); the plain data was taken");
                    report.repair(view.place, told);
                    Unpacked::Plain
                }
                Err(problem) => return Err(problem),
            };
        }
        if !matches!(self.unpacked[index], Unpacked::Bytes(_)) {
            self.fetch(view, report)?;
        }
        let bytes = match &self.unpacked[index] {
            Unpacked::Bytes(bytes) => bytes,
            Unpacked::NotYet | Unpacked::Plain => self.range(view)?,
        };
        Ok(View { bytes, stride })
    }

    /// Unpacks a compressed view.
    fn unpack(&mut self, view: At<'a>, extension: At<'a>, report: &mut Report) -> Result<Vec<u8>, Problem> {
        let layout = Layout::read(extension)?;
        let needed = self.taken.saturating_add(layout.bytes());
        if needed > self.limit {
            let place = extension.place.to_string();
            return Err(Problem::TooMuch { place, needed: needed.div_ceil(4), limit: self.limit / 4 });
        }
        self.fetch(extension, report)?;
        let packed = self.range(extension)?;
        let bytes = meshopt::decode(packed, &layout).map_err(|fault| Problem::Compressed {
            place: extension.place.to_string(),
            found: fault.found,
            expected: fault.expected,
        })?;
        self.taken = needed;
        let told = view.need("byteLength", "a number of bytes")?.whole()?;
        if told != bytes.len() {
            report.repair(
                view.place.key("byteLength"),
                format!("it tells {told} bytes, but the view unpacks to {}; those were taken", bytes.len()),
            );
        }
        Ok(bytes)
    }

    /// Loads the `buffer` that `at` names.
    fn fetch(&mut self, at: At<'a>, report: &mut Report) -> Result<(), Problem> {
        let (index, buffer) = at.need("buffer", "the index of a buffer")?.index_into(self.buffers)?;
        if self.loaded[index].is_none() {
            self.loaded[index] = Some(self.load(index, buffer, report)?);
        }
        Ok(())
    }

    /// The bytes from `byteOffset`, `byteLength` many, of the `buffer` that `at` names and that is loaded.
    fn range(&self, at: At<'a>) -> Result<&[u8], Problem> {
        let (index, buffer) = at.need("buffer", "the index of a buffer")?.index_into(self.buffers)?;
        let offset = at.whole_or_zero("byteOffset")?;
        let length = at.need("byteLength", "a number of bytes")?.whole()?;
        let data = self.loaded[index].as_deref().unwrap_or_default();
        let end = offset.checked_add(length);
        end.and_then(|end| data.get(offset..end)).ok_or_else(|| Problem::Bounds {
            place: at.place.to_string(),
            within: buffer.place.to_string(),
            available: data.len(),
            needed: end.unwrap_or(usize::MAX),
        })
    }

    /// Whether there are bytes to the buffer that a compressed view names for its plain data. Most such buffers are only
    /// there to be named.
    fn has_data(&self, view: At<'a>) -> bool {
        let named = view.get("buffer").and_then(|index| index.index_into(self.buffers).ok());
        named.is_some_and(|(index, buffer)| buffer.get("uri").is_some() || (index == 0 && self.bin.is_some()))
    }

    fn load(&self, index: usize, buffer: At<'a>, report: &mut Report) -> Result<Cow<'a, [u8]>, Problem> {
        let (data, padding): (Cow<'a, [u8]>, usize) = match (buffer.get("uri"), self.bin) {
            (None, Some(bin)) if index == 0 => (bin.into(), 3),
            (None, _) => return Err(bad(buffer, "no URI and no binary chunk", "bytes")),
            (Some(uri), _) => {
                let text = uri.text()?;
                match text.get(..5) {
                    Some(scheme) if scheme.eq_ignore_ascii_case("data:") => {
                        (data_uri(uri, &text[5..])?.into(), 0)
                    }
                    _ => (self.external(uri, text)?.into(), 0),
                }
            }
        };
        let told = buffer.get("byteLength").map(At::whole).transpose()?;
        match told {
            Some(told) if told <= data.len() && data.len() - told <= padding => {}
            Some(told) => report.repair(
                buffer.place.key("byteLength"),
                format!("it tells {told} bytes, but the buffer has {}; those were taken", data.len()),
            ),
            None => report.repair(buffer.place.key("byteLength"), "missing; all bytes were taken"),
        }
        Ok(data)
    }

    fn external(&self, at: At<'a>, uri: &str) -> Result<Vec<u8>, Problem> {
        let named = || format!("URI {}", quote(uri));
        let Some(base) = self.base else {
            return Err(bad(at, named(), "a data URI or the binary chunk (there is no folder to read from)"));
        };
        let Some(path) = inside(uri) else {
            return Err(bad(at, named(), "a data URI, or a path inside the file's folder"));
        };
        let unread = |e| bad(at, format!("{} ({e})", named()), "a file that can be read");
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        // Both without symbolic links, one of which could lead out of the folder.
        let path = base.join(path).canonicalize().map_err(unread)?;
        if !path.starts_with(base.canonicalize().map_err(unread)?) {
            let found = format!("{}, a link out of the file's folder", named());
            return Err(bad(at, found, "a path inside the file's folder"));
        }
        // What is no plain file, such as a pipe, could keep the reader waiting for ever.
        if !path.metadata().map_err(unread)?.is_file() {
            return Err(bad(at, named(), "the URI of a plain file"));
        }
        std::fs::read(path).map_err(unread)
    }
}

fn bad(at: At<'_>, found: impl Into<String>, expected: &'static str) -> Problem {
    Problem::Buffer { place: at.place.to_string(), found: found.into(), expected }
}

/// The path that a relative URI names, if it does not lead out of the folder. Both slashes separate.
fn inside(uri: &str) -> Option<PathBuf> {
    let decoded = percent_decode_str(uri).decode_utf8().ok()?;
    let mut path = PathBuf::new();
    for (i, part) in decoded.split(['/', '\\']).enumerate() {
        match part {
            "" if i == 0 => return None,
            "" | "." => {}
            ".." => path = path.pop().then_some(path)?,
            // A colon makes a scheme, or a drive.
            _ if part.contains([':', '\0']) => return None,
            _ => path.push(part),
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

/// The bytes of a data URI, given what stands behind `data:`.
fn data_uri(at: At<'_>, rest: &str) -> Result<Vec<u8>, Problem> {
    let Some((kind, data)) = rest.split_once(',') else {
        return Err(bad(at, "a data URI without a comma", "data behind a comma"));
    };
    let mut data = Cow::from(percent_decode_str(data));
    let base64 = kind.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    if !base64 {
        return Ok(data.into_owned());
    }
    if data.iter().any(u8::is_ascii_whitespace) {
        data.to_mut().retain(|b| !b.is_ascii_whitespace());
    }
    // Padding or none, the usual alphabet or the one for URLs: all are met, and none can be mistaken.
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let alphabet = if data.iter().any(|b| b"-_".contains(b)) { URL_SAFE } else { STANDARD };
    GeneralPurpose::new(&alphabet, config)
        .decode(&data)
        .map_err(|e| bad(at, format!("a data URI that is no base64 ({e})"), "base64"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_never_leaves_the_folder() {
        let path = |uri| inside(uri).map(|p| p.to_string_lossy().into_owned());
        assert_eq!(path("a%20b/./c.bin"), Some("a b/c.bin".into()));
        assert_eq!(path("a/../c.bin"), Some("c.bin".into()));
        assert_eq!(path("a\\c.bin"), Some("a/c.bin".into()));
        for uri in
            ["", ".", "../c.bin", "a/../../c.bin", "%2e%2e/c.bin", "..\\c.bin", "/etc/passwd", "\\\\host\\c"]
        {
            assert_eq!(path(uri), None, "{uri}");
        }
        for uri in ["http://host/c.bin", "file:c.bin", "C:\\c.bin", "c%00.bin", "a//../../c"] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }
}
