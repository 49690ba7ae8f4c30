//! What a user would write first: one character at a time, with glam.
//!
//! It reads the same rows and writes the same palettes as the crowd, and shares no code with the kernels. It is what
//! the crowd is compared with, so it is written as well as such code usually is: nothing is allocated for a character,
//! and every joint is done in the order of the skeleton.

use glam::{Affine3A, Quat, Vec3, Vec4};
use throng::Transform;
use throng::tracks::{Columns, ScaleColumns};

use super::form;
use super::players::Players;
use super::subject::Subject;

pub(super) struct Naive<'a> {
    pub(super) subject: &'a Subject,
}

/// Memory for one character, used again for the next.
pub(super) struct Scratch<'a> {
    models: Vec<Affine3A>,
    layers: Vec<Shown<'a>>,
}

/// What a layer shows of a character: two rows, and where between them.
struct Shown<'a> {
    a: &'a [f32],
    b: &'a [f32],
    fraction: f32,
    weight: f32,
    mask: Option<&'a [f32]>,
    additive: bool,
}

impl<'a> Naive<'a> {
    pub(super) fn scratch(&self) -> Scratch<'a> {
        let models = vec![Affine3A::IDENTITY; self.subject.bank.skeleton().joint_count()];
        Scratch { models, layers: Vec::new() }
    }

    /// Poses characters from the `first` on, one palette after the other.
    pub(super) fn palettes(
        &self,
        players: &Players,
        first: usize,
        scratch: &mut Scratch<'a>,
        out: &mut [f32],
    ) {
        for (i, palette) in out.chunks_exact_mut(self.subject.palette_floats()).enumerate() {
            self.show(players, first + i, &mut scratch.layers);
            self.palette(scratch, palette);
        }
    }

    fn show(&self, players: &Players, instance: usize, layers: &mut Vec<Shown<'a>>) {
        let Subject { bank, masks, averages, .. } = self.subject;
        let stride = bank.row_stride();
        layers.clear();
        for layer in 0..self.subject.layer_count() {
            let played = players.layer(layer);
            let playing = played.playing[instance];
            let pair = bank.locate(playing.clip, playing.time_s);
            let (a, b) = bank.rows()[pair.row as usize * stride..][..2 * stride].split_at(stride);
            let mask = masks.as_ref().and_then(|masks| masks.weights(played.masks[instance].into()));
            let (fraction, weight) = (pair.fraction, played.weights[instance]);
            layers.push(Shown { a, b, fraction, weight, mask, additive: layer >= *averages });
        }
    }

    fn palette(&self, scratch: &mut Scratch<'a>, palette: &mut [f32]) {
        let Subject { bank, skin, format, layout, .. } = self.subject;
        let Scratch { models, layers } = scratch;
        let skeleton = bank.skeleton();
        let mut fixed = skeleton.fixed_matrices().iter().peekable();
        for (joint, parent) in skeleton.parents().iter().enumerate() {
            let local = match fixed.next_if(|(fixed, _)| fixed.get() == joint) {
                Some((_, matrix)) => *matrix,
                None => {
                    let Transform { translation, rotation, scale } = if self.subject.is_layered() {
                        let constant = &bank.constants()[joint];
                        blended(&bank.columns()[joint], constant, &skeleton.rest()[joint], joint, layers)
                    } else {
                        layers[0].local(&bank.varying_columns()[joint], &bank.constants()[joint])
                    };
                    Affine3A::from_scale_rotation_translation(scale, rotation, translation)
                }
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

impl Shown<'_> {
    /// The pose of a joint between two rows.
    fn local(&self, columns: &Columns, constant: &Transform) -> Transform {
        let Self { a, b, fraction, .. } = *self;
        let four = |row: &[f32], at: u32| Vec4::from_slice(&row[at as usize..]);
        let mut local = *constant;
        if let Some(at) = columns.rotation {
            // The short arc, and normalised.
            local.rotation = Quat::from_vec4(four(a, at)).lerp(Quat::from_vec4(four(b, at)), fraction);
        }
        if let Some(at) = columns.translation {
            let between = four(a, at).lerp(four(b, at), fraction);
            local.translation = between.truncate();
            if columns.scale == ScaleColumns::Uniform {
                local.scale = Vec3::splat(between.w);
            }
        }
        if let ScaleColumns::Axes(at) = columns.scale {
            local.scale = four(a, at).lerp(four(b, at), fraction).truncate();
        }
        local
    }

    fn weight(&self, joint: usize) -> f32 {
        self.weight * self.mask.map_or(1.0, |mask| mask[joint])
    }
}

/// The pose of a joint by all layers: the average, with what is missing from 1 at rest, and differences on top. What no clip
/// moves is left as it is.
fn blended(
    columns: &Columns,
    constant: &Transform,
    rest: &Transform,
    joint: usize,
    layers: &[Shown<'_>],
) -> Transform {
    let mut sum = Vec4::ZERO;
    let mut pose = Transform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ZERO };
    let mut total = 0.0;
    let mut take = |part: &Transform, weight: f32| {
        let rotation = Vec4::from(part.rotation);
        sum += if sum.dot(rotation) < 0.0 { -rotation } else { rotation } * weight;
        pose.translation += part.translation * weight;
        pose.scale += part.scale * weight;
    };
    for layer in layers.iter().filter(|layer| !layer.additive) {
        let weight = layer.weight(joint);
        take(&layer.local(columns, constant), weight);
        total += weight;
    }
    if total < 1.0 {
        take(rest, 1.0 - total);
    } else {
        pose.translation /= total;
        pose.scale /= total;
    }
    pose.rotation = Quat::from_vec4(sum).normalize();
    for layer in layers.iter().filter(|layer| layer.additive) {
        let (difference, weight) = (layer.local(columns, constant), layer.weight(joint));
        pose.rotation *= Quat::IDENTITY.lerp(difference.rotation, weight);
        pose.translation += difference.translation * weight;
        pose.scale *= Vec3::ONE.lerp(difference.scale, weight);
    }
    Transform {
        translation: if columns.translation.is_some() { pose.translation } else { constant.translation },
        rotation: if columns.rotation.is_some() { pose.rotation } else { constant.rotation },
        scale: if columns.scale == ScaleColumns::Constant { constant.scale } else { pose.scale },
    }
}
