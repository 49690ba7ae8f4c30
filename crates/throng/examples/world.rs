//! People and dogs in one world: one frame for all, one type of id, and slots that are used again.
//!
//! `cargo run --release -p throng --example world`

use std::error::Error;
use std::sync::Arc;

use throng::bake;
use throng::prelude::*;
use throng::tracks::{Channel, Clip, Interpolation, Joint, JointIndex, Rest, Track, Transform};

/// A crowd whose skeleton is a root that goes so many metres a second, and a row of joints behind it that wag.
fn crowd(joints: u16, speed: f32) -> Result<Crowd, Box<dyn Error>> {
    let joint = |j: u16| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform { translation: [0.0, 0.1, 0.0].into(), ..Transform::IDENTITY }),
    };
    let skeleton = Skeleton::new((0..joints).map(joint))?;
    let go = vec![0.0, 0.1, 0.0, speed, 0.1, 0.0];
    let mut tracks =
        vec![(JointIndex(0), Track::new("go", Channel::Translation, Interpolation::Linear, [0.0, 1.0], go)?)];
    for joint in skeleton.joints().skip(1) {
        let wag = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0];
        let wag = Track::new("wag", Channel::Rotation, Interpolation::Linear, [0.0, 0.5, 1.0], wag)?;
        tracks.push((joint, wag));
    }
    let clip = Clip::new("walk", &skeleton, tracks)?;
    let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    Ok(Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let people = world.add(crowd(20, 1.4)?);
    let dogs = world.add(crowd(12, 3.0)?);
    let mut ids = Vec::new();
    for i in 0..300 {
        let kind = if i % 3 == 0 { dogs } else { people };
        ids.push(world.spawn(kind, Playback { time_s: f64::from(i) * 0.01, ..Playback::default() })?);
    }
    println!("{} instances in {} crowds", world.len(), world.crowds().len());

    world.advance(0.25)?;
    world.evaluate();
    for (id, crowd) in world.crowds() {
        println!(
            "crowd {id}: {} palettes of {} joints, {} KiB, {} written",
            crowd.len(),
            crowd.plan().palette_entries(),
            crowd.palette_bytes().len() / 1024,
            crowd.changed().len(),
        );
    }
    let (dog, person) = (ids[0], ids[1]);
    println!("{dog} is at {:.2} m, {person} at {:.2} m", world.palette(dog)?[3], world.palette(person)?[3]);

    // Every other one hides: only the rest is written.
    let hidden: Vec<WorldInstanceId> = ids.iter().copied().step_by(2).collect();
    world.set_visible_many(&hidden, false)?;
    world.advance(0.25)?;
    world.evaluate();
    let written: usize = world.crowds().map(|(_, crowd)| crowd.changed().len()).sum();
    println!("{} hide, so a frame writes {written} palettes", hidden.len());

    // A slot is used again, and the old id knows that it is over.
    world.despawn(dog)?;
    let puppy = world.spawn(dogs, Playback::default())?;
    println!(
        "{puppy} lives where {dog} was; of that one the world says: {}",
        world.palette(dog).unwrap_err()
    );
    Ok(())
}
