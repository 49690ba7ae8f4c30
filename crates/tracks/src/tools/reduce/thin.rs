//! The keys that one track can do without.

use crate::{Extrapolation, Interpolation, Track, TrackError};

/// At how many places between two neighbouring keys curves are compared.
const PARTS: usize = 8;

/// The track without keys, such that what it shows is never further off than `allowed`, number by number, or for rotations
/// as the length of the difference of quaternions.
pub(super) fn thinned(label: &str, track: &Track, allowed: f64) -> Result<Track, TrackError> {
    let spline = match track.interpolation() {
        Interpolation::CatmullRom => track.to_cubic_spline(label)?,
        Interpolation::Custom => return Ok(track.clone()),
        _ => None,
    };
    let source = spline.as_ref().unwrap_or(track);
    let keep = kept(label, source, allowed);
    if keep.len() == track.times().len() {
        return Ok(track.clone());
    }
    of_keys(label, source, &keep)
}

fn of_keys(label: &str, track: &Track, keys: &[usize]) -> Result<Track, TrackError> {
    let size = track.channel().components() * track.interpolation().values_per_key();
    let times: Vec<f32> = keys.iter().map(|&key| track.times()[key]).collect();
    let values = keys.iter().flat_map(|&key| &track.values()[size * key..][..size]).copied().collect();
    track.with_keys(label, times, values)
}

/// The keys that stay: from each, the furthest that leaves all between them to the curve from one to the other.
fn kept(label: &str, track: &Track, allowed: f64) -> Vec<usize> {
    let times = track.times();
    let last = times.len() - 1;
    let (before, after) = track.extrapolation();
    // A line beyond the keys goes through the two at that end.
    let bound = |key: usize| {
        let line = (key == 1 && before == Extrapolation::Linear)
            || (key + 1 == last && after == Extrapolation::Linear);
        let jumps = key > 0 && times[key - 1] == times[key] || key < last && times[key] == times[key + 1];
        key == 0 || key == last || line || jumps
    };
    let bounds: Vec<usize> = (0..=last).filter(|&key| bound(key)).collect();
    let mut keep = vec![0];
    let mut from = 0;
    while from < last {
        let stop = bounds.get(bounds.partition_point(|&key| key <= from)).copied().unwrap_or(last);
        let fits = |to: usize| replaces(label, track, from, to, allowed);
        // Ever longer jumps ahead, then the longest that fits by halves. Nobody promises that a shorter one fits where a longer
        // one does, but whatever is taken has been tried.
        let (mut good, mut step) = (from + 1, 1);
        let mut bad = stop + 1;
        while good < stop {
            let to = (good + step).min(stop);
            if !fits(to) {
                bad = to;
                break;
            }
            (good, step) = (to, step * 2);
        }
        while bad - good > 1 && good < stop {
            let middle = good + (bad - good) / 2;
            if fits(middle) { good = middle } else { bad = middle }
        }
        keep.push(good);
        from = good;
    }
    keep
}

/// Whether the curve from key `from` straight to key `to` is within what is allowed of the curve through all between.
fn replaces(label: &str, track: &Track, from: usize, to: usize, allowed: f64) -> bool {
    let Ok(direct) = of_keys(label, track, &[from, to]) else { return false };
    let times = track.times();
    (from..to).all(|key| {
        let (start, end) = (f64::from(times[key]), f64::from(times[key + 1]));
        // A step's next key is not yet shown, whatever the rounding.
        let latest = times[key + 1].next_down().max(times[key]);
        let at = |part: usize| ((start + (end - start) * part as f64 / PARTS as f64) as f32).min(latest);
        let differences: Vec<Vec<f64>> =
            (0..=PARTS).map(|part| difference(track, &direct, at(part))).collect();
        differences.iter().all(|d| size(track, d) <= allowed)
            && differences.windows(3).all(|w| {
                // Between three places, a curve leaves them by no more than an eighth of their bend; counted twice.
                let bend: Vec<f64> =
                    (0..w[0].len()).map(|i| (w[0][i] - 2.0 * w[1][i] + w[2][i]) / 4.0).collect();
                w.iter().map(|d| size(track, d)).fold(0.0, f64::max) + size(track, &bend) <= allowed
            })
    })
}

fn difference(a: &Track, b: &Track, t: f32) -> Vec<f64> {
    let n = a.channel().components();
    let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
    a.sample_f64(t, &mut x);
    b.sample_f64(t, &mut y);
    let dot: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    // Of the two names of a rotation the nearer.
    let sign = if a.channel().is_rotation() && dot < 0.0 { -1.0 } else { 1.0 };
    x.iter().zip(&y).map(|(x, y)| x - sign * y).collect()
}

fn size(track: &Track, difference: &[f64]) -> f64 {
    if track.channel().is_rotation() {
        difference.iter().map(|v| v * v).sum::<f64>().sqrt()
    } else {
        difference.iter().map(|v| v.abs()).fold(0.0, f64::max)
    }
}
