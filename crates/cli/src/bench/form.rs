//! A palette entry in each format, as plain code writes it, and back for comparison.

use bytemuck::{cast_slice, cast_slice_mut};
use glam::{Affine3A, Mat3A, Mat4, Quat, Vec3};
use half::f16;

use crate::select::Format;

/// Writes a matrix as an entry of that format.
#[inline]
pub(super) fn write(format: Format, matrix: &Affine3A, entry: &mut [f32]) {
    match format {
        Format::Affine => entry.copy_from_slice(&rows(matrix)),
        Format::Matrix => Mat4::from(*matrix).write_cols_to_slice(entry),
        Format::Half => {
            for (half, number) in cast_slice_mut::<f32, u16>(entry).iter_mut().zip(rows(matrix)) {
                *half = f16::from_f32(number).to_bits();
            }
        }
        Format::Similarity => {
            // A mirror's scale is negative, so that a rotation is left.
            let scale = matrix.matrix3.determinant().cbrt();
            let rotation = if scale == 0.0 {
                Quat::IDENTITY
            } else {
                Quat::from_mat3a(&(matrix.matrix3 * scale.recip()))
            };
            rotation.write_to_slice(&mut entry[..4]);
            matrix.translation.extend(scale).write_to_slice(&mut entry[4..]);
        }
    }
}

/// The three rows of the matrix that an entry of that format stands for.
pub(super) fn read(format: Format, entry: &[f32]) -> [f32; 12] {
    match format {
        Format::Affine => std::array::from_fn(|i| entry[i]),
        Format::Matrix => std::array::from_fn(|i| entry[4 * (i % 4) + i / 4]),
        Format::Half => std::array::from_fn(|i| f16::from_bits(cast_slice::<f32, u16>(entry)[i]).to_f32()),
        Format::Similarity => {
            // Not by glam's conversion: it takes only unit quaternions, and what a variant left out is none.
            let [x, y, z, w, tx, ty, tz, s] = std::array::from_fn(|i| entry[i]);
            rows(&Affine3A {
                matrix3: Mat3A::from_cols(
                    Vec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y))
                        .into(),
                    Vec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x))
                        .into(),
                    Vec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
                        .into(),
                ) * s,
                translation: Vec3::new(tx, ty, tz).into(),
            })
        }
    }
}

#[inline]
fn rows(matrix: &Affine3A) -> [f32; 12] {
    let (axes, t) = (matrix.matrix3.transpose(), matrix.translation);
    let mut rows = [0.0; 12];
    axes.x_axis.extend(t.x).write_to_slice(&mut rows[..4]);
    axes.y_axis.extend(t.y).write_to_slice(&mut rows[4..8]);
    axes.z_axis.extend(t.z).write_to_slice(&mut rows[8..]);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_format_reads_back_as_what_was_written() {
        for scale in [1.0, 0.25, -2.0] {
            let matrix = Affine3A::from_scale_rotation_translation(
                Vec3::splat(scale),
                Quat::from_xyzw(0.1, -0.7, 0.5, 0.3).normalize(),
                Vec3::new(1.0, -2.5, 3.0),
            );
            for &format in Format::value_variants() {
                let mut entry = vec![f32::NAN; format.format().floats()];
                write(format, &matrix, &mut entry);
                let tolerance = if format == Format::Half { 2e-3 } else { 2e-6 };
                for (found, expected) in read(format, &entry).iter().zip(by_columns(&matrix)) {
                    assert!((found - expected).abs() <= tolerance, "{format:?}: {found}, {expected}");
                }
            }
        }
    }

    /// The rows of a matrix, by a way of its own.
    fn by_columns(matrix: &Affine3A) -> Vec<f32> {
        let columns = matrix.to_cols_array();
        (0..12).map(|i| columns[3 * (i % 4) + i / 4]).collect()
    }
}
