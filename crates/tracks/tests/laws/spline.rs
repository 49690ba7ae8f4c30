//! Catmull-Rom splines.

use proptest::prelude::*;
use throng_tracks::{Channel, Interpolation, Track, TrackError};

use crate::make::{any_time, keys};

fn sampled(track: &Track, t: f32) -> Vec<f64> {
    let mut value = vec![0.0; track.channel().components()];
    track.sample_f64(t, &mut value);
    value
}

fn scalar(times: &[f32], values: &[f32]) -> Track {
    Track::new("s", Channel::Scalar, Interpolation::CatmullRom, times, values.to_vec()).unwrap()
}

proptest! {
    #[test]
    fn a_line_stays_a_line_at_any_spacing(
        steps in prop::collection::vec(0.05f32..2.0, 1..9), slope in -3.0f32..3.0, from in -5.0f32..5.0, way in 0.0f32..1.0,
    ) {
        let times: Vec<f32> = steps.iter().scan(0.0, |t, step| { *t += step; Some(*t) }).collect();
        let on_line = |t: f32| f64::from(from) + f64::from(slope) * f64::from(t);
        let mut values = vec![slope];
        values.extend(times.iter().map(|&t| on_line(t) as f32));
        values.push(slope);
        let (first, last) = (times[0], times[times.len() - 1]);
        let t = first + (last - first) * way;
        let found = sampled(&scalar(&times, &values), t)[0];
        // Keys and the way between them are f32.
        prop_assert!((found - on_line(t)).abs() < 2e-5, "{found}, not {}", on_line(t));
    }

    #[test]
    fn the_slope_goes_on_through_inner_keys(
        steps in prop::collection::vec(0.25f32..2.0, 3..9), points in prop::collection::vec(-2.0f32..2.0, 11), pick: prop::sample::Index,
    ) {
        let times: Vec<f32> = steps.iter().scan(0.0, |t, step| { *t += step; Some(*t) }).collect();
        let (n, values) = (times.len(), &points[..times.len() + 2]);
        let track = scalar(&times, values);
        let key = 1 + pick.index(n - 2);
        // Ways are f32, of numbers whose spacing is 1e-6 at most: steps of a thousandth show slopes to a few thousandths.
        let (t, step) = (times[key], 1.0 / 512.0);
        let slope = |a: f32, b: f32| {
            (sampled(&track, b)[0] - sampled(&track, a)[0]) / (f64::from(b) - f64::from(a))
        };
        let (from, to) = (slope(t - step, t), slope(t, t + step));
        let expected = (f64::from(values[key + 2]) - f64::from(values[key])) / f64::from(times[key + 1] - times[key - 1]);
        // The second derivative is at most 6 times the values over the squared span, and that times a step.
        prop_assert!((from - expected).abs() < 1.5 && (to - expected).abs() < 1.5);
        prop_assert!((from + to - 2.0 * expected).abs() < 1.5, "{from} and {to}, not {expected}");
        // Halving the step halves what is left: so the limits are equal on both sides.
        let half = step / 4.0;
        let (near, nearer) = ((from - to).abs(), (slope(t - half, t) - slope(t, t + half)).abs());
        prop_assert!(nearer < 0.5 * near + 5e-3, "the slopes differ by {near}, and still by {nearer}");
    }

    #[test]
    fn it_is_the_cubic_spline_with_those_tangents(keys in keys(), t in any_time()) {
        let track = keys.track();
        let spline = track.to_cubic_spline("spline").unwrap();
        use Interpolation::{CatmullRom, CubicSpline, Nlerp, QuasiSpherical};
        let has = matches!(keys.interpolation, CatmullRom | CubicSpline | Nlerp | QuasiSpherical);
        prop_assert_eq!(spline.is_some(), has);
        if let Some(spline) = spline {
            prop_assert_eq!(spline.interpolation(), CubicSpline);
            prop_assert_eq!(spline.off_unit_quaternions(), track.off_unit_quaternions());
            // Close keys have steep tangents, but a tangent counts times its segment's length.
            let tolerance = if keys.channel.is_rotation() { 1e-3 } else { 1e-5 };
            for (a, b) in sampled(&track, t).iter().zip(sampled(&spline, t)) {
                prop_assert!((a - b).abs() < tolerance, "{a}, spline {b}");
            }
        }
    }

    #[test]
    fn the_outer_tangents_shape_the_outer_segments_only(
        steps in prop::collection::vec(0.25f32..2.0, 3..9), points in prop::collection::vec(-2.0f32..2.0, 11),
        other in 3.0f32..4.0, way in 0.0f32..1.0,
    ) {
        let times: Vec<f32> = steps.iter().scan(0.0, |t, step| { *t += step; Some(*t) }).collect();
        let n = times.len();
        let mut values = points[..n + 2].to_vec();
        let track = scalar(&times, &values);
        (values[0], values[n + 1]) = (other, other);
        let changed = scalar(&times, &values);
        let between = |a: usize, b: usize, way: f32| times[a] + (times[b] - times[a]) * way;
        let inner = between(1, n - 2, way);
        prop_assert_eq!(sampled(&track, inner), sampled(&changed, inner));
        for outer in [between(0, 1, 0.5), between(n - 2, n - 1, 0.5)] {
            prop_assert_ne!(sampled(&track, outer), sampled(&changed, outer));
        }
    }
}

#[test]
fn start_tangent_points_end_tangent() {
    // Leaves at 2 a second, arrives at -1 a second.
    let track = scalar(&[0.0, 1.0, 3.0], &[2.0, 0.0, 1.0, 5.0, -1.0]);
    let step = 1.0 / 4096.0;
    let slope = |a: f32| (sampled(&track, a + step)[0] - sampled(&track, a)[0]) / f64::from(step);
    assert!((slope(0.0) - 2.0).abs() < 1e-2, "{}", slope(0.0));
    assert!((slope(1.0) - 5.0 / 3.0).abs() < 1e-2, "{}", slope(1.0));
    assert!((slope(3.0 - step) + 1.0).abs() < 1e-2, "{}", slope(3.0 - step));
    assert_eq!([0.0, 1.0, 3.0].map(|t| sampled(&track, t)[0]), [0.0, 1.0, 5.0]);
    assert_eq!([track.value(0), track.value(2)], [[0.0], [5.0]]);
}

#[test]
fn one_key_is_constant_and_three_at_one_time_have_no_slope() {
    assert_eq!(sampled(&scalar(&[0.5], &[9.0, 3.0, 9.0]), 0.7), [3.0]);
    let track = scalar(&[0.0, 1.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0]);
    for t in [0.5, 1.0, 1.5] {
        assert!(sampled(&track, t)[0].is_finite());
    }
    assert_eq!(sampled(&track, 1.0), [3.0]);
}

#[test]
fn errors_name_the_tangents_at_the_ends() {
    let error = |at: usize| {
        let mut values = vec![0.0; 8];
        values[at] = f32::NAN;
        Track::new("s", Channel::Vec2, Interpolation::CatmullRom, [0.0, 1.0], values).unwrap_err().to_string()
    };
    assert_eq!(error(1), "track \"s\": start tangent 1 of key 0 is NaN");
    assert_eq!(error(4), "track \"s\": value 0 of key 1 is NaN");
    assert_eq!(error(6), "track \"s\": end tangent 0 of key 1 is NaN");
    let found = Track::new("s", Channel::Vec2, Interpolation::CatmullRom, [0.0, 1.0], vec![0.0; 4]);
    assert!(matches!(found, Err(TrackError::Length { keys: 2, expected: 8, found: 4, .. })));
    // A tangent between two numbers at opposite ends of f32.
    let (low, high) = (f32::MIN, f32::MAX);
    let steep = scalar(&[0.0, 0.1, 0.2], &[0.0, low, 0.0, high, 0.0]);
    assert!(matches!(steep.to_cubic_spline("s"), Err(TrackError::ValueNotFinite { key: 1, .. })));
}
