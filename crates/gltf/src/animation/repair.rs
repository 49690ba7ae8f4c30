//! What has an obvious meaning in the keys of rotations is put in its place.

use std::sync::Arc;

use throng_tracks::Interpolation;

/// Brings rotations of integers to unit length, which their rounding took from them. Tangents stay, and so does what no
/// rounding explains: the track brings that to unit length too, and tells of it.
pub(super) fn normalise(values: &mut [f32], interpolation: Interpolation) {
    let (of, each) = layout(interpolation);
    for key in values.chunks_exact_mut(4 * each) {
        let q = &mut key[4 * of..4 * of + 4];
        let length = q.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
        if (length - 1.0).abs() <= 1e-2 {
            q.iter_mut().for_each(|v| *v = (f64::from(*v) / length) as f32);
        }
    }
}

/// Where a key's quaternion stands among its values, and how many values it has.
fn layout(interpolation: Interpolation) -> (usize, usize) {
    match interpolation {
        Interpolation::CubicSpline => (1, 3),
        _ => (0, 1),
    }
}

/// The keys whose quaternion has a length, tangents and all, and how many have none. If none has one, the identity
/// stands at every key, so that the clip keeps its length.
pub(super) fn without_zeros(
    times: Arc<[f32]>,
    mut values: Vec<f32>,
    interpolation: Interpolation,
) -> (Arc<[f32]>, Vec<f32>, usize) {
    let (of, each) = layout(interpolation);
    let is_zero = |key: &[f32]| key[4 * of..4 * of + 4].iter().all(|&v| v == 0.0);
    let zeros = values.chunks_exact(4 * each).filter(|key| is_zero(key)).count();
    if zeros == 0 {
        return (times, values, 0);
    }
    if zeros == times.len() {
        for key in values.chunks_exact_mut(4 * each) {
            key.fill(0.0);
            key[4 * of + 3] = 1.0;
        }
        return (times, values, zeros);
    }
    let keys = times.iter().zip(values.chunks_exact(4 * each)).filter(|(_, key)| !is_zero(key));
    let (times, values): (Vec<f32>, Vec<&[f32]>) = keys.unzip();
    (times.into(), values.concat(), zeros)
}

/// The keys of a cubic track whose quaternion lies in the other hemisphere than the previous key's.
pub(super) fn jumps(values: &[f32]) -> Vec<usize> {
    let quaternions: Vec<&[f32]> = values.chunks_exact(12).map(|key| &key[4..8]).collect();
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let pairs = quaternions.windows(2).enumerate();
    pairs.filter(|(_, pair)| dot(pair[0], pair[1]) < 0.0).map(|(key, _)| key + 1).collect()
}
