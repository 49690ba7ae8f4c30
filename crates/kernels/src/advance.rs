//! Many clocks, one step, without a branch.

use thiserror::Error;
use throng_tracks::ClockState;

use crate::isa::{BLOCK, Doubles, Isa, Level, dispatch};

/// Clocks as columns, one entry a clock: what steps change, and what they need.
///
/// Each column is a field of [`ClockState`] or [`ClockTerms`](throng_tracks::ClockTerms), which say what they mean.
#[derive(Debug)]
pub struct ClockColumns<'a> {
    /// [`ClockState::phase_s`].
    pub phase_s: &'a mut [f64],
    /// [`ClockState::passes`].
    pub passes: &'a mut [f64],
    /// [`ClockState::wait_s`].
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

/// Advances each clock by `dt_s` seconds, as [`ClockState::advance`] does, bit for bit, at every level.
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
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || advance_columns(isa, clocks, dt_s, done)));
    Ok(())
}

/// The columns of sixteen clocks, and what a step did to them.
struct Sixteen<'a> {
    phase_s: &'a mut [f64; BLOCK],
    passes: &'a mut [f64; BLOCK],
    wait_s: &'a mut [f64; BLOCK],
    speed: &'a [f32; BLOCK],
    min_s: &'a [f32; BLOCK],
    max_s: &'a [f32; BLOCK],
    first: &'a [f32; BLOCK],
    last: &'a [f32; BLOCK],
    ends: &'a mut [f64; BLOCK],
    overshoot_s: &'a mut [f64; BLOCK],
}

#[inline(always)]
fn advance_columns<I: Doubles>(isa: I, clocks: ClockColumns<'_>, dt_s: f64, done: AdvancedColumns<'_>) {
    let (phases, phases_left) = clocks.phase_s.as_chunks_mut();
    let (passes, passes_left) = clocks.passes.as_chunks_mut();
    let (waits, waits_left) = clocks.wait_s.as_chunks_mut();
    let (speeds, speeds_left) = clocks.speed.as_chunks();
    let (mins, mins_left) = clocks.min_s.as_chunks();
    let (maxs, maxs_left) = clocks.max_s.as_chunks();
    let (firsts, firsts_left) = clocks.first.as_chunks();
    let (lasts, lasts_left) = clocks.last.as_chunks();
    let (ends, ends_left) = done.passes.as_chunks_mut();
    let (overshoots, overshoots_left) = done.overshoot_s.as_chunks_mut();
    let moving = phases.iter_mut().zip(passes).zip(waits).zip(ends).zip(overshoots);
    let terms = speeds.iter().zip(mins).zip(maxs).zip(firsts).zip(lasts);
    for (moving, terms) in moving.zip(terms) {
        let ((((phase_s, passes), wait_s), ends), overshoot_s) = moving;
        let ((((speed, min_s), max_s), first), last) = terms;
        let clocks = Sixteen { phase_s, passes, wait_s, speed, min_s, max_s, first, last, ends, overshoot_s };
        advance_sixteen(isa, clocks, dt_s);
    }
    if phases_left.is_empty() {
        return;
    }
    // Those that fill no block, among clocks that stand still.
    let (mut phase_s, mut passes, mut wait_s) =
        (padded(phases_left), padded(passes_left), padded(waits_left));
    let (mut ends, mut overshoot_s) = ([0.0; BLOCK], [0.0; BLOCK]);
    let clocks = Sixteen {
        phase_s: &mut phase_s,
        passes: &mut passes,
        wait_s: &mut wait_s,
        speed: &padded(speeds_left),
        min_s: &padded(mins_left),
        max_s: &padded(maxs_left),
        first: &padded(firsts_left),
        last: &padded(lasts_left),
        ends: &mut ends,
        overshoot_s: &mut overshoot_s,
    };
    advance_sixteen(isa, clocks, dt_s);
    unpad(&phase_s, phases_left);
    unpad(&passes, passes_left);
    unpad(&wait_s, waits_left);
    unpad(&ends, ends_left);
    unpad(&overshoot_s, overshoots_left);
}

#[inline(always)]
fn padded<T: Copy + Default>(from: &[T]) -> [T; BLOCK] {
    let mut block = [T::default(); BLOCK];
    for (to, &from) in block.iter_mut().zip(from) {
        *to = from;
    }
    block
}

#[inline(always)]
fn unpad(block: &[f64; BLOCK], to: &mut [f64]) {
    for (to, &from) in to.iter_mut().zip(block) {
        *to = from;
    }
}

/// One step. Yes and no are 1 and 0, and `select_at_least` reads as "where .. is at least ..: .., else ..".
///
/// Everything is counted for every lane, whether it waits, is frozen or has no length; what must not count is selected
/// away at the end. A multiplication is never fused with what follows: all levels return what the scalar code returns.
#[inline(always)]
fn advance_sixteen<I: Doubles>(isa: I, clocks: Sixteen<'_>, dt_s: f64) {
    let (zero, one, dt) = (isa.splat_double(0.0), isa.splat_double(1.0), isa.splat_double(dt_s));
    for part in 0..BLOCK / I::DOUBLES {
        let (phase, passes) = (isa.load_doubles(clocks.phase_s, part), isa.load_doubles(clocks.passes, part));
        let (speed, wait) = (isa.widen(clocks.speed, part), isa.load_doubles(clocks.wait_s, part));
        let (first, last) = (isa.widen(clocks.first, part), isa.widen(clocks.last, part));
        let length = isa.widen(clocks.max_s, part) - isa.widen(clocks.min_s, part);

        // The delay's part of the step, and the rest. Speed 0 freezes both.
        let frozen = isa.select_at_least(zero, absolute(isa, speed), one, zero);
        let time = isa.select_at_least(frozen, one, zero, dt);
        let waited = isa.select_at_least(time, wait, wait, time);
        let (wait, run) = (wait - waited, time - waited);
        let live = isa.select_at_least(zero, wait, one - frozen, zero);

        // The travel, where there is something to travel in.
        let delta = speed * run;
        let inside = isa.select_at_least(zero, length, zero, delta);
        let (turned, rest) =
            travel(isa, phase, passes, inside, isa.select_at_least(zero, length, one, length));
        let still = absolute(isa, inside);
        let new_passes = isa.select_at_least(zero, still, passes, turned);
        let new_phase = isa.select_at_least(zero, still, phase, rest);

        // The end in the direction of travel. Of an endless play it is infinitely many passes away, and its phase NaN,
        // which no comparison with it lets through.
        let bound = isa.select_at_least(speed, zero, last, first);
        let below = floor(isa, isa.select_at_least(speed, zero, zero - bound, bound));
        let before_last = zero - below - one;
        let before_last = isa.select_at_least(before_last, zero, before_last, zero);
        let end_passes = isa.select_at_least(speed, zero, before_last, below);
        let end_phase = (bound - end_passes) * length;

        // Whether it was reached: by passes, and by phase in the same pass.
        let sign = isa.select_at_least(speed, zero, one, zero - one);
        let (passes_over, phase_over) = ((new_passes - end_passes) * sign, (new_phase - end_phase) * sign);
        let in_pass = isa.select_at_least(phase_over, zero, live, zero);
        let reached = isa.select_at_least(zero, passes_over, in_pass, live);
        let reached = isa.select_at_least(passes_over, zero, reached, zero);
        let way = (end_passes - passes) * length + (end_phase - phase);
        let overshoot = (delta - way) / speed;
        let overshoot = isa.select_at_least(zero, overshoot, zero, overshoot);
        let overshoot = isa.select_at_least(overshoot, run, run, overshoot);

        let new_passes = isa.select_at_least(reached, one, end_passes, new_passes);
        let new_phase = isa.select_at_least(reached, one, end_phase, new_phase);
        let ends = ends_behind(isa, speed, length, new_passes, new_phase)
            - ends_behind(isa, speed, length, passes, phase);
        isa.store_doubles(new_phase, clocks.phase_s, part);
        isa.store_doubles(new_passes, clocks.passes, part);
        let forever = isa.splat_double(f64::INFINITY);
        isa.store_doubles(isa.select_at_least(reached, one, forever, wait), clocks.wait_s, part);
        isa.store_doubles(ends, clocks.ends, part);
        isa.store_doubles(isa.select_at_least(reached, one, overshoot, zero - one), clocks.overshoot_s, part);
    }
}

/// Passes and phase after `delta` seconds more of the clip, a pass having `length` seconds, above 0.
#[inline(always)]
fn travel<I: Doubles>(isa: I, phase: I::D, passes: I::D, delta: I::D, length: I::D) -> (I::D, I::D) {
    let (zero, one) = (isa.splat_double(0.0), isa.splat_double(1.0));
    let t = phase + delta;
    let turns = floor(isa, clamp(isa, t / length, ClockState::MOST_PASSES_A_STEP));
    let rest = t - turns * length;
    let turns = isa.select_at_least(rest, zero, turns, turns - one);
    let rest = isa.select_at_least(rest, zero, rest, rest + length);
    let turns = isa.select_at_least(rest, length, turns + one, turns);
    let rest = isa.select_at_least(rest, length, zero, rest);
    let rest = isa.select_at_least(rest, zero, rest, zero);
    (clamp(isa, passes + turns, ClockState::MOST_PASSES), rest)
}

/// Ends of passes behind a clock or just reached, by the direction of travel.
#[inline(always)]
fn ends_behind<I: Doubles>(isa: I, speed: I::D, length: I::D, passes: I::D, phase: I::D) -> I::D {
    let (zero, one) = (isa.splat_double(0.0), isa.splat_double(1.0));
    let forwards = isa.select_at_least(phase, length, one, zero);
    let backwards = isa.select_at_least(zero, phase, zero, one);
    passes + isa.select_at_least(speed, zero, forwards, backwards)
}

#[inline(always)]
fn absolute<I: Doubles>(isa: I, v: I::D) -> I::D {
    let zero = isa.splat_double(0.0);
    isa.select_at_least(v, zero, v, zero - v)
}

/// `v` between `-most` and `most`.
#[inline(always)]
fn clamp<I: Doubles>(isa: I, v: I::D, most: f64) -> I::D {
    let (least, most) = (isa.splat_double(-most), isa.splat_double(most));
    let v = isa.select_at_least(v, least, v, least);
    isa.select_at_least(v, most, most, v)
}

/// The next whole number at or below `v`.
///
/// Doubles from `2^52` to `2^53` are the whole numbers: adding one of them rounds to the nearest whole number, which is one
/// too many half of the time. From `2^51` on `v` is what comes out: it is either a widened float or infinite, so whole.
/// Not every level has an instruction for it.
#[inline(always)]
fn floor<I: Doubles>(isa: I, v: I::D) -> I::D {
    let (one, far) = (isa.splat_double(1.0), isa.splat_double((3u64 << 51) as f64));
    let near = v + far - far;
    let below = isa.select_at_least(v, near, near, near - one);
    isa.select_at_least(absolute(isa, v), isa.splat_double((1u64 << 51) as f64), v, below)
}
