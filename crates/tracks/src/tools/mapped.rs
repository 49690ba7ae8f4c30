//! Tracks sent through a map of their values.

use super::curve::asking;
use crate::{Interpolation, Track, TrackError};

/// The track that shows `linear(value) + offset` wherever `track` shows a value.
///
/// `linear` must be linear, and for rotations keep lengths: tangents go through it too, and so every interpolation comes
/// through exactly. Functions of the caller's are asked, and what they answer is sent through the map.
pub(super) fn mapped(
    label: &str,
    track: &Track,
    linear: impl Fn(&mut [f64]) + Send + Sync + 'static,
    offset: &[f64],
) -> Result<Track, TrackError> {
    let n = track.channel().components().max(1);
    let last = track.values().len() / n;
    let is_tangent = |place: usize| match track.interpolation() {
        Interpolation::CubicSpline => place % 3 != 1,
        Interpolation::CatmullRom => place == 0 || place + 1 == last,
        _ => false,
    };
    let mut values = Vec::with_capacity(track.values().len());
    for (place, numbers) in track.values().chunks(n).enumerate() {
        let mut numbers: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
        linear(&mut numbers);
        if !is_tangent(place) {
            add(&mut numbers, offset);
        }
        values.extend(numbers.into_iter().map(|v| v as f32));
    }
    if track.interpolation() == Interpolation::Custom {
        let offset = offset.to_vec();
        let change = move |value: &mut [f64]| {
            linear(value);
            add(value, &offset);
        };
        return asking(label, track, track.times().to_vec(), values, |t| t, change);
    }
    track.with_keys(label, track.times().clone(), values)
}

fn add(numbers: &mut [f64], offset: &[f64]) {
    numbers.iter_mut().zip(offset).for_each(|(v, by)| *v += by);
}
