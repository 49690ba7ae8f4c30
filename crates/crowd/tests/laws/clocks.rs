//! Clocks against a naive model of one instance in whole numbers, which is exact.

use proptest::prelude::*;
use throng_crowd::{Playback, Repeat};
use throng_tracks::WrapMode;

use crate::make::{MODES, crowd};

/// The model counts units of time. Times, steps and durations of these tests are multiples of it, and small enough
/// that `f64` sums are exact.
const UNITS_A_SECOND: i64 = 1 << 17;

fn seconds(units: i64) -> f64 {
    units as f64 / UNITS_A_SECOND as f64
}

/// One instance's time, in units.
struct Model {
    total: i64,
    duration: i64,
    wrap: WrapMode,
}

impl Model {
    fn step(&mut self, units: i64) {
        self.total += units;
        if self.wrap == WrapMode::Clamp {
            self.total = self.total.clamp(0, self.duration);
        }
    }

    fn shown(&self) -> i64 {
        match self.wrap {
            WrapMode::Clamp => self.total,
            WrapMode::Loop => self.total.rem_euclid(self.duration),
            WrapMode::PingPong => {
                let phase = self.total.rem_euclid(2 * self.duration);
                phase.min(2 * self.duration - phase)
            }
        }
    }

    fn passes(&self) -> i64 {
        self.total.div_euclid(self.duration)
    }
}

/// Finite numbers of all sizes.
fn any_time() -> impl Strategy<Value = f64> {
    prop_oneof![
        -100.0..100.0,
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO
    ]
}

proptest! {
    #[test]
    fn clocks_are_exact_where_numbers_are(
        duration in 1..640i64,
        start in -50_000..50_000i64,
        mode in 0..3usize,
        steps in prop::collection::vec((-320..320i64, 0..4096i64), 1..60),
    ) {
        let duration = duration * (UNITS_A_SECOND / 64);
        let wrap = MODES[mode];
        let mut crowd = crowd(&[seconds(duration) as f32]);
        // Another one, that must not matter.
        crowd.spawn(Playback { time_s: 0.1, ..Playback::default() }).unwrap();
        let id = crowd.spawn(Playback { time_s: seconds(start), speed: 0.0, wrap, ..Playback::default() }).unwrap();
        let mut model = Model { total: 0, duration, wrap };
        model.step(start);
        for (speed, dt) in steps {
            // Speeds in 1/32, steps in 1/4096 of a second: their product is in units.
            crowd.set_speed(id, speed as f32 / 32.0).unwrap();
            crowd.advance(dt as f64 / 4096.0).unwrap();
            model.step(speed * dt);
            prop_assert_eq!(crowd.playback(id).unwrap().time_s, seconds(model.total));
            prop_assert_eq!(crowd.shown_s(id).unwrap(), seconds(model.shown()) as f32);
            prop_assert_eq!(crowd.passes(id).unwrap(), model.passes());
        }
    }

    #[test]
    fn no_numbers_leave_the_clip(
        duration in prop_oneof![Just(0.0f32), 0.001..20.0f32],
        mode in 0..3usize,
        start in any_time(),
        steps in prop::collection::vec((proptest::num::f32::NORMAL | proptest::num::f32::ZERO, any_time()), 1..20),
    ) {
        let wrap = MODES[mode];
        let mut crowd = crowd(&[duration]);
        let id = crowd.spawn(Playback { time_s: start, speed: 0.0, wrap, ..Playback::default() }).unwrap();
        for (speed, dt) in steps {
            crowd.set_speed(id, speed).unwrap();
            crowd.advance(dt.abs()).unwrap();
            let shown = crowd.shown_s(id).unwrap();
            let open = wrap == WrapMode::Loop && duration > 0.0;
            prop_assert!(shown >= 0.0 && if open { shown < duration } else { shown <= duration }, "shows {}", shown);
            prop_assert!(crowd.playback(id).unwrap().time_s.is_finite());
        }
    }
}

#[test]
fn a_loop_never_shows_its_end() {
    let duration = 1.1f32;
    let mut crowd = crowd(&[duration]);
    let just_before = f64::from(duration).next_down();
    let id = crowd.spawn(Playback { time_s: just_before, ..Playback::default() }).unwrap();
    assert_eq!(crowd.shown_s(id).unwrap(), duration.next_down());
    // The remainder of a tiny step back, plus the duration, rounds to the duration.
    crowd.seek_played(id, -1e-300).unwrap();
    assert_eq!((crowd.shown_s(id).unwrap(), crowd.passes(id).unwrap()), (0.0, 0));
    crowd.seek_played(id, f64::from(duration)).unwrap();
    assert_eq!((crowd.shown_s(id).unwrap(), crowd.passes(id).unwrap()), (0.0, 1));
}

#[test]
fn a_step_beyond_all_numbers_stays_inside() {
    let mut crowd = crowd(&[2.0]);
    let ids = MODES.map(|wrap| {
        crowd.spawn(Playback { time_s: 0.5, speed: f32::MAX, wrap, ..Playback::default() }).unwrap()
    });
    crowd.advance(f64::MAX).unwrap();
    let shown = ids.map(|id| crowd.shown_s(id).unwrap());
    assert_eq!(shown[..2], [2.0, 0.0]);
    assert!((0.0..=2.0).contains(&shown[2]));
    for id in ids {
        crowd.set_speed(id, -f32::MAX).unwrap();
    }
    crowd.advance(f64::MAX).unwrap();
    let shown = ids.map(|id| crowd.shown_s(id).unwrap());
    assert_eq!(shown[..2], [0.0, 0.0]);
    assert!((0.0..=2.0).contains(&shown[2]));
}

#[test]
fn a_clip_that_played_once_leaves_its_end_when_it_is_turned_round() {
    let mut crowd = crowd(&[2.0]);
    let once = Playback { wrap: WrapMode::Clamp, ..Playback::default() };
    let id = crowd.spawn(once).unwrap();
    crowd.advance(100.0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id), crowd.is_finished(id)), (Ok(2.0), Ok(1), Ok(true)));
    crowd.set_speed(id, -1.0).unwrap();
    crowd.advance(0.5).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id), crowd.is_finished(id)), (Ok(1.5), Ok(0), Ok(false)));
}

#[test]
fn a_repeat_a_range_and_a_delay_are_those_of_the_clock() {
    let mut crowd = crowd(&[4.0]);
    let part = Playback {
        repeat: Repeat::Passes(1.5),
        range_s: Some([1.0, 3.0]),
        delay_s: 0.5,
        reversed: true,
        ..Playback::default()
    };
    let id = crowd.spawn(part).unwrap();
    assert_eq!(crowd.playback(id), Ok(part));
    crowd.advance(0.25).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.playback(id).unwrap().delay_s), (Ok(3.0), 0.25));
    crowd.advance(0.75).unwrap();
    assert_eq!(crowd.shown_s(id), Ok(2.5));
    crowd.advance(9.0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.passes(id), crowd.is_finished(id)), (Ok(2.0), Ok(1), Ok(true)));
    assert_eq!(crowd.playback(id).unwrap().time_s, 3.0);
}

#[test]
fn a_paused_clock_stands_still_and_its_delay_with_it() {
    let mut crowd = crowd(&[4.0]);
    let id = crowd.spawn(Playback { paused: true, delay_s: 1.0, ..Playback::default() }).unwrap();
    crowd.advance(3.0).unwrap();
    assert_eq!((crowd.shown_s(id), crowd.playback(id).unwrap().delay_s), (Ok(0.0), 1.0));
    crowd.update_all(|_, playback| Playback { paused: false, ..playback }).unwrap();
    crowd.advance(3.0).unwrap();
    assert_eq!(crowd.shown_s(id), Ok(2.0));
}
