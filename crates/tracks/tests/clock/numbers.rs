//! Clocks of any numbers: what is shown lies in the range, is that of `wrap`, and steps may be of any size.

use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{ClockState, Play, PlaybackClock, Repeat, WrapMode, wrap};

fn any_wrap() -> impl Strategy<Value = WrapMode> {
    prop::sample::select(vec![WrapMode::Clamp, WrapMode::Loop, WrapMode::PingPong])
}

/// Any finite float, mostly one that somebody would choose.
fn any_finite() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![4 => -4.0f32..4.0, 1 => POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO]
}

fn any_dt() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![4 => 0.0f64..0.1, 2 => 0.0f64..50.0, 1 => POSITIVE | NORMAL | SUBNORMAL | ZERO]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_clock_shows_what_wrap_says(t in -1e6f32..1e6, duration_s in 0.01f32..20.0, mode in any_wrap()) {
        let mut clock = PlaybackClock::new(duration_s, &Play { wrap: mode, ..Play::default() }).unwrap();
        clock.seek_played(f64::from(t)).unwrap();
        let off = (clock.time_s() - wrap(t, duration_s, mode)).abs();
        // Near the seam of a loop two roundings may fall on its two sides.
        let off = if mode == WrapMode::Loop { off.min(duration_s - off) } else { off };
        prop_assert!(off <= 2.0 * (duration_s.next_up() - duration_s), "off by {off}");
        let mut turned = PlaybackClock::new(duration_s, &Play { wrap: mode, reversed: true, ..Play::default() }).unwrap();
        turned.seek_played(f64::from(t)).unwrap();
        let mirrored = f64::from(duration_s) - clock.inside_s();
        prop_assert!((turned.inside_s() - mirrored).abs() <= 1e-14 * f64::from(duration_s));
    }

    #[test]
    fn nothing_leaves_the_range_and_no_number_is_lost(
        duration_s in any_finite().prop_map(f32::abs), (a, b) in (0.0f32..=1.0, 0.0f32..=1.0),
        wrap in any_wrap(), reversed: bool, repeat in prop::option::of(any_finite().prop_map(f32::abs)),
        steps in vec((any_finite(), any_dt()), 1..40),
    ) {
        let range = [a.min(b) * duration_s, a.max(b) * duration_s];
        let repeat = repeat.map_or(Repeat::Endless, Repeat::Passes);
        let play = Play { wrap, reversed, repeat, range_s: Some(range), speed: 1.0 };
        let mut clock = PlaybackClock::new(duration_s, &play).unwrap();
        let length = f64::from(range[1]) - f64::from(range[0]);
        for (speed, dt_s) in steps {
            clock.set_speed(speed).unwrap();
            let (was_finished, before) = (clock.is_finished(), clock);
            let done = clock.advance(dt_s).unwrap();
            prop_assert!((range[0]..=range[1]).contains(&clock.time_s()), "{clock:?}");
            let ClockState { phase_s, passes, wait_s } = clock.state();
            prop_assert!((0.0..=length).contains(&phase_s) && passes.fract() == 0.0, "{clock:?}");
            prop_assert!(wait_s == 0.0 || wait_s == f64::INFINITY, "{clock:?}");
            prop_assert!(!(repeat == Repeat::Endless && wrap != WrapMode::Clamp && clock.is_finished()));
            prop_assert_eq!(done.overshoot_s.is_some(), clock.is_finished() && !was_finished);
            prop_assert!(done.overshoot_s.is_none_or(|left| (0.0..=dt_s).contains(&left)));
            if speed == 0.0 || was_finished {
                prop_assert_eq!(clock, before);
            }
            prop_assert_eq!(clock.with_state(clock.state()), clock);
        }
    }

    #[test]
    fn a_speed_changed_or_turned_keeps_what_is_shown(
        duration_s in 0.01f32..20.0, wrap in any_wrap(), reversed: bool, first in -3.0f32..3.0,
        dt in 0.0f64..100.0, next in -3.0f32..3.0, to in any_wrap(), turn: bool,
    ) {
        let play = Play { wrap, reversed, speed: first, ..Play::default() };
        let mut clock = PlaybackClock::new(duration_s, &play).unwrap();
        clock.advance(dt).unwrap();
        let shown = clock.inside_s();
        clock.set_speed(next).unwrap();
        prop_assert_eq!(clock.inside_s(), shown);
        clock.change(&Play { wrap: to, reversed: turn, speed: next, ..play }).unwrap();
        prop_assert!((clock.inside_s() - shown).abs() <= 1e-14 * f64::from(duration_s));
    }

    #[test]
    fn keys_follow_each_other_strictly(
        keys in vec(0.0f32..9.0, 1..20), wrap in any_wrap(), reversed: bool, t in 0.0f32..9.0,
    ) {
        let mut keys = keys;
        keys.sort_by(f32::total_cmp);
        let mut clock = PlaybackClock::new(9.0, &Play { wrap, reversed, ..Play::default() }).unwrap();
        clock.seek(t).unwrap();
        prop_assert_eq!(clock.time_s(), t);
        let mut found = Vec::new();
        while let Some(key) = clock.step_to_next_key(&keys) {
            prop_assert_eq!(clock.time_s(), key);
            found.push(key);
        }
        let mut later: Vec<f32> = keys.iter().copied().filter(|&k| k > t).collect();
        later.dedup();
        prop_assert_eq!(&found, &later);
        let mut back = Vec::new();
        while let Some(key) = clock.step_to_previous_key(&keys) {
            back.push(key);
        }
        let mut earlier: Vec<f32> = keys.iter().copied().filter(|&k| k < found.last().copied().unwrap_or(t)).collect();
        earlier.dedup();
        earlier.reverse();
        prop_assert_eq!(back, earlier);
    }
}

#[test]
fn a_state_that_no_clock_has_is_brought_to_one_that_has() {
    let clock = PlaybackClock::new(2.0, &Play::default()).unwrap();
    let found = |phase_s, passes, wait_s| clock.with_state(ClockState { phase_s, passes, wait_s }).state();
    let nan = f64::NAN;
    assert_eq!(found(nan, nan, nan), ClockState::default());
    assert_eq!(found(-1.0, 2.6, -3.0), ClockState { phase_s: 0.0, passes: 3.0, wait_s: 0.0 });
    let most = ClockState { phase_s: 2.0, passes: ClockState::MOST_PASSES, wait_s: f64::INFINITY };
    assert_eq!(found(f64::INFINITY, f64::INFINITY, f64::INFINITY), most);
}

#[test]
fn steps_beyond_all_numbers_end_somewhere_in_the_clip() {
    for (speed, wrap) in
        [(f32::MAX, WrapMode::Loop), (f32::MIN, WrapMode::Loop), (f32::MAX, WrapMode::PingPong)]
    {
        let mut clock = PlaybackClock::new(1.5, &Play { speed, wrap, ..Play::default() }).unwrap();
        for _ in 0..20 {
            clock.advance(f64::MAX).unwrap();
            assert!((0.0..=1.5).contains(&clock.time_s()), "{clock:?}");
        }
        assert!(clock.pass().unsigned_abs() <= 1 << 53);
    }
}

#[test]
fn a_loop_rounds_to_no_end_that_it_has_not_reached() {
    let mut clock = PlaybackClock::new(1.1, &Play::default()).unwrap();
    clock.seek_played(f64::from(1.1f32).next_down()).unwrap();
    assert_eq!(clock.time_s(), 1.1f32.next_down());
    clock.seek_played(-1e-300).unwrap();
    assert_eq!((clock.time_s(), clock.pass()), (0.0, 0));
    clock.change(&Play { reversed: true, range_s: Some([0.5, 1.1]), ..Play::default() }).unwrap();
    clock.seek_played((f64::from(1.1f32) - 0.5).next_down()).unwrap();
    assert_eq!(clock.time_s(), 0.5f32.next_up());
}
