//! What is no track, and what is said of it.

use throng_tracks::{Channel, Interpolation, Track, TrackError};

fn error(
    channel: Channel,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) -> (TrackError, String) {
    let error = Track::new("hips.move", channel, interpolation, times, values.to_vec()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("\"hips.move\""), "{text}");
    (error, text)
}

fn linear(times: &[f32], values: &[f32]) -> (TrackError, String) {
    error(Channel::Translation, Interpolation::Linear, times, values)
}

#[test]
fn no_key() {
    let (error, text) = linear(&[], &[]);
    assert!(matches!(error, TrackError::NoKey { .. }));
    assert!(text.ends_with("has no key"), "{text}");
}

#[test]
fn too_few_or_too_many_numbers() {
    for (interpolation, expected) in
        [(Interpolation::Step, 6), (Interpolation::Linear, 6), (Interpolation::CubicSpline, 18)]
    {
        for found in [0, expected - 1, expected + 1] {
            let (error, text) = error(Channel::Scale, interpolation, &[0.0, 1.0], &vec![1.0; found]);
            assert!(matches!(error, TrackError::Length { keys: 2, .. }));
            assert!(text.contains(&format!("needs {expected} numbers, but has {found}")), "{text}");
        }
    }
    // So many morph targets that their product with the keys leaves 32 bits, and with three parts nearly 64.
    let (error, _) = error(Channel::Weights(u32::MAX), Interpolation::CubicSpline, &[0.0; 4], &[]);
    assert!(matches!(error, TrackError::Length { found: 0, .. }));
}

#[test]
fn time_that_decreases() {
    let (error, text) = linear(&[0.0, 2.0, 1.5], &[0.0; 9]);
    assert!(matches!(error, TrackError::TimeDecreases { key: 2, .. }));
    assert!(text.contains("key 2 is at 1.5 s") && text.contains("at 2 s"), "{text}");
}

#[test]
fn time_below_zero() {
    let (error, text) = linear(&[-0.25, 1.0], &[0.0; 6]);
    assert!(matches!(error, TrackError::NegativeTime { key: 0, .. }));
    assert!(text.contains("key 0 is at -0.25 s"), "{text}");
}

#[test]
fn time_that_is_no_number() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (error, text) = linear(&[0.0, bad], &[0.0; 6]);
        assert!(matches!(error, TrackError::TimeNotFinite { key: 1, .. }));
        assert!(text.contains(&format!("the time of key 1 is {bad}")), "{text}");
    }
}

#[test]
fn values_and_tangents_that_are_no_numbers() {
    let (error_found, text) = linear(&[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0]);
    assert!(matches!(error_found, TrackError::ValueNotFinite { key: 1, component: 1, .. }));
    assert!(text.contains("value 1 of key 1 is NaN"), "{text}");
    for (place, expected) in [
        (9, "in-tangent 0 of key 1 is inf"),
        (14, "value 2 of key 1 is inf"),
        (16, "out-tangent 1 of key 1 is inf"),
    ] {
        let mut values = [0.0; 18];
        values[place] = f32::INFINITY;
        let (_, text) = error(Channel::Translation, Interpolation::CubicSpline, &[0.0, 1.0], &values);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn quaternions_without_direction() {
    let (error, text) = error(
        Channel::Rotation,
        Interpolation::Linear,
        &[0.0, 1.0],
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.0, 0.0],
    );
    assert!(matches!(error, TrackError::ZeroQuaternion { key: 1, .. }));
    assert!(text.contains("quaternion of key 1 has length zero"), "{text}");
}

#[test]
fn tangents_that_leave_f32_with_their_quaternion() {
    // The quaternion is fine at unit length; the tangent, enlarged with it, is beyond all numbers.
    let values = [[0.0; 4], [0.0, 0.0, 0.0, 1e-20], [0.0, 1e30, 0.0, 0.0]].concat();
    let (error, text) = error(Channel::Rotation, Interpolation::CubicSpline, &[0.0], &values);
    assert!(matches!(error, TrackError::ValueNotFinite { key: 0, component: 1, .. }));
    assert!(text.contains("out-tangent 1 of key 0"), "{text}");
}

#[test]
fn shifted_times_are_checked_as_well() {
    let shifted = |times: [f32; 2], origin_s: f32| {
        let values = vec![0.0; 6];
        Track::shifted("late", Channel::Scale, Interpolation::Step, times, values, origin_s)
            .map(|t| t.times().to_vec())
    };
    assert_eq!(shifted([-1.5, 0.0], -1.5).unwrap(), [0.0, 1.5]);
    assert_eq!(shifted([2.0, 3.0], 2.0).unwrap(), [0.0, 1.0]);
    // An origin after the first key leaves that key below zero; the message tells the time it was left at.
    let text = shifted([-1.5, 0.0], -1.0).unwrap_err().to_string();
    assert!(text.contains("\"late\"") && text.contains("key 0 is at -0.5 s"), "{text}");
    assert!(matches!(shifted([0.0, 1.0], f32::NAN), Err(TrackError::TimeNotFinite { key: 0, .. })));
    assert!(matches!(shifted([0.0, f32::MAX], -f32::MAX), Err(TrackError::TimeNotFinite { key: 1, .. })));
}
