//! Each sentence of the rules of time, by example.

use throng_tracks::{Advanced, Play, PlaybackClock, Repeat, WrapMode};

const MODES: [WrapMode; 3] = [WrapMode::Clamp, WrapMode::Loop, WrapMode::PingPong];

/// A clip of 2 s.
fn clock(play: Play) -> PlaybackClock {
    PlaybackClock::new(2.0, &play).unwrap()
}

/// The time shown after steps of half a second, from the start on.
fn shown(play: Play, steps: usize) -> Vec<f32> {
    let mut clock = clock(play);
    let mut times = vec![clock.time_s()];
    for _ in 0..steps {
        clock.advance(0.5).unwrap();
        times.push(clock.time_s());
    }
    times
}

#[test]
fn modes_and_their_reversals() {
    let play = |wrap, reversed| Play { wrap, reversed, ..Play::default() };
    assert_eq!(shown(play(MODES[0], false), 6), [0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.0]);
    assert_eq!(shown(play(MODES[0], true), 6), [2.0, 1.5, 1.0, 0.5, 0.0, 0.0, 0.0]);
    assert_eq!(shown(play(MODES[1], false), 6), [0.0, 0.5, 1.0, 1.5, 0.0, 0.5, 1.0]);
    assert_eq!(shown(play(MODES[1], true), 6), [2.0, 1.5, 1.0, 0.5, 2.0, 1.5, 1.0]);
    assert_eq!(shown(play(MODES[2], false), 9), [0.0, 0.5, 1.0, 1.5, 2.0, 1.5, 1.0, 0.5, 0.0, 0.5]);
    assert_eq!(shown(play(MODES[2], true), 9), [2.0, 1.5, 1.0, 0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 1.5]);
}

#[test]
fn a_negative_speed_plays_backwards_as_wrap_does() {
    let play = |wrap, reversed| Play { wrap, reversed, speed: -1.0, ..Play::default() };
    assert_eq!(shown(play(MODES[0], false), 3), [0.0; 4]);
    assert_eq!(shown(play(MODES[0], true), 3), [2.0; 4]);
    assert_eq!(shown(play(MODES[1], false), 5), [0.0, 1.5, 1.0, 0.5, 0.0, 1.5]);
    assert_eq!(shown(play(MODES[1], true), 5), [2.0, 0.5, 1.0, 1.5, 2.0, 0.5]);
    assert_eq!(shown(play(MODES[2], false), 5), [0.0, 0.5, 1.0, 1.5, 2.0, 1.5]);
    assert_eq!(shown(play(MODES[2], true), 5), [2.0, 1.5, 1.0, 0.5, 0.0, 0.5]);
}

#[test]
fn the_end_of_a_finite_repeat_is_the_end_reached() {
    // Mode, reversed, speed, passes: the time at the end.
    let ends = [
        (WrapMode::Loop, false, 1.0, 2.0, 2.0),
        (WrapMode::Loop, true, 1.0, 2.0, 0.0),
        (WrapMode::Loop, false, -1.0, 2.0, 0.0),
        (WrapMode::Loop, true, -1.0, 2.0, 2.0),
        (WrapMode::Loop, false, 1.0, 1.5, 1.0),
        (WrapMode::Loop, true, 1.0, 1.25, 1.5),
        (WrapMode::Loop, false, -1.0, 1.25, 1.5),
        (WrapMode::Loop, false, 1.0, 0.0, 0.0),
        (WrapMode::Loop, true, 1.0, 0.0, 2.0),
        (WrapMode::PingPong, false, 1.0, 1.0, 2.0),
        (WrapMode::PingPong, false, 1.0, 2.0, 0.0),
        (WrapMode::PingPong, false, 1.0, 1.25, 1.5),
        (WrapMode::PingPong, false, 1.0, 3.0, 2.0),
        (WrapMode::PingPong, true, 1.0, 3.0, 0.0),
        (WrapMode::PingPong, false, -1.0, 3.0, 2.0),
        (WrapMode::Clamp, false, 1.0, 5.0, 2.0),
        (WrapMode::Clamp, false, 1.0, 0.25, 0.5),
        (WrapMode::Clamp, true, 1.0, 0.25, 1.5),
    ];
    for (wrap, reversed, speed, passes, end) in ends {
        let play = Play { wrap, reversed, speed, repeat: Repeat::Passes(passes), range_s: None };
        let (mut small, mut large) = (clock(play), clock(play));
        let mut left = 0.0;
        for _ in 0..60 {
            left += small.advance(0.25).unwrap().overshoot_s.map_or(0.0, |left| left);
        }
        let done = large.advance(15.0).unwrap();
        assert_eq!((small.time_s(), large.time_s()), (end, end), "{play:?}");
        assert!(small.is_finished() && large.is_finished());
        let passes = if wrap == WrapMode::Clamp { passes.min(1.0) } else { passes };
        assert_eq!(done.overshoot_s, Some(15.0 - 2.0 * f64::from(passes)), "{play:?}");
        // Every end falls on that of a small step, but where nothing is played.
        assert_eq!(left, if passes == 0.0 { 0.25 } else { 0.0 }, "{play:?}");
        assert_eq!(done.passes, (passes.floor() * speed) as i64, "{play:?}");
    }
}

#[test]
fn a_play_finishes_once_and_an_endless_one_never() {
    let once = Play { wrap: WrapMode::Clamp, ..Play::default() };
    let mut clock = clock(once);
    assert_eq!(clock.advance(1.75).unwrap(), Advanced::default());
    assert_eq!(clock.advance(0.5).unwrap(), Advanced { passes: 1, overshoot_s: Some(0.25) });
    for _ in 0..3 {
        assert_eq!(clock.advance(9.0).unwrap(), Advanced::default());
    }
    clock.change(&Play::default()).unwrap();
    assert!(!clock.is_finished(), "a loop has more to play");
    assert_eq!(clock.advance(7.0).unwrap(), Advanced { passes: 3, overshoot_s: None });
    assert_eq!(clock.time_s(), 1.0);
}

#[test]
fn a_step_over_several_passes_counts_each() {
    let mut clock = clock(Play::default());
    assert_eq!(clock.advance(7.0).unwrap().passes, 3);
    clock.set_speed(-2.0).unwrap();
    assert_eq!(clock.advance(3.0).unwrap().passes, -3);
    assert_eq!((clock.time_s(), clock.pass()), (1.0, 0));
}

#[test]
fn an_end_counts_when_it_is_reached_and_not_when_it_is_left() {
    let mut clock = clock(Play::default());
    let steps = |clock: &mut PlaybackClock| [1.0, 1.0, 1.0].map(|dt| clock.advance(dt).unwrap().passes);
    assert_eq!(steps(&mut clock), [0, 1, 0]);
    clock.set_speed(-1.0).unwrap();
    assert_eq!(steps(&mut clock), [-1, 0, -1]);
    assert_eq!(steps(&mut clock), [0, -1, 0]);
}

#[test]
fn wrapping_happens_inside_the_range() {
    let play = |wrap, reversed| Play { wrap, reversed, range_s: Some([0.5, 1.5]), ..Play::default() };
    assert_eq!(shown(play(WrapMode::Loop, false), 4), [0.5, 1.0, 0.5, 1.0, 0.5]);
    assert_eq!(shown(play(WrapMode::Loop, true), 4), [1.5, 1.0, 1.5, 1.0, 1.5]);
    assert_eq!(shown(play(WrapMode::PingPong, false), 4), [0.5, 1.0, 1.5, 1.0, 0.5]);
    assert_eq!(shown(play(WrapMode::Clamp, false), 4), [0.5, 1.0, 1.5, 1.5, 1.5]);
}

#[test]
fn rewinding_goes_to_min_or_max_if_reversed() {
    for wrap in MODES {
        for (reversed, start) in [(false, 0.5), (true, 1.5)] {
            for speed in [1.0, -1.0, 7.0] {
                let mut clock =
                    clock(Play { wrap, reversed, speed, range_s: Some([0.5, 1.5]), ..Play::default() });
                clock.advance(0.7).unwrap();
                clock.rewind();
                assert_eq!((clock.time_s(), clock.pass(), clock.is_finished()), (start, 0, false));
            }
        }
    }
}

#[test]
fn a_range_of_one_time_is_constant() {
    for wrap in MODES {
        for (repeat, ends) in [(Repeat::Endless, wrap == WrapMode::Clamp), (Repeat::Passes(3.0), true)] {
            for speed in [1.0, -1.0] {
                let play = Play { wrap, repeat, speed, reversed: true, range_s: Some([0.75; 2]) };
                assert_eq!(shown(play, 3), [0.75; 4]);
                let overshoot_s = ends.then_some(0.5);
                assert_eq!(clock(play).advance(0.5).unwrap(), Advanced { passes: 0, overshoot_s });
            }
        }
    }
}

#[test]
fn speed_zero_freezes_everything() {
    let mut clock = clock(Play { speed: 0.0, repeat: Repeat::Passes(0.0), ..Play::default() });
    clock.set_delay(0.25).unwrap();
    let before = clock;
    assert_eq!(clock.advance(100.0).unwrap(), Advanced::default());
    assert_eq!(clock, before);
    clock.set_speed(1.0).unwrap();
    assert_eq!(clock.advance(1.0).unwrap().overshoot_s, Some(0.75));
}

#[test]
fn what_is_left_of_the_step_that_a_delay_ends_in_is_played() {
    let mut clock = clock(Play { reversed: true, speed: 2.0, ..Play::default() });
    clock.set_delay(0.75).unwrap();
    clock.advance(0.5).unwrap();
    assert_eq!((clock.time_s(), clock.delay_s()), (2.0, 0.25));
    clock.advance(0.5).unwrap();
    assert_eq!((clock.time_s(), clock.delay_s()), (1.5, 0.0));
}

#[test]
fn one_play_carries_its_overshoot_into_the_next() {
    let once = Play { wrap: WrapMode::Clamp, ..Play::default() };
    let mut first = clock(once);
    first.advance(1.75).unwrap();
    let left = first.advance(1.0).unwrap().overshoot_s.unwrap();
    let mut second = clock(Play { speed: 0.5, ..Play::default() });
    second.advance(left).unwrap();
    assert_eq!(second.time_s(), 0.375);
}

#[test]
fn what_was_played_once_leaves_its_end_backwards() {
    let mut clock = clock(Play { wrap: WrapMode::Clamp, ..Play::default() });
    clock.advance(9.0).unwrap();
    clock.set_speed(-1.0).unwrap();
    assert!(!clock.is_finished());
    assert_eq!(clock.advance(1.5).unwrap(), Advanced::default());
    assert_eq!(clock.time_s(), 0.5);
    assert_eq!(clock.advance(1.0).unwrap(), Advanced { passes: -1, overshoot_s: Some(0.5) });
}

#[test]
fn a_turned_speed_of_zero_leaves_a_finish() {
    let mut clock = clock(Play { repeat: Repeat::Passes(1.0), ..Play::default() });
    clock.advance(2.0).unwrap();
    for (speed, finished) in [(0.0, true), (3.0, true), (0.0, true), (-1.0, false)] {
        clock.set_speed(speed).unwrap();
        assert_eq!((clock.is_finished(), clock.time_s()), (finished, 2.0), "{speed}");
    }
}

#[test]
fn seeking_stays_in_the_pass_and_a_loops_end_is_shown() {
    let mut clock = clock(Play { repeat: Repeat::Passes(2.5), ..Play::default() });
    clock.advance(2.5).unwrap();
    clock.seek(1.25).unwrap();
    assert_eq!((clock.time_s(), clock.pass()), (1.25, 1));
    clock.seek(2.0).unwrap();
    assert_eq!((clock.time_s(), clock.pass()), (2.0, 1));
    // The end was not reached by the step that leaves it.
    assert_eq!(clock.advance(0.5).unwrap(), Advanced::default());
    assert_eq!((clock.time_s(), clock.pass()), (0.5, 2));
    // The third pass is played by half.
    clock.seek(1.5).unwrap();
    assert_eq!((clock.time_s(), clock.pass()), (1.5, 1));
    clock.seek(9.0).unwrap();
    assert_eq!((clock.time_s(), clock.pass()), (2.0, 1));
    assert_eq!(clock.advance(9.0).unwrap(), Advanced { passes: 0, overshoot_s: Some(8.0) });
    clock.seek(f32::NEG_INFINITY).unwrap();
    assert_eq!((clock.time_s(), clock.pass(), clock.is_finished()), (0.0, 2, false));
}

#[test]
fn a_time_that_the_repeat_does_not_reach_is_the_end_that_it_does() {
    let mut clock = clock(Play { wrap: WrapMode::Clamp, repeat: Repeat::Passes(0.5), ..Play::default() });
    clock.seek(1.75).unwrap();
    assert_eq!(clock.time_s(), 1.0);
    assert_eq!(clock.step_to_next_key(&[0.0, 1.5, 2.0]), None);
    assert_eq!((clock.time_s(), clock.is_finished()), (1.0, false));
    assert_eq!(clock.advance(0.25).unwrap(), Advanced { passes: 0, overshoot_s: Some(0.25) });
}

#[test]
fn keys_are_next_and_previous_to_what_is_shown() {
    let keys = [0.0, 0.25, 0.5, 0.5, 1.0, 1.75, 2.0];
    for wrap in MODES {
        let mut clock = clock(Play { wrap, range_s: Some([0.25, 1.75]), ..Play::default() });
        clock.advance(0.5).unwrap();
        assert_eq!(clock.step_to_next_key(&keys), Some(1.0));
        assert_eq!(clock.step_to_next_key(&keys), Some(1.75));
        assert_eq!((clock.step_to_next_key(&keys), clock.time_s()), (None, 1.75));
        let back = [1.0, 0.5, 0.25].map(Some);
        assert_eq!([(); 3].map(|()| clock.step_to_previous_key(&keys)), back);
        assert_eq!((clock.step_to_previous_key(&keys), clock.time_s()), (None, 0.25));
        assert_eq!((clock.step_to_next_key(&[]), clock.step_to_previous_key(&[])), (None, None));
    }
}
