//! What the kernels are given: made by exact operations alone, without a math library, or inputs of two machines could
//! differ in a last bit.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use throng_kernels::{BLOCK, LaneTrack, Line, Plan, QuatBlock, RowFormat};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Influence, Interpolation, Joint, JointIndex, Rest, RowPair, Skeleton,
    Skin, SkinnedMesh, Track, Transform, WeightRule, bake,
};

use crate::random::Random;
use crate::skinned::Parts;

/// A unit quaternion but for rounding.
fn rotation(random: &mut Random) -> [f32; 4] {
    loop {
        let q: [f32; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (0.1..1.0).contains(&squared) {
            let length = squared.sqrt();
            return q.map(|c| c / length);
        }
    }
}

fn vector(random: &mut Random, low: f32, high: f32) -> [f32; 3] {
    std::array::from_fn(|_| random.between(low, high))
}

pub(super) struct Inputs {
    pub(super) plan: Plan,
    /// The same, with rows of sixteen bits.
    pub(super) packed_plan: Plan,
    pub(super) pairs: Vec<RowPair>,
    pub(super) places: Vec<u32>,
    pub(super) from: Vec<QuatBlock>,
    pub(super) to: Vec<QuatBlock>,
    pub(super) ways: Vec<Line>,
    pub(super) times: Vec<f32>,
    pub(super) keys: Vec<f32>,
    pub(super) many_times: Vec<f32>,
    pub(super) many_keys: Vec<f32>,
    pub(super) tracks: Vec<LaneTrack>,
    pub(super) mesh: SkinnedMesh,
    pub(super) palettes: Vec<f32>,
}

const JOINTS: usize = 24;
const INSTANCES: usize = 83;
const FRAMES: usize = 12;

/// A tree in which every third joint stands still, and the others have every kind of column.
fn bank(random: &mut Random) -> Arc<Bank> {
    let joint = |j: usize| {
        let scale = match j % 8 {
            3 => Vec3::splat(1.25),
            5 => Vec3::new(1.0, 0.75, 1.5),
            _ => Vec3::ONE,
        };
        let transform = Transform {
            translation: Vec3::from_array(vector(random, -0.5, 0.5)),
            rotation: Quat::from_array(rotation(random)),
            scale,
        };
        let parent = j.checked_sub(1 + random.below(3)).map(|p| JointIndex(p as u16));
        Joint { name: String::new(), parent, rest: Rest::Trs(transform) }
    };
    let skeleton = Skeleton::new((0..JOINTS).map(joint).collect::<Vec<_>>()).unwrap();
    // A key for each row, so that the bake has nothing to interpolate.
    let times: Vec<f32> = (0..FRAMES).map(|frame| frame as f32 / 30.0).collect();
    let mut tracks = Vec::new();
    for j in 0..JOINTS {
        let mut add = |channel, value: &mut dyn FnMut() -> Vec<f32>| {
            let values = times.iter().flat_map(|_| value()).collect();
            let track = Track::new("made", channel, Interpolation::Linear, times.clone(), values).unwrap();
            tracks.push((JointIndex(j as u16), track));
        };
        if j % 3 != 2 {
            add(Channel::Rotation, &mut || rotation(random).to_vec());
        }
        if j % 3 == 0 {
            add(Channel::Translation, &mut || vector(random, -1.0, 1.0).to_vec());
        }
        match j % 6 {
            0 => add(Channel::Scale, &mut || vec![random.between(0.5, 2.0); 3]),
            1 => add(Channel::Scale, &mut || vector(random, 0.5, 2.0).to_vec()),
            _ => {}
        }
    }
    let clip = Clip::new("made", &skeleton, tracks).unwrap();
    let options = BakeOptions { error_bound: f32::INFINITY, ..BakeOptions::default() };
    Arc::new(bake(&skeleton, &[clip], &options).unwrap().0)
}

fn tracks(random: &mut Random, times: &[f32]) -> Vec<LaneTrack> {
    let kinds = [
        (Channel::Translation, Interpolation::Step),
        (Channel::Translation, Interpolation::Linear),
        (Channel::Translation, Interpolation::CubicSpline),
        (Channel::Rotation, Interpolation::Step),
        (Channel::Rotation, Interpolation::Linear),
        (Channel::Rotation, Interpolation::Nlerp),
        (Channel::Rotation, Interpolation::QuasiSpherical),
        (Channel::Rotation, Interpolation::CubicSpline),
    ];
    let mut track = |(channel, interpolation): (Channel, Interpolation)| {
        let mut values = Vec::new();
        for _ in 0..interpolation.value_count(times.len()) {
            if channel.is_rotation() {
                values.extend(rotation(random));
            } else {
                values.extend(vector(random, -1.0, 1.0));
            }
        }
        LaneTrack::new(&Track::new("made", channel, interpolation, times.to_vec(), values).unwrap()).unwrap()
    };
    kinds.into_iter().map(&mut track).collect()
}

/// Vertices of one to nine joints each.
fn mesh(random: &mut Random) -> SkinnedMesh {
    let mut parts = Parts { joints: JOINTS, ..Parts::default() };
    for vertex in 0..INSTANCES {
        let [x, y, z, w] = rotation(random);
        parts.positions.push(vector(random, -1.0, 1.0));
        parts.normals.push([x, y, z]);
        parts.tangents.push([y, z, w, if vertex % 3 == 0 { -1.0 } else { 1.0 }]);
        let influence =
            |_| Influence { joint: random.below(JOINTS) as u16, weight: random.between(0.1, 1.0) };
        parts.influences.push((0..1 + vertex % 9).map(influence).collect());
    }
    parts.mesh(WeightRule::Normalise)
}

impl Inputs {
    pub(super) fn new() -> Self {
        let random = &mut Random::new(1);
        let bank = bank(random);
        // A joint that stands still, one that is there twice, and one that is not there.
        let joints: Vec<JointIndex> =
            (0..JOINTS).filter(|j| j % 7 != 4).chain([0, 9]).map(|j| JointIndex(j as u16)).collect();
        let mut bind = |_: &JointIndex| {
            let [x, y, z] = [Vec3A::X, Vec3A::Y, Vec3A::Z];
            // A turn about x by a Pythagorean angle.
            let turn = Mat3A::from_cols(x, 0.6 * y + 0.8 * z, -0.8 * y + 0.6 * z);
            Affine3A { matrix3: turn, translation: Vec3A::from_array(vector(random, -1.0, 1.0)) }
        };
        let inverse_bind: Vec<Affine3A> = joints.iter().map(&mut bind).collect();
        let skin = Skin::new("made", bank.skeleton(), joints, Some(inverse_bind)).unwrap();
        let plan = Plan::new(Arc::clone(&bank), &skin).unwrap();
        let packed_plan = Plan::with_rows(Arc::clone(&bank), &skin, RowFormat::I16).unwrap();
        let pairs = (0..INSTANCES)
            .map(|_| RowPair {
                row: random.below(bank.row_count() - 1) as u32,
                fraction: random.between(0.0, 1.0),
            })
            .collect();
        let mut quats = || -> Vec<QuatBlock> {
            (0..16)
                .map(|_| {
                    let q: [[f32; 4]; BLOCK] = std::array::from_fn(|_| rotation(random));
                    std::array::from_fn(|c| Line(std::array::from_fn(|lane| q[lane][c])))
                })
                .collect()
        };
        let (from, mut to) = (quats(), quats());
        // Some so close that slerp turns to nlerp.
        for (to, from) in to.iter_mut().zip(&from).step_by(4) {
            *to = from.map(|line| Line(line.0.map(|c| c + 0.001)));
        }
        let mut line = |low, high| Line(std::array::from_fn(|_| random.between(low, high)));
        let ways = (0..16).map(|_| line(0.0, 1.0)).collect();
        let times: Vec<f32> = (0..40).flat_map(|_| line(-0.5, 3.5).0).take(INSTANCES).collect();
        let mut keys: Vec<f32> = line(0.0, 3.0).0.to_vec();
        keys.sort_by(f32::total_cmp);
        // A jump.
        keys[7] = keys[6];
        let tracks = tracks(random, &keys);
        let places = (0..INSTANCES as u32).rev().collect();
        // So many that the search begins at buckets.
        let mut floats =
            |count, low, high| -> Vec<f32> { (0..count).map(|_| random.between(low, high)).collect() };
        let (mut many_keys, many_times) = (floats(100, 0.0, 3.0), floats(2000, -0.5, 3.5));
        many_keys.sort_by(f32::total_cmp);
        let palettes = floats(2 * JOINTS * 12, -1.0, 1.0);
        let mesh = mesh(random);
        Self {
            plan,
            packed_plan,
            pairs,
            places,
            from,
            to,
            ways,
            times,
            keys,
            many_times,
            many_keys,
            tracks,
            mesh,
            palettes,
        }
    }
}
