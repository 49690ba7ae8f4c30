//! Bytes of a text file, whatever its encoding.

use std::borrow::Cow;
use std::char::{REPLACEMENT_CHARACTER, decode_utf16};

use super::Report;

/// How the characters of a text are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 { big_endian: bool },
    Utf32 { big_endian: bool },
}

/// Returns the text of a file in UTF-8, UTF-16 or UTF-32, without its byte order mark.
///
/// UTF-16 and UTF-32 are recognised by their mark, or by an ASCII character at the start. Bytes that
/// are no character become U+FFFD. Both are a repair in the report.
///
/// ```
/// use throng_tracks::import::{Report, decode_text};
/// let mut report = Report::default();
/// assert_eq!(decode_text(b"\xFF\xFEH\0i\0", &mut report), "Hi");
/// assert_eq!(report.lines()[0].what, "the text is UTF-16 (little-endian), not UTF-8; it was converted");
/// ```
#[must_use]
pub fn decode_text<'a>(bytes: &'a [u8], report: &mut Report) -> Cow<'a, str> {
    let (encoding, content) = encoding(bytes);
    let text = match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(content),
        Encoding::Utf16 { big_endian } => utf16(content, big_endian).into(),
        Encoding::Utf32 { big_endian } => utf32(content, big_endian).into(),
    };
    if let Encoding::Utf16 { big_endian } | Encoding::Utf32 { big_endian } = encoding {
        let name = if matches!(encoding, Encoding::Utf16 { .. }) { "UTF-16" } else { "UTF-32" };
        let order = if big_endian { "big-endian" } else { "little-endian" };
        report.repair("", format!("the text is {name} ({order}), not UTF-8; it was converted"));
        if text.contains(REPLACEMENT_CHARACTER) {
            report.repair("", format!("the text is not all {name}; the bytes at fault were replaced"));
        }
    } else if matches!(text, Cow::Owned(_)) {
        report.repair("", "the text is not all UTF-8; the bytes at fault were replaced");
    }
    text
}

/// The encoding, and the bytes after the byte order mark.
fn encoding(bytes: &[u8]) -> (Encoding, &[u8]) {
    const UTF16_LE: Encoding = Encoding::Utf16 { big_endian: false };
    const UTF16_BE: Encoding = Encoding::Utf16 { big_endian: true };
    const UTF32_LE: Encoding = Encoding::Utf32 { big_endian: false };
    const UTF32_BE: Encoding = Encoding::Utf32 { big_endian: true };
    let marks: [(&[u8], Encoding); 5] = [
        (b"\xEF\xBB\xBF", Encoding::Utf8),
        (b"\xFF\xFE\0\0", UTF32_LE),
        (b"\0\0\xFE\xFF", UTF32_BE),
        (b"\xFF\xFE", UTF16_LE),
        (b"\xFE\xFF", UTF16_BE),
    ];
    let marked = marks.iter().find_map(|(mark, encoding)| Some((*encoding, bytes.strip_prefix(*mark)?)));
    if let Some(marked) = marked {
        return marked;
    }
    let encoding = match bytes {
        [1..0x80, 0, 0, 0, ..] => UTF32_LE,
        [0, 0, 0, 1..0x80, ..] => UTF32_BE,
        [1..0x80, 0, ..] => UTF16_LE,
        [0, 1..0x80, ..] => UTF16_BE,
        _ => Encoding::Utf8,
    };
    (encoding, bytes)
}

fn utf16(bytes: &[u8], big_endian: bool) -> String {
    let (units, left) = bytes.as_chunks::<2>();
    let unit = |unit: &[u8; 2]| {
        if big_endian { u16::from_be_bytes(*unit) } else { u16::from_le_bytes(*unit) }
    };
    let chars = decode_utf16(units.iter().map(unit)).map(|c| c.unwrap_or(REPLACEMENT_CHARACTER));
    chars.chain((!left.is_empty()).then_some(REPLACEMENT_CHARACTER)).collect()
}

fn utf32(bytes: &[u8], big_endian: bool) -> String {
    let (units, left) = bytes.as_chunks::<4>();
    let unit = |unit: &[u8; 4]| {
        let code = if big_endian { u32::from_be_bytes(*unit) } else { u32::from_le_bytes(*unit) };
        char::from_u32(code).unwrap_or(REPLACEMENT_CHARACTER)
    };
    units.iter().map(unit).chain((!left.is_empty()).then_some(REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, usize) {
        let mut report = Report::default();
        let text = decode_text(bytes, &mut report).into_owned();
        (text, report.lines().len())
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "HIERARCHY\nROOT é🦴\n";
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let utf32: Vec<u32> = text.chars().map(u32::from).collect();
        let little: Vec<u8> = utf16.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = utf16.iter().flat_map(|u| u.to_be_bytes()).collect();
        let little32: Vec<u8> = utf32.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big32: Vec<u8> = utf32.iter().flat_map(|u| u.to_be_bytes()).collect();
        let wide: [(&[u8], &[u8]); 4] = [
            (b"\xFF\xFE", &little),
            (b"\xFE\xFF", &big),
            (b"\xFF\xFE\0\0", &little32),
            (b"\0\0\xFE\xFF", &big32),
        ];
        for (mark, bytes) in wide {
            assert_eq!(decoded(bytes), (text.to_owned(), 1), "without a mark");
            assert_eq!(decoded(&[mark, bytes].concat()), (text.to_owned(), 1), "{mark:?}");
        }
        assert_eq!(decoded(text.as_bytes()), (text.to_owned(), 0));
        assert_eq!(decoded(&[b"\xEF\xBB\xBF", text.as_bytes()].concat()), (text.to_owned(), 0));
    }

    #[test]
    fn bytes_that_are_no_character_are_replaced_and_reported() {
        assert_eq!(decoded(b"a\xE9"), ("a\u{FFFD}".to_owned(), 1));
        assert_eq!(decoded(b"a\0b"), ("a\u{FFFD}".to_owned(), 2));
        assert_eq!(decoded(b"\xFF\xFE\0\xD8"), ("\u{FFFD}".to_owned(), 2));
        assert_eq!(decoded(b"a\0\0\0\0\0\x11\0"), ("a\u{FFFD}".to_owned(), 2));
        assert_eq!(decoded(b""), (String::new(), 0));
    }
}
