//! What a user would write first: one character at a time, with glam.
//!
//! It reads the same rows and writes the same palettes as the crowd, and shares no code with the kernels. It is what
//! the crowd is compared with, so it is written as well as such code usually is: nothing is allocated for a character,
//! and every joint is done in the order of the skeleton.

use glam::{Affine3A, Quat, Vec3, Vec4};
use throng::Transform;
use throng::tracks::{Columns, ScaleColumns};

use super::form;
use super::players::Playing;
use super::subject::Subject;

pub(super) struct Naive<'a> {
    pub(super) subject: &'a Subject,
}

impl Naive<'_> {
    /// Memory for one character's model matrices, used again for the next.
    pub(super) fn scratch(&self) -> Vec<Affine3A> {
        vec![Affine3A::IDENTITY; self.subject.bank.skeleton().joint_count()]
    }

    /// Poses characters, one palette after the other.
    pub(super) fn palettes(&self, playing: &[Playing], models: &mut [Affine3A], out: &mut [f32]) {
        for (playing, palette) in playing.iter().zip(out.chunks_exact_mut(self.subject.palette_floats())) {
            self.palette(*playing, models, palette);
        }
    }

    fn palette(&self, playing: Playing, models: &mut [Affine3A], palette: &mut [f32]) {
        let Subject { bank, skin, format, layout, .. } = self.subject;
        let pair = bank.locate(playing.clip, playing.time_s);
        let stride = bank.row_stride();
        let (a, b) = bank.rows()[pair.row as usize * stride..][..2 * stride].split_at(stride);
        let skeleton = bank.skeleton();
        let mut fixed = skeleton.fixed_matrices().iter().peekable();
        for (joint, parent) in skeleton.parents().iter().enumerate() {
            let local = match fixed.next_if(|(fixed, _)| fixed.get() == joint) {
                Some((_, matrix)) => *matrix,
                None => local(&bank.columns()[joint], &bank.constants()[joint], a, b, pair.fraction),
            };
            models[joint] = match parent {
                Some(parent) => models[parent.get()] * local,
                None => local,
            };
        }
        let entries = skin.joints().iter().zip(skin.inverse_bind());
        for ((joint, bind), entry) in entries.zip(palette.chunks_exact_mut(layout.format().floats())) {
            form::write(*format, &(models[joint.get()] * *bind), entry);
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
