//! Events of those that wait for another, and of those that they cut.

use throng_crowd::{After, Crossfade};

use super::*;

#[test]
fn one_that_waits_begins_with_what_is_left_of_the_step() {
    let mut crowd = marked_crowd();
    let once = Playback { wrap: WrapMode::Clamp, at_end: AtEnd::Remove, ..Playback::default() };
    let id = crowd.spawn(once).unwrap();
    let first = crowd.main_playback(id).unwrap();
    let second = crowd.play_after(id, Playback { clip: 2, ..once }, 0.0, id, After::Ended).unwrap();
    // It waits for one that waits itself.
    let third = crowd.crossfade_after(id, Playback::default(), 0.5, second, After::Ran(0.125)).unwrap();
    assert_eq!(crowd.playbacks(id).unwrap().count(), 3);
    assert_eq!([first, second, third].map(|id| crowd.is_waiting(id).unwrap()), [false, true, true]);
    crowd.advance(0.75).unwrap();
    assert_eq!((crowd.shown_s(second), crowd.shown_s(third)), (Ok(0.0), Ok(0.0)));
    crowd.evaluate();
    assert_eq!(crowd.palette(id).unwrap()[3], 0.75);
    crowd.advance(0.4375).unwrap();
    let ran = |id: PlaybackId| crowd.playback(id).unwrap().time_s;
    assert_eq!((ran(second), ran(third)), (0.1875, 0.0625));
    assert_eq!(crowd.playback(third).unwrap().weight, 0.125);
    assert_eq!(crowd.main_playback(id), Ok(third));
    // It has ended, and loses its weight as if it had not.
    assert_eq!(crowd.playback(first).unwrap().weight, 0.875);
    let begins = |id| kinds(&crowd, id)[0];
    assert_eq!(crowd.is_waiting(third), Ok(false));
    assert_eq!((begins(second), begins(third)), (EventKind::Started, EventKind::Started));

    // Whoever it waits for may go in any way.
    let other = crowd.spawn(Playback::default()).unwrap();
    let waits = crowd.play_after(id, Playback::default(), 0.0, other, After::Ran(9.0)).unwrap();
    crowd.pause(other).unwrap();
    crowd.advance(20.0).unwrap();
    assert_eq!(kinds(&crowd, waits), []);
    crowd.despawn(other).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(kinds(&crowd, waits)[0], EventKind::Started);
    assert_eq!(crowd.playback(waits).unwrap().time_s, 0.25);

    // One that is stopped before it began is only that.
    let waits = crowd.play_after(id, Playback::default(), 0.0, id, After::Ended).unwrap();
    crowd.stop(waits).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(kinds(&crowd, waits), [EventKind::Stopped]);
    assert_eq!(
        crowd.play_after(id, Playback::default(), 0.0, waits, After::Ended),
        Err(CrowdError::Over { playback: waits })
    );
    let said = crowd.play_after(id, Playback::default(), 0.0, id, After::Ran(-1.0)).unwrap_err().to_string();
    assert_eq!(said, "seconds must not be negative, but is -1");
}

#[test]
fn a_synced_crossfade_that_waits_is_in_step_when_it_begins() {
    let mut crowd = marked_crowd();
    let id = crowd.spawn(Playback::default()).unwrap();
    let synced = Crossfade { seconds: 0.5, synced: true };
    let next = Playback { clip: 1, ..Playback::default() };
    let next = crowd.crossfade_after(id, next, synced, id, After::Ran(0.5)).unwrap();
    crowd.advance(0.75).unwrap();
    // Half of its way when it began, and a quarter of a second more.
    assert_eq!(crowd.playback(next).unwrap().time_s, 0.75 + 0.25);
}

/// Whatever a cut ends in the middle of a step has come as far by then, and tells of it.
#[test]
fn a_cut_in_the_middle_of_a_step_loses_no_event_ahead_of_it() {
    let once = Playback { wrap: WrapMode::Clamp, ..Playback::default() };
    let bank = marked_bank();
    let clip = &bank.clips()[0];
    let seconds = f64::from(clip.duration_s());
    for steps in [1, 3, 7, 64, 1000] {
        let dt = 1.5 * seconds / f64::from(steps);
        let told = |after: Option<After>| {
            let mut crowd = marked_crowd();
            let id = crowd.spawn(once).unwrap();
            let first = crowd.main_playback(id).unwrap();
            if let Some(after) = after {
                crowd
                    .crossfade_after(id, Playback { clip: 1, ..Playback::default() }, 0.0, id, after)
                    .unwrap();
            }
            let mut told = Vec::new();
            for _ in 0..steps {
                crowd.advance(dt).unwrap();
                told.extend(kinds(&crowd, first));
            }
            assert_eq!(crowd.main_playback(id) == Ok(first), after.is_none());
            told
        };
        let mut expected = told(None);
        expected.push(EventKind::Stopped);
        assert!(expected.contains(&EventKind::Finished));
        assert_eq!(told(Some(After::Ended)), expected, "{steps} steps");

        // Between two markers: at one, what steps round to would decide.
        let cut_s = 0.45 * seconds;
        let before = expected.iter().filter(|kind| match kind {
            EventKind::Marker { marker, .. } => f64::from(clip.markers()[*marker as usize].time_s) <= cut_s,
            kind => [EventKind::Started, EventKind::Stopped].contains(kind),
        });
        let before: Vec<EventKind> = before.copied().collect();
        assert_eq!(told(Some(After::Ran(cut_s as f32))), before, "{steps} steps, to {cut_s} s");
    }
}
