//! Walkers: clips that lead somewhere, and a naive one who goes them pass by pass.

use std::sync::{Arc, LazyLock};

use glam::{DAffine3, Quat};
use throng_crowd::Crowd;
use throng_kernels::Level;
use throng_tracks::tools::{RootMotion, make_additive};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, MotionCurve, Placement,
    PlaybackClock, Rest, Skeleton, Track, Transform, WrapMode, bake,
};

use crate::make::plan;

pub(crate) const CORNER: usize = 0;
pub(crate) const RUN: usize = 1;
pub(crate) const STILL: usize = 2;
pub(crate) const NOD: usize = 3;
pub(crate) const SQUARE: usize = 4;

fn skeleton() -> Skeleton {
    let joint =
        |name: &str, parent| Joint { name: name.into(), parent, rest: Rest::Trs(Transform::IDENTITY) };
    Skeleton::new([joint("hips", None), joint("arm", Some(JointIndex(0)))]).unwrap()
}

/// The hips at the places of a formula, turned about y.
fn walk(name: &str, duration_s: f32, at: impl Fn(f32) -> ([f32; 3], f32)) -> Clip {
    let frames = (duration_s * 30.0).round() as u16;
    let times: Vec<f32> = (0..=frames).map(|i| f32::from(i) / 30.0).collect();
    let places = times.iter().flat_map(|&t| at(t).0).collect();
    let turns = times.iter().flat_map(|&t| Quat::from_rotation_y(at(t).1).to_array()).collect();
    let linear = Interpolation::Linear;
    let place = Track::new("place", Channel::Translation, linear, times.clone(), places).unwrap();
    let turn = Track::new("turn", Channel::Rotation, linear, times, turns).unwrap();
    Clip::new(name, &skeleton(), [(JointIndex(0), place), (JointIndex(0), turn)]).unwrap()
}

/// Uneven ways, a clip that goes nowhere, an additive one, and a side of a square.
pub(crate) static BANK: LazyLock<Arc<Bank>> = LazyLock::new(|| {
    let skeleton = skeleton();
    let corner = walk("corner", 0.9, |t| ([0.2 * t * t, 1.0, 1.5 * t + 0.1 * (9.0 * t).sin()], 1.4 * t * t));
    let run = walk("run", 0.6, |t| ([0.0, 1.0, 4.0 * t], 0.0));
    let still = walk("still", 1.0, |_| ([0.0, 1.0, 0.0], 0.0));
    let nod = make_additive(&run, &skeleton, &run, 0.0).unwrap();
    // Ahead, and a quarter turn at the end.
    let ahead = |t: f32| (t / 0.8).min(1.0);
    let square = walk("square", 1.0, |t| {
        ([0.0, 1.0, 2.0 * ahead(t)], std::f32::consts::FRAC_PI_2 * ((t - 0.8) / 0.2).max(0.0))
    });
    let options = BakeOptions { root_motion: Some(RootMotion::of("hips")), ..BakeOptions::default() };
    Arc::new(bake(&skeleton, &[corner, run, still, nod, square], &options).unwrap().0)
});

pub(crate) fn walkers() -> Crowd {
    Crowd::with_plan(plan(Arc::clone(&BANK)), Level::detect())
}

pub(crate) fn motion(clip: usize) -> &'static MotionCurve {
    BANK.clips()[clip].motion().unwrap()
}

pub(crate) fn affine(place: &Placement) -> DAffine3 {
    DAffine3::from_rotation_translation(place.rotation.as_dquat().normalize(), place.translation.as_dvec3())
}

pub(crate) fn off(a: &DAffine3, b: &DAffine3) -> f64 {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    a.iter().zip(&b).fold(0.0, |off, (a, b)| off.max((a - b).abs()))
}

/// Where a clock has brought a character that was at the origin in the beginning of the first pass: one pass after the other.
pub(crate) fn walked(curve: &MotionCurve, clock: &PlaybackClock) -> DAffine3 {
    let play = clock.play();
    let [min, max] = play.range_s.unwrap().map(f64::from);
    let at = |t: f64| affine(&curve.at(t));
    let mut place = DAffine3::IDENTITY;
    let mut go = |from: f64, to: f64| place = place * at(from).inverse() * at(to);
    let start = if play.reversed { max } else { min };
    let end = if play.reversed { min } else { max };
    if play.wrap == WrapMode::Loop {
        for _ in 0..clock.pass().max(0) {
            go(start, end);
        }
        for _ in 0..(-clock.pass()).max(0) {
            go(end, start);
        }
    }
    go(start, clock.inside_s());
    place
}
