//! One playback, walked tick by tick: whatever is at a tick is told when the tick is reached. There is no arithmetic of passes
//! or intervals here that could be wrong in the same way as the crowd's.

use throng_crowd::{AtEnd, EventKind, Playback, PlaybackId, Repeat};
use throng_tracks::WrapMode;

/// Times of clips are in 512ths of a second, time goes in 64ths, and speeds are in eighths.
pub(super) const TICKS: i64 = 512;
pub(super) const STEPS: i64 = 64;

/// A marker of the tests' clips: its tick, and its payload.
pub(super) type Mark = (i64, u32);

#[derive(Clone)]
pub(super) struct Model {
    pub(super) id: PlaybackId,
    pub(super) playback: Playback,
    /// Of its clip, by time.
    marks: Vec<Mark>,
    range: [i64; 2],
    /// In eighths.
    speed: i64,
    /// The places of the play's ends, in ticks from its start; none where endless.
    ends: Option<[i64; 2]>,
    pass: i64,
    phase: i64,
    /// In 64ths.
    wait: i64,
    pub(super) finished: bool,
    fresh: bool,
    first: bool,
    pub(super) paused: bool,
    pub(super) fade: Fade,
    /// Whether crossfades leave it.
    pub(super) main: bool,
}

/// A straight line from one weight to another, in 64ths of a second.
#[derive(Clone, Copy)]
pub(super) struct Fade {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) steps: i64,
    pub(super) gone: i64,
    pub(super) leaves: bool,
}

impl Fade {
    pub(super) fn weight(&self) -> f64 {
        if self.gone >= self.steps {
            return self.to;
        }
        self.from + (self.to - self.from) * self.gone as f64 / self.steps as f64
    }

    pub(super) fn leave(&mut self, steps: i64) {
        *self = Self { from: self.weight(), to: 0.0, steps, gone: 0, leaves: true };
    }
}

impl Model {
    /// A playback whose numbers are whole in the model's units.
    pub(super) fn new(
        id: PlaybackId,
        playback: Playback,
        duration: i64,
        marks: &[Mark],
        fade: Fade,
        main: bool,
    ) -> Self {
        let ticks = |s: f32| (s * TICKS as f32) as i64;
        let range = playback.range_s.map_or([0, duration], |range| range.map(ticks));
        let length = range[1] - range[0];
        let passes = match playback.repeat {
            Repeat::Passes(passes) => Some(passes),
            Repeat::Endless => (playback.wrap == WrapMode::Clamp).then_some(1.0),
        };
        let passes = passes.map(|p| if playback.wrap == WrapMode::Clamp { p.min(1.0) } else { p });
        let ends = passes.map(|passes| {
            let last = (passes * length as f32) as i64;
            [if playback.wrap == WrapMode::Clamp { 0 } else { -last }, last]
        });
        let mut model = Self {
            id,
            playback,
            marks: marks.to_vec(),
            range,
            speed: (playback.speed * 8.0) as i64,
            ends,
            pass: 0,
            phase: 0,
            wait: (playback.delay_s * STEPS as f64) as i64,
            finished: false,
            fresh: true,
            first: true,
            paused: playback.paused,
            fade,
            main,
        };
        model.go((playback.time_s * TICKS as f64) as i64);
        model
    }

    fn length(&self) -> i64 {
        self.range[1] - self.range[0]
    }

    pub(super) fn place(&self) -> i64 {
        self.pass * self.length() + self.phase
    }

    /// Whether a tick later the clip's time is later.
    fn runs_up(&self, pass: i64) -> bool {
        let back = self.playback.wrap == WrapMode::PingPong && pass.rem_euclid(2) == 1;
        back == self.playback.reversed
    }

    fn shown(&self) -> i64 {
        if self.runs_up(self.pass) { self.range[0] + self.phase } else { self.range[1] - self.phase }
    }

    /// Goes to a place without passing anything; at most to the ends.
    pub(super) fn go(&mut self, place: i64) {
        let place = self.ends.map_or(place, |[first, last]| place.clamp(first, last));
        (self.pass, self.phase) = (place.div_euclid(self.length()), place.rem_euclid(self.length()));
        if self.phase == 0 && place > 0 && self.ends.is_some_and(|[_, last]| place == last) {
            (self.pass, self.phase) = (self.pass - 1, self.length());
        }
        self.finished = false;
    }

    /// That a control moved its clock: at a start it begins anew.
    pub(super) fn restart_at_start(&mut self) {
        let [start, other] = if self.playback.reversed { [1, 0] } else { [0, 1] };
        let at = |end: usize| self.shown() == self.range[end];
        if at(start) || self.speed < 0 && at(other) {
            self.restart();
        }
    }

    pub(super) fn restart(&mut self) {
        (self.fresh, self.first) = (true, true);
    }

    /// Another clip, which the part that is played fits into: the way from the start of the pass stays.
    pub(super) fn set_clip(&mut self, clip: usize, duration: i64, marks: &[Mark]) {
        let [min, max] = self.range;
        let way = if self.playback.reversed { max - self.shown() } else { self.shown() - min };
        let playback = Playback { clip, time_s: way as f64 / TICKS as f64, ..self.playback };
        let anew = Self::new(self.id, playback, duration, marks, self.fade, self.main);
        let (speed, wait, paused) = (self.speed, self.wait, self.paused);
        *self = Self { speed, wait: if self.finished { 0 } else { wait }, paused, ..anew };
    }

    /// The place that a crowd says it sought to. It tells apart the end of a loop's pass and the start of the next.
    pub(super) fn sought(&mut self, played_s: f64, shown_s: f32) {
        self.go((played_s * TICKS as f64) as i64);
        if self.shown() != (shown_s * TICKS as f32) as i64 {
            assert_eq!(self.phase, 0);
            (self.pass, self.phase) = (self.pass - 1, self.length());
        }
        assert_eq!(self.shown(), (shown_s * TICKS as f32) as i64);
    }

    pub(super) fn set_speed(&mut self, eighths: i64) {
        self.speed = eighths;
        self.finished &= eighths == 0 || self.is_at_end();
    }

    fn is_at_end(&self) -> bool {
        let place = self.place();
        self.ends.is_some_and(|[first, last]| if self.speed >= 0 { place >= last } else { place <= first })
    }

    /// That a control told something of it: its beginning comes ahead of that.
    pub(super) fn control(&mut self, told: &mut Vec<(PlaybackId, EventKind)>, kind: EventKind) {
        if self.fresh && self.wait == 0 {
            self.fresh = false;
            told.push((self.id, EventKind::Started));
        }
        told.push((self.id, kind));
    }

    /// What is at the present tick, in the order in which ticks come.
    fn fire(&self, told: &mut Vec<(PlaybackId, EventKind)>) {
        let clip = self.playback.clip as u32;
        let mut here: Vec<EventKind> = (0u32..)
            .zip(&self.marks)
            .filter(|(_, (tick, _))| *tick == self.shown())
            .map(|(marker, (_, payload))| EventKind::Marker { clip, marker, payload: *payload })
            .collect();
        if self.runs_up(self.pass) != (self.speed >= 0) {
            here.reverse();
        }
        told.extend(here.into_iter().map(|kind| (self.id, kind)));
    }

    /// So many 64ths of a second.
    pub(super) fn advance(&mut self, steps: i64, told: &mut Vec<(PlaybackId, EventKind)>) {
        // What loses its weight is over then.
        let left = self.fade.steps - self.fade.gone;
        let steps = if self.fade.leaves { steps.min(left).max(0) } else { steps };
        let runs = !self.paused && self.speed != 0 && !self.finished;
        let waited = if runs { self.wait.min(steps) } else { 0 };
        self.wait -= waited;
        if self.wait > 0 {
            return;
        }
        if std::mem::take(&mut self.fresh) {
            told.push((self.id, EventKind::Started));
        }
        if !runs {
            return;
        }
        if std::mem::take(&mut self.first) {
            self.fire(told);
        }
        let begin = told.len();
        for _ in 0..self.speed.abs() * (steps - waited) {
            if self.is_at_end() {
                break;
            }
            self.tick(told);
        }
        join_loops(told, begin);
        if self.is_at_end() {
            self.finished = true;
            told.push((self.id, EventKind::Finished));
        }
    }

    fn tick(&mut self, told: &mut Vec<(PlaybackId, EventKind)>) {
        let loops = self.playback.wrap == WrapMode::Loop;
        let (way, start, end) = if self.speed > 0 { (1, 0, self.length()) } else { (-1, self.length(), 0) };
        if self.phase == end {
            (self.pass, self.phase) = (self.pass + way, start);
            if loops {
                self.fire(told);
            }
        }
        self.phase += way;
        self.fire(told);
        if self.phase == end {
            told.push((self.id, EventKind::Looped { pass: self.pass as i32, count: 1 }));
        }
        // Forwards the end of a pass is the start of the next, unless there is none.
        if self.speed > 0 && self.phase == end && !self.is_at_end() {
            (self.pass, self.phase) = (self.pass + 1, 0);
            if loops {
                self.fire(told);
            }
        }
    }

    /// Moves its fade; whether it is over.
    pub(super) fn fades_out(&mut self, steps: i64) -> bool {
        self.fade.gone += steps;
        self.fade.leaves && self.fade.gone >= self.fade.steps
    }

    /// Whether it is over because its clip is.
    pub(super) fn is_removed(&self) -> bool {
        self.playback.at_end == AtEnd::Remove && self.finished && !(self.main && self.fade.leaves)
    }
}

/// Of the ends of passes that were told from a place on, the last one stands for all.
fn join_loops(told: &mut Vec<(PlaybackId, EventKind)>, begin: usize) {
    let is_loop = |(_, kind): &(PlaybackId, EventKind)| matches!(kind, EventKind::Looped { .. });
    let mut left = told[begin..].iter().filter(|entry| is_loop(entry)).count() as u32;
    let all = left;
    let ends = told.split_off(begin).into_iter().filter_map(|mut entry| {
        let (_, EventKind::Looped { count, .. }) = &mut entry else { return Some(entry) };
        (left, *count) = (left - 1, all);
        (left == 0).then_some(entry)
    });
    told.extend(ends);
}
