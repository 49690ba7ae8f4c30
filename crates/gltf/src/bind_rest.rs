//! The pose that a skin was bound in, as the rest pose: the inverses of its inverse bind matrices.

use glam::{Affine3A, DAffine3, DQuat};
use throng_tracks::{Rest, Transform};

use crate::Report;
use crate::inverse_bind::is_flat;
use crate::nodes::{affine_difference, decompose, inherit};
use crate::skin::RawSkin;

/// Two skins that bind a joint differently, and shear that is lost, are reported beyond this part of a column's length.
const APART: f64 = 1e-3;

/// Where each node stands in model space at bind time; none for nodes that no skin with matrices names.
pub(crate) fn bound(
    nodes: usize,
    skins: &[RawSkin<'_>],
    inverse_binds: &[Option<Vec<Affine3A>>],
    report: &mut Report,
) -> Vec<Option<DAffine3>> {
    let mut bound: Vec<Option<DAffine3>> = vec![None; nodes];
    for (skin, matrices) in skins.iter().zip(inverse_binds) {
        let (mut flat, mut other) = (0, 0);
        for (&node, matrix) in skin.nodes.iter().zip(matrices.iter().flatten()) {
            let bind = matrix.as_daffine3().inverse();
            if is_flat(matrix) || !bind.is_finite() {
                flat += 1;
                continue;
            }
            match bound[node] {
                Some(first) => other += usize::from(affine_difference(&first, &bind) > APART),
                None => bound[node] = Some(bind),
            }
        }
        if flat > 0 {
            let what = format!(
                "{flat} joints keep the rest of their node, since their bind matrix can't be inverted"
            );
            report.skip(skin.at.place, what);
        }
        if other > 0 {
            let what = format!(
                "{other} joints are bound elsewhere by a skin before this one, whose bind pose is the rest"
            );
            report.remark(skin.at.place, what);
        }
    }
    bound
}

/// Puts the rest of bound nodes, relative to their parents, in the place of their own.
pub(crate) fn replace(
    rests: &mut [(usize, Rest)],
    parents: &[Option<usize>],
    bound: &[Option<DAffine3>],
    report: &mut Report,
) {
    let mut locals = vec![DAffine3::IDENTITY; parents.len()];
    for (node, rest) in rests.iter() {
        locals[*node] = match rest {
            Rest::Trs(Transform { translation, rotation, scale }) => {
                let rotation = DQuat::from_array(rotation.to_array().map(f64::from)).normalize();
                DAffine3::from_scale_rotation_translation(scale.as_dvec3(), rotation, translation.as_dvec3())
            }
            Rest::Matrix(matrix) => matrix.as_daffine3(),
        };
    }
    let models = inherit(parents, |node, above: Option<DAffine3>| {
        bound[node].unwrap_or_else(|| above.map_or(locals[node], |above| above * locals[node]))
    });
    let (mut replaced, mut kept) = (0, 0);
    for (node, rest) in rests {
        let Some(bind) = bound[*node] else { continue };
        let above = parents[*node].map_or(DAffine3::IDENTITY, |parent| models[parent]);
        let local = above.inverse() * bind;
        let exact = Affine3A::from_cols_array(&local.to_cols_array().map(|v| v as f32));
        if !(exact.is_finite() && local.is_finite()) {
            kept += 1;
            continue;
        }
        let (transform, error) = decompose(&exact);
        if error > APART {
            let what = format!("a sheared bind pose; decomposed, off by {error:.1e}");
            report.repair(format!("nodes[{node}]"), what);
        }
        *rest = Rest::Trs(transform);
        replaced += 1;
    }
    if kept > 0 {
        report.skip(
            "skins",
            format!("{kept} joints keep the rest of their node, since those above them are flat"),
        );
    }
    report.remark("skins", format!("the rest of {replaced} joints was taken from inverse bind matrices"));
}
