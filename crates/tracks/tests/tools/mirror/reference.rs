//! Where the frames of joints are from if there is no skin, and the plane that is found.

use glam::{DAffine3, Quat, Vec3};
use throng_tracks::tools::{MirrorError, MirrorOptions, MirrorPlane, MirrorReference, MirrorReport, mirror};
use throng_tracks::{Channel, Clip, Interpolation, Joint, JointIndex, Rest, Skeleton, Track, Transform};

use super::{model, reflection};

/// Parents of: hips, and for left and right thigh and shin, then spine, left and right arm and hand.
const PARENTS: [Option<u16>; 10] =
    [None, Some(0), Some(1), Some(0), Some(3), Some(0), Some(5), Some(6), Some(5), Some(8)];
const NAMES: [&str; 10] = [
    "Hips",
    "LeftUpLeg",
    "LeftLeg",
    "RightUpLeg",
    "RightLeg",
    "Spine",
    "LeftArm",
    "LeftHand",
    "RightArm",
    "RightHand",
];

/// What motion capture has: every joint unrotated at rest, bones along `along`, left and right apart along `side`.
fn capture(along: Vec3, side: Vec3) -> Vec<Transform> {
    let at = |translation: Vec3| Transform { translation, ..Transform::IDENTITY };
    vec![
        at(Vec3::ZERO),
        at(side * 10.0 + along),
        at(along * 43.0),
        at(side * -10.0 + along),
        at(along * 43.0),
        at(along * 12.0),
        at(along * 25.0 + side * 15.0),
        at(along * 30.0),
        at(along * 25.0 - side * 15.0),
        at(along * 30.0),
    ]
}

fn skeleton(rest: &[Transform]) -> Skeleton {
    let joints = rest.iter().enumerate().map(|(j, rest)| Joint {
        name: NAMES[j].into(),
        parent: PARENTS[j].map(JointIndex),
        rest: Rest::Trs(*rest),
    });
    Skeleton::new(joints).unwrap()
}

fn turn(joint: u16, keys: &[Quat]) -> (JointIndex, Track) {
    let times: Vec<f32> = (0..keys.len()).map(|key| key as f32 / 10.0).collect();
    let values = keys.iter().flat_map(|q| q.to_array()).collect();
    (JointIndex(joint), Track::new("turn", Channel::Rotation, Interpolation::Linear, times, values).unwrap())
}

/// A walk: the hips travel at a height of 90 and carry the bones from `along` up to y, legs hang from them and swing.
fn walk(skeleton: &Skeleton, along: Vec3, side: Vec3) -> Clip {
    // The body's up, side and front, as the pose at rest has them, to those of the world: y, x and z.
    let from = glam::Mat3::from_cols(along, side, along.cross(side));
    let to = glam::Mat3::from_cols(Vec3::Y, Vec3::X, Vec3::Y.cross(Vec3::X));
    let upright = Quat::from_mat3(&(to * from.transpose()));
    let heading = [0.1, 0.2, 0.35].map(|a| Quat::from_rotation_y(a) * upright);
    let way = vec![3.0, 90.0, 0.0, 5.0, 91.0, 30.0, 9.0, 90.0, 60.0];
    let way = Track::new("way", Channel::Translation, Interpolation::Linear, [0.0, 0.1, 0.2], way).unwrap();
    let about = |axis: Vec3, angles: [f32; 3]| angles.map(|angle| Quat::from_axis_angle(axis, angle));
    let tracks = [
        (JointIndex(0), way),
        turn(0, &heading),
        turn(1, &about(side, [2.8, 3.0, 3.4])),
        turn(2, &about(side, [0.1, 0.5, 0.2])),
        turn(3, &about(side, [3.4, 3.2, 2.9])),
        turn(5, &about(along, [0.1, -0.2, 0.3])),
        turn(6, &about(along.cross(side), [1.4, 1.9, 1.1])),
        turn(9, &about((along + side).normalize(), [0.3, 0.9, 0.2])),
    ];
    Clip::new("walk", skeleton, tracks).unwrap()
}

/// The largest distance of a joint to the reflection of its partner, at many times.
fn furthest(skeleton: &Skeleton, source: &Clip, mirrored: &Clip, plane: MirrorPlane) -> f64 {
    let partner = [0, 3, 4, 1, 2, 5, 8, 9, 6, 7];
    let image: DAffine3 = reflection(plane);
    let mut furthest = 0.0f64;
    for step in 0..=200 {
        let t = source.duration_s() * step as f32 / 200.0;
        let [source, mirrored] = [source, mirrored].map(|clip| model(skeleton, clip, t));
        for (joint, &partner) in partner.iter().enumerate() {
            let at = image.transform_point3(source[joint].translation);
            furthest = furthest.max(at.distance(mirrored[partner].translation));
        }
    }
    furthest
}

fn mirrored(clip: &Clip, skeleton: &Skeleton, options: &MirrorOptions<'_>) -> (Clip, MirrorReport) {
    let (mirrored, report) = mirror(clip, skeleton, options).unwrap();
    let furthest = furthest(skeleton, clip, &mirrored, report.plane);
    assert!(furthest < 1e-5 * report.size, "{furthest} of {}: {report:?}", report.size);
    assert!(report.largest.distance < 1e-5 * report.size, "{report:?}");
    (mirrored, report)
}

#[test]
fn motion_capture_along_any_axes_stays_upright() {
    for along in Vec3::AXES.into_iter().chain([Vec3::NEG_X, Vec3::NEG_Y]) {
        for side in Vec3::AXES.into_iter().filter(|side| side.dot(along) == 0.0) {
            let skeleton = skeleton(&capture(along, side));
            let clip = walk(&skeleton, along, side);
            for plane in [None, Some(MirrorPlane::X), Some(MirrorPlane::Z)] {
                let mut options = MirrorOptions::default();
                options.plane = plane;
                let (mirrored, report) = mirrored(&clip, &skeleton, &options);
                assert!(plane.is_none_or(|plane| plane == report.plane));
                assert_ne!(report.plane, MirrorPlane::Y, "along {along}, side {side}");
                for t in [0.0, 0.1, 0.2] {
                    let [source, mirrored] = [&clip, &mirrored].map(|clip| model(&skeleton, clip, t));
                    let height = |j: usize| (source[j].translation.y, mirrored[j].translation.y);
                    for joint in [0, 5] {
                        let (source, mirrored) = height(joint);
                        assert!((source - mirrored).abs() < 1e-3 && mirrored > 80.0, "{source} {mirrored}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_plane_across_y_is_found_where_the_motion_is_about_it() {
    // A world with z up, and a character that looks along x.
    let skeleton = skeleton(&capture(Vec3::Z, Vec3::Y));
    let still =
        Clip::new("still", &skeleton, [turn(1, &[Quat::IDENTITY, Quat::from_rotation_y(0.4)])]).unwrap();
    assert_eq!(mirrored(&still, &skeleton, &MirrorOptions::default()).1.plane, MirrorPlane::Y);
}

#[test]
fn a_character_beside_the_origin_is_mirrored_where_it_stands() {
    let mut rest = capture(Vec3::Y, Vec3::X);
    rest[0].translation = Vec3::new(40.0, 90.0, 0.0);
    let skeleton = skeleton(&rest);
    let swing =
        Clip::new("swing", &skeleton, [turn(1, &[Quat::IDENTITY, Quat::from_rotation_x(0.4)])]).unwrap();
    let (mirror, report) = mirrored(&swing, &skeleton, &MirrorOptions::default());
    assert_eq!(report.plane, MirrorPlane { offset: 40.0, ..MirrorPlane::X });
    assert_eq!(mirror.tracks().len(), 1);
    // The plane that the caller names is taken as it is.
    let (_, report) = mirrored(&swing, &skeleton, &MirrorOptions::default().with_plane(MirrorPlane::X));
    assert_eq!(report.plane, MirrorPlane::X);
    // Where the clip says where the root is, it is mirrored in the world's middle.
    let clip = walk(&skeleton, Vec3::Y, Vec3::X);
    assert_eq!(mirrored(&clip, &skeleton, &MirrorOptions::default()).1.plane, MirrorPlane::X);
}

/// A rest pose in the midst of a motion: nothing about it is symmetric.
fn posed(rest: &[Transform]) -> Vec<Transform> {
    let angles = [0.1, 0.5, 0.3, -0.6, 0.2, 0.15, 0.9, -0.4, 0.3, 0.7];
    let axis = |j: usize| Vec3::AXES[j % 3];
    let turned = |(j, rest): (usize, &Transform)| Transform {
        rotation: rest.rotation * Quat::from_axis_angle(axis(j), angles[j]),
        ..*rest
    };
    rest.iter().enumerate().map(turned).collect()
}

#[test]
fn bone_offsets_do_where_no_pose_is_symmetric() {
    for (along, side) in [(Vec3::X, Vec3::Z), (Vec3::Y, Vec3::X), (Vec3::Z, Vec3::X)] {
        let skeleton = skeleton(&posed(&capture(along, side)));
        let clip = walk(&skeleton, along, side);
        let (_, report) = mirrored(&clip, &skeleton, &MirrorOptions::default());
        assert_eq!(report.reference, MirrorReference::Offsets);
    }
    // Bones of the right side that point away from their ends, as rigs mirrored by behaviour have them.
    let mut rest = capture(Vec3::Y, Vec3::X);
    for end in [4, 9] {
        rest[end].translation = -rest[end].translation;
    }
    for start in [3, 8] {
        rest[start].rotation = Quat::from_rotation_x(std::f32::consts::PI);
    }
    let skeleton = skeleton(&posed(&rest));
    let clip =
        Clip::new("swing", &skeleton, [turn(1, &[Quat::IDENTITY, Quat::from_rotation_x(0.4)])]).unwrap();
    let (_, report) = mirrored(&clip, &skeleton, &MirrorOptions::default());
    assert_eq!(report.reference, MirrorReference::Offsets);
}

#[test]
fn a_symmetric_pose_can_be_named() {
    let symmetric = capture(Vec3::Y, Vec3::X);
    let skeleton = skeleton(&posed(&symmetric));
    let keys = symmetric.iter().zip(0..).map(|(rest, joint)| turn(joint, &[Quat::IDENTITY, rest.rotation]));
    let reference = Clip::new("t-pose", &skeleton, keys).unwrap();
    let clip = walk(&skeleton, Vec3::Y, Vec3::X);
    let options = MirrorOptions::default().with_reference(&reference, 0.1);
    let (mirror, report) = mirrored(&clip, &skeleton, &options);
    assert_eq!(report.reference, MirrorReference::Named);
    // The reference pose is its own image.
    let (image, _) = mirrored(&reference, &skeleton, &options);
    let [a, b] = [&reference, &image].map(|clip| model(&skeleton, clip, 0.1));
    assert!(a.iter().zip(&b).all(|(a, b)| a.abs_diff_eq(*b, 1e-3)));
    assert!(mirror.tracks().len() >= clip.tracks().len());
}

#[test]
fn sides_of_different_lengths_are_an_error_unless_allowed() {
    let mut rest = capture(Vec3::Y, Vec3::X);
    rest[9].translation *= 1.4;
    let skeleton = skeleton(&rest);
    let clip = walk(&skeleton, Vec3::Y, Vec3::X);
    let error = mirror(&clip, &skeleton, &MirrorOptions::default()).unwrap_err();
    let MirrorError::NotSymmetric { joint, distance, size, .. } = error.clone() else { panic!("{error}") };
    assert!(joint == JointIndex(9) || joint == JointIndex(7), "{error}");
    assert!(distance > 0.02 * size && error.to_string().contains("Hand"), "{error}");
    let options = MirrorOptions::default().with_tolerance(f32::INFINITY);
    let (mirrored, report) = mirror(&clip, &skeleton, &options).unwrap();
    let furthest = furthest(&skeleton, &clip, &mirrored, report.plane);
    assert!((report.largest.distance - distance).abs() < 1e-9);
    assert!(furthest > 0.02 * size && furthest <= distance + 1e-6, "{distance} {furthest}");
    // Each side keeps its length.
    let [a, b] = [&clip, &mirrored].map(|clip| model(&skeleton, clip, 0.15));
    let length = |m: &[DAffine3], j: usize| m[j].translation.distance(m[j - 1].translation);
    assert!((length(&a, 9) - length(&b, 9)).abs() < 1e-3 && (length(&a, 7) - length(&b, 7)).abs() < 1e-3);
}
