//! A march as its footsteps: `cargo run --release --example events -p throng`.
use std::sync::Arc;

use throng::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut asset = Asset::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb"))?;
    let bank = Arc::make_mut(&mut asset.bank);
    let clip = |name| bank.find_clip(name).ok_or("there is no such clip");
    let (walk, run, wave) = (clip("walk")?, clip("run")?, clip("wave")?);
    // When each foot comes down. Files can have them, too, in an animation's extras.
    for (clip, left_s, right_s) in [(walk, 0.0, 0.6), (run, 0.1, 0.45)] {
        for (time_s, name, payload) in [(left_s, "left", 0), (right_s, "right", 1)] {
            bank.add_marker(clip, Marker { time_s, name: name.into(), payload })?;
        }
    }

    let mut crowd = asset.crowd(0)?;
    let playing = |clip| Playback { clip, ..Playback::default() };
    let ids = [
        crowd.spawn(playing(walk))?,
        crowd.spawn(Playback { time_s: 0.6, ..playing(walk) })?,
        crowd.spawn(playing(run))?,
    ];
    // Six seconds on one line a character: its left and right feet.
    let frames = 360;
    let mut lines = vec![vec![' '; frames / 4]; ids.len()];
    for frame in 0..frames {
        match frame {
            120 => drop(crowd.crossfade(ids[1], playing(run), Crossfade { seconds: 0.5, synced: true })?),
            180 => {
                crowd.set_speed(ids[2], 0.5)?;
                let once = Playback { wrap: WrapMode::Clamp, at_end: AtEnd::Remove, ..playing(wave) };
                crowd.fade_in(ids[0], once, 0.2)?;
            }
            300 => crowd.pause(ids[2])?,
            _ => {}
        }
        crowd.advance(1.0 / 60.0)?;
        crowd.evaluate();
        for event in crowd.events() {
            let Some(line) = ids.iter().position(|id| *id == event.instance()) else { continue };
            match event.kind {
                EventKind::Marker { payload, .. } => {
                    // In a crossfade both clips have feet: those of the one that is seen more.
                    if crowd.playback(event.playback).is_ok_and(|playback| playback.weight > 0.5) {
                        lines[line][frame / 4] = ['L', 'R'][payload as usize];
                    }
                }
                // Once a pass: too often to be told here.
                EventKind::Looped { .. } => {}
                kind => println!("{:5.2} s  {}: {kind:?}", frame as f64 / 60.0, event.playback),
            }
        }
    }
    println!();
    for line in &lines {
        println!("|{}|", line.iter().collect::<String>());
    }
    Ok(())
}
