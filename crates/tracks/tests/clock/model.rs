//! A clock in whole numbers: times of the clip in 512ths of a second, real time in 64ths, speeds in eighths, repeats in
//! quarters. Its place is one number, the way from the start; ends of passes are found by looking at every time on the way.

use throng_tracks::{Play, Repeat, WrapMode};

pub(crate) const TICKS: i64 = 512;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ModelPlay {
    pub(crate) wrap: WrapMode,
    pub(crate) reversed: bool,
    /// In quarters of a pass; none for endless.
    pub(crate) repeat: Option<i64>,
    /// In 512ths.
    pub(crate) range: [i64; 2],
    /// In eighths.
    pub(crate) speed: i64,
}

impl ModelPlay {
    pub(crate) fn play(&self) -> Play {
        Play {
            wrap: self.wrap,
            reversed: self.reversed,
            repeat: self.repeat.map_or(Repeat::Endless, |quarters| Repeat::Passes(quarters as f32 / 4.0)),
            range_s: Some(self.range.map(|t| t as f32 / TICKS as f32)),
            speed: self.speed as f32 / 8.0,
        }
    }

    fn length(&self) -> i64 {
        self.range[1] - self.range[0]
    }

    /// The farthest places ahead of and behind the start, if the play ends.
    fn ends(&self) -> Option<[i64; 2]> {
        let quarters = self.repeat.or((self.wrap == WrapMode::Clamp).then_some(4))?;
        let quarters = if self.wrap == WrapMode::Clamp { quarters.min(4) } else { quarters };
        let last = quarters * self.length() / 4;
        Some(if self.wrap == WrapMode::Clamp { [0, last] } else { [-last, last] })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) play: ModelPlay,
    /// Which pass is shown, and how far into it.
    pub(crate) pass: i64,
    phase: i64,
    /// In 64ths.
    pub(crate) wait: i64,
    pub(crate) finished: bool,
}

impl Model {
    pub(crate) fn new(play: ModelPlay) -> Self {
        Self { play, pass: 0, phase: 0, wait: 0, finished: false }
    }

    pub(crate) fn played(&self) -> i64 {
        self.pass * self.play.length() + self.phase
    }

    pub(crate) fn shown(&self) -> i64 {
        let [min, max] = self.play.range;
        let down =
            self.play.reversed ^ (self.play.wrap == WrapMode::PingPong && self.pass.rem_euclid(2) == 1);
        if down { max - self.phase } else { min + self.phase }
    }

    /// Goes to a place. The end of the last pass is that pass's, every other end the next pass's start.
    fn go(&mut self, played: i64) {
        let length = self.play.length();
        if length == 0 {
            self.phase = 0;
            return;
        }
        self.pass = played.div_euclid(length);
        if let Some([_, last]) = self.play.ends()
            && last > 0
            && played == last
            && last % length == 0
        {
            self.pass -= 1;
        }
        self.phase = played - self.pass * length;
    }

    /// Ends of passes reached, and the seconds left if the play finished.
    pub(crate) fn advance(&mut self, dt: i64) -> (i64, Option<f64>) {
        let ModelPlay { speed, .. } = self.play;
        if speed == 0 || self.finished {
            return (0, None);
        }
        let waited = self.wait.min(dt);
        self.wait -= waited;
        if self.wait > 0 {
            return (0, None);
        }
        let (length, from) = (self.play.length(), self.played());
        let way = speed * (dt - waited);
        let end = self.play.ends().map(|[first, last]| if speed > 0 { last } else { first });
        let finishes = end.is_some_and(|end| (from + way - end) * speed >= 0);
        let to = match end {
            Some(end) if finishes => end,
            _ if length == 0 => from,
            _ => from + way,
        };
        if to != from || finishes {
            if length == 0 && finishes {
                self.pass = 0;
            }
            self.go(to);
        }
        self.finished = finishes;
        let is_end = |place: &i64| length > 0 && place % length == 0;
        let passes = if to > from {
            (from + 1..=to).filter(is_end).count() as i64
        } else {
            -((to..from).filter(is_end).count() as i64)
        };
        let left = |end| ((from + way - end) as f64 / TICKS as f64) / (speed as f64 / 8.0);
        (passes, end.filter(|_| finishes).map(left))
    }

    /// Shows a time, in this pass or one nearer to the start; or goes to the end that is nearest.
    fn show(&mut self, time: i64) {
        let [min, max] = self.play.range;
        let (time, length) = (time.clamp(min, max), max - min);
        if length == 0 && self.play.ends().is_some() {
            (self.pass, self.phase) = (0, 0);
            return;
        }
        let nearer = if self.pass > 0 { self.pass - 1 } else { (self.pass + 1).min(-1).max(self.pass) };
        for pass in [self.pass, nearer] {
            let mut there = Self { pass, phase: 0, ..*self };
            there.phase = (there.shown() - time).abs();
            let fits = self.play.ends().is_none_or(|[first, last]| {
                // Of the two places at an end of passes, an end of the play is the inner one.
                let (inner_last, inner_first) = (last == 0 || there.phase > 0, there.phase < length);
                let place = there.played();
                (place < last || (place == last && inner_last))
                    && (place > first || (place == first && (inner_first || first % length != 0)))
            });
            if fits {
                *self = there;
                return;
            }
        }
        let place = self.pass * length + (Self { phase: 0, ..*self }.shown() - time).abs();
        let [first, last] = self.play.ends().expect("an endless play shows every time");
        self.go(place.clamp(first, last));
    }

    pub(crate) fn seek(&mut self, time: i64) {
        self.finished = false;
        self.show(time);
    }

    pub(crate) fn seek_played(&mut self, played: i64) {
        self.finished = false;
        self.pass = 0;
        self.go(self.play.ends().map_or(played, |[first, last]| played.clamp(first, last)));
    }

    pub(crate) fn rewind(&mut self) {
        (self.finished, self.pass, self.phase) = (false, 0, 0);
    }

    pub(crate) fn set_delay(&mut self, delay: i64) {
        (self.finished, self.wait) = (false, delay);
    }

    pub(crate) fn set_speed(&mut self, speed: i64) {
        self.play.speed = speed;
        self.runs_again_if_not_at_end();
    }

    pub(crate) fn change(&mut self, play: ModelPlay) {
        let shown = self.shown();
        self.play = play;
        if play.wrap == WrapMode::Clamp {
            self.pass = 0;
        }
        self.show(shown);
        self.runs_again_if_not_at_end();
    }

    fn runs_again_if_not_at_end(&mut self) {
        let ends = self.play.ends().unwrap_or([i64::MIN, i64::MAX]);
        if self.play.speed != 0 && self.played() != ends[usize::from(self.play.speed > 0)] {
            self.finished = false;
        }
    }

    /// The key next to what is shown, later or earlier, that can be shown.
    pub(crate) fn step(&mut self, keys: &[i64], later: bool) -> Option<i64> {
        let shown = self.shown();
        let [min, max] = self.play.range;
        let mut keys: Vec<i64> = keys.iter().copied().filter(|k| (min..=max).contains(k)).collect();
        keys.sort_by_key(|k| (k - shown).abs());
        let moved = |t: i64| if later { t > shown } else { t < shown };
        for key in keys.into_iter().filter(|&k| moved(k)) {
            let mut there = *self;
            there.seek(key);
            if moved(there.shown()) {
                *self = there;
                return Some(there.shown());
            }
        }
        None
    }
}
