//! The curve between two times, with what a track shows beyond its keys written out.

use super::keys::{Key, Keys};
use super::window::{shown, window};
use crate::tools::TimeError;
use crate::tools::reverse::mirrored;
use crate::{Channel, Extrapolation, Interpolation, Track, find_key};

/// More keys than this are not written out.
const MOST_KEYS: usize = 1 << 22;

/// The form in which the curve of `track` from `start` to `end` can be written: its own interpolation wherever it can be
/// cut in that, else the one with fewest keys that holds the same curve.
///
/// The track must not be Catmull-Rom: those become cubic splines first.
pub(in crate::tools) fn form_of(track: &Track, start: f32, end: f32) -> Interpolation {
    match track.interpolation() {
        own @ (Interpolation::Nlerp | Interpolation::QuasiSpherical) => {
            let rounds = Beyond::of(track, start, end).any(repeats);
            let cut = rounds || [start, end].into_iter().any(|t| cuts(track, t));
            if cut { Interpolation::CubicSpline } else { own }
        }
        Interpolation::Step if Beyond::of(track, start, end).any(|mode| mode == Extrapolation::Linear) => {
            Interpolation::Linear
        }
        own => own,
    }
}

/// Whether `t` is between two keys that differ.
fn cuts(track: &Track, t: f32) -> bool {
    let times = track.times();
    let Some(key) = find_key(times, t) else { return false };
    times[key] < t && key + 1 < times.len() && track.value(key) != track.value(key + 1)
}

fn repeats(mode: Extrapolation) -> bool {
    matches!(mode, Extrapolation::Loop | Extrapolation::PingPong)
}

/// How a track goes on ahead of its first key and behind its last, as far as a stretch of time shows it.
struct Beyond {
    before: Extrapolation,
    after: Extrapolation,
}

impl Beyond {
    fn of(track: &Track, start: f32, end: f32) -> Self {
        let (first, last) = ends(track);
        let (before, after) = track.extrapolation();
        let lines = !track.channel().is_rotation() && track.channel() != Channel::Discrete;
        let seen = |mode, seen: bool, steady: bool| match mode {
            Extrapolation::Linear if seen && lines && !steady => mode,
            Extrapolation::Loop | Extrapolation::PingPong if seen && last > first => mode,
            _ => Extrapolation::Clamp,
        };
        let times = track.times();
        let n = times.len();
        Self {
            before: seen(before, start < first, n < 2 || times[0] == times[1]),
            after: seen(after, end > last, n < 2 || times[n - 2] == times[n - 1]),
        }
    }

    fn any(&self, is: impl Fn(Extrapolation) -> bool) -> bool {
        is(self.before) || is(self.after)
    }
}

fn ends(track: &Track) -> (f32, f32) {
    let times = track.times();
    (times[0], times[times.len() - 1])
}

/// The curve of `track` from `start` to `end`, in a `form` that can hold it.
///
/// Where a track that loops starts again there are two keys at one time, of which the later holds; the track itself shows
/// its last key at the very end of its first round. Functions are left alone: they are asked wherever they are cut.
pub(in crate::tools) fn stretch(
    label: &str,
    track: &Track,
    form: Interpolation,
    start: f32,
    end: f32,
) -> Result<Keys, TimeError> {
    let beyond = Beyond::of(track, start, end);
    if form == Interpolation::Custom || !beyond.any(|mode| mode != Extrapolation::Clamp) {
        return Ok(window(track, form, start, end));
    }
    let (first, last) = ends(track);
    let mut keys = Keys::new(form);
    if beyond.before == Extrapolation::Linear {
        let (from, to) = (start, first.min(end));
        line(track, 0, [from, to], &mut keys);
    } else if repeats(beyond.before) {
        rounds(label, track, beyond.before, [start, first.min(end)], &mut keys)?;
    }
    // The track's own time, and beyond it where it stands.
    let from = if beyond.before == Extrapolation::Clamp { start } else { start.max(first) };
    let to = if beyond.after == Extrapolation::Clamp { end } else { end.min(last) };
    if from <= to {
        window(track, form, from, to).keys.into_iter().for_each(|key| keys.push(key));
    }
    if beyond.after == Extrapolation::Linear {
        line(track, track.times().len() - 2, [start.max(last), end], &mut keys);
    } else if repeats(beyond.after) {
        rounds(label, track, beyond.after, [start.max(last), end], &mut keys)?;
    }
    Ok(keys)
}

/// The line through a key and the next, between two times.
fn line(track: &Track, key: usize, times: [f32; 2], keys: &mut Keys) {
    let (a, b) = (track.value(key), track.value(key + 1));
    let (start, end) = (f64::from(track.times()[key]), f64::from(track.times()[key + 1]));
    let slope: Vec<f64> =
        a.iter().zip(b).map(|(&a, &b)| (f64::from(b) - f64::from(a)) / (end - start)).collect();
    let tangent = if keys.form == Interpolation::CubicSpline {
        slope.iter().map(|&v| v as f32).collect()
    } else {
        Vec::new()
    };
    for time_s in times {
        // From the nearer key, so that the line meets it to the last bit.
        let (origin, value) = if f64::from(time_s) <= start { (start, a) } else { (end, b) };
        let along = f64::from(time_s) - origin;
        let value = value.iter().zip(&slope).map(|(&v, &m)| (f64::from(v) + m * along) as f32).collect();
        keys.push(Key { time_s, enter: tangent.clone(), value, leave: tangent.clone() });
    }
}

/// The keys of a track again and again, between two times that are both ahead of its first key or behind its last.
fn rounds(
    label: &str,
    track: &Track,
    mode: Extrapolation,
    [start, end]: [f32; 2],
    keys: &mut Keys,
) -> Result<(), TimeError> {
    let (first, last) = ends(track);
    let (origin, period) = (f64::from(first), f64::from(last) - f64::from(first));
    let clamped = track.clone().with_extrapolation(Extrapolation::Clamp, Extrapolation::Clamp);
    let turned = mirrored(label, &clamped, origin + f64::from(last))?;
    let [from, to] = [start, end].map(|t| (f64::from(t) - origin) / period);
    let count = to.ceil() - from.floor();
    if count * turned.times().len() as f64 > MOST_KEYS as f64 {
        return Err(TimeError::TooManyKeys {
            track: label.to_owned(),
            keys: track.times().len(),
            period_s: period as f32,
            end_s: end,
            limit: MOST_KEYS,
        });
    }
    // A single instant is in a round too.
    for round in from.floor() as i64..to.ceil().max(from.floor() + 1.0) as i64 {
        let source = if mode == Extrapolation::PingPong && round % 2 != 0 { &turned } else { track };
        let shift = round as f64 * period;
        let [a, b] = [start, end].map(|t| ((f64::from(t) - shift) as f32).clamp(first, last));
        for mut key in window(source, keys.form, a, b).keys {
            key.time_s = match key.time_s {
                // A round that is cut is cut where it was asked for.
                t if t == a && a > first => start,
                t if t == b && b < last => end,
                t => ((f64::from(t) + shift) as f32).clamp(start, end),
            };
            keys.push(key);
        }
    }
    if mode == Extrapolation::Loop && to == to.floor() && end > last {
        keys.push(Key { time_s: end, ..shown(track, 0, keys.form) });
    }
    Ok(())
}
