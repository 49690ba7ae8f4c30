//! A walker is hit, becomes a ragdoll, lies, and gets up again: poses that no clip knows, faded in and out like clips.
//!
//! `cargo run --release -p throng --example external_poses`

use std::error::Error;
use std::sync::Arc;

use throng::bake;
use throng::glam::{Quat, Vec3};
use throng::prelude::*;
use throng::tracks::{Channel, Clip, Interpolation, Joint, JointIndex, Posable, Rest, Track, Transform};

/// A pole of three joints that bows and rises. The topmost one moves in no clip.
fn bowing() -> Result<Bank, Box<dyn Error>> {
    let joint = |j: u16| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform { translation: Vec3::Y, ..Transform::IDENTITY }),
    };
    let skeleton = Skeleton::new((0..3).map(joint))?;
    let angles = [0.0, 0.3, 0.0];
    let turns = angles.iter().flat_map(|a| Quat::from_rotation_z(-*a).to_array()).collect();
    let bow = Track::new("bow", Channel::Rotation, Interpolation::Linear, [0.0, 0.5, 1.0], turns)?;
    let clip = Clip::new("bow", &skeleton, [(JointIndex(1), bow)])?;
    let options = BakeOptions { posable: Posable::All, ..BakeOptions::default() };
    Ok(bake(&skeleton, &[clip], &options)?.0)
}

/// Physics, of a kind: a pole that tips over within half a second, its joints one after the other.
fn fallen(skeleton: &Skeleton, seconds: f32) -> Vec<Transform> {
    let mut pose = skeleton.rest().to_vec();
    for (joint, local) in pose.iter_mut().enumerate() {
        let way = (seconds / 0.5 - 0.2 * joint as f32).clamp(0.0, 1.0);
        local.rotation = Quat::from_rotation_z(-way * way * if joint == 0 { 1.3 } else { 0.2 });
    }
    pose
}

fn main() -> Result<(), Box<dyn Error>> {
    let bank = Arc::new(bowing()?);
    let mut crowd = Crowd::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton()))?;
    let id = crowd.spawn(Playback::default())?;
    let mut hit_s = None;
    for frame in 0..30u8 {
        match frame {
            6 => {
                println!("-- hit: the ragdoll takes over within 0.1 s");
                hit_s = Some(0.0f32);
                crowd.crossfade(id, Playback::external(), 0.1)?;
            }
            20 => {
                println!("-- up again: the clip takes over within 0.4 s");
                crowd.crossfade(id, Playback::default(), 0.4)?;
            }
            _ => {}
        }
        if let Some(seconds) = &mut hit_s {
            crowd.set_pose(id, &fallen(bank.skeleton(), *seconds))?;
            *seconds += 0.05;
        }
        crowd.advance(0.05)?;
        crowd.evaluate();
        let top = &crowd.palette(id)?[2 * 12..];
        let bar = "#".repeat((top[7].max(0.0) * 12.0) as usize);
        println!("{:4.2} s  height {:5.2}  {bar}", 0.05 * f32::from(frame), top[7]);
    }
    Ok(())
}
