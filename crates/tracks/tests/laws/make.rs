//! Data for the laws: authored keys as a file would hold them, and figures (a skeleton with one clip) of them.

use std::ops::Range;

use glam::{Affine3A, DAffine3, DMat4, Quat, Vec3};
use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{
    Channel, Clip, DTransform, Interpolation, Joint, JointIndex, Rest, Skeleton, Track, Transform,
    model_matrices, model_matrices_f64,
};

/// Keys as authored: nothing normalised, nothing aligned.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub(crate) channel: Channel,
    pub(crate) interpolation: Interpolation,
    pub(crate) times: Vec<f32>,
    pub(crate) values: Vec<f32>,
}

impl Keys {
    pub(crate) fn track(&self) -> Track {
        Track::new("made", self.channel, self.interpolation, self.times.clone(), self.values.clone()).unwrap()
    }

    /// Where among the values a key's own numbers stand, without its tangents.
    pub(crate) fn value(&self, key: usize) -> Range<usize> {
        let place = match self.interpolation {
            Interpolation::CubicSpline => 3 * key + 1,
            Interpolation::CatmullRom => key + 1,
            _ => key,
        };
        let n = self.channel.components();
        place * n..(place + 1) * n
    }

    /// Where a key's own numbers and all its tangents stand.
    pub(crate) fn whole(&self, key: usize) -> Range<usize> {
        let (n, Range { start, end }) = (self.channel.components(), self.value(key));
        match self.interpolation {
            Interpolation::CubicSpline => start - n..end + n,
            Interpolation::CatmullRom => {
                let tangent = |there: bool| if there { n } else { 0 };
                start - tangent(key == 0)..end + tangent(key + 1 == self.times.len())
            }
            _ => start..end,
        }
    }
}

/// A skeleton and one clip of it, in parts.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) joints: Vec<(Option<usize>, Transform)>,
    pub(crate) tracks: Vec<(usize, Keys)>,
}

impl Figure {
    pub(crate) fn skeleton(&self) -> Skeleton {
        let joint = |(index, &(parent, rest)): (usize, &(Option<usize>, Transform))| Joint {
            name: format!("joint {index}"),
            parent: parent.map(index_of),
            rest: Rest::Trs(rest),
        };
        Skeleton::new(self.joints.iter().enumerate().map(joint)).unwrap()
    }

    pub(crate) fn clip(&self) -> Clip {
        let tracks = self.tracks.iter().map(|(joint, keys)| (index_of(*joint), keys.track()));
        Clip::new("made", &self.skeleton(), tracks).unwrap()
    }
}

pub(crate) fn index_of(joint: usize) -> JointIndex {
    JointIndex(u16::try_from(joint).unwrap())
}

/// A joint at the origin.
pub(crate) fn joint<P>(name: &str, parent: Option<P>) -> Joint<P> {
    Joint { name: name.into(), parent, rest: Rest::Trs(Transform::IDENTITY) }
}

/// A chain of joints, each one above its parent.
pub(crate) fn chain(joints: usize) -> Skeleton {
    let rest = Transform { translation: Vec3::Y, ..Transform::IDENTITY };
    Figure { joints: (0..joints).map(|j| (j.checked_sub(1), rest)).collect(), tracks: Vec::new() }.skeleton()
}

/// A translation along x.
pub(crate) fn slide(interpolation: Interpolation, times: &[f32], x: &[f32]) -> Track {
    let values = x.iter().flat_map(|&x| [x, 0.0, 0.0]).collect();
    Track::new("slide", Channel::Translation, interpolation, times, values).unwrap()
}

/// The clip that moves joint 0 by `track` alone.
pub(crate) fn solo(skeleton: &Skeleton, track: Track) -> Clip {
    Clip::new("solo", skeleton, [(JointIndex(0), track)]).unwrap()
}

pub(crate) fn pose_of(skeleton: &Skeleton) -> Vec<Transform> {
    vec![Transform::IDENTITY; skeleton.joint_count()]
}

pub(crate) fn model_of(skeleton: &Skeleton, pose: &[Transform]) -> Vec<Affine3A> {
    let mut model = vec![Affine3A::IDENTITY; skeleton.joint_count()];
    model_matrices(skeleton, pose, &mut model);
    model
}

/// The clip's model matrices at time `t`, all in f64.
pub(crate) fn exact_model(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<DMat4> {
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    clip.sample_f64(skeleton, t, &mut pose);
    let mut model = vec![DAffine3::IDENTITY; skeleton.joint_count()];
    model_matrices_f64(skeleton, &pose, &mut model);
    model.into_iter().map(DMat4::from).collect()
}

/// Every f32 there is, and with them the bounds, zero and numbers of everyday size.
pub(crate) fn any_time() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => proptest::num::f32::ANY,
        4 => -3.0f32..6.0,
        1 => prop::sample::select(vec![0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX]),
    ]
}

/// Key times that never decrease: on a grid, anywhere, or with some of them equal.
pub(crate) fn key_times() -> impl Strategy<Value = Vec<f32>> {
    let on_grid =
        |hz: f32| vec(0u16..40, 1..8).prop_map(move |k| k.iter().map(|&k| f32::from(k) / hz).collect());
    let mut times = prop_oneof![
        on_grid(24.0),
        on_grid(30.0),
        vec(0.0f32..1.5, 1..8),
        // Close to a grid, as times written with few digits are.
        vec(0u16..40, 1..8).prop_map(|k| k.iter().map(|&k| (f32::from(k) / 3.0).round() / 10.0).collect()),
    ]
    .boxed();
    times = times
        .prop_map(|mut times: Vec<f32>| {
            times.sort_by(f32::total_cmp);
            times
        })
        .boxed();
    times
}

/// Every interpolation that the channel has, but for the caller's own.
pub(crate) fn interpolation_of(channel: Channel) -> impl Strategy<Value = Interpolation> {
    use Interpolation::{CatmullRom, CubicSpline, Linear, Nlerp, QuasiSpherical, Step};
    let all = [Step, Linear, CubicSpline, CatmullRom, Nlerp, QuasiSpherical];
    prop::sample::select(all.into_iter().filter(|i| i.suits(channel)).collect::<Vec<_>>())
}

/// Any four numbers that have a direction.
pub(crate) fn quaternion() -> impl Strategy<Value = [f32; 4]> {
    prop::array::uniform4(-1.0f32..1.0).prop_filter("short", |q| q.iter().map(|c| c * c).sum::<f32>() > 1e-2)
}

pub(crate) fn rotation() -> impl Strategy<Value = Quat> {
    quaternion().prop_map(|q| Quat::from_array(q).normalize())
}

/// Quaternions that have unit length but for the few digits they were written with, or are further off.
pub(crate) fn nearly_unit() -> impl Strategy<Value = [f32; 4]> {
    (rotation(), 0.985f32..1.015).prop_map(|(q, length)| (q * length).to_array())
}

/// Keys of a channel, with tangents up to `steepness` a second.
pub(crate) fn keys_of(channel: Channel, steepness: f32) -> impl Strategy<Value = Keys> {
    (key_times(), interpolation_of(channel)).prop_flat_map(move |(times, interpolation)| {
        let n = channel.components();
        let value = if channel.is_rotation() {
            prop_oneof![quaternion(), nearly_unit()].prop_map(Vec::from).boxed()
        } else {
            vec(-2.0f32..2.0, n).boxed()
        };
        let tangent = vec(-1.0f32..1.0, n)
            .prop_map(move |t| t.into_iter().map(|t| t * steepness).collect::<Vec<f32>>());
        let key = if interpolation == Interpolation::CubicSpline {
            (tangent.clone(), value, tangent.clone()).prop_map(|(a, b, c)| [a, b, c].concat()).boxed()
        } else {
            value
        };
        // The tangents at the ends of a Catmull-Rom spline.
        let ends = vec(tangent, if interpolation == Interpolation::CatmullRom { 2 } else { 0 });
        (vec(key, times.len()), ends).prop_map(move |(mut keys, ends)| {
            if let [start, end] = &ends[..] {
                keys.insert(0, start.clone());
                keys.push(end.clone());
            }
            Keys { channel, interpolation, times: times.clone(), values: keys.concat() }
        })
    })
}

pub(crate) fn keys() -> impl Strategy<Value = Keys> {
    prop_oneof![vectors(), rotations()]
}

/// Keys of anything that is interpolated component by component.
pub(crate) fn vectors() -> impl Strategy<Value = Keys> {
    use Channel::{Colour, Scalar, Scale, Translation, Vec2, Vec3, Vec4, Weights};
    prop::sample::select(vec![Translation, Scale, Weights(2), Weights(7), Scalar, Vec2, Vec3, Vec4, Colour])
        .prop_flat_map(|channel| keys_of(channel, 5.0))
}

pub(crate) fn rotations() -> impl Strategy<Value = Keys> {
    prop::sample::select(vec![Channel::Rotation, Channel::Quaternion])
        .prop_flat_map(|channel| keys_of(channel, 5.0))
}

/// A few joints in a tree, some of their channels animated.
pub(crate) fn figure() -> impl Strategy<Value = Figure> {
    let rest = (prop::array::uniform3(-1.0f32..1.0), rotation(), prop::array::uniform3(-1.5f32..1.5))
        .prop_map(|(translation, rotation, scale)| Transform {
            translation: translation.into(),
            rotation,
            scale: scale.into(),
        });
    let channels = [Channel::Translation, Channel::Rotation, Channel::Scale];
    let tracks = move |joints: usize| {
        let bound: Vec<(usize, Channel)> =
            (0..joints).flat_map(|j| channels.map(|channel| (j, channel))).collect();
        prop::sample::subsequence(bound, 0..=5.min(3 * joints)).prop_flat_map(|bound| {
            bound
                .into_iter()
                .map(|(joint, channel)| keys_of(channel, 5.0).prop_map(move |keys| (joint, keys)))
                .collect::<Vec<_>>()
        })
    };
    (vec((any::<prop::sample::Index>(), any::<bool>(), rest), 1..5), Just(())).prop_flat_map(
        move |(joints, ())| {
            let tree: Vec<_> = joints
                .into_iter()
                .enumerate()
                .map(|(j, (parent, root, rest))| ((j > 0 && !root).then(|| parent.index(j)), rest))
                .collect();
            tracks(tree.len()).prop_map(move |tracks| Figure { joints: tree.clone(), tracks })
        },
    )
}
