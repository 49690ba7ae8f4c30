//! How far from exact arithmetic a palette may be.
//!
//! A running error analysis, in f64 and in units of the last place. `M` is a joint's model matrix, `L` its local matrix
//! with the translation `x`, `b` the translation of its inverse bind matrix, `|.|` the Frobenius norm or the length, for
//! `L` and `x` that of the larger of two rows (between them it may vanish, but not its error). The linear part of `M` is
//! wrong by
//!
//! ```text
//! E[j] = (E[parent] + |M[parent]|) |L|
//! ```
//!
//! and its translation by what it inherits, and by a part of all the lengths that are added up on the way to it. In
//! palette space these are the arms from the origin to the bind poses of the joint and of the one it comes after too:
//!
//! ```text
//! arm[j] = (E[j] + |M[j]|) |b|, or the parent's if that is longer
//! T[j]   = T[parent] + (E[parent] + |M[parent]|) |x| + |M[j] 0| + arm[parent] + arm[j]
//! ```

use glam::{Affine3A, DAffine3, DMat3};
use throng_kernels::RowFormat;
use throng_kernels::oracle::{self, BlendLayer};
use throng_tracks::{Bank, JointIndex, RowPair, Skin, Transform};

/// How many last places a unit of the analysis stands for. A plan takes a difference of four for none at all, and the
/// norms leave room.
const PLACES: f64 = 2.0;

/// Numbers this small have fewer places.
const SUBNORMAL: f64 = 4.0 * f32::MIN_POSITIVE as f64;

/// A palette entry, and by how much its linear part and its translation may differ.
pub(crate) struct Expected {
    pub(crate) entry: DAffine3,
    pub(crate) linear: f64,
    pub(crate) translation: f64,
}

impl Expected {
    /// Holds three rows of four to it, and returns the largest difference as a part of what is allowed.
    pub(crate) fn hold(&self, found: &[f32], what: impl Fn() -> String) -> f64 {
        let mut largest = 0.0f64;
        for (at, found) in found.iter().enumerate() {
            let (row, column) = (at / 4, at % 4);
            let (exact, bound) = match column {
                3 => (self.entry.translation[row], self.translation),
                _ => (self.entry.matrix3.col(column)[row], self.linear),
            };
            let error = (f64::from(*found) - exact).abs();
            assert!(
                error <= bound,
                "{}: row {row} column {column} is {found}, exactly {exact}; bound {bound:e}",
                what()
            );
            if bound > 0.0 {
                largest = largest.max(error / bound);
            }
        }
        largest
    }
}

/// The exact palette, with bounds for rows of floats.
pub(crate) fn expected(bank: &Bank, skin: &Skin, pair: RowPair) -> Vec<Expected> {
    let rows = [0.0, 1.0].map(|fraction| RowPair { fraction, ..pair });
    analyse(bank, skin, pair, &rows, PLACES * f64::from(f32::EPSILON))
}

/// The exact palette, with bounds for rows of sixteen bits, whose steps are parts of what all rows of the bank span.
pub(crate) fn expected_packed(bank: &Bank, skin: &Skin, pair: RowPair) -> Vec<Expected> {
    // Half a step of a number, of a fraction and of the weights' sum.
    analyse(bank, skin, pair, &all_rows(bank), 1.0 / 32767.0)
}

/// The exact palette of layers, with bounds for rows of floats or of sixteen bits.
///
/// A sum of layers and the rest may be as short as half of one of them.
pub(crate) fn expected_blend(
    bank: &Bank,
    skin: &Skin,
    layers: &[BlendLayer<'_>],
    format: RowFormat,
) -> Vec<Expected> {
    let models = oracle::blended_model_matrices(bank, layers);
    let unit = if format == RowFormat::F32 { PLACES * f64::from(f32::EPSILON) } else { 1.0 / 32767.0 };
    let mut poses = poses(bank, &all_rows(bank));
    poses.push(bank.skeleton().rest().to_vec());
    analyse_models(bank, skin, &models, &poses, 2.0 * unit)
}

/// Both ends of all pairs.
fn all_rows(bank: &Bank) -> Vec<RowPair> {
    (0..bank.row_count() as u32 - 1)
        .flat_map(|row| [0.0, 1.0].map(|fraction| RowPair { row, fraction }))
        .collect()
}

fn poses(bank: &Bank, rows: &[RowPair]) -> Vec<Vec<Transform>> {
    let pose = |pair: &RowPair| {
        let mut pose = vec![Transform::IDENTITY; bank.skeleton().joint_count()];
        bank.sample(*pair, &mut pose);
        pose
    };
    rows.iter().map(pose).collect()
}

/// With the largest local matrices of `rows`, and numbers that are off by `unit`.
fn analyse(bank: &Bank, skin: &Skin, pair: RowPair, rows: &[RowPair], unit: f64) -> Vec<Expected> {
    analyse_models(bank, skin, &oracle::model_matrices(bank, pair), &poses(bank, rows), unit)
}

fn analyse_models(
    bank: &Bank,
    skin: &Skin,
    models: &[DAffine3],
    rows: &[Vec<Transform>],
    unit: f64,
) -> Vec<Expected> {
    let palette =
        skin.joints().iter().zip(skin.inverse_bind()).map(|(j, bind)| models[j.get()] * double(bind));
    let mut longest_bind = vec![0.0f64; models.len()];
    for (joint, bind) in skin.joints().iter().zip(skin.inverse_bind()) {
        let longest = &mut longest_bind[joint.get()];
        *longest = longest.max(f64::from(bind.translation.length()));
    }
    let mut errors: Vec<Errors> = Vec::new();
    for (j, parent) in bank.skeleton().parents().iter().enumerate() {
        let start = Errors { linear: 0.0, size: 3.0f64.sqrt(), arm: 0.0, translation: 0.0 };
        let above = parent.map_or(start, |p| errors[p.get()]);
        let joint = JointIndex(j as u16);
        let fixed = bank.skeleton().fixed_matrix(joint);
        let locals: Vec<Affine3A> =
            rows.iter().map(|pose| fixed.unwrap_or_else(|| pose[j].to_affine())).collect();
        let larger = |of: fn(&Affine3A) -> f64| locals.iter().map(of).fold(0.0, f64::max);
        let length = larger(|local| norm(&local.matrix3.to_cols_array()));
        let way = larger(|local| local.translation.length().into());
        let size = norm(&models[j].matrix3.to_cols_array());
        let linear = (above.linear + above.size) * length;
        let arm = above.arm.max((linear + size) * longest_bind[j]);
        let translation = above.translation
            + (above.linear + above.size) * way
            + models[j].translation.length()
            + above.arm
            + arm;
        errors.push(Errors { linear, size, arm, translation });
    }
    let bounds = skin.joints().iter().zip(skin.inverse_bind()).map(|(j, bind)| {
        let e = errors[j.get()];
        let size = norm(&bind.matrix3.to_cols_array());
        (unit * (e.linear + e.size) * size + SUBNORMAL, unit * (e.translation + e.arm) + SUBNORMAL)
    });
    let with_bounds = |(entry, (linear, translation))| Expected { entry, linear, translation };
    palette.zip(bounds).map(with_bounds).collect()
}

#[derive(Clone, Copy)]
struct Errors {
    linear: f64,
    size: f64,
    arm: f64,
    translation: f64,
}

fn norm<T: Copy + Into<f64>>(numbers: &[T]) -> f64 {
    numbers.iter().map(|&v| v.into()).map(|v: f64| v * v).sum::<f64>().sqrt()
}

fn double(m: &Affine3A) -> DAffine3 {
    let [x, y, z] = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(|c| c.as_dvec3());
    DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation: m.translation.as_dvec3() }
}
