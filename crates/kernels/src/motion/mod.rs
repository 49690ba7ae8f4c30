//! Root motion of many instances: where a step of time takes each of them, of all that it plays.
//!
//! A [`MotionTable`] has the samples of a bank's [curves](throng_tracks::MotionCurve). [`add_motion`] adds the step of one
//! playback of each instance to running sums, block by block, and [`finish_motion`] makes one step of each sum. What does
//! not fit into lanes, the way over the seam of a loop, is one [`MotionSums::add`].

mod lanes;

use throng_tracks::{Axis, Bank, Placement, RowPair};

use crate::isa::{BLOCK, Level, Line, RowTable};

/// Floats of a row: the five of a sample, and some that nobody reads.
const STRIDE: usize = 8;

/// Where the clips of a bank take their characters, as rows that lanes read.
#[derive(Debug)]
pub struct MotionTable {
    rows: Vec<f32>,
    clips: Vec<ClipRows>,
    axis: Axis,
}

/// The rows of a clip; of one that leads nowhere none but the first of all, wherever it is asked for.
#[derive(Clone, Copy, Debug, Default)]
struct ClipRows {
    first: u32,
    /// The last interval between two rows.
    last: u32,
    rate_hz: f64,
    /// The clip's end, in intervals.
    end: f64,
}

impl ClipRows {
    #[inline(always)]
    fn at(&self, time_s: f64) -> RowPair {
        let place = time_s * self.rate_hz;
        // A NaN is above nothing.
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < self.end { place } else { self.end };
        let interval = (place as u32).min(self.last);
        RowPair { row: self.first + interval, fraction: (place - f64::from(interval)) as f32 }
    }
}

impl MotionTable {
    /// None if the bank's clips lead nowhere.
    #[must_use]
    pub fn new(bank: &Bank) -> Option<Self> {
        let mut table = Self { rows: Vec::new(), clips: Vec::new(), axis: Axis::default() };
        for clip in bank.clips() {
            let rows = clip.motion().map(|curve| {
                table.axis = curve.axis();
                let first = (table.rows.len() / STRIDE) as u32;
                for [a, b, c, sine, cosine] in curve.samples() {
                    table.rows.extend([a, b, c, sine, cosine, 0.0, 0.0, 0.0]);
                }
                let rate_hz = f64::from(curve.rate_hz());
                let end = f64::from(curve.duration_s()) * rate_hz;
                ClipRows { first, last: (curve.samples().len() - 2) as u32, rate_hz, end }
            });
            table.clips.push(rows.unwrap_or_default());
        }
        (!table.rows.is_empty()).then_some(table)
    }

    /// The axis that characters turn about.
    #[must_use]
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// The rows of clips at two times of each, in seconds.
    #[inline(always)]
    fn locate<const N: usize>(
        &self,
        clips: &[u32; N],
        from_s: &[f64; N],
        to_s: &[f64; N],
    ) -> [[RowPair; N]; 2] {
        let [mut from, mut to] = [[RowPair::default(); N]; 2];
        for (lane, clip) in clips.iter().enumerate() {
            if let Some(rows) = self.clips.get(*clip as usize) {
                from[lane] = rows.at(from_s[lane]);
                to[lane] = rows.at(to_s[lane]);
            }
        }
        [from, to]
    }

    fn table(&self) -> RowTable<'_> {
        RowTable::new(&self.rows, STRIDE)
    }
}

/// Steps of sixteen instances: turns about one axis, and translations in the cyclic order of axes that begins with that one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionBlock {
    /// The sine and the cosine of half the angle.
    half: [Line; 2],
    place: [Line; 3],
}

impl MotionBlock {
    /// Nobody moves.
    pub const STILL: Self = Self { half: [Line::ZERO, Line([1.0; BLOCK])], place: [Line::ZERO; 3] };

    /// The step of one of them; none if it stays where it is.
    ///
    /// # Panics
    /// If `lane` is not below [`BLOCK`].
    #[must_use]
    #[inline]
    pub fn step(&self, lane: usize, axis: Axis) -> Option<Placement> {
        let [sine, cosine] = self.half.map(|line| line.0[lane]);
        let place = self.place.map(|line| line.0[lane]);
        (sine != 0.0 || place != [0.0; 3]).then(|| Placement::about(axis, [sine, cosine], place))
    }

    /// Takes a step about the axis for one of them.
    ///
    /// # Panics
    /// If `lane` is not below [`BLOCK`].
    pub fn set(&mut self, lane: usize, axis: Axis, step: &Placement) {
        let (half, place) = step.about_axis(axis);
        self.half.iter_mut().zip(half).for_each(|(line, v)| line.0[lane] = v);
        self.place.iter_mut().zip(place).for_each(|(line, v)| line.0[lane] = v);
    }

    /// One of them stays where it is.
    ///
    /// # Panics
    /// If `lane` is not below [`BLOCK`].
    pub fn stay(&mut self, lane: usize) {
        self.set(lane, Axis::default(), &Placement::IDENTITY);
    }
}

/// The steps of all that sixteen instances play, weighted and summed up to now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSums {
    half: [Line; 2],
    place: [Line; 3],
    weights: Line,
}

impl MotionSums {
    /// Nothing yet.
    pub const ZERO: Self = Self { half: [Line::ZERO; 2], place: [Line::ZERO; 3], weights: Line::ZERO };

    /// The step of one of them between two times of a clip, in seconds: what [`add_motion`] adds, bit for bit.
    ///
    /// # Panics
    /// If `lane` is not below [`BLOCK`].
    pub fn add_way(&mut self, lane: usize, table: &MotionTable, clip: u32, times_s: [f64; 2], weight: f32) {
        lanes::add_one(self, lane, table, (clip, times_s), weight);
    }

    /// One more step of one of them.
    ///
    /// # Panics
    /// If `lane` is not below [`BLOCK`].
    pub fn add(&mut self, lane: usize, axis: Axis, step: &Placement, weight: f32) {
        let ([sine, cosine], place) = step.about_axis(axis);
        let [sum_sine, sum_cosine] = self.half.each_mut().map(|line| &mut line.0[lane]);
        let signed = if *sum_sine * sine + *sum_cosine * cosine < 0.0 { -weight } else { weight };
        *sum_sine += sine * signed;
        *sum_cosine += cosine * signed;
        for (sum, v) in self.place.iter_mut().zip(place) {
            sum.0[lane] += v * weight;
        }
        self.weights.0[lane] += weight;
    }
}

/// One playback of each instance: where it was before a step of time, and where it is now.
#[derive(Clone, Copy, Debug)]
pub struct MotionLayer<'a> {
    /// Which clip of the bank. One that leads nowhere stands still, and so does one that the bank has not.
    pub clips: &'a [[u32; BLOCK]],
    /// Before, in seconds of the clip, which clamps at its ends.
    pub from_s: &'a [[f64; BLOCK]],
    /// Now.
    pub to_s: &'a [[f64; BLOCK]],
    /// How much of it there was while it moved; 0 adds nothing.
    pub weights: &'a [Line],
}

/// Adds the step of each instance between two times of one pass to its sum: what
/// [`MotionCurve::step`](throng_tracks::MotionCurve::step) returns, but for rounding. Of slices of different lengths as many
/// blocks are added as all have. Same bits at every level.
///
/// ```
/// use throng_kernels::*;
/// use throng_tracks::*;
/// # let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// # let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 2.0], vec![0.0, 1.0, 0.0, 0.0, 1.0, 3.0])?;
/// # let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// # let options = BakeOptions { root_motion: Some(tools::RootMotion::of("hips")), ..BakeOptions::default() };
/// let (bank, _) = bake(&skeleton, &[clip], &options)?;
/// let table = MotionTable::new(&bank).unwrap();
/// let half = [Line([0.5; BLOCK])];
/// let layer = MotionLayer {
///     clips: &[[0; BLOCK]],
///     from_s: &[[0.5; BLOCK]],
///     to_s: &[[1.5; BLOCK]],
///     weights: &half,
/// };
/// let (mut sums, mut steps) = ([MotionSums::ZERO], [MotionBlock::STILL]);
/// add_motion(Level::detect(), &table, layer, &mut sums);
/// finish_motion(Level::detect(), &sums, &half, &mut steps);
/// assert_eq!(steps[0].step(3, table.axis()), Some(Placement::at([0.0, 0.0, 0.75])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add_motion(level: Level, table: &MotionTable, layer: MotionLayer<'_>, sums: &mut [MotionSums]) {
    lanes::add(level, table, layer, sums);
}

/// Makes a step of each sum: its turn normalised, standing still taking what the weights leave of 1.
///
/// `shares` are the sums of the weights with which instances showed what they play, over the whole of the time step: where they
/// are above 1, the step is divided by them. They are the weights of [`add_motion`] where all that is played moved all the
/// time. Of slices of different lengths as many blocks are made as all have. Same bits at every level.
pub fn finish_motion(level: Level, sums: &[MotionSums], shares: &[Line], out: &mut [MotionBlock]) {
    lanes::finish(level, sums, shares, out);
}
