//! Clips in a mirror.

mod bind;
mod names;
mod reference;
mod sides;

use glam::{DAffine3, DMat3, DVec3, Quat};
use proptest::prelude::*;
use throng_tracks::tools::{MirrorError, MirrorOptions, MirrorPlane, mirror, pairs_by_name};
use throng_tracks::{
    Channel, Clip, DTransform, Interpolation, Joint, JointIndex, Property, Rest, Skeleton, Track, Transform,
    model_matrices_f64,
};

use crate::make::{TICK, close, endless_track};

const PLANES: [MirrorPlane; 3] = [MirrorPlane::X, MirrorPlane::Y, MirrorPlane::Z];

/// The clip in the mirror, with these pairs only, however far it is from symmetric.
fn seen(
    clip: &Clip,
    skeleton: &Skeleton,
    plane: MirrorPlane,
    pairs: &[(JointIndex, JointIndex)],
) -> Result<Clip, MirrorError> {
    let options = MirrorOptions::default().with_plane(plane).with_pairs(pairs.to_vec());
    let options = options.with_pairs_by_name(false).with_tolerance(f32::INFINITY);
    Ok(mirror(clip, skeleton, &options)?.0)
}

fn reflection(plane: MirrorPlane) -> DAffine3 {
    let across = DVec3::AXES[plane.axis as usize];
    DAffine3::from_translation(across * plane.offset)
        * DAffine3::from_scale(DVec3::ONE - 2.0 * across)
        * DAffine3::from_translation(across * -plane.offset)
}

/// Hips, and two legs of two joints each, that are each other's image at rest. The right one's axes are turned by any
/// rotation against the image of the left one's.
fn figure(
    plane: MirrorPlane,
    turns: [Quat; 6],
    offsets: [glam::Vec3; 3],
) -> (Skeleton, Vec<(JointIndex, JointIndex)>) {
    let image = reflection(plane);
    let affine =
        |turn: Quat, at: glam::Vec3| DAffine3::from_rotation_translation(turn.as_dquat(), at.as_dvec3());
    // Hips on the plane, so that they are their own image.
    let on_plane = offsets[0].as_dvec3() + image.transform_vector3(offsets[0].as_dvec3());
    let hips = affine(turns[0], on_plane.as_vec3());
    let left = [hips * affine(turns[1], offsets[1])];
    let left = [left[0], left[0] * affine(turns[2], offsets[2])];
    let right: Vec<DAffine3> = left
        .iter()
        .zip(&turns[4..])
        .map(|(joint, turn)| {
            let at = image.transform_point3(joint.translation);
            DAffine3::from_rotation_translation(turn.as_dquat(), at)
        })
        .collect();
    let models = [hips, left[0], left[1], right[0], right[1]];
    let parents = [None, Some(0u16), Some(1), Some(0), Some(3)];
    let joints = models.iter().zip(parents).enumerate().map(|(index, (model, parent))| {
        let local = parent.map_or(*model, |p| models[usize::from(p)].inverse() * *model);
        let (_, rotation, translation) = local.to_scale_rotation_translation();
        let rest = DTransform { translation, rotation, scale: DVec3::ONE }.as_transform();
        Joint { name: format!("{index}"), parent: parent.map(JointIndex), rest: Rest::Trs(rest) }
    });
    (Skeleton::new(joints).unwrap(), vec![(JointIndex(1), JointIndex(3)), (JointIndex(4), JointIndex(2))])
}

fn any_figure() -> impl Strategy<Value = (MirrorPlane, Skeleton, Vec<(JointIndex, JointIndex)>)> {
    let turn = prop::array::uniform4(-1.0f32..1.0).prop_filter_map("short", |q| {
        let q = Quat::from_array(q);
        (q.length() > 0.1).then(|| q.normalize())
    });
    let offset = prop::array::uniform3(-2.0f32..2.0).prop_map(glam::Vec3::from);
    (prop::sample::select(PLANES.to_vec()), prop::array::uniform6(turn), prop::array::uniform3(offset))
        .prop_map(|(plane, turns, offsets)| {
            let (skeleton, pairs) = figure(plane, turns, offsets);
            (plane, skeleton, pairs)
        })
}

/// Translations and rotations of any joints.
fn tracks() -> impl Strategy<Value = Vec<(JointIndex, Track)>> {
    prop::collection::vec((0u16..5, endless_track()), 1..6).prop_map(|mut tracks| {
        let mut seen = std::collections::HashSet::new();
        tracks.retain(|(joint, track)| {
            let channel = track.channel();
            [Channel::Translation, Channel::Rotation].contains(&channel) && seen.insert((*joint, channel))
        });
        tracks.into_iter().map(|(joint, track)| (JointIndex(joint), track)).collect()
    })
}

fn model(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<DAffine3> {
    let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
    clip.sample_f64(skeleton, t, &mut pose);
    let mut model = vec![DAffine3::IDENTITY; pose.len()];
    model_matrices_f64(skeleton, &pose, &mut model);
    model
}

proptest! {
    #[test]
    fn in_model_space_it_is_the_image((plane, skeleton, pairs) in any_figure(), tracks in tracks(), tick in 0u16..150) {
        let clip = Clip::new("made", &skeleton, tracks).unwrap();
        let seen = seen(&clip, &skeleton, plane, &pairs).unwrap();
        let t = (f32::from(tick) + 0.5) * TICK;
        let still = Clip::new("still", &skeleton, []).unwrap();
        let [rest, source, found] = [&still, &clip, &seen].map(|clip| model(&skeleton, clip, t));
        let image = reflection(plane);
        for (joint, other) in [(0, 0), (1, 3), (3, 1), (2, 4), (4, 2)] {
            let at = image.transform_point3(source[joint].translation);
            let size = source.iter().map(|m| m.translation.length()).fold(1.0, f64::max);
            prop_assert!(found[other].translation.abs_diff_eq(at, 2e-5 * size), "{joint}: {} {at}", found[other].translation);
            // Whatever hangs on the joint at rest moves as its image does.
            let turned = source[joint].matrix3 * rest[joint].matrix3.inverse();
            let expected = image.matrix3 * turned * image.matrix3;
            let shown: DMat3 = found[other].matrix3 * rest[other].matrix3.inverse();
            prop_assert!(shown.abs_diff_eq(expected, 2e-5), "{joint}: {shown} {expected}");
        }
    }

    #[test]
    fn twice_is_the_clip((plane, skeleton, pairs) in any_figure(), tracks in tracks(), tick in 0u16..150) {
        let clip = Clip::new("made", &skeleton, tracks).unwrap();
        let once = seen(&clip, &skeleton, plane, &pairs).unwrap();
        let twice = seen(&once, &skeleton, plane, &pairs).unwrap();
        let t = (f32::from(tick) + 0.5) * TICK;
        let [a, b] = [&clip, &twice].map(|clip| {
            let mut pose = vec![DTransform::IDENTITY; skeleton.joint_count()];
            clip.sample_f64(&skeleton, t, &mut pose);
            pose
        });
        for (a, b) in a.iter().zip(&b) {
            prop_assert!(close(Channel::Translation, &a.translation.to_array(), &b.translation.to_array()));
            prop_assert!(close(Channel::Rotation, &a.rotation.to_array(), &b.rotation.to_array()));
        }
        prop_assert_eq!(twice.key_count(), clip.key_count());
    }

    #[test]
    fn rest_is_its_own_image((plane, skeleton, pairs) in any_figure()) {
        let at_rest = skeleton.joints().flat_map(|joint| {
            let rest = skeleton.rest()[joint.get()];
            let key = |channel, value: Vec<f32>| {
                (joint, Track::new("rest", channel, Interpolation::Linear, [0.0], value).unwrap())
            };
            [
                key(Channel::Translation, rest.translation.to_array().to_vec()),
                key(Channel::Rotation, rest.rotation.to_array().to_vec()),
            ]
        });
        let clip = Clip::new("rest", &skeleton, at_rest).unwrap();
        let seen = seen(&clip, &skeleton, plane, &pairs).unwrap();
        let [a, b] = [&clip, &seen].map(|clip| model(&skeleton, clip, 0.0));
        prop_assert!(a.iter().zip(&b).all(|(a, b)| a.abs_diff_eq(*b, 1e-4)));
    }
}

fn joint(name: &str, parent: Option<u16>, rotation: Quat) -> Joint<JointIndex> {
    let rest = Rest::Trs(Transform { rotation, ..Transform::IDENTITY });
    Joint { name: name.into(), parent: parent.map(JointIndex), rest }
}

fn arms(turn: Quat) -> Skeleton {
    Skeleton::new([
        joint("root", None, Quat::IDENTITY),
        joint("a.l", Some(0), Quat::IDENTITY),
        joint("a.r", Some(0), turn),
    ])
    .unwrap()
}

fn scale(values: Vec<f32>) -> Track {
    Track::new("scale", Channel::Scale, Interpolation::Linear, [0.0], values).unwrap()
}

#[test]
fn scales_follow_the_axes() {
    let quarter = arms(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
    let pairs = pairs_by_name(&quarter);
    let clip = Clip::new("grow", &quarter, [(JointIndex(1), scale(vec![2.0, 3.0, 4.0]))]).unwrap();
    let mirrored = seen(&clip, &quarter, MirrorPlane::X, &pairs).unwrap();
    assert_eq!(mirrored.tracks()[0].joint(), JointIndex(2));
    assert_eq!(mirrored.tracks()[0].track().values(), [3.0, 2.0, 4.0]);

    let askew = arms(Quat::from_rotation_z(0.5));
    let error = seen(&clip, &askew, MirrorPlane::X, &pairs).unwrap_err();
    assert!(matches!(&error, MirrorError::Axes { other: JointIndex(2), .. }), "{error}");
    let clip = Clip::new("grow", &askew, [(JointIndex(1), scale(vec![2.0; 3]))]).unwrap();
    let mirrored = seen(&clip, &askew, MirrorPlane::X, &pairs).unwrap();
    assert_eq!(mirrored.tracks()[0].track().values(), [2.0; 3]);
}

#[test]
fn weights_and_properties_change_sides() {
    let skeleton = arms(Quat::IDENTITY);
    let glow = Track::new("glow", Channel::Scalar, Interpolation::Linear, [0.0], vec![1.0]).unwrap();
    let fist = Track::new("fist", Channel::Weights(1), Interpolation::Linear, [0.0], vec![0.5]).unwrap();
    let properties = [(Property::at(JointIndex(1), "glow"), glow.clone()), ("dawn".into(), glow.clone())];
    let clip = Clip::new("clip", &skeleton, [(JointIndex(2), fist.clone())]).unwrap();
    let clip = clip.with_properties(&skeleton, properties).unwrap();
    let seen = seen(&clip, &skeleton, MirrorPlane::X, &pairs_by_name(&skeleton)).unwrap();
    assert_eq!((seen.tracks()[0].joint(), seen.tracks()[0].track()), (JointIndex(1), &fist));
    assert!(seen.find_property(&Property::at(JointIndex(2), "glow")).is_some());
    assert!(seen.find_property(&"dawn".into()).is_some());
}

#[test]
fn a_scale_that_is_uniform_but_for_rounding_can_be_mirrored() {
    let axes = [Quat::IDENTITY, Quat::from_rotation_y(0.5)];
    let joints = ["arm_l", "arm_r"].into_iter().zip(axes).map(|(name, turn)| joint(name, None, turn));
    let skeleton = Skeleton::new(joints).unwrap();
    let pairs = pairs_by_name(&skeleton);
    let mirrored = |z: f32| {
        let track =
            Track::new("s", Channel::Scale, Interpolation::Step, [0.0], vec![1.0, 0.999_999, z]).unwrap();
        seen(&Clip::new("c", &skeleton, [(JointIndex(0), track)]).unwrap(), &skeleton, MirrorPlane::X, &pairs)
    };
    assert!(mirrored(1.000_001).is_ok());
    assert!(matches!(mirrored(1.001), Err(MirrorError::Axes { .. })));
}

#[test]
fn errors_name_the_joints() {
    let skeleton = arms(Quat::IDENTITY);
    let clip = Clip::new("still", &skeleton, []).unwrap();
    let try_pairs = |pairs: &[(u16, u16)]| {
        let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (JointIndex(a), JointIndex(b))).collect();
        seen(&clip, &skeleton, MirrorPlane::X, &pairs).unwrap_err()
    };
    assert_eq!(try_pairs(&[(1, 9)]), MirrorError::NoSuchJoint { joint: JointIndex(9), count: 3 });
    let repeated = MirrorError::Repeated { joint: JointIndex(1), name: "a.l".into() };
    assert_eq!(try_pairs(&[(1, 2), (1, 0)]), repeated);
    assert!(matches!(try_pairs(&[(0, 1)]), MirrorError::Parents { .. }));
}
