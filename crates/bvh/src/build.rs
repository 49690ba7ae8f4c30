//! From what was read to a skeleton, its skin and a clip.

use std::sync::Arc;

use glam::{Affine3A, DQuat, DVec3, Vec3};
use throng_tracks::{
    Channel as TrackChannel, Clip, Interpolation, Joint, Rest, Skeleton, Skin, Track, Transform,
};

use crate::hierarchy::{Channel, Hierarchy, RawJoint};
use crate::motion::Motion;
use crate::{Format, Import, Problem, Report};

pub(crate) fn import(
    hierarchy: Hierarchy,
    motion: Option<Motion>,
    name: &str,
    report: Report,
) -> Result<Import, Problem> {
    let Hierarchy { joints, end_sites } = hierarchy;
    let skeleton = skeleton(&joints)?;
    let skin = skin(&skeleton)?;
    let frame_time_s = motion.as_ref().map(|motion| motion.frame_time_s);
    let clip = match &motion {
        Some(motion) if !motion.numbers.is_empty() => Some(clip(name, &skeleton, &joints, motion)?),
        _ => None,
    };
    let mut import = Import::default();
    (import.format, import.nodes) = (Format::Bvh, (0..skeleton.joint_count()).collect());
    (import.skeleton, import.skins, import.clips) = (skeleton, vec![skin], clip.into_iter().collect());
    import.clip_sources = (0..import.clips.len()).collect();
    import.used_joints = vec![None];
    (import.end_sites, import.frame_time_s, import.report) = (end_sites, frame_time_s, report);
    Ok(import)
}

fn skeleton(joints: &[RawJoint]) -> Result<Skeleton, Problem> {
    let joints = joints.iter().map(|joint| Joint {
        name: joint.name.clone(),
        parent: joint.parent,
        rest: Rest::Trs(Transform { translation: joint.offset.into(), ..Transform::IDENTITY }),
    });
    Skeleton::new(joints)
        .map_err(|source| Problem::Skeleton { place: "HIERARCHY".into(), source: source.into() })
}

/// All joints, each with the inverse of its place at rest: as nothing is rotated there, a translation back.
fn skin(skeleton: &Skeleton) -> Result<Skin, Problem> {
    let mut places: Vec<DVec3> = Vec::with_capacity(skeleton.joint_count());
    for (rest, parent) in skeleton.rest().iter().zip(skeleton.parents()) {
        let from = parent.map_or(DVec3::ZERO, |parent| places[parent.get()]);
        places.push(from + rest.translation.as_dvec3());
    }
    let inverse = places.iter().map(|place| Affine3A::from_translation(-place.as_vec3())).collect();
    Skin::new("rest", skeleton, skeleton.joints().collect(), Some(inverse))
        .map_err(|source| Problem::Skin { place: "HIERARCHY".into(), source })
}

fn clip(name: &str, skeleton: &Skeleton, joints: &[RawJoint], motion: &Motion) -> Result<Clip, Problem> {
    let width: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let rows = motion.numbers.len() / width;
    let times: Arc<[f32]> = (0..rows).map(|row| (row as f64 * motion.frame_time_s) as f32).collect();
    let mut tracks = Vec::new();
    let mut column = 0;
    for (index, joint) in skeleton.joints().zip(joints) {
        let columns = column..column + joint.channels.len();
        column = columns.end;
        let numbers = motion.numbers.chunks_exact(width).map(|row| &row[columns.clone()]);
        let mut add = |channel: TrackChannel, values: Vec<f32>| {
            let label = format!("{} of joint {index}, {}", channel.name(), joint.name);
            let track = Track::new(&label, channel, Interpolation::Linear, Arc::clone(&times), values)
                .map_err(|source| Problem::Track { place: "MOTION".into(), source })?;
            tracks.push((index, track));
            Ok(())
        };
        let is_position = |channel: &Channel| matches!(channel, Channel::Position(_));
        if joint.channels.iter().any(is_position) {
            let values = numbers.clone().flat_map(|row| translation(joint, row).to_array()).collect();
            add(TrackChannel::Translation, values)?;
        }
        if !joint.channels.iter().all(is_position) {
            let values = numbers.flat_map(|row| rotation(joint, row).as_quat().to_array()).collect();
            add(TrackChannel::Rotation, values)?;
        }
    }
    Clip::new(name, skeleton, tracks).map_err(|source| Problem::Clip { place: "MOTION".into(), source })
}

/// The joint's place in its parent: the offset, replaced along each axis that has a position channel.
fn translation(joint: &RawJoint, row: &[f64]) -> Vec3 {
    let mut place = joint.offset;
    for (channel, &number) in joint.channels.iter().zip(row) {
        if let Channel::Position(axis) = *channel {
            place[axis] = number as f32;
        }
    }
    place.into()
}

/// The product of the rotations, in the order listed.
fn rotation(joint: &RawJoint, row: &[f64]) -> DQuat {
    joint.channels.iter().zip(row).fold(DQuat::IDENTITY, |turned, (channel, &degrees)| {
        let Channel::Rotation(axis) = *channel else { return turned };
        // Whole turns are taken off in degrees, where that is exact.
        let angle = (degrees % 360.0).to_radians();
        turned * DQuat::from_axis_angle(DVec3::AXES[axis], angle)
    })
}
