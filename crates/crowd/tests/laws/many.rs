//! Controls of many: what one by one does, all or none.

use throng_crowd::{Control, Crossfade, Crowd, CrowdError, InstanceId, Playback, PlaybackId, Threads};

use crate::make::{crowd, playback};

const CONTROLS: [Control; 12] = [
    Control::Pause,
    Control::Resume,
    Control::Rewind,
    Control::Seek(0.4),
    Control::SeekPlayed(7.25),
    Control::NextKey,
    Control::PreviousKey,
    Control::Speed(-2.0),
    Control::Fade { weight: 0.5, seconds: 1.0 },
    Control::FadeOut(0.5),
    Control::FadeOut(0.0),
    Control::Stop,
];

fn filled() -> (Crowd, Vec<InstanceId>) {
    let mut crowd = crowd(&[0.9, 2.1]);
    let ids = (0..200).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    crowd.advance(0.3).unwrap();
    (crowd, ids)
}

/// Everything that an instance plays, and what was told of it.
fn all(crowd: &mut Crowd) -> Vec<(Playback, f32, PlaybackId)> {
    let ids: Vec<InstanceId> = crowd.ids().collect();
    let playing = ids.iter().flat_map(|id| crowd.playbacks(*id).unwrap());
    playing.map(|id| (crowd.playback(id).unwrap(), crowd.shown_s(id).unwrap(), id)).collect()
}

fn with_instances(control: usize) -> Control {
    let playback = Playback { clip: 1, time_s: 0.25, ..Playback::default() };
    match CONTROLS.get(control) {
        Some(control) => *control,
        None if control == CONTROLS.len() => Control::Crossfade(playback, Crossfade::from(0.5)),
        None => Control::Play(playback, 0.0),
    }
}

#[test]
fn many_are_controlled_as_one_is() {
    for number in 0..CONTROLS.len() + 2 {
        let control = with_instances(number);
        let ((mut one, ids), (mut many, _), (mut chosen, _)) = (filled(), filled(), filled());
        for id in ids.iter().filter(|id| id.slot() % 3 == 0) {
            one.control(*id, control).unwrap();
        }
        let some: Vec<_> = ids.iter().copied().filter(|id| id.slot() % 3 == 0).collect();
        many.control_many(&some, control).unwrap();
        chosen.set_threads(if number % 2 == 0 { Threads::Pool } else { Threads::One });
        chosen.control_all(|id, _| (id.slot() % 3 == 0).then_some(control)).unwrap();
        for crowd in [&mut one, &mut many, &mut chosen] {
            crowd.advance(0.25).unwrap();
        }
        let (expected, events) = (all(&mut one), one.events());
        assert_eq!((all(&mut many), many.events()), (expected.clone(), events), "{control:?}");
        assert_eq!((all(&mut chosen), chosen.events()), (expected, events), "{control:?}");
    }
}

#[test]
fn the_first_that_cannot_be_is_named_and_none_changes() {
    let (mut crowd, ids) = filled();
    // The last but one has no place left, and the last is gone.
    for _ in 0..3 {
        crowd.play(ids[198], Playback::default()).unwrap();
    }
    crowd.despawn(ids[199]).unwrap();
    let before = all(&mut crowd);
    let gone = CrowdError::Despawned { id: ids[199] };
    let full = CrowdError::TooManyPlaybacks { id: ids[198] };
    for number in 0..CONTROLS.len() + 2 {
        let control = with_instances(number);
        let whole = number >= CONTROLS.len();
        let expected = if whole { &full } else { &gone };
        assert_eq!(crowd.control_many(&ids, control).as_ref(), Err(expected), "{control:?}");
        assert_eq!(
            crowd.control_many(&[ids[0], ids[1], ids[0]], control),
            Err(CrowdError::NamedTwice { id: ids[0] })
        );
        if whole {
            assert_eq!(crowd.control_all(|_, _| Some(control)).as_ref(), Err(&full));
        }
    }
    let nan = f32::NAN;
    for (control, words) in [
        (Control::Seek(nan), "time_s must be finite, but is NaN"),
        (Control::SeekPlayed(f64::INFINITY), "played_s must be finite, but is inf"),
        (Control::Speed(nan), "speed must be finite, but is NaN"),
        (Control::Fade { weight: nan, seconds: 1.0 }, "weight must be finite, but is NaN"),
        (Control::Fade { weight: 1.0, seconds: -1.0 }, "seconds must not be negative, but is -1"),
        (Control::FadeOut(nan), "seconds must be finite, but is NaN"),
        (Control::Play(Playback::default(), nan), "seconds must be finite, but is NaN"),
        (
            Control::Crossfade(Playback { clip: 2, ..Playback::default() }, Crossfade::default()),
            "there is no clip 2: the bank has 2, counted from 0",
        ),
    ] {
        let said = crowd.control_all(|id, _| (id.slot() > 7).then_some(control)).unwrap_err().to_string();
        assert_eq!(said, words);
        assert_eq!(crowd.control_many(&ids[..9], control).unwrap_err().to_string(), words);
    }
    assert_eq!(all(&mut crowd), before);
    crowd.advance(0.0).unwrap();
    assert!(crowd.events().iter().all(|event| event.instance() == ids[198]), "only what play told");
}

#[test]
fn playbacks_of_one_instance_are_not_the_same() {
    let (mut crowd, ids) = filled();
    let other = crowd.play(ids[0], Playback::default()).unwrap();
    let both = [crowd.main_playback(ids[0]).unwrap(), other];
    crowd.control_many(&both, Control::Pause).unwrap();
    assert!(both.iter().all(|id| crowd.playback(*id).unwrap().paused));
    let twice = crowd.control_many(&[other, other], Control::Resume);
    assert_eq!(twice, Err(CrowdError::NamedTwice { id: ids[0] }));
}
