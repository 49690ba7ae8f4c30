//! Streams that a widely used encoder wrote, those of a small encoder of our own, and broken bytes.

mod encoder;

use encoder::{Choices, encode};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::layout::{Filter, Mode};
use super::*;
use crate::json::At;

const MODES: [Mode; 3] = [Mode::Attributes, Mode::Triangles, Mode::Indices];

fn plain(mode: Mode, count: usize, stride: usize) -> Layout {
    Layout { mode, filter: Filter::None, count, stride }
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |c: u8| char::from(c).to_digit(16).unwrap() as u8;
    text.as_bytes().as_chunks::<2>().0.iter().map(|[a, b]| digit(*a) << 4 | digit(*b)).collect()
}

#[test]
fn streams_of_another_encoder_are_read() {
    let mut elements = Vec::new();
    for e in 0..20u16 {
        elements.extend((f32::from(e) * 0.25).to_le_bytes());
        elements.extend((e * e * 91).to_le_bytes());
        elements.extend((60000 - e * 700).to_le_bytes());
        elements.extend([e as u8, 7, (e * 40) as u8, (e % 3) as u8]);
    }
    // Version 1 has one channel of each mode here, that of floats rotated by 5.
    for stream in [
        "a000000700ffff80804040404020202020202020ff0000002010101001380080007c0700b62271fa662dc1aa167dee5a39cd9eff\
         0000000a89e24e060024468aacefffff1010121214ff00000018161a1a0700888888888888888888888888888888ff0000008888\
         88880a05535553553555355535000000000000052aaaaaaaaa000000000700505050505050505050505050505050ff0000005050\
         5050060223223223223223ae00000003000000000000000000000000000000000000000000000000000060ea00070000",
        "a1687779010201070f020ff8f4c4f262e262d03018fc0f001e01030100b6228efa66d23eaa1682ee5ac6329e0a76e24e02002346\
         79acdeffff101113140f001617181a00777777777777777777777777777777777777770205555555555555550f0005050505052a\
         aaaaaaaa0000000050505050505050505050505050505050505050060223223223223223ae000000030000000000000000000000\
         0000000060ea00070000520100",
    ] {
        assert_eq!(decode(&hex(stream), &plain(Mode::Attributes, 20, 12)).unwrap(), elements);
    }

    let indices = [0u32, 1, 2, 2, 1, 3, 4, 6, 5, 7, 8, 9, 0, 2, 9, 100, 101, 102, 3, 2, 50, 100, 102, 3];
    let (wide, narrow) = (
        indices.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>(),
        indices.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect::<Vec<_>>(),
    );
    for (mode, stream) in [
        (
            Mode::Triangles,
            "e1f010feff8fffff31f00cff02020200ffb6010202cfc5015e007687566778a9866589689801690000",
        ),
        (Mode::Indices, "d100040400020804080208040422081c910305051602cf01880308bb0100000000"),
    ] {
        assert_eq!(decode(&hex(stream), &plain(mode, 24, 4)).unwrap(), wide);
        assert_eq!(decode(&hex(stream), &plain(mode, 24, 2)).unwrap(), narrow);
    }
}

#[test]
fn the_example_of_the_extension_is_read() {
    // One group of fours at each of four positions; its differences add up from 0.
    let group = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    let mut stream = vec![0xa0];
    (0..4).for_each(|_| stream.extend([&[2], &group[..]].concat()));
    stream.extend([0; 32]);
    let bytes = decode(&stream, &plain(Mode::Attributes, 16, 4)).unwrap();
    let deltas = [-1i8, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    let mut sum = 0u8;
    for (element, delta) in bytes.as_chunks::<4>().0.iter().zip(deltas) {
        sum = sum.wrapping_add(delta as u8);
        assert_eq!(*element, [sum; 4]);
    }
}

/// What a filter makes of one element of up to 32 bytes.
fn filtered(filter: Filter, element: &[u8]) -> Vec<u8> {
    let stride = element.len();
    // All header bits are 0: no difference from what stands at the end.
    let stream = [&[0xa0], &vec![0; stride][..], &vec![0; 32 - stride], element].concat();
    decode(&stream, &Layout { mode: Mode::Attributes, filter, count: 1, stride }).unwrap()
}

fn shorts(values: [i16; 4]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn filters_do_what_their_formulas_say() {
    // 2^-3 * 5, 2^100 * -3, 2^-100 * the largest factor.
    for (word, expected) in [
        ((-3i32) << 24 | 5, 0.625),
        (100 << 24 | 0x00ff_fffd, -3.0 * 2f32.powi(100)),
        ((-100i32) << 24 | 0x007f_ffff, 8_388_607.0 * 2f32.powi(-100)),
    ] {
        assert_eq!(filtered(Filter::Exponential, &word.to_le_bytes()), expected.to_le_bytes());
    }
    // Twelve bits: 1 is 2047. The component left out is told by the last two bits.
    let half = shorts([2047, 0, 0, 2044]);
    assert_eq!(filtered(Filter::Quaternion, &half), shorts([23170, 23170, 0, 0]));
    let half = shorts([2047, 0, 0, 2047]);
    assert_eq!(filtered(Filter::Quaternion, &half), shorts([23170, 0, 0, 23170]));
    let half = shorts([0, -2047, 0, 2045]);
    assert_eq!(filtered(Filter::Quaternion, &half), shorts([0, 23170, 0, -23170]));
    // Above the edge of the octahedron, on it, and folded over it: (-1, -1) is the lower pole.
    assert_eq!(filtered(Filter::Octahedral, &[0, 0, 127, 9]), [0, 0, 127, 9]);
    assert_eq!(filtered(Filter::Octahedral, &[0, 129, 127, 9]), [0, 129, 0, 9]);
    let pole = shorts([-511, -511, 511, 5]);
    assert_eq!(filtered(Filter::Octahedral, &pole), shorts([0, 0, -32767, 5]));
    let slope = shorts([0, 256, 511, 0]);
    let [_, y, z, _] = [0, 2, 4, 6].map(|i| {
        let out = filtered(Filter::Octahedral, &slope);
        f64::from(i16::from_le_bytes([out[i], out[i + 1]]))
    });
    assert!((y * y + z * z).sqrt() - 32767.0 < 1.0 && y > z && z > 0.0, "{y} {z}");
}

fn elements() -> impl Strategy<Value = (Vec<u8>, usize)> {
    (1usize..=64, 0usize..300, 0u8..4).prop_flat_map(|(quarter, count, small)| {
        let byte = any::<u8>().prop_map(move |b| if b < 200 { b & small } else { b });
        (prop::collection::vec(byte, 4 * quarter * count), Just(4 * quarter))
    })
}

proptest! {
    #[test]
    fn every_way_of_encoding_is_read(
        (bytes, stride) in elements(), newer in any::<bool>(), choices in prop::collection::vec(any::<u8>(), 1..200),
    ) {
        let stream = encode(&bytes, stride, newer, &mut Choices::new(&choices));
        let layout = plain(Mode::Attributes, bytes.len() / stride, stride);
        prop_assert_eq!(decode(&stream, &layout), Ok(bytes));
        // Not a byte may be missing, nor one too many.
        prop_assert!(decode(&stream[..stream.len() - 1], &layout).is_err());
        let tail = if newer { 24.max(stride + stride / 4) } else { 32.max(stride) };
        let mut longer = stream;
        longer.insert(longer.len() - tail, 0);
        prop_assert!(decode(&longer, &layout).is_err());
    }

    #[test]
    fn broken_streams_never_panic(
        (bytes, stride) in elements(), newer in any::<bool>(), choices in prop::collection::vec(any::<u8>(), 1..200),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut in any::<prop::sample::Index>(),
    ) {
        let mut stream = encode(&bytes, stride, newer, &mut Choices::new(&choices));
        for (place, byte) in changes {
            let place = place.index(stream.len());
            stream[place] = byte;
        }
        let layout = plain(Mode::Attributes, bytes.len() / stride, stride);
        if let Ok(out) = decode(&stream, &layout) {
            prop_assert_eq!(out.len(), bytes.len());
        }
        let _ = decode(&stream[..cut.index(stream.len())], &layout);
    }

    #[test]
    fn any_bytes_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400), head in prop::sample::select(vec![0xa0, 0xa1, 0xd1, 0xe1]),
        count in 0usize..200, stride in prop::sample::select(vec![4usize, 8]), filter in 0usize..4,
    ) {
        let mut bytes = bytes;
        bytes.insert(0, head);
        let filter = [Filter::None, Filter::Octahedral, Filter::Quaternion, Filter::Exponential][filter];
        let filter = if filter == Filter::Quaternion && stride == 4 { Filter::None } else { filter };
        for mode in MODES {
            let layout = Layout { mode, filter, count: count / 3 * 3, stride };
            if let Ok(out) = decode(&bytes, &layout) {
                prop_assert_eq!(out.len(), layout.bytes());
            }
        }
    }
}

#[test]
fn huge_counts_are_refused_before_memory_is_taken() {
    for mode in MODES {
        for header in [0xa0, 0xa1, 0xd1, 0xe1] {
            let stream = [&[header][..], &[0; 600]].concat();
            for count in [usize::MAX / 256 / 3 * 3, 3 << 40, 3 << 30] {
                assert!(decode(&stream, &plain(mode, count, 4)).is_err(), "{mode:?} {header} {count}");
            }
        }
    }
}

#[test]
fn faults_of_streams_are_named() {
    let found = |stream: &[u8], mode, count| decode(stream, &plain(mode, count, 4)).unwrap_err().found;
    assert!(found(&[], Mode::Indices, 3).contains("0 bytes"));
    assert_eq!(found(&[0xa2; 99], Mode::Attributes, 1), "header byte 0xa2");
    assert_eq!(found(&[0xa0; 99], Mode::Triangles, 3), "header byte 0xa0");
    assert_eq!(found(&[0xd1, 0, 0, 0, 0, 0, 0], Mode::Indices, 1), "1 bytes left over in the stream");
    assert_eq!(
        found(&[0xd1, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0], Mode::Indices, 1),
        "a number of more than 5 bytes"
    );
    let channel = [&[0xa1, 0xaa][..], &[0; 23], &[3]].concat();
    assert_eq!(found(&channel, Mode::Attributes, 1), "channel mode 0x03");
    let early = [&[0xe1, 0x00][..], &[0; 16]].concat();
    assert_eq!(found(&early, Mode::Triangles, 3), "a triangle that goes by one before the first");
    let table = [&[0xe1, 0xf0][..], &[0xf0; 16]].concat();
    assert_eq!(found(&table, Mode::Triangles, 3), "a table of corners out of range");
}

#[test]
fn layouts_are_checked() {
    let read = |changes: Value| {
        let mut value = json!({ "byteStride": 8, "count": 6, "mode": "ATTRIBUTES" });
        let changes = changes.as_object().unwrap().clone();
        value.as_object_mut().unwrap().extend(changes);
        Layout::read(At::root(&value)).map_err(|problem| problem.to_string())
    };
    let layout = read(json!({ "filter": "QUATERNION" })).unwrap();
    assert_eq!((layout.mode, layout.filter, layout.bytes()), (Mode::Attributes, Filter::Quaternion, 48));
    for (changes, place) in [
        (json!({ "mode": "FOO" }), "mode"),
        (json!({ "mode": null }), "mode"),
        (json!({ "filter": "COLOR" }), "filter"),
        (json!({ "mode": "INDICES", "byteStride": 4, "filter": "EXPONENTIAL" }), "filter"),
        (json!({ "mode": "INDICES" }), "byteStride"),
        (json!({ "filter": "QUATERNION", "byteStride": 16 }), "byteStride"),
        (json!({ "filter": "OCTAHEDRAL", "byteStride": 12 }), "byteStride"),
        (json!({ "byteStride": 0 }), "byteStride"),
        (json!({ "byteStride": 6 }), "byteStride"),
        (json!({ "byteStride": 260 }), "byteStride"),
        (json!({ "mode": "TRIANGLES", "byteStride": 4, "count": 7 }), "count"),
        (json!({ "count": u64::MAX / 8 }), "count"),
        (json!({ "count": -1 }), "count"),
    ] {
        let error = read(changes).unwrap_err();
        assert!(error.starts_with(&format!("{place}: found ")), "{error}");
    }
}
