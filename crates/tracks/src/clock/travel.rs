//! The way that a step went, pass by pass.

use super::{ClockState, ClockTerms};
use crate::WrapMode;

/// The way between two places of a play, which a step of time went from the first to the second: what was passed on it, and
/// how far a root came.
///
/// It is legs, each in one pass: the rest of the pass that it began in, whole passes, and the begun one. A step that stays in
/// a pass is one leg. In each the time runs one way.
///
/// ```
/// use throng_tracks::{Play, PlaybackClock};
/// let mut clock = PlaybackClock::new(2.0, &Play { speed: -1.0, ..Play::default() })?;
/// clock.seek(0.5)?;
/// let before = clock.state();
/// clock.advance(5.0)?;
/// let travel = clock.terms().travel(&before, &clock.state());
/// let (first, last) = (travel.first(), travel.last().unwrap());
/// assert_eq!((first.from_s, first.to_s), (0.5, 0.0));
/// assert_eq!(travel.between(), [0.0, 2.0]);
/// assert_eq!((last.pass, last.from_s, last.to_s), (-3, 2.0, 1.5));
/// # Ok::<(), throng_tracks::ClockError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    terms: ClockTerms,
    from: ClockState,
    to: ClockState,
}

/// A part of a [`Travel`] inside of one pass, in seconds of the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// In which pass.
    pub pass: i64,
    /// Where it begins.
    pub from_s: f64,
    /// Where it ends; below `from_s` where the clip is gone through backwards.
    pub to_s: f64,
}

impl ClockTerms {
    /// The way from one state of a clock of these terms to a later one. Only a step of time goes such a way: a seek is none.
    #[must_use]
    #[inline]
    pub fn travel(&self, from: &ClockState, to: &ClockState) -> Travel {
        Travel { terms: *self, from: *from, to: *to }
    }
}

impl Travel {
    /// Whether it led nowhere: the clock stood still.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        (self.from.passes, self.from.phase_s) == (self.to.passes, self.to.phase_s)
    }

    /// Whether passes came one after the other in the order of their numbers: not with a negative speed.
    #[must_use]
    #[inline]
    pub fn is_forwards(&self) -> bool {
        self.terms.speed >= 0.0
    }

    /// Where in the clip it began and where it ended, in seconds and but for rounding: at the end of a pass it may be a last bit
    /// beyond the range.
    #[must_use]
    #[inline]
    pub fn ends_s(&self) -> [f64; 2] {
        let ClockTerms { min_s, max_s, wrap, reversed, .. } = self.terms;
        if wrap == WrapMode::PingPong {
            return [self.from, self.to].map(|at| self.terms.inside_s(at.passes, at.phase_s));
        }
        let (start, way) = if reversed { (max_s, -1.0) } else { (min_s, 1.0) };
        [self.from, self.to].map(|at| f64::from(start) + way * at.phase_s)
    }

    /// How often it came from the range's end to its start at once, as loops do; negative if it came from the start to the end
    /// more often.
    #[must_use]
    #[inline]
    pub fn seams(&self) -> i64 {
        if self.stays() || self.terms.wrap != WrapMode::Loop {
            return 0;
        }
        let passes = (self.to.passes - self.from.passes) as i64;
        if self.terms.reversed { -passes } else { passes }
    }

    /// The part of the clip that is played, in seconds.
    #[must_use]
    #[inline]
    pub fn range_s(&self) -> [f64; 2] {
        [self.terms.min_s, self.terms.max_s].map(f64::from)
    }

    /// The first leg; all of it, if it stayed in one pass.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Leg {
        let end = if self.stays() { self.to.phase_s } else { self.end(self.is_forwards()) };
        self.leg(self.from.passes, self.from.phase_s, end)
    }

    /// The leg in the pass that it ended in, if that is not the one that it began in.
    #[must_use]
    #[inline]
    pub fn last(&self) -> Option<Leg> {
        (!self.stays()).then(|| self.leg(self.to.passes, self.end(!self.is_forwards()), self.to.phase_s))
    }

    /// How many whole passes lie between the first leg and the last: those gone through from the range's start to its end,
    /// and those from its end to its start.
    #[must_use]
    #[inline]
    pub fn between(&self) -> [f64; 2] {
        let count = ((self.to.passes - self.from.passes).abs() - 1.0).max(0.0);
        let step = if self.is_forwards() { 1.0 } else { -1.0 };
        // Legs of a ping-pong take turns, and the first decides who has one more.
        let turns = self.terms.runs_up(0.0) != self.terms.runs_up(1.0);
        let [first, second] =
            if turns { [(count / 2.0).ceil(), (count / 2.0).floor()] } else { [count, 0.0] };
        let up = self.terms.runs_up(self.from.passes + step) == self.is_forwards();
        if up { [first, second] } else { [second, first] }
    }

    /// The leg in any pass on the way, whole but for the first and the last.
    #[must_use]
    pub fn in_pass(&self, pass: i64) -> Leg {
        let number = pass as f64;
        match self.last() {
            None => self.first(),
            Some(_) if number == self.from.passes => self.first(),
            Some(last) if number == self.to.passes => last,
            Some(_) => self.leg(number, self.end(!self.is_forwards()), self.end(self.is_forwards())),
        }
    }

    /// The passes that it began and ended in.
    #[must_use]
    pub fn passes(&self) -> [i64; 2] {
        [self.from.passes as i64, self.to.passes as i64]
    }

    #[inline]
    fn stays(&self) -> bool {
        self.from.passes == self.to.passes
    }

    /// The phase of a pass's end, or of its start.
    #[inline]
    fn end(&self, last: bool) -> f64 {
        if last { self.terms.length_s() } else { 0.0 }
    }

    #[inline]
    fn leg(&self, pass: f64, from: f64, to: f64) -> Leg {
        let inside = |phase_s| self.terms.inside_s(pass, phase_s);
        Leg { pass: pass as i64, from_s: inside(from), to_s: inside(to) }
    }
}
