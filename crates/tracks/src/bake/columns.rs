//! What moves at all, and where it stands in a row.

use glam::{Quat, Vec3};

use crate::interpolate::align;
use crate::{Columns, ScaleColumns, Skeleton, Transform, extent, model_matrices};

pub(super) struct Layout {
    pub(super) columns: Vec<Columns>,
    pub(super) constants: Vec<Transform>,
    pub(super) width: usize,
}

/// Sees over all rows of all clips which channels leave their first value, and numbers columns for those.
///
/// A joint that moves in any way has rotation columns, and one whose scale moves has translation columns too: kernels
/// then need only a few kinds of joint, and such joints are rare.
pub(super) fn lay_out(skeleton: &Skeleton, clips: &[Vec<Transform>], tolerance: f32) -> Layout {
    let joints = skeleton.joint_count();
    let constants = match clips.iter().find_map(|poses| poses.get(..joints)) {
        Some(first) => first.to_vec(),
        None => skeleton.rest().to_vec(),
    };
    let mut model = vec![Default::default(); joints];
    model_matrices(skeleton, skeleton.rest(), &mut model);
    let length = extent(&model).max(f32::MIN_POSITIVE);

    let mut layout = Layout { columns: vec![Columns::default(); joints], constants, width: 0 };
    for joint in 0..joints {
        let first = layout.constants[joint];
        let rows = || clips.iter().flat_map(|poses| poses.iter().skip(joint).step_by(joints));
        let rotates = rows().any(|t| {
            let turned = align(first.rotation, t.rotation);
            (turned - first.rotation).to_array().iter().any(|d| d.abs() > tolerance)
        });
        let moves =
            rows().any(|t| (t.translation - first.translation).abs().max_element() > tolerance * length);
        let scales = rows().any(|t| (t.scale - first.scale).abs().max_element() > tolerance);
        if !(rotates || moves || scales) {
            continue;
        }
        let mut take = || {
            layout.width += 4;
            Some(layout.width as u32 - 4)
        };
        let columns = &mut layout.columns[joint];
        columns.rotation = take();
        if moves || scales {
            columns.translation = take();
            let uniform = |s: Vec3| s.x == s.y && s.y == s.z;
            columns.scale = match (rows().all(|t| uniform(t.scale)), scales) {
                (true, _) => ScaleColumns::Uniform,
                (false, true) => ScaleColumns::Axes(take().unwrap_or_default()),
                (false, false) => ScaleColumns::Constant,
            };
        }
    }
    layout
}

/// Writes one clip's poses as rows. Neighbouring rotations come to lie in one hemisphere.
pub(super) fn write_rows(
    columns: &[Columns],
    constants: &[Transform],
    poses: &[Transform],
    rows: &mut [f32],
) {
    if rows.is_empty() {
        return;
    }
    let mut previous: Vec<Quat> = constants.iter().map(|c| c.rotation).collect();
    let stride = rows.len() / (poses.len() / columns.len());
    for (pose, row) in poses.chunks_exact(columns.len()).zip(rows.chunks_exact_mut(stride)) {
        for (joint, (columns, t)) in columns.iter().zip(pose).enumerate() {
            let mut put = |at: u32, four: [f32; 4]| row[at as usize..][..4].copy_from_slice(&four);
            if let Some(at) = columns.rotation {
                previous[joint] = align(previous[joint], t.rotation);
                put(at, previous[joint].to_array());
            }
            if let Some(at) = columns.translation {
                let s = if columns.scale == ScaleColumns::Uniform { t.scale.x } else { 1.0 };
                put(at, t.translation.extend(s).to_array());
            }
            if let ScaleColumns::Axes(at) = columns.scale {
                put(at, t.scale.extend(0.0).to_array());
            }
        }
    }
}
