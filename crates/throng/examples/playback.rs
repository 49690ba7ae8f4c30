//! A character is directed through a short scene: `cargo run --release --example playback -p throng`.
use throng::prelude::*;

/// The weights of what plays, as bars.
fn show(crowd: &Crowd, id: InstanceId) -> Result<String, Box<dyn std::error::Error>> {
    let mut playing = crowd.playbacks(id)?.collect::<Vec<_>>();
    playing.sort();
    let mut line = String::new();
    for one in playing {
        if crowd.is_waiting(one)? {
            continue;
        }
        let playback = crowd.playback(one)?;
        let (name, weight) = (crowd.bank().clips()[playback.clip].name(), playback.weight);
        let bar = "#".repeat((weight * 10.0).round() as usize);
        let still = if playback.paused { " (paused)" } else { "" };
        line += &format!("{name} {bar:10} {:.2} s{still}   ", crowd.shown_s(one)?);
    }
    Ok(line)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asset = Asset::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb"))?;
    let clip = |name| asset.bank.find_clip(name).ok_or("there is no such clip");
    let playing = |clip| Playback { clip, ..Playback::default() };
    let (idle, walk, run, wave) = (clip("idle")?, clip("walk")?, clip("run")?, clip("wave")?);
    let mut crowd = asset.crowd(0)?;
    let hero = crowd.spawn(playing(idle))?;

    // The second half of the wave, once, and then what was before.
    let once = Playback { range_s: Some([1.3, 2.6]), wrap: WrapMode::Clamp, ..playing(wave) };
    for frame in 0..=480 {
        match frame {
            30 => {
                println!("  walk off");
                crowd.crossfade(hero, playing(walk), Crossfade::default())?;
            }
            120 => {
                println!("  run, the same foot ahead");
                crowd.crossfade(hero, playing(run), Crossfade { seconds: 0.5, synced: true })?;
            }
            140 => {
                println!("  no, walk: from the mix that is shown");
                crowd.crossfade(hero, playing(walk), 0.5)?;
            }
            240 => {
                println!("  freeze");
                crowd.pause(hero)?;
            }
            270 => {
                println!("  and go on, backwards");
                crowd.resume(hero)?;
                crowd.set_speed(hero, -1.0)?;
            }
            330 => {
                println!("  wave, and when that is over stand");
                let waving = crowd.crossfade(hero, once, 0.3)?;
                crowd.crossfade_after(hero, playing(idle), 0.4, waving, After::Ended)?;
            }
            _ => {}
        }
        crowd.advance(1.0 / 60.0)?;
        crowd.evaluate();
        if frame % 15 == 0 {
            println!("{:5.2} s  {}", f64::from(frame) / 60.0, show(&crowd, hero)?.trim_end());
        }
    }

    // All at once: a thousand of them, each at its own pace.
    let ids = (0..1000).map(|_| crowd.spawn(playing(walk))).collect::<Result<Vec<_>, _>>()?;
    crowd.update_all(|id, playback| Playback { speed: 0.8 + (id.slot() % 5) as f32 * 0.1, ..playback })?;
    crowd.control_many(&ids[500..], Control::Crossfade(playing(run), Crossfade::from(1.0)))?;
    crowd.advance(0.5)?;
    let halfway = ids[500..].iter().filter(|id| crowd.playback(**id).is_ok_and(|p| p.weight == 0.5));
    println!("{} of {} are halfway from walk to run", halfway.count(), ids.len());
    Ok(())
}
