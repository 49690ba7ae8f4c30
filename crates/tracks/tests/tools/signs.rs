//! A spline whose quaternions keep their signs stays the same curve through the tools.

use glam::DQuat;
use throng_tracks::{Channel, Clip, DTransform, Interpolation, JointIndex, Track, tools};

use crate::make::CHAIN;

/// A spline between opposite hemispheres: it swings the long path.
fn swing(interpolation: Interpolation) -> Clip {
    let (a, b) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -0.6, -0.8]);
    let tangent = [0.0, 1.5, 0.0, 0.0];
    let values = match interpolation {
        Interpolation::CatmullRom => [tangent, a, b, a, tangent].concat(),
        _ => [tangent, a, tangent, tangent, b, tangent, tangent, a, tangent].concat(),
    };
    let track = Track::with_signs_kept("spin", Channel::Rotation, interpolation, [0.0, 1.0, 2.0], values);
    Clip::new("swing", &CHAIN, [(JointIndex(0), track.unwrap())]).unwrap()
}

fn rotation(clip: &Clip, t: f32) -> DQuat {
    let mut pose = vec![DTransform::IDENTITY; CHAIN.joint_count()];
    clip.sample_f64(&CHAIN, t, &mut pose);
    pose[0].rotation
}

#[test]
fn tools_keep_the_curve() {
    for interpolation in [Interpolation::CubicSpline, Interpolation::CatmullRom] {
        let clip = swing(interpolation);
        let part = tools::subclip(&clip, &CHAIN, 0.25, 1.75).unwrap();
        let back = tools::reverse(&clip, &CHAIN).unwrap();
        let slow = tools::scale_time(&clip, &CHAIN, 2.0).unwrap();
        let twice = tools::concat("twice", &[part.clone(), clip.clone()], &CHAIN, 0.5).unwrap();
        for i in 0..=24 {
            let t = i as f32 / 16.0;
            let expected = rotation(&clip, 0.25 + t);
            let found = [
                ("subclip", rotation(&part, t)),
                ("reverse", rotation(&back, 1.75 - t)),
                ("scale_time", rotation(&slow, 2.0 * (0.25 + t))),
                ("concat, first", if t < 1.5 { rotation(&twice, t) } else { expected }),
                ("concat, second", rotation(&twice, 2.0 + 0.25 + t)),
            ];
            for (tool, found) in found {
                let angle = found.angle_between(expected);
                assert!(angle < 1e-5, "{tool} of {interpolation:?} at {t} s: {angle}");
            }
        }
        let track = clip.tracks()[0].track();
        let aligned = Track::new(
            "spin",
            Channel::Rotation,
            interpolation,
            track.times().clone(),
            track.values().to_vec(),
        );
        let aligned = Clip::new("short", &CHAIN, [(JointIndex(0), aligned.unwrap())]).unwrap();
        assert!(rotation(&clip, 0.5).angle_between(rotation(&aligned, 0.5)) > 0.1, "the path is another");
    }
}
