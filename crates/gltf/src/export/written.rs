//! Tracks as glTF can hold them: step, linear or cubic, each key later than the one ahead.
//!
//! What is a spline by another name becomes that spline. What is no curve of glTF's at all is laid out in straight pieces,
//! close enough, and the report says so.

use std::borrow::Cow;

use glam::DQuat;
use throng_tracks::{Interpolation, Track, TrackError};

use crate::Report;

/// How far straight pieces may be from the curve: for rotations in radians, else as a part of its largest number.
const TOLERANCE: f64 = 1e-4;

/// Into how many pieces the time between two keys is halved at most: 2 to the power of this.
const HALVINGS: u32 = 10;

/// The track to be written; none, with a line in the report, if it can't be.
pub(super) fn writable<'a>(place: &str, track: &'a Track, report: &mut Report) -> Option<Cow<'a, Track>> {
    match writable_or_why(place, track, report) {
        Ok(written) => Some(written),
        Err(why) => {
            report.skip(place, why.to_string());
            None
        }
    }
}

fn writable_or_why<'a>(
    place: &str,
    track: &'a Track,
    report: &mut Report,
) -> Result<Cow<'a, Track>, TrackError> {
    let name = track.interpolation().name();
    let plain = match track.interpolation() {
        Interpolation::Step | Interpolation::Linear | Interpolation::CubicSpline => Cow::Borrowed(track),
        Interpolation::CatmullRom | Interpolation::Nlerp | Interpolation::QuasiSpherical => {
            match track.to_cubic_spline(place) {
                Ok(Some(spline)) => {
                    report.remark(
                        place,
                        format!("{name} is written as CUBICSPLINE, which holds the same curve"),
                    );
                    Cow::Owned(spline)
                }
                // Keys so near to each other that slopes leave all numbers.
                _ => Cow::Owned(straight(place, track, report)?),
            }
        }
        Interpolation::Custom => Cow::Owned(straight(place, track, report)?),
    };
    increasing(place, plain)
}

/// The track with its curve in straight pieces.
fn straight(place: &str, track: &Track, report: &mut Report) -> Result<Track, TrackError> {
    let mut pieces = Pieces::new(track);
    for key in 0..track.times().len() - 1 {
        let (start, end) = (track.times()[key], track.times()[key + 1]);
        pieces.push(start, pieces.at(start));
        if start < end {
            // A function need not arrive at the value of the next key.
            let (start, left, there) = (pieces.end(start), pieces.end(end.next_down()), pieces.end(end));
            let arrives = apart(track, &left.value, &there.value) <= pieces.allowed;
            let end = if arrives { there } else { left };
            pieces.divide(&start, &end, HALVINGS);
            if !arrives {
                pieces.push(end.t, end.value);
            }
        }
    }
    let last = track.times()[track.times().len() - 1];
    pieces.push(last, pieces.at(last));
    let (keys, name) = (pieces.times.len(), track.interpolation().name());
    let allowed = if track.channel().is_rotation() {
        format!("{TOLERANCE} radians")
    } else {
        format!("{TOLERANCE} of its largest number")
    };
    let jumps = match pieces.jump {
        None => String::new(),
        Some(t) => format!(" but for a jump at {t} s"),
    };
    report.remark(place, format!("{name} is written as LINEAR with {keys} keys, within {allowed}{jumps}"));
    let values = pieces.values.into_iter().flatten().map(|v| v as f32).collect();
    Track::new(place, track.channel(), Interpolation::Linear, pieces.times, values)
}

/// A time, and what the track shows there.
struct End {
    t: f32,
    value: Vec<f64>,
}

/// A curve laid out in straight pieces.
struct Pieces<'a> {
    track: &'a Track,
    allowed: f64,
    times: Vec<f32>,
    values: Vec<Vec<f64>>,
    /// Where the finest pieces were too coarse.
    jump: Option<f32>,
}

impl<'a> Pieces<'a> {
    fn new(track: &'a Track) -> Self {
        let numbers = (0..track.times().len()).flat_map(|key| track.value(key));
        let size = numbers.fold(0.0f64, |size, v| size.max(f64::from(v.abs())));
        // Quaternions differ by half the angle between rotations.
        let allowed = if track.channel().is_rotation() { TOLERANCE / 2.0 } else { TOLERANCE * size };
        Self { track, allowed, times: Vec::new(), values: Vec::new(), jump: None }
    }

    fn at(&self, t: f32) -> Vec<f64> {
        let mut value = vec![0.0; self.track.channel().components()];
        self.track.sample_f64(t, &mut value);
        value
    }

    fn end(&self, t: f32) -> End {
        End { t, value: self.at(t) }
    }

    fn push(&mut self, t: f32, value: Vec<f64>) {
        if self.times.last() != Some(&t) || self.values.last() != Some(&value) {
            self.times.push(t);
            self.values.push(value);
        }
    }

    /// Keys between two times, as many as straight pieces need.
    fn divide(&mut self, start: &End, end: &End, halvings: u32) {
        let way = |part: f64| (f64::from(start.t) + (f64::from(end.t) - f64::from(start.t)) * part) as f32;
        let fits = |part: f64| {
            let t = way(part);
            // The time was rounded.
            let part = (f64::from(t) - f64::from(start.t)) / (f64::from(end.t) - f64::from(start.t));
            apart(self.track, &self.at(t), &self.between(start, end, part)) <= self.allowed
        };
        let middle = way(0.5);
        if !(start.t < middle && middle < end.t) || [0.25, 0.5, 0.75, 0.4, 0.9].into_iter().all(fits) {
            return;
        }
        if halvings == 0 {
            self.jump.get_or_insert(middle);
            return;
        }
        let middle = self.end(middle);
        self.divide(start, &middle, halvings - 1);
        self.push(middle.t, middle.value.clone());
        self.divide(&middle, end, halvings - 1);
    }

    /// What a straight piece shows.
    fn between(&self, a: &End, b: &End, part: f64) -> Vec<f64> {
        if self.track.channel().is_rotation() {
            return quaternion(&a.value).slerp(quaternion(&b.value), part).to_array().to_vec();
        }
        a.value.iter().zip(&b.value).map(|(a, b)| a + (b - a) * part).collect()
    }
}

fn quaternion(value: &[f64]) -> DQuat {
    DQuat::from_array(std::array::from_fn(|i| value[i]))
}

/// How far two values are apart; of a rotation's two names the nearer counts.
fn apart(track: &Track, a: &[f64], b: &[f64]) -> f64 {
    if track.channel().is_rotation() {
        let (a, b) = (quaternion(a), quaternion(b));
        return (a - b).length().min((a + b).length());
    }
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The track with the earlier of two keys at one time just ahead of the later: glTF wants every key later than the last.
/// What can be seen stays the same.
fn increasing<'a>(place: &str, track: Cow<'a, Track>) -> Result<Cow<'a, Track>, TrackError> {
    if track.times().windows(2).all(|w| w[0] < w[1]) {
        return Ok(track);
    }
    let size = track.channel().components() * track.interpolation().values_per_key();
    let (mut times, mut kept): (Vec<f32>, Vec<usize>) = (Vec::new(), Vec::new());
    for key in (0..track.times().len()).rev() {
        let (t, next) = (track.times()[key], times.last().copied());
        // Of three keys at one time the one between is never seen.
        let hidden = key > 0 && track.times()[key - 1] == t && next.is_some_and(|next| t >= next);
        let t = next.map_or(t, |next| t.min(next.next_down()));
        if t >= 0.0 && !hidden {
            times.push(t);
            kept.push(key);
        }
    }
    times.reverse();
    let values = kept.iter().rev().flat_map(|&key| &track.values()[size * key..][..size]).copied().collect();
    Ok(Cow::Owned(track.with_keys(place, times, values)?))
}
