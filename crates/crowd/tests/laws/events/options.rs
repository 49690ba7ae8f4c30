//! Which events are recorded, and what a cap keeps: the same in any mix of playbacks and on any number of threads.

use throng_crowd::{
    CrowdError, DEFAULT_EVENT_CAP, Event, EventKind, EventKinds, EventOptions, Playback, Threads,
};

use super::{any_playback, marked_crowd, marker};
use crate::make::Dice;

/// Crowds that are alike but for their options, and what each emits in the same frames of long and short steps.
fn frames(options: EventOptions, threads: Threads) -> Vec<Vec<Event>> {
    let mut crowd = marked_crowd();
    crowd.set_threads(threads);
    crowd.set_event_options(options).unwrap();
    let mut dice = Dice::new(11);
    let ids: Vec<_> = (0..5000).map(|_| crowd.spawn(any_playback(&mut dice)).unwrap()).collect();
    for id in ids.iter().step_by(3) {
        crowd.crossfade(*id, any_playback(&mut dice), 0.5).unwrap();
    }
    let step = |dt: f64| {
        ids.iter().skip(7).step_by(50).for_each(|id| {
            let _ = crowd.rewind(*id);
            let _ = crowd.pause(*id);
            let _ = crowd.resume(*id);
        });
        crowd.advance(dt).unwrap();
        crowd.events().to_vec()
    };
    [0.1, 40.0, 0.0, 0.37, 7.3].map(step).into()
}

const ALL: usize = usize::MAX;

#[test]
fn a_cap_keeps_the_first_events_and_counts_the_others() {
    let all = frames(EventOptions::default().with_cap(ALL), Threads::One);
    assert!(all[1].len() > 100_000, "{} events", all[1].len());
    for cap in [0, 1, 1000, 6000, 100_000] {
        let capped = frames(EventOptions::default().with_cap(cap), Threads::One);
        for (all, capped) in all.iter().zip(&capped) {
            let Some(lost) = all.len().checked_sub(cap).filter(|lost| *lost > 0) else {
                assert!(capped == all);
                continue;
            };
            let (last, kept) = capped.split_last().unwrap();
            assert_eq!(last.kind, EventKind::Overflow { lost: lost as u32 }, "of a cap of {cap}");
            // Those of controls are kept as they were called, which the first of all may not be.
            assert!(kept.len() <= cap && (cap < 1000 || kept == &all[..cap]), "of a cap of {cap}");
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let on_three = pool.install(|| frames(EventOptions::default().with_cap(cap), Threads::Pool));
        assert!(on_three == capped, "of a cap of {cap}, on three threads");
    }
}

#[test]
fn what_is_not_recorded_is_left_out_and_nothing_else() {
    let all = frames(EventOptions::default().with_cap(ALL), Threads::One);
    let kinds = [
        EventKinds::NONE,
        EventKinds::STARTED,
        EventKinds::PAUSED | EventKinds::RESUMED,
        EventKinds::STOPPED,
        EventKinds::LOOPED,
        EventKinds::MARKER | EventKinds::FINISHED,
        EventKinds::ALL - EventKinds::MARKER,
    ];
    for kinds in kinds {
        let some = frames(EventOptions::default().with_kinds(kinds).with_cap(ALL), Threads::One);
        let kept = |event: &Event| match event.kind {
            EventKind::Started => kinds.contains(EventKinds::STARTED),
            EventKind::Paused => kinds.contains(EventKinds::PAUSED),
            EventKind::Resumed => kinds.contains(EventKinds::RESUMED),
            EventKind::Stopped => kinds.contains(EventKinds::STOPPED),
            EventKind::Looped { .. } => kinds.contains(EventKinds::LOOPED),
            EventKind::Finished => kinds.contains(EventKinds::FINISHED),
            EventKind::Marker { .. } => kinds.contains(EventKinds::MARKER),
            _ => false,
        };
        for (all, some) in all.iter().zip(&some) {
            let expected: Vec<Event> = all.iter().filter(|event| kept(event)).copied().collect();
            assert!(*some == expected, "{kinds:?}");
        }
    }
}

#[test]
fn clips_that_are_not_listed_emit_nothing() {
    let mut crowd = marked_crowd();
    crowd.set_event_options(EventOptions::default().with_clips([1])).unwrap();
    let ids = [0, 1, 1].map(|clip| crowd.spawn(Playback { clip, ..Playback::default() }).unwrap());
    crowd.pause(ids[0]).unwrap();
    crowd.pause(ids[2]).unwrap();
    crowd.advance(1.75).unwrap();
    assert!(crowd.events().iter().all(|event| ids[1..].contains(&event.instance())));
    let markers = crowd.events().iter().filter(|event| matches!(event.kind, EventKind::Marker { .. }));
    assert_eq!(markers.count(), 4);
    // A listed clip that follows one that is not, and the other way round.
    crowd.crossfade(ids[1], Playback::default(), 0.0).unwrap();
    crowd.set_clip(ids[2], 0).unwrap();
    crowd.advance(0.1).unwrap();
    let kinds: Vec<EventKind> = crowd.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Stopped]);
    // From now on all: markers too, of what plays already.
    crowd.set_event_options(EventOptions::default()).unwrap();
    crowd.advance(0.1).unwrap();
    let kinds: Vec<EventKind> = crowd.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [marker(0, 1, 3)]);
    let unknown = EventOptions::default().with_clips([0, 9]);
    let before = crowd.event_options().clone();
    assert_eq!(crowd.set_event_options(unknown), Err(CrowdError::NoSuchClip { clip: 9, clips: 3 }));
    assert_eq!(crowd.event_options(), &before);
}

#[test]
fn a_step_through_more_passes_than_can_be_gone_through_is_counted() {
    for (clip, speed) in [(1, -1e9), (1, 1e9), (2, 1e9)] {
        let mut crowd = marked_crowd();
        crowd.spawn(Playback { clip, speed, ..Playback::default() }).unwrap();
        crowd.advance(1e6).unwrap();
        let last = crowd.events().last().unwrap().kind;
        if clip == 2 {
            // Without markers nothing is lost.
            assert!(matches!(last, EventKind::Looped { count: u32::MAX, .. }) && crowd.events().len() == 2);
        } else {
            assert_eq!(last, EventKind::Overflow { lost: u32::MAX });
            assert_eq!(crowd.events().len(), DEFAULT_EVENT_CAP + 1);
        }
    }
}

#[test]
fn controls_without_a_step_are_capped_too() {
    let mut crowd = marked_crowd();
    let id = crowd.spawn(Playback::default()).unwrap();
    crowd.set_event_options(EventOptions::default().with_cap(4)).unwrap();
    for _ in 0..100 {
        crowd.pause(id).unwrap();
        crowd.resume(id).unwrap();
    }
    crowd.advance(0.0).unwrap();
    let kinds: Vec<EventKind> = crowd.events().iter().map(|event| event.kind).collect();
    let (paused, resumed) = (EventKind::Paused, EventKind::Resumed);
    // 201 events of controls, and the marker where it begins.
    let overflow = EventKind::Overflow { lost: 198 };
    assert_eq!(kinds, [EventKind::Started, paused, resumed, paused, overflow]);
    crowd.advance(0.0).unwrap();
    assert_eq!(crowd.events(), []);
}
