//! One track at the times of many instances: a glow, a face's weights, a picture, whatever a clip moves besides the pose.
//!
//! Lanes are instances here too. Each looks its own key up without a branch ([`find_keys`](crate::find_keys) has the same
//! search), gathers the numbers of that key and the next, and all lanes do the same arithmetic.

mod curves;

use thiserror::Error;
use throng_tracks::{Channel, Extrapolation, Interpolation, Track, TrackError};

use self::curves::{
    Cubic, CubicRotation, Curve, Hold, HoldRotation, Nlerp, QuasiSlerp, Slerp, Straight, Tables, sample_lanes,
};
use crate::isa::{BLOCK, Isa, KeyTable, Level, Line, ValueTable, dispatch};

/// Why a track can't be sampled over lanes.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LaneTrackError {
    /// A function of the caller's is for the exact path.
    #[error("the track is interpolated by a function of the caller's, which lanes can't call")]
    Custom,
    /// More numbers than a lane can count.
    #[error("the track has {numbers} numbers, but a look-up takes fewer than 2147483647")]
    TooLarge {
        /// How many it has.
        numbers: usize,
    },
    /// A tangent of a Catmull-Rom track can't be written down.
    #[error(transparent)]
    Tangent(#[from] TrackError),
    /// A line for each component comes out for each sixteen times that go in.
    #[error("{times} times need {expected} lines of results, but there is room for {found}")]
    Room {
        /// Times given.
        times: usize,
        /// Lines needed.
        expected: usize,
        /// Lines given.
        found: usize,
    },
}

/// A track as lanes read it: made once, sampled at the times of many instances ([`sample_track`]).
#[derive(Clone, Debug, PartialEq)]
pub struct LaneTrack {
    /// Catmull-Rom tracks as the cubic splines that they are.
    track: Track,
    kind: Kind,
    /// The slopes of the lines that go on before the first key and after the last, by component; empty without lines.
    slopes: Vec<[f32; 2]>,
}

/// Which of the curves it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Hold,
    Straight,
    Cubic,
    HoldRotation,
    Nlerp,
    Slerp,
    QuasiSlerp,
    CubicRotation,
}

impl LaneTrack {
    /// Brings a track into the form for lanes.
    ///
    /// # Errors
    /// [`LaneTrackError::Custom`], [`LaneTrackError::TooLarge`] or [`LaneTrackError::Tangent`].
    pub fn new(track: &Track) -> Result<Self, LaneTrackError> {
        let numbers = track.values().len();
        if numbers.max(track.times().len()) >= i32::MAX as usize {
            return Err(LaneTrackError::TooLarge { numbers });
        }
        let kind = match (track.interpolation(), track.channel().is_rotation()) {
            (Interpolation::Custom, _) => return Err(LaneTrackError::Custom),
            (Interpolation::Step, false) => Kind::Hold,
            (Interpolation::Step, true) => Kind::HoldRotation,
            (Interpolation::Linear, false) => Kind::Straight,
            (Interpolation::Linear, true) => Kind::Slerp,
            (Interpolation::Nlerp, _) => Kind::Nlerp,
            (Interpolation::QuasiSpherical, _) => Kind::QuasiSlerp,
            (Interpolation::CubicSpline | Interpolation::CatmullRom, false) => Kind::Cubic,
            (Interpolation::CubicSpline | Interpolation::CatmullRom, true) => Kind::CubicRotation,
        };
        let slopes = slopes(track);
        let spline = if track.interpolation() == Interpolation::CatmullRom {
            track.to_cubic_spline("Catmull-Rom")?
        } else {
            None
        };
        Ok(Self { track: spline.unwrap_or_else(|| track.clone()), kind, slopes })
    }

    /// How many numbers a value has.
    #[must_use]
    pub fn components(&self) -> usize {
        self.track.channel().components()
    }

    /// How many lines the values at `times` times take: one a component for each sixteen.
    #[must_use]
    pub fn lines(&self, times: usize) -> usize {
        self.components() * times.div_ceil(BLOCK)
    }

    fn is_clamped(&self) -> bool {
        self.track.extrapolation() == (Extrapolation::Clamp, Extrapolation::Clamp)
    }
}

/// How steep the lines through the two keys at either end are, where the track goes on along one of them.
fn slopes(track: &Track) -> Vec<[f32; 2]> {
    let (before, after) = track.extrapolation();
    let goes_on = [before, after].contains(&Extrapolation::Linear);
    if !goes_on || track.channel().is_rotation() || track.channel() == Channel::Discrete {
        return Vec::new();
    }
    let times = track.times();
    let slope = |key: usize, component: usize| {
        let next = key + 1;
        if times.get(next).is_none_or(|&next| next == times[key]) {
            return 0.0;
        }
        let rise = f64::from(track.value(next)[component]) - f64::from(track.value(key)[component]);
        (rise / (f64::from(times[next]) - f64::from(times[key]))) as f32
    };
    let last = times.len().saturating_sub(2);
    (0..track.channel().components()).map(|component| [slope(0, component), slope(last, component)]).collect()
}

/// How many lines of times are brought inside the keys before lanes go through them.
const BATCH: usize = 16;

/// Lines of times inside a track's keys, and how far beyond them each is.
struct Batch {
    times: [Line; BATCH],
    beyond: [Line; BATCH],
}

/// The value of a track at each of `times`, as [`Track::sample`] has it, but for rounding.
///
/// Sixteen times after sixteen: for each component a line of `out` with the values at those times; what is left of the last
/// lines is the value at time 0. The index of a discrete track is a whole number. Every interpolation but the caller's own is
/// there, and every extrapolation. In `f32`: a value differs from the exact one by a few roundings of the largest number that
/// it is summed from; rotations by 1e-6. Numbers of neighbouring keys must not differ by more than an `f32` holds. A cubic
/// rotation that passes through zero shows its earlier key there.
///
/// # Errors
/// [`LaneTrackError::Room`] if `out` has not [`LaneTrack::lines`] lines.
///
/// ```
/// use throng_kernels::{LaneTrack, Level, Line, sample_track};
/// use throng_tracks::{Channel, Interpolation, Track};
/// let glow = Track::new("glow", Channel::Scalar, Interpolation::Linear, [0.0, 2.0], vec![0.0, 4.0])?;
/// let glow = LaneTrack::new(&glow)?;
/// let mut out = vec![Line::ZERO; glow.lines(3)];
/// sample_track(Level::detect(), &glow, &[0.5, 1.0, 9.0], &mut out)?;
/// assert_eq!(out[0].0[..3], [1.0, 2.0, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sample_track(
    level: Level,
    track: &LaneTrack,
    times: &[f32],
    out: &mut [Line],
) -> Result<(), LaneTrackError> {
    let expected = track.lines(times.len());
    if out.len() != expected {
        return Err(LaneTrackError::Room { times: times.len(), expected, found: out.len() });
    }
    let stride = track.components() * track.track.interpolation().values_per_key();
    let tables = (KeyTable::new(track.track.times()), ValueTable::new(track.track.times(), 1));
    // A track of no weights has no numbers, and no lines to write them to.
    let (Some(values), (Some(keys), Some(key_times))) =
        (ValueTable::new(track.track.values(), stride), tables)
    else {
        return Ok(());
    };
    let tables = Tables { keys, key_times, values, components: track.components() };
    let work = Work { tables, track, times };
    match track.kind {
        Kind::Hold => run::<Hold>(level, work, out),
        Kind::Straight => run::<Straight>(level, work, out),
        Kind::Cubic => run::<Cubic>(level, work, out),
        Kind::HoldRotation => run::<HoldRotation>(level, work, out),
        Kind::Nlerp => run::<Nlerp>(level, work, out),
        Kind::Slerp => run::<Slerp>(level, work, out),
        Kind::QuasiSlerp => run::<QuasiSlerp>(level, work, out),
        Kind::CubicRotation => run::<CubicRotation>(level, work, out),
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Work<'a> {
    tables: Tables<'a>,
    track: &'a LaneTrack,
    times: &'a [f32],
}

fn run<C: Curve>(level: Level, Work { tables, track, times }: Work<'_>, out: &mut [Line]) {
    let mut batch = Batch { times: [Line::ZERO; BATCH], beyond: [Line::ZERO; BATCH] };
    let outs = out.chunks_mut(BATCH * tables.components);
    for (times, out) in times.chunks(BATCH * BLOCK).zip(outs) {
        batch.fill(track, times);
        let (batch, slopes) = (&batch, &track.slopes[..]);
        dispatch!(level, isa => isa.vectorize(#[inline(always)] || sample_lanes::<_, C>(isa, tables, slopes, batch, out)));
    }
}

impl Batch {
    fn fill(&mut self, track: &LaneTrack, times: &[f32]) {
        for ((inside, beyond), times) in self.times.iter_mut().zip(&mut self.beyond).zip(times.chunks(BLOCK))
        {
            (*inside, *beyond) = (Line::ZERO, Line::ZERO);
            if track.is_clamped() {
                for (to, &t) in inside.0.iter_mut().zip(times) {
                    *to = if t.is_nan() { 0.0 } else { t };
                }
                continue;
            }
            for ((to, beyond), &t) in inside.0.iter_mut().zip(&mut beyond.0).zip(times) {
                let found = track.track.inside(t);
                *to = found.time_s;
                *beyond = (found.beyond_s as f32).clamp(f32::MIN, f32::MAX);
            }
        }
    }
}
