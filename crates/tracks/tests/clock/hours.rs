//! A hundred hours of play.

use throng_tracks::{Play, PlaybackClock, Repeat, WrapMode};

const STEPS: u32 = 100 * 3600 * 60;
const DT_S: f64 = 1.0 / 60.0;

/// A number as a whole one times a power of two.
fn parts(v: f64) -> (i128, i32) {
    let exponent = ((v.to_bits() >> 52) & 0x7ff) as i32 - 1075;
    let mantissa = (v.to_bits() & ((1 << 52) - 1)) | (1 << 52);
    let zeros = mantissa.trailing_zeros();
    (i128::from(mantissa >> zeros) * if v < 0.0 { -1 } else { 1 }, exponent + zeros as i32)
}

/// Passes and phase after all steps, from whole numbers: nothing is rounded but the phase returned.
fn exact(speed: f32, length: f32) -> (i64, f64) {
    let ((speed, speed_exponent), (dt, dt_exponent)) = (parts(f64::from(speed)), parts(DT_S));
    let (length, length_exponent) = parts(f64::from(length));
    let unit = speed_exponent + dt_exponent;
    assert!(length_exponent >= unit, "lengths are multiples of the steps' unit");
    let (way, length) = (speed * dt * i128::from(STEPS), length << (length_exponent - unit));
    (way.div_euclid(length) as i64, way.rem_euclid(length) as f64 * f64::from(unit).exp2())
}

#[test]
fn a_hundred_hours_of_small_steps_lose_less_than_a_microsecond() {
    let playing = [
        (0.7f32, 1.0f32, WrapMode::Loop),
        (1.2, -0.7, WrapMode::Loop),
        (4.033_333, 1.3, WrapMode::PingPong),
        (0.7, -1.0, WrapMode::PingPong),
        (0.01, 3.7, WrapMode::Loop),
        (600.0, 0.3, WrapMode::Loop),
    ];
    for (duration_s, speed, wrap) in playing {
        let play = Play { wrap, speed, ..Play::default() };
        let mut clock = PlaybackClock::new(duration_s, &play).unwrap();
        let mut passes = 0;
        for _ in 0..STEPS {
            passes += clock.advance(DT_S).unwrap().passes;
        }
        let (exact_pass, exact_phase) = exact(speed, duration_s);
        let off =
            (clock.pass() - exact_pass) as f64 * f64::from(duration_s) + clock.state().phase_s - exact_phase;
        println!("{} at speed {speed} over {duration_s} s is {off:.1e} s off", wrap.name());
        assert!(off.abs() < 1e-6, "{off} s off");
        // Ends reached: those behind, forwards; those at or ahead, backwards.
        let ends = clock.pass() + i64::from(speed < 0.0);
        assert_eq!(passes, ends, "each end of a pass counts once");
    }
}

#[test]
fn a_repeat_of_a_hundred_hours_ends_in_the_right_step() {
    // 0.7 s, 500,000 times: 350,000 s are 21 million steps.
    let play = Play { repeat: Repeat::Passes(500_000.0), ..Play::default() };
    let mut clock = PlaybackClock::new(0.7, &play).unwrap();
    let end_s = 500_000.0 * f64::from(0.7f32);
    let mut steps = 0u32;
    let overshoot_s = loop {
        steps += 1;
        if let Some(overshoot_s) = clock.advance(DT_S).unwrap().overshoot_s {
            break overshoot_s;
        }
    };
    assert_eq!(clock.time_s(), 0.7);
    assert_eq!(steps, (end_s / DT_S).ceil() as u32);
    assert!((overshoot_s - (f64::from(steps) * DT_S - end_s)).abs() < 1e-6, "{overshoot_s} s left");
}
