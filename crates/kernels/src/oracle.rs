//! The second opinion: bank rows, or authored clips, to palettes, one character at a time, in `f64` with glam.
//!
//! Written to be obviously right, and sharing nothing with the kernels but the data. Slow on purpose.

mod blend;
mod skinning;

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, DVec4};
use throng_tracks::{Bank, JointIndex, RowPair, ScaleColumns, Skeleton, Skin};

pub use blend::{BlendLayer, ClipLayer, blended_model_matrices, clip_model_matrices};
pub use skinning::{SkinnedVertex, skinned_vertices};

/// The model matrix of every joint, between two rows.
///
/// # Panics
/// If the bank has no such rows.
#[must_use]
pub fn model_matrices(bank: &Bank, pair: RowPair) -> Vec<DAffine3> {
    chain(bank.skeleton(), |joint| local(bank, pair, joint))
}

/// A joint's rotation, translation and scale, between two rows.
fn local(bank: &Bank, pair: RowPair, joint: usize) -> Local {
    let stride = bank.row_stride();
    let row = |r: usize| &bank.rows()[r * stride..(r + 1) * stride];
    let (a, b) = (row(pair.row as usize), row(pair.row as usize + 1));
    let four = |row: &[f32], at: u32| {
        let at = at as usize;
        DVec4::new(row[at].into(), row[at + 1].into(), row[at + 2].into(), row[at + 3].into())
    };
    let between = |at: u32| four(a, at).lerp(four(b, at), f64::from(pair.fraction));
    let (columns, constant) = (&bank.columns()[joint], &bank.constants()[joint]);
    Local {
        rotation: match columns.rotation {
            Some(at) => DQuat::from_vec4(between(at)).normalize(),
            None => constant.rotation.as_dquat(),
        },
        translation: match columns.translation {
            Some(at) => between(at).truncate(),
            None => constant.translation.as_dvec3(),
        },
        scale: match (columns.scale, columns.translation) {
            (ScaleColumns::Uniform, Some(at)) => DVec3::splat(between(at).w),
            (ScaleColumns::Axes(at), _) => between(at).truncate(),
            _ => constant.scale.as_dvec3(),
        },
    }
}

/// What a joint does to its parent's space.
#[derive(Clone, Copy)]
struct Local {
    rotation: DQuat,
    translation: DVec3,
    scale: DVec3,
}

/// Model matrices from local transforms.
fn chain(skeleton: &Skeleton, local: impl Fn(usize) -> Local) -> Vec<DAffine3> {
    let mut models: Vec<DAffine3> = Vec::new();
    for joint in skeleton.joints() {
        let j = joint.get();
        let Local { rotation, translation, scale } = local(j);
        let local = match skeleton.fixed_matrix(joint) {
            Some(matrix) => double(&matrix),
            None => DAffine3::from_scale_rotation_translation(scale, rotation, translation),
        };
        let model = match skeleton.parents()[j] {
            Some(JointIndex(parent)) => models[usize::from(parent)] * local,
            None => local,
        };
        models.push(model);
    }
    models
}

/// The palette of a skin, between two rows: `model[joint] * inverse_bind` for each entry.
///
/// # Panics
/// If the bank has no such rows, or the skin is of another skeleton.
#[must_use]
pub fn palette(bank: &Bank, skin: &Skin, pair: RowPair) -> Vec<DAffine3> {
    let models = model_matrices(bank, pair);
    skin.joints().iter().zip(skin.inverse_bind()).map(|(j, bind)| models[j.get()] * double(bind)).collect()
}

fn double(m: &Affine3A) -> DAffine3 {
    let column = |c: glam::Vec3A| DVec3::new(c.x.into(), c.y.into(), c.z.into());
    let m3 = &m.matrix3;
    DAffine3 {
        matrix3: DMat3::from_cols(column(m3.x_axis), column(m3.y_axis), column(m3.z_axis)),
        translation: column(m.translation),
    }
}
