//! Clips later, slower, and without keys.

use proptest::prelude::*;
use throng_tracks::tools::{TimeError, scale_time, shift, trim};
use throng_tracks::{Channel, Interpolation, Track, TrackError};

use crate::make::{CHAIN, TICK, clip, close, endless_track, sampled, solo, track, track_of};

proptest! {
    #[test]
    fn a_shifted_clip_shows_the_same_later(track in endless_track(), by in 0u16..200) {
        let by = f32::from(by) * TICK;
        let clip = solo(track.clone());
        let later = shift(&clip, &CHAIN, by).unwrap();
        prop_assert_eq!(later.duration_s(), clip.duration_s() + by);
        for tick in 0..200u16 {
            // Off the ticks, where a function that jumps would have to round as the track does.
            let t = (f32::from(tick) + 0.5) * TICK;
            let (found, expected) = (sampled(track_of(&later), t + by), sampled(&track, t));
            prop_assert!(close(track.channel(), &found, &expected), "at {t}: {found:?} {expected:?}");
        }
    }

    #[test]
    fn a_shift_there_and_back_is_none(clip in clip(), by in 0u16..200) {
        let by = f32::from(by) * TICK;
        prop_assert_eq!(shift(&shift(&clip, &CHAIN, by).unwrap(), &CHAIN, -by).unwrap(), clip);
    }

    #[test]
    fn shifts_add_up(clip in clip(), by in prop::array::uniform2(0u16..200)) {
        let [a, b] = by.map(|by| f32::from(by) * TICK);
        let twice = shift(&shift(&clip, &CHAIN, a).unwrap(), &CHAIN, b).unwrap();
        prop_assert_eq!(twice, shift(&clip, &CHAIN, a + b).unwrap());
    }

    #[test]
    fn a_slower_clip_shows_the_same_slower(track in endless_track(), factor in 1u16..40) {
        let factor = f32::from(factor) / 8.0;
        let clip = solo(track.clone());
        let slower = scale_time(&clip, &CHAIN, factor).unwrap();
        for tick in 0..200u16 {
            let t = (f32::from(tick) + 0.5) * TICK;
            let (found, expected) = (sampled(track_of(&slower), t * factor), sampled(&track, t));
            prop_assert!(close(track.channel(), &found, &expected), "at {t}: {found:?} {expected:?}");
        }
    }

    #[test]
    fn twice_as_slow_and_twice_as_fast_is_the_same(clip in clip(), power in -4i32..5) {
        // Factors whose reciprocal is a number of f32 round nothing.
        let factor = 2.0f32.powi(power);
        let there = scale_time(&clip, &CHAIN, factor).unwrap();
        prop_assert_eq!(there.duration_s(), clip.duration_s() * factor);
        prop_assert_eq!(scale_time(&there, &CHAIN, factor.recip()).unwrap(), clip);
    }

    #[test]
    fn trimming_keeps_the_curve_between_the_keys_it_keeps(track in track(), ends in prop::array::uniform2(0u16..150)) {
        let (a, b) = (f32::from(ends[0].min(ends[1])) * TICK, f32::from(ends[0].max(ends[1])) * TICK);
        let trimmed = trim(&solo(track.clone()), &CHAIN, a, b).unwrap();
        let stays: Vec<f32> = track.times().iter().copied().filter(|t| (a..=b).contains(t)).collect();
        prop_assert_eq!(trimmed.tracks().is_empty(), stays.is_empty());
        if stays.is_empty() {
            return Ok(());
        }
        let kept = track_of(&trimmed);
        prop_assert_eq!(&kept.times()[..], &stays[..]);
        prop_assert_eq!(kept.interpolation(), track.interpolation());
        let (first, last) = (stays[0], stays[stays.len() - 1]);
        for tick in 0..200u16 {
            let t = f32::from(tick) * TICK * 0.75;
            if first <= t && t <= last {
                let (found, expected) = (sampled(kept, t), sampled(&track, t));
                prop_assert!(close(track.channel(), &found, &expected), "at {t}: {found:?} {expected:?}");
            }
        }
    }
}

#[test]
fn errors_name_what_was_asked_for() {
    let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [1.0, 3.0], vec![1.0; 6]);
    let clip = solo(walk.unwrap());
    let error = shift(&clip, &CHAIN, -2.0).unwrap_err();
    let label = "joint 0 translation".to_owned();
    assert_eq!(error, TimeError::Track(TrackError::NegativeTime { track: label, key: 0, time: -1.0 }));
    for by in [f32::NAN, f32::INFINITY] {
        let error = shift(&clip, &CHAIN, by).unwrap_err();
        assert!(matches!(error, TimeError::Track(TrackError::TimeNotFinite { key: 0, .. })), "{error}");
    }
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = scale_time(&clip, &CHAIN, factor).unwrap_err();
        assert!(matches!(error, TimeError::Factor { .. }), "{error}");
    }
    let error = scale_time(&clip, &CHAIN, f32::MAX).unwrap_err();
    assert!(matches!(error, TimeError::Track(TrackError::TimeNotFinite { key: 1, .. })), "{error}");
    for (start, end) in [(2.0, 1.0), (f32::NAN, 1.0), (0.0, f32::NAN)] {
        let error = trim(&clip, &CHAIN, start, end).unwrap_err();
        assert!(matches!(error, TimeError::Range { .. }), "{error}");
    }
}
