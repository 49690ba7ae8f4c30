//! Section 6 of the semantics, sentence by sentence: what a crowd shows, against the authored clips in `f64`.
//!
//! Nothing here reads a row, a column or a constant of a bank. Of the section one sentence is missing, for there are no
//! override layers yet: "An override layer of weight w and mask m scales everything below it by 1 - w m".

mod additive;
mod averages;
mod fades;
mod rest;

use std::sync::Arc;

use glam::{DQuat, DVec3, DVec4, Quat, Vec3};
use throng_crowd::{AtEnd, Crossfade, Crowd, InstanceId, Playback};
use throng_kernels::oracle::{ClipLayer, clip_model_matrices};
use throng_kernels::{Level, Plan, RowFormat};
use throng_tracks::{
    BakeOptions, Channel, Clip, ClipError, DTransform, Interpolation, Joint, JointIndex, Rest, Skeleton,
    Skin, Track, Transform, WrapMode, bake, tools,
};

/// Three joints, one after the other, none of them at the origin of its parent or straight.
fn skeleton() -> Skeleton {
    let joint = |j: u16| {
        let rest = Transform {
            translation: Vec3::new(0.1, 1.0, 0.0),
            rotation: Quat::from_rotation_x(0.2),
            scale: Vec3::ONE,
        };
        Joint { name: format!("joint {j}"), parent: j.checked_sub(1).map(JointIndex), rest: Rest::Trs(rest) }
    };
    Skeleton::new((0..3).map(joint)).unwrap()
}

fn track(channel: Channel, keys: &[&[f32]]) -> Track {
    let times: Vec<f32> = (0..keys.len()).map(|key| key as f32).collect();
    Track::new("t", channel, Interpolation::Linear, times, keys.concat()).unwrap()
}

fn turn(axis: Vec3, angles: &[f32]) -> Track {
    let keys: Vec<[f32; 4]> =
        angles.iter().map(|angle| Quat::from_axis_angle(axis, *angle).to_array()).collect();
    track(Channel::Rotation, &keys.iter().map(<[f32; 4]>::as_slice).collect::<Vec<_>>())
}

/// Four clips of a second, and what the fourth adds to its own start. All of them hold the last joint's translation and scale
/// at one value, which is not the rest.
struct Scene {
    skeleton: Skeleton,
    clips: Vec<Clip>,
    plan: Arc<Plan>,
}

const HELD: [f32; 3] = [5.0, 0.0, 0.0];
const ADDITIVE: usize = 4;

impl Scene {
    fn new() -> Self {
        Self::with(RowFormat::F32)
    }

    fn with(rows: RowFormat) -> Self {
        let skeleton = skeleton();
        let mut clips: Vec<Clip> = [
            (Vec3::X, 0.4, 0.5),
            (Vec3::Y, 0.9, -1.0),
            (Vec3::Z, -0.7, 2.0),
            (Vec3::ONE.normalize(), 0.3, 0.2),
        ]
        .into_iter()
        .enumerate()
        .map(|(k, (axis, angle, x))| {
            let tracks = [
                (JointIndex(0), track(Channel::Translation, &[&[x, 0.5, 0.0], &[2.0 * x, 0.5, 1.0]])),
                (JointIndex(1), turn(axis, &[angle, 1.5 * angle])),
                (JointIndex(2), track(Channel::Translation, &[&HELD, &HELD])),
                (JointIndex(2), track(Channel::Scale, &[&[2.0; 3], &[2.0; 3]])),
            ];
            Clip::new(format!("clip {k}"), &skeleton, tracks).unwrap()
        })
        .collect();
        clips.push(tools::make_additive(&clips[3], &skeleton, &clips[3], 0.0).unwrap());
        let bank = Arc::new(bake(&skeleton, &clips, &BakeOptions::default()).unwrap().0);
        let plan = Arc::new(Plan::with_rows(bank, &Skin::model_space(&skeleton), rows).unwrap());
        Self { skeleton, clips, plan }
    }

    fn crowds(&self) -> Vec<Crowd> {
        Level::available().into_iter().map(|level| Crowd::with_plan(Arc::clone(&self.plan), level)).collect()
    }

    /// One instance that plays these layers, at every level; its palette is that of the clips.
    fn hold(&self, layers: &[Shown<'_>]) {
        self.hold_within(layers, 2e-5);
    }

    fn hold_within(&self, layers: &[Shown<'_>], allowed: f64) {
        for mut crowd in self.crowds() {
            let id = layers[0].spawn(&mut crowd);
            for layer in &layers[1..] {
                let playback = layer.playback(&mut crowd);
                crowd.play(id, playback).unwrap();
            }
            self.check(&mut crowd, id, layers, allowed);
        }
    }

    fn check(&self, crowd: &mut Crowd, id: InstanceId, layers: &[Shown<'_>], allowed: f64) {
        let layers: Vec<ClipLayer<'_>> = layers
            .iter()
            .map(|l| ClipLayer {
                clip: &self.clips[l.clip],
                time_s: l.time_s,
                weight: l.weight,
                mask: l.mask,
            })
            .collect();
        crowd.evaluate();
        let found = crowd.palette(id).unwrap();
        let exact = clip_model_matrices(&self.skeleton, &layers);
        for (joint, (exact, found)) in exact.iter().zip(found.chunks(12)).enumerate() {
            for (at, found) in found.iter().enumerate() {
                let exact = exact.to_cols_array()[at % 4 * 3 + at / 4];
                let what = || format!("{layers:?}, joint {joint}, number {at} at {}", crowd.level());
                assert!((f64::from(*found) - exact).abs() <= allowed, "{}: {found}, exactly {exact}", what());
            }
        }
    }

    /// Nothing but the rest pose is shown.
    fn rests(&self, crowd: &mut Crowd, id: InstanceId) {
        self.check(crowd, id, &[], 2e-5);
    }
}

/// A layer, at a time that stands still.
#[derive(Clone, Copy)]
struct Shown<'a> {
    clip: usize,
    time_s: f32,
    weight: f32,
    mask: Option<&'a [f32]>,
}

const fn shown(clip: usize, time_s: f32, weight: f32) -> Shown<'static> {
    Shown { clip, time_s, weight, mask: None }
}

impl Shown<'_> {
    fn spawn(&self, crowd: &mut Crowd) -> InstanceId {
        let playback = self.playback(crowd);
        crowd.spawn(playback).unwrap()
    }

    fn playback(&self, crowd: &mut Crowd) -> Playback {
        Playback {
            wrap: WrapMode::Clamp,
            clip: self.clip,
            time_s: self.time_s.into(),
            speed: 0.0,
            weight: self.weight,
            mask: self.mask.map(|weights| crowd.add_mask(weights).unwrap()),
            additive: self.clip == ADDITIVE,
            ..Playback::default()
        }
    }
}

/// The local pose of a joint in a clip.
fn local(scene: &Scene, clip: usize, time_s: f32, joint: usize) -> DTransform {
    let mut pose = vec![DTransform::IDENTITY; 3];
    scene.clips[clip].sample_f64(&scene.skeleton, time_s, &mut pose);
    pose[joint]
}

/// What an instance with these layers shows.
fn palette(crowd: &mut Crowd, layers: &[Shown<'_>]) -> Vec<f32> {
    let first = layers[0].playback(crowd);
    let id = crowd.spawn(first).unwrap();
    for layer in &layers[1..] {
        let playback = layer.playback(crowd);
        crowd.play(id, playback).unwrap();
    }
    crowd.evaluate();
    crowd.palette(id).unwrap().to_vec()
}

fn far(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}
