use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3, Vec4};
use thiserror::Error;

use crate::interpolate::normalized;
use crate::{JointIndex, Marker, MotionCurve, Skeleton, Transform};

/// How many numbers a cache line holds.
pub(crate) const LINE_NUMBERS: usize = 16;

/// One cache line: what rows are made of, so that no row shares a line with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line([f32; LINE_NUMBERS]);

/// Where a joint's animated numbers stand in a row. Columns come in fours.
///
/// A channel that every clip of the bank leaves at rest has no columns: its value is in [`Bank::constants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Columns {
    /// First of the four columns of the rotation, `xyzw`; neighbours in a clip lie in one hemisphere.
    pub rotation: Option<u32>,
    /// First of the four columns of translation and uniform scale, `xyzs`. `s` is 1 unless `scale` says uniform.
    pub translation: Option<u32>,
    /// Where the scale comes from.
    pub scale: ScaleColumns,
}

/// Where a joint's scale comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ScaleColumns {
    /// From [`Bank::constants`].
    #[default]
    Constant,
    /// From the fourth of the translation's columns.
    Uniform,
    /// From four columns of their own, of which this is the first: `x`, `y`, `z` and a zero.
    Axes(u32),
}

/// One clip of a [`Bank`].
#[derive(Clone, Debug, PartialEq)]
pub struct BankClip {
    pub(crate) name: String,
    pub(crate) additive: bool,
    pub(crate) duration_s: f32,
    pub(crate) rate_hz: f32,
    /// Which of the bank's intervals are the clip's; at least one.
    pub(crate) intervals: Range<usize>,
    pub(crate) motion: Option<MotionCurve>,
    pub(crate) markers: Vec<Marker>,
    pub(crate) key_times: Box<[f32]>,
}

/// Why a bank can't take a marker.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// There is no such clip.
    #[error("there is no clip {clip}: the bank has {clips}, counted from 0")]
    NoSuchClip {
        /// The clip given.
        clip: usize,
        /// How many there are.
        clips: usize,
    },
    /// Markers are inside of their clip.
    #[error("marker {marker:?} is at {time_s} s, but clip {clip} lasts from 0 to {duration_s} s")]
    Time {
        /// The marker.
        marker: String,
        /// When it is.
        time_s: f32,
        /// Which clip.
        clip: usize,
        /// How long it is.
        duration_s: f32,
    },
}

/// The time between two neighbouring places on a clip's grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    /// The first row; `steps` more stand behind it.
    pub(crate) row: u32,
    /// Into how many equal steps of time rows divide it; a power of two.
    pub(crate) steps: u32,
    /// When the first row shows. Within a small part of an interval of its place on the grid: where a key stands there,
    /// the key's own time.
    pub(crate) start_s: f32,
    /// When the last row shows: the start of the next interval, or the clip's end.
    pub(crate) end_s: f32,
}

impl BankClip {
    /// The clip's name; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the clip's rows are [differences](crate::Clip::is_additive), to be added to a pose: the identity where the
    /// clip moves nothing.
    ///
    /// The rotations of its first row have `w >= 0`, so that they are on the identity's side.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.additive
    }

    /// The clip's length in seconds.
    #[must_use]
    pub fn duration_s(&self) -> f32 {
        self.duration_s
    }

    /// The markers, in order of time.
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The first marker of that name.
    #[must_use]
    pub fn find_marker(&self, name: &str) -> Option<usize> {
        self.markers.iter().position(|m| m.name == name)
    }

    /// The distinct times of the keys that it was made of, in order: where an artist put something.
    #[must_use]
    pub fn key_times(&self) -> &[f32] {
        &self.key_times
    }

    /// How many rows a second it was resampled at, where it moves slowly enough for that.
    #[must_use]
    pub fn rate_hz(&self) -> f32 {
        self.rate_hz
    }

    /// Where the clip takes the character, if its [root motion was taken](crate::BakeOptions::root_motion) and leads
    /// anywhere.
    #[must_use]
    #[inline]
    pub fn motion(&self) -> Option<&MotionCurve> {
        self.motion.as_ref()
    }
}

/// Two neighbouring rows and the way between them: what one lane of a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct RowPair {
    /// The earlier row; the later one is `row + 1`.
    pub row: u32,
    /// 0 at the earlier row, 1 at the later one.
    pub fraction: f32,
}

/// The clips of one skeleton as rows of numbers, uniform in time; made by [`bake`](crate::bake()).
///
/// Every clip has the same columns: those of the channels that leave the rest pose in any clip of the bank. All other
/// channels are constants. A time
/// lies between two rows that stand side by side, found by arithmetic: rows lie on a grid of the clip's rate, which is
/// divided further where the clip moves too fast for it. Where a clip jumps (a step key), the row ahead of the jump is
/// stored as well, so that no interpolation runs over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bank {
    pub(crate) skeleton: Skeleton,
    pub(crate) columns: Vec<Columns>,
    pub(crate) varying: Vec<Columns>,
    pub(crate) constants: Vec<Transform>,
    pub(crate) lines_per_row: usize,
    pub(crate) lines: Vec<Line>,
    pub(crate) row_count: usize,
    pub(crate) clips: Vec<BankClip>,
    /// Of all clips, clip after clip.
    pub(crate) intervals: Vec<Interval>,
    /// The joint whose root motion was taken, if any clip has some.
    pub(crate) motion_joint: Option<JointIndex>,
}

impl Bank {
    /// The skeleton that the rows pose.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Where each joint's animated numbers stand in a row, by joint.
    #[must_use]
    pub fn columns(&self) -> &[Columns] {
        &self.columns
    }

    /// As [`columns`](Self::columns), of those alone whose numbers differ between rows of clips that are not additive, or
    /// that were asked for as [posable](crate::BakeOptions::posable). All other columns have one value in such rows, that of
    /// [`constants`](Self::constants).
    #[must_use]
    pub fn varying_columns(&self) -> &[Columns] {
        &self.varying
    }

    /// By joint, the values of channels without columns, for all clips; and those of columns that do not
    /// [vary](Self::varying_columns), in rows of clips that are not additive. Without columns it is the rest pose, but for
    /// rounding.
    #[must_use]
    pub fn constants(&self) -> &[Transform] {
        &self.constants
    }

    /// The clips, in the order they were baked.
    #[must_use]
    #[inline]
    pub fn clips(&self) -> &[BankClip] {
        &self.clips
    }

    /// The first clip of that name.
    #[must_use]
    pub fn find_clip(&self, name: &str) -> Option<usize> {
        self.clips.iter().position(|c| c.name == name)
    }

    /// The joint whose root motion was taken out of clips, if any of them [has some](BankClip::motion).
    #[must_use]
    pub fn motion_joint(&self) -> Option<JointIndex> {
        self.motion_joint
    }

    /// Adds a marker to a clip, behind those of the same time. Those of authored clips are there already.
    ///
    /// # Errors
    /// If there is no such clip, or the time is not inside of it.
    pub fn add_marker(&mut self, clip: usize, marker: Marker) -> Result<(), MarkerError> {
        let clips = self.clips.len();
        let found = self.clips.get_mut(clip).ok_or(MarkerError::NoSuchClip { clip, clips })?;
        let (time_s, duration_s) = (marker.time_s, found.duration_s);
        if !(0.0..=duration_s).contains(&time_s) {
            return Err(MarkerError::Time { marker: marker.name, time_s, clip, duration_s });
        }
        let place = found.markers.partition_point(|other| other.time_s <= time_s);
        found.markers.insert(place, marker);
        Ok(())
    }

    /// Numbers a row takes; a multiple of 16.
    #[must_use]
    pub fn row_stride(&self) -> usize {
        self.lines_per_row * LINE_NUMBERS
    }

    /// How many rows there are.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// All rows, [`row_stride`](Self::row_stride) numbers each; every row begins on a cache line.
    #[must_use]
    pub fn rows(&self) -> &[f32] {
        bytemuck::cast_slice(&self.lines)
    }

    /// Which rows are a clip's.
    ///
    /// # Panics
    /// If there is no such clip.
    #[must_use]
    pub fn clip_rows(&self, clip: usize) -> Range<usize> {
        let intervals = &self.intervals[self.clips[clip].intervals.clone()];
        let (first, last) = (intervals[0], intervals[intervals.len() - 1]);
        first.row as usize..(last.row + last.steps) as usize + 1
    }

    /// Every two neighbouring rows between which a clip is shown: the earlier of them, and the times at which both show.
    ///
    /// # Panics
    /// If there is no such clip.
    pub fn row_pairs(&self, clip: usize) -> impl Iterator<Item = (u32, [f32; 2])> + '_ {
        let steps = |interval: &Interval| {
            let Interval { row, steps, start_s, end_s } = *interval;
            let at = move |step: u32| start_s + (end_s - start_s) * (step as f32 / steps as f32);
            (0..steps).map(move |step| (row + step, [at(step), at(step + 1)]))
        };
        self.intervals[self.clips[clip].intervals.clone()].iter().flat_map(steps)
    }

    /// The two rows around time `t` of a clip, in seconds. Clamps at the ends; a NaN counts as 0.
    ///
    /// The row returned and the one behind it exist, whatever `t` is, and the fraction is in `[0, 1]`. Where a row was
    /// made from a key, the key's own time shows that row and the time just before it does not, to the last bit.
    ///
    /// # Panics
    /// If there is no such clip.
    #[must_use]
    #[inline]
    pub fn locate(&self, clip: usize, t: f32) -> RowPair {
        let clip = &self.clips[clip];
        let intervals = &self.intervals[clip.intervals.clone()];
        let last = intervals.len() - 1;
        // Casts take negative numbers and NaN to 0.
        let guess = ((t * clip.rate_hz) as usize).min(last);
        // The guess rounds, and a key's own time is not quite its place on the grid: at most one interval off.
        let at = if t < intervals[guess].start_s {
            guess.saturating_sub(1)
        } else if t >= intervals[guess].end_s {
            (guess + 1).min(last)
        } else {
            guess
        };
        let Interval { row, steps, start_s, end_s } = intervals[at];
        let way = (t - start_s) / (end_s - start_s) * steps as f32;
        let step = (way as u32).min(steps - 1);
        // NaN, from the time or an interval without length, takes the branch to 0.
        let fraction = way - step as f32;
        RowPair { row: row + step, fraction: if fraction > 0.0 { fraction.min(1.0) } else { 0.0 } }
    }

    /// The local pose between two rows, one transform a joint: vectors linear, rotations nlerp. Of an additive clip, the
    /// difference.
    ///
    /// One character at a time, for tools and tests; the kernels do the same for many.
    ///
    /// # Panics
    /// If the bank has no such rows, or `pose` has not as many transforms as the skeleton has joints.
    pub fn sample(&self, pair: RowPair, pose: &mut [Transform]) {
        pose.copy_from_slice(&self.constants);
        let stride = self.row_stride();
        let (a, b) = self.rows()[pair.row as usize * stride..][..2 * stride].split_at(stride);
        let between = |at: u32| {
            let four = |row: &[f32]| Vec4::from_slice(&row[at as usize..]);
            four(a) + (four(b) - four(a)) * pair.fraction
        };
        for (columns, joint) in self.columns.iter().zip(pose) {
            if let Some(at) = columns.rotation {
                let sum = Quat::from_vec4(between(at));
                joint.rotation = normalized(sum).unwrap_or(joint.rotation);
            }
            if let Some(at) = columns.translation {
                let four = between(at);
                joint.translation = four.truncate();
                if columns.scale == ScaleColumns::Uniform {
                    joint.scale = Vec3::splat(four.w);
                }
            }
            if let ScaleColumns::Axes(at) = columns.scale {
                joint.scale = between(at).truncate();
            }
        }
    }
}
