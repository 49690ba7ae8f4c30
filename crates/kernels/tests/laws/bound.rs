//! How far from exact arithmetic a palette may be.
//!
//! A running error analysis, in f64 and in units of the last place. `M` is a joint's model matrix, `L` its local matrix
//! with the translation `x`, `b` the translation of its inverse bind matrix, `|.|` the Frobenius norm or the length. The
//! linear part of `M` is wrong by
//!
//! ```text
//! E[j] = E[parent] |L| + |M[parent]| |L|
//! ```
//!
//! and its translation by what it inherits, and by a part of all the lengths that are added up on the way to it. In
//! palette space these are the arms from the origin to the bind poses of the joint and of the one it comes after too:
//!
//! ```text
//! arm[j] = (E[j] + |M[j]|) |b|, or the parent's if that is longer
//! T[j]   = T[parent] + (E[parent] + |M[parent]|) |x| + |M[j] 0| + arm[parent] + arm[j]
//! ```

use glam::{DAffine3, DMat3};
use throng_kernels::oracle;
use throng_tracks::{Bank, RowPair, Skin};

/// How many last places a unit of the analysis may be wrong by: four is what a plan takes for no difference at all.
const PLACES: f64 = 8.0;

/// A palette entry, and by how much its linear part and its translation may differ.
pub(crate) struct Expected {
    pub(crate) entry: DAffine3,
    pub(crate) linear: f64,
    pub(crate) translation: f64,
}

/// The exact palette, with bounds.
pub(crate) fn expected(bank: &Bank, skin: &Skin, pair: RowPair) -> Vec<Expected> {
    let models = oracle::model_matrices(bank, pair);
    let palette = oracle::palette(bank, skin, pair);
    let mut longest_bind = vec![0.0f64; models.len()];
    for (joint, bind) in skin.joints().iter().zip(skin.inverse_bind()) {
        let longest = &mut longest_bind[joint.get()];
        *longest = longest.max(f64::from(bind.translation.length()));
    }
    let mut errors: Vec<Errors> = Vec::new();
    for (j, parent) in bank.skeleton().parents().iter().enumerate() {
        let start = Errors { linear: 0.0, size: 3.0f64.sqrt(), arm: 0.0, translation: 0.0 };
        let (above, local) = match parent {
            Some(parent) => (errors[parent.get()], local(bank, pair, j)),
            None => (start, models[j]),
        };
        let (length, size) = (norm(&local.matrix3), norm(&models[j].matrix3));
        let linear = (above.linear + above.size) * length;
        let arm = above.arm.max((linear + size) * longest_bind[j]);
        let translation = above.translation
            + (above.linear + above.size) * local.translation.length()
            + models[j].translation.length()
            + above.arm
            + arm;
        errors.push(Errors { linear, size, arm, translation });
    }
    let unit = PLACES * f64::from(f32::EPSILON);
    let bounds = skin.joints().iter().zip(skin.inverse_bind()).map(|(j, bind)| {
        let e = errors[j.get()];
        let [x, y, z] = [bind.matrix3.x_axis, bind.matrix3.y_axis, bind.matrix3.z_axis];
        let size = f64::from(x.length_squared() + y.length_squared() + z.length_squared()).sqrt();
        (unit * (e.linear + e.size) * size, unit * (e.translation + e.arm))
    });
    let with_bounds = |(entry, (linear, translation))| Expected { entry, linear, translation };
    palette.into_iter().zip(bounds).map(with_bounds).collect()
}

#[derive(Clone, Copy)]
struct Errors {
    linear: f64,
    size: f64,
    arm: f64,
    translation: f64,
}

fn norm(m: &DMat3) -> f64 {
    m.to_cols_array().iter().map(|v| v * v).sum::<f64>().sqrt()
}
