//! The clips: how they are keyed, and whether the figure moves like a person.

use std::collections::HashSet;

use glam::DMat4;
use gltf_json::animation::{Animation, Interpolation, Property, Sampler};

use crate::body;
use crate::file::File;
use crate::pose;

/// Name, seconds and the lowest of the usual rates on whose grid all keys lie.
const CLIPS: [(&str, f64, u32); 4] =
    [("walk", 1.2, 30), ("run", 0.7, 60), ("idle", 4.0, 24), ("wave", 2.6, 30)];
const RATES: [u32; 7] = [24, 25, 30, 48, 50, 60, 120];

fn each_track(file: &File, mut visit: impl FnMut(&Animation, Property, &Sampler, &str)) {
    for animation in &file.root.animations {
        for channel in &animation.channels {
            let node = &file.root.nodes[channel.target.node.value()];
            let place = format!("{:?} of {:?}", animation.name, node.name);
            let sampler = &animation.samplers[channel.sampler.value()];
            visit(animation, channel.target.path.unwrap(), sampler, &place);
        }
    }
}

/// The value of each key; of a cubic key the middle one of three.
fn key_values(file: &File, sampler: &Sampler) -> Vec<Vec<f64>> {
    let values = file.elements(sampler.output);
    match sampler.interpolation.unwrap() {
        Interpolation::CubicSpline => values.into_iter().skip(1).step_by(3).collect(),
        Interpolation::Linear | Interpolation::Step => values,
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn clips_have_their_lengths_and_rates() {
    let file = File::open();
    assert_eq!(file.root.animations.len(), CLIPS.len());
    for (animation, (name, seconds, rate)) in file.root.animations.iter().zip(CLIPS) {
        assert_eq!(animation.name.as_deref(), Some(name));
        let times: Vec<Vec<f64>> =
            animation.samplers.iter().map(|sampler| file.elements(sampler.input).concat()).collect();
        for times in &times {
            assert_eq!(times[0], 0.0);
            assert!(times.is_sorted_by(|a, b| a < b));
            assert!((times.last().unwrap() - seconds).abs() < 1e-6);
        }
        let on_grid = |rate: u32| {
            times.iter().flatten().all(|time| {
                let frame = time * f64::from(rate);
                (frame - frame.round()).abs() < 1e-4
            })
        };
        assert_eq!(RATES.into_iter().find(|&rate| on_grid(rate)), Some(rate), "{name}");
    }
}

#[test]
fn tracks_share_their_times() {
    let file = File::open();
    for animation in &file.root.animations {
        let inputs: HashSet<usize> = animation.samplers.iter().map(|sampler| sampler.input.value()).collect();
        assert!((2..=5).contains(&inputs.len()), "{:?} has {} arrays of times", animation.name, inputs.len());
        let targets: HashSet<String> = animation
            .channels
            .iter()
            .map(|c| format!("{} {:?}", c.target.node.value(), c.target.path))
            .collect();
        assert_eq!(targets.len(), animation.channels.len(), "two tracks on one channel");
    }
}

#[test]
fn one_track_is_stepped_and_one_is_cubic() {
    let file = File::open();
    let (mut stepped, mut cubic) = (Vec::new(), Vec::new());
    each_track(&file, |_, _, sampler, place| match sampler.interpolation.unwrap() {
        Interpolation::Step => stepped.push(place.to_owned()),
        Interpolation::CubicSpline => cubic.push(place.to_owned()),
        Interpolation::Linear => {}
    });
    assert_eq!(stepped, [r#"Some("wave") of Some("eyelids")"#]);
    assert_eq!(cubic, [r#"Some("idle") of Some("head")"#]);
}

#[test]
fn counts_agree_and_values_are_sound() {
    let file = File::open();
    each_track(&file, |_, property, sampler, place| {
        let keys = file.accessor(sampler.input).count.0 as usize;
        let per_key = if sampler.interpolation.unwrap() == Interpolation::CubicSpline { 3 } else { 1 };
        let values = file.elements(sampler.output);
        assert_eq!(values.len(), keys * per_key, "{place}");
        assert!(values.iter().flatten().all(|value| value.is_finite()), "{place}");
        let values = key_values(&file, sampler);
        assert_eq!(values.first(), values.last(), "{place} does not close");
        match property {
            Property::Rotation => {
                assert!(
                    values.iter().all(|q| (dot(q, q).sqrt() - 1.0).abs() < 3e-6),
                    "{place} is not of unit length"
                );
                assert!(
                    values.windows(2).all(|pair| dot(&pair[0], &pair[1]) > 0.0),
                    "{place} changes hemisphere"
                );
            }
            Property::Scale => assert!(values.iter().all(|s| s[0] == s[1] && s[1] == s[2] && s[0] > 0.9)),
            Property::Translation => assert!(values.iter().all(|t| t.len() == 3)),
            Property::MorphTargetWeights => panic!("{place} drives morph targets"),
        }
    });
}

#[test]
fn cubic_track_has_no_kink_at_the_seam() {
    let file = File::open();
    each_track(&file, |_, _, sampler, place| {
        if sampler.interpolation.unwrap() == Interpolation::CubicSpline {
            let values = file.elements(sampler.output);
            assert_eq!(values[2], values[values.len() - 3], "{place}");
            assert!(values[2].iter().any(|slope| slope.abs() > 1e-3), "{place} stands still at the seam");
        }
    });
}

/// Poses at 48 times of a clip.
fn poses(file: &File, name: &str) -> Vec<Vec<DMat4>> {
    let clip = CLIPS.iter().position(|clip| clip.0 == name).unwrap();
    (0..48).map(|step| pose::model(file, Some(clip), CLIPS[clip].1 * f64::from(step) / 48.0)).collect()
}

#[test]
fn feet_stay_on_the_ground() {
    let file = File::open();
    let vertices = body::vertices(&file);
    for (name, _, _) in CLIPS {
        let lowest: Vec<f64> =
            poses(&file, name).iter().map(|model| pose::lowest(&file, &vertices, model)).collect();
        let (low, high) = (
            lowest.iter().copied().fold(f64::MAX, f64::min),
            lowest.iter().copied().fold(f64::MIN, f64::max),
        );
        assert!(low > -0.005, "{name} sinks to {low}");
        // Only running leaves the ground.
        assert!(
            if name == "run" { (0.02..0.10).contains(&high) } else { high < 0.005 },
            "{name} floats at {high}"
        );
    }
}

/// While the walker's left foot is flat it slides back at one speed: on moving ground it stands still.
#[test]
fn walking_foot_holds_its_ground() {
    let file = File::open();
    let toes = file.node("toes_l");
    let standing: Vec<_> =
        poses(&file, "walk")[8..22].iter().map(|model| model[toes].w_axis.truncate()).collect();
    let step = standing[1] - standing[0];
    assert!(step.z < -0.015, "{step}");
    for pair in standing.windows(2) {
        assert!((pair[1] - pair[0]).abs_diff_eq(step, 0.001), "{pair:?}");
        assert!((pair[0].y - standing[0].y).abs() < 0.001);
    }
}

#[test]
fn knees_and_elbows_bend_the_right_way() {
    let file = File::open();
    for (name, _, _) in CLIPS {
        for model in poses(&file, name) {
            for side in ["l", "r"] {
                let at = |stem: &str| model[file.node(&format!("{stem}_{side}"))];
                // In a joint's own axes Z is the side toward which the bone may swing: the shin goes back,
                // the forearm forward.
                let shin = at("thigh").inverse().transform_point3(at("foot").w_axis.truncate());
                let forearm = at("upper_arm").inverse().transform_point3(at("hand").w_axis.truncate());
                assert!(shin.z < 0.002, "{name}, knee {side}: {shin}");
                assert!(forearm.z > 0.01, "{name}, elbow {side}: {forearm}");
            }
        }
    }
}

#[test]
fn right_hand_waves_above_the_shoulder() {
    let file = File::open();
    let (hand, shoulder) = (file.node("hand_r"), file.node("upper_arm_r"));
    let raised: Vec<f64> = poses(&file, "wave")
        .iter()
        .filter(|model| model[hand].w_axis.y > model[shoulder].w_axis.y + 0.15)
        .map(|model| model[hand].w_axis.x)
        .collect();
    assert!(raised.len() > 20);
    let turns = raised.windows(3).filter(|x| (x[1] - x[0]) * (x[2] - x[1]) < 0.0).count();
    assert!(turns >= 5, "{turns} turns");
    assert!(poses(&file, "wave").iter().all(|model| model[file.node("hand_l")].w_axis.y < 1.0));
}
