//! From a pose that is a function of the frame to tracks with keys.

use crate::assets::pose::Pose;
use crate::assets::rounding::to_f32;
use crate::assets::skeleton::Skeleton;

/// Which part of a joint a track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::assets) enum Path {
    Translation,
    Rotation,
    Scale,
}

/// How a track behaves between its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::assets) enum Interpolation {
    Linear,
    Step,
    Cubic,
}

/// One channel of one joint. `values` holds `width` numbers a key, three times that when cubic.
pub(in crate::assets) struct Track {
    pub(in crate::assets) joint: usize,
    pub(in crate::assets) path: Path,
    pub(in crate::assets) interpolation: Interpolation,
    /// Key times in seconds.
    pub(in crate::assets) times: Vec<f32>,
    pub(in crate::assets) values: Vec<f32>,
}

/// A named set of tracks.
pub(in crate::assets) struct Clip {
    pub(in crate::assets) name: &'static str,
    /// Frames a second; every key lies on a frame.
    pub(in crate::assets) rate: u32,
    pub(in crate::assets) tracks: Vec<Track>,
}

/// Where a joint has its keys, in frames, and how they are joined.
pub(super) struct Keys {
    pub(super) frames: Vec<u32>,
    pub(super) interpolation: Interpolation,
}

impl Keys {
    pub(super) fn linear(frames: impl IntoIterator<Item = u32>) -> Self {
        Self { frames: frames.into_iter().collect(), interpolation: Interpolation::Linear }
    }

    /// A key every `step` frames, from 0 to `last`.
    pub(super) fn every(step: u32, last: u32) -> Self {
        Self::linear((0..=last / step).map(|key| key * step))
    }
}

/// A clip before sampling. The pose at frame `last` is taken to be the pose at frame 0.
pub(super) struct Motion<'a> {
    pub(super) name: &'static str,
    pub(super) rate: u32,
    pub(super) last: u32,
    /// The pose at a frame; whole for linear and step tracks, in between too for the slopes of cubic ones.
    pub(super) pose: &'a dyn Fn(f64) -> Pose<'a>,
    /// The keys of a joint, by its name.
    pub(super) keys: &'a dyn Fn(&str) -> Keys,
}

/// Values that differ by less than this, in any component, are the same.
const STILL: f64 = 1e-6;
/// Slopes are central differences over this part of a frame to either side.
const SLOPE_STEP: f64 = 1e-3;

/// Samples every channel that the motion moves. A channel that stays where the bind pose has it gets no
/// track; one that holds another value throughout gets two keys.
pub(super) fn sample(skeleton: &Skeleton, motion: &Motion) -> Clip {
    let poses: Vec<Pose> = (0..motion.last).map(|frame| (motion.pose)(f64::from(frame))).collect();
    let rest = Pose::bind(skeleton);
    let mut tracks = Vec::new();
    for joint in 0..skeleton.joints.len() {
        for path in [Path::Translation, Path::Rotation, Path::Scale] {
            let at_rest = channel(&rest, joint, path);
            let at = |frame: u32| channel(&poses[(frame % motion.last) as usize], joint, path);
            let moves = (1..motion.last).any(|frame| !same(&at(frame), &at(0)));
            let keys = if moves {
                (motion.keys)(&skeleton.joints[joint].name)
            } else if same(&at(0), &at_rest) {
                continue;
            } else {
                Keys::linear([0, motion.last])
            };
            let mut values: Vec<Vec<f64>> = keys.frames.iter().map(|&frame| at(frame)).collect();
            if path == Path::Rotation {
                align(&mut values, &at_rest);
            }
            let values = match keys.interpolation {
                Interpolation::Cubic => with_slopes(motion, joint, path, &keys.frames, &values),
                Interpolation::Linear | Interpolation::Step => values.concat(),
            };
            tracks.push(Track {
                joint,
                path,
                interpolation: keys.interpolation,
                times: keys.frames.iter().map(|&f| (f64::from(f) / f64::from(motion.rate)) as f32).collect(),
                values: values.into_iter().map(to_f32).collect(),
            });
        }
    }
    Clip { name: motion.name, rate: motion.rate, tracks }
}

fn channel(pose: &Pose, joint: usize, path: Path) -> Vec<f64> {
    match path {
        Path::Translation => pose.translations[joint].to_array().to_vec(),
        Path::Rotation => pose.rotations[joint].normalize().to_array().to_vec(),
        Path::Scale => vec![pose.scales[joint]; 3],
    }
}

/// A quaternion and its negative turn alike, so a rotation counts as moved only where both differ.
fn same(a: &[f64], b: &[f64]) -> bool {
    let differ = |sign: f64| a.iter().zip(b).any(|(a, b)| (a - sign * b).abs() > STILL);
    !differ(1.0) || (a.len() == 4 && !differ(-1.0))
}

/// Puts neighbouring rotations in one hemisphere, the first with the rest pose.
fn align(rotations: &mut [Vec<f64>], rest: &[f64]) {
    let mut before = rest.to_vec();
    for rotation in rotations {
        if dot(rotation, &before) < 0.0 {
            rotation.iter_mut().for_each(|part| *part = -*part);
        }
        before.clone_from(rotation);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// In-tangent, value, out-tangent of every key; tangents a second, as glTF has them.
fn with_slopes(motion: &Motion, joint: usize, path: Path, frames: &[u32], values: &[Vec<f64>]) -> Vec<f64> {
    let last = f64::from(motion.last);
    let mut out = Vec::new();
    for (&frame, value) in frames.iter().zip(values) {
        let near = |step: f64| {
            let pose = (motion.pose)((f64::from(frame) + step).rem_euclid(last));
            let near = channel(&pose, joint, path);
            let sign = if path == Path::Rotation && dot(&near, value) < 0.0 { -1.0 } else { 1.0 };
            near.into_iter().map(move |part| sign * part)
        };
        let per_second = f64::from(motion.rate) / (2.0 * SLOPE_STEP);
        let slope: Vec<f64> = near(SLOPE_STEP)
            .zip(near(-SLOPE_STEP))
            .map(|(after, before)| (after - before) * per_second)
            .collect();
        out.extend(slope.iter().chain(value).chain(&slope));
    }
    out
}
