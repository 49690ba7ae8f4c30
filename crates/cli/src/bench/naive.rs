//! What a user would write first: one character at a time, with glam.
//!
//! It reads the same rows and writes the same palettes as the crowd, and shares no code with the kernels. It is what
//! the crowd is compared with, so it is written as well as such code usually is: nothing is allocated for a character, joints
//! that the skin does not need are left out, and a joint that no clip moves has its matrix ready.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3, Vec4};
use throng::tracks::{Columns, ScaleColumns};
use throng::{Bank, Skin, Transform};

/// The clip that a character plays, and where in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    pub(super) clip: usize,
    pub(super) time_s: f32,
}

pub(super) struct Naive {
    bank: Arc<Bank>,
    /// Those of the skin and their ancestors, parents before children.
    joints: Vec<Joint>,
    /// For each palette entry its place in `joints`, and the inverse bind matrix.
    entries: Vec<(usize, Affine3A)>,
}

struct Joint {
    /// The parent's place in `joints`.
    parent: Option<usize>,
    local: Local,
}

enum Local {
    Still(Affine3A),
    Moving(Columns, Transform),
}

impl Naive {
    pub(super) fn new(bank: &Arc<Bank>, skin: &Skin) -> Self {
        let skeleton = bank.skeleton();
        let mut needed = vec![false; skeleton.joint_count()];
        for joint in skin.joints() {
            needed[joint.get()] = true;
        }
        // Children first: what a needed joint hangs on is needed.
        for joint in (0..needed.len()).rev() {
            if let (true, Some(parent)) = (needed[joint], skeleton.parents()[joint]) {
                needed[parent.get()] = true;
            }
        }
        let mut places = vec![0; needed.len()];
        let mut joints = Vec::new();
        for joint in skeleton.joints().filter(|j| needed[j.get()]) {
            places[joint.get()] = joints.len();
            let (columns, constant) = (bank.columns()[joint.get()], bank.constants()[joint.get()]);
            let local = match skeleton.fixed_matrix(joint) {
                Some(matrix) => Local::Still(matrix),
                None if columns == Columns::default() => Local::Still(constant.to_affine()),
                None => Local::Moving(columns, constant),
            };
            joints.push(Joint { parent: skeleton.parents()[joint.get()].map(|p| places[p.get()]), local });
        }
        let entries = skin.joints().iter().zip(skin.inverse_bind());
        let entries = entries.map(|(joint, bind)| (places[joint.get()], *bind)).collect();
        Self { bank: Arc::clone(bank), joints, entries }
    }

    /// Memory for one character's model matrices, used again for the next.
    pub(super) fn scratch(&self) -> Vec<Affine3A> {
        vec![Affine3A::IDENTITY; self.joints.len()]
    }

    /// Poses characters, one palette after the other.
    pub(super) fn palettes(&self, playing: &[Playing], models: &mut [Affine3A], out: &mut [f32]) {
        for (playing, palette) in playing.iter().zip(out.chunks_exact_mut(12 * self.entries.len())) {
            self.palette(*playing, models, palette);
        }
    }

    fn palette(&self, playing: Playing, models: &mut [Affine3A], palette: &mut [f32]) {
        let pair = self.bank.locate(playing.clip, playing.time_s);
        let stride = self.bank.row_stride();
        let (a, b) = self.bank.rows()[pair.row as usize * stride..][..2 * stride].split_at(stride);
        for (i, joint) in self.joints.iter().enumerate() {
            let local = match &joint.local {
                Local::Still(matrix) => *matrix,
                Local::Moving(columns, constant) => local(columns, constant, a, b, pair.fraction),
            };
            models[i] = match joint.parent {
                Some(parent) => models[parent] * local,
                None => local,
            };
        }
        for ((joint, bind), rows) in self.entries.iter().zip(palette.chunks_exact_mut(12)) {
            let palette = models[*joint] * *bind;
            let (axes, t) = (palette.matrix3.transpose(), palette.translation);
            axes.x_axis.extend(t.x).write_to_slice(&mut rows[..4]);
            axes.y_axis.extend(t.y).write_to_slice(&mut rows[4..8]);
            axes.z_axis.extend(t.z).write_to_slice(&mut rows[8..]);
        }
    }
}

/// The matrix of a joint between two rows.
fn local(columns: &Columns, constant: &Transform, a: &[f32], b: &[f32], fraction: f32) -> Affine3A {
    let four = |row: &[f32], at: u32| Vec4::from_slice(&row[at as usize..]);
    let Transform { mut translation, mut rotation, mut scale } = *constant;
    if let Some(at) = columns.rotation {
        // The short arc, and normalised.
        rotation = Quat::from_vec4(four(a, at)).lerp(Quat::from_vec4(four(b, at)), fraction);
    }
    if let Some(at) = columns.translation {
        let between = four(a, at).lerp(four(b, at), fraction);
        translation = between.truncate();
        if columns.scale == ScaleColumns::Uniform {
            scale = Vec3::splat(between.w);
        }
    }
    if let ScaleColumns::Axes(at) = columns.scale {
        scale = four(a, at).lerp(four(b, at), fraction).truncate();
    }
    Affine3A::from_scale_rotation_translation(scale, rotation, translation)
}
