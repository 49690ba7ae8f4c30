//! Clips backwards.

use proptest::prelude::*;
use throng_tracks::tools::reverse;
use throng_tracks::{Channel, Interpolation, Track};

use crate::make::{CHAIN, TICK, clamped_or_from_zero, clip, close, sampled, solo, track_of};

proptest! {
    #[test]
    fn backwards_shows_what_forwards_showed(track in clamped_or_from_zero()) {
        let clip = solo(track.clone());
        let back = reverse(&clip, &CHAIN).unwrap();
        prop_assert_eq!(back.duration_s(), clip.duration_s());
        let back = track_of(&back);
        // Between ticks, since at a jump itself both show the later side.
        for tick in 0..300u16 {
            let t = (f32::from(tick) - 20.5) * TICK;
            let (found, expected) = (sampled(back, clip.duration_s() - t), sampled(&track, t));
            prop_assert!(close(track.channel(), &found, &expected), "at {t}: {found:?} {expected:?}");
        }
    }

    #[test]
    fn twice_is_the_identity(clip in clip()) {
        prop_assert_eq!(reverse(&reverse(&clip, &CHAIN).unwrap(), &CHAIN).unwrap(), clip);
    }

    #[test]
    fn functions_and_late_starts_come_back_as_curves(track in clamped_or_from_zero()) {
        let clip = solo(track.clone());
        let twice = reverse(&reverse(&clip, &CHAIN).unwrap(), &CHAIN).unwrap();
        prop_assert_eq!(twice.duration_s(), clip.duration_s());
        for tick in 0..300u16 {
            let t = (f32::from(tick) - 20.5) * TICK;
            let (found, expected) = (sampled(track_of(&twice), t), sampled(&track, t));
            prop_assert!(close(track.channel(), &found, &expected), "at {t}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn a_step_holds_on_its_other_side() {
    let values = [1.0, 2.0, 3.0].map(|v| [v, 0.0, 0.0]).concat();
    let track =
        Track::new("step", Channel::Translation, Interpolation::Step, [0.0, 1.0, 3.0], values).unwrap();
    let back = reverse(&solo(track), &CHAIN).unwrap();
    let at = [0.0, 1.9, 2.0, 2.9, 3.0].map(|t| sampled(track_of(&back), t)[0]);
    // The value that the source showed at its very last instant only is one of no length.
    assert_eq!(at, [2.0, 2.0, 1.0, 1.0, 1.0]);
    assert_eq!(back.duration_s(), 3.0);
}

#[test]
fn tangents_are_negated_and_change_sides() {
    let values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].map(|key| key.map(|v| [v, 0.0, 0.0]).concat()).concat();
    let track =
        Track::new("cubic", Channel::Translation, Interpolation::CubicSpline, [0.0, 1.0], values).unwrap();
    let back = reverse(&solo(track), &CHAIN).unwrap();
    let x: Vec<f32> = track_of(&back).values().chunks(3).map(|v| v[0]).collect();
    assert_eq!(x, [-6.0, 5.0, -4.0, -3.0, 2.0, -1.0]);
}
