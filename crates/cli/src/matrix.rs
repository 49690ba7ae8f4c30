//! Matrices as the numbers that are printed.

use glam::DAffine3;

/// Four columns of four.
pub(crate) type Columns = [f64; 16];

/// Three rows of four; the fourth would be 0 0 0 1.
pub(crate) type Rows = [f64; 12];

pub(crate) fn rows(m: &DAffine3) -> Rows {
    let columns = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
    std::array::from_fn(|i| columns[i % 4][i / 4])
}

/// The same matrix, from rows to columns.
pub(crate) fn columns(rows: &Rows) -> Columns {
    std::array::from_fn(|i| match (i % 4, i / 4) {
        (3, column) => f64::from(u8::from(column == 3)),
        (row, column) => rows[4 * row + column],
    })
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, DQuat, DVec3};

    use super::*;

    #[test]
    fn columns_are_those_of_glam() {
        let (scale, rotation) = (DVec3::new(1.0, 2.0, -3.0), DQuat::from_rotation_y(0.7));
        let m = DAffine3::from_scale_rotation_translation(scale, rotation, DVec3::new(4.0, 5.0, 6.0));
        assert_eq!(columns(&rows(&m)), DMat4::from(m).to_cols_array());
        assert_eq!(rows(&m)[3..8], [4.0, 0.0, 2.0, 0.0, 5.0]);
    }
}
