//! Random sequences of steps and controls against the model: equal in every number.

use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{PlaybackClock, WrapMode};

use crate::model::{Model, ModelPlay, TICKS};

#[derive(Clone, Debug)]
enum Act {
    Advance(i64),
    Seek(i64),
    SeekPlayed(i64),
    Rewind,
    NextKey,
    PreviousKey,
    SetSpeed(i64),
    SetDelay(i64),
    Change(ModelPlay),
}

/// The clip, in 512ths of a second.
const CLIP: i64 = 6 * TICKS;

fn any_speed() -> impl Strategy<Value = i64> {
    prop_oneof![3 => Just(8), 2 => Just(-8), 1 => Just(0), 6 => -40i64..40]
}

fn any_play() -> impl Strategy<Value = ModelPlay> {
    let wrap = prop::sample::select(vec![WrapMode::Clamp, WrapMode::Loop, WrapMode::PingPong]);
    let repeat = prop_oneof![1 => Just(None), 3 => (0i64..20).prop_map(Some)];
    // In sixteenths of a second, sometimes of one length only.
    let range = prop_oneof![
        1 => Just([0, CLIP]),
        1 => (0..=96i64).prop_map(|t| [t * 32; 2]),
        4 => (0..=96i64, 0..=96i64).prop_map(|(a, b)| [a.min(b) * 32, a.max(b) * 32]),
    ];
    (wrap, any::<bool>(), repeat, range, any_speed())
        .prop_map(|(wrap, reversed, repeat, range, speed)| ModelPlay { wrap, reversed, repeat, range, speed })
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        16 => prop_oneof![0i64..8, 0i64..700].prop_map(Act::Advance),
        2 => (-64..CLIP + 64).prop_map(Act::Seek),
        1 => (-8 * CLIP..8 * CLIP).prop_map(Act::SeekPlayed),
        1 => Just(Act::Rewind),
        2 => Just(Act::NextKey),
        2 => Just(Act::PreviousKey),
        2 => any_speed().prop_map(Act::SetSpeed),
        1 => (0i64..200).prop_map(Act::SetDelay),
        2 => any_play().prop_map(Act::Change),
    ]
}

fn ticks(t: i64) -> f32 {
    t as f32 / TICKS as f32
}

fn hold(clock: &PlaybackClock, model: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(clock.inside_s(), f64::from(ticks(model.shown())));
    prop_assert_eq!(clock.time_s(), ticks(model.shown()));
    prop_assert_eq!(clock.pass(), model.pass);
    prop_assert_eq!(clock.played_s(), model.played() as f64 / TICKS as f64);
    prop_assert_eq!(clock.is_finished(), model.finished);
    let delay = if model.finished { 0 } else { model.wait };
    prop_assert_eq!(clock.delay_s(), delay as f64 / 64.0);
    prop_assert_eq!(clock.play(), model.play.play());
    Ok(())
}

fn act(clock: &mut PlaybackClock, model: &mut Model, keys: &[i64], act: &Act) -> Result<(), TestCaseError> {
    let key_times: Vec<f32> = keys.iter().map(|&k| ticks(k)).collect();
    match *act {
        Act::Advance(dt) => {
            let done = clock.advance(dt as f64 / 64.0).unwrap();
            prop_assert_eq!((done.passes, done.overshoot_s), model.advance(dt));
        }
        Act::Seek(t) => {
            clock.seek(ticks(t)).unwrap();
            model.seek(t);
        }
        Act::SeekPlayed(played) => {
            clock.seek_played(played as f64 / TICKS as f64).unwrap();
            model.seek_played(played);
        }
        Act::Rewind => {
            clock.rewind();
            model.rewind();
        }
        Act::NextKey => {
            prop_assert_eq!(clock.step_to_next_key(&key_times), model.step(keys, true).map(ticks));
        }
        Act::PreviousKey => {
            prop_assert_eq!(clock.step_to_previous_key(&key_times), model.step(keys, false).map(ticks));
        }
        Act::SetSpeed(speed) => {
            clock.set_speed(speed as f32 / 8.0).unwrap();
            model.set_speed(speed);
        }
        Act::SetDelay(delay) => {
            clock.set_delay(delay as f64 / 64.0).unwrap();
            model.set_delay(delay);
        }
        Act::Change(play) => {
            clock.change(&play.play()).unwrap();
            model.change(play);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_sequence_of_controls_is_the_models(
        play in any_play(), keys in vec(0..=CLIP / 32, 0..8), acts in vec(any_act(), 1..60),
    ) {
        let mut keys: Vec<i64> = keys.into_iter().map(|k| k * 32).collect();
        keys.sort_unstable();
        let mut clock = PlaybackClock::new(ticks(CLIP), &play.play()).unwrap();
        let mut model = Model::new(play);
        hold(&clock, &model)?;
        for next in &acts {
            act(&mut clock, &mut model, &keys, next)?;
            hold(&clock, &model)?;
        }
    }
}
