//! Banks, skins and crowds to test with.

use std::sync::Arc;

use throng_crowd::{Crowd, InstanceId, Playback};
use throng_kernels::{Level, Plan, RowFormat};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, Posable, Rest, Skeleton, Skin, Track,
    Transform, WrapMode, bake, tools,
};

/// A root that slides and an arm that turns.
fn skeleton() -> Skeleton {
    let joint = |name: &str, parent, y| {
        let rest = Transform { translation: [0.0, y, 0.0].into(), ..Transform::IDENTITY };
        Joint { name: name.into(), parent, rest: Rest::Trs(rest) }
    };
    Skeleton::new([joint("root", None, 0.0), joint("arm", Some(JointIndex(0)), 1.0)]).unwrap()
}

/// A clip at whose time `t` the root is at `x = t`, and the arm has turned about `z`.
fn sliding(skeleton: &Skeleton, index: usize, duration_s: f32) -> Clip {
    let (times, count) = if duration_s > 0.0 { (vec![0.0, duration_s], 2) } else { (vec![0.0], 1) };
    let place = [0.0, 0.0, 0.0, duration_s, 0.0, 0.0];
    let turn = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8];
    let linear = Interpolation::Linear;
    let place = Track::new("place", Channel::Translation, linear, times.clone(), place[..3 * count].to_vec())
        .unwrap();
    let turn = Track::new("turn", Channel::Rotation, linear, times, turn[..4 * count].to_vec()).unwrap();
    Clip::new(format!("clip {index}"), skeleton, [(JointIndex(0), place), (JointIndex(1), turn)]).unwrap()
}

/// A bank of such clips. Without any it is a bank that nothing moves in.
pub(crate) fn bank(durations_s: &[f32]) -> Arc<Bank> {
    let skeleton = skeleton();
    let clips: Vec<Clip> = durations_s
        .iter()
        .enumerate()
        .map(|(index, &duration)| sliding(&skeleton, index, duration))
        .collect();
    Arc::new(bake(&skeleton, &clips, &BakeOptions::default()).unwrap().0)
}

/// A bank of such clips, and behind them as many additive ones: what they add to where they begin.
pub(crate) fn bank_with_additive(durations_s: &[f32]) -> Arc<Bank> {
    let skeleton = skeleton();
    let clips: Vec<Clip> = durations_s.iter().enumerate().map(|(i, &d)| sliding(&skeleton, i, d)).collect();
    let additive: Vec<Clip> =
        clips.iter().map(|clip| tools::make_additive(clip, &skeleton, clip, 0.0).unwrap()).collect();
    let all: Vec<Clip> = clips.into_iter().chain(additive).collect();
    Arc::new(bake(&skeleton, &all, &BakeOptions::default()).unwrap().0)
}

/// A bank of such clips, all of whose joints can be posed otherwise.
pub(crate) fn posable_bank(durations_s: &[f32]) -> Arc<Bank> {
    let skeleton = skeleton();
    let clips: Vec<Clip> = durations_s.iter().enumerate().map(|(i, &d)| sliding(&skeleton, i, d)).collect();
    let options = BakeOptions { posable: Posable::All, ..BakeOptions::default() };
    Arc::new(bake(&skeleton, &clips, &options).unwrap().0)
}

/// A bank with a clip that lasts two seconds and moves nothing.
pub(crate) fn still_bank() -> Arc<Bank> {
    let skeleton = skeleton();
    let track = Track::new("still", Channel::Translation, Interpolation::Linear, [0.0, 2.0], vec![0.5; 6]);
    let clip = Clip::new("still", &skeleton, [(JointIndex(0), track.unwrap())]).unwrap();
    Arc::new(bake(&skeleton, &[clip], &BakeOptions::default()).unwrap().0)
}

pub(crate) fn plan(bank: Arc<Bank>) -> Arc<Plan> {
    plan_of(bank, RowFormat::F32)
}

pub(crate) fn plan_of(bank: Arc<Bank>, rows: RowFormat) -> Arc<Plan> {
    let skin = Skin::model_space(bank.skeleton());
    Arc::new(Plan::with_rows(bank, &skin, rows).unwrap())
}

/// An empty crowd whose palettes are model matrices: the fourth float of each is the time shown.
pub(crate) fn crowd(durations_s: &[f32]) -> Crowd {
    Crowd::with_plan(plan(bank(durations_s)), Level::detect())
}

/// Another instance in place of the one at a slot, none of which is free: who it is.
pub(crate) fn replace(crowd: &mut Crowd, slot: usize, playback: Playback) -> InstanceId {
    let id = crowd.ids().nth(slot).unwrap();
    crowd.despawn(id).unwrap();
    crowd.spawn(playback).unwrap()
}

pub(crate) const MODES: [WrapMode; 3] = [WrapMode::Clamp, WrapMode::Loop, WrapMode::PingPong];

/// Something different for every `i`.
pub(crate) fn playback(i: usize, clips: usize) -> Playback {
    Playback {
        clip: i % clips,
        time_s: i as f64 * 0.37 - 2.0,
        speed: (i % 7) as f32 * 0.5 - 1.0,
        wrap: MODES[i % 3],
        ..Playback::default()
    }
}

/// The bits of floats: equal NaNs are equal, and zeros of different sign are not.
pub(crate) fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|f| f.to_bits()).collect()
}

/// Numbers without end.
pub(crate) struct Dice(u64);

impl Dice {
    /// From a seed that is not 0.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())]
    }
}
