//! What follows the end of a clip that plays once, alone and in a crossfade.

use throng_crowd::{After, AtEnd, Crowd, CrowdError, InstanceId, Playback};
use throng_tracks::WrapMode;

use crate::make::crowd;

const ENDS: [AtEnd; 3] = [AtEnd::Hold, AtEnd::Rest, AtEnd::Remove];

fn once(at_end: AtEnd) -> Playback {
    Playback { wrap: WrapMode::Clamp, at_end, ..Playback::default() }
}

/// Where the root is, which is the time that the clips show.
fn x(crowd: &mut Crowd, id: InstanceId) -> f32 {
    crowd.evaluate();
    crowd.palette(id).unwrap()[3]
}

#[test]
fn a_clip_that_played_once_holds_rests_or_goes() {
    let mut crowd = crowd(&[2.0]);
    let ids = ENDS.map(|end| crowd.spawn(once(end)).unwrap());
    crowd.advance(1.5).unwrap();
    assert_eq!(ids.map(|id| x(&mut crowd, id)), [1.5; 3]);
    crowd.advance(1.0).unwrap();
    assert_eq!(ids.map(|id| x(&mut crowd, id)), [2.0, 0.0, 0.0]);
    crowd.seek_played(ids[1], 0.5).unwrap();
    assert_eq!(x(&mut crowd, ids[1]), 0.5);
    assert_eq!(crowd.playback(ids[2]), Err(CrowdError::NoMain { id: ids[2] }));
    let said = crowd.set_speed(ids[2], 1.0).unwrap_err().to_string();
    assert_eq!(said, "instance 2v1 has no main playback: it is over");
    // It can play again.
    crowd.crossfade(ids[2], Playback { time_s: 1.0, speed: 0.0, ..Playback::default() }, 0.0).unwrap();
    assert_eq!(x(&mut crowd, ids[2]), 1.0);
    // What a crossfade leaves holds its end until it is over.
    crowd.crossfade(ids[1], once(AtEnd::Remove), 0.0).unwrap();
    let left = crowd.main_playback(ids[1]).unwrap();
    crowd.crossfade(ids[1], Playback::default(), 10.0).unwrap();
    crowd.advance(5.0).unwrap();
    assert_eq!(crowd.playback(left).unwrap().weight, 0.5);
    crowd.advance(5.0).unwrap();
    assert_eq!(crowd.playback(left), Err(CrowdError::Over { playback: left }));
}

/// The largest move from frame to frame of a way of `frames`.
fn largest_move(crowd: &mut Crowd, id: InstanceId, frames: usize) -> f32 {
    let (mut before, mut largest) = (x(crowd, id), 0.0f32);
    for _ in 0..frames {
        crowd.advance(0.01).unwrap();
        let now = x(crowd, id);
        largest = largest.max((now - before).abs());
        before = now;
    }
    largest
}

#[test]
fn no_pose_jumps_in_a_crossfade_whatever_follows_the_end() {
    // The clip that is left shows 2 at its end, the other one 1, and one second is between them.
    let next = Playback { time_s: 1.0, speed: 0.0, ..Playback::default() };
    for at_end in ENDS {
        // It ends after the crossfade, in it, or ahead of it: then it rests already, or is gone.
        for time_s in [0.5, 1.2, 1.5, 1.98, 1.995, 2.0] {
            for again in [false, true] {
                let mut crowd = crowd(&[2.0]);
                let id = crowd.spawn(Playback { time_s, ..once(at_end) }).unwrap();
                let beside = Playback { weight: 0.25, ..next };
                crowd.play(id, beside).unwrap();
                crowd.advance(0.01).unwrap();
                let before = x(&mut crowd, id);
                crowd.crossfade(id, next, 1.0).unwrap();
                assert_eq!(x(&mut crowd, id), before, "{at_end:?} from {time_s}");
                let mut largest = largest_move(&mut crowd, id, 60);
                if again {
                    crowd.crossfade(id, Playback { time_s: 1.5, ..next }, 1.0).unwrap();
                }
                largest = largest.max(largest_move(&mut crowd, id, 110));
                assert!(largest < 0.04, "{at_end:?} from {time_s}, again {again}: {largest}");
            }
        }
    }
}

#[test]
fn no_pose_jumps_where_a_crossfade_waits_for_the_end() {
    for at_end in ENDS {
        let mut crowd = crowd(&[2.0]);
        let id = crowd.spawn(Playback { time_s: 1.905, ..once(at_end) }).unwrap();
        let next = Playback { time_s: 1.0, speed: 0.0, ..Playback::default() };
        crowd.crossfade_after(id, next, 0.5, id, After::Ended).unwrap();
        let largest = largest_move(&mut crowd, id, 80);
        assert!(largest < 0.04, "{at_end:?}: {largest}");
        assert_eq!(x(&mut crowd, id), 1.0);
    }
}
