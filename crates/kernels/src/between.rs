//! Palettes between two of the same instance, for frames in which it is not posed.

use crate::isa::half_bits;
use crate::layout::PaletteFormat;

impl PaletteFormat {
    /// The format that [`mix_palettes`] reads where it writes this one: itself, but for halves, which are mixed as floats.
    #[must_use]
    pub const fn mixed_from(self) -> Self {
        match self {
            Self::Half => Self::Affine,
            other => other,
        }
    }
}

/// The palette on the straight way between two: `from + (to - from) * way`, number by number, where quaternions are
/// taken on one side and normalised.
///
/// A mix of matrices is no pose: what turns between the two shrinks on the way, in the middle by 3 % where it turns by 30
/// degrees. That is for short ways and those far off; what is near is better posed.
///
/// `out` is in `format`, and both ends are in [`mixed_from`](PaletteFormat::mixed_from) it. `out` is only written.
/// Of slices of different lengths as many entries are mixed as all have. Same bits on every machine.
///
/// ```
/// use throng_kernels::{PaletteFormat, mix_palettes};
///
/// let (from, to, mut out) = ([0.0; 12], [4.0; 12], [9.0; 12]);
/// mix_palettes(PaletteFormat::Affine, [&from, &to], 0.25, &mut out);
/// assert_eq!(out, [1.0; 12]);
/// ```
pub fn mix_palettes(format: PaletteFormat, [from, to]: [&[f32]; 2], way: f32, out: &mut [f32]) {
    match format {
        PaletteFormat::Affine | PaletteFormat::Matrix => {
            for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
                *out = between(*from, *to, way);
            }
        }
        PaletteFormat::Half => {
            let halves: &mut [u16] = bytemuck::cast_slice_mut(out);
            for ((out, from), to) in halves.iter_mut().zip(from).zip(to) {
                *out = half_bits(between(*from, *to, way));
            }
        }
        PaletteFormat::Similarity => {
            let entries = out.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0).zip(to.as_chunks().0);
            for ((out, from), to) in entries {
                *out = similarity(from, to, way);
            }
        }
    }
}

fn between(from: f32, to: f32, way: f32) -> f32 {
    from + (to - from) * way
}

fn similarity(from: &[f32; 8], to: &[f32; 8], way: f32) -> [f32; 8] {
    let mut to = *to;
    let dot: f32 = (0..4).map(|i| from[i] * to[i]).sum();
    if dot < 0.0 {
        to[..4].iter_mut().for_each(|v| *v = -*v);
    }
    let mut mixed: [f32; 8] = std::array::from_fn(|i| between(from[i], to[i], way));
    // Ends on one side are never further apart than a quarter turn of the sphere, so half of it is left.
    let length = mixed[..4].iter().map(|v| v * v).sum::<f32>().sqrt();
    mixed[..4].iter_mut().for_each(|v| *v /= length);
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_the_ends_in_every_format() {
        let numbers: Vec<f32> = (0..48).map(|i| (i as f32 * 0.37).sin()).collect();
        let others: Vec<f32> = (0..48).map(|i| (i as f32 * 0.91).cos()).collect();
        for format in [PaletteFormat::Affine, PaletteFormat::Matrix] {
            let mut out = vec![0.0; 48];
            mix_palettes(format, [&numbers, &others], 0.0, &mut out);
            assert_eq!(out, numbers);
            mix_palettes(format, [&numbers, &numbers], 0.3, &mut out);
            assert_eq!(out, numbers);
        }
        let mut out = vec![0.0; 24];
        mix_palettes(PaletteFormat::Half, [&numbers, &others], 0.0, &mut out);
        let halves: &[u16] = bytemuck::cast_slice(&out);
        assert!(halves.iter().zip(&numbers).all(|(half, v)| *half == half_bits(*v)));
        assert_eq!(halves.len(), 48);
    }

    #[test]
    fn rotations_take_the_short_way_and_keep_their_length() {
        let turn = |angle: f32, side: f32| {
            let (sin, cos) = (angle / 2.0).sin_cos();
            [0.0, 0.0, side * sin, side * cos, angle, 0.0, 0.0, 2.0]
        };
        for side in [1.0, -1.0] {
            let mut out = [0.0; 8];
            mix_palettes(PaletteFormat::Similarity, [&turn(0.2, 1.0), &turn(0.6, side)], 0.5, &mut out);
            for (found, expected) in out.iter().zip(turn(0.4, 1.0)) {
                assert!((found - expected).abs() < 1e-6, "{out:?}");
            }
        }
    }
}
