//! Clips of every kind of track, and how far they are apart.

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{
    Channel, Clip, Custom, DTransform, Extrapolation, Interpolation, Joint, JointIndex, Rest, Skeleton,
    Track, Transform,
};

/// A grid of times that f32 adds and subtracts without rounding.
pub(crate) const TICK: f32 = 1.0 / 64.0;

pub(crate) const JOINT: JointIndex = JointIndex(0);

/// A chain of three joints, each two above its parent, and turned.
pub(crate) static CHAIN: LazyLock<Skeleton> = LazyLock::new(|| {
    let joint = |j: u16| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform {
            translation: [0.0, 2.0, 0.5].into(),
            rotation: glam::Quat::from_rotation_z(0.2 + f32::from(j)),
            ..Transform::IDENTITY
        }),
    };
    Skeleton::new((0..3).map(joint)).unwrap()
});

pub(crate) fn solo(track: Track) -> Clip {
    Clip::new("solo", &CHAIN, [(JOINT, track)]).unwrap()
}

pub(crate) fn track_of(clip: &Clip) -> &Track {
    clip.tracks()[0].track()
}

pub(crate) fn sampled(track: &Track, t: f32) -> Vec<f64> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample_f64(t, &mut value);
    value
}

/// How far two values of a channel are apart; for rotations, as rotations.
pub(crate) fn apart(channel: Channel, a: &[f64], b: &[f64]) -> f64 {
    let distance = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    if channel.is_rotation() { distance(1.0).min(distance(-1.0)) } else { distance(1.0) }
}

/// Whether two values of a channel are the same but for rounding.
pub(crate) fn close(channel: Channel, a: &[f64], b: &[f64]) -> bool {
    let size = b.iter().map(|v| v * v).sum::<f64>().sqrt();
    apart(channel, a, b) <= 2e-5 * (1.0 + size)
}

/// A function with a corner, that looks at its keys only.
pub(crate) fn bent() -> Custom {
    Custom::new(|u, keys, out| {
        let way = (2.0 * u).min(1.0).powi(2);
        for ((out, &a), &b) in out.iter_mut().zip(keys.start()).zip(keys.end()) {
            *out = f64::from(a) + (f64::from(b) - f64::from(a)) * way;
        }
    })
}

fn quaternion() -> impl Strategy<Value = Vec<f32>> {
    prop::array::uniform4(-1.0f32..1.0).prop_filter_map("short", |q| {
        let length = q.iter().map(|c| c * c).sum::<f32>().sqrt();
        (length > 0.1).then(|| q.map(|c| c / length).to_vec())
    })
}

/// Key times in ticks: never decreasing, some equal, the spans small enough for tame splines.
pub(crate) fn ticks() -> impl Strategy<Value = Vec<u16>> {
    (0u16..20, vec(prop_oneof![1 => Just(0u16), 6 => 1u16..24], 0..7)).prop_map(|(first, steps)| {
        let mut times = vec![first];
        times.extend(steps.iter().scan(first, |t, step| {
            *t += step;
            Some(*t)
        }));
        times
    })
}

pub(crate) fn kind() -> impl Strategy<Value = (Channel, Interpolation)> {
    use Interpolation::{CatmullRom, CubicSpline, Custom, Linear, Nlerp, QuasiSpherical, Step};
    let channel = prop::sample::select(vec![
        Channel::Translation,
        Channel::Rotation,
        Channel::Scale,
        Channel::Weights(2),
    ]);
    channel.prop_flat_map(|channel| {
        let all = [Step, Linear, Nlerp, QuasiSpherical, CubicSpline, CatmullRom, Custom];
        let suited: Vec<_> = all.into_iter().filter(|kind| kind.suits(channel)).collect();
        (Just(channel), prop::sample::select(suited))
    })
}

pub(crate) fn extrapolation() -> impl Strategy<Value = Extrapolation> {
    prop::sample::select(vec![
        Extrapolation::Clamp,
        Extrapolation::Clamp,
        Extrapolation::Linear,
        Extrapolation::Loop,
        Extrapolation::PingPong,
    ])
}

/// A track of this kind whose keys are at these times.
pub(crate) fn track_at(
    (channel, kind): (Channel, Interpolation),
    times: Vec<f32>,
) -> impl Strategy<Value = Track> {
    let n = channel.components();
    let value = if channel.is_rotation() { quaternion().boxed() } else { vec(-2.0f32..2.0, n).boxed() };
    let values = vec(value, times.len());
    let tangents = vec(vec(-1.5f32..1.5, n), 2 * times.len() + 2);
    (values, tangents).prop_map(move |(values, tangents)| {
        let numbers: Vec<f32> = match kind {
            Interpolation::CubicSpline => {
                let key = |(i, value): (usize, &Vec<f32>)| {
                    [tangents[2 * i].clone(), value.clone(), tangents[2 * i + 1].clone()].concat()
                };
                values.iter().enumerate().flat_map(key).collect()
            }
            Interpolation::CatmullRom => [tangents[0].clone(), values.concat(), tangents[1].clone()].concat(),
            _ => values.concat(),
        };
        if kind == Interpolation::Custom {
            Track::custom("made", channel, times.clone(), numbers, bent()).unwrap()
        } else {
            Track::new("made", channel, kind, times.clone(), numbers).unwrap()
        }
    })
}

/// Any track whose keys are at whole ticks, the first at 0.
pub(crate) fn track_from_zero() -> impl Strategy<Value = Track> {
    (kind(), ticks()).prop_flat_map(|(kind, ticks)| {
        let first = ticks[0];
        track_at(kind, ticks.into_iter().map(|t| f32::from(t - first) * TICK).collect())
    })
}

/// Any track whose keys are at whole ticks.
pub(crate) fn track() -> impl Strategy<Value = Track> {
    (kind(), ticks()).prop_flat_map(|(kind, ticks)| {
        track_at(kind, ticks.into_iter().map(|t| f32::from(t) * TICK).collect())
    })
}

/// Any such track, and anything beyond its keys.
pub(crate) fn endless_track() -> impl Strategy<Value = Track> {
    (track(), extrapolation(), extrapolation())
        .prop_map(|(track, before, after)| track.with_extrapolation(before, after))
}

/// Any such track that can be lengthened to begin at 0, if it does not.
pub(crate) fn clamped_or_from_zero() -> impl Strategy<Value = Track> {
    let endless = (track_from_zero(), extrapolation(), extrapolation())
        .prop_map(|(track, before, after)| track.with_extrapolation(before, after));
    prop_oneof![track(), endless]
}

/// Clips of several such tracks, on the joints of [`CHAIN`], of which one begins at 0. No functions.
pub(crate) fn clip() -> impl Strategy<Value = Clip> {
    vec((0u16..3, prop_oneof![track(), track_from_zero()]), 1..6).prop_map(|mut tracks| {
        let mut seen = std::collections::HashSet::new();
        tracks.retain(|(_, track)| track.interpolation() != Interpolation::Custom);
        tracks.retain(|(joint, track)| seen.insert((*joint, track.channel().name())));
        if tracks.iter().all(|(_, track)| track.times()[0] > 0.0) {
            let still = Track::new("still", Channel::Scalar, Interpolation::Step, [0.0], vec![1.0]).unwrap();
            return Clip::new("made", &CHAIN, tracks.into_iter().map(|(j, t)| (JointIndex(j), t)))
                .and_then(|clip| clip.with_properties(&CHAIN, [("still", still)]))
                .unwrap();
        }
        Clip::new("made", &CHAIN, tracks.into_iter().map(|(j, track)| (JointIndex(j), track))).unwrap()
    })
}

/// Clips of tracks that may go on beyond their keys, functions among them.
pub(crate) fn endless_clip() -> impl Strategy<Value = Clip> {
    vec((0u16..3, endless_track()), 0..4).prop_map(|mut tracks| {
        let mut seen = std::collections::HashSet::new();
        tracks.retain(|(joint, track)| {
            let channel = track.channel();
            channel.is_in_pose() && seen.insert((*joint, channel.name()))
        });
        Clip::new("made", &CHAIN, tracks.into_iter().map(|(j, track)| (JointIndex(j), track))).unwrap()
    })
}

/// The exact pose of [`CHAIN`] that a clip shows.
pub(crate) fn pose(clip: &Clip, t: f32) -> Vec<DTransform> {
    let mut pose = vec![DTransform::IDENTITY; CHAIN.joint_count()];
    clip.sample_f64(&CHAIN, t, &mut pose);
    pose
}

/// Whether two poses are the same but for rounding.
pub(crate) fn same_pose(a: &[DTransform], b: &[DTransform]) -> bool {
    a.iter().zip(b).all(|(a, b)| {
        close(Channel::Translation, &a.translation.to_array(), &b.translation.to_array())
            && close(Channel::Rotation, &a.rotation.to_array(), &b.rotation.to_array())
            && close(Channel::Scale, &a.scale.to_array(), &b.scale.to_array())
    })
}
