//! Random skeletons with the rows of random clips.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, Posable, Rest, RowPair, Skeleton,
    Track, Transform, bake,
};

use crate::random::Random;

/// How the three scales of a joint relate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scaling {
    One,
    Uniform,
    NegativeUniform,
    /// Axes of nearly one length, but more than rounding apart.
    Nearly,
    Axes,
    /// Axes of one length, some of them mirrored.
    Mirrored,
    Flat,
    Zero,
}

const SCALINGS: [Scaling; 8] = [
    Scaling::One,
    Scaling::Uniform,
    Scaling::NegativeUniform,
    Scaling::Nearly,
    Scaling::Axes,
    Scaling::Mirrored,
    Scaling::Flat,
    Scaling::Zero,
];

impl Scaling {
    fn scale(self, random: &mut Random) -> Vec3 {
        let mut near_one = || random.between(0.8, 1.25);
        match self {
            Self::One => Vec3::ONE,
            Self::Uniform => Vec3::splat(near_one()),
            Self::NegativeUniform => Vec3::splat(-near_one()),
            Self::Nearly => near_one() * Vec3::new(1.0, 1.0 + 1e-4, 1.0 - 1e-5),
            Self::Axes => Vec3::new(near_one(), near_one(), near_one()),
            Self::Mirrored => {
                near_one()
                    * random.pick(&[
                        Vec3::new(1.0, -1.0, 1.0),
                        Vec3::new(-1.0, 1.0, -1.0),
                        Vec3::NEG_X + Vec3::new(0.0, 1.0, 1.0),
                    ])
            }
            Self::Flat => Vec3::new(near_one(), 0.0, near_one()),
            Self::Zero => Vec3::ZERO,
        }
    }
}

/// A bank over a random tree of up to `most` joints. Nothing in it is larger than it has to be to tell right from
/// wrong, and every kind of joint and of motion turns up.
pub(crate) fn bank(random: &mut Random, most: usize) -> Arc<Bank> {
    bank_with(random, most, false)
}

/// As [`bank`], with two clips more, of differences.
pub(crate) fn additive_bank(random: &mut Random, most: usize) -> Arc<Bank> {
    bank_with(random, most, true)
}

fn bank_with(random: &mut Random, most: usize, additive: bool) -> Arc<Bank> {
    let joints = 1 + random.below(most);
    let unit = random.pick(&[0.01, 1.0, 1.0, 100.0]);
    let odd_rests = random.pick(&[0, 10, 40]);
    let skeleton = skeleton(random, joints, unit, odd_rests);
    let motions: Vec<Motion> = skeleton
        .joints()
        .map(|j| if skeleton.fixed_matrix(j).is_some() { Motion::default() } else { Motion::any(random) })
        .collect();
    let mut clips: Vec<Clip> =
        (0..1 + random.below(3)).map(|_| clip(random, &skeleton, &motions, unit)).collect();
    if additive {
        clips.extend((0..2).map(|_| clip(random, &skeleton, &motions, unit).with_additive(true)));
    }
    let options = BakeOptions { error_bound: f32::INFINITY, ..BakeOptions::default() };
    Arc::new(bake(&skeleton, &clips, &options).unwrap().0)
}

/// A bank, and the clips that it was made of.
pub(crate) struct Held {
    pub(crate) bank: Arc<Bank>,
    pub(crate) clips: Vec<Clip>,
}

/// As [`bank`], with many channels that all clips hold at one value, which is not the rest.
pub(crate) fn held(random: &mut Random, most: usize, additive: bool) -> Held {
    let joints = 1 + random.below(most);
    let unit = random.pick(&[0.01, 1.0, 100.0]);
    let odd_rests = random.pick(&[0, 0, 30]);
    let skeleton = skeleton(random, joints, unit, odd_rests);
    let mut motions = vec![Motion::default(); joints];
    let mut shared = Vec::new();
    for joint in skeleton.joints().filter(|joint| skeleton.fixed_matrix(*joint).is_none()) {
        let motion = &mut motions[joint.get()];
        *motion = Motion::any(random);
        // What all hold, nobody moves.
        let mut hold = |channel, value: Vec<f32>| {
            let track = Track::new("held", channel, Interpolation::Step, vec![0.0], value).unwrap();
            shared.push((joint, track));
        };
        if random.percent(30) {
            motion.rotates = false;
            hold(Channel::Rotation, random.rotation().to_array().to_vec());
        }
        if random.percent(30) {
            motion.moves = false;
            hold(Channel::Translation, random.vector(unit).to_array().to_vec());
        }
        if random.percent(20) {
            motion.scales = None;
            let scaling = random.pick(&SCALINGS);
            hold(Channel::Scale, scaling.scale(random).to_array().to_vec());
        }
    }
    let made = |random: &mut Random, all: &[(JointIndex, Track)]| {
        let moved = clip(random, &skeleton, &motions, unit);
        let tracks = moved.tracks().iter().map(|bound| (bound.joint(), bound.track().clone()));
        Clip::new("made", &skeleton, tracks.chain(all.iter().cloned())).unwrap()
    };
    let mut clips: Vec<Clip> = (0..1 + random.below(3)).map(|_| made(random, &shared)).collect();
    if additive {
        clips.push(made(random, &shared).with_additive(true));
        clips.push(made(random, &[]).with_additive(true));
    }
    let options = BakeOptions { error_bound: f32::INFINITY, ..BakeOptions::default() };
    let bank = Arc::new(bake(&skeleton, &clips, &options).unwrap().0);
    Held { bank, clips }
}

/// Poses that no clip of a bank knows.
pub(crate) struct Posed {
    /// All of whose joints can be posed.
    pub(crate) bank: Arc<Bank>,
    /// The same with one clip more, whose rows the poses are.
    pub(crate) with_poses: Arc<Bank>,
    pub(crate) poses: Vec<Vec<Transform>>,
}

/// As [`bank`], with some poses besides.
pub(crate) fn posed(random: &mut Random, most: usize) -> Posed {
    let (joints, unit) = (1 + random.below(most), random.pick(&[0.01, 1.0, 100.0]));
    let odd_rests = random.pick(&[0, 10]);
    let skeleton = skeleton(random, joints, unit, odd_rests);
    let free: Vec<JointIndex> = skeleton.joints().filter(|j| skeleton.fixed_matrix(*j).is_none()).collect();
    if free.is_empty() {
        return posed(random, most);
    }
    let mut motions = vec![Motion::default(); joints];
    free.iter().for_each(|joint| motions[joint.get()] = Motion::any(random));
    let mut clips: Vec<Clip> =
        (0..1 + random.below(3)).map(|_| clip(random, &skeleton, &motions, unit)).collect();
    let pose = |random: &mut Random| -> Vec<Transform> {
        let any = |rest: &Transform| Transform {
            translation: random.vector(unit),
            rotation: random.rotation(),
            // As stretched as it is at rest.
            scale: rest.scale * random.between(0.8, 1.25),
        };
        skeleton.rest().iter().map(any).collect()
    };
    let poses: Vec<Vec<Transform>> = (0..4).map(|_| pose(random)).collect();
    let options = BakeOptions { error_bound: f32::INFINITY, posable: Posable::All, ..BakeOptions::default() };
    let bank = Arc::new(bake(&skeleton, &clips, &options).unwrap().0);
    let times: Vec<f32> = (0..poses.len()).map(|k| k as f32 / 30.0).collect();
    let mut tracks = Vec::new();
    for joint in free {
        let mut add = |channel, value: &dyn Fn(&Transform) -> Vec<f32>| {
            let values = poses.iter().flat_map(|pose| value(&pose[joint.get()])).collect();
            let track = Track::new("pose", channel, Interpolation::Linear, times.clone(), values).unwrap();
            tracks.push((joint, track));
        };
        add(Channel::Rotation, &|t| t.rotation.to_array().to_vec());
        add(Channel::Translation, &|t| t.translation.to_array().to_vec());
        add(Channel::Scale, &|t| t.scale.to_array().to_vec());
    }
    clips.push(Clip::new("poses", &skeleton, tracks).unwrap());
    let with_poses = Arc::new(bake(&skeleton, &clips, &options).unwrap().0);
    assert_eq!((bank.columns(), bank.constants()), (with_poses.columns(), with_poses.constants()));
    Posed { bank, with_poses, poses }
}

fn skeleton(random: &mut Random, joints: usize, unit: f32, odd_rests: usize) -> Skeleton {
    // How far back a parent may be: a chain, a tree, anything.
    let back = random.pick(&[1, 4, joints]);
    let roots = random.pick(&[0, 15]);
    let joint = |index: usize| {
        let parent = (index > 0 && !random.percent(roots))
            .then(|| JointIndex((index - 1 - random.below(back.min(index))) as u16));
        let scaling = if random.percent(odd_rests) { random.pick(&SCALINGS) } else { Scaling::One };
        let transform = Transform {
            translation: random.vector(unit),
            rotation: random.rotation(),
            scale: scaling.scale(random),
        };
        let rest = if random.percent(odd_rests / 4) {
            Rest::Matrix(sheared(random, transform.translation))
        } else {
            Rest::Trs(transform)
        };
        Joint { name: String::new(), parent, rest }
    };
    Skeleton::new((0..joints).map(joint).collect::<Vec<_>>()).unwrap()
}

/// A matrix that is no translation, rotation and scale.
pub(crate) fn sheared(random: &mut Random, translation: Vec3) -> Affine3A {
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (axis + random.vector(0.4)).into());
    Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: translation.into() }
}

/// Which channels of a joint the clips move, each with its chance.
#[derive(Clone, Copy, Default)]
struct Motion {
    rotates: bool,
    moves: bool,
    scales: Option<Scaling>,
}

impl Motion {
    fn any(random: &mut Random) -> Self {
        match random.below(10) {
            0..3 => Self::default(),
            3..6 => Self { rotates: true, ..Self::default() },
            kind => Self {
                rotates: kind != 6 && random.percent(70),
                moves: kind < 8,
                scales: (kind >= 7).then(|| random.pick(&SCALINGS)),
            },
        }
    }
}

fn clip(random: &mut Random, skeleton: &Skeleton, motions: &[Motion], unit: f32) -> Clip {
    let mut tracks = Vec::new();
    for (joint, motion) in skeleton.joints().zip(motions) {
        if motion.rotates && random.percent(80) {
            let value = |random: &mut Random| random.rotation().to_array().to_vec();
            tracks.push((joint, track(random, Channel::Rotation, 1.0, value)));
        }
        if motion.moves && random.percent(80) {
            let value = |random: &mut Random| random.vector(unit).to_array().to_vec();
            tracks.push((joint, track(random, Channel::Translation, unit, value)));
        }
        if let Some(scaling) = motion.scales
            && random.percent(80)
        {
            let value = |random: &mut Random| scaling.scale(random).to_array().to_vec();
            // Tangents would pull the axes apart.
            let steepness = if scaling == Scaling::Axes { 0.5 } else { 0.0 };
            tracks.push((joint, track(random, Channel::Scale, steepness, value)));
        }
    }
    Clip::new("made", skeleton, tracks).unwrap()
}

fn track(
    random: &mut Random,
    channel: Channel,
    steepness: f32,
    value: impl Fn(&mut Random) -> Vec<f32>,
) -> Track {
    let interpolation =
        random.pick(&[Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline]);
    let mut times: Vec<f32> = (0..1 + random.below(4)).map(|_| random.below(9) as f32 / 30.0).collect();
    times.sort_by(f32::total_cmp);
    let mut values = Vec::new();
    for _ in &times {
        let tangent = |random: &mut Random| -> Vec<f32> {
            (0..channel.components()).map(|_| random.between(-steepness, steepness)).collect()
        };
        if interpolation == Interpolation::CubicSpline {
            values.extend(tangent(random));
            values.extend(value(random));
            values.extend(tangent(random));
        } else {
            values.extend(value(random));
        }
    }
    Track::new("made", channel, interpolation, times, values).unwrap()
}

/// A chain of joints, each half a unit along x from its parent, some of them turning for a
/// quarter of a second.
pub(crate) fn chain(
    joints: usize,
    scale: impl Fn(usize) -> Vec3,
    turns: impl Fn(usize) -> bool,
    rate_hz: f32,
) -> Arc<Bank> {
    let joint = |j: usize| Joint {
        name: String::new(),
        parent: j.checked_sub(1).map(|p| JointIndex(p as u16)),
        rest: Rest::Trs(Transform { translation: 0.5 * Vec3::X, rotation: Quat::IDENTITY, scale: scale(j) }),
    };
    let skeleton = Skeleton::new((0..joints).map(joint)).unwrap();
    let track = |angle: f32| {
        let values = [Quat::IDENTITY, Quat::from_rotation_z(angle)].map(|q| q.to_array()).concat();
        Track::new("turn", Channel::Rotation, Interpolation::Linear, [0.0, 0.25], values).unwrap()
    };
    let tracks = skeleton.joints().filter(|j| turns(j.get())).map(|j| (j, track(1.0 + 0.1 * f32::from(j.0))));
    let clip = Clip::new("turn", &skeleton, tracks).unwrap();
    let options = BakeOptions { rate_hz: Some(rate_hz), ..BakeOptions::default() };
    Arc::new(bake(&skeleton, &[clip], &options).unwrap().0)
}

/// Row pairs as instances at random times of random clips have them.
pub(crate) fn pairs(random: &mut Random, bank: &Bank, count: usize) -> Vec<RowPair> {
    let pair = |_| {
        let clip = random.below(bank.clips().len());
        let duration_s = bank.clips()[clip].duration_s();
        let t = if random.percent(30) {
            random.below(9) as f32 / 30.0
        } else {
            random.between(-0.1, duration_s + 0.1)
        };
        bank.locate(clip, t)
    };
    (0..count).map(pair).collect()
}
