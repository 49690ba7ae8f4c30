//! A clip's motion, sampled into a curve.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::chain::{Chain, Stand};
use super::keys::{self, Left};
use super::{MotionReference, RootMotion, RootMotionError};
use crate::bake::rate::Grid;
use crate::motion::{Rigid, Sample};
use crate::tools::rebuild::{Target, built, moved};
use crate::{Axis, Channel, Clip, MotionCurve, Skeleton};

/// A clip takes at most so many samples.
const MOST_SAMPLES: usize = 1 << 20;

/// A clip without its root motion, and the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// The pose that is left.
    pub clip: Clip,
    /// What it is to be moved by.
    pub motion: MotionCurve,
    /// The largest distance along the chosen axes by which the joint left the curve between two samples, in the asset's unit. It
    /// stayed in the pose.
    pub left_behind: f32,
}

/// Takes a joint's motion out of a clip: `pose(t) = motion(t) * remaining pose(t)` in model space, for the joint and all below it,
/// at any time, up to rounding.
///
/// The motion is a curve of samples. What the joint does between two of them besides a straight line stays in the pose, and
/// so nothing is lost: its tracks become functions that ask the old ones and the curve. Joints above it may be animated too; they
/// stay as they are, as do all that are not below it.
///
/// With yaw, the joint's turning about the axis (the twist of its rotation since the [reference](MotionReference)) is taken, and
/// its translation along axes across that one is the motion of the point that the joint turns about.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "hips".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let walk = Track::new("walk", Channel::Translation, Interpolation::Linear, [0.0, 2.0],
///     vec![0.0, 1.0, 0.0, 0.0, 1.5, 3.0])?;
/// let clip = Clip::new("walk", &skeleton, [(JointIndex(0), walk)])?;
/// let taken = tools::extract_root_motion(&clip, &skeleton, &tools::RootMotion::of("hips"))?;
/// let mut pose = [Transform::IDENTITY];
/// taken.clip.sample(&skeleton, 1.0, &mut pose);
/// assert_eq!(pose[0].translation.to_array(), [0.0, 1.25, 0.0]);
/// assert_eq!(taken.motion.at(1.0), Placement::at([0.0, 0.0, 1.5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`RootMotionError`] but `NoSuchClip`.
pub fn extract_root_motion(
    clip: &Clip,
    skeleton: &Skeleton,
    choice: &RootMotion,
) -> Result<Taken, RootMotionError> {
    let name = || clip.name().to_owned();
    let joint = choice.find_joint(skeleton)?;
    if clip.is_additive() {
        return Err(RootMotionError::Additive { clip: name() });
    }
    if let Some(rate_hz) = choice.rate_hz.filter(|rate| !(*rate > 0.0 && rate.is_finite())) {
        return Err(RootMotionError::Rate { rate_hz });
    }
    // Refuses clips of another skeleton.
    let tracks: Vec<_> = moved(clip, skeleton)?.collect();
    let grid = Grid::choose(clip, choice.rate_hz);
    let (samples, limit) = (grid.intervals.saturating_add(1), MOST_SAMPLES);
    if samples > limit {
        let (rate_hz, duration_s) = (grid.rate_hz, clip.duration_s());
        return Err(RootMotionError::TooLong { clip: name(), duration_s, rate_hz, samples, limit });
    }

    let chain = Chain::new(clip, skeleton, joint);
    let times = keys::times(&chain, &grid, clip.duration_s());
    let stands = times.iter().map(|key| (key.time_s, chain.at(key.time_s)));
    for (time_s, stand) in stands.chain([(0.0, chain.rest())]) {
        let (clip, name) = (name(), skeleton.name(joint).to_owned());
        if stand.is_flat() {
            return Err(RootMotionError::Flat { clip, joint, name, time_s });
        }
        if choice.yaw.is_some() && stand.parent_axes().is_none() {
            return Err(RootMotionError::Sheared { clip, joint, name, time_s });
        }
    }
    let way = Way::new(choice, &chain);
    let motion = way.curve(clip, &chain, &grid)?;
    let moves = motion.moves();
    if !moves {
        return Ok(Taken { clip: clip.clone(), motion, left_behind: 0.0 });
    }

    let left = Arc::new(Left { chain, motion: motion.clone(), axis: way.axis });
    let left_behind = way.left_behind(&left, &times);
    let label = |channel: Channel| format!("{} {}", skeleton.name(joint), channel.name());
    let of_joint = |channel: Channel| (Target::Joint(joint), channel);
    let mut replaced = vec![of_joint(Channel::Translation)];
    if motion.turns() {
        replaced.push(of_joint(Channel::Rotation));
    }
    let kept = tracks.iter().filter(|moved| !replaced.contains(&(moved.target, moved.track.channel())));
    let kept: Vec<_> = kept.map(|moved| (moved.target, moved.track.clone())).collect();
    let made = replaced
        .iter()
        .map(|&(target, channel)| Ok((target, keys::remaining(&label(channel), channel, &left, &times)?)));
    let made = made.collect::<Result<Vec<_>, RootMotionError>>()?;
    let clip = built(clip.name(), false, skeleton, kept.into_iter().chain(made))?.marked_as(clip, |t| t);
    Ok(Taken { clip, motion, left_behind })
}

/// What of a stand is motion.
struct Way {
    axis: Axis,
    yaw: bool,
    translation: [bool; 3],
    reference: Stand,
}

impl Way {
    fn new(choice: &RootMotion, chain: &Chain) -> Self {
        let reference = match choice.reference {
            MotionReference::Rest => chain.rest(),
            MotionReference::Start => chain.at(0.0),
        };
        let (axis, yaw) = (choice.yaw.unwrap_or_default(), choice.yaw.is_some());
        Self { axis, yaw, translation: choice.translation, reference }
    }

    fn curve(&self, clip: &Clip, chain: &Chain, grid: &Grid) -> Result<MotionCurve, RootMotionError> {
        let mut samples = Vec::with_capacity(grid.intervals + 1);
        let mut half = [0.0, 1.0];
        for row in 0..=grid.intervals {
            let exact_s = row as f64 / f64::from(grid.rate_hz);
            let time_s = (exact_s as f32).min(clip.duration_s());
            let time_s = if row == grid.intervals { clip.duration_s() } else { time_s };
            let motion = self.motion(&chain.at(time_s), half);
            half = motion.half;
            let sample = Sample::new(&motion);
            if !sample.is_finite() {
                return Err(RootMotionError::NotFinite { clip: clip.name().to_owned(), time_s });
            }
            samples.push(sample);
        }
        Ok(MotionCurve::new(self.axis, grid.rate_hz, clip.duration_s(), samples))
    }

    /// The motion of a stand. Of the two names of its turn the one that is nearer to the last.
    fn motion(&self, stand: &Stand, last: [f64; 2]) -> Rigid {
        let half = if self.yaw { self.turn(stand).unwrap_or(last) } else { [0.0, 1.0] };
        let near = half[0] * last[0] + half[1] * last[1] >= 0.0;
        let half = if near { half } else { half.map(|v| -v) };
        let turned = quaternion(self.axis, half) * self.reference.place();
        let mut way = stand.place() - turned;
        for (way, &taken) in way.as_mut().iter_mut().zip(&self.translation) {
            *way *= f64::from(u8::from(taken));
        }
        let first = self.axis.index();
        Rigid { place: [0, 1, 2].map(|i| way[(first + i) % 3]), half }
    }

    /// The twist about the axis since the reference: none where the joint is turned upside down, which leaves it open.
    fn turn(&self, stand: &Stand) -> Option<[f64; 2]> {
        let since = stand.axes()? * self.reference.axes()?.transpose();
        let turn = DQuat::from_mat3(&since);
        let (v, w) = (turn.to_array()[self.axis.index()], turn.w);
        let length = v.hypot(w);
        (length > 1e-9).then_some([v / length, w / length])
    }

    /// How far the joint is from where it stays, along the chosen axes.
    fn left_behind(&self, left: &Left, times: &[keys::Key]) -> f32 {
        let stays = self.reference.place();
        let mut most = 0.0f64;
        for keys in times.windows(2) {
            for quarter in 0..4 {
                let [a, b] = [&keys[0], &keys[1]].map(|key| f64::from(key.time_s));
                let t = a + (b - a) * f64::from(quarter) / 4.0;
                let mut off = left.place(t, t as f32) - stays;
                for (off, &taken) in off.as_mut().iter_mut().zip(&self.translation) {
                    *off *= f64::from(u8::from(taken));
                }
                most = most.max(off.length());
            }
        }
        most as f32
    }
}

/// A turn as a quaternion.
pub(super) fn quaternion(axis: Axis, [v, w]: [f64; 2]) -> DQuat {
    let mut xyzw = [0.0, 0.0, 0.0, w];
    xyzw[axis.index()] = v;
    DQuat::from_array(xyzw)
}

/// The way of a motion in the order of model space.
pub(super) fn way(axis: Axis, motion: &Rigid) -> DVec3 {
    let mut way = DVec3::ZERO;
    for (i, v) in motion.place.into_iter().enumerate() {
        way[(axis.index() + i) % 3] = v;
    }
    way
}
