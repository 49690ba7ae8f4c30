//! From bytes to JSON text and the binary chunk: `.glb` frames, byte order marks, padding.
//!
//! Frame faults that leave the content readable are reported and passed over, as viewers do.

use std::borrow::Cow;

use serde_json::Value;
use throng_tracks::import::Content;

use crate::{Format, Problem, Report};

const MAGIC: &[u8] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// What a file consists of: the document, and the binary chunk if the file is a `.glb` that has one.
type Opened<'a> = (Format, Value, Option<&'a [u8]>);

pub(crate) fn open<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Opened<'a>, Problem> {
    let is_binary = bytes.starts_with(MAGIC);
    if let Some(problem) = another_format(bytes) {
        return Err(problem);
    }
    let (json, bin) = if is_binary { chunks(bytes, report)? } else { (bytes, None) };
    let format = if is_binary { Format::Glb } else { Format::Gltf };
    Ok((format, parse(json, report)?, bin))
}

/// The problem of a file in a format that is known and is not glTF. An empty file is no JSON.
fn another_format(bytes: &[u8]) -> Option<Problem> {
    let found = match Content::of(bytes) {
        Content::Known(Format::Bvh) => Format::Bvh.name(),
        Content::Foreign(name) if bytes.iter().any(|&byte| byte != 0) => name,
        _ => return None,
    };
    Some(Problem::Format { found: found.to_owned(), expected: "glTF JSON or binary glTF".to_owned() })
}

fn parse(json: &[u8], report: &mut Report) -> Result<Value, Problem> {
    let json = match json.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => {
            report.repair("", "a byte order mark ahead of the JSON; passed over");
            rest
        }
        None => json,
    };
    let end = json.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    if end < json.len() {
        report.repair("", "zero bytes behind the JSON; passed over");
    }
    let text = String::from_utf8_lossy(&json[..end]);
    if text.trim_ascii().is_empty() {
        let (place, found) = ("JSON".into(), "nothing".into());
        return Err(Problem::Container { place, found, expected: "glTF JSON or binary glTF" });
    }
    if matches!(text, Cow::Owned(_)) {
        report.repair("", "the JSON is not all UTF-8; the bytes at fault were replaced");
    }
    serde_json::from_str(&text).map_err(|e| {
        let message = e.to_string();
        // The place is told by the fields.
        let message = message.rsplit_once(" at line").map_or(message.as_str(), |(what, _)| what).to_owned();
        Problem::Json { line: e.line(), column: e.column(), message }
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|w| u32::from_le_bytes(*w))
}

fn chunks<'a>(bytes: &'a [u8], report: &mut Report) -> Result<(&'a [u8], Option<&'a [u8]>), Problem> {
    let header = |found: String, expected| Problem::Container { place: "header".into(), found, expected };
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(header(format!("{} bytes", bytes.len()), "12 bytes or more"));
    };
    if version != 2 {
        return Err(header(format!("binary glTF version {version}"), "version 2"));
    }
    let length = length as usize;
    let content = bytes.get(..length).unwrap_or(bytes);
    if length < bytes.len() {
        report.skip("header", format!("{} bytes behind the end that it tells", bytes.len() - length));
    } else if length > bytes.len() {
        report.repair("header", format!("it tells {length} bytes, but the file has {}", bytes.len()));
    }

    let (mut json, mut bin) = (None, None);
    let (mut at, mut index) = (HEADER, 0);
    while at < content.len() {
        let place = format!("chunk {index}");
        let (Some(size), Some(kind)) = (word(content, at), word(content, at + 4)) else {
            report.skip(place, format!("{} bytes, too few for a chunk", content.len() - at));
            break;
        };
        let left = &content[at + CHUNK_HEADER..];
        let size = size as usize;
        let chunk = left.get(..size).unwrap_or(left);
        let name = kind.to_le_bytes();
        match &name {
            b"JSON" if json.is_none() && chunk.len() < size => {
                let found = format!("{} bytes of JSON", chunk.len());
                return Err(Problem::Container { place, found, expected: "as many as the chunk tells" });
            }
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if bin.is_none() => {
                if chunk.len() < size {
                    report.repair(place, format!("it tells {size} bytes, but {} are left", chunk.len()));
                }
                bin = Some(chunk);
            }
            _ => report.skip(place, format!("a chunk of kind \"{}\"", name.escape_ascii())),
        }
        if !size.is_multiple_of(4) {
            report.remark(format!("chunk {index}"), format!("{size} bytes, no multiple of 4"));
        }
        at = at.saturating_add(CHUNK_HEADER).saturating_add(size);
        index += 1;
    }
    let no_json = || header(format!("{index} chunks, none of JSON"), "a JSON chunk");
    Ok((json.ok_or_else(no_json)?, bin))
}
