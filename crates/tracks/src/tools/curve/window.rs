//! The curve between two times.

use super::keys::{Key, Keys, key_of};
use super::piece::write;
use crate::{Interpolation, Track, find_key};

/// The curve from `start` to `end`, in a form that can hold it. Beyond its keys the track stands, whatever its extrapolation.
///
/// A key at `start` comes as it is; of several, the last, which is what the track shows. Of several keys at `end` all that
/// can be seen come: the one that the curve leads to, and the one that holds.
pub(super) fn window(track: &Track, form: Interpolation, start: f32, end: f32) -> Keys {
    let times = track.times();
    let last = times.len() - 1;
    let mut keys = Keys::new(form);
    if form == Interpolation::Custom {
        asked(track, start, end, &mut keys);
        return keys;
    }
    if start < times[0] {
        [start, times[0].min(end)].into_iter().for_each(|t| keys.still(t, track.value(0)));
    }
    let from = find_key(times, start).unwrap_or(0);
    if times[from] == start {
        keys.push(shown(track, from, form));
    }
    for key in from..last {
        if times[key] >= end {
            break;
        }
        if times[key + 1] > times[key] {
            write(track, key, times[key].max(start), times[key + 1].min(end), &mut keys);
        }
    }
    if end > times[last] {
        [times[last].max(start), end].into_iter().for_each(|t| keys.still(t, track.value(last)));
    }
    if let Some(key) = find_key(times, end).filter(|&key| times[key] == end) {
        keys.push(shown(track, key, form));
    }
    keys
}

/// A key as it is, in another form if need be.
pub(super) fn shown(track: &Track, key: usize, form: Interpolation) -> Key {
    let own = key_of(track, key);
    if form == Interpolation::CubicSpline && own.enter.is_empty() {
        let tangent = vec![0.0; own.value.len()];
        return Key { enter: tangent.clone(), leave: tangent, ..own };
    }
    own
}

/// Keys for a track that asks `track`: at the ends what it shows, between them its own.
fn asked(track: &Track, start: f32, end: f32, keys: &mut Keys) {
    let times = track.times();
    let at = |t: f32| {
        let mut value = vec![0.0; track.channel().components()];
        track.sample(t, &mut value);
        value
    };
    keys.still(start, &at(start));
    for key in times.partition_point(|&t| t <= start)..times.partition_point(|&t| t < end) {
        keys.still(times[key], track.value(key));
    }
    keys.still(end, &at(end));
}
