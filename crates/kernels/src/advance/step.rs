//! One step of sixteen clocks: the formulas of `ClockState::advance` in `throng-tracks`, without a branch.

use throng_tracks::ClockState;

use crate::isa::{BLOCK, Doubles, Isa, Level, dispatch};

/// The columns of whole blocks of clocks, and what a step did to them. All of one length.
pub(super) struct Blocks<'a> {
    pub(super) phase_s: &'a mut [[f64; BLOCK]],
    pub(super) passes: &'a mut [[f64; BLOCK]],
    pub(super) wait_s: &'a mut [[f64; BLOCK]],
    pub(super) speed: &'a [[f32; BLOCK]],
    pub(super) min_s: &'a [[f32; BLOCK]],
    pub(super) max_s: &'a [[f32; BLOCK]],
    pub(super) first: &'a [[f32; BLOCK]],
    pub(super) last: &'a [[f32; BLOCK]],
    pub(super) ends: &'a mut [[f64; BLOCK]],
    pub(super) overshoot_s: &'a mut [[f64; BLOCK]],
}

/// One of [`Blocks`].
struct Block<'a> {
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

/// Advances whole blocks by `dt_s`, which is finite, 0 or above.
pub(super) fn advance_blocks(level: Level, blocks: Blocks<'_>, dt_s: f64) {
    dispatch!(exact level, isa => isa.vectorize(#[inline(always)] || advance_lanes(isa, blocks, dt_s)));
}

#[inline(always)]
fn advance_lanes<I: Doubles>(isa: I, blocks: Blocks<'_>, dt_s: f64) {
    let Blocks { phase_s, passes, wait_s, speed, min_s, max_s, first, last, ends, overshoot_s } = blocks;
    let moving = phase_s.iter_mut().zip(passes).zip(wait_s).zip(ends).zip(overshoot_s);
    let terms = speed.iter().zip(min_s).zip(max_s).zip(first).zip(last);
    for (moving, terms) in moving.zip(terms) {
        let ((((phase_s, passes), wait_s), ends), overshoot_s) = moving;
        let ((((speed, min_s), max_s), first), last) = terms;
        let block = Block { phase_s, passes, wait_s, speed, min_s, max_s, first, last, ends, overshoot_s };
        advance_block(isa, block, dt_s);
    }
}

/// One step. Yes and no are 1 and 0, and `select_at_least` reads as "where .. is at least ..: .., else ..".
///
/// Everything is counted for every lane, whether it waits, is frozen or has no length; what must not count is selected
/// away at the end. A multiplication is never fused with what follows: all levels return what the scalar code returns.
#[inline(always)]
fn advance_block<I: Doubles>(isa: I, clocks: Block<'_>, dt_s: f64) {
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
