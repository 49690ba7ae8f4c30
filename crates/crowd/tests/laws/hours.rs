//! A hundred hours of play.

use throng_crowd::{InstanceId, Playback};
use throng_tracks::WrapMode;

use crate::make::crowd;

const HOURS_S: u32 = 100 * 3600;

#[test]
fn a_hundred_hours_of_small_steps_lose_less_than_a_microsecond() {
    let durations = [0.7f32, 1.2, 4.033_333];
    let mut crowd = crowd(&durations);
    let (looping, ping_pong) = (WrapMode::Loop, WrapMode::PingPong);
    let playing = [(0, 1.0f32, looping), (1, -0.7, looping), (2, 1.3, ping_pong), (0, -1.0, ping_pong)];
    let ids: Vec<(InstanceId, Playback)> = playing
        .map(|(clip, speed, wrap)| Playback { clip, speed, wrap, ..Playback::default() })
        .map(|playback| (crowd.spawn(playback).unwrap(), playback))
        .into();
    for _ in 0..HOURS_S * 60 {
        crowd.advance(1.0 / 60.0).unwrap();
    }
    for (id, Playback { clip, speed, wrap, .. }) in ids {
        let duration = f64::from(durations[clip]);
        let period = if wrap == ping_pong { 2.0 * duration } else { duration };
        let exact = f64::from(speed) * f64::from(HOURS_S);
        let off = (crowd.playback(id).unwrap().time_s - exact).rem_euclid(period);
        let off = off.min(period - off);
        println!("{} at speed {speed} over {duration} s is {off:.1e} s off", wrap.name());
        assert!(off < 1e-6, "{off} s off");
        assert_eq!(crowd.passes(id).unwrap(), (exact / duration).floor() as i64);
    }
}
