//! The clamps that make lanes sound: whatever index a kernel asks for, memory of the table is what it gets.

use throng_tracks::RowPair;

use super::half_bits;
use super::memory::whole_lines;
use super::{
    BLOCK, Isa, KeyTable, Level, Line, Matrices, MatrixTable, PlaceTable, RowLanes, RowTable, ValueTable,
    dispatch,
};
use crate::layout::{Layout, PaletteFormat};
use crate::unroll::{each3, each4};

/// Each lane's four columns.
fn between<I: Isa>(isa: I, table: RowTable<'_>, pairs: &[RowPair], column: usize) -> Vec<[f32; 4]> {
    isa.vectorize(
        #[inline(always)]
        || {
            let columns = isa.between_rows(&RowLanes::new(isa, table, pairs), column);
            let mut lines = [Line::ZERO; 4];
            each4!(C => isa.store(columns[C], &mut lines[C], 0));
            (0..I::LANES).map(|lane| each4!(C => lines[C].0[lane])).collect()
        },
    )
}

#[test]
fn rows_and_columns_that_do_not_exist_are_the_last() {
    let rows: Vec<f32> = (0..24).map(|i| i as f32).collect();
    let table = RowTable::new(&rows, 8);
    let pair = |row| RowPair { row, fraction: 0.0 };
    for level in Level::available() {
        for column in [4, 5, 8, 100, usize::MAX] {
            let pairs = [pair(0), pair(1), pair(2), pair(u32::MAX)];
            let found = dispatch!(level, isa => between(isa, table, &pairs, column));
            assert_eq!(found[0], [4.0, 5.0, 6.0, 7.0], "{level}");
            // The last pair of rows, and it again in all lanes that are left.
            assert!(found[1..].iter().all(|lane| *lane == [12.0, 13.0, 14.0, 15.0]), "{level}: {found:?}");
        }
    }
}

#[test]
fn tables_without_two_rows_of_four_are_zeros() {
    let floats = [7.0; 16];
    for (rows, stride) in [(&floats[..], 0), (&floats[..], 3), (&floats[..15], 8), (&[][..], 4)] {
        let table = RowTable::new(rows, stride);
        for level in Level::available() {
            let pairs = [RowPair { row: 5, fraction: 0.5 }];
            let found = dispatch!(level, isa => between(isa, table, &pairs, 9));
            assert!(found.iter().all(|lane| *lane == [0.0; 4]), "{level}: {found:?}");
        }
    }
}

fn store<I: Isa>(
    isa: I,
    buffer: &mut [f32],
    layout: Layout,
    entries: usize,
    places: &[u32],
    entry: u32,
) -> bool {
    let Some(mut table) = PlaceTable::new(buffer, layout, entries) else { return false };
    isa.vectorize(
        #[inline(always)]
        || {
            let mut lanes = table.lanes(isa, places);
            let m = each3!(R => each4!(C => isa.splat((4 * R + C) as f32)));
            lanes.store(isa, &[entry], m);
            lanes.store_similarity(isa, &[entry], [m[0], m[1]]);
        },
    );
    true
}

/// A matrix of 0 to 11 as an entry of that form, in bits.
fn counted(format: PaletteFormat) -> Vec<u32> {
    let float = |v: usize| (v as f32).to_bits();
    match format {
        PaletteFormat::Affine => (0..12).map(float).collect(),
        PaletteFormat::Matrix => {
            let number = |(column, row)| match (column, row) {
                (3, 3) => 1.0,
                (_, 3) => 0.0,
                _ => (4 * row + column) as f32,
            };
            (0..16).map(|i| number((i / 4, i % 4)).to_bits()).collect()
        }
        PaletteFormat::Similarity => (0..8).map(float).collect(),
        PaletteFormat::Half => {
            let halves: Vec<u16> = (0..12).map(|i| half_bits(i as f32)).collect();
            halves.chunks_exact(2).map(|two| bytemuck::cast([two[0], two[1]])).collect()
        }
    }
}

#[test]
fn places_and_entries_that_do_not_exist_are_the_last() {
    for format in PaletteFormat::ALL {
        let matrix = counted(format);
        let f = format.floats();
        // Behind seven floats three places of two entries, five floats between them, and some that are no place.
        let layout = Layout::new(format).with_offset(7).with_stride(2 * f + 5);
        let to = |place: usize, entry: usize| 7 + place * (2 * f + 5) + entry * f;
        let floats = to(3, 0) + 4;
        for level in Level::available() {
            for (places, entry, to) in [
                (&[1][..], 1, to(1, 1)),
                (&[1], 2, to(1, 1)),
                (&[1], u32::MAX, to(1, 1)),
                (&[3], 0, to(2, 0)),
                (&[u32::MAX], u32::MAX, to(2, 1)),
                (&[], 0, to(0, 0)),
            ] {
                let mut buffer = vec![-1.0; floats];
                assert!(dispatch!(level, isa => store(isa, &mut buffer, layout, 2, places, entry)));
                let written: Vec<u32> = buffer.splice(to..to + f, []).map(f32::to_bits).collect();
                assert_eq!(written, matrix, "{level}, {format:?}: {places:?}, entry {entry}");
                assert!(buffer.iter().all(|&v| v == -1.0), "{level}, {format:?}: {places:?}, entry {entry}");
            }
        }
    }
}

#[test]
fn buffers_without_a_place_are_refused() {
    for format in PaletteFormat::ALL {
        let (layout, f) = (Layout::new(format), format.floats());
        for (floats, layout, entries) in [
            (0, layout, 1),
            (f - 1, layout, 1),
            (2 * f - 1, layout, 2),
            (100, layout, 0),
            (f, layout.with_offset(1), 1),
            (f, layout.with_offset(usize::MAX), 1),
            (100, layout.with_stride(0), 1),
        ] {
            let refused = PlaceTable::new(&mut vec![0.0; floats], layout, entries).is_none();
            assert!(refused, "{floats} floats, {entries} entries, {layout:?}");
        }
        assert!(PlaceTable::new(&mut vec![0.0; f], layout, 1).is_some());
        assert!(PlaceTable::new(&mut vec![0.0; f], layout.with_stride(usize::MAX), 1).is_some());
    }
}

/// Single precision as the half crate rounds it, and neighbours of every half, midpoints included.
#[test]
fn halves_are_the_nearest_at_every_level() {
    let mut floats: Vec<f32> = Vec::new();
    for half in 0..=u16::MAX {
        let bits = half::f16::from_bits(half).to_f32().to_bits();
        for off in [0, 1, 0x0fff, 0x1000, 0x1001, 0x1fff] {
            floats.push(f32::from_bits(bits.wrapping_add(off)));
        }
    }
    // Smaller than a small half's last place, and larger than the largest.
    floats.extend([0.0, -0.0, 1e-45, 2e-8, 3e-8, -5.9e-8, 65_504.0, 65_519.996, 65_520.0, 1e5, -1e38]);
    floats.resize(floats.len().next_multiple_of(BLOCK), f32::NAN);
    for block in floats.chunks_exact(BLOCK) {
        let nearest: Vec<u16> = block.iter().map(|&v| half::f16::from_f32(v).to_bits()).collect();
        let found: Vec<u16> = block.iter().map(|&v| half_bits(v)).collect();
        assert_eq!(found, nearest, "{block:?}");
        for level in Level::available() {
            let mut out = [0.0; 6 * BLOCK];
            dispatch!(level, isa => halves(isa, block, &mut out));
            let found: &[[u16; 12]; BLOCK] = bytemuck::cast_ref(&out);
            for (lane, found) in found.iter().enumerate() {
                assert_eq!(*found, [nearest[lane]; 12], "{level}: {}", block[lane]);
            }
        }
    }
}

/// Each lane's number, twelve times as a half.
fn halves<I: Isa>(isa: I, block: &[f32], out: &mut [f32; 6 * BLOCK]) {
    let line = Line(std::array::from_fn(|lane| block[lane]));
    for (part, out) in out.chunks_exact_mut(6 * I::LANES).enumerate() {
        let places: [u32; BLOCK] = std::array::from_fn(|lane| lane as u32);
        let mut table = PlaceTable::new(out, Layout::new(PaletteFormat::Half), 1).unwrap();
        isa.vectorize(
            #[inline(always)]
            || {
                let v = isa.load(&line, part);
                table.lanes(isa, &places).store(isa, &[0], [[v; 4]; 3]);
            },
        );
    }
}

#[test]
fn keys_clamp_to_those_there_are() {
    assert!(KeyTable::new(&[]).is_none());
    let keys = KeyTable::new(&[1.0, 2.0]).unwrap();
    let times = [i32::MIN, -1, 0, 1, 2, i32::MAX].map(|key| keys.time(key));
    assert_eq!(times, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
}

/// What each lane gathers, with lane `k` at the key before time `k`.
fn gathered<I: Isa>(isa: I, values: ValueTable<'_>, ahead: i32, column: usize) -> Vec<f32> {
    let times: [f32; BLOCK] = std::array::from_fn(|k| k as f32);
    let keys = KeyTable::new(&times).unwrap();
    isa.vectorize(
        #[inline(always)]
        || {
            let mut line = Line::ZERO;
            let t = isa.load(&Line(std::array::from_fn(|k| k as f32 - 0.5)), 0);
            let (key, _) = isa.key_finish(&keys, crate::lookup::search(isa, keys, t), t);
            isa.store(isa.gather(&values, key, ahead, column), &mut line, 0);
            line.0[..I::LANES].to_vec()
        },
    )
}

#[test]
fn gathered_rows_and_columns_that_do_not_exist_are_the_nearest() {
    let values: Vec<f32> = (0..17).map(|i| i as f32).collect();
    // Five rows of three, and two numbers that make no row. Lane k is at row k - 1.
    let table = ValueTable::new(&values, 3).unwrap();
    for level in Level::available() {
        for (ahead, column) in
            [(0, 0), (1, 2), (0, 3), (7, usize::MAX), (-3, 1), (i32::MAX, 0), (i32::MIN, 1)]
        {
            let found = dispatch!(level, isa => gathered(isa, table, ahead, column));
            for (lane, &found) in found.iter().enumerate() {
                let row = (lane as i32 - 1).wrapping_add(ahead).clamp(0, 4);
                let expected = (3 * row) as f32 + column.min(2) as f32;
                assert_eq!(found, expected, "{level}: lane {lane}, {ahead} ahead, column {column}");
            }
        }
    }
    assert!(ValueTable::new(&values, 0).is_none() && ValueTable::new(&values, 18).is_none());
}

/// The first number of each lane's weighted sum of one matrix, lane `k` asking for matrix `k`.
fn weighted<I: Matrices>(isa: I, table: MatrixTable<'_>) -> Vec<f32> {
    let indices = [std::array::from_fn(|k| if k == 15 { u16::MAX } else { k as u16 })];
    let weights = [Line([2.0; BLOCK])];
    isa.vectorize(
        #[inline(always)]
        || {
            let mut line = Line::ZERO;
            for part in 0..BLOCK / I::LANES {
                isa.store(isa.weighted_matrices(table, &weights, &indices, part)[0][0], &mut line, part);
            }
            line.0.to_vec()
        },
    )
}

#[test]
fn matrices_that_do_not_exist_are_the_last() {
    let floats: Vec<f32> = (0..47).map(|i| i as f32).collect();
    // Three matrices, and some numbers that make none.
    let table = MatrixTable::new(&floats).unwrap();
    for level in Level::available() {
        let found = dispatch!(level, isa => weighted(isa, table));
        let expected: Vec<f32> = (0..16).map(|k| 24.0 * k.min(2) as f32).collect();
        assert_eq!(found, expected, "{level}");
    }
    assert!(MatrixTable::new(&floats[..11]).is_none());
}

#[test]
fn whole_lines_lie_inside_and_on_boundaries() {
    let lines = [Line::ZERO; 6];
    let floats: &[f32] = bytemuck::cast_slice(&lines);
    for offset in 0..BLOCK {
        for length in 0..floats.len() - offset {
            let (head, whole) = whole_lines(floats[offset..].as_ptr(), length);
            assert!(head < BLOCK && head + whole * BLOCK <= length, "{length} floats at {offset}");
            assert!(whole == 0 || (offset + head).is_multiple_of(BLOCK), "{length} floats at {offset}");
            // What is left at the end is less than a line, unless no boundary was reached.
            assert!(head == length || length - head - whole * BLOCK < BLOCK, "{length} floats at {offset}");
        }
    }
}
