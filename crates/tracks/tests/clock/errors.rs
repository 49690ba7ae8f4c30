//! What a clock refuses, and that a refusal changes nothing.

use throng_tracks::{ClockError, Play, PlaybackClock, Repeat};

fn refused(duration_s: f32, play: Play) -> String {
    PlaybackClock::new(duration_s, &play).unwrap_err().to_string()
}

#[test]
fn construction_names_the_value_and_what_was_expected() {
    let play = Play::default();
    let speed = |speed| Play { speed, ..play };
    let range = |min, max| Play { range_s: Some([min, max]), ..play };
    let repeat = |passes| Play { repeat: Repeat::Passes(passes), ..play };
    let messages = [
        (refused(f32::NAN, play), "duration_s is NaN, but must be finite"),
        (refused(f32::INFINITY, play), "duration_s is inf, but must be finite"),
        (refused(-1.0, play), "duration_s is -1, but must be 0 or above"),
        (refused(2.0, speed(f32::NAN)), "speed is NaN, but must be finite"),
        (refused(2.0, speed(f32::NEG_INFINITY)), "speed is -inf, but must be finite"),
        (refused(2.0, repeat(f32::NAN)), "repeat is NaN, but must be finite"),
        (refused(2.0, repeat(f32::INFINITY)), "repeat is inf, but must be finite"),
        (refused(2.0, repeat(-0.5)), "repeat is -0.5, but must be 0 or above"),
        (refused(2.0, range(f32::NAN, 1.0)), "range_s[0] is NaN, but must be finite"),
        (refused(2.0, range(0.0, f32::NAN)), "range_s[1] is NaN, but must be finite"),
        (refused(2.0, range(1.5, 1.0)), "the range begins at 1.5 s and ends before that, at 1 s"),
        (refused(2.0, range(-0.5, 1.0)), "the range [-0.5, 1] s is not inside of the clip's [0, 2] s"),
        (refused(2.0, range(1.0, 2.5)), "the range [1, 2.5] s is not inside of the clip's [0, 2] s"),
    ];
    for (found, expected) in messages {
        assert_eq!(found, expected);
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut clock = PlaybackClock::new(2.0, &Play::default()).unwrap();
    clock.advance(0.75).unwrap();
    let before = clock;
    for dt in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = clock.advance(dt).unwrap_err();
        assert!(matches!(error, ClockError::NotFinite { what: "dt_s", .. }), "{error}");
        assert!(clock.seek_played(dt).is_err() && clock.set_delay(dt).is_err());
    }
    assert_eq!(clock.advance(-0.5), Err(ClockError::Negative { what: "dt_s", value: -0.5 }));
    assert_eq!(clock.set_delay(-1.0), Err(ClockError::Negative { what: "delay_s", value: -1.0 }));
    assert!(matches!(clock.seek(f32::NAN), Err(ClockError::NotFinite { what: "time_s", .. })));
    assert!(matches!(clock.set_speed(f32::INFINITY), Err(ClockError::NotFinite { what: "speed", .. })));
    let range_s = Some([0.0, 3.0]);
    assert_eq!(
        clock.change(&Play { range_s, speed: -1.0, ..Play::default() }),
        Err(ClockError::RangeOutside { min_s: 0.0, max_s: 3.0, duration_s: 2.0 })
    );
    assert_eq!(clock, before);
}

#[test]
fn a_negative_zero_is_zero() {
    let play = Play { repeat: Repeat::Passes(-0.0), range_s: Some([-0.0, 1.0]), ..Play::default() };
    let mut clock = PlaybackClock::new(2.0, &play).unwrap();
    clock.set_delay(-0.0).unwrap();
    assert_eq!(clock.advance(-0.0).unwrap().overshoot_s.map(f64::to_bits), Some(0));
    assert_eq!(clock.time_s().to_bits(), 0);
}
