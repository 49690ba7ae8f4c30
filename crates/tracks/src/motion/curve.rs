//! The curve that a character goes along, uniform in time.

use glam::Vec4;

use super::{Placement, Rigid};
use crate::Travel;

/// An axis of model space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Axis {
    /// The first.
    X,
    /// Up in glTF.
    #[default]
    Y,
    /// Up in files whose people say so.
    Z,
}

impl Axis {
    /// Its place among the numbers of a vector.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Where a clip takes the character: for each time a rigid motion, a turn about one axis and a translation.
///
/// `pose(t) = motion(t) * remaining pose(t)` for the joint that it was extracted from and all below it, in model space. It is
/// kept as samples, uniform in time; between two of them the motion is a straight line.
///
/// A character is moved by differences: [`step`](Self::step) and [`travel`](Self::travel) tell what leads from its place at
/// one time to that at another, in its own frame at the first.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionCurve {
    axis: Axis,
    rate_hz: f64,
    duration_s: f32,
    /// At `i / rate_hz`; at least two. The end may lie ahead of the last, which then is where the straight line through the end
    /// leads.
    samples: Vec<Sample>,
    /// Where the end is, in intervals.
    end: f64,
    /// What leads from the place of a pass to that of the next.
    seam: Rigid,
}

/// A [`Rigid`] as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Its place, and the sine of half its angle.
    four: Vec4,
    /// The cosine.
    w: f32,
}

impl Sample {
    pub(crate) fn new(motion: &Rigid) -> Self {
        let [a, b, c] = motion.place.map(|v| v as f32);
        let [v, w] = motion.half.map(|v| v as f32);
        Self { four: Vec4::new(a, b, c, v), w }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.four.is_finite() && self.w.is_finite()
    }

    #[inline]
    fn half(&self) -> [f64; 2] {
        [self.four.w, self.w].map(f64::from)
    }

    fn wide(&self) -> Rigid {
        let [a, b, c, _] = self.four.to_array().map(f64::from);
        Rigid { place: [a, b, c], half: self.half() }
    }
}

impl MotionCurve {
    /// Of samples at whole multiples of `1 / rate_hz`, the last at the end, which may be less far away.
    pub(crate) fn new(axis: Axis, rate_hz: f32, duration_s: f32, mut samples: Vec<Sample>) -> Self {
        let rate_hz = f64::from(rate_hz);
        let only = Sample::new(&Rigid::IDENTITY);
        while samples.len() < 2 {
            samples.push(samples.last().copied().unwrap_or(only));
        }
        // All intervals are of one length: the last goes on in its direction.
        let last = samples.len() - 2;
        let end = f64::from(duration_s) * rate_hz;
        let way = end - last as f64;
        if way > 0.0 && way < 1.0 {
            let on = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) / way) as f32;
            let [a, b] = [samples[last], samples[last + 1]];
            let four = std::array::from_fn(|i| on(a.four[i], b.four[i]));
            samples[last + 1] = Sample { four: Vec4::from_array(four), w: on(a.w, b.w) };
        }
        let mut curve = Self { axis, rate_hz, duration_s, samples, end, seam: Rigid::IDENTITY };
        curve.seam = curve.seam_of([0.0, f64::from(duration_s)]);
        curve
    }

    /// The axis that the character turns about.
    #[must_use]
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// Samples a second.
    #[must_use]
    pub fn rate_hz(&self) -> f32 {
        self.rate_hz as f32
    }

    /// The clip's length, in seconds.
    #[must_use]
    pub fn duration_s(&self) -> f32 {
        self.duration_s
    }

    /// How many samples there are, of 32 bytes each.
    #[must_use]
    pub fn sample_count(&self) -> usize {
        self.samples.len()
    }

    /// The samples, `1 / rate_hz` apart: of each the place, in the cyclic order of axes that begins with the one that is turned
    /// about, then the sine and the cosine of half the turn. At least two; the end of the clip may lie ahead of the last, on the
    /// straight line to it. For tables that lanes read.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = [f32; 5]> + '_ {
        self.samples.iter().map(|&Sample { four, w }| [four.x, four.y, four.z, four.w, w])
    }

    /// Whether the motion is anything but none.
    pub(crate) fn moves(&self) -> bool {
        let none = Sample::new(&Rigid::IDENTITY);
        self.samples.iter().any(|sample| *sample != none)
    }

    /// Whether it turns.
    pub(crate) fn turns(&self) -> bool {
        self.samples.iter().any(|sample| sample.four.w != 0.0)
    }

    /// Whether it leads from somewhere to somewhere else.
    pub(crate) fn travels(&self) -> bool {
        self.samples.iter().any(|sample| *sample != self.samples[0])
    }

    /// The motion at `t` seconds into the clip: what the remaining pose is moved by to be the clip's. Clamps at the ends; a NaN
    /// counts as 0.
    #[must_use]
    pub fn at(&self, t: f64) -> Placement {
        self.placement(&self.motion(t))
    }

    pub(crate) fn motion(&self, t: f64) -> Rigid {
        let (interval, way) = self.locate(t);
        Rigid::between(&self.samples[interval].wide(), &self.samples[interval + 1].wide(), way)
    }

    /// The interval that `t` lies in, and the way through it.
    #[inline]
    fn locate(&self, t: f64) -> (usize, f64) {
        // Of a NaN the other.
        let place = (t * self.rate_hz).max(0.0).min(self.end);
        let interval = (place as u32 as usize).min(self.samples.len() - 2);
        (interval, place - interval as f64)
    }

    /// The motion at `t` in f32, the numbers of a [`Sample`]. Its turn is not of unit length, but 0.7 or longer.
    #[inline(always)]
    fn near(&self, t: f64) -> Sample {
        let (interval, way) = self.locate(t);
        let [a, b] = [&self.samples[interval], &self.samples[interval + 1]];
        let way = way as f32;
        Sample { four: a.four + (b.four - a.four) * way, w: a.w + (b.w - a.w) * way }
    }

    /// The character's step between two times of one pass, forwards or back, in seconds.
    ///
    /// ```
    /// use throng_tracks::*;
    /// let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 2.0], vec![0.0, 1.0, 0.0, 0.0, 1.0, 3.0])?;
    /// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
    /// let taken = tools::extract_root_motion(&clip, &skeleton, &tools::RootMotion::of("hips"))?;
    /// assert_eq!(taken.motion.step(0.5, 1.5), Placement::at([0.0, 0.0, 1.5]));
    /// // Three times over the end of the loop.
    /// assert_eq!(taken.motion.travel(1.5, 0.5, 3, [0.0, 2.0]), Placement::at([0.0, 0.0, 7.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn step(&self, from_s: f64, to_s: f64) -> Placement {
        let (from, to) = (self.near(from_s), self.near(to_s));
        let way = to.four - from.four;
        // One turn and the other back, from their difference: so that however small it is, no digit of it is lost.
        let (av, aw, dv, dw) = (from.four.w, from.w, way.w, to.w - from.w);
        let (v, w) = (aw * dv - av * dw, aw * to.w + av * to.four.w);
        let length = 1.0 / (v * v + w * w).sqrt();
        // The cosine and the sine of a whole angle, from those of a half.
        let scale = 1.0 / (av * av + aw * aw);
        let (sin, cos) = (-2.0 * av * aw * scale, (aw * aw - av * av) * scale);
        let place = [way.x, cos * way.y - sin * way.z, sin * way.y + cos * way.z];
        self.placed(place, [v * length, w * length])
    }

    /// The character's step between a time of one pass of a loop and a time of another.
    ///
    /// `seams` says how often it came from the loop's end to its start, and is negative if it came from the start to the end
    /// more often. The loop is `range_s` of the clip. Ping-pong and clips that play once have no seams: for them it
    /// is [`step`](Self::step), between the times that are shown.
    #[must_use]
    #[inline(always)]
    pub fn travel(&self, from_s: f64, to_s: f64, seams: i64, range_s: [f64; 2]) -> Placement {
        if seams == 0 {
            return self.step(from_s, to_s);
        }
        self.over_seams(from_s, to_s, seams, range_s)
    }

    /// The character's step along the way that a clock went: over all seams, back, and there and back again.
    ///
    /// ```
    /// use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 2.0], vec![0.0, 1.0, 0.0, 0.0, 1.0, 3.0])?;
    /// # let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
    /// # let curve = tools::extract_root_motion(&clip, &skeleton, &tools::RootMotion::of("hips"))?.motion;
    /// let mut clock = PlaybackClock::new(2.0, &Play { speed: 0.5, ..Play::default() })?;
    /// let before = clock.state();
    /// clock.advance(10.0)?;
    /// let travel = clock.terms().travel(&before, &clock.state());
    /// // Two and a half passes of three metres each.
    /// assert_eq!(curve.along(&travel), Placement::at([0.0, 0.0, 7.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn along(&self, travel: &Travel) -> Placement {
        let [from_s, to_s] = travel.ends_s();
        self.travel(from_s, to_s, travel.seams(), travel.range_s())
    }

    #[cold]
    fn over_seams(&self, from_s: f64, to_s: f64, seams: i64, range_s: [f64; 2]) -> Placement {
        let whole = range_s == [0.0, f64::from(self.duration_s)];
        let seam = if whole { self.seam } else { self.seam_of(range_s) };
        let end = seam.power(seams).after(&self.motion(to_s));
        self.placement(&self.motion(from_s).to(&end))
    }

    /// A pass ends at `motion(max)`, and the next one begins there with `motion(min)`.
    fn seam_of(&self, [min, max]: [f64; 2]) -> Rigid {
        self.motion(max).after(&self.motion(min).inverse())
    }

    fn placement(&self, motion: &Rigid) -> Placement {
        self.placed(motion.place.map(|v| v as f32), motion.half.map(|v| v as f32))
    }

    #[inline(always)]
    fn placed(&self, place: [f32; 3], [v, w]: [f32; 2]) -> Placement {
        // Of its two names, the one on the identity's side.
        let v = if w < 0.0 { -v } else { v };
        Placement::about(self.axis, [v, w.abs()], place)
    }
}
