//! Events of any playbacks under any controls, against a model that walks each tick of time; and their order.

mod model;
mod options;
mod restarts;
mod waiting;

use std::sync::Arc;

use throng_crowd::{AtEnd, Crowd, CrowdError, EventKind, InstanceId, Playback, PlaybackId, Repeat, Threads};
use throng_kernels::Level;
use throng_tracks::{Bank, Marker, WrapMode};

use crate::make::{Dice, MODES, bank, plan};
use model::{Fade, Mark, Model, STEPS, TICKS};

/// Of the clips, in ticks: whole quarters.
const DURATIONS: [i64; 3] = [TICKS, 3 * TICKS / 2, TICKS / 4];

/// The markers of each clip: at its ends, several at once, none. Several where a ping-pong can turn would be in an order that
/// nobody can see the reason of.
const MARKS: [&[Mark]; 3] =
    [&[(0, 1), (100, 3), (200, 2), (200, 4), (256, 4), (TICKS, 5)], &[(1, 10), (384, 11), (767, 12)], &[]];

fn marked_bank() -> Arc<Bank> {
    let seconds = |ticks: i64| ticks as f32 / TICKS as f32;
    let mut bank = bank(&DURATIONS.map(seconds));
    let changed = Arc::make_mut(&mut bank);
    for (clip, marks) in MARKS.iter().enumerate() {
        for &(tick, payload) in *marks {
            changed
                .add_marker(clip, Marker { time_s: seconds(tick), name: format!("{payload}"), payload })
                .unwrap();
        }
    }
    bank
}

fn marked_crowd() -> Crowd {
    Crowd::with_plan(plan(marked_bank()), Level::detect())
}

type Told = Vec<(PlaybackId, EventKind)>;

fn told(crowd: &Crowd) -> Told {
    crowd.events().iter().map(|event| (event.playback, event.kind)).collect()
}

/// What happened to one playback.
fn kinds(crowd: &Crowd, id: PlaybackId) -> Vec<EventKind> {
    crowd.events().iter().filter(|event| event.playback == id).map(|event| event.kind).collect()
}

fn any_playback(dice: &mut Dice) -> Playback {
    let clip = dice.roll(3);
    let duration = DURATIONS[clip];
    let seconds = |ticks: i64| ticks as f32 / TICKS as f32;
    let ranges = [None, None, Some([duration / 4, duration / 2]), Some([0, duration * 3 / 4])];
    let starts = [0, 0, 0, duration / 4, -duration, 2 * duration + 7];
    Playback {
        clip,
        time_s: dice.of(&starts) as f64 / TICKS as f64,
        speed: dice.of(&[8, 8, 4, -8, -3, 16, 0]) as f32 / 8.0,
        wrap: dice.of(&MODES),
        reversed: dice.roll(4) == 0,
        repeat: dice.of(&[
            Repeat::Endless,
            Repeat::Endless,
            Repeat::Passes(1.0),
            Repeat::Passes(2.25),
            Repeat::Passes(0.0),
        ]),
        range_s: dice.of(&ranges).map(|range| range.map(seconds)),
        delay_s: dice.of(&[0, 0, 0, 16, 40]) as f64 / STEPS as f64,
        paused: dice.roll(12) == 0,
        at_end: dice.of(&[AtEnd::Hold, AtEnd::Rest, AtEnd::Remove]),
        ..Playback::default()
    }
}

impl Dice {
    /// A place that may be sought, in ticks: a start now and then.
    fn any_place(&mut self) -> i64 {
        let any = self.roll(4000) as i64 - 2000;
        self.of(&[any, any, any, 0, TICKS, -3 * TICKS / 2])
    }
}

/// An instance and what it plays.
struct Played {
    id: InstanceId,
    playing: Vec<Model>,
}

impl Played {
    fn spawn(dice: &mut Dice, crowd: &mut Crowd) -> Self {
        let playback = any_playback(dice);
        let id = crowd.spawn(playback).unwrap();
        let hold = Fade { from: 1.0, to: 1.0, steps: 0, gone: 0, leaves: false };
        let main = crowd.main_playback(id).unwrap();
        let mut played = Self { id, playing: Vec::new() };
        played.begin(main, playback, hold, true);
        played
    }

    fn begin(&mut self, id: PlaybackId, playback: Playback, fade: Fade, main: bool) {
        let (duration, marks) = (DURATIONS[playback.clip], MARKS[playback.clip]);
        self.playing.push(Model::new(id, playback, duration, marks, fade, main));
    }

    /// Another time for the main playback, if there is one.
    fn update(&mut self, place: i64, crowd: &mut Crowd) {
        let Ok(main) = crowd.main_playback(self.id) else { return };
        let time_s = place as f64 / TICKS as f64;
        crowd.update(&[self.id], |_, playback| Playback { time_s, ..playback }).unwrap();
        let model = self.playing.iter_mut().find(|model| model.id == main).unwrap();
        if model.place() != place {
            model.go(place);
            model.restart_at_start();
        }
    }

    /// One control, told to both.
    fn control(&mut self, dice: &mut Dice, crowd: &mut Crowd, early: &mut Told) {
        let steps = dice.of(&[0, 8, 32]);
        let seconds = steps as f32 / STEPS as f32;
        let begins = Fade { from: 0.0, to: 1.0, steps, gone: 0, leaves: false };
        let at = dice.roll(self.playing.len().max(1));
        let room = self.playing.len() < 4;
        match (dice.roll(11), self.playing.get_mut(at)) {
            (0, _) if room => {
                let playback = any_playback(dice);
                let id = crowd.fade_in(self.id, playback, seconds).unwrap();
                self.begin(id, playback, begins, false);
            }
            (1, _) if room => {
                let playback = any_playback(dice);
                let id = crowd.crossfade(self.id, playback, seconds).unwrap();
                let goes = |model: &Model| model.main && (steps == 0 || model.fade.weight() == 0.0);
                let gone: Vec<Model> = self.playing.extract_if(.., |model| goes(model)).collect();
                gone.into_iter().for_each(|mut model| model.control(early, EventKind::Stopped));
                self.playing.iter_mut().filter(|model| model.main).for_each(|model| model.fade.leave(steps));
                self.begin(id, playback, begins, true);
            }
            (2, Some(model)) => {
                let eighths = dice.of(&[8, -8, 5, 0, 24]);
                crowd.set_speed(model.id, eighths as f32 / 8.0).unwrap();
                model.set_speed(eighths);
            }
            (3, Some(model)) => {
                let time_s = [dice.roll(900), 0][usize::from(dice.roll(4) == 0)] as f32 / TICKS as f32;
                crowd.seek(model.id, time_s).unwrap();
                let (played_s, shown_s) = (crowd.playback(model.id).unwrap().time_s, crowd.shown_s(model.id));
                model.sought(played_s, shown_s.unwrap());
                model.restart_at_start();
            }
            (4, Some(model)) => {
                let place = dice.any_place();
                crowd.seek_played(model.id, place as f64 / TICKS as f64).unwrap();
                model.go(place);
                model.restart_at_start();
            }
            (8, Some(model)) if dice.roll(3) == 0 => {
                crowd.rewind(model.id).unwrap();
                model.go(0);
                model.restart();
            }
            (9, Some(model)) if model.playback.range_s.is_none() => {
                let clip = dice.roll(3);
                crowd.set_clip(model.id, clip).unwrap();
                if model.playback.clip != clip {
                    model.set_clip(clip, DURATIONS[clip], MARKS[clip]);
                }
            }
            (10, _) => self.update(dice.any_place(), crowd),
            (5, Some(model)) => {
                let pause = dice.roll(2) == 0;
                if pause { crowd.pause(model.id) } else { crowd.resume(model.id) }.unwrap();
                if model.paused != pause {
                    model.control(early, if pause { EventKind::Paused } else { EventKind::Resumed });
                    model.paused = pause;
                }
            }
            (6, Some(model)) if dice.roll(3) == 0 => {
                crowd.fade_out(model.id, seconds).unwrap();
                if steps == 0 {
                    model.control(early, EventKind::Stopped);
                    self.playing.remove(at);
                } else {
                    model.fade.leave(steps);
                }
            }
            (7, Some(model)) if dice.roll(3) == 0 => {
                crowd.stop(model.id).unwrap();
                model.control(early, EventKind::Stopped);
                self.playing.remove(at);
            }
            _ => {
                let gone = crowd.seek(self.id, f32::NAN);
                assert!(matches!(gone, Err(CrowdError::NotFinite { .. })));
            }
        }
    }
}

#[test]
fn any_controls_tell_what_a_walk_tick_by_tick_tells() {
    let calls = 1_000_000;
    let mut crowd = marked_crowd();
    let mut dice = Dice::new(0x9e37_79b9_7f4a_7c15);
    let mut crowd_of: Vec<Played> = (0..30).map(|_| Played::spawn(&mut dice, &mut crowd)).collect();
    let (mut early, mut seen, mut markers) = (Told::new(), 0, 0);
    for call in 0..calls {
        let at = dice.roll(crowd_of.len());
        crowd_of[at].control(&mut dice, &mut crowd, &mut early);
        if dice.roll(300) == 0 {
            let gone = crowd_of.swap_remove(dice.roll(crowd_of.len()));
            crowd.despawn(gone.id).unwrap();
            crowd_of.push(Played::spawn(&mut dice, &mut crowd));
        }
        if call % 12 != 0 {
            continue;
        }
        let steps = dice.of(&[1, 1, 2, 7, 30, 0]);
        crowd.advance(steps as f64 / STEPS as f64).unwrap();
        let mut expected = std::mem::take(&mut early);
        let mut late = Told::new();
        for Played { playing, .. } in &mut crowd_of {
            for model in playing.iter_mut() {
                model.advance(steps, &mut expected);
            }
            let faded = playing.extract_if(.., |model| model.fades_out(steps));
            late.extend(faded.map(|model| (model.id, EventKind::Stopped)));
            playing.retain(|model| !model.is_removed());
        }
        expected.append(&mut late);
        // Stable: what happened to one stays in its order.
        expected.sort_by_key(|(id, _)| *id);
        assert_eq!(told(&crowd), expected, "after call {call}");
        seen += expected.len();
        markers += expected.iter().filter(|(_, kind)| matches!(kind, EventKind::Marker { .. })).count();
        for Played { id, playing } in &crowd_of {
            assert_eq!(crowd.playbacks(*id).unwrap().count(), playing.len());
        }
    }
    println!("{seen} events, of which {markers} are markers, in {calls} calls");
    assert!(markers > calls / 10);
}

#[test]
fn the_same_events_in_the_same_order_on_any_threads() {
    let build = || {
        let mut crowd = marked_crowd();
        let mut dice = Dice::new(7);
        let ids: Vec<_> = (0..9000).map(|_| crowd.spawn(any_playback(&mut dice)).unwrap()).collect();
        for id in ids.iter().step_by(3) {
            crowd.play(*id, any_playback(&mut dice)).unwrap();
            crowd.crossfade(*id, any_playback(&mut dice), 0.5).unwrap();
        }
        for id in ids.iter().step_by(7) {
            crowd.despawn(*id).unwrap();
        }
        crowd
    };
    let mut one = build();
    one.set_threads(Threads::One);
    let pools =
        [1, 2, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut many = [build(), build(), build()];
    for frame in 0..40 {
        let slot = |crowd: &Crowd, n: usize| crowd.ids().nth(n).unwrap();
        for crowd in many.iter_mut().chain([&mut one]) {
            let id = slot(crowd, frame * 50);
            crowd.crossfade(id, Playback::default(), 0.1).unwrap();
        }
        one.advance(0.061).unwrap();
        let expected = told(&one);
        assert!(!expected.is_empty() && expected.is_sorted_by_key(|(id, _)| *id));
        for (crowd, pool) in many.iter_mut().zip(&pools) {
            pool.install(|| crowd.advance(0.061)).unwrap();
            assert!(told(crowd) == expected, "frame {frame} on {} threads", pool.current_num_threads());
        }
    }
}

const fn marker(clip: u32, marker: u32, payload: u32) -> EventKind {
    EventKind::Marker { clip, marker, payload }
}

#[test]
fn a_long_step_tells_every_pass_and_the_seam_once() {
    let mut crowd = marked_crowd();
    let id = crowd.spawn(Playback { time_s: 0.25, ..Playback::default() }).unwrap();
    let main = crowd.main_playback(id).unwrap();
    crowd.advance(1.75).unwrap();
    let (start, middle, end) =
        (marker(0, 0, 1), [marker(0, 2, 2), marker(0, 3, 4), marker(0, 4, 4)], marker(0, 5, 5));
    let mut expected = vec![EventKind::Started];
    expected.extend(middle);
    expected.extend([end, start, marker(0, 1, 3)]);
    expected.extend(middle);
    expected.extend([end, EventKind::Looped { pass: 1, count: 2 }, start]);
    assert_eq!(kinds(&crowd, main), expected);
    // The seam was told: the step that leaves it does not tell it again, nor does the way back to where it was.
    crowd.advance(0.0).unwrap();
    assert_eq!(crowd.events(), []);
    crowd.seek(id, 0.5).unwrap();
    crowd.advance(0.25).unwrap();
    assert_eq!(crowd.events(), []);
    crowd.set_speed(id, -1.0).unwrap();
    crowd.advance(0.375).unwrap();
    assert_eq!(kinds(&crowd, main), [middle[2], middle[1], middle[0]]);
    assert_eq!(crowd.marker(&crowd.events()[0]).map(|m| (m.time_s, m.payload)), Some((0.5, 4)));
}

#[test]
fn keys_and_markers_are_gone_to_without_an_event() {
    let mut crowd = marked_crowd();
    let id = crowd.spawn(Playback { paused: true, time_s: 0.25, ..Playback::default() }).unwrap();
    crowd.advance(0.1).unwrap();
    assert_eq!(crowd.step_to_next_key(id), Ok(Some(1.0)));
    assert_eq!(crowd.step_to_next_key(id), Ok(None));
    assert_eq!(crowd.step_to_previous_key(id), Ok(Some(0.0)));
    crowd.seek_marker(id, "3").unwrap();
    assert_eq!(crowd.shown_s(id), Ok(100.0 / TICKS as f32));
    let said = crowd.seek_marker(id, "splash").unwrap_err().to_string();
    assert_eq!(said, "clip 0 has no marker \"splash\"");
    crowd.seek(id, 0.375).unwrap();
    assert_eq!(crowd.shown_s(id), Ok(0.375));
    crowd.advance(0.1).unwrap();
    // The step to the key at 0 began it anew, and it is paused.
    let kinds: Vec<EventKind> = crowd.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Started]);
}
