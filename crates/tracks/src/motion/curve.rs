//! The curve that a character goes along, uniform in time.

use glam::{Quat, Vec3};

use super::{Placement, Rigid};
use crate::Travel;

/// An axis of model space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
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
    /// At `i / rate_hz`, the last at the end; at least two.
    samples: Vec<Sample>,
    /// When the last interval begins, and one through its length; which may be shorter than the others.
    last_s: f64,
    last_hz: f64,
    /// What leads from the place of a pass to that of the next.
    seam: Rigid,
}

/// A [`Rigid`] as stored: 20 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    place: [f32; 3],
    half: [f32; 2],
}

impl Sample {
    pub(crate) fn new(motion: &Rigid) -> Self {
        Self { place: motion.place.map(|v| v as f32), half: motion.half.map(|v| v as f32) }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.place.iter().chain(&self.half).all(|v| v.is_finite())
    }

    #[inline]
    fn wide(&self) -> Rigid {
        Rigid { place: self.place.map(f64::from), half: self.half.map(f64::from) }
    }
}

impl MotionCurve {
    /// Of samples at whole multiples of `1 / rate_hz`, the last at the end.
    pub(crate) fn new(axis: Axis, rate_hz: f32, duration_s: f32, mut samples: Vec<Sample>) -> Self {
        let rate_hz = f64::from(rate_hz);
        let only = Sample::new(&Rigid::IDENTITY);
        while samples.len() < 2 {
            samples.push(samples.last().copied().unwrap_or(only));
        }
        let last_s = (samples.len() - 2) as f64 / rate_hz;
        let length_s = f64::from(duration_s) - last_s;
        let last_hz = if length_s > 0.0 { 1.0 / length_s } else { 0.0 };
        let mut curve = Self { axis, rate_hz, duration_s, samples, last_s, last_hz, seam: Rigid::IDENTITY };
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

    /// How many samples there are, of 20 bytes each.
    #[must_use]
    pub fn sample_count(&self) -> usize {
        self.samples.len()
    }

    /// Whether the motion is anything but none.
    pub(crate) fn moves(&self) -> bool {
        let none = Sample::new(&Rigid::IDENTITY);
        self.samples.iter().any(|sample| *sample != none)
    }

    /// Whether it turns.
    pub(crate) fn turns(&self) -> bool {
        self.samples.iter().any(|sample| sample.half[0] != 0.0)
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

    #[inline]
    pub(crate) fn motion(&self, t: f64) -> Rigid {
        let place = t * self.rate_hz;
        let last = self.samples.len() - 2;
        // Casts take negative numbers and NaN to 0.
        let interval = (place as usize).min(last);
        let way = if interval < last { place - interval as f64 } else { (t - self.last_s) * self.last_hz };
        let way = if way > 0.0 { way.min(1.0) } else { 0.0 };
        Rigid::between(&self.samples[interval].wide(), &self.samples[interval + 1].wide(), way)
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
    #[inline]
    pub fn step(&self, from_s: f64, to_s: f64) -> Placement {
        self.placement(&self.motion(from_s).to(&self.motion(to_s)))
    }

    /// The character's step between a time of one pass of a loop and a time of another.
    ///
    /// `seams` says how often it came from the loop's end to its start, and is negative if it came from the start to the end
    /// more often. The loop is `range_s` of the clip. Ping-pong and clips that play once have no seams: for them it
    /// is [`step`](Self::step), between the times that are shown.
    #[must_use]
    #[inline]
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
    #[inline]
    pub fn along(&self, travel: &Travel) -> Placement {
        let [from_s, to_s] = travel.ends_s();
        self.travel(from_s, to_s, travel.seams(), travel.range_s())
    }

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

    #[inline]
    fn placement(&self, motion: &Rigid) -> Placement {
        let [a, b, c] = motion.place.map(|v| v as f32);
        // Of its two names, the one on the identity's side.
        let [v, w] = motion.half.map(|v| v as f32);
        let [v, w] = if w < 0.0 { [-v, -w] } else { [v, w] };
        let (translation, rotation) = match self.axis {
            Axis::X => (Vec3::new(a, b, c), Quat::from_xyzw(v, 0.0, 0.0, w)),
            Axis::Y => (Vec3::new(c, a, b), Quat::from_xyzw(0.0, v, 0.0, w)),
            Axis::Z => (Vec3::new(b, c, a), Quat::from_xyzw(0.0, 0.0, v, w)),
        };
        Placement { rotation, translation, scale: 1.0 }
    }
}
