//! Memory that lanes read and write: checked once, then reached with clamped indices.

use std::marker::PhantomData;

use throng_tracks::RowPair;

use super::{BLOCK, Isa, Line};
use crate::plan::PALETTE_FLOATS;

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

    /// In the place of each float two `i16`, in the lower half a number of this row and in the upper one that of the row
    /// behind it.
    pub(crate) fn packed(rows: &'a [f32], stride: usize) -> Self {
        Self { packed: true, ..Self::new(rows, stride) }
    }
}

/// The weights of two `i16` rows in the form of the rows, for the multiply-add of pairs; their sum is 32767.
#[inline(always)]
fn pair_weights(fraction: f32) -> f32 {
    let later = (fraction.clamp(0.0, 1.0) * 32767.0 + 0.5) as u32;
    f32::from_bits(later << 16 | (32767 - later))
}

/// A pair of neighbouring rows a lane, and the way between them.
pub(crate) struct RowLanes<'a, I: Isa> {
    /// The earlier row of each lane. Of as many lanes as the level has, `2 * stride` floats can be read from here.
    pub(super) first: [*const f32; BLOCK],
    /// From a number of the earlier row to the same of the later one.
    pub(super) stride: usize,
    pub(super) fractions: I::Fractions,
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
        let mut fractions = [0.0; BLOCK];
        let mut pair = RowPair::default();
        for (lane, (first, fraction)) in first.iter_mut().zip(&mut fractions).enumerate().take(I::LANES) {
            if let Some(&next) = pairs.get(lane) {
                pair = next;
            }
            let row = (pair.row as usize).min(table.last_pair);
            // `row + 2` rows are in the table, so the offset is inside of it and can't wrap.
            *first = table.rows.as_ptr().wrapping_add(row * table.stride);
            *fraction = if table.packed { pair_weights(pair.fraction) } else { pair.fraction };
        }
        Self {
            first,
            stride: table.stride,
            fractions: isa.fractions(&fractions),
            packed: table.packed,
            next: None,
            rows: PhantomData,
        }
    }

    /// As [`new`](Self::new), of a group that another with the pairs `next` follows: [`fetch`](Self::fetch) brings its
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

    /// Whether the rows are pairs of `i16`, for [`Isa::between_pairs`].
    #[inline(always)]
    pub(crate) fn packed(&self) -> bool {
        self.packed
    }

    /// Part `part` of `parts` of fetching the rows of the group that follows.
    #[inline(always)]
    pub(crate) fn fetch(&self, part: usize, parts: usize) {
        let Some(next) = &self.next else { return };
        // The two rows of a pair stand side by side, or in one.
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

/// A buffer cut into places of equal size, at least one, at least twelve floats each.
pub(crate) struct PlaceTable<'a> {
    base: *mut f32,
    size: usize,
    last_place: usize,
    buffer: PhantomData<&'a mut [f32]>,
}

impl<'a> PlaceTable<'a> {
    /// Places of `size` floats; none if the buffer has no room for one.
    pub(crate) fn new(buffer: &'a mut [f32], size: usize) -> Option<Self> {
        let last_place = (buffer.len().checked_div(size)?).checked_sub(1)?;
        (size >= 12).then_some(Self { base: buffer.as_mut_ptr(), size, last_place, buffer: PhantomData })
    }

    /// One place a lane; the last of `places` takes the lanes that are left.
    #[inline(always)]
    pub(crate) fn lanes<I: Isa>(&mut self, _: I, places: &[u32]) -> PlaceLanes<'_> {
        let mut first = [self.base; BLOCK];
        let mut place = 0;
        for (lane, first) in first.iter_mut().enumerate().take(I::LANES) {
            if let Some(&next) = places.get(lane) {
                place = (next as usize).min(self.last_place);
            }
            *first = self.base.wrapping_add(place * self.size);
        }
        PlaceLanes { first, size: self.size, ahead: 0, buffer: PhantomData }
    }

    /// As [`lanes`](Self::lanes), of a group that another with the places `next` follows. The lines that it will write
    /// are fetched meanwhile; otherwise every group would wait for its own.
    #[inline(always)]
    pub(crate) fn lanes_before<I: Isa>(&mut self, isa: I, places: &[u32], next: &[u32]) -> PlaceLanes<'_> {
        let ahead = match (places.first(), next.first()) {
            (Some(&place), Some(&next)) => {
                (next as usize).wrapping_sub(place as usize).wrapping_mul(self.size)
            }
            _ => 0,
        };
        PlaceLanes { ahead, ..self.lanes(isa, places) }
    }

    /// Notes in `drain` what is to be streamed to `places` from a stage that holds one after the other.
    #[inline(always)]
    pub(crate) fn note(&self, places: &[u32], drain: &mut Drain) {
        (drain.next, drain.end) = (0, 0);
        for (lane, &place) in places.iter().enumerate().take(BLOCK) {
            let to = (place as usize).min(self.last_place) * self.size;
            match drain.runs.get_mut(drain.end.wrapping_sub(1)) {
                // Neighbours go in one run, so that only lines at its ends are written in part.
                Some(run) if run.to + run.length == to => run.length += self.size,
                _ => {
                    drain.runs[drain.end % BLOCK] = Run { from: lane * self.size, to, length: self.size };
                    drain.end += 1;
                }
            }
        }
    }

    /// Streams the next `lines` lines of what `drain` says is to be streamed from `stage`.
    #[inline(always)]
    pub(crate) fn stream<I: Isa>(&mut self, isa: I, stage: &[f32], drain: &mut Drain, mut lines: usize) {
        while drain.next < drain.end && lines > 0 {
            let Run { from, to, length } = drain.runs[drain.next % BLOCK];
            let mut part = length.min(lines * BLOCK);
            if part < length {
                // Up to a line's end, so that the next part begins on one.
                part -= self.base.wrapping_add(to + part).addr() % size_of::<Line>() / size_of::<f32>();
            }
            let Some(source) = stage.get(from..from + part) else { return };
            if to + part > (self.last_place + 1) * self.size {
                return;
            }
            // SAFETY: `new` made sure that all places up to `last_place` are in the buffer, which is borrowed mutably, and
            // the part ends in them.
            let target = unsafe { std::slice::from_raw_parts_mut(self.base.add(to), part) };
            isa.stream_copy(source, target);
            lines = lines.saturating_sub(part.div_ceil(BLOCK));
            drain.runs[drain.next % BLOCK] = Run { from: from + part, to: to + part, length: length - part };
            drain.next += usize::from(part == length);
        }
    }
}

/// Floats that stand together in a stage and go together to a buffer.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    to: usize,
    length: usize,
}

/// What of a stage still has to be streamed.
pub(crate) struct Drain {
    runs: [Run; BLOCK],
    next: usize,
    end: usize,
}

impl Drain {
    /// Nothing to stream.
    pub(crate) const EMPTY: Self = Self { runs: [Run { from: 0, to: 0, length: 0 }; BLOCK], next: 0, end: 0 };
}

/// How many of `length` floats at `to` stand ahead of the first whole line, and how many whole lines follow. What is
/// ahead and what is left behind are less than a line each, as the address of a float is a multiple of its size.
#[inline(always)]
pub(super) fn whole_lines(to: *const f32, length: usize) -> (usize, usize) {
    let line = size_of::<Line>();
    let head = ((line - to.addr() % line) % line / size_of::<f32>()).min(length);
    (head, (length - head) / BLOCK)
}

/// Where each lane writes. Places of two lanes may be the same.
pub(crate) struct PlaceLanes<'a> {
    /// Of as many lanes as the level has, `size` floats can be written from here.
    pub(super) first: [*mut f32; BLOCK],
    size: usize,
    /// How many floats on the next group writes what this one writes now, or zero: where to fetch lines for writing.
    pub(super) ahead: usize,
    buffer: PhantomData<&'a mut [f32]>,
}

impl PlaceLanes<'_> {
    /// Where an entry begins in every place; the last if there is none such.
    #[inline(always)]
    pub(super) fn offset(&self, entry: u32) -> usize {
        (entry as usize * PALETTE_FLOATS).min(self.size - PALETTE_FLOATS)
    }
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
