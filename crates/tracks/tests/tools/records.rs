//! Keys put in order.

use proptest::prelude::*;
use throng_tracks::tools::{KeysError, RawKeys, from_key_objects, sort_keys};
use throng_tracks::{Channel, Interpolation};

const KINDS: [Interpolation; 3] =
    [Interpolation::Linear, Interpolation::CubicSpline, Interpolation::CatmullRom];

/// Keys whose every number tells which key it was of, and which number.
fn told(interpolation: Interpolation, times: Vec<f32>) -> RawKeys {
    let size = 2 * interpolation.values_per_key();
    let mut values: Vec<f32> =
        (0..times.len()).flat_map(|key| (0..size).map(move |i| (100 * key + i) as f32)).collect();
    if interpolation == Interpolation::CatmullRom {
        values = [vec![-1.0, -2.0], values, vec![-3.0, -4.0]].concat();
    }
    RawKeys { channel: Channel::Vec2, interpolation, times, values }
}

proptest! {
    #[test]
    fn keys_move_whole_and_stably(
        interpolation in prop::sample::select(KINDS.to_vec()), times in prop::collection::vec(0u8..6, 0..12),
    ) {
        let times: Vec<f32> = times.into_iter().map(f32::from).collect();
        let keys = told(interpolation, times.clone());
        let sorted = sort_keys(keys.clone()).unwrap();
        prop_assert!(sorted.times.is_sorted());
        let size = 2 * interpolation.values_per_key();
        let ends = if interpolation == Interpolation::CatmullRom { 2 } else { 0 };
        let inner = &sorted.values[ends..sorted.values.len() - ends];
        let order: Vec<usize> = inner.chunks(size).map(|key| key[0] as usize / 100).collect();
        for (place, &key) in order.iter().enumerate() {
            prop_assert_eq!(sorted.times[place], times[key]);
            prop_assert!(inner[place * size..][..size].iter().enumerate().all(|(i, &v)| v == (100 * key + i) as f32));
        }
        // At one time in the order they were in.
        prop_assert!(order.windows(2).all(|w| times[w[0]] < times[w[1]] || w[0] < w[1]));
        prop_assert_eq!(&sorted.values[..ends], &keys.values[..ends]);
        prop_assert_eq!(&sorted.values[sorted.values.len() - ends..], &keys.values[keys.values.len() - ends..]);
        prop_assert_eq!(sort_keys(sorted.clone()).unwrap(), sorted);
    }

    #[test]
    fn records_without_a_value_are_skipped(records in prop::collection::vec((0.0f32..9.0, prop::option::of(0.0f32..1.0)), 0..9)) {
        let keys = from_key_objects(
            Channel::Scalar,
            Interpolation::Linear,
            records.iter().map(|(time, value)| (*time, value.map(|v| [v]))),
        )
        .unwrap();
        let expected: Vec<(f32, f32)> = records.iter().filter_map(|(time, value)| Some((*time, (*value)?))).collect();
        prop_assert_eq!(keys.times.into_iter().zip(keys.values).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn zeros_of_both_signs_are_one_time() {
    let sorted = sort_keys(told(Interpolation::Linear, vec![0.0, -0.0])).unwrap();
    assert_eq!(sorted.values, [0.0, 1.0, 100.0, 101.0]);
}

#[test]
fn errors_name_key_and_record() {
    let mut keys = told(Interpolation::CubicSpline, vec![1.0, f32::NAN]);
    assert_eq!(sort_keys(keys.clone()).unwrap_err(), KeysError::NotATime { key: 1 });
    keys.values.pop();
    assert_eq!(sort_keys(keys).unwrap_err(), KeysError::Length { keys: 2, expected: 12, found: 11 });
    let records = [(0.0, None), (1.0, Some(vec![1.0, 2.0]))];
    let error = from_key_objects(Channel::Vec3, Interpolation::Linear, records.clone()).unwrap_err();
    assert_eq!(error, KeysError::Record { record: 1, expected: 3, found: 2 });
    let error = from_key_objects(Channel::Vec2, Interpolation::CatmullRom, records).unwrap_err();
    assert_eq!(error, KeysError::NoEnds);
    assert!(error.to_string().contains("CATMULLROM"), "{error}");
}
