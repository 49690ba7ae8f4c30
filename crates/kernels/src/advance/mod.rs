//! Many clocks, one step, without a branch.

mod step;

use thiserror::Error;

use crate::isa::{BLOCK, Level};
use step::{Blocks, advance_blocks};

/// Clocks as columns, one entry a clock: what steps change, and what they need.
///
/// Each column is a field of [`ClockState`](throng_tracks::ClockState) or [`ClockTerms`](throng_tracks::ClockTerms), which
/// say what they mean.
#[derive(Debug)]
pub struct ClockColumns<'a> {
    /// [`ClockState::phase_s`](throng_tracks::ClockState::phase_s).
    pub phase_s: &'a mut [f64],
    /// [`ClockState::passes`](throng_tracks::ClockState::passes).
    pub passes: &'a mut [f64],
    /// [`ClockState::wait_s`](throng_tracks::ClockState::wait_s).
    pub wait_s: &'a mut [f64],
    /// [`ClockTerms::speed`](throng_tracks::ClockTerms::speed).
    pub speed: &'a [f32],
    /// [`ClockTerms::min_s`](throng_tracks::ClockTerms::min_s).
    pub min_s: &'a [f32],
    /// [`ClockTerms::max_s`](throng_tracks::ClockTerms::max_s).
    pub max_s: &'a [f32],
    /// [`ClockTerms::first`](throng_tracks::ClockTerms::first).
    pub first: &'a [f32],
    /// [`ClockTerms::last`](throng_tracks::ClockTerms::last).
    pub last: &'a [f32],
}

/// What a step did to each clock.
#[derive(Debug)]
pub struct AdvancedColumns<'a> {
    /// Ends of passes that were reached, negative ones backwards: [`Advanced::passes`](throng_tracks::Advanced::passes), a
    /// whole number.
    pub passes: &'a mut [f64],
    /// Seconds of the step that were left when the play finished in it, and -1 where it did not:
    /// [`Advanced::overshoot_s`](throng_tracks::Advanced::overshoot_s).
    pub overshoot_s: &'a mut [f64],
}

/// Why clocks can't be advanced.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AdvanceError {
    /// Time steps are finite, 0 or above.
    #[error("dt_s is {dt_s}, but must be finite, 0 or above")]
    Step {
        /// The step given.
        dt_s: f64,
    },
    /// All columns have one entry a clock.
    #[error("column {column} has {found} entries, but phase_s has {expected}")]
    Length {
        /// Which column.
        column: &'static str,
        /// Its entries.
        found: usize,
        /// Those of the first column.
        expected: usize,
    },
}

/// Advances each clock by `dt_s` seconds, as [`ClockState::advance`](throng_tracks::ClockState::advance) does, bit for bit,
/// at every level.
///
/// The bits are the same for every state and every terms that a [`PlaybackClock`](throng_tracks::PlaybackClock) gives.
/// With numbers that no clock has the result is some number, and nothing else is harmed.
///
/// # Errors
/// If `dt_s` is negative, infinite or NaN, or the columns differ in length; then nothing changed.
///
/// ```
/// use throng_kernels::{AdvancedColumns, ClockColumns, Level, advance_clocks};
/// // Two clips of 2 s: one in an endless loop, one played once at half speed.
/// let (mut phase_s, mut passes, mut wait_s) = ([1.5, 1.5], [0.0; 2], [0.0; 2]);
/// let clocks = ClockColumns {
///     phase_s: &mut phase_s,
///     passes: &mut passes,
///     wait_s: &mut wait_s,
///     speed: &[1.0, 0.5],
///     min_s: &[0.0; 2],
///     max_s: &[2.0; 2],
///     first: &[f32::NEG_INFINITY, 0.0],
///     last: &[f32::INFINITY, 1.0],
/// };
/// let (mut ends, mut overshoot_s) = ([0.0; 2], [0.0; 2]);
/// let done = AdvancedColumns { passes: &mut ends, overshoot_s: &mut overshoot_s };
/// advance_clocks(Level::detect(), clocks, 1.25, done)?;
/// assert_eq!((phase_s, ends, overshoot_s), ([0.75, 2.0], [1.0, 1.0], [-1.0, 0.25]));
/// # Ok::<(), throng_kernels::AdvanceError>(())
/// ```
pub fn advance_clocks(
    level: Level,
    clocks: ClockColumns<'_>,
    dt_s: f64,
    done: AdvancedColumns<'_>,
) -> Result<(), AdvanceError> {
    if !(dt_s >= 0.0 && dt_s.is_finite()) {
        return Err(AdvanceError::Step { dt_s });
    }
    let expected = clocks.phase_s.len();
    let lengths = [
        ("passes", clocks.passes.len()),
        ("wait_s", clocks.wait_s.len()),
        ("speed", clocks.speed.len()),
        ("min_s", clocks.min_s.len()),
        ("max_s", clocks.max_s.len()),
        ("first", clocks.first.len()),
        ("last", clocks.last.len()),
        ("advanced passes", done.passes.len()),
        ("overshoot_s", done.overshoot_s.len()),
    ];
    if let Some(&(column, found)) = lengths.iter().find(|(_, length)| *length != expected) {
        return Err(AdvanceError::Length { column, found, expected });
    }
    // No negative zero.
    let dt_s = dt_s + 0.0;
    let (phase_s, phase_left) = clocks.phase_s.as_chunks_mut();
    let (passes, passes_left) = clocks.passes.as_chunks_mut();
    let (wait_s, wait_left) = clocks.wait_s.as_chunks_mut();
    let (speed, speed_left) = clocks.speed.as_chunks();
    let (min_s, min_left) = clocks.min_s.as_chunks();
    let (max_s, max_left) = clocks.max_s.as_chunks();
    let (first, first_left) = clocks.first.as_chunks();
    let (last, last_left) = clocks.last.as_chunks();
    let (ends, ends_left) = done.passes.as_chunks_mut();
    let (overshoot_s, overshoot_left) = done.overshoot_s.as_chunks_mut();
    let blocks = Blocks { phase_s, passes, wait_s, speed, min_s, max_s, first, last, ends, overshoot_s };
    advance_blocks(level, blocks, dt_s);

    // Those that fill no block, among clocks that stand still.
    let (mut phase_s, mut passes, mut wait_s) = (padded(phase_left), padded(passes_left), padded(wait_left));
    let (mut ends, mut overshoot_s) = (padded(&[]), padded(&[]));
    let block = Blocks {
        phase_s: &mut phase_s,
        passes: &mut passes,
        wait_s: &mut wait_s,
        speed: &padded(speed_left),
        min_s: &padded(min_left),
        max_s: &padded(max_left),
        first: &padded(first_left),
        last: &padded(last_left),
        ends: &mut ends,
        overshoot_s: &mut overshoot_s,
    };
    advance_blocks(level, block, dt_s);
    let left = phase_left.len();
    phase_left.copy_from_slice(&phase_s[0][..left]);
    passes_left.copy_from_slice(&passes[0][..left]);
    wait_left.copy_from_slice(&wait_s[0][..left]);
    ends_left.copy_from_slice(&ends[0][..left]);
    overshoot_left.copy_from_slice(&overshoot_s[0][..left]);
    Ok(())
}

/// One block that begins with the entries of `left`, fewer than a block.
fn padded<T: Copy + Default>(left: &[T]) -> [[T; BLOCK]; 1] {
    let mut block = [T::default(); BLOCK];
    block[..left.len()].copy_from_slice(left);
    [block]
}
