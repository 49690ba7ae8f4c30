//! Walk, run and wave at once: `cargo run --release --example layers -p throng`.
use throng::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asset = Asset::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb"))?;
    let clip = |name| asset.bank.find_clip(name).ok_or("there is no such clip");
    let (walk, run, wave) = (clip("walk")?, clip("run")?, clip("wave")?);
    let mut crowd = asset.crowd(0)?;

    // The arms wave, and everything else walks on.
    let skeleton = crowd.bank().skeleton();
    let arm: Vec<f32> = (0..skeleton.joint_count())
        .map(|joint| f32::from(skeleton.name(JointIndex(joint as u16)).to_lowercase().contains("arm")))
        .collect();
    let arm = crowd.add_mask(&arm)?;

    let id = crowd.spawn(Playback { clip: walk, ..Playback::default() })?;
    // Once, and then it is over. It weighs eight times as much as the rest does in the arms.
    let once = Playback { clip: wave, wrap: WrapMode::Clamp, at_end: AtEnd::Remove, ..Playback::default() };
    crowd.fade_in(id, Playback { weight: 8.0, mask: Some(arm), ..once }, 0.2)?;
    for frame in 0..180 {
        if frame == 30 {
            // In step: the foot that is ahead stays ahead.
            let how = Crossfade { seconds: 0.5, synced: true };
            crowd.crossfade(id, Playback { clip: run, ..Playback::default() }, how)?;
        }
        crowd.advance(1.0 / 60.0)?;
        crowd.evaluate();
        if frame % 15 == 0 {
            let playing =
                crowd.playbacks(id)?.map(|one| crowd.playback(one)).collect::<Result<Vec<_>, _>>()?;
            let names = playing.iter().map(|p| (asset.bank.clips()[p.clip].name(), p.weight, p.time_s));
            let line: Vec<String> =
                names.map(|(name, weight, time_s)| format!("{name} {weight:.2} at {time_s:.2} s")).collect();
            println!("frame {frame:3}: {}", line.join(", "));
        }
    }
    Ok(())
}
