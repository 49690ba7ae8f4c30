//! Past the caches in whole lines: a stage for a few entries of each lane.
//!
//! A group of lanes writes many places at once, a piece of each: past the caches as they come, most pieces would be parts
//! of lines. So a window of entries is gathered first, and while the next window is gathered in the stage's other half, the
//! whole lines of the first go out, a few at a time. What is left of a line at a window's end goes with the next window;
//! what two neighbouring places share goes with the last window of the first of them.

use super::{BLOCK, FormatLanes, Isa, Line, PlaceTable};
use crate::layout::PaletteFormat;

/// Entries of a window.
pub(crate) const WINDOW: usize = 8;

/// Floats of a lane in a stage ahead of the window, for what the window before left of a line; as many behind it, for what
/// the next place begins with.
const MARGIN: usize = BLOCK;

/// Lines of half a stage: those of a lane in the largest format, for all lanes.
const HALF_LINES: usize = BLOCK * (2 * MARGIN + WINDOW * 16) / BLOCK;

/// Lines that a [`Stage`] needs.
pub(crate) const STAGE_LINES: usize = 2 * HALF_LINES + BLOCK;

/// Entries that a group of lanes writes together, up to [`WINDOW`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Window {
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Whether there is none behind it.
    pub(crate) last: bool,
}

/// A window of each lane, and the one before it.
pub(crate) struct Stage<'a> {
    half: &'a mut [f32],
    full: &'a mut [f32],
    /// What each lane's place begins with.
    heads: &'a mut [Line; BLOCK],
    /// Floats of a lane in either half.
    lane: usize,
    progress: &'a mut Progress,
}

/// How far a group of lanes has come.
#[derive(Debug)]
pub(crate) struct Progress {
    ends: [Ends; BLOCK],
    /// What of the full half still has to be streamed.
    runs: [Run; BLOCK],
    next: usize,
    end: usize,
}

impl Default for Progress {
    fn default() -> Self {
        let (ends, run) = (Ends { start: 0, next: 0, end: 0 }, Run { from: 0, to: 0, length: 0 });
        Self { ends: [ends; BLOCK], runs: [run; BLOCK], next: 0, end: 0 }
    }
}

/// Of the place of a lane.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// Where it begins.
    start: usize,
    /// Up to where it is written, or will be with the window that is full.
    next: usize,
    /// Up to where this lane has to write.
    end: usize,
}

impl<'a> Stage<'a> {
    /// None if there are fewer lines than [`STAGE_LINES`].
    #[inline(always)]
    pub(crate) fn new(
        lines: &'a mut [Line],
        format: PaletteFormat,
        progress: &'a mut Progress,
    ) -> Option<Self> {
        // Nothing is full yet.
        (progress.next, progress.end) = (0, 0);
        let (halves, heads) = lines.split_at_mut_checked(2 * HALF_LINES)?;
        let (half, full) = halves.split_at_mut_checked(HALF_LINES)?;
        Some(Self {
            half: bytemuck::cast_slice_mut(half),
            full: bytemuck::cast_slice_mut(full),
            heads: heads.first_chunk_mut()?,
            lane: 2 * MARGIN + WINDOW * format.floats(),
            progress,
        })
    }

    /// Begins a group of lanes with these places.
    #[inline(always)]
    pub(crate) fn begin(&mut self, out: &PlaceTable<'_>, places: &[u32]) {
        // Of two lanes with one place, the later one must be the later one in every line.
        let ascending = places.iter().zip(places.iter().skip(1)).all(|(a, b)| a < b);
        let shares = ascending && out.stride == out.size && out.size >= BLOCK;
        let mut before = None;
        for (lane, &place) in places.iter().enumerate().take(BLOCK) {
            let (start, end) = (out.start(place), out.start(place) + out.size);
            let adjoins = shares && before == Some(start);
            let next = if adjoins { start + out.to_line(start) } else { start };
            self.progress.ends[lane] = Ends { start, next, end };
            if let (true, Some(previous)) = (adjoins, self.progress.ends.get_mut(lane.wrapping_sub(1))) {
                previous.end = next;
            }
            before = Some(end);
        }
    }

    /// Where each lane writes the window, and what is to be streamed meanwhile.
    #[inline(always)]
    pub(crate) fn split<I: Isa>(
        &mut self,
        _: I,
        format: PaletteFormat,
        window: &Window,
    ) -> (FormatLanes<'_>, Draining<'_>) {
        let mut first = [self.half.as_mut_ptr(); BLOCK];
        for (lane, first) in first.iter_mut().enumerate().take(I::LANES) {
            // The format is that of `new`, so a window ends where the margin behind it begins.
            *first = first.wrapping_add(lane * self.lane + MARGIN);
        }
        let lanes = FormatLanes::new(format, first, [window.first, WINDOW], None);
        (lanes, Draining { full: self.full, progress: self.progress })
    }

    /// Once what was full is streamed: the window is full, to be streamed from now on.
    #[inline(always)]
    pub(crate) fn turn(&mut self, out: &PlaceTable<'_>, window: &Window, lanes: usize) {
        let floats = out.format.floats();
        let (from, to) = (window.first * floats, (window.first + window.count) * floats);
        let lanes = lanes.min(BLOCK);
        if window.first == 0 {
            for lane in 0..lanes {
                copy_line(&mut self.heads[lane].0, 0, self.half, lane * self.lane + MARGIN);
            }
        }
        (self.progress.next, self.progress.end) = (0, lanes);
        for lane in 0..lanes {
            let Ends { start, next, end } = self.progress.ends[lane];
            let left = lane * self.lane;
            let stop = if window.last {
                let head = self.heads[(lane + 1) % BLOCK].0;
                copy_line(self.half, left + MARGIN + to - from, &head, 0);
                end
            } else {
                copy_line(self.full, left, self.half, left + to - from);
                start + to - out.past_line(start + to)
            };
            let at = (left + MARGIN + next).wrapping_sub(start + from);
            self.progress.runs[lane] = Run { from: at, to: next, length: stop.saturating_sub(next) };
            self.progress.ends[lane].next = stop;
        }
        std::mem::swap(&mut self.half, &mut self.full);
    }
}

/// A line's worth of floats, if both have as many there.
#[inline(always)]
fn copy_line(to: &mut [f32], to_at: usize, from: &[f32], from_at: usize) {
    let to = to.get_mut(to_at..).and_then(|to| to.first_chunk_mut::<BLOCK>());
    let from = from.get(from_at..).and_then(|from| from.first_chunk::<BLOCK>());
    if let (Some(to), Some(from)) = (to, from) {
        *to = *from;
    }
}

/// Floats that stand together in a stage and go together to a buffer.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: usize,
    to: usize,
    length: usize,
}

/// The half of a stage that is full, and what of it still has to be streamed.
pub(crate) struct Draining<'a> {
    full: &'a [f32],
    progress: &'a mut Progress,
}

impl Draining<'_> {
    /// Streams the next `lines` lines.
    #[inline(always)]
    pub(crate) fn stream<I: Isa>(&mut self, isa: I, out: &mut PlaceTable<'_>, mut lines: usize) {
        let drain = &mut *self.progress;
        while drain.next < drain.end && lines > 0 {
            let Run { from, to, length } = drain.runs[drain.next % BLOCK];
            let mut part = length.min(lines.saturating_mul(BLOCK));
            if part < length {
                // Up to a line's end, so that the next part begins on one.
                part -= out.past_line(to + part);
            }
            let Some(source) = self.full.get(from..from.wrapping_add(part)) else { return };
            let Some(target) = out.target(to, part) else { return };
            isa.stream_copy(source, target);
            lines = lines.saturating_sub(part.div_ceil(BLOCK));
            drain.runs[drain.next % BLOCK] = Run { from: from + part, to: to + part, length: length - part };
            drain.next += usize::from(part == length);
        }
    }
}
