//! Crossfades, and what can't be built.

use super::*;

#[test]
fn a_crossfade_lasts_0_3_s_by_default() {
    assert_eq!(Crossfade::default().seconds, 0.3);
}

#[test]
fn a_new_fade_during_a_fade_starts_from_the_present_mix_and_weights_sum_to_1_at_every_step() {
    let scene = Scene::new();
    for mut crowd in scene.crowds() {
        let id = shown(0, 0.5, 1.0).spawn(&mut crowd);
        let mut before: Option<Vec<f32>> = None;
        for step in 0..90 {
            if [5, 12, 40].contains(&step) {
                let next = shown([1, 2, 3][step / 6 % 3], 0.5, 1.0).playback(&mut crowd);
                crowd.evaluate();
                let now = crowd.palette(id).unwrap().to_vec();
                crowd.crossfade(id, next, 0.3).unwrap();
                crowd.evaluate();
                assert!(far(&now, crowd.palette(id).unwrap()) < 2e-6, "the present mix at step {step}");
            }
            crowd.advance(1.0 / 60.0).unwrap();
            let playing: Vec<_> = crowd.playbacks(id).unwrap().collect();
            let playing: Vec<Playback> = playing.into_iter().map(|p| crowd.playback(p).unwrap()).collect();
            let sum: f32 = playing.iter().map(|p| p.weight).sum();
            assert!((sum - 1.0).abs() < 1e-6, "weights sum to {sum} at step {step}");
            let layers: Vec<Shown<'_>> = playing.iter().map(|p| shown(p.clip, 0.5, p.weight)).collect();
            scene.check(&mut crowd, id, &layers, 2e-5);
            let now = crowd.palette(id).unwrap().to_vec();
            assert!(before.is_none_or(|before| far(&before, &now) < 0.6), "nothing jumps at step {step}");
            before = Some(now);
        }
    }
}

#[test]
fn two_tracks_on_one_channel_of_one_joint_are_a_build_error() {
    let skeleton = skeleton();
    let twice = [(JointIndex(1), turn(Vec3::X, &[0.0])), (JointIndex(1), turn(Vec3::Y, &[0.0, 1.0]))];
    let error = Clip::new("twice", &skeleton, twice).unwrap_err();
    assert!(matches!(&error, ClipError::RepeatedChannel { joint: JointIndex(1), .. }), "{error}");
    assert_eq!(error.to_string(), "clip \"twice\" has two rotation tracks for joint 1 (\"joint 1\")");
}
