//! Swords in hands, boxes for culling, and a helmet beside a body, from one pass.
//!
//! `cargo run --release -p throng --example sockets`

use std::error::Error;
use std::f32::consts::TAU;
use std::sync::Arc;

use throng::bake;
use throng::glam::{Affine3A, Quat, Vec3};
use throng::kernels::{JointSphere, PlanOptions, WorldFold};
use throng::prelude::*;
use throng::tracks::{Channel, Clip, Interpolation, Joint, JointIndex, Rest, Track, Transform};

/// Hips, a shoulder that swings an arm in a second, and a hand.
fn swinging() -> Result<Bank, Box<dyn Error>> {
    let joint = |name: &str, parent: Option<u16>, at| Joint {
        name: name.into(),
        parent: parent.map(JointIndex),
        rest: Rest::Trs(Transform { translation: at, ..Transform::IDENTITY }),
    };
    let skeleton = Skeleton::new([
        joint("hips", None, Vec3::Y),
        joint("shoulder", Some(0), Vec3::new(0.25, 0.5, 0.0)),
        joint("hand", Some(1), Vec3::new(0.6, 0.0, 0.0)),
    ])?;
    let quarters = [0.0, 0.25, 0.5, 0.75, 1.0];
    let turns = quarters.iter().flat_map(|t| Quat::from_rotation_z(TAU * t).to_array()).collect();
    let swing = Track::new("swing", Channel::Rotation, Interpolation::Linear, quarters, turns)?;
    let clip = Clip::new("swing", &skeleton, [(JointIndex(1), swing)])?;
    Ok(bake(&skeleton, &[clip], &BakeOptions::default())?.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let bank = Arc::new(swinging()?);
    let (hips, hand) = (JointIndex(0), JointIndex(2));
    let body = Skin::model_space(bank.skeleton());
    let gauntlet = Skin::new("gauntlet", bank.skeleton(), vec![hand], None)?;
    let spheres = [JointSphere { joint: hips, radius: 1.0 }, JointSphere { joint: hand, radius: 0.2 }];
    let options = PlanOptions { sockets: &[hand], spheres: &spheres, ..PlanOptions::default() };
    let mut crowd = Crowd::with_skins(Arc::clone(&bank), &[&body, &gauntlet], &options)?;
    crowd.keep_sockets(true)?;
    crowd.keep_bounds(true)?;
    crowd.fold_worlds(Some(WorldFold::Extras))?;

    let mut ids = Vec::new();
    for i in 0..4u8 {
        let id = crowd.spawn(Playback { time_s: 0.25 * f64::from(i), ..Playback::default() })?;
        crowd.set_world(id, Affine3A::from_translation(Vec3::new(10.0 * f32::from(i), 0.0, 0.0)))?;
        ids.push(id);
    }
    crowd.evaluate();
    for id in ids {
        let sword = crowd.socket(id, hand)?;
        let bounds = crowd.bounds_of(id)?;
        println!(
            "{id}: the sword is at ({:6.2}, {:5.2}), the box from ({:6.2}, {:5.2}) to ({:6.2}, {:5.2}); \
             the gauntlet's palette in model space has x = {:.2}",
            sword.translation.x,
            sword.translation.y,
            bounds.min[0],
            bounds.min[1],
            bounds.max[0],
            bounds.max[1],
            crowd.palette_of(id, 1)?[3],
        );
    }
    println!(
        "a palette has {} floats, those of the gauntlet are {:?}",
        crowd.palette_floats(),
        crowd.skin_floats(1)?
    );
    crowd.fold_worlds(Some(WorldFold::All))?;
    crowd.evaluate();
    let id = crowd.ids().last().ok_or("somebody lives")?;
    println!("with all in the world, {id}'s gauntlet has x = {:.2}", crowd.palette_of(id, 1)?[3]);
    Ok(())
}
