//! Characters that go where their clips take them, seen from above: `cargo run --release --example root_motion -p throng`.
use throng::glam::{Quat, Vec3};
use throng::prelude::*;
use throng::tracks::{Channel, Interpolation, Track};
use throng::{Clip, bake, import};

/// Our own character marches on the spot. Here is the clip as a studio would deliver it: its root goes ahead at so many metres a
/// second, and turns by so much.
fn travelling(
    clip: &Clip,
    skeleton: &Skeleton,
    speed: f32,
    turn: f32,
) -> Result<Clip, Box<dyn std::error::Error>> {
    let root = skeleton.find("root").ok_or("no joint is called root")?;
    let rest = skeleton.rest()[root.get()];
    let times: Vec<f32> = (0..=16).map(|i| clip.duration_s() * i as f32 / 16.0).collect();
    // A circle's arc, or for no turn a straight line.
    let ahead = |t: f32| {
        let angle = turn * t;
        let (across, along) =
            if turn == 0.0 { (0.0, t) } else { ((1.0 - angle.cos()) / turn, angle.sin() / turn) };
        rest.translation + Vec3::new(speed * across, 0.0, speed * along)
    };
    let places = times.iter().flat_map(|&t| ahead(t).to_array()).collect();
    let turns =
        times.iter().flat_map(|&t| (Quat::from_rotation_y(turn * t) * rest.rotation).to_array()).collect();
    let linear = Interpolation::Linear;
    let place = Track::new("root place", Channel::Translation, linear, times.clone(), places)?;
    let turn = Track::new("root turn", Channel::Rotation, linear, times, turns)?;
    let others = clip.tracks().iter().filter(|bound| bound.joint() != root);
    let others = others.map(|bound| (bound.joint(), bound.track().clone()));
    Ok(Clip::new(clip.name(), skeleton, others.chain([(root, place), (root, turn)]))?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = import(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb"))?;
    let skeleton = &file.skeleton;
    let clip = |name| file.clips.iter().find(|clip| clip.name() == name).ok_or("there is no such clip");
    let clips = [
        travelling(clip("walk")?, skeleton, 1.5, 0.0)?,
        travelling(clip("run")?, skeleton, 4.0, 0.0)?,
        travelling(clip("walk")?, skeleton, 1.5, 0.5)?,
        clip("idle")?.clone(),
    ];
    let [walk, run, circle, idle] = [0, 1, 2, 3];

    // The root's way is the character's, and the pose that is left stays on the spot.
    let options = BakeOptions { root_motion: Some(RootMotion::of("root")), ..BakeOptions::default() };
    let (bank, report) = bake(skeleton, &clips, &options)?;
    for (clip, baked) in bank.clips().iter().zip(&report.clips) {
        let way = baked.motion.map_or(0.0, |motion| motion.pass.translation.length());
        println!("{:6} {:.2} s, {way:.2} m a pass", clip.name(), clip.duration_s());
    }

    let mut crowd = Crowd::new(bank.into(), &file.skins[0])?;
    let playing = |clip| Playback { clip, ..Playback::default() };
    let ids = [crowd.spawn(playing(walk))?, crowd.spawn(playing(circle))?, crowd.spawn(playing(idle))?];
    let mut places = [[-7.0, 0.0, 0.0], [-1.0, 0.0, 3.0], [9.0, 0.0, 0.0]].map(Placement::at);

    let (columns, rows) = (64, 20);
    let mut map = vec![vec!['.'; columns]; rows];
    for frame in 0..600 {
        match frame {
            // The first breaks into a run, then turns left; the third begins to walk, and in the end walks backwards.
            180 => drop(crowd.crossfade(ids[0], playing(run), 0.5)?),
            240 => drop(crowd.crossfade(ids[0], playing(circle), 0.5)?),
            120 => drop(crowd.crossfade(ids[2], playing(walk), 1.0)?),
            420 => crowd.set_speed(ids[2], -0.5)?,
            _ => {}
        }
        crowd.advance(1.0 / 60.0)?;
        crowd.move_places(&mut places)?;
        crowd.evaluate();
        for (place, mark) in places.iter().zip(['1', '2', '3']) {
            // Seen from above, x is to the left of z.
            let (x, z) = (32.0 - 2.0 * place.translation.x, place.translation.z + 2.0);
            let row = map.get_mut(z.round().max(0.0) as usize);
            if let Some(spot) = row.and_then(|row| row.get_mut(x.round().max(0.0) as usize)) {
                *spot = mark;
            }
        }
        if frame % 60 == 59 {
            let at =
                |place: &Placement| format!("({:5.1}, {:5.1}) m", place.translation.x, place.translation.z);
            println!("{:2} s: {}", frame / 60 + 1, places.each_ref().map(at).join("  "));
        }
    }
    for row in map.iter().rev() {
        println!("{}", row.iter().collect::<String>());
    }
    Ok(())
}
