//! Memory that lanes read and write: checked once, then reached with clamped indices.

use std::marker::PhantomData;

use throng_tracks::RowPair;

use super::{BLOCK, Isa, Line};

/// Rows of floats, at least two, each at least four long.
#[derive(Clone, Copy)]
pub(crate) struct RowTable<'a> {
    rows: &'a [f32],
    stride: usize,
    last_pair: usize,
    packed: bool,
}

/// Stands in for the rows of a bank in which nothing moves, of which no column is ever asked for.
static NO_ROWS: [f32; 8] = [0.0; 8];

impl<'a> RowTable<'a> {
    /// `rows` are `stride` floats each.
    pub(crate) fn new(rows: &'a [f32], stride: usize) -> Self {
        let (rows, stride) =
            if stride < 4 || rows.len() < 2 * stride { (&NO_ROWS[..], 4) } else { (rows, stride) };
        Self { rows, stride, last_pair: rows.len() / stride - 2, packed: false }
    }

    /// In the place of a float may be two `i16`, in the lower half a number of this row and in the upper one that of the row
    /// behind it.
    pub(crate) fn packed(rows: &'a [f32], stride: usize) -> Self {
        Self { packed: true, ..Self::new(rows, stride) }
    }
}

/// The weights of two `i16` rows by a group's fractions, in the form of the rows; their sum is 32767.
///
/// A float as large as `UNITS` has no places behind the point: the sum rounds, and its lowest bits are the integer.
#[inline(always)]
fn pair_weights<I: Isa>(isa: I, fractions: &Line) -> Line {
    const UNITS: f32 = 8_388_608.0;
    let (zero, one) = (isa.splat(0.0), isa.splat(1.0));
    let f = isa.load(fractions, 0);
    let f = isa.select_greater(f, zero, f, zero);
    let f = isa.select_greater(f, one, one, f);
    let mut weights = Line::ZERO;
    isa.store(f * isa.splat(32767.0) + isa.splat(UNITS), &mut weights, 0);
    for weight in &mut weights.0 {
        let later = weight.to_bits() & 0x7fff;
        *weight = f32::from_bits(later << 16 | (32767 - later));
    }
    weights
}

/// A pair of neighbouring rows a lane, and the way between them.
pub(crate) struct RowLanes<'a, I: Isa> {
    /// The earlier row of each lane. Of as many lanes as the level has, `2 * stride` floats can be read from here.
    pub(super) first: [*const f32; BLOCK],
    /// From a number of the earlier row to the same of the later one.
    pub(super) stride: usize,
    pub(super) fractions: I::Fractions,
    /// Of tables that may have pairs of `i16`, the weights of both.
    pub(super) weights: I::Fractions,
    packed: bool,
    /// The earlier rows of the group that follows, if its rows are to be fetched meanwhile.
    next: Option<[*const f32; BLOCK]>,
    rows: PhantomData<&'a [f32]>,
}

impl<'a, I: Isa> RowLanes<'a, I> {
    /// The lanes of up to `LANES` pairs; the last pair takes the lanes that are left.
    #[inline(always)]
    pub(crate) fn new(isa: I, table: RowTable<'a>, pairs: &[RowPair]) -> Self {
        let mut first = [table.rows.as_ptr(); BLOCK];
        let mut fractions = Line::ZERO;
        let mut pair = RowPair::default();
        for (lane, (first, fraction)) in first.iter_mut().zip(&mut fractions.0).enumerate().take(I::LANES) {
            if let Some(&next) = pairs.get(lane) {
                pair = next;
            }
            let row = (pair.row as usize).min(table.last_pair);
            // `row + 2` rows are in the table, so the offset is inside of it and can't wrap.
            *first = table.rows.as_ptr().wrapping_add(row * table.stride);
            *fraction = pair.fraction;
        }
        let weights = if table.packed { pair_weights(isa, &fractions) } else { Line::ZERO };
        Self {
            first,
            stride: table.stride,
            fractions: isa.fractions(&fractions.0),
            weights: isa.fractions(&weights.0),
            packed: table.packed,
            next: None,
            rows: PhantomData,
        }
    }

    /// As [`new`](Self::new), of a group that another with the pairs `next` follows: [`fetch_next`](Self::fetch_next) brings its
    /// rows nearer, if the table is too large to be near anyway.
    #[inline(always)]
    pub(crate) fn before(isa: I, table: RowTable<'a>, pairs: &[RowPair], next: &[RowPair]) -> Self {
        let mut lanes = Self::new(isa, table, pairs);
        if size_of_val(table.rows) > NEAR_BYTES && !next.is_empty() {
            let mut rows = [table.rows.as_ptr(); BLOCK];
            for (row, pair) in rows.iter_mut().zip(next).take(I::LANES) {
                *row = row.wrapping_add((pair.row as usize).min(table.last_pair) * table.stride);
            }
            lanes.next = Some(rows);
        }
        lanes
    }

    /// Whether some columns of the rows may be pairs of `i16`, for [`Isa::between_pairs`].
    #[inline(always)]
    pub(crate) fn packed(&self) -> bool {
        self.packed
    }

    /// Part `part` of `parts` of fetching the rows of the group that follows.
    #[inline(always)]
    pub(crate) fn fetch_next(&self, part: usize, parts: usize) {
        let Some(next) = &self.next else { return };
        // The two rows of a pair stand side by side, or all but a few columns in one.
        let lines = if self.packed { self.stride } else { 2 * self.stride } / BLOCK;
        for line in part * lines / parts..(part + 1) * lines / parts {
            for row in next.iter().take(I::LANES) {
                prefetch(row.wrapping_add(line * BLOCK));
            }
        }
    }

    /// The nearest column at which four floats can be read in both rows of every lane.
    #[inline(always)]
    pub(super) fn clamp(&self, column: usize) -> usize {
        column.min(self.stride - 4)
    }
}

/// Rows that take no more bytes than this stay in the second-level cache by themselves.
const NEAR_BYTES: usize = 256 << 10;

/// Asks for the line at `address`, which may be any, into the second-level cache: the first has no room for a whole
/// group's rows and palettes beside those of the group that is being posed.
#[inline(always)]
pub(super) fn prefetch(address: *const f32) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch of any address does nothing that can be seen.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// How many of `length` floats at `to` stand ahead of the first whole line, and how many whole lines follow. What is
/// ahead and what is left behind are less than a line each, as the address of a float is a multiple of its size.
#[cfg(any(target_arch = "x86_64", test))]
#[inline(always)]
pub(super) fn whole_lines(to: *const f32, length: usize) -> (usize, usize) {
    let line = size_of::<Line>();
    let head = ((line - to.addr() % line) % line / size_of::<f32>()).min(length);
    (head, (length - head) / BLOCK)
}

/// Key times for the lane look-up: at least one, and few enough for an `i32`.
#[derive(Clone, Copy)]
pub(crate) struct KeyTable<'a> {
    times: &'a [f32],
}

impl<'a> KeyTable<'a> {
    /// None if there are no times, or too many for a lane's index.
    pub(crate) fn new(times: &'a [f32]) -> Option<Self> {
        (!times.is_empty() && times.len() < i32::MAX as usize).then_some(Self { times })
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.times.len()
    }

    /// The index of the last key: lanes clamp to it.
    #[inline(always)]
    pub(super) fn last(self) -> i32 {
        (self.times.len() - 1) as i32
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn as_ptr(self) -> *const f32 {
        self.times.as_ptr()
    }

    /// The time of a key, clamped to the keys there are.
    #[inline(always)]
    pub(super) fn time(self, key: i32) -> f32 {
        let key = key.clamp(0, self.last()) as usize;
        // SAFETY: `new` made sure that there is a key, and the clamp that this is one.
        unsafe { *self.times.get_unchecked(key) }
    }
}

/// Rows of numbers for lanes that each read another row: at least one row, of at least one number, and few enough for
/// an `i32`.
#[derive(Clone, Copy)]
pub(crate) struct ValueTable<'a> {
    values: &'a [f32],
    stride: usize,
    last_row: usize,
}

impl<'a> ValueTable<'a> {
    /// Rows of `stride` numbers. None if there is no whole row, or too many numbers for a lane's index.
    pub(crate) fn new(values: &'a [f32], stride: usize) -> Option<Self> {
        let last_row = values.len().checked_div(stride)?.checked_sub(1)?;
        (values.len() < i32::MAX as usize).then_some(Self { values, stride, last_row })
    }

    #[inline(always)]
    pub(super) fn stride(self) -> i32 {
        self.stride as i32
    }

    #[inline(always)]
    pub(super) fn last_row(self) -> i32 {
        self.last_row as i32
    }

    /// The nearest column that a row has.
    #[inline(always)]
    pub(super) fn column(self, column: usize) -> i32 {
        column.min(self.stride - 1) as i32
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn as_ptr(self) -> *const f32 {
        self.values.as_ptr()
    }

    /// The number in `column` of the row `ahead` of `row`, both clamped to those there are.
    #[inline(always)]
    pub(super) fn value(self, row: i32, ahead: i32, column: usize) -> f32 {
        let row = row.wrapping_add(ahead).clamp(0, self.last_row());
        let at = (row * self.stride() + self.column(column)) as usize;
        // SAFETY: `new` made sure that all rows up to the last are among the values, and the clamps that this is in one of
        // them; their product fits, as the count of all values does.
        unsafe { *self.values.get_unchecked(at) }
    }
}
