//! Every kind of track, written and read back.

use glam::{DQuat, Quat};
use throng_gltf::export::{Export, glb};
use throng_gltf::{Import, Morph, Report, import_slice};
use throng_tracks::{
    Channel, Clip, Custom, Extrapolation, Interpolation, Joint, JointIndex, Property, Rest, Skeleton, Track,
    Transform,
};

fn skeleton() -> Skeleton {
    let joint = |j: u16| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform::IDENTITY),
    };
    Skeleton::new((0..3).map(joint)).unwrap()
}

fn through(clip: &Clip, morphs: &[Morph]) -> (Import, Report, serde_json::Value) {
    let clips = std::slice::from_ref(clip);
    let (bytes, report) = glb(&Export { skeleton: &skeleton(), skins: &[], clips, morphs }).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    (import_slice(&bytes, None).unwrap(), report, document)
}

/// What a track of a joint becomes.
fn rewritten(track: Track) -> (Track, Report) {
    let clip = Clip::new("clip", &skeleton(), [(JointIndex(0), track)]).unwrap();
    let (back, report, _) = through(&clip, &[]);
    assert!(back.report.is_empty(), "{}", back.report);
    (back.clips[0].tracks()[0].track().clone(), report)
}

fn sampled(track: &Track, t: f32) -> Vec<f64> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample_f64(t, &mut value);
    value
}

/// How far two tracks are apart, from 0 to their end; rotations by their angle.
fn apart(a: &Track, b: &Track) -> f64 {
    let end = f64::from(a.times()[a.times().len() - 1]);
    let differ = |t: f32| {
        let (a, b) = (sampled(a, t), sampled(b, t));
        match <[f64; 4]>::try_from(&a[..]) {
            Ok(q) => {
                let (a, b) = (DQuat::from_array(q), DQuat::from_slice(&b));
                2.0 * (a - b).length().min((a + b).length())
            }
            Err(_) => a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
        }
    };
    (0..=2000).map(|step| differ((end * f64::from(step) / 2000.0) as f32)).fold(0.0, f64::max)
}

fn turns(angles: &[f32]) -> Vec<f32> {
    let axis = glam::Vec3::new(1.0, 2.0, -2.0) / 3.0;
    angles.iter().flat_map(|&a| Quat::from_axis_angle(axis, a).to_array()).collect()
}

#[test]
fn morph_weights_come_back_with_names_and_rest() {
    let weights = |times: &[f32], values: &[f32]| {
        let kind = Interpolation::Linear;
        Track::new("face", Channel::Weights(2), kind, times.to_vec(), values.to_vec()).unwrap()
    };
    let spline = Track::new(
        "s",
        Channel::Weights(1),
        Interpolation::CubicSpline,
        [0.0, 1.0],
        vec![0.0, 1.0, 0.5, 2.0, 3.0, 0.0],
    );
    let tracks =
        [(JointIndex(1), weights(&[0.0, 1.0], &[0.0, 0.25, 0.5, 1.0])), (JointIndex(2), spline.unwrap())];
    let clip = Clip::new("smile", &skeleton(), tracks).unwrap();
    let names = ["smile", "frown"].map(String::from);
    let morph = Morph { node: 1, weights: [0.5, 0.0].into(), names: names.into() };
    let (back, report, _) = through(&clip, std::slice::from_ref(&morph));
    assert!(report.is_empty() && back.report.is_empty(), "{report}{}", back.report);
    let bare = Morph { node: 2, weights: [0.0].into(), names: [].into() };
    assert_eq!(back.morphs, [morph, bare]);
    assert_eq!(back.clips[0], clip);
}

#[test]
fn properties_of_every_kind_come_back() {
    use Channel::{Colour, Quaternion, Scalar, Vec2, Vec3, Vec4, Weights};
    let track = |channel: Channel| {
        let n = channel.components();
        let values: Vec<f32> = match channel {
            Quaternion => turns(&[0.5, 2.5]),
            _ => (0..2 * n).map(|i| i as f32 / 4.0).collect(),
        };
        Track::new("p", channel, Interpolation::Linear, [0.0, 1.5], values).unwrap()
    };
    let kinds = [Scalar, Vec2, Vec3, Vec4, Colour, Quaternion, Weights(1), Weights(3)];
    let names = ["glow", "", "a/b", "~0~1", "/materials/0/alphaCutoff", "\u{e9}\n\"", "scale", "extras"];
    let mut properties = Vec::new();
    for (kind, name) in kinds.into_iter().zip(names) {
        properties.push((Property::from(name), track(kind)));
        properties.push((Property::at(JointIndex(2), name), track(kind)));
    }
    let spline =
        Track::new("p", Scalar, Interpolation::CubicSpline, [0.0, 1.0], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    properties.push((Property::at(JointIndex(1), "spline"), spline.unwrap()));
    let step = Track::new("p", Vec2, Interpolation::Step, [0.5], vec![7.0, 8.0]).unwrap();
    properties.push((Property::at(JointIndex(1), "step"), step));
    let moved = Track::new("m", Channel::Scale, Interpolation::Step, [0.0], vec![2.0; 3]).unwrap();
    let clip = Clip::new("dusk", &skeleton(), [(JointIndex(0), moved)]).unwrap();
    let clip = clip.with_properties(&skeleton(), properties).unwrap();
    let (back, report, document) = through(&clip, &[]);
    assert_eq!(back.report.to_string(), "");
    assert_eq!(back.clips[0], clip);
    // Those that were something else in another file.
    assert_eq!(report.lines().len(), 2, "{report}");
    assert!(report.lines().iter().all(|l| l.what.ends_with("as the file has no such thing")), "{report}");
    assert_eq!(document["extensionsUsed"], serde_json::json!(["KHR_animation_pointer"]));
    // What is animated is there.
    for channel in document["animations"][0]["channels"].as_array().unwrap() {
        let to = &channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"];
        assert!(to.is_null() || document.pointer(to.as_str().unwrap()).is_some(), "{to}");
    }
    assert_eq!(document["nodes"][1]["extras"]["spline"], 1.0);
    assert_eq!(document["extras"]["a/b"], serde_json::json!([0.0, 0.25, 0.5]));
}

#[test]
fn properties_alone_make_a_clip() {
    let glow = Track::new("g", Channel::Scalar, Interpolation::Linear, [0.0, 1.0], vec![0.0, 1.0]).unwrap();
    let clip = Clip::new("dawn", &skeleton(), []).unwrap();
    let clip = clip.with_properties(&skeleton(), [("glow", glow)]).unwrap();
    let (back, ..) = through(&clip, &[]);
    assert_eq!(back.clips[0].properties(), clip.properties());
}

#[test]
fn near_slerps_are_written_as_the_splines_they_are() {
    for kind in [Interpolation::Nlerp, Interpolation::QuasiSpherical] {
        let values = turns(&[0.0, 2.9, 3.0, 0.5]);
        let track = Track::new("t", Channel::Rotation, kind, [0.25, 1.0, 1.0, 3.0], values).unwrap();
        let (back, report) = rewritten(track.clone());
        assert_eq!(back.interpolation(), Interpolation::CubicSpline);
        assert!(apart(&track, &back) < 1e-5, "{}", apart(&track, &back));
        let said = format!(
            "remark: animations[0].tracks[0]: {} is written as CUBICSPLINE, which holds the same curve\n",
            kind.name()
        );
        assert_eq!(report.to_string(), said);
    }
}

#[test]
fn functions_are_written_within_the_tolerance_that_is_told() {
    let wave = || {
        Custom::new(|u, keys, out| {
            for ((out, &a), &b) in out.iter_mut().zip(keys.start()).zip(keys.end()) {
                *out = f64::from(a)
                    + (f64::from(b) - f64::from(a)) * u.powi(3)
                    + 0.2 * (6.0 * u).sin() * (1.0 - u);
            }
        })
    };
    let slide = Track::custom(
        "s",
        Channel::Translation,
        [0.0, 1.0, 2.0],
        vec![0.0, 5.0, 0.0, 3.0, 5.0, 10.0, 0.0, 0.0, 1.0],
        wave(),
    );
    let turn = Track::custom("t", Channel::Rotation, [0.0, 1.5], turns(&[0.0, 2.0]), wave());
    for (track, tolerance) in [(slide.unwrap(), 1e-3), (turn.unwrap(), 1e-4)] {
        let (back, report) = rewritten(track.clone());
        assert_eq!(back.interpolation(), Interpolation::Linear);
        assert!(apart(&track, &back) < tolerance * 1.05, "{} {report}", apart(&track, &back));
        let said = format!("CUSTOM is written as LINEAR with {} keys, within 0.0001", back.times().len());
        assert!(report.to_string().contains(&said), "{report}");
        assert!((10..1000).contains(&back.times().len()));
    }
}

#[test]
fn functions_that_jump_are_told_and_end() {
    let leap = Custom::new(|u, _, out| out.fill(if u < 0.3 { 1.0 } else { 5.0 }));
    let track = Track::custom("t", Channel::Scale, [0.0, 1.0, 2.0], vec![1.0; 9], leap).unwrap();
    let (back, report) = rewritten(track.clone());
    assert!(report.to_string().contains("but for a jump at 0.3"), "{report}");
    assert!(back.times().len() < 60, "{}", back.times().len());
    for t in [0.0, 0.29, 0.31, 0.999_999, 1.0, 1.2, 1.4, 2.0] {
        assert_eq!(sampled(&track, t), sampled(&back, t), "at {t}");
    }
}

#[test]
fn what_goes_on_beyond_the_keys_is_written_out() {
    let swing = Track::new(
        "s",
        Channel::Translation,
        Interpolation::Linear,
        [0.5, 1.0],
        vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0],
    );
    let swing = swing.unwrap().with_extrapolation(Extrapolation::Linear, Extrapolation::PingPong);
    let long = Track::new("l", Channel::Scale, Interpolation::Step, [0.0, 3.0], vec![1.0; 6]).unwrap();
    let clip =
        Clip::new("clip", &skeleton(), [(JointIndex(0), swing.clone()), (JointIndex(1), long)]).unwrap();
    let (back, report, _) = through(&clip, &[]);
    let said = "remark: animations[0]: what tracks show beyond their keys is written out to the end of the clip; glTF only clamps\n";
    assert_eq!(report.to_string(), said);
    assert_eq!(back.clips[0].duration_s(), 3.0);
    for step in 0..=60 {
        let t = step as f32 / 20.0;
        let (a, b) = (sampled(&swing, t), sampled(back.clips[0].tracks()[0].track(), t));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} {b:?} at {t}");
    }
}

#[test]
fn every_key_is_later_than_the_one_ahead() {
    for kind in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let times = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0f32.next_up(), 2.0, 2.0];
        let values: Vec<f32> = (0..8 * 3 * kind.values_per_key()).map(|i| (i / 3) as f32).collect();
        let track = Track::new("t", Channel::Translation, kind, times, values).unwrap();
        let (back, _) = rewritten(track.clone());
        assert!(back.times().windows(2).all(|w| w[0] < w[1]), "{:?}", back.times());
        for t in [0.0, 0.25, 0.999, 1.0, 1.5, 1.999, 2.0, 3.0] {
            let (a, b) = (sampled(&track, t), sampled(&back, t));
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?} at {t} {kind:?}");
        }
    }
}

#[test]
fn that_a_clip_is_additive_is_told() {
    let lift = Track::new("l", Channel::Translation, Interpolation::Step, [0.0], vec![1.0; 3]).unwrap();
    let clip = Clip::new("lift", &skeleton(), [(JointIndex(0), lift)]).unwrap().with_additive(true);
    let (back, report, _) = through(&clip, &[]);
    assert!(report.to_string().contains("additive"), "{report}");
    assert_eq!(back.clips[0].clone().with_additive(true), clip);
}
