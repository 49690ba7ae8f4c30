//! Clocks advanced over lanes against clocks advanced one by one: the same bits, for every state and step.

use proptest::collection::vec;
use proptest::prelude::*;
use throng_kernels::{AdvanceError, AdvancedColumns, ClockColumns, Level, advance_clocks};
use throng_tracks::{Advanced, ClockState, Play, PlaybackClock, Repeat, WrapMode};

use crate::random::{cases, levels};

/// Owned columns.
#[derive(Clone, Debug, PartialEq)]
struct Clocks {
    phase_s: Vec<f64>,
    passes: Vec<f64>,
    wait_s: Vec<f64>,
    speed: Vec<f32>,
    min_s: Vec<f32>,
    max_s: Vec<f32>,
    first: Vec<f32>,
    last: Vec<f32>,
    ends: Vec<f64>,
    overshoot_s: Vec<f64>,
}

impl Clocks {
    fn new(clocks: &[PlaybackClock]) -> Self {
        let state = |of: fn(&ClockState) -> f64| clocks.iter().map(|c| of(&c.state())).collect();
        let terms = |of: fn(&PlaybackClock) -> f32| clocks.iter().map(of).collect();
        Self {
            phase_s: state(|s| s.phase_s),
            passes: state(|s| s.passes),
            wait_s: state(|s| s.wait_s),
            speed: terms(|c| c.terms().speed),
            min_s: terms(|c| c.terms().min_s),
            max_s: terms(|c| c.terms().max_s),
            first: terms(|c| c.terms().first),
            last: terms(|c| c.terms().last),
            ends: vec![7.0; clocks.len()],
            overshoot_s: vec![7.0; clocks.len()],
        }
    }

    fn columns(&mut self) -> (ClockColumns<'_>, AdvancedColumns<'_>) {
        let clocks = ClockColumns {
            phase_s: &mut self.phase_s,
            passes: &mut self.passes,
            wait_s: &mut self.wait_s,
            speed: &self.speed,
            min_s: &self.min_s,
            max_s: &self.max_s,
            first: &self.first,
            last: &self.last,
        };
        (clocks, AdvancedColumns { passes: &mut self.ends, overshoot_s: &mut self.overshoot_s })
    }

    fn advance(&mut self, level: Level, dt_s: f64) -> Result<(), AdvanceError> {
        let (clocks, done) = self.columns();
        advance_clocks(level, clocks, dt_s, done)
    }

    /// Everything that changes of one clock, as bits.
    fn bits(&self, clock: usize) -> [u64; 5] {
        [
            self.phase_s[clock],
            self.passes[clock],
            self.wait_s[clock],
            self.ends[clock],
            self.overshoot_s[clock],
        ]
        .map(f64::to_bits)
    }
}

fn scalar_bits(clock: &PlaybackClock, done: Advanced) -> [u64; 5] {
    let ClockState { phase_s, passes, wait_s } = clock.state();
    [phase_s, passes, wait_s, done.passes as f64, done.overshoot_s.unwrap_or(-1.0)].map(f64::to_bits)
}

/// All steps at all levels, and one by one.
fn hold(clocks: &[PlaybackClock], steps: &[f64]) {
    let mut by_level: Vec<(Level, Clocks)> =
        levels().into_iter().map(|level| (level, Clocks::new(clocks))).collect();
    let mut one_by_one = clocks.to_vec();
    for &dt_s in steps {
        let before = one_by_one.clone();
        let done: Vec<Advanced> = one_by_one.iter_mut().map(|c| c.advance(dt_s).unwrap()).collect();
        for (level, columns) in &mut by_level {
            columns.advance(*level, dt_s).unwrap();
            for (i, (clock, done)) in one_by_one.iter().zip(&done).enumerate() {
                assert_eq!(
                    columns.bits(i),
                    scalar_bits(clock, *done),
                    "clock {i} at {level}, {dt_s:e} s on from {:?}, is {columns:?}, not {clock:?} with {done:?}",
                    before[i]
                );
            }
        }
    }
}

fn any_size() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![3 => 0.0f32..4.0, 2 => (0u8..16).prop_map(|n| f32::from(n) / 4.0), 1 => POSITIVE | NORMAL | SUBNORMAL | ZERO]
}

fn any_speed() -> impl Strategy<Value = f32> {
    (any_size(), any::<bool>()).prop_map(|(speed, back)| if back { -speed } else { speed })
}

fn any_dt() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        3 => Just(1.0 / 60.0),
        3 => (0u8..40).prop_map(|n| f64::from(n) / 8.0),
        3 => 0.0f64..9.0,
        1 => 0.0f64..1e9,
        1 => POSITIVE | NORMAL | SUBNORMAL | ZERO,
    ]
}

/// A clock somewhere in its play: fresh, waiting, on its way, far beyond its start, finished, frozen or without length.
fn any_clock() -> impl Strategy<Value = PlaybackClock> {
    let wrap = prop::sample::select(vec![WrapMode::Clamp, WrapMode::Loop, WrapMode::PingPong]);
    let range = prop_oneof![Just((0.0, 1.0)), Just((0.5, 0.5)), (0.0f32..=1.0, 0.0f32..=1.0)];
    let repeat = prop_oneof![1 => Just(Repeat::Endless), 2 => any_size().prop_map(Repeat::Passes)];
    let delay = prop_oneof![2 => Just(0.0), 1 => 0.0f64..3.0];
    let started = prop_oneof![1 => Just(0.0), 2 => any_dt()];
    let setting = (any_size(), wrap, range, repeat, any_speed(), any::<bool>());
    (setting, delay, started, any_speed(), prop_oneof![3 => Just(0.0), 1 => -1e17f64..1e17]).prop_map(
        |((duration_s, wrap, (a, b), repeat, speed, reversed), delay_s, started_s, next, played_s)| {
            let range_s = Some([a.min(b) * duration_s, a.max(b) * duration_s]);
            let mut clock =
                PlaybackClock::new(duration_s, &Play { wrap, reversed, repeat, range_s, speed }).unwrap();
            clock.seek_played(played_s).unwrap();
            clock.advance(started_s).unwrap();
            clock.set_speed(next).unwrap();
            if delay_s > 0.0 {
                clock.set_delay(delay_s).unwrap();
            }
            clock
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500) as u32))]

    #[test]
    fn lanes_advance_as_one_clock_does(clocks in vec(any_clock(), 0..40), steps in vec(any_dt(), 1..12)) {
        hold(&clocks, &steps);
    }
}

#[test]
fn every_count_of_clocks() {
    for count in 0..70usize {
        let clocks: Vec<PlaybackClock> = (0..count)
            .map(|i| {
                let wrap = [WrapMode::Clamp, WrapMode::Loop, WrapMode::PingPong][i % 3];
                let repeat = if i % 4 == 0 { Repeat::Endless } else { Repeat::Passes(i as f32 / 4.0) };
                let play =
                    Play { wrap, reversed: i % 2 == 0, repeat, range_s: None, speed: i as f32 / 16.0 - 2.0 };
                PlaybackClock::new(1.0 + i as f32 / 8.0, &play).unwrap()
            })
            .collect();
        hold(&clocks, &[1.0 / 60.0; 300]);
        hold(&clocks, &[0.25, 3.0, 0.0, 100.0]);
    }
}

#[test]
fn a_wrong_step_changes_nothing() {
    let clocks = [PlaybackClock::new(2.0, &Play::default()).unwrap(); 20];
    for level in levels() {
        let mut columns = Clocks::new(&clocks);
        for dt_s in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.5] {
            let error = columns.advance(level, dt_s).unwrap_err();
            let value = format!("{dt_s}");
            assert_eq!(error.to_string(), format!("dt_s is {value}, but must be finite, 0 or above"));
            assert_eq!(columns, Clocks::new(&clocks));
        }
        columns.advance(level, -0.0).unwrap();
        assert_eq!(columns.phase_s, [0.0; 20]);
    }
}

#[test]
fn columns_of_other_lengths_are_named_and_change_nothing() {
    let clocks = [PlaybackClock::new(2.0, &Play::default()).unwrap(); 17];
    type Cut = fn(&mut Clocks);
    let cuts: [(&str, Cut); 9] = [
        ("passes", |c| c.passes.truncate(16)),
        ("wait_s", |c| c.wait_s.truncate(16)),
        ("speed", |c| c.speed.truncate(16)),
        ("min_s", |c| c.min_s.truncate(16)),
        ("max_s", |c| c.max_s.truncate(16)),
        ("first", |c| c.first.truncate(16)),
        ("last", |c| c.last.truncate(16)),
        ("advanced passes", |c| c.ends.truncate(16)),
        ("overshoot_s", |c| c.overshoot_s.truncate(16)),
    ];
    for (column, cut) in cuts {
        let mut columns = Clocks::new(&clocks);
        cut(&mut columns);
        let before = columns.clone();
        let error = columns.advance(Level::detect(), 1.0).unwrap_err();
        assert_eq!(error, AdvanceError::Length { column, found: 16, expected: 17 });
        assert_eq!(columns, before);
    }
}

#[test]
fn numbers_that_no_clock_has_harm_nothing() {
    let any = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 1e300, 0.5, -0.0];
    let clocks = vec![PlaybackClock::new(2.0, &Play::default()).unwrap(); any.len().pow(2)];
    for level in levels() {
        let mut columns = Clocks::new(&clocks);
        for (i, (a, b)) in any.iter().flat_map(|a| any.map(|b| (*a, b))).enumerate() {
            (columns.phase_s[i], columns.passes[i], columns.wait_s[i]) = (a, b, any[i % 6]);
            (columns.speed[i], columns.max_s[i], columns.last[i]) = (b as f32, a as f32, b as f32);
        }
        columns.advance(level, 0.5).unwrap();
        assert!(columns.ends.iter().all(|&ends| ends != 7.0), "{level}");
    }
}
