//! Wrapping, and looking keys up.

use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::WrapMode::{Clamp, Loop, PingPong};
use throng_tracks::{Located, WrapMode, find_key, locate, wrap};

use crate::make::any_time;

/// Times that never decrease and are not negative, of any size, some of them equal.
fn times() -> impl Strategy<Value = Vec<f32>> {
    let time = prop_oneof![0.0f32..4.0, Just(0.0), Just(1.0), proptest::num::f32::POSITIVE];
    vec(time.prop_filter("finite", |t| t.is_finite()), 1..12).prop_map(|mut times| {
        times.sort_by(f32::total_cmp);
        times
    })
}

/// A time, often one of `times` or next to it.
fn near(times: &[f32], t: f32, pick: prop::sample::Index, nudge: u8) -> f32 {
    let key = times[pick.index(times.len())];
    match nudge {
        0 => key,
        1 => key.next_down(),
        2 => key.next_up(),
        _ => t,
    }
}

proptest! {
    #[test]
    fn find_key_is_the_last_key_not_after_the_time(
        times in times(), t in any_time(), pick: prop::sample::Index, nudge in 0u8..6,
    ) {
        let t = near(&times, t, pick, nudge);
        let clean = if t.is_nan() { 0.0 } else { t };
        let scan = (0..times.len()).rev().find(|&i| times[i] <= clean);
        prop_assert_eq!(find_key(&times, t), scan);
        prop_assert_eq!(find_key(&[], t), None);
    }

    #[test]
    fn locate_gives_two_neighbours_and_the_way_between(
        times in times(), t in any_time(), pick: prop::sample::Index, nudge in 0u8..6,
    ) {
        let t = near(&times, t, pick, nudge);
        let clean = if t.is_nan() { 0.0 } else { t };
        let Located { key, next, fraction } = locate(&times, t);
        prop_assert!((0.0..=1.0).contains(&fraction));
        if let Some(found) = find_key(&times, t) {
            prop_assert_eq!(key, found);
        } else {
            prop_assert_eq!((key, next), (0, 0));
        }
        if next == key {
            prop_assert_eq!(fraction, 0.0);
            prop_assert!(clean < times[0] || key == times.len() - 1);
        } else {
            prop_assert_eq!(next, key + 1);
            prop_assert!(times[key] <= clean && clean < times[next]);
            let exact = (f64::from(clean) - f64::from(times[key])) / (f64::from(times[next]) - f64::from(times[key]));
            prop_assert!((f64::from(fraction) - exact).abs() <= 2.0 * f64::from(f32::EPSILON) * exact + 1e-44);
        }
    }

    #[test]
    fn wrap_stays_inside(
        t in any_time(), d in any_time(), mode in prop::sample::select(vec![Clamp, Loop, PingPong]),
    ) {
        let inside = wrap(t, d, mode);
        if d > 0.0 {
            prop_assert!((0.0..=d).contains(&inside));
            prop_assert!(mode != Loop || inside < d);
        } else {
            prop_assert_eq!(inside, 0.0);
        }
        // Wrapping again changes nothing.
        prop_assert_eq!(wrap(inside, d, mode), inside);
    }

    #[test]
    fn wrap_is_what_counting_passes_gives(t in -300.0f32..300.0, d in 0.01f32..50.0) {
        let (t64, d64) = (f64::from(t), f64::from(d));
        let passes = (t64 / d64).floor();
        let close = |a: f32, b: f64| (f64::from(a) - b).abs() <= 1e-7 * (d64 + t64.abs() * 1e-7);
        let looped = t64 - passes * d64;
        let found = wrap(t, d, Loop);
        prop_assert!(close(found, looped) || close(found, looped - d64), "loop {found}, counted {looped}");
        let passes = (t64.abs() / d64).floor();
        let way = t64.abs() - passes * d64;
        let mirrored = if passes % 2.0 == 1.0 { d64 - way } else { way };
        prop_assert!(close(wrap(t, d, PingPong), mirrored));
        prop_assert_eq!(wrap(t, d, PingPong), wrap(-t, d, PingPong));
        prop_assert_eq!(wrap(t, d, Clamp), t.max(0.0).min(d));
    }
}

#[test]
fn wrap_at_the_ends_and_far_away() {
    let table: [(f32, f32, WrapMode, f32); 19] = [
        (2.0, 2.0, Clamp, 2.0),
        (2.0, 2.0, Loop, 0.0),
        (2.0, 2.0, PingPong, 2.0),
        (4.0, 2.0, PingPong, 0.0),
        (5.0, 2.0, PingPong, 1.0),
        (-0.5, 2.0, Clamp, 0.0),
        (-0.5, 2.0, Loop, 1.5),
        (-0.5, 2.0, PingPong, 0.5),
        // The duration minus next to nothing rounds to the duration, which is the start.
        (-1e-30, 2.0, Loop, 0.0),
        (f32::NAN, 2.0, Loop, 0.0),
        (f32::INFINITY, 2.0, Clamp, 2.0),
        (f32::NEG_INFINITY, 2.0, Clamp, 0.0),
        (f32::INFINITY, 2.0, Loop, 0.0),
        (f32::NEG_INFINITY, 2.0, PingPong, 0.0),
        (1.0, 0.0, PingPong, 0.0),
        (1.0, f32::NAN, Clamp, 0.0),
        // A year in seconds and more: 2 and 4 seconds into a period of 6.
        (33_554_432.0, 3.0, PingPong, 2.0),
        (33_554_440.0, 3.0, PingPong, 2.0),
        (33_554_440.0, 3.0, Loop, 1.0),
    ];
    for (t, d, mode, expected) in table {
        assert_eq!(wrap(t, d, mode), expected, "wrap({t}, {d}, {})", mode.name());
    }
    // Twice this duration is no f32.
    let turned = wrap(3e38, 2e38, PingPong);
    assert!((turned / 1e38 - 1.0).abs() < 1e-6, "{turned}");
}

#[test]
fn equal_times_find_the_last_and_never_divide_by_zero() {
    let times = [0.0, 1.0, 1.0, 1.0];
    assert_eq!(locate(&times, 1.0), Located { key: 3, next: 3, fraction: 0.0 });
    assert_eq!(locate(&times, 0.5), Located { key: 0, next: 1, fraction: 0.5 });
    assert_eq!(locate(&[1.0, 1.0], 0.0), Located { key: 0, next: 0, fraction: 0.0 });
}
