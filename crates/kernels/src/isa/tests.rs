//! The clamps that make lanes sound: whatever index a kernel asks for, memory of the table is what it gets.

use throng_tracks::RowPair;

use super::memory::whole_lines;
use super::{
    BLOCK, Isa, KeyTable, Level, Line, Matrices, MatrixTable, PlaceTable, RowLanes, RowTable, ValueTable,
    dispatch,
};
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

fn store<I: Isa>(isa: I, buffer: &mut [f32], size: usize, places: &[u32], entry: u32) -> bool {
    let Some(mut table) = PlaceTable::new(buffer, size) else { return false };
    isa.vectorize(
        #[inline(always)]
        || {
            let mut lanes = table.lanes(isa, places);
            let m = each3!(R => each4!(C => isa.splat((4 * R + C) as f32)));
            isa.store_matrix(&mut lanes, &[entry], m);
        },
    );
    true
}

#[test]
fn places_and_entries_that_do_not_exist_are_the_last() {
    let matrix: Vec<f32> = (0..12).map(|i| i as f32).collect();
    for level in Level::available() {
        // Three places of 24 floats, and some that are no place.
        for (places, entry, to) in [
            (&[1][..], 1, 36),
            (&[1], 2, 36),
            (&[1], u32::MAX, 36),
            (&[3], 0, 48),
            (&[u32::MAX], u32::MAX, 60),
            (&[], 0, 0),
        ] {
            let mut buffer = vec![-1.0; 77];
            assert!(dispatch!(level, isa => store(isa, &mut buffer, 24, places, entry)));
            let written = buffer.splice(to..to + 12, []).collect::<Vec<_>>();
            assert_eq!(written, matrix, "{level}: {places:?}, entry {entry}");
            assert!(buffer.iter().all(|&v| v == -1.0), "{level}: {places:?}, entry {entry}");
        }
    }
}

#[test]
fn buffers_without_a_place_are_refused() {
    for (floats, size) in [(0, 12), (11, 12), (100, 11), (100, 0), (23, 24)] {
        assert!(PlaceTable::new(&mut vec![0.0; floats], size).is_none(), "{floats} floats, places of {size}");
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
