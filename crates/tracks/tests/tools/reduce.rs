//! Fewer keys, and how far off that may be.

use glam::{DAffine3, DVec3};
use proptest::prelude::*;
use throng_tracks::tools::{ReduceError, ReduceOptions, reduce, subclip};
use throng_tracks::{Channel, Clip, Extrapolation, Interpolation, JointIndex, Track, model_matrices_f64};

use crate::make::{CHAIN, TICK, endless_clip, endless_track, pose, sampled, solo, track_of};

/// How far the furthest of the points moves that are `shell` from a joint.
fn moved(a: &Clip, b: &Clip, t: f32, shell: f64) -> f64 {
    let [a, b] = [a, b].map(|clip| {
        let mut model = vec![DAffine3::IDENTITY; CHAIN.joint_count()];
        model_matrices_f64(&CHAIN, &pose(clip, t), &mut model);
        model
    });
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).map(|axis| axis * shell);
    let points: Vec<DVec3> = axes.collect();
    a.iter()
        .zip(&b)
        .flat_map(|(a, b)| points.iter().map(|&p| a.transform_point3(p).distance(b.transform_point3(p))))
        .fold(0.0, f64::max)
}

/// A track as capture gives it: a key each tick, of a slow movement and a little noise.
fn captured(channel: Channel, kind: Interpolation) -> impl Strategy<Value = Track> {
    (0.5f32..4.0, 0.0f32..0.01, any::<u32>(), 20u16..80).prop_map(move |(pace, noise, seed, keys)| {
        let tick = |key: u16| f32::from(key) * TICK;
        let jitter =
            |key: u16| ((u32::from(key).wrapping_mul(2_654_435_761) ^ seed) % 1000) as f32 / 1000.0 * noise;
        let value = |key: u16| {
            let x = (pace * tick(key)).sin() + jitter(key);
            match channel {
                Channel::Rotation => glam::Quat::from_rotation_x(x).to_array().to_vec(),
                Channel::Scale => vec![1.0 + 0.3 * x; 3],
                _ => vec![x, 0.5 * x, 0.0],
            }
        };
        let times: Vec<f32> = (0..keys).map(tick).collect();
        Track::new("captured", channel, kind, times, (0..keys).flat_map(value).collect()).unwrap()
    })
}

fn captured_clip() -> impl Strategy<Value = Clip> {
    use Channel::{Rotation, Scale, Translation};
    use Interpolation::{Linear, Nlerp, QuasiSpherical, Step};
    let tracks = (
        captured(Translation, Linear),
        captured(Rotation, Linear),
        captured(Rotation, Nlerp),
        captured(Rotation, QuasiSpherical),
        captured(Scale, Step),
    );
    tracks.prop_map(|(a, b, c, d, e)| {
        let joints = [0, 0, 1, 2, 1].map(JointIndex);
        Clip::new("captured", &CHAIN, joints.into_iter().zip([a, b, c, d, e])).unwrap()
    })
}

/// Every 16th of a tick, and on both sides of every tick.
fn densely(duration: f32) -> impl Iterator<Item = f32> {
    let steps = (duration / TICK * 16.0) as u32;
    (0..=steps).map(|step| step as f32 * TICK / 16.0).flat_map(|t| [t, t.next_down().max(0.0)])
}

proptest! {
    #[test]
    fn no_point_leaves_the_tolerance(
        clip in prop_oneof![endless_clip(), captured_clip()], tolerance in 1e-4f32..0.3, shell in 0.0f32..1.0,
    ) {
        let options = ReduceOptions { tolerance, shell, ..ReduceOptions::default() };
        let reduced = reduce(&clip, &CHAIN, &options).unwrap();
        prop_assert!(reduced.key_count() <= clip.key_count());
        prop_assert_eq!(reduced.duration_s(), clip.duration_s());
        for t in densely(clip.duration_s()) {
            let found = moved(&clip, &reduced, t, f64::from(shell));
            prop_assert!(found <= f64::from(tolerance), "{found} at {t}, above {tolerance}");
        }
    }

    #[test]
    fn captured_movement_loses_most_of_its_keys(clip in captured_clip()) {
        // More than the noise of all joints moves the furthest of them.
        let options = ReduceOptions { tolerance: 0.3, shell: 0.1, ..ReduceOptions::default() };
        let reduced = reduce(&clip, &CHAIN, &options).unwrap();
        prop_assert!(2 * reduced.key_count() < clip.key_count(), "{} of {}", reduced.key_count(), clip.key_count());
    }

    #[test]
    fn values_leave_their_tolerance_nowhere(track in endless_track(), values in 1e-3f32..0.3) {
        let vec3 = [Channel::Translation, Channel::Scale].contains(&track.channel());
        if !vec3 || track.interpolation() == Interpolation::Custom {
            return Ok(());
        }
        let track = Track::new("free", Channel::Vec3, track.interpolation(), track.times().clone(), track.values().to_vec())
            .unwrap()
            .with_extrapolation(track.extrapolation().0, track.extrapolation().1);
        let clip = Clip::new("free", &CHAIN, []).unwrap().with_properties(&CHAIN, [("free", track)]).unwrap();
        let reduced = reduce(&clip, &CHAIN, &ReduceOptions { values, ..ReduceOptions::default() }).unwrap();
        let [a, b] = [&clip, &reduced].map(|clip| clip.properties()[0].track());
        for t in densely(clip.duration_s() + 1.0) {
            let (a, b) = (sampled(a, t), sampled(b, t));
            let apart = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // A line that goes on is as it was but for its rounding.
            prop_assert!(apart <= f64::from(values) + 1e-9, "{apart} at {t}, above {values}");
        }
    }

    #[test]
    fn keys_that_a_cut_made_go_again(track in endless_track(), cuts in prop::array::uniform3(0u16..150)) {
        let line = [Interpolation::Linear, Interpolation::Step].contains(&track.interpolation());
        if !line || track.channel().is_rotation() || !track.channel().is_in_pose() {
            return Ok(());
        }
        let mut cuts = cuts.map(|t| f32::from(t) * TICK);
        cuts.sort_by(f32::total_cmp);
        let track = track.with_extrapolation(Extrapolation::Clamp, Extrapolation::Clamp);
        let part = subclip(&solo(track), &CHAIN, cuts[0], cuts[2]).unwrap();
        let reduced = reduce(&part, &CHAIN, &ReduceOptions::default()).unwrap();
        // No key lies in the stretches where the source stood still, but at their ends.
        let stands = |key: usize| {
            let t = track_of(&reduced);
            t.value(key - 1) == t.value(key) && t.value(key) == t.value(key + 1)
                && t.times()[key - 1] < t.times()[key] && t.times()[key] < t.times()[key + 1]
        };
        let keys = track_of(&reduced).times().len();
        prop_assert!(!(1..keys.max(1) - usize::from(keys > 0)).any(stands));
    }
}

#[test]
fn errors_name_the_option() {
    let clip = Clip::new("none", &CHAIN, []).unwrap();
    for bad in [-1.0, f32::NAN, f32::INFINITY] {
        let good = ReduceOptions::default();
        let all = [
            ReduceOptions { tolerance: bad, ..good },
            ReduceOptions { shell: bad, ..good },
            ReduceOptions { values: bad, ..good },
        ];
        for (options, name) in all.iter().zip(["the tolerance", "the shell", "the tolerance of values"]) {
            let error = reduce(&clip, &CHAIN, options).unwrap_err();
            assert!(matches!(error, ReduceError::Option { what, .. } if what == name), "{error}");
        }
    }
}
