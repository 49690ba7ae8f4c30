//! Morph targets one after another.

use proptest::prelude::*;
use throng_tracks::TrackError;
use throng_tracks::tools::{MorphError, morph_sequence};

use crate::make::sampled;

proptest! {
    #[test]
    fn each_frame_shows_its_target_and_between_two_they_fade(
        frames in prop::collection::vec(0u32..5, 1..20), rate in prop::sample::select(vec![10.0f32, 24.0, 30.0]), loops: bool,
    ) {
        let track = morph_sequence("made", 5, &frames, rate, loops).unwrap();
        let last = if loops { frames.len() } else { frames.len() - 1 };
        prop_assert_eq!(track.times()[track.times().len() - 1], (last as f64 / f64::from(rate)) as f32);
        for frame in 0..last {
            let (here, next) = (frames[frame], frames[(frame + 1) % frames.len()]);
            for way in [0.0, 0.25, 0.5] {
                let weights = sampled(&track, ((frame as f64 + way) / f64::from(rate)) as f32);
                prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-6);
                let part = |target: u32| if target == here { 1.0 - way } else { 0.0 } + if target == next { way } else { 0.0 };
                prop_assert!((0..5).all(|target| (weights[target as usize] - part(target)).abs() < 1e-4));
            }
        }
    }
}

#[test]
fn errors_name_the_frame() {
    let error = morph_sequence("face", 2, &[0, 2], 10.0, true).unwrap_err();
    assert_eq!(error, MorphError::NoSuchTarget { track: "face".into(), frame: 1, target: 2, count: 2 });
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(morph_sequence("face", 2, &[0], rate, true).unwrap_err(), MorphError::Rate { .. }));
    }
    let error = morph_sequence("face", 2, &[], 10.0, true).unwrap_err();
    assert_eq!(error, MorphError::Track(TrackError::NoKey { track: "face".into() }));
    let error = morph_sequence("face", u32::MAX, &[0, 1], 10.0, true).unwrap_err();
    assert!(matches!(error, MorphError::TooManyNumbers { .. }), "{error}");
}
