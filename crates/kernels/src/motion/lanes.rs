//! The same over lanes.
//!
//! Turns are about one axis, so that a quaternion is two numbers, the sine and the cosine of half the angle. All of it is
//! sums, products, quotients and roots, none of them fused: every level returns the same bits.

use throng_tracks::RowPair;

use super::{MotionBlock, MotionLayer, MotionSums, MotionTable};
use crate::isa::{BLOCK, Isa, Level, Line, RowLanes, RowTable, Scalar, dispatch};
use crate::unroll::each3;

pub(super) fn add(level: Level, table: &MotionTable, layer: MotionLayer<'_>, sums: &mut [MotionSums]) {
    dispatch!(exact level, isa => isa.vectorize(#[inline(always)] || {
        let MotionLayer { clips, from_s, to_s, weights } = layer;
        let layers = clips.iter().zip(from_s).zip(to_s).zip(weights);
        for ((((clips, from_s), to_s), weights), sums) in layers.zip(sums) {
            let [from, to] = table.locate(clips, from_s, to_s);
            add_block(isa, table.table(), [&from, &to], weights, sums);
        }
    }));
}

/// The same for one lane.
pub(super) fn add_one(
    sums: &mut MotionSums,
    lane: usize,
    table: &MotionTable,
    (clip, [from_s, to_s]): (u32, [f64; 2]),
    weight: f32,
) {
    let isa = Scalar::<false>::TOKEN;
    let [from, to] = table.locate(&[clip], &[from_s], &[to_s]);
    let (first, second) = (at(isa, table.table(), &from), at(isa, table.table(), &to));
    let step = step(isa, &first, &second);
    add_part(isa, step, isa.splat(weight), sums, lane);
}

pub(super) fn finish(level: Level, sums: &[MotionSums], shares: &[Line], out: &mut [MotionBlock]) {
    dispatch!(exact level, isa => isa.vectorize(#[inline(always)] || {
        for ((sums, shares), out) in sums.iter().zip(shares).zip(out) {
            finish_block(isa, sums, shares, out);
        }
    }));
}

/// A rigid motion in lanes: its place, and half its turn.
struct Motion<F> {
    place: [F; 3],
    half: [F; 2],
}

/// At rows, on the straight line between two.
#[inline(always)]
fn at<I: Isa>(isa: I, table: RowTable<'_>, pairs: &[RowPair]) -> Motion<I::F> {
    let rows = RowLanes::new(isa, table, pairs);
    let [a, b, c, sine] = isa.between_rows(&rows, 0);
    let [cosine, ..] = isa.between_rows(&rows, 4);
    Motion { place: [a, b, c], half: [sine, cosine] }
}

/// What leads from one to the other, seen from the first: not of unit length, but on the side of no turn.
///
/// The turn is one and the other back, from their difference: so that however small it is, no digit of it is lost. The cosine
/// and the sine of a whole angle are made of those of a half.
#[inline(always)]
fn step<I: Isa>(isa: I, from: &Motion<I::F>, to: &Motion<I::F>) -> Motion<I::F> {
    let (zero, one) = (isa.splat(0.0), isa.splat(1.0));
    let ([a, b, c], [sine, cosine]) = (from.place, from.half);
    let [way_a, way_b, way_c] = [to.place[0] - a, to.place[1] - b, to.place[2] - c];
    let v = cosine * (to.half[0] - sine) - sine * (to.half[1] - cosine);
    let w = cosine * to.half[1] + sine * to.half[0];
    let length = one / isa.sqrt(v * v + w * w);
    let scale = one / (sine * sine + cosine * cosine);
    let product = sine * cosine;
    let sin = (zero - (product + product)) * scale;
    let cos = (cosine * cosine - sine * sine) * scale;
    let place = [way_a, cos * way_b - sin * way_c, sin * way_b + cos * way_c];
    let signed = isa.negate_where_negative(w, length);
    Motion { place, half: [v * signed, w * signed] }
}

#[inline(always)]
fn add_block<I: Isa>(
    isa: I,
    table: RowTable<'_>,
    [from, to]: [&[RowPair; BLOCK]; 2],
    weights: &Line,
    sums: &mut MotionSums,
) {
    for part in 0..BLOCK / I::LANES {
        let first = at(isa, table, from.get(part * I::LANES..).unwrap_or_default());
        let second = at(isa, table, to.get(part * I::LANES..).unwrap_or_default());
        let weight = isa.load(weights, part);
        add_part(isa, step(isa, &first, &second), weight, sums, part);
    }
}

#[inline(always)]
fn add_part<I: Isa>(isa: I, step: Motion<I::F>, weight: I::F, sums: &mut MotionSums, part: usize) {
    let Motion { place, half } = step;
    let [sine, cosine] = [isa.load(&sums.half[0], part), isa.load(&sums.half[1], part)];
    let signed = isa.negate_where_negative(sine * half[0] + cosine * half[1], weight);
    isa.store(sine + half[0] * signed, &mut sums.half[0], part);
    isa.store(cosine + half[1] * signed, &mut sums.half[1], part);
    each3!(C => isa.store(isa.load(&sums.place[C], part) + place[C] * weight, &mut sums.place[C], part));
    isa.store(isa.load(&sums.weights, part) + weight, &mut sums.weights, part);
}

#[inline(always)]
fn finish_block<I: Isa>(isa: I, sums: &MotionSums, shares: &Line, out: &mut MotionBlock) {
    for part in 0..BLOCK / I::LANES {
        let (zero, one) = (isa.splat(0.0), isa.splat(1.0));
        let share = isa.load(shares, part);
        let scale = isa.select_greater(share, one, one / share, one);
        each3!(C => isa.store(isa.load(&sums.place[C], part) * scale, &mut out.place[C], part));
        let still = one - isa.load(&sums.weights, part) * scale;
        let v = isa.load(&sums.half[0], part) * scale;
        let w = isa.load(&sums.half[1], part) * scale + still;
        let square = v * v + w * w;
        let length = isa.negate_where_negative(w, isa.sqrt(square));
        isa.store(isa.select_greater(square, zero, v / length, zero), &mut out.half[0], part);
        isa.store(isa.select_greater(square, zero, w / length, one), &mut out.half[1], part);
    }
}
