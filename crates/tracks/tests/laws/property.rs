//! Named properties of clips.

use glam::{Quat, Vec2, Vec3, Vec4};
use throng_tracks::{
    Channel, Clip, ClipError, DTransform, Extrapolation, Interpolation, JointIndex, Property, Track, Value,
};

use crate::make::{chain, pose_of, slide};

fn track(channel: Channel, end: &[f32]) -> Track {
    let values = [&vec![0.0; end.len() - 1][..], &[1.0], end].concat();
    Track::new("t", channel, Interpolation::Linear, [0.0, 2.0], values).unwrap()
}

#[test]
fn each_kind_has_its_type() {
    let quarter = [0.0, 0.0, 1.0, 1.0].map(|v: f32| v * std::f32::consts::FRAC_1_SQRT_2);
    let tracks = [
        ("scalar", track(Channel::Scalar, &[3.0])),
        ("vec2", track(Channel::Vec2, &[2.0, 3.0])),
        ("vec3", track(Channel::Vec3, &[2.0, 4.0, 3.0])),
        ("vec4", track(Channel::Vec4, &[2.0, 4.0, 6.0, 3.0])),
        ("colour", track(Channel::Colour, &[0.5, 0.0, 1.0, 1.0])),
        ("turn", track(Channel::Quaternion, &quarter)),
        ("weights", track(Channel::Weights(2), &[1.0, 3.0])),
        ("picture", Track::from_frames("p", ["a", "b"], 1.0).unwrap()),
    ];
    let clip = Clip::new("c", &chain(1), []).unwrap().with_properties(&chain(1), tracks).unwrap();
    let at = |name: &str| {
        let index = clip.find_property(&name.into()).unwrap();
        assert_eq!(clip.properties()[index].property().name, name);
        clip.properties()[index].sample(1.0)
    };
    assert_eq!(at("scalar"), Value::Scalar(2.0));
    assert_eq!(at("vec2"), Value::Vec2(Vec2::new(1.0, 2.0)));
    assert_eq!(at("vec3"), Value::Vec3(Vec3::new(1.0, 2.0, 2.0)));
    assert_eq!(at("vec4"), Value::Vec4(Vec4::new(1.0, 2.0, 3.0, 2.0)));
    assert_eq!(at("colour"), Value::Colour([0.25, 0.0, 0.5, 1.0]));
    assert_eq!(at("weights"), Value::Weights(vec![0.5, 2.0]));
    assert_eq!(at("picture"), Value::Discrete(1, "b"));
    let Value::Quaternion(q) = at("turn") else { panic!("a quaternion is one") };
    assert!(q.abs_diff_eq(Quat::from_rotation_z(std::f32::consts::FRAC_PI_4), 1e-6), "{q}");
    assert_eq!(clip.find_property(&"no such".into()), None);
    assert_eq!(clip.properties().len(), 8);
}

#[test]
fn the_clip_lasts_to_the_last_key_of_any_track_and_poses_the_same() {
    let skeleton = chain(1);
    let moves = slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]);
    let alone = Clip::new("c", &skeleton, [(JointIndex(0), moves)]).unwrap();
    let glow = track(Channel::Scalar, &[1.0]).with_extrapolation(Extrapolation::Clamp, Extrapolation::Linear);
    let both = alone.clone().with_properties(&skeleton, [("glow", glow)]).unwrap();
    assert_eq!((alone.duration_s(), both.duration_s()), (1.0, 2.0));
    assert_eq!((alone.key_count(), both.key_count()), (2, 4));
    assert_eq!(alone.timelines(), both.timelines());
    let (mut a, mut b) = ([DTransform::IDENTITY], [DTransform::IDENTITY]);
    alone.sample_f64(&skeleton, 0.5, &mut a);
    both.sample_f64(&skeleton, 0.5, &mut b);
    assert_eq!(a, b);
    assert_eq!(both.properties()[0].sample(5.0), Value::Scalar(1.0));
    // Of weights and properties nothing is baked: the rows are those of a clip that holds still for longer.
    let baked = |clip: &Clip| {
        let (bank, _) =
            throng_tracks::bake(&skeleton, std::slice::from_ref(clip), &Default::default()).unwrap();
        (bank.row_count(), bank.row_stride())
    };
    assert_eq!(baked(&both).1, baked(&alone).1);
    let mut pose = pose_of(&skeleton);
    both.sample(&skeleton, 2.0, &mut pose);
    assert_eq!(pose[0].translation.x, 1.0);
}

#[test]
fn a_property_has_one_track() {
    let skeleton = chain(2);
    let glow = || track(Channel::Scalar, &[1.0]);
    let clip = || Clip::new("dusk", &skeleton, []).unwrap();
    // Of two joints and of none: three properties.
    let three =
        [Property::from("glow"), Property::at(JointIndex(0), "glow"), Property::at(JointIndex(1), "glow")];
    let made = clip().with_properties(&skeleton, three.clone().map(|p| (p, glow()))).unwrap();
    assert_eq!(three.map(|p| made.find_property(&p)), [Some(0), Some(1), Some(2)]);
    // In one call or in two, of one kind or of two.
    let colour = track(Channel::Colour, &[1.0; 4]);
    let twice = [("glow", glow()), ("glow", colour)];
    let error = clip().with_properties(&skeleton, twice).unwrap_err();
    assert!(matches!(error, ClipError::RepeatedProperty { .. }));
    assert_eq!(error.to_string(), "clip \"dusk\" has two tracks for property \"glow\"");
    let error = made.with_properties(&skeleton, [(Property::at(JointIndex(1), "glow"), glow())]).unwrap_err();
    assert_eq!(error.to_string(), "clip \"dusk\" has two tracks for property \"glow\" of joint 1");
    let error =
        clip().with_properties(&skeleton, [(Property::at(JointIndex(2), "glow"), glow())]).unwrap_err();
    assert_eq!(error.to_string(), "clip \"dusk\" moves joint 2, but the skeleton has 2 joints");
}

#[test]
fn joints_and_properties_have_their_own_channels() {
    let skeleton = chain(1);
    let moves = slide(Interpolation::Linear, &[0.0], &[0.0]);
    let error =
        Clip::new("c", &skeleton, []).unwrap().with_properties(&skeleton, [("p", moves)]).unwrap_err();
    assert!(matches!(error, ClipError::NotOfProperties { channel: Channel::Translation, .. }));
    assert_eq!(
        error.to_string(),
        "clip \"c\" has a translation track for property \"p\", which is for a joint"
    );
    let error = Clip::new("c", &skeleton, [(JointIndex(0), track(Channel::Vec3, &[1.0; 3]))]).unwrap_err();
    assert!(matches!(error, ClipError::NotOfJoints { channel: Channel::Vec3, .. }));
    assert_eq!(error.to_string(), "clip \"c\" has a vec3 track for joint 0, which is for a named property");
}
