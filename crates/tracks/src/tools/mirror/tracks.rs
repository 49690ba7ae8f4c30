//! Every track of a clip through the map of its joint.

use std::collections::HashSet;

use super::MirrorError;
use super::frames::{Frames, Map, Setting};
use crate::tools::mapped::mapped;
use crate::tools::rebuild::{Target, built, moved};
use crate::{
    Channel, Clip, DTransform, Interpolation, JointIndex, Property, Skeleton, Track, TrackError, Transform,
};

/// A joint that is this near to its rest is at rest: in quaternions, scales, and as a fraction of the size.
const AT_REST: f64 = 1e-5;

/// The mirrored clip, and the rest pose mirrored.
pub(super) fn mirrored(
    clip: &Clip,
    setting: &Setting<'_>,
    frames: &Frames,
    size: f64,
) -> Result<(Clip, Vec<Transform>), MirrorError> {
    let (skeleton, sides) = (setting.skeleton, setting.sides);
    let map = |joint: JointIndex| {
        let partner = sides.partner[joint.get()]?;
        let map = frames.map(setting, joint, partner);
        Some((partner, map))
    };
    let maps: Vec<Option<(JointIndex, Map)>> = skeleton.joints().map(map).collect();
    let mut properties: Vec<(Property, Track)> = Vec::new();
    let mut tracks = Vec::new();
    let mut driven = HashSet::new();
    for moved in moved(clip, skeleton)? {
        let (label, track) = (moved.label(), moved.track);
        match moved.target {
            Target::Joint(joint) => {
                driven.insert((joint, track.channel().name()));
                let Some((partner, map)) = &maps[joint.get()] else {
                    tracks.push((Target::Joint(joint), track.clone()));
                    continue;
                };
                let map = if clip.is_additive() { map.of_differences() } else { *map };
                tracks.push((Target::Joint(*partner), reflected(&label, track, &map, *partner, skeleton)?));
            }
            Target::Property(property) => {
                let joint = property.joint.map(|joint| sides.partner[joint.get()].unwrap_or(joint));
                properties.push((Property { joint, ..property.clone() }, track.clone()));
            }
        }
    }
    let mut rest = skeleton.rest().to_vec();
    for joint in skeleton.joints() {
        let Some((partner, map)) = maps[joint.get()] else { continue };
        if [joint, partner].iter().any(|&joint| skeleton.fixed_matrix(joint).is_some()) {
            continue;
        }
        let own = &skeleton.rest()[joint.get()];
        let shown = map.rest(own, &skeleton.rest()[partner.get()]);
        rest[partner.get()] = shown.as_transform();
        if clip.is_additive() {
            continue;
        }
        let unit = size / scale_above(setting, partner);
        for (channel, value) in moved_rest(&shown, &skeleton.rest()[partner.get()], unit) {
            if !driven.contains(&(joint, channel.name())) {
                let label = format!("{} {}", skeleton.name(partner), channel.name());
                let track = Track::new(&label, channel, Interpolation::Step, [0.0], value)?;
                tracks.push((Target::Joint(partner), track));
            }
        }
    }
    let mirrored = built(clip.name(), clip.is_additive(), skeleton, tracks)?;
    Ok((mirrored.with_properties(skeleton, properties)?.marked_as(clip, |t| t), rest))
}

/// Whether a track of a pose shows anything but the rest. One with tangents counts as if it did.
pub(super) fn leaves_rest(track: &Track, rest: &Transform) -> bool {
    let rest = match track.channel() {
        Channel::Translation => rest.translation.to_array().to_vec(),
        Channel::Rotation => rest.rotation.to_array().to_vec(),
        Channel::Scale => rest.scale.to_array().to_vec(),
        _ => return false,
    };
    let size = 1.0 + rest.iter().map(|v| v.abs()).fold(0.0f32, f32::max);
    let near = |value: &[f32], sign: f32| {
        value.iter().zip(&rest).all(|(a, b)| (sign * a - b).abs() <= AT_REST as f32 * size)
    };
    let either = track.channel() == Channel::Rotation;
    track.values().chunks(rest.len()).any(|value| !(near(value, 1.0) || either && near(value, -1.0)))
}

/// How long a length of 1 in the space of a joint's parent is in model space.
fn scale_above(setting: &Setting<'_>, joint: JointIndex) -> f64 {
    let parent = setting.skeleton.parents()[joint.get()];
    parent.map_or(1.0, |parent| setting.rest[parent.get()].matrix3.determinant().abs().cbrt())
}

/// The channels in which a joint is not at rest, and what it has there.
fn moved_rest(shown: &DTransform, rest: &Transform, size: f64) -> Vec<(Channel, Vec<f32>)> {
    let rest = rest.as_dtransform();
    let mut moved = Vec::new();
    let near = AT_REST * size.max(rest.translation.length());
    if shown.translation.distance(rest.translation) > near {
        moved.push((Channel::Translation, shown.translation.as_vec3().to_array().to_vec()));
    }
    let turned = |sign: f64| (shown.rotation * sign - rest.rotation).length();
    if turned(1.0).min(turned(-1.0)) > AT_REST {
        moved.push((Channel::Rotation, shown.rotation.normalize().as_quat().to_array().to_vec()));
    }
    if shown.scale.distance(rest.scale) > AT_REST * rest.scale.abs().max_element() {
        moved.push((Channel::Scale, shown.scale.as_vec3().to_array().to_vec()));
    }
    moved
}

/// What the mirror shows of a track.
fn reflected(
    label: &str,
    track: &Track,
    map: &Map,
    partner: JointIndex,
    skeleton: &Skeleton,
) -> Result<Track, MirrorError> {
    let map = *map;
    let reflected: Result<Track, TrackError> = match track.channel() {
        Channel::Translation => mapped(label, track, move |v| map.translate(v), &map.offset.to_array()),
        Channel::Rotation => mapped(label, track, move |q| map.rotate(q), &[]),
        Channel::Scale => {
            let uniform = track.values().chunks(3).all(|scale| map.is_uniform(scale));
            let Some(scale) = map.scale(uniform) else {
                let other_name = skeleton.name(partner).to_owned();
                return Err(MirrorError::Axes { track: label.to_owned(), other: partner, other_name });
            };
            mapped(label, track, scale, &[])
        }
        _ => Ok(track.clone()),
    };
    Ok(reflected?)
}
