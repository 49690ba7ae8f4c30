//! One track at many instances' times: the same bits at all levels of a class, and close to the exact sample.

use throng_kernels::{BLOCK, LaneTrack, LaneTrackError, Level, Line, sample_track};
use throng_tracks::{Channel, Custom, Extrapolation, Interpolation, Track};

use crate::random::{Random, classes, levels};

/// The values at `times`, one after the other.
fn run(level: Level, track: &LaneTrack, times: &[f32]) -> Vec<f32> {
    let mut out = vec![Line([7.0; BLOCK]); track.lines(times.len())];
    sample_track(level, track, times, &mut out).unwrap();
    let n = track.components();
    (0..times.len())
        .flat_map(|i| (0..n).map(move |c| (i / BLOCK * n + c, i % BLOCK)))
        .map(|(line, lane)| out[line].0[lane])
        .collect()
}

const CHANNELS: [Channel; 9] = [
    Channel::Translation,
    Channel::Rotation,
    Channel::Scale,
    Channel::Weights(5),
    Channel::Scalar,
    Channel::Vec2,
    Channel::Colour,
    Channel::Quaternion,
    Channel::Discrete,
];

const INTERPOLATIONS: [Interpolation; 6] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::Nlerp,
    Interpolation::QuasiSpherical,
    Interpolation::CubicSpline,
    Interpolation::CatmullRom,
];

const EXTRAPOLATIONS: [Extrapolation; 4] =
    [Extrapolation::Clamp, Extrapolation::Linear, Extrapolation::Loop, Extrapolation::PingPong];

/// Key times up to 3 s, some of them equal, the first one not always 0.
fn key_times(random: &mut Random) -> Vec<f32> {
    let count = 1 + random.below(12);
    let mut times: Vec<f32> = (0..count).map(|_| (random.between(0.0, 3.0) * 24.0).round() / 24.0).collect();
    times.sort_by(f32::total_cmp);
    times
}

fn random_track(random: &mut Random, channel: Channel, interpolation: Interpolation) -> Track {
    let times = key_times(random);
    let names: Vec<String> = (0..4).map(|i| i.to_string()).collect();
    if channel == Channel::Discrete {
        let indices: Vec<u32> = times.iter().map(|_| random.below(4) as u32).collect();
        return Track::discrete("made", times, &indices, names).unwrap();
    }
    let n = channel.components();
    let count = interpolation.value_count(times.len());
    let values = (0..count).flat_map(|_| {
        let value: Vec<f32> = if channel.is_rotation() {
            random.rotation().to_array().to_vec()
        } else {
            (0..n).map(|_| random.between(-2.0, 2.0)).collect()
        };
        value
    });
    let values = values.collect();
    Track::new("made", channel, interpolation, times, values).unwrap()
}

/// Every kind of track there is, with every extrapolation.
fn tracks(seed: u64, rounds: usize) -> Vec<Track> {
    let random = &mut Random::new(seed);
    let mut all = Vec::new();
    for _ in 0..rounds {
        for channel in CHANNELS {
            for interpolation in INTERPOLATIONS.into_iter().filter(|i| i.suits(channel)) {
                let (before, after) = (random.pick(&EXTRAPOLATIONS), random.pick(&EXTRAPOLATIONS));
                let track = random_track(random, channel, interpolation);
                all.push(track.clone().with_extrapolation(before, after));
                all.push(track);
            }
        }
    }
    all
}

/// Times around and at the keys, far off, and no times at all; a number of them that fills no block.
fn times_for(random: &mut Random, track: &Track) -> Vec<f32> {
    let mut times: Vec<f32> =
        track.times().iter().flat_map(|t| [t.next_down(), *t, t.next_up(), *t]).collect();
    times.extend((0..100).map(|_| random.between(-2.0, 6.0)));
    times.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e9, -1e9, f32::MAX, f32::MIN]);
    times.extend((0..200 + random.below(200)).map(|_| random.between(-0.5, 3.5)));
    times
}

#[test]
fn levels_of_a_class_return_the_same_bits() {
    let random = &mut Random::new(5);
    for track in tracks(1, 3) {
        let (lanes, times) = (LaneTrack::new(&track).unwrap(), times_for(random, &track));
        for class in classes() {
            let all: Vec<Vec<u32>> = class
                .iter()
                .map(|&level| run(level, &lanes, &times).into_iter().map(f32::to_bits).collect())
                .collect();
            for (level, found) in class.iter().zip(&all) {
                let differs = found.iter().zip(&all[0]).position(|(a, b)| a != b);
                let at = differs.map(|i| times[i / lanes.components()]);
                assert_eq!(at, None, "{level} differs from {} for {track:?}", class[0]);
            }
        }
    }
}

/// How far `found` may be from the exact value: some roundings of the largest number that goes into it.
fn tolerance(track: &Track, t: f32, exact: &[f64]) -> f64 {
    let epsilon = f64::from(f32::EPSILON);
    let values = track.values().iter().fold(0.0f64, |a, &v| a.max(f64::from(v.abs())));
    if track.channel().is_rotation() {
        let spline = matches!(track.interpolation(), Interpolation::CubicSpline | Interpolation::CatmullRom);
        // Slerp's polynomials; a spline is a sum that normalising may enlarge, as it does its rounding.
        return if spline { 4e-4 } else { 1e-6 };
    }
    // A tangent, at most 2 a second or a difference of two values, counts times its segment.
    let size = if track.interpolation() == Interpolation::Step { 0.0 } else { 4.0 * values };
    let beyond = track.inside(t).beyond_s.abs();
    let line = exact.iter().fold(0.0f64, |a, v| a.max(v.abs())) + values;
    8.0 * epsilon * size + if beyond > 0.0 { 4.0 * epsilon * line } else { 0.0 }
}

#[test]
fn values_are_those_of_the_exact_path() {
    let random = &mut Random::new(6);
    for track in tracks(2, 6) {
        let (lanes, times) = (LaneTrack::new(&track).unwrap(), times_for(random, &track));
        let n = lanes.components();
        for level in levels() {
            for (found, &t) in run(level, &lanes, &times).chunks(n).zip(&times) {
                let mut exact = vec![0.0; n];
                track.sample_f64(t, &mut exact);
                let off = |sign: f64| {
                    found
                        .iter()
                        .zip(&exact)
                        .map(|(f, e)| (f64::from(*f) - sign * e).abs())
                        .fold(0.0, f64::max)
                };
                // Beyond f32 there is nothing to be close to.
                if exact.iter().any(|e| e.abs() > f64::from(f32::MAX)) {
                    continue;
                }
                let limit = tolerance(&track, t, &exact);
                assert!(
                    off(1.0) <= limit,
                    "{level}: {found:?}, not {exact:?} (off {:e} > {limit:e}) at {t}, {track:?}",
                    off(1.0)
                );
            }
        }
    }
}

#[test]
fn keys_show_their_own_value() {
    for track in tracks(3, 3) {
        let (lanes, times) = (LaneTrack::new(&track).unwrap(), track.times().to_vec());
        let n = lanes.components();
        for level in levels() {
            for (found, &t) in run(level, &lanes, &times).chunks(n).zip(&times) {
                let mut exact = vec![0.0; n];
                track.sample(t, &mut exact);
                let off = found.iter().zip(&exact).map(|(f, e)| (f - e).abs()).fold(0.0, f32::max);
                let limit = if track.channel().is_rotation() { 2e-7 } else { 0.0 };
                assert!(off <= limit, "{level}: {found:?}, not {exact:?} at {t}, {track:?}");
            }
        }
    }
}

#[test]
fn every_count_of_times() {
    let track = Track::new("t", Channel::Vec2, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 1.0, 2.0]);
    let lanes = LaneTrack::new(&track.unwrap()).unwrap();
    for level in levels() {
        for count in (0..40).chain([255, 256, 257, 511, 512, 600]) {
            let times: Vec<f32> = (0..count).map(|i| i as f32 / 1024.0).collect();
            let expected: Vec<f32> = times.iter().flat_map(|&t| [t, 2.0 * t]).collect();
            assert_eq!(run(level, &lanes, &times), expected, "{level}, {count} times");
        }
    }
}

#[test]
fn a_spline_through_zero_shows_its_earlier_key() {
    let (q, still) = ([0.0, 0.0, 0.6, 0.8], [0.0; 4]);
    // From q to -q would be aligned: so the tangents, not the keys, lead to zero in the middle.
    let away = q.map(|v| -8.0 * v);
    let values = [still, q, away, away.map(|v| -v), q, still].concat();
    let track = Track::new("z", Channel::Rotation, Interpolation::CubicSpline, [0.0, 1.0], values).unwrap();
    let lanes = LaneTrack::new(&track).unwrap();
    for level in levels() {
        for found in run(level, &lanes, &[0.5, 0.49, 0.51]).chunks(4) {
            assert!(found.iter().all(|v| v.is_finite()), "{level}: {found:?}");
        }
        let found = run(level, &lanes, &[0.0]);
        assert!(found.iter().zip(q).all(|(a, b)| (a - b).abs() < 2e-7), "{level}: {found:?}");
    }
}

#[test]
fn tracks_and_rooms_that_lanes_refuse() {
    let own = Custom::new(|_, _, out| out.fill(0.0));
    let custom = Track::custom("own", Channel::Scalar, [0.0], vec![1.0], own).unwrap();
    let error = LaneTrack::new(&custom).unwrap_err();
    assert_eq!(error, LaneTrackError::Custom);
    assert!(error.to_string().contains("function of the caller's"), "{error}");
    let values = vec![0.0, f32::MIN, 0.0, f32::MAX, 0.0];
    let steep = Track::new("s", Channel::Scalar, Interpolation::CatmullRom, [0.0, 0.1, 0.2], values).unwrap();
    assert!(matches!(LaneTrack::new(&steep), Err(LaneTrackError::Tangent(_))));
    let track = Track::new("t", Channel::Vec2, Interpolation::Step, [0.0], vec![1.0, 2.0]).unwrap();
    let lanes = LaneTrack::new(&track).unwrap();
    for found in [0, 1, 3, 5] {
        let error =
            sample_track(Level::scalar(), &lanes, &[0.0; 17], &mut vec![Line::ZERO; found]).unwrap_err();
        assert_eq!(error, LaneTrackError::Room { times: 17, expected: 4, found });
        assert_eq!(
            error.to_string(),
            format!("17 times need 4 lines of results, but there is room for {found}")
        );
    }
    // No weights, no numbers.
    let none = Track::new("n", Channel::Weights(0), Interpolation::Linear, [0.0], vec![]).unwrap();
    assert_eq!(sample_track(Level::detect(), &LaneTrack::new(&none).unwrap(), &[0.0; 3], &mut []), Ok(()));
}
